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
 * Contract of every builder: it refuses an invalid value in the call with it, or builds a message that round-trips.
 * The random test prints its seed on failure; {@code -Dparley.seed=N} replays it.
 *
 * @param <B> the builder
 * @param <M> the generated record of the protocol
 */
public abstract class BuilderContract<B, M extends SpecificRecord> {
    private static final int ROUNDS = Rounds.of(3_000);
    private static final int MAX_CALLS = 6;

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

    /** Creates a builder from random arguments. */
    protected abstract B start(Random random);

    /** Makes one random call on a builder. */
    protected abstract void call(B builder, Random random);

    /** Sets missing required values after the random calls. */
    protected abstract B completed(B builder);

    /** Builds. */
    protected abstract M build(B builder);

    /** Whether the builder documents that the strict profile refuses the message. */
    protected abstract boolean isLenientOnly(M message);

    /** Whether valid parts of a message may contradict each other. */
    protected boolean mayContradictItself() {
        return false;
    }

    /** A text that resembles other syntax. */
    protected static String text(Random random) {
        int pieces = random.nextInt(4);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < pieces; i++) {
            text.append(PIECES.get(random.nextInt(PIECES.size())));
        }
        return random.nextInt(200) == 0 ? text.toString().repeat(100) : text.toString();
    }

    /** A text that is likely to be valid. */
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
    void anAcceptedRecordRoundTrips() {
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
            for (int calls = random.nextInt(MAX_CALLS); calls > 0; calls--) {
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

    /** Requires that a message round-trips under the profile that its builder documents. */
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

    /** Requires that a call is refused with a message that contains all the texts. */
    protected static void requireRefused(Runnable call, String... texts) {
        assertThatThrownBy(call::run)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(texts);
    }

    /** Requires that later calls on a builder do not change a built message. */
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
