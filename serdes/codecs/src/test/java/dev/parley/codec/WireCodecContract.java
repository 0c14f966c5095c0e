package dev.parley.codec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import dev.parley.avro.Profile;
import dev.parley.avro.Protocol;
import dev.parley.codec.DecodeResult.Decoded;
import dev.parley.codec.DecodeResult.Malformed;
import dev.parley.conformance.Vectors;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Contract of every wire codec. The test of a codec extends this class with its codec and sample messages; the
 * rest of that test covers the protocol itself.
 *
 * <p>Random tests print their seed on failure; {@code -Dparley.seed=N} replays one.
 *
 * @param <M> the generated record of the protocol
 */
public abstract class WireCodecContract<M extends SpecificRecord> {

    private static final int ROUNDS = Rounds.of(4_000);

    /** The codec under test. */
    protected abstract WireCodec<M> codec();

    /**
     * A message that the lenient profile accepts, with exactly that many fields in the sense of {@link Limits#fields},
     * at least 10.
     */
    protected abstract String wireWithFields(int fields);

    /**
     * A message with exactly that nesting depth, the outermost bracket being 1, at least 3; empty if the protocol has
     * no nesting.
     */
    protected Optional<String> wireNested(int depth) {
        return Optional.empty();
    }

    /** A message with exactly that many patch operations; empty if the protocol has no patches. */
    protected Optional<String> wireWithOperations(int operations) {
        return Optional.empty();
    }

    /** The part of a message that its canonical form contains: all of it, except for a transcript's label. */
    protected M withoutTranscript(M message) {
        return message;
    }

    /** The code for bytes that are not UTF-8. */
    protected final Code badUtf8() {
        return Code.of(codec().protocol() + "_BAD_UTF8");
    }

    /** Decodes a wire text under the lenient profile; fails on a decode error. */
    protected final Decoded<M> decoded(String wire) {
        return accepted(wire.getBytes(UTF_8), DecodeOptions.LENIENT);
    }

    /** The decode error of a wire text under a profile; fails if there is none. */
    protected final Malformed<M> malformed(String wire, DecodeOptions options) {
        return rejected(wire.getBytes(UTF_8), options);
    }

    @TestFactory
    Stream<DynamicTest> aCanonicalMessageComesBackByteForByte() {
        return each(canonicalWires(), wire -> {
            M message = decoded(wire).message();
            assertThat(new String(codec().encode(message), UTF_8)).isEqualTo(wire);
        });
    }

    @TestFactory
    Stream<DynamicTest> aMessageInAnotherFormComesBackWithTheSameMeaning() {
        return each(nonCanonicalWires(), wire -> {
            byte[] canonical = codec().encode(decoded(wire).message());
            assertThat(canonical).as("the wire is in the wrong list").isNotEqualTo(wire.getBytes(UTF_8));
            requireRoundTrip(wire.getBytes(UTF_8), decoded(wire));
        });
    }

    @TestFactory
    Stream<DynamicTest> aTruncatedMessageIsAnsweredNotThrown() {
        return each(allWires(), wire -> {
            byte[] bytes = wire.getBytes(UTF_8);
            for (int length = 0; length < bytes.length; length++) {
                requireSound(Arrays.copyOf(bytes, length));
            }
        });
    }

    @TestFactory
    Stream<DynamicTest> aByteThatIsNotUtf8IsFoundWhereItStands() {
        return each(canonicalWires(), wire -> {
            byte[] bytes = wire.getBytes(UTF_8);
            for (int at = 0; at < bytes.length; at++) {
                if (bytes[at] < 0) {
                    continue;
                }
                byte[] damaged = bytes.clone();
                damaged[at] = (byte) 0xFF;
                for (DecodeOptions options : profiles()) {
                    if (options.strict() && !(codec().decode(bytes, options) instanceof Decoded)) {
                        continue;
                    }
                    Malformed<M> fault = rejected(damaged, options);
                    assertThat(fault.code()).as("byte %d of %s", at, wire).isEqualTo(badUtf8());
                    assertThat(fault.offset()).as(wire).isEqualTo(at);
                }
            }
        });
    }

    @TestFactory
    Stream<DynamicTest> aMessageThatIsTooLargeIsRefused() {
        // No limit is below one byte.
        List<String> wires =
                canonicalWires().stream().filter(wire -> wire.length() > 1).toList();
        return each(wires, wire -> {
            byte[] bytes = wire.getBytes(UTF_8);
            accepted(bytes, limited(bytes.length, 10, 1_000, 10_000));
            assertThat(rejected(bytes, limited(bytes.length - 1, 10, 1_000, 10_000))
                            .code())
                    .isEqualTo(Code.MESSAGE_TOO_LARGE);
        });
    }

    @Test
    void aMessageWithTooManyFieldsIsRefused() {
        byte[] ten = wireWithFields(10).getBytes(UTF_8);
        accepted(ten, limited(1 << 20, 10, 10, 10_000));
        assertThat(rejected(ten, limited(1 << 20, 10, 9, 10_000)).code()).isEqualTo(Code.TOO_MANY_FIELDS);

        accepted(wireWithFields(1_000).getBytes(UTF_8), DecodeOptions.LENIENT);
        assertThat(malformed(wireWithFields(1_001), DecodeOptions.LENIENT).code())
                .isEqualTo(Code.TOO_MANY_FIELDS);
        assertThat(malformed(wireWithFields(20_000), DecodeOptions.LENIENT).code())
                .isEqualTo(Code.TOO_MANY_FIELDS);
    }

    @Test
    void aMessageThatNestsTooDeepIsRefused() {
        if (wireNested(3).isEmpty()) {
            return;
        }
        byte[] three = wireNested(3).orElseThrow().getBytes(UTF_8);
        accepted(three, limited(1 << 20, 3, 1_000, 10_000));
        assertThat(rejected(three, limited(1 << 20, 2, 1_000, 10_000)).code()).isEqualTo(Code.TOO_DEEP);

        accepted(wireNested(10).orElseThrow().getBytes(UTF_8), DecodeOptions.LENIENT);
        assertThat(malformed(wireNested(11).orElseThrow(), DecodeOptions.LENIENT)
                        .code())
                .isEqualTo(Code.TOO_DEEP);
        assertThat(malformed(wireNested(50_000).orElseThrow(), DecodeOptions.LENIENT)
                        .code())
                .isEqualTo(Code.TOO_DEEP);
    }

    @Test
    void aPatchWithTooManyOperationsIsRefused() {
        if (wireWithOperations(2).isEmpty()) {
            return;
        }
        byte[] two = wireWithOperations(2).orElseThrow().getBytes(UTF_8);
        accepted(two, limited(1 << 20, 10, 1_000, 2));
        assertThat(rejected(two, limited(1 << 20, 10, 1_000, 1)).code()).isEqualTo(Code.TOO_MANY_FIELDS);

        accepted(wireWithOperations(10_000).orElseThrow().getBytes(UTF_8), DecodeOptions.LENIENT);
        assertThat(malformed(wireWithOperations(10_001).orElseThrow(), DecodeOptions.LENIENT)
                        .code())
                .isEqualTo(Code.TOO_MANY_FIELDS);
    }

    @Test
    void randomBytesGiveResultsNotExceptions() {
        long seed = seed();
        Random random = new Random(seed);
        for (int round = 0; round < ROUNDS; round++) {
            byte[] bytes = new byte[random.nextInt(64)];
            random.nextBytes(bytes);
            if (random.nextBoolean()) {
                for (int i = 0; i < bytes.length; i++) {
                    bytes[i] = (byte) (bytes[i] & 0x7F);
                }
            }
            requireSound(bytes, seed);
        }
    }

    @Test
    void damagedMessagesGiveResultsNotExceptions() {
        long seed = seed();
        Random random = new Random(seed);
        List<byte[]> wires =
                allWires().stream().map(wire -> wire.getBytes(UTF_8)).toList();
        for (int round = 0; round < ROUNDS * 4; round++) {
            byte[] bytes = wires.get(random.nextInt(wires.size()));
            for (int damage = 1 + random.nextInt(3); damage > 0; damage--) {
                bytes = damage(bytes, wires.get(random.nextInt(wires.size())), random);
            }
            requireSound(bytes, seed);
        }
    }

    @Test
    void aRecordOfAnyOriginIsEncodedFaithfullyOrRefused() {
        long seed = seed();
        Random random = new Random(seed);
        Alterations alterations = new Alterations(random);
        List<String> wires = allWires();
        int written = 0;
        for (int round = 0; round < ROUNDS * 4; round++) {
            M record = decoded(wires.get(random.nextInt(wires.size()))).message();
            alterations.change(record);
            try {
                byte[] wire = codec().encodeChecked(record);
                assertThat(codec().decode(wire, new DecodeOptions(Profile.LENIENT, Limits.NONE)))
                        .isInstanceOfSatisfying(
                                Decoded.class,
                                read -> assertThat(read.message()).isEqualTo(withoutTranscript(record)));
                written++;
            } catch (IllegalArgumentException refusal) {
                assertThat(refusal).message().isNotBlank();
            } catch (RuntimeException | AssertionError e) {
                fail("on " + record + ", replay with -Dparley.seed=" + seed, e);
            }
        }
        assertThat(written).as("records written").isBetween(ROUNDS / 10, ROUNDS * 4);
    }

    @Test
    void aRecordWithoutARequiredFieldIsRefusedWithItsField() {
        M message = decoded(allWires().get(0)).message();
        for (Schema.Field field : message.getSchema().getFields()) {
            Object value = message.get(field.pos());
            if (!field.schema().isNullable() && !(value instanceof Number) && !(value instanceof Boolean)) {
                message.put(field.pos(), null);
                assertThatThrownBy(() -> codec().encodeChecked(message))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageStartingWith(field.name());
                assertThatThrownBy(() -> codec().verify(message, DecodeOptions.LENIENT))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageStartingWith(field.name());
                message.put(field.pos(), value);
            }
        }
    }

    @TestFactory
    Stream<DynamicTest> everyMessageHasTraits() {
        return each(allWires(), wire -> {
            Traits traits = codec().traits(decoded(wire).message());
            assertThat(traits.performative()).isNotNull();
            assertThat(traits.recipients()).isNotNull().doesNotContainNull();
            assertThat(traits.references()).isNotNull().doesNotContainNull();
        });
    }

    /** Checks the contract for any bytes under both profiles. */
    protected final void requireSound(byte[] wire) {
        requireSound(wire, 0);
    }

    private void requireSound(byte[] wire, long seed) {
        byte[] before = wire.clone();
        try {
            DecodeResult<M> lenient = codec().decode(wire, DecodeOptions.LENIENT);
            DecodeResult<M> strict = codec().decode(wire, DecodeOptions.STRICT);
            assertThat(wire).as("decode does not change its input").isEqualTo(before);
            requireSound(wire, lenient, false);
            requireSound(wire, strict, true);
            if (lenient instanceof Decoded<M> read) {
                requireProfilesAgree(read, strict);
            } else {
                assertThat(strict)
                        .as("strict accepts nothing that lenient refuses")
                        .isInstanceOf(Malformed.class);
            }
        } catch (RuntimeException | StackOverflowError | AssertionError e) {
            fail("on " + text(before) + (seed == 0 ? "" : ", replay with -Dparley.seed=" + seed), e);
        }
    }

    private void requireSound(byte[] wire, DecodeResult<M> result, boolean strict) {
        if (result instanceof Malformed<M> fault) {
            assertThat(fault.offset()).as("offset of %s", fault.code()).isBetween(0, wire.length);
            assertThat(fault.detail()).isNotBlank();
            assertThat(fault.code().kind()).isIn(faultKinds(strict));
            assertThat(fault.code().protocol()).isIn(codec().protocol(), Protocol.UNKNOWN);
        } else if (result instanceof Decoded<M> read) {
            assertThat(read.warnings()).doesNotHaveDuplicates().allMatch(code -> isWarning(code, strict));
            assertThat(read.violations()).doesNotHaveDuplicates().allMatch(WireCodecContract::isViolation);
            requireRoundTrip(wire, read);
            assertThat(codec().traits(read.message())).isNotNull();
        }
    }

    private void requireRoundTrip(byte[] wire, Decoded<M> read) {
        byte[] canonical = codec().encode(read.message());
        assertThat(codec().encodeChecked(read.message())).isEqualTo(canonical);
        Decoded<M> again = accepted(canonical, DecodeOptions.LENIENT);
        assertThat(again.message())
                .as("%s as %s", text(wire), text(canonical))
                .isEqualTo(withoutTranscript(read.message()));
        assertThat(again.violations()).as(text(canonical)).isEqualTo(read.violations());
        assertThat(text(codec().encode(again.message())))
                .as("the canonical form is stable")
                .isEqualTo(text(canonical));
    }

    private void requireProfilesAgree(Decoded<M> lenient, DecodeResult<M> strict) {
        if (lenient.warnings().stream().anyMatch(code -> code.kind() == Code.Kind.FORM_WARNING)) {
            assertThat(strict).as("strict refuses %s", lenient.warnings()).isInstanceOf(Malformed.class);
            assertThat(lenient.warnings()).contains(((Malformed<M>) strict).code());
        } else {
            assertThat(strict).isEqualTo(lenient);
        }
    }

    private static List<Code.Kind> faultKinds(boolean strict) {
        return strict ? List.of(Code.Kind.MALFORMED, Code.Kind.FORM_WARNING) : List.of(Code.Kind.MALFORMED);
    }

    private static boolean isWarning(Code code, boolean strict) {
        return code.kind() == Code.Kind.WARNING || (!strict && code.kind() == Code.Kind.FORM_WARNING);
    }

    private static boolean isViolation(Code code) {
        return code.kind() == Code.Kind.VIOLATION || code.kind() == Code.Kind.PATCH_VIOLATION;
    }

    private Decoded<M> accepted(byte[] wire, DecodeOptions options) {
        DecodeResult<M> result = codec().decode(wire, options);
        if (result instanceof Malformed<M> fault) {
            return fail("%s was refused: %s", text(wire), fault);
        }
        return (Decoded<M>) result;
    }

    private Malformed<M> rejected(byte[] wire, DecodeOptions options) {
        DecodeResult<M> result = codec().decode(wire, options);
        assertThat(result).as(text(wire)).isInstanceOf(Malformed.class);
        Malformed<M> fault = (Malformed<M>) result;
        assertThat(fault.offset()).isBetween(0, wire.length);
        assertThat(fault.detail()).isNotBlank();
        return fault;
    }

    private List<String> canonicalWires() {
        return Vectors.canonicalWires(codec().protocol());
    }

    private List<String> nonCanonicalWires() {
        return Vectors.nonCanonicalWires(codec().protocol());
    }

    private List<String> allWires() {
        return Stream.concat(canonicalWires().stream(), nonCanonicalWires().stream())
                .toList();
    }

    private static List<DecodeOptions> profiles() {
        return List.of(DecodeOptions.LENIENT, DecodeOptions.STRICT);
    }

    private static DecodeOptions limited(int bytes, int depth, int fields, int operations) {
        return new DecodeOptions(Profile.LENIENT, new Limits(bytes, depth, fields, operations));
    }

    private static Stream<DynamicTest> each(List<String> wires, Consumer<String> check) {
        assertThat(wires).isNotEmpty();
        return wires.stream().map(wire -> DynamicTest.dynamicTest(wire, () -> check.accept(wire)));
    }

    private static long seed() {
        return Objects.requireNonNullElseGet(Long.getLong("parley.seed"), System::nanoTime);
    }

    /**
     * One random change: a byte overwritten, removed or inserted, a piece doubled, or the tail of another message
     * appended.
     */
    private static byte[] damage(byte[] bytes, byte[] other, Random random) {
        if (bytes.length == 0) {
            return other.clone();
        }
        int at = random.nextInt(bytes.length);
        int to = at + 1 + random.nextInt(Math.min(8, bytes.length - at));
        byte some = random.nextBoolean() ? (byte) random.nextInt(256) : other[random.nextInt(other.length)];
        return switch (random.nextInt(5)) {
            case 0 -> joined(bytes, at, new byte[] {some}, at + 1);
            case 1 -> joined(bytes, at, new byte[0], to);
            case 2 -> joined(bytes, at, new byte[] {some}, at);
            case 3 -> joined(bytes, to, Arrays.copyOfRange(bytes, at, to), to);
            default -> {
                int cut = random.nextInt(other.length);
                byte[] whole = Arrays.copyOf(bytes, at + other.length - cut);
                System.arraycopy(other, cut, whole, at, other.length - cut);
                yield whole;
            }
        };
    }

    private static byte[] joined(byte[] bytes, int headEnd, byte[] middle, int tailStart) {
        byte[] whole = Arrays.copyOf(bytes, headEnd + middle.length + bytes.length - tailStart);
        System.arraycopy(middle, 0, whole, headEnd, middle.length);
        System.arraycopy(bytes, tailStart, whole, headEnd + middle.length, bytes.length - tailStart);
        return whole;
    }

    private static String text(byte[] wire) {
        return Utf8.firstInvalid(wire, 0, wire.length) < 0
                ? new String(wire, UTF_8)
                : "hex " + HexFormat.of().formatHex(wire);
    }
}
