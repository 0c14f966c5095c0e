package dev.parley.server.cluster;

import java.util.function.Supplier;

/**
 * One attempt at a query, by the owners that the partition metadata had when it was planned.
 *
 * @param remote whether it may send requests to peers, and so block
 * @param answer answers the query; throws {@link dev.parley.topology.views.store.ViewsUnavailableException} or
 *     {@link dev.parley.topology.views.read.PositionNotVisibleException} if a later attempt may succeed
 */
public record Attempt(boolean remote, Supplier<ViewResponse> answer) {}
