package dev.parley.json.model;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;

/**
 * A result that was read from standbys.
 *
 * @param result the result, whose keys are keys of this object
 */
public record Stale(@JsonUnwrapped Object result, Staleness staleness) {

    /**
     * The lag of the standbys.
     *
     * @param records total lag, in changes
     */
    public record Staleness(long records, List<Partition> partitions) {}

    /**
     * The lag of one standby.
     *
     * @param records lag, in changes
     */
    public record Partition(int partition, long records) {}
}
