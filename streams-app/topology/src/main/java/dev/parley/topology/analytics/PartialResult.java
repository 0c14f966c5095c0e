package dev.parley.topology.analytics;

import dev.parley.avro.OpenItem;

/** A record that {@link PartialCountProcessor} forwards. */
public sealed interface PartialResult {

    /** Counts of the dimensions in the key, for the repartition. */
    record Counts(long[] numbers) implements PartialResult {}

    /**
     * A row of the topic of open items.
     *
     * @param row null for a tombstone
     */
    record Item(OpenItem row) implements PartialResult {}
}
