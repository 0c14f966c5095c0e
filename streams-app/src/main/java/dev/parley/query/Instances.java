package dev.parley.query;

import java.time.Duration;

/**
 * The views of all processes together.
 *
 * @param local what this process has
 * @param cluster who has what
 * @param peers how the others are asked
 * @param patience how long a request is tried again while what it needs moves, or is not shown yet
 */
public record Instances(LocalViews local, Cluster cluster, Peers peers, Duration patience) {

    /** One process that has all. */
    public static Instances one(Views views) {
        return new Instances(LocalViews.whole(views), Cluster.alone(), Peers.none(), Duration.ZERO);
    }
}
