package dev.parley.codec.lambda;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.avro.LambdaMessage;
import dev.parley.codec.Rounds;
import dev.parley.codec.WireCodec;
import dev.parley.codec.WireCodecContract;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * The codec contract for Λ: the examples of Λ v0.6 and of docs/protocols.md 4 and 5, and random texts of Λ's alphabet.
 */
class LambdaCodecContractTest extends WireCodecContract<LambdaMessage> {

    private static final List<String> PIECES = List.of(
            "!",
            "?",
            ".",
            "~",
            ">",
            "<",
            "#",
            "@",
            "<+",
            "<-",
            "<->",
            "<?",
            "<!",
            "!er:un",
            "!er:ve/",
            "!er:",
            ">>",
            "<<",
            "><",
            "--",
            "-",
            " ",
            " ",
            "  ",
            "\n",
            "I",
            "Uk",
            "co",
            "fd",
            "prj",
            "A1",
            "*",
            "12",
            "0.6",
            "$60s",
            "75%",
            "$",
            "%",
            "'",
            "^",
            "=",
            "+",
            "/",
            ":",
            ",",
            "|",
            "||",
            "||a|b||",
            "||h||r||",
            "{",
            "}",
            "[",
            "]",
            "{}",
            "[]",
            "{def:a=1}",
            "{def:b=\"x\\\"y\"}",
            "{id:m1}",
            "{v:0.5}",
            "{enc:x}",
            "{enc:x}[a\"b]",
            "{a:b}",
            "{ctx:",
            "{pr:^,",
            "\"",
            "\"a b\"",
            "\"\\\\\"",
            "\\",
            "@v0.6",
            "@v0.5",
            "#id:a1",
            "#id:",
            "#h",
            "#h<",
            "@A1:",
            "@A*,B2:",
            "A1>A2:",
            "A: ",
            "pub:",
            "prv:",
            "sig:",
            "[n3]",
            "[n12]",
            "[ n3 ]",
            " [n5]",
            "[n",
            "n6",
            "[n06]",
            "é",
            "→",
            "\u00a0",
            "_");

    @Override
    protected WireCodec<LambdaMessage> codec() {
        return new LambdaCodec();
    }

    @Override
    protected String wireWithFields(int fields) {
        StringBuilder wire = new StringBuilder("!st{k:v");
        for (int i = 2; i <= fields; i++) {
            wire.append(i % 2 == 0 ? ",k:v" : ",k");
        }
        return wire.append('}').toString();
    }

    @Override
    protected Optional<String> wireNested(int depth) {
        StringBuilder wire = new StringBuilder("!");
        StringBuilder closing = new StringBuilder();
        for (int i = 0; i < depth; i++) {
            switch (i % 3) {
                case 0 -> {
                    wire.append("{a:");
                    closing.insert(0, '}');
                }
                case 1 -> {
                    wire.append("||");
                    closing.insert(0, "||");
                }
                default -> {
                    wire.append('[');
                    closing.insert(0, ']');
                }
            }
        }
        return Optional.of(wire.append(closing).toString());
    }

    @Override
    protected LambdaMessage withoutTranscript(LambdaMessage message) {
        return new LambdaMessage(
                message.getKind(),
                message.getVersion(),
                message.getId(),
                message.getHeaderId(),
                message.getHandshake(),
                message.getHandshakeReply(),
                message.getAddress(),
                message.getRelay(),
                message.getTrust(),
                message.getFloorBefore(),
                message.getFloorAfter(),
                null,
                message.getContexts(),
                message.getDefinitions(),
                message.getStatements(),
                message.getEncryption(),
                message.getEncrypted(),
                message.getChecksum());
    }

    @Test
    void textsOfTheAlphabetAreValid() {
        long seed = Objects.requireNonNullElseGet(Long.getLong("parley.seed"), System::nanoTime);
        Random random = new Random(seed);
        for (int round = 0; round < Rounds.of(60_000); round++) {
            StringBuilder wire = new StringBuilder();
            for (int pieces = 1 + random.nextInt(12); pieces > 0; pieces--) {
                wire.append(PIECES.get(random.nextInt(PIECES.size())));
            }
            requireSound(wire.toString(), seed);
        }
    }

    private void requireSound(String wire, long seed) {
        try {
            requireSound(wire.getBytes(UTF_8));
        } catch (AssertionError e) {
            throw new AssertionError("replay with -Dparley.seed=" + seed, e);
        }
    }
}
