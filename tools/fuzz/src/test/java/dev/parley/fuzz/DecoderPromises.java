package dev.parley.fuzz;

import static dev.parley.fuzz.Promise.require;
import static dev.parley.fuzz.Promise.requireEqual;
import static dev.parley.fuzz.Promise.requireSentence;

import dev.parley.avro.Profile;
import dev.parley.avro.Protocol;
import dev.parley.avro.Reference;
import dev.parley.codec.Code;
import dev.parley.codec.Code.Kind;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult;
import dev.parley.codec.DecodeResult.Decoded;
import dev.parley.codec.DecodeResult.Malformed;
import dev.parley.codec.Limits;
import dev.parley.codec.Traits;
import dev.parley.codec.WireCodec;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.avro.specific.SpecificRecord;

/**
 * Properties of a decoder for any bytes: a result, never an exception; an error with an offset, or a message that
 * encodes without loss; and profiles and limits that only refuse more.
 *
 * @param <M> the generated record of the protocol
 */
final class DecoderPromises<M extends SpecificRecord> {
    private final WireCodec<M> codec;
    private final UnaryOperator<M> canonicalPart;
    private final AvroForm<M> avro;
    private final Allocation allocation = Allocation.ofDecoders();

    /** Checks a codec whose canonical form contains the whole message. */
    DecoderPromises(WireCodec<M> codec, Class<M> type) {
        this(codec, type, message -> message);
    }

    /**
     * Checks a codec.
     *
     * @param canonicalPart returns the part of a message that its canonical form contains
     */
    DecoderPromises(WireCodec<M> codec, Class<M> type, UnaryOperator<M> canonicalPart) {
        this.codec = codec;
        this.canonicalPart = canonicalPart;
        this.avro = new AvroForm<>(type);
    }

    /** Requires all properties for these bytes. */
    void check(byte[] wire) {
        byte[] before = wire.clone();
        DecodeResult<M> lenient = decode(wire, DecodeOptions.LENIENT);
        DecodeResult<M> strict = decode(wire, DecodeOptions.STRICT);
        DecodeOptions narrow = narrow(wire);
        DecodeResult<M> limited = decode(wire, narrow);
        require(Arrays.equals(wire, before), "decoding must not change its input");
        requireSound(wire, lenient, false);
        requireSound(wire, strict, true);
        requireSound(wire, limited, false);
        requireProfilesAgree(lenient, strict);
        requireLimitsOnlyRefuse(wire, narrow.limits(), lenient, limited);
    }

    private DecodeResult<M> decode(byte[] wire, DecodeOptions options) {
        return allocation.within(wire.length, () -> codec.decode(wire, options));
    }

    /** Small limits that depend only on the input, so that an input is nothing but a wire message. */
    private static DecodeOptions narrow(byte[] wire) {
        int some = Arrays.hashCode(wire);
        int bytes = (some & 7) == 0 ? Math.floorMod(some >>> 3, wire.length + 1) : wire.length;
        int depth = 1 + (some >>> 8 & 3);
        int fields = 1 + (some >>> 12 & 15);
        int operations = 1 + (some >>> 20 & 3);
        return new DecodeOptions(Profile.LENIENT, new Limits(Math.max(1, bytes), depth, fields, operations));
    }

    private void requireSound(byte[] wire, DecodeResult<M> result, boolean strict) {
        if (result instanceof Malformed<M> fault) {
            requireFault(wire.length, fault, strict);
        } else {
            requireMessage((Decoded<M>) result, strict);
        }
    }

    private void requireFault(int length, Malformed<M> fault, boolean strict) {
        Code code = fault.code();
        require(
                fault.offset() >= 0 && fault.offset() <= length,
                "%s has offset %d of %d",
                code,
                fault.offset(),
                length);
        require(
                code.kind() == Kind.MALFORMED || (strict && code.kind() == Kind.FORM_WARNING),
                "%s is not a decode error",
                code);
        requireOwn(code);
        requireSentence(fault.detail());
    }

    private void requireMessage(Decoded<M> read, boolean strict) {
        requireCodes(read.warnings());
        requireCodes(read.violations());
        for (Code code : read.warnings()) {
            require(
                    code.kind() == Kind.WARNING || (code.kind() == Kind.FORM_WARNING && !strict),
                    "%s is not a warning",
                    code);
        }
        for (Code code : read.violations()) {
            require(
                    code.kind() == Kind.VIOLATION || code.kind() == Kind.PATCH_VIOLATION,
                    "%s is not a violation",
                    code);
        }
        requireRoundTrip(read);
        requireTraits(codec.traits(read.message()));
        avro.requireLossless(read.message());
    }

    private void requireCodes(List<Code> codes) {
        if (!codes.isEmpty()) {
            require(new HashSet<>(codes).size() == codes.size(), "codes must not be repeated: %s", codes);
            for (Code code : codes) {
                requireOwn(code);
            }
        }
    }

    private void requireOwn(Code code) {
        require(
                code.protocol() == codec.protocol() || code.protocol() == Protocol.UNKNOWN,
                "%s belongs to another protocol",
                code);
    }

    private void requireRoundTrip(Decoded<M> read) {
        byte[] canonical = codec.encode(read.message());
        DecodeResult<M> result = codec.decode(canonical, DecodeOptions.LENIENT);
        if (!(result instanceof Decoded<M> again)) {
            throw new AssertionError("the canonical form must be a message: " + text(canonical) + " " + result);
        }
        requireEqual(
                again.message(),
                canonicalPart.apply(read.message()),
                "the canonical form must decode to an equal message");
        requireEqual(again.violations(), read.violations(), "the canonical form must have the same violations");
        byte[] second = codec.encode(again.message());
        require(
                Arrays.equals(canonical, second),
                "the canonical form must be stable: %s then %s",
                text(canonical),
                text(second));
    }

    private static void requireTraits(Traits traits) {
        require(traits.performative() != null, "a message must have a performative");
        for (String recipient : traits.recipients()) {
            require(recipient != null, "a recipient must have a name");
        }
        for (Reference reference : traits.references()) {
            require(reference.getId() != null, "a reference must have an ID");
        }
    }

    private void requireProfilesAgree(DecodeResult<M> lenient, DecodeResult<M> strict) {
        if (!(lenient instanceof Decoded<M> read)) {
            require(strict instanceof Malformed, "strict must not accept a message that lenient refuses");
        } else if (read.warnings().stream().anyMatch(code -> code.kind() == Kind.FORM_WARNING)) {
            require(
                    strict instanceof Malformed<M> fault && read.warnings().contains(fault.code()),
                    "strict must refuse with one of %s, but did with %s",
                    read.warnings(),
                    strict);
        } else {
            requireEqual(strict, lenient, "strict and lenient must decode a message without format warnings alike");
        }
    }

    private void requireLimitsOnlyRefuse(byte[] wire, Limits limits, DecodeResult<M> lenient, DecodeResult<M> limited) {
        if (wire.length > limits.messageBytes()) {
            require(
                    limited instanceof Malformed<M> fault && fault.code() == Code.MESSAGE_TOO_LARGE,
                    "%s must refuse %d bytes, but returned %s",
                    limits,
                    wire.length,
                    limited);
        } else if (!(limited instanceof Malformed<M> fault
                && (fault.code() == Code.TOO_MANY_FIELDS || fault.code() == Code.TOO_DEEP))) {
            requireEqual(limited, lenient, "a limit must not change results within it: " + limits);
        }
    }

    private static String text(byte[] wire) {
        return new String(wire, StandardCharsets.UTF_8);
    }
}
