package dev.parley.audit;

/**
 * Something that is wrong with an audit trail, and where.
 *
 * @param code what
 * @param place where it was found
 * @param chain the chain; empty when it is about no chain
 * @param sequence the sequence in the chain; -1 when it is about no record
 * @param detail a sentence
 */
public record Fault(FaultCode code, Place place, String chain, long sequence, String detail) {

    static Fault of(FaultCode code, Place place, String chain, long sequence) {
        return new Fault(code, place, chain, sequence, code.meaning());
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(code.name());
        if (!place.equals(Place.NONE)) {
            text.append(" at ").append(place);
        }
        if (!chain.isEmpty()) {
            text.append(", chain ").append(chain);
        }
        if (sequence >= 0) {
            text.append(", sequence ").append(sequence);
        }
        return text.append(": ").append(detail).toString();
    }
}
