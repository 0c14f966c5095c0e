package dev.parley.topology.pipeline;

import dev.parley.log.tlog.TreeHead;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;

/** Reads the heads of all logs, which the statement of the partitions lists. Thread-safe. */
@FunctionalInterface
public interface PublishedHeads {

    /** Without brokers: there are none. */
    PublishedHeads NONE = () -> CompletableFuture.completedFuture(Optional.of(Collections.emptySortedMap()));

    /**
     * Reads committed heads on another thread.
     *
     * @return by partition, the newest head that the deployment signed, with the time up to which its log is complete;
     *     never an older one than before; empty if the brokers did not answer
     */
    CompletableFuture<Optional<SortedMap<Integer, TreeHead>>> read();
}
