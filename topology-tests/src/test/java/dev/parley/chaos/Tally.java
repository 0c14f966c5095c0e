package dev.parley.chaos;

import dev.parley.avro.Accounting;

/**
 * Outcomes of the records of one input partition.
 *
 * @param inputs records
 * @param accepted records recorded as ACCEPTED
 * @param rejected records recorded as REJECTED
 * @param flagged records recorded as FLAGGED
 * @param undecodable records recorded as UNDECODABLE
 * @param parked records not recorded yet
 */
record Tally(long inputs, long accepted, long rejected, long flagged, long undecodable, long parked) {
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

    /** Whether the accounting equation holds. */
    boolean balances() {
        return inputs == accepted + rejected + flagged + undecodable + parked;
    }
}
