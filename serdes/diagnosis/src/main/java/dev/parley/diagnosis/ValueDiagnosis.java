package dev.parley.diagnosis;

import dev.parley.avro.CspMessage;
import dev.parley.avro.InnerMessage;
import dev.parley.avro.Protocol;
import dev.parley.codec.Ascii;
import dev.parley.codec.Code;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult;
import dev.parley.codec.DecodeResult.Decoded;
import dev.parley.codec.DecodeResult.Malformed;
import dev.parley.codec.Placeholder;
import dev.parley.codec.lambda.Alphabet;
import dev.parley.codec.lambda.LambdaDetection;
import dev.parley.decode.ClaimedNames;
import dev.parley.decode.DecodeFailure;
import dev.parley.decode.Diagnosis;
import dev.parley.decode.MessageDecoder;
import dev.parley.decode.WireProtocol;
import dev.parley.decode.WireProtocols;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Explains why a value is not one message. Complete messages inside it are the best reason; then the decode error of
 * the protocol that was named, or that it is or resembles. Only the first {@value #MAX_DIAGNOSED} bytes are diagnosed.
 */
public final class ValueDiagnosis implements Diagnosis {
    /** Maximum bytes of a value that are diagnosed. A larger one may be a few bytes of a compressed batch. */
    static final int MAX_DIAGNOSED = 1 << 17;

    private static final int MAX_LISTED = 4;
    private static final String SENDER = "; the label names no agent, so the header parley-sender must name the sender";
    private static final String UNFINISHED = "; the value was not searched to its end";
    /** The near misses of Λ that are no messages, even if their text can be read as one. */
    private static final Set<String> REFUSED = Set.of(LambdaDetection.TRUST, Placeholder.DETAIL);

    private final WireProtocols protocols;
    private final DecodeOptions options;

    /**
     * A diagnosis.
     *
     * @param protocols the protocols of messages inside other text
     * @param options strictness and limits of their decoders
     */
    public ValueDiagnosis(WireProtocols protocols, DecodeOptions options) {
        this.protocols = protocols;
        this.options = options;
    }

    /** A decoder of Parley's four protocols that explains its errors. */
    public static MessageDecoder decoder(DecodeOptions options, Map<String, WireProtocol<?>> topicProtocols) {
        return decoder(options, WireProtocols.STANDARD, topicProtocols);
    }

    /**
     * A decoder that explains its errors.
     *
     * @param options strictness and limits
     * @param protocols the protocols that it reads
     * @param topicProtocols protocols of the input topics that have one
     */
    public static MessageDecoder decoder(
            DecodeOptions options, WireProtocols protocols, Map<String, WireProtocol<?>> topicProtocols) {
        return new MessageDecoder(options, protocols, topicProtocols, new ValueDiagnosis(protocols, options));
    }

    @Override
    public WireProtocol<?> attempted(byte[] value) {
        return attempted(value, protocols);
    }

    /** What is diagnosed of a value. */
    static byte[] beginning(byte[] value) {
        return value.length > MAX_DIAGNOSED ? Arrays.copyOf(value, MAX_DIAGNOSED) : value;
    }

    /** The first protocol that bytes resemble; null if they resemble none. */
    static WireProtocol<?> attempted(byte[] wire, WireProtocols protocols) {
        byte[] value = beginning(wire);
        int from = WireProtocols.start(value);
        for (int i = 0; i < protocols.all().size() && from < value.length; i++) {
            if (NearMisses.of(protocols.all().get(i)).resembles(value, from)) {
                return protocols.all().get(i);
            }
        }
        return inForeignSpelling(value, from, protocols);
    }

    /** The protocol of a message whose characters are not all in ASCII; null for any other text. */
    private static WireProtocol<?> inForeignSpelling(byte[] value, int from, WireProtocols protocols) {
        if (ForeignSpelling.find(value, from) == value.length) {
            return null;
        }
        byte[] ascii = ForeignSpelling.inAscii(value, from);
        WireProtocol<?> evident = protocols.evident(ascii);
        // The table of Λ has a row for them, which also tests for a symbol that joins words.
        return evident != null && evident != WireProtocols.LAMBDA && ForeignSpelling.isMessage(ascii, evident)
                ? evident
                : null;
    }

    /**
     * The protocol that the bytes alone indicate: the first whose structure and vocabulary they have, or else the first
     * that they resemble, so that its decode error explains them.
     *
     * @param value a message; not changed
     * @return null if they indicate none
     */
    public static WireProtocol<?> detect(byte[] value, WireProtocols protocols) {
        WireProtocol<?> evident = protocols.evident(value);
        return evident == null ? attempted(value, protocols) : evident;
    }

    /** The near misses of a protocol: a text in the form of each, with its decode error. */
    public static Map<String, Malformed<?>> nearMisses(WireProtocol<?> protocol) {
        Map<String, Malformed<?>> errors = new LinkedHashMap<>();
        for (String example : NearMisses.of(protocol).examples()) {
            byte[] wire = example.getBytes(StandardCharsets.UTF_8);
            Malformed<?> error = protocol.codec().decode(wire, DecodeOptions.LENIENT) instanceof Malformed<?> malformed
                    ? explain(wire, protocol.symbol(), malformed)
                    : NearMisses.of(protocol).nearMiss(wire, 0);
            errors.put(example, error);
        }
        return errors;
    }

    /**
     * The decode error of a message with its cause.
     *
     * @param protocol symbol of the protocol whose codec reported the error
     * @return the same error if the cause is unknown
     */
    public static Malformed<?> explain(byte[] wire, Protocol protocol, Malformed<?> error) {
        Malformed<?> cause =
                error.offset() >= MAX_DIAGNOSED ? null : NearMisses.of(protocol).cause(beginning(wire), error);
        return cause == null ? error : cause;
    }

    @Override
    public ClaimedNames claimedNames(WireProtocol<?> protocol, byte[] value) {
        return NearMisses.of(protocol).claimedNames(value);
    }

    @Override
    public DecodeFailure failure(
            byte[] value, WireProtocol<?> protocol, boolean named, boolean hasSender, DecodeResult<?> result) {
        if (protocol == null) {
            return undetected(value);
        }
        if (result instanceof Malformed<?> error) {
            // Only the headers can be wrong, because a record without a body may be a message.
            return WireProtocols.start(value) == value.length
                    ? new DecodeFailure(protocol, error.code(), error.offset(), error.detail())
                    : refused(value, protocol, named, explain(value, protocol.symbol(), error));
        }
        int heading = hasSender || protocol != WireProtocols.LAMBDA ? -1 : headingEnd(value);
        int start = Ascii.skipSpaces(value, heading + 1);
        Decoded<?> decoded = (Decoded<?>) result;
        if (heading < 0 || InnerMessages.isBracketed(decoded) || !LambdaDetection.isMessage(value, start)) {
            return accepted(value, protocol, named, decoded);
        }
        int end = Ascii.trimEnd(value, start, value.length);
        return ofInner(value, List.of(new InnerMessage(protocol.name(), start, end)), true);
    }

    private static int headingEnd(byte[] value) {
        return Alphabet.headingEnd(value, WireProtocols.start(value));
    }

    /** The failure of a value in which no protocol was detected, and for which none was named. */
    private DecodeFailure undetected(byte[] value) {
        InnerMessages messages = InnerMessages.in(value, protocols, options, true);
        if (!messages.found().isEmpty()) {
            return ofInner(value, messages.found(), messages.isFinished());
        }
        return messages.attempt() == null
                ? unknown(value, messages.isFinished())
                : ofAttempt(messages.attempt(), messages.isFinished());
    }

    private static DecodeFailure ofAttempt(InnerAttempt attempt, boolean isSearched) {
        return new DecodeFailure(
                attempt.protocol(),
                attempt.error().code(),
                attempt.offset(),
                attempt.detail() + (isSearched ? "" : " The value was not searched to its end."),
                List.of(),
                attempt.text());
    }

    private DecodeFailure unknown(byte[] value, boolean isSearched) {
        String foreign = ForeignFormat.detail(value);
        String detail = foreign == null
                ? "the bytes have the structure of no protocol; send one message alone, such as @a3|f0|c1|S0|d1|T1#,"
                        + " !Ik/co, a JSON object with type and payload, or lines after CSP/1; or name the protocol by"
                        + " header parley-protocol or the topic"
                : foreign + "; protocols are " + protocols.names();
        detail += isSearched ? "" : UNFINISHED;
        return new DecodeFailure(null, Code.UNKNOWN_PROTOCOL, 0, detail);
    }

    /**
     * The failure of a value that a codec decoded, but that is not a message on the evidence of its bytes, or not one;
     * null if the value is one message.
     */
    private DecodeFailure accepted(byte[] value, WireProtocol<?> protocol, boolean named, Decoded<?> decoded) {
        if (decoded.warnings().contains(Code.LAMBDA_UNLIKELY)) {
            // A header of the message names its protocol, too.
            if (named || protocol.codec().detects(value, WireProtocols.start(value))) {
                return unlikely(value, protocol);
            }
            Malformed<?> nearly = NearMisses.of(protocol).nearMiss(value, WireProtocols.start(value));
            return nearly == null ? undetected(value) : refused(value, protocol, false, nearly);
        }
        int line = ForeignLines.inDecoded(value, protocol, decoded, protocols);
        if (line < 0) {
            return decoded.message() instanceof CspMessage ? beforeToken(value, protocol) : null;
        }
        InnerMessages messages = InnerMessages.in(value, protocols, options, false);
        if (messages.found().size() > 1) {
            return ofInner(value, messages.found(), messages.isFinished());
        }
        // DATA may have any content except a complete message.
        return !ForeignLines.continues(decoded)
                ? null
                : new DecodeFailure(
                        protocol,
                        Code.CSP_MULTIPLE_BODIES,
                        line,
                        "This line starts a message of "
                                + ForeignLines.starting(value, line, protocols).name()
                                + ". Send each message in a record of its own; indent a line that belongs to a value.");
    }

    /** The failure of a message before the end token of a chat; null without one. */
    private DecodeFailure beforeToken(byte[] value, WireProtocol<?> protocol) {
        int start = WireProtocols.start(value);
        int end = CspEndTokens.messageEnd(value);
        return end > start
                        && protocol.codec().decode(Arrays.copyOfRange(value, start, end), options) instanceof Decoded<?>
                ? ofInner(value, List.of(new InnerMessage(protocol.name(), start, end)), true)
                : null;
    }

    /** The failure of an acknowledgment and a remark, such as "<+ (I agree)"; null for any other text. */
    private DecodeFailure acknowledgment(byte[] value) {
        int start = WireProtocols.start(value);
        int heading = headingEnd(value);
        int at = heading < 0 ? start : Ascii.skipSpaces(value, heading + 1);
        int end = LambdaDetection.remarkStart(value, at, value.length);
        return at < end && value[at] == '<' && LambdaDetection.isMessage(Arrays.copyOf(value, end), at)
                ? ofInner(value, List.of(new InnerMessage(WireProtocols.LAMBDA.name(), at, end)), true)
                : null;
    }

    /** The failure of a text that Λ can read, but that contains or is another message; null if it does not. */
    private DecodeFailure unlikely(byte[] value, WireProtocol<?> named) {
        InnerMessages messages = InnerMessages.in(value, protocols, options, false);
        List<InnerMessage> inner = messages.found();
        if (inner.isEmpty()) {
            Malformed<?> nearly = NearMisses.LAMBDA.nearMiss(value, WireProtocols.start(value));
            // With only a warning, a private message would not be masked.
            if (nearly != null && REFUSED.contains(nearly.detail())) {
                return new DecodeFailure(named, nearly.code(), nearly.offset(), nearly.detail());
            }
            int mark = messages.privateMark();
            return mark < 0
                    ? acknowledgment(value)
                    : new DecodeFailure(named, Code.LAMBDA_MALFORMED, mark, LambdaDetection.TRUST);
        }
        return isWhole(value, inner.get(0))
                ? ofOther(inner.get(0), named, Code.LAMBDA_MALFORMED, WireProtocols.start(value))
                : ofInner(value, messages.found(), messages.isFinished());
    }

    @Override
    public String doubt(byte[] value) {
        int start = WireProtocols.start(value);
        Malformed<?> nearly = NearMisses.LAMBDA.nearMiss(value, start);
        if (nearly != null) {
            return "Byte " + nearly.offset() + ": " + nearly.detail();
        }
        String foreign = ForeignFormat.detail(value);
        return foreign == null ? "The value has no structure of Λ, such as !Ik/co." : "Perhaps " + foreign + '.';
    }

    /** The failure of a value that a codec refused. */
    private DecodeFailure refused(byte[] value, WireProtocol<?> attempted, boolean named, Malformed<?> error) {
        if (!named && ForeignFormat.isCloudEvent(value)) {
            return undetected(value);
        }
        int first = WireProtocols.start(value);
        boolean isDetected = attempted.codec().detects(value, first);
        InnerMessages messages = InnerMessages.in(value, protocols, options, !isDetected);
        List<InnerMessage> inner = messages.found();
        // What starts as a message of the protocol is that message, and its error counts, unless it is complete.
        boolean started = isDetected || isOnLine(value, first, attempted, inner);
        if (inner.isEmpty() || (started && inner.get(0).getStart() != first)) {
            // The keys of an object may be those of another one inside it.
            boolean isAttempt = value[first] != '{'
                    && (NearMisses.of(attempted).resembles(value, first)
                            || inForeignSpelling(value, first, protocols) == attempted);
            InnerAttempt attempt = started || isAttempt ? null : messages.attempt();
            if (attempt != null && attempt.protocol() == attempted && attempt.start() > first) {
                return ofAttempt(attempt, messages.isFinished());
            }
            String evidence = named ? evidence(value, attempted) : "";
            return new DecodeFailure(attempted, error.code(), error.offset(), error.detail() + evidence);
        }
        InnerMessage whole = inner.get(0);
        return isWhole(value, whole)
                ? ofOther(whole, attempted, error.code(), error.offset())
                : ofInner(value, messages.found(), messages.isFinished());
    }

    private static boolean isWhole(byte[] value, InnerMessage inner) {
        return inner.getStart() == WireProtocols.start(value)
                && Ascii.skipSpaces(value, inner.getEnd()) == value.length
                && InnerMessages.encoding(value, inner) == null;
    }

    /** The failure of a value that is one message of another protocol than the named one. */
    private static DecodeFailure ofOther(InnerMessage message, WireProtocol<?> named, Code code, int offset) {
        return new DecodeFailure(
                named,
                code,
                offset,
                "the value is a message of " + message.getProtocol() + ", but the header or topic names "
                        + named.name());
    }

    /** Whether a value resembles a message, and only the rest of its first line is one, without its prefix or quote. */
    private static boolean isOnLine(byte[] value, int first, WireProtocol<?> attempted, List<InnerMessage> inner) {
        int start = inner.size() == 1 ? inner.get(0).getStart() : 0;
        return inner.size() == 1
                && (value[first] != '{' || value[start] != '{')
                && inner.get(0).getProtocol().equals(attempted.name())
                && NearMisses.of(attempted).resembles(value, first)
                && (start == 0 || value[start - 1] != '`')
                && Ascii.afterLine(value, first) > start;
    }

    /** A sentence about what a value is rather than a message of the named protocol; empty if that is unknown. */
    private String evidence(byte[] value, WireProtocol<?> attempted) {
        int first = WireProtocols.start(value);
        if (attempted.codec().detects(value, first) || NearMisses.of(attempted).resembles(value, first)) {
            return "";
        }
        WireProtocol<?> other = detect(value, protocols);
        if (other != null) {
            return " The value looks like a message of " + other.name() + ", but the header or topic names "
                    + attempted.name() + '.';
        }
        String foreign = ForeignFormat.detail(value);
        return foreign == null ? "" : " Perhaps " + foreign + '.';
    }

    private DecodeFailure ofInner(byte[] value, List<InnerMessage> inner, boolean isSearched) {
        InnerMessage first = inner.get(0);
        int start = WireProtocols.start(value);
        int offset = start;
        Encoding encoding = InnerMessages.encoding(value, first);
        if (first.getStart() == start && encoding == null) {
            offset = Ascii.skipSpaces(value, first.getEnd());
        }
        // The rest of a value that was not searched may have further messages, which redriving one would lose.
        boolean several = inner.size() > 1 || !isSearched;
        StringBuilder detail = new StringBuilder(inner.size() > 1 ? "messages are" : "a message is");
        for (int i = 0; i < Math.min(inner.size(), MAX_LISTED); i++) {
            InnerMessage message = inner.get(i);
            detail.append(i == 0 ? " in bytes " : ", ")
                    .append(message.getStart())
                    .append(" to ")
                    .append(message.getEnd() - 1)
                    .append(" (")
                    .append(message.getProtocol())
                    .append(')');
            Encoding form = InnerMessages.encoding(value, message);
            if (form != null) {
                detail.insert(detail.length() - 1, ", in " + form.label());
            }
        }
        detail.append(inner.size() > MAX_LISTED ? ", and more" : "")
                .append(isSearched ? "" : UNFINISHED)
                .append(several ? "; send each in a record of its own" : remedy(encoding))
                .append(first.getProtocol().equals(WireProtocols.LAMBDA.name()) && headingEnd(value) > 0 ? SENDER : "");
        String binary = BinaryFormat.detail(value);
        detail.append(binary == null ? "" : "; " + binary);
        return new DecodeFailure(
                protocols.named(first.getProtocol().toLowerCase(Locale.ROOT)),
                several ? Code.SEVERAL_MESSAGES : Code.WRAPPED_MESSAGE,
                offset,
                detail.toString(),
                inner,
                InnerMessages.bytes(value, first));
    }

    private static String remedy(Encoding encoding) {
        return encoding == null ? "; send only these bytes" : "; send only its text, in UTF-8 without that encoding";
    }
}
