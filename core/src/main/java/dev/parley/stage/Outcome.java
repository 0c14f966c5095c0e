package dev.parley.stage;

import dev.parley.avro.Checkpoint;
import dev.parley.avro.Protocol;
import dev.parley.avro.Redaction;
import dev.parley.avro.Stage;
import dev.parley.avro.Verdict;
import dev.parley.codec.Code;
import dev.parley.codec.Excerpt;
import dev.parley.decode.RecordDecodeResult;
import dev.parley.dialogue.ConversationState;
import java.util.List;
import java.util.Optional;

/** What the stages decided about an input record. */
public sealed interface Outcome {

    /** The verdict that the audit trail records; UNSPECIFIED while the record is parked. */
    Verdict verdict();

    /** Why the record failed; empty if it did not, or is parked. */
    default Optional<Failure> failure() {
        return Optional.empty();
    }

    /** Code of the failure; null without one. */
    default Code code() {
        return failure().map(Failure::code).orElse(null);
    }

    /** Codes of the warnings, each once. */
    default List<Code> warnings() {
        return List.of();
    }

    /** The checkpoints that the message wrote, the one that it made last; empty if it made none. */
    default List<Checkpoint> checkpoints() {
        return List.of();
    }

    /** Citation of the rule that decided; null for records that are not messages. */
    default String rule() {
        return null;
    }

    /** Protocol of the record; UNKNOWN for records that are not messages. */
    default Protocol protocol() {
        return Protocol.UNKNOWN;
    }

    /** State of the conversation after the record; empty if the record does not change it. */
    default Optional<ConversationState> next() {
        return Optional.empty();
    }

    /**
     * Why a record failed.
     *
     * @param stage the stage that refused it
     * @param code the decode error or violation
     * @param detail a sentence; null when the code says all
     */
    record Failure(Stage stage, Code code, String detail) {
        /** Bounds the detail, which goes into records and headers. */
        public Failure {
            detail = Excerpt.detail(detail);
        }
    }

    /** The outcome of a message. */
    sealed interface OfMessage extends Outcome {

        /** The message with what the rules found. */
        JudgedMessage judged();

        @Override
        default List<Code> warnings() {
            return judged().warnings();
        }

        @Override
        default String rule() {
            return judged().rule();
        }

        @Override
        default Protocol protocol() {
            return judged().message().getProtocol();
        }

        @Override
        default Optional<ConversationState> next() {
            return Optional.of(judged().next());
        }
    }

    /** The message is legal. */
    record Accepted(JudgedMessage judged, List<Checkpoint> checkpoints) implements OfMessage {
        @Override
        public Verdict verdict() {
            return Verdict.ACCEPTED;
        }
    }

    /** The message is illegal, and passes because the mode is observe. */
    record Flagged(JudgedMessage judged, Failure violation) implements OfMessage {
        @Override
        public Verdict verdict() {
            return Verdict.FLAGGED;
        }

        @Override
        public Optional<Failure> failure() {
            return Optional.of(violation);
        }
    }

    /** The message is illegal. */
    record Rejected(JudgedMessage judged, Failure violation) implements OfMessage {
        @Override
        public Verdict verdict() {
            return Verdict.REJECTED;
        }

        @Override
        public Optional<Failure> failure() {
            return Optional.of(violation);
        }
    }

    /** The patch waits for its base; its verdict comes later. */
    record Parked(JudgedMessage judged) implements OfMessage {
        @Override
        public Verdict verdict() {
            return Verdict.UNSPECIFIED;
        }
    }

    /** The record cannot be decoded. */
    record Undecodable(RecordDecodeResult.Undecodable fault) implements Outcome {
        @Override
        public Verdict verdict() {
            return Verdict.UNDECODABLE;
        }

        @Override
        public Optional<Failure> failure() {
            return Optional.of(new Failure(Stage.DECODE, fault.code(), fault.detail()));
        }

        @Override
        public Protocol protocol() {
            return fault.protocol();
        }
    }

    /**
     * Records were deleted before they were read. It stands for records that never arrived, and is not one itself.
     *
     * @param offsets number of offsets that were deleted
     * @param detail a sentence
     */
    record Expired(long offsets, String detail) implements Outcome {
        @Override
        public Verdict verdict() {
            return Verdict.UNDECODABLE;
        }

        @Override
        public Optional<Failure> failure() {
            return Optional.of(new Failure(Stage.DECODE, Code.INPUT_EXPIRED, detail));
        }
    }

    /**
     * The request for redaction is recorded in the chain that it names.
     *
     * @param redaction the request
     * @param state state of the conversation after it
     */
    record Redacted(Redaction redaction, ConversationState state) implements Outcome {
        @Override
        public Verdict verdict() {
            return Verdict.ACCEPTED;
        }

        @Override
        public Optional<ConversationState> next() {
            return Optional.of(state);
        }
    }

    /**
     * The request for redaction cannot be right.
     *
     * @param detail why, without the texts of the request
     */
    record RedactionRefused(String detail) implements Outcome {
        @Override
        public Verdict verdict() {
            return Verdict.REJECTED;
        }

        @Override
        public Optional<Failure> failure() {
            return Optional.of(new Failure(Stage.DIALOGUE, Code.REDACTION_REFUSED, detail));
        }
    }
}
