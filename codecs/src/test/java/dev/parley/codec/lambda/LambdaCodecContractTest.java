package dev.parley.codec.lambda;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.avro.LambdaMessage;
import dev.parley.codec.WireCodec;
import dev.parley.codec.WireCodecContract;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The promises of every codec, for Λ: the examples of Λ v0.6 and of PROTOCOLS §4 and §5, and texts made of Λ's own alphabet. */
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
    protected List<String> canonicalWires() {
        return List.of(
                "!Ik",
                "!It>Ie",
                "@v0.6#h !Aw/s ?Uc/la",
                "@v0.6#h< !Ic/la=0.6",
                "@v0.6#id:abc123 @A1,A2: prv: >> {v:0.6,id:abc123}{ns:code}!Ik/co ?Uk/co --",
                "@v0.6",
                "@v0.6 {ctx:a}",
                "{def:ta=\"build Lambda skill\"}",
                "<ctx",
                "!I*d/ta",
                ">>",
                ">> <<",
                ">> !Ik <<",
                ">< !Ik",
                "-- !Ik --",
                "<+",
                "<-",
                "<?",
                "<!",
                "< --",
                "!er:un/co",
                "!er:ov",
                "!er:ve{a:1}",
                "!Ik/co[n6]",
                "!Ik/co[n5]",
                "{a:b} [1] !Ik",
                "!Ik/co[n12]",
                "!Ik/co [n12]",
                "!Ik/co[n 12]",
                "!Ik/co --[n6]",
                "!Ik[n3] --",
                "{ctx:a} [n3]",
                "{ctx:a}[n0]",
                "@A*: !Ik",
                "@*: !Ik",
                "A1>A2>A3: !Ik",
                "{grp:council,mbr:[A1,A2,A3]}",
                "{key:value,key2:value2}",
                "[item1,item2,item3]",
                "[n12]",
                "{ta:[{n:\"task1\",st:ok},{n:\"task2\",st:wa}]}",
                "||h1|h2||r1c1|r1c2||r2c1|r2c2||",
                "||h1|h2||r1c1|| <+",
                ".Uf/X{pr:^,ti:$60s}",
                "!fd/X{re:[...]}",
                "~X:th'em<pr/in",
                "<?em",
                ">Ig/U[da]<Uw/[ti]",
                "<->Ig/U[da]<Uw/[re]",
                "!st{ta:prj/la,pr:75%,bl:[er/pa],ne:[def/v0.7]}",
                "{auth:sig/abc123}",
                "{enc:aes256}[encrypted_payload]",
                "@v0.6 {enc:aes256}[ not \"balanced{ ] >>",
                "#tag @X",
                "@c !fn",
                "!a b",
                "!\"é\\\\\\\"\\:\\{\\}\"",
                "!Ik || Uk".replace(" ", ""));
    }

    @Override
    protected List<String> nonCanonicalWires() {
        return List.of(
                "  !Ik  ",
                "!st{\n  ta:prj/la,\n  pr:75%,\n  bl:[er/pa],\n  ne:[def/v0.7]\n}",
                "@v0.6#id:abc123{ctx:a}!Ik",
                "@v0.6#h!Ik",
                "@A1:!Ik",
                "prv:!Ik",
                ">>!Ik--",
                "!Ik   ?Uk\n.Uf",
                "{ctx:a}@A1:!Ik",
                "{ctx:a}>>!Ik",
                "A: !Ik",
                "{a : b , c : [ 1 , 2 ]}!Ik",
                "[1][2]",
                "!Ik[n 3 ] .x",
                "!Ik[ n3 ]",
                "!Ik/co[n006]",
                "!Ik >> Uk",
                "@v0.6#h  <<",
                "@v0.6#h#id:a !Ik",
                "!a{x:1 . 5 %}",
                "!Ik - -",
                "{enc:aes256} [x]",
                "{enc:aes256}[n12]--",
                "|| a | b || c | d ||",
                "@v0.6[n3]",
                ">>[n3]",
                "é!Ik".substring(1) + " é ");
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
    void textsOfItsOwnAlphabetAreSound() {
        long seed = Objects.requireNonNullElseGet(Long.getLong("parley.seed"), System::nanoTime);
        Random random = new Random(seed);
        for (int round = 0; round < 60_000; round++) {
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
