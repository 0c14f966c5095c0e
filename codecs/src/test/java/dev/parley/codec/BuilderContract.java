package dev.parley.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import dev.parley.codec.DecodeResult.Decoded;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;

/**
 * What every builder promises: whatever it is given, it refuses the value where it is given, or builds a message that is written and reads back
 * the same. The random test prints its seed on failure; {@code -Dparley.seed=N} replays it.
 *
 * @param <B> the builder
 * @param <M> the generated record of the protocol
 */
public abstract class BuilderContract<B, M extends SpecificRecord> {
    private static final int ROUNDS = Rounds.of(3_000);
    private static final int MOST_CALLS = 6;

    private static final List<String> PIECES = List.of(
            "",
            " ",
            "\t",
            "\n",
            "\r",
            "\r\n",
            "\0",
            "\u007F",
            "\"",
            "\\",
            "|",
            "#",
            "@",
            "{",
            "}",
            "[",
            "]",
            "[n1]",
            ":",
            ",",
            "=",
            ":=",
            "+",
            "~",
            "-",
            "--",
            ">>",
            ">>>",
            "<<<",
            "><",
            "?",
            "!",
            ".",
            "<",
            "a",
            "k7",
            "Z",
            "enc",
            "er:pa",
            "DEF",
            "DATA",
            "REQ x",
            "TASK",
            "PATCH",
            "type",
            "meta",
            "agent",
            "null",
            "12",
            "-1",
            "1e5",
            "true",
            "pub:",
            "A1:",
            "A1>B:",
            "\uFEFF",
            "é",
            "Λ",
            "\uD83D\uDE00",
            "\uD83D",
            "\uDE00",
            "\u0085",
            "\u2028");

    /** The codec whose messages are built. */
    protected abstract WireCodec<M> codec();

    /** A builder made by random arguments. */
    protected abstract B start(Random random);

    /** One random call on a builder. */
    protected abstract void call(B builder, Random random);

    /** Makes good what {@code build} would miss, after the random calls. */
    protected abstract B completed(B builder);

    /** Builds. */
    protected abstract M build(B builder);

    /** Whether the builder says of the message that the strict profile refuses it. */
    protected abstract boolean isLenientOnly(M message);

    /** Whether the parts of a message may contradict each other although each is sound by itself. */
    protected boolean mayContradictItself() {
        return false;
    }

    /** A text that tries to be something else. */
    protected static String text(Random random) {
        int pieces = random.nextInt(4);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < pieces; i++) {
            text.append(PIECES.get(random.nextInt(PIECES.size())));
        }
        return random.nextInt(200) == 0 ? text.toString().repeat(100) : text.toString();
    }

    /** A text that is likely to be allowed. */
    protected static String word(Random random) {
        return random.nextInt(4) == 0 ? text(random) : "W" + random.nextInt(9);
    }

    /** A number, often at an edge. */
    protected static long number(Random random) {
        return switch (random.nextInt(6)) {
            case 0 -> random.nextLong();
            case 1 -> Long.MAX_VALUE;
            case 2 -> -random.nextInt(3);
            case 3 -> 61 + random.nextInt(3);
            default -> random.nextInt(12);
        };
    }

    @Test
    void whatIsNotRefusedIsWrittenAndReadsBackTheSame() {
        long seed = Long.getLong("parley.seed", System.nanoTime());
        Random random = new Random(seed);
        int built = 0;
        int refused = 0;
        for (int round = 0; round < ROUNDS; round++) {
            B builder;
            try {
                builder = start(random);
            } catch (IllegalArgumentException refusal) {
                requireReason(refusal);
                refused++;
                continue;
            }
            for (int calls = random.nextInt(MOST_CALLS); calls > 0; calls--) {
                try {
                    call(builder, random);
                } catch (IllegalArgumentException refusal) {
                    requireReason(refusal);
                    refused++;
                } catch (RuntimeException e) {
                    fail("replay with -Dparley.seed=" + seed, e);
                }
            }
            try {
                requireRoundTrip(build(completed(builder)));
                built++;
            } catch (IllegalArgumentException refusal) {
                if (!mayContradictItself()) {
                    fail("build refused what each call took; replay with -Dparley.seed=" + seed, refusal);
                }
            } catch (RuntimeException | AssertionError e) {
                fail("replay with -Dparley.seed=" + seed, e);
            }
        }
        assertThat(built).as("messages built").isGreaterThan(ROUNDS / 4);
        assertThat(refused).as("values refused").isGreaterThan(ROUNDS / 4);
    }

    /** Requires that a message is written, and reads back the same under the profile that its builder promises. */
    protected final void requireRoundTrip(M message) {
        byte[] wire = codec().encode(message);
        DecodeResult<M> lenient = codec().decode(wire, DecodeOptions.LENIENT);
        assertThat(lenient).isInstanceOf(Decoded.class);
        Decoded<M> decoded = (Decoded<M>) lenient;
        assertThat(decoded.message()).isEqualTo(message);
        assertThat(decoded.violations()).isEmpty();
        assertThat(codec().encode(decoded.message())).isEqualTo(wire);
        assertThat(codec().decode(wire, DecodeOptions.STRICT) instanceof Decoded)
                .as("strict reads %s", message)
                .isEqualTo(!isLenientOnly(message));
    }

    /** Requires that a call is refused with a message that has all the given texts. */
    protected static void requireRefused(Runnable call, String... texts) {
        assertThatThrownBy(call::run)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(texts);
    }

    /** Requires that a builder that goes on changing leaves what it built alone. */
    protected final void requireIndependent(B builder, Function<B, B> change) {
        M first = build(builder);
        byte[] wire = codec().encode(first);
        M second = build(change.apply(builder));
        assertThat(second).isNotEqualTo(first);
        assertThat(codec().encode(first)).isEqualTo(wire);
    }

    private static void requireReason(IllegalArgumentException refusal) {
        assertThat(refusal).message().isNotBlank();
    }
}
