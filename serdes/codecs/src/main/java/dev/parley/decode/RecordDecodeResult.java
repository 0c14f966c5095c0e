package dev.parley.decode;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.Claims;
import dev.parley.avro.CspMessage;
import dev.parley.avro.InnerMessage;
import dev.parley.avro.McpMessage;
import dev.parley.avro.Protocol;
import dev.parley.avro.Reference;
import dev.parley.avro.SlipMessage;
import dev.parley.avro.Source;
import dev.parley.avro.SubitMessage;
import dev.parley.codec.Code;
import dev.parley.codec.Decimal;
import dev.parley.codec.DecodeResult;
import dev.parley.codec.Excerpt;
import dev.parley.codec.TraceContext;
import dev.parley.codec.Traits;
import dev.parley.codec.Warnings;
import dev.parley.codec.csp.CspCodec;
import dev.parley.codec.slip.SlipCodec;
import dev.parley.codec.subit.SubitCodec;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.apache.avro.specific.SpecificRecord;

/** Result of decoding one record. */
public sealed interface RecordDecodeResult {

    /** Applies the function of the case that this is, and returns its result. */
    <R> R map(Function<Message, R> message, Function<Undecodable, R> error);

    /**
     * The record is a message: its conversation and its sender are known, and {@link #message} puts it into its
     * envelope. Not thread-safe.
     */
    final class Message implements RecordDecodeResult {
        private final WireRecord record;
        private final ConversationKey conversation;
        private final WireProtocol<?> protocol;
        private final DecodeResult.Decoded<? extends SpecificRecord> decoded;
        private final Traits traits;
        private final String claimedSender;
        private final Expectation expectation;
        private final Diagnosis diagnosis;
        private final MessageDigest sha256;
        private AgentMessage envelope;

        /**
         * Creates a message.
         *
         * @param conversation the conversation that the message or else its record names
         * @param traits properties of the decoded message
         * @param claimedSender the sender that the header names; null without the header
         * @param expectation condition under which the message is applied
         * @param diagnosis names the cause of a warning
         * @param sha256 computes the hash of the value
         */
        <M extends SpecificRecord> Message(
                WireRecord record,
                ConversationKey conversation,
                WireProtocol<M> protocol,
                DecodeResult.Decoded<M> decoded,
                Traits traits,
                String claimedSender,
                Expectation expectation,
                Diagnosis diagnosis,
                MessageDigest sha256) {
            this.record = record;
            this.conversation = conversation;
            this.protocol = protocol;
            this.decoded = decoded;
            this.traits = traits;
            this.claimedSender = claimedSender;
            this.expectation = expectation;
            this.diagnosis = diagnosis;
            this.sha256 = sha256;
        }

        public ConversationKey conversation() {
            return conversation;
        }

        /** The sender that the message names, else the header, else a transcript's label; null without any. */
        public String sender() {
            if (traits.sender() != null) {
                return traits.sender();
            }
            return claimedSender != null ? claimedSender : traits.senderHint();
        }

        /** Condition of its record under which the message is applied. */
        public Expectation expectation() {
            return expectation;
        }

        /** Whether header and message, or header and label, name different senders. */
        private boolean hasOtherSender() {
            String named = traits.sender() == null ? traits.senderHint() : traits.sender();
            return claimedSender != null && named != null && !claimedSender.equals(named);
        }

        /**
         * Names the cause of the decoder's warnings, if the codes do not suffice.
         *
         * @return sentences; null if there is none
         */
        public String remark() {
            String sender = hasOtherSender() && !(decoded.message() instanceof McpMessage) ? senderRemark() : "";
            String form = "";
            if (decoded.warnings().contains(Code.LAMBDA_UNLIKELY)
                    && decoded.violations().isEmpty()) {
                form = diagnosis.doubt(record.value());
            } else if (hasDecimalKey()) {
                form = "The record key is " + key() + ", but c" + key() + " is base62: conversation "
                        + conversation.conversation() + '.';
            } else if (decoded.message() instanceof SubitMessage subit) {
                form = SubitCodec.misplacedKeys(subit);
            } else if (decoded.message() instanceof CspMessage csp) {
                form = CspCodec.remark(csp, decoded.warnings());
            }
            String remark = (sender + ' ' + form).strip();
            return remark.isEmpty() ? null : remark;
        }

        private String senderRemark() {
            String other = traits.sender() == null
                    ? "', which counts; the label names '" + Excerpt.of(traits.senderHint())
                    : "', but the message names '" + Excerpt.of(traits.sender());
            String remark = "The header parley-sender names '" + Excerpt.of(claimedSender) + other + "'.";
            long number = claimedSender.length() > 1 ? Decimal.parse(claimedSender, Long.MAX_VALUE) : Decimal.NONE;
            return protocol == WireProtocols.SLIP && number != Decimal.NONE
                    ? remark + " Numbers are base62: agent " + claimedSender + " is S" + SlipCodec.digits(number) + '.'
                    : remark;
        }

        /** Whether the record key is the conversation as on the wire of nSLIP, in digits that are also decimal. */
        private boolean hasDecimalKey() {
            byte[] key = record.key();
            return key != null
                    && key.length > 1
                    && decoded.message() instanceof SlipMessage slip
                    && SlipCodec.number(key, 0, key.length) == slip.getConversation()
                    && Decimal.parse(key, 0, key.length, Long.MAX_VALUE) != Decimal.NONE;
        }

        private String key() {
            return new String(record.key(), US_ASCII);
        }

        /** Codes of accepted deviations, each once, in the order of detection. */
        public List<Code> warnings() {
            boolean mismatch = traits.sender() != null && hasOtherSender();
            List<Code> warnings =
                    Warnings.union(decoded.warnings(), mismatch ? List.of(Code.SENDER_MISMATCH) : List.of());
            return Warnings.union(warnings, hasDecimalKey() ? List.of(Code.SLIP_DECIMAL) : List.of());
        }

        /** Codes that make the message illegal in every dialogue state. */
        public List<Code> violations() {
            return decoded.violations();
        }

        /**
         * The message in its envelope, which hashes the value when it is first called. The envelope keeps the value as
         * {@code raw}, so the array must not change afterwards.
         */
        public AgentMessage message() {
            if (envelope == null) {
                envelope = inEnvelope();
            }
            return envelope;
        }

        private AgentMessage inEnvelope() {
            Source source = record.source();
            AgentMessage message = new AgentMessage();
            message.setMessageId(source.getTopic() + "-" + source.getPartition() + "-" + source.getOffset());
            message.setNamespace(conversation.namespace());
            message.setConversation(conversation.conversation());
            message.setSender(sender());
            message.setRecipients(traits.recipients());
            message.setPerformative(traits.performative().name());
            message.setReplyTo(traits.replyTo());
            message.setReferences(references());
            message.setSource(source);
            message.setRaw(ByteBuffer.wrap(record.value()));
            message.setSha256(ByteBuffer.wrap(sha256.digest(record.value())));
            protocol.putDecoded(message, decoded.message());
            return message;
        }

        /** The names in the message, after its trace: the one that it names, else that of the header. */
        private List<Reference> references() {
            List<Reference> references = traits.references();
            boolean hasTrace =
                    !references.isEmpty() && references.get(0).getKind().equals(TraceContext.REFERENCE);
            String trace = hasTrace ? null : TraceContext.traceId(record.headers());
            if (trace == null) {
                return references;
            }
            List<Reference> all = new ArrayList<>(references.size() + 1);
            all.add(new Reference(TraceContext.REFERENCE, trace));
            all.addAll(references);
            return all;
        }

        @Override
        public <R> R map(Function<Message, R> message, Function<Undecodable, R> error) {
            return message.apply(this);
        }
    }

    /**
     * The record is not a message.
     *
     * @param claims what the record claims to be; null if it was not read
     * @param code the decode error
     * @param position 0-based byte offset in the value
     * @param detail a sentence for the author of the message
     * @param inner complete messages inside the value, in the order of their bytes
     */
    record Undecodable(Claims claims, Code code, int position, String detail, List<InnerMessage> inner)
            implements RecordDecodeResult {
        /** Truncates the detail. */
        public Undecodable {
            detail = Excerpt.detail(detail);
            inner = List.copyOf(inner);
        }

        /** The attempted protocol; UNKNOWN if none was detected, or the record was refused before detection. */
        public Protocol protocol() {
            return claims == null ? Protocol.UNKNOWN : ConversationKey.symbolOf(claims.getProtocol());
        }

        /** Creates the error of a record without inner messages. */
        public Undecodable(Claims claims, Code code, int position, String detail) {
            this(claims, code, position, detail, List.of());
        }

        /** Returns this error with other claims. */
        public Undecodable withClaims(Claims other) {
            return new Undecodable(other, code, position, detail, inner);
        }

        @Override
        public <R> R map(Function<Message, R> message, Function<Undecodable, R> error) {
            return error.apply(this);
        }
    }
}
