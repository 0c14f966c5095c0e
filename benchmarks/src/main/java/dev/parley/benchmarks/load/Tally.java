package dev.parley.benchmarks.load;

import dev.parley.avro.Accounting;

/**
 * What came in from one input partition, and what became of it.
 *
 * @param inputs records
 * @param accepted of these recorded as ACCEPTED
 * @param rejected as REJECTED
 * @param flagged as FLAGGED
 * @param undecodable as UNDECODABLE
 * @param parked not recorded as yet
 */
public record Tally(long inputs, long accepted, long rejected, long flagged, long undecodable, long parked) {
    static final Tally NOTHING = new Tally(0, 0, 0, 0, 0, 0);

    static Tally of(Accounting counted) {
        return new Tally(
                counted.getInputs(),
                counted.getAccepted(),
                counted.getRejected(),
                counted.getFlagged(),
                counted.getUndecodable(),
                counted.getParked());
    }

    Tally plus(Tally other) {
        return new Tally(
                inputs + other.inputs,
                accepted + other.accepted,
                rejected + other.rejected,
                flagged + other.flagged,
                undecodable + other.undecodable,
                parked + other.parked);
    }

    /** The equation of the accounting. */
    public boolean balances() {
        return inputs == accepted + rejected + flagged + undecodable + parked;
    }
}
