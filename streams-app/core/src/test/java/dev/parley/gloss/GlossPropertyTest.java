package dev.parley.gloss;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.parley.avro.AgentMessage;
import dev.parley.decode.WireProtocol;
import dev.parley.decode.WireProtocols;
import dev.parley.protocol.Glosses;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every message that decodes has a gloss: one line, bounded, without characters that mislead. */
class GlossPropertyTest {
    private static final int ROUNDS = 4_000;
    private static final String[] LAMBDA = {
        "I",
        "U",
        "H",
        "A",
        "X",
        "*",
        "0",
        "k",
        "w",
        "c",
        "d",
        "s",
        "g",
        "t",
        "f",
        "v",
        "p",
        "co",
        "ta",
        "er",
        "pa",
        "th",
        "re",
        "fd",
        "st",
        "prj",
        "zz",
        "word",
        "/",
        "&",
        "|",
        "<",
        ">",
        "=",
        ":",
        ",",
        ";",
        "'",
        "^",
        "_",
        "+",
        "-",
        "~",
        "!",
        " ",
        "\"a\u202eb\"",
        "\"\"",
        "7",
        "$60s",
        "75%",
        "0.6",
        "[",
        "]",
        "{",
        "}",
        "||",
        "(",
        ")",
        "A1",
        "?",
        ".",
        "é",
        "\u200f",
        "😀"
    };
    private static final String[] STARTS = {
        "?",
        "!",
        ".",
        "~",
        ">",
        "<",
        "<+",
        "<-",
        "<->",
        "<?",
        "<!",
        "!er:un/",
        "#",
        "@",
        "{def:ta=\"x\ny\"}!",
        "{ns:",
        "@v0.6#h !",
        "@A1: !",
        "A1>A2: ?",
        "prv: !",
        ">> !",
        "[",
        "{",
        "||"
    };
    private static final String[] TEXTS = {
        "plain",
        "",
        " ",
        "\u202e\u2066",
        "a\tb",
        "\u0007",
        "\u2028",
        "😀",
        "x".repeat(999),
        "SRC,LIB",
        "SRC",
        "é\u0301",
        "\ufeff",
        "\udb40\udc41",
        "CR\rLF"
    };

    static Stream<Arguments> protocols() {
        return Stream.of(
                Arguments.of(WireProtocols.SLIP, (Function<Random, String>) GlossPropertyTest::slip),
                Arguments.of(WireProtocols.SUBIT, (Function<Random, String>) GlossPropertyTest::subit),
                Arguments.of(WireProtocols.CSP, (Function<Random, String>) GlossPropertyTest::csp),
                Arguments.of(WireProtocols.LAMBDA, (Function<Random, String>) GlossPropertyTest::lambda));
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void everyDecodedMessageIsOneBoundedLine(WireProtocol<?> protocol, Function<Random, String> wires) {
        long seed = Long.getLong("parley.seed", System.nanoTime());
        Random random = new Random(seed);
        Definitions definitions = name -> switch (name.length() & 3) {
            case 0 -> "\u202e" + "d".repeat(500);
            case 2 -> "two\nlines";
            default -> null;
        };
        int decoded = 0;
        for (int round = 0; round < ROUNDS; round++) {
            String wire = wires.apply(random);
            AgentMessage message = Examples.message(protocol, wire.getBytes(UTF_8));
            if (message != null) {
                decoded++;
                for (Definitions inForce : new Definitions[] {Definitions.NONE, definitions}) {
                    try {
                        requireOneLine(Glosses.STANDARD.gloss(message, inForce));
                    } catch (RuntimeException | AssertionError e) {
                        fail("seed " + seed + ", message " + wire, e);
                    }
                }
            }
        }
        assertThat(decoded).as("messages that decoded").isGreaterThan(ROUNDS / 20);
    }

    @Test
    void aGlossOfAMessageOfTheMaximumSizeCostsLessThanItsDecoding() {
        String[] bodies = {
            "k/".repeat(400_000) + "k",
            "[".repeat(9) + "a,".repeat(300_000) + "a" + "]".repeat(9),
            "\"" + "x".repeat(900_000) + "\"",
            "I".repeat(900_000),
            " a".repeat(400_000)
        };
        for (String body : bodies) {
            byte[] wire = ("!" + body).getBytes(UTF_8);
            AgentMessage message = Examples.message(WireProtocols.LAMBDA, wire);
            assertThat(message).isNotNull();
            long decoding = nanos(() -> Examples.message(WireProtocols.LAMBDA, wire));
            long gloss = nanos(() -> requireOneLine(Glosses.STANDARD.gloss(message, Definitions.NONE)));
            assertThat(gloss).as("nanoseconds of a gloss").isLessThan(decoding);
        }
        String task = "CSP/1\nFROM A\nTO B\nCTX C0\nINTENT TASK\n\nTASK T1\nREQ " + "WORD ".repeat(150_000);
        requireOneLine(Glosses.STANDARD.gloss(
                Examples.message(WireProtocols.CSP, task.getBytes(UTF_8)), name -> "v".repeat(100)));
    }

    /** Returns the shortest time of some runs: other load on the machine only adds to it. */
    private static long nanos(Runnable work) {
        return LongStream.generate(() -> {
                    long start = System.nanoTime();
                    work.run();
                    return System.nanoTime() - start;
                })
                .limit(10)
                .min()
                .orElseThrow();
    }

    private static void requireOneLine(String gloss) {
        assertThat(gloss).isNotBlank();
        assertThat(gloss.codePointCount(0, gloss.length())).isLessThanOrEqualTo(Sentence.MAX_CODE_POINTS);
        gloss.codePoints().forEach(c -> {
            int type = Character.getType(c);
            assertThat(type)
                    .isNotIn(
                            (int) Character.CONTROL,
                            (int) Character.FORMAT,
                            (int) Character.LINE_SEPARATOR,
                            (int) Character.PARAGRAPH_SEPARATOR,
                            (int) Character.SURROGATE);
        });
    }

    private static String slip(Random random) {
        StringBuilder wire = new StringBuilder("@a")
                .append("0123456789A".charAt(random.nextInt(11)))
                .append("|f")
                .append(random.nextInt(5))
                .append("|c1|S")
                .append(random.nextInt(6))
                .append("|d")
                .append(random.nextInt(6))
                .append("|T1");
        for (String slot : new String[] {"g", "k", "p", "r", "q", "s", "e"}) {
            if (random.nextBoolean()) {
                wire.append('|').append(slot).append(random.nextInt(3) == 0 ? "AzL8n0Y58m7" : "1");
            }
        }
        for (String slot : new String[] {"u", "t"}) {
            if (random.nextBoolean()) {
                wire.append('|').append(slot).append('"').append(text(random)).append('"');
            }
        }
        return wire.append('#').toString();
    }

    private static String subit(Random random) {
        String type = new String[] {"STATE", "INTENT", "ACTION", "PLAN", "TRACE", "ERROR"}[random.nextInt(6)];
        int forms = new int[] {1, 2, 3, 500}[random.nextInt(4)];
        StringBuilder bits = new StringBuilder();
        for (int i = 0; i < 6 * forms; i++) {
            bits.append(random.nextInt(2));
        }
        String agent = random.nextInt(3) == 0 ? "\\u202e\\n\\ud83d\\ude00" : "x".repeat(random.nextInt(300));
        return "{\"type\":\"" + type + "\",\"payload\":\"" + bits + "\",\"meta\":{\"agent\":\"" + agent + "\"}}";
    }

    private static String csp(Random random) {
        String intent =
                new String[] {"TASK", "RESULT", "ERROR", "PATCH", "FILE", "QUERY", "PLAN", "MEM"}[random.nextInt(8)];
        String header = "CSP/1\nFROM " + word(random) + "\nTO " + word(random) + "\nCTX C0\nINTENT " + intent + "\n\n";
        return header
                + switch (intent) {
                    case "TASK" -> "TASK T1\nREQ " + text(random) + "\nIN " + text(random) + "\nOWNER " + word(random);
                    case "RESULT" -> "RESULT T1\nSTATUS OK\nPRODUCED " + text(random) + "\nDATA " + text(random);
                    case "ERROR" -> "ERROR E1\nAT T1\nCAUSE " + text(random) + "\nNEXT " + text(random);
                    case "PATCH" ->
                        "PATCH P1\nBASE C0\n"
                                + ("+ DEF N" + random.nextInt(9) + " = " + text(random) + "\n")
                                        .repeat(random.nextInt(7))
                                + "- DEF OLD\nAPPLY -> C1";
                    case "FILE" -> "FILEOP F1 PATCH\nPATH " + text(random) + "\nBASE x\nCONTENT\n<<<\na\n>>>";
                    default -> intent + " Q1\nKEY " + text(random) + "\nOTHER " + text(random);
                };
    }

    private static String lambda(Random random) {
        StringBuilder wire = new StringBuilder(STARTS[random.nextInt(STARTS.length)]);
        for (int i = random.nextInt(12); i >= 0; i--) {
            wire.append(LAMBDA[random.nextInt(LAMBDA.length)]);
        }
        long open = wire.chars().filter(c -> c == '{').count()
                - wire.chars().filter(c -> c == '}').count();
        return wire.append("}".repeat((int) Math.max(0, open))).toString();
    }

    private static String word(Random random) {
        return random.nextInt(3) == 0 ? "agent\u202e" : "AGENT" + random.nextInt(9);
    }

    private static String text(Random random) {
        return TEXTS[random.nextInt(TEXTS.length)] + TEXTS[random.nextInt(TEXTS.length)];
    }
}
