package dev.parley.topology.analytics;

import java.time.Instant;
import org.apache.avro.specific.SpecificRecord;

/**
 * The dimensions of one row of an analytics topic. Equal dimensions are counted together. The counts of a row are an
 * array of a fixed length for each kind, and {@link CountKind#merge} merges those of the same dimensions.
 */
sealed interface Dimensions
        permits TrafficDimensions,
                ViolationDimensions,
                EdgeDimensions,
                TurnaroundDimensions,
                PatchDimensions,
                DefinitionDimensions {

    /** Replaces the names that agents choose, in rows beyond the maximum number of a minute. */
    String OTHER = "(other)";

    /** Returns these dimensions as one string, which {@link CountKind#dimensions} reads. */
    String toKey();

    /** Returns the dimensions that count what exceeds the maximum: each name that agents choose is {@link #OTHER}. */
    Dimensions other();

    /**
     * Returns the row of these dimensions.
     *
     * @param start start of its minute
     * @param counts its counts
     * @param late whether they belong to earlier minutes
     */
    SpecificRecord row(Instant start, long[] counts, boolean late);
}
