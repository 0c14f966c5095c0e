package dev.parley.query.cluster;

import dev.parley.query.read.LocalViews;
import dev.parley.query.read.Views;
import java.time.Duration;

/**
 * The views of all instances of a deployment.
 *
 * @param local views of this instance
 * @param cluster which instance has which partitions
 * @param peers how to ask other instances
 * @param retryTimeout maximum time to retry a query while partitions move or a position is not visible
 */
public record DistributedViews(LocalViews local, PartitionMetadata cluster, Peers peers, Duration retryTimeout) {

    /** The views of an instance that is alone and has all partitions. */
    public static DistributedViews one(Views views) {
        return new DistributedViews(LocalViews.whole(views), PartitionMetadata.alone(), Peers.none(), Duration.ZERO);
    }
}
