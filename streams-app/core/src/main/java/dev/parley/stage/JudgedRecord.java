package dev.parley.stage;

import dev.parley.avro.Inbound;
import dev.parley.avro.InboundFault;
import dev.parley.codec.Code;
import dev.parley.decode.RecordDecodeResult;
import java.util.Optional;

/**
 * An input record and its outcome, from the judge stage to the record stage. Immutable.
 *
 * @param chain key of the audit chain that records it
 * @param inbound the input record
 * @param outcome decision of the stages
 * @param released whether the record was parked before and this outcome is final
 */
public record JudgedRecord(String chain, Inbound inbound, Outcome outcome, boolean released) {

    static JudgedRecord of(String chain, Inbound inbound, Outcome outcome) {
        return new JudgedRecord(chain, inbound, outcome, false);
    }

    /** Creates an undecodable record, which belongs to the chain of its input partition. */
    public static JudgedRecord undecodable(Inbound inbound, RecordDecodeResult.Undecodable error) {
        return of(error.chain(inbound.getSource()).toString(), inbound, new Outcome.Undecodable(error));
    }

    /**
     * Creates a record from the decode error that the decode stage stored in it: it is undecodable, or represents
     * expired records.
     */
    public static JudgedRecord ofDecodeError(Inbound inbound, InboundFault stored) {
        Code code = Code.of(stored.getCode());
        RecordDecodeResult.Undecodable error = new RecordDecodeResult.Undecodable(
                stored.getProtocol(), stored.getNamespace(), code, stored.getPosition(), stored.getDetail());
        JudgedRecord undecodable = undecodable(inbound, error);
        return code == Code.INPUT_EXPIRED
                ? undecodable.with(new Outcome.Expired(stored.getUnread(), stored.getDetail()))
                : undecodable;
    }

    /** Whether it waits for its base and is not recorded yet. */
    public boolean isParked() {
        return outcome instanceof Outcome.Parked;
    }

    /** Returns the message if the dialogue rules accept it. */
    Optional<JudgedMessage> accepted() {
        return outcome instanceof Outcome.Accepted accepted ? Optional.of(accepted.judged()) : Optional.empty();
    }

    JudgedRecord with(Outcome other) {
        return new JudgedRecord(chain, inbound, other, released);
    }

    JudgedRecord release() {
        return new JudgedRecord(chain, inbound, outcome, true);
    }
}
