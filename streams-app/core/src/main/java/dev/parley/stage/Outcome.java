package dev.parley.stage;

import dev.parley.avro.Checkpoint;
import dev.parley.avro.Protocol;
import dev.parley.avro.Redaction;
import dev.parley.avro.Stage;
import dev.parley.avro.Verdict;
import dev.parley.codec.Code;
import dev.parley.codec.Excerpt;
import dev.parley.codec.Symbols;
import dev.parley.decode.RecordDecodeResult;
import dev.parley.dialogue.ConversationState;
import java.util.List;
import java.util.Optional;

/** Decision of the stages on an input record. */
public sealed interface Outcome {

    /** Verdict in the audit trail; UNSPECIFIED while the record is parked. */
    Verdict verdict();

    /** The failure; empty for an accepted or parked record. */
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

    /** Checkpoints that the message wrote, its own last; empty if it made none. */
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
     * Failure of a record.
     *
     * @param stage the stage that rejected it
     * @param code decode error or violation
     * @param detail a sentence; null if the code suffices
     */
    record Failure(Stage stage, Code code, String detail) {
        /** Truncates the detail, which becomes part of records and headers. */
        public Failure {
            detail = Excerpt.detail(detail);
        }
    }

    /** The outcome of a message. */
    sealed interface OfMessage extends Outcome {

        /** The message with the result of the rules. */
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
            return Symbols.PROTOCOL.of(judged().message().getProtocol());
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

    /** The outcome of an illegal message. */
    sealed interface OfIllegalMessage extends OfMessage {
        Failure violation();

        @Override
        default Optional<Failure> failure() {
            return Optional.of(violation());
        }
    }

    /** The message is illegal, but passes in mode observe. */
    record Flagged(JudgedMessage judged, Failure violation) implements OfIllegalMessage {
        @Override
        public Verdict verdict() {
            return Verdict.FLAGGED;
        }
    }

    /** The message is illegal. */
    record Rejected(JudgedMessage judged, Failure violation) implements OfIllegalMessage {
        @Override
        public Verdict verdict() {
            return Verdict.REJECTED;
        }
    }

    /** The patch waits for its base; its verdict follows later. */
    record Parked(JudgedMessage judged) implements OfMessage {
        @Override
        public Verdict verdict() {
            return Verdict.UNSPECIFIED;
        }
    }

    /** The record cannot be decoded, or it is not allowed in its topic. */
    record Undecodable(RecordDecodeResult.Undecodable error) implements Outcome {
        @Override
        public Verdict verdict() {
            return Verdict.UNDECODABLE;
        }

        @Override
        public Optional<Failure> failure() {
            return Optional.of(new Failure(Stage.DECODE, error.code(), error.detail()));
        }

        @Override
        public Protocol protocol() {
            return error.protocol();
        }
    }

    /**
     * Records were deleted before they were read. It represents those records and is not one itself.
     *
     * @param offsets number of deleted offsets
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
     * A redaction request is recorded in the chain that it names.
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
     * A redaction request is rejected.
     *
     * @param detail the reason, without texts of the request
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
