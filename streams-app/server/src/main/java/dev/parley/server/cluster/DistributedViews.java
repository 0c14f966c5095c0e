package dev.parley.server.cluster;

import dev.parley.topology.views.read.LocalViews;
import java.time.Duration;

/**
 * The views of all instances of a deployment, as one instance sees them. {@link Routing} answers a query from them: it
 * looks up the owners of the partitions in {@code metadata}, reads {@code local} or sends a {@link PeerRequest} through
 * {@code peers}, and retries until {@code retryTimeout}.
 *
 * @param local views on this instance
 * @param metadata which instance has which partitions
 * @param peers the other instances
 * @param retryTimeout maximum time to retry a query while partitions move or a position is not visible
 */
public record DistributedViews(LocalViews local, PartitionMetadata metadata, Peers peers, Duration retryTimeout) {}
