package dev.parley.stage;

import dev.parley.avro.Inbound;
import dev.parley.avro.InboundFault;
import dev.parley.codec.Code;
import dev.parley.decode.RecordDecodeResult;
import java.util.Optional;

/**
 * An input record and its outcome, on its way from judge to record. Immutable: each stage passes on another one.
 *
 * @param chain key of the audit chain that records it
 * @param inbound the input record
 * @param outcome what the stages decided
 * @param released whether the record was parked before and this outcome is final
 */
public record JudgedRecord(String chain, Inbound inbound, Outcome outcome, boolean released) {

    static JudgedRecord of(String chain, Inbound inbound, Outcome outcome) {
        return new JudgedRecord(chain, inbound, outcome, false);
    }

    /** A record that cannot be decoded: it belongs to the chain of its input partition. */
    public static JudgedRecord undecodable(Inbound inbound, RecordDecodeResult.Undecodable fault) {
        return of(fault.chain(inbound.getSource()).toString(), inbound, new Outcome.Undecodable(fault));
    }

    /**
     * A record that carries the fault that an earlier stage found: it cannot be decoded, or stands for expired records.
     */
    public static JudgedRecord faulty(Inbound inbound, InboundFault carried) {
        Code code = Code.of(carried.getCode());
        RecordDecodeResult.Undecodable fault = new RecordDecodeResult.Undecodable(
                carried.getProtocol(), carried.getNamespace(), code, carried.getPosition(), carried.getDetail());
        JudgedRecord undecodable = undecodable(inbound, fault);
        return code == Code.INPUT_EXPIRED
                ? undecodable.with(new Outcome.Expired(carried.getUnread(), carried.getDetail()))
                : undecodable;
    }

    /** Whether it waits for its base and nothing is recorded yet. */
    public boolean isParked() {
        return outcome instanceof Outcome.Parked;
    }

    /** The message, if the dialogue rules accept it. */
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
