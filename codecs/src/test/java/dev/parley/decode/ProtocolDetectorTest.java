package dev.parley.decode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.Protocol;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which protocol a message is in, by name and by its first bytes. */
class ProtocolDetectorTest {
    private static final int ROUNDS = 200_000;

    @ParameterizedTest
    @CsvSource({
        "slip, SLIP",
        "SLIP, SLIP",
        "nslip, SLIP",
        "nSLIP, SLIP",
        "subit, SUBIT",
        "SuBiT, SUBIT",
        "csp, CSP",
        "Csp, CSP",
        "lambda, LAMBDA",
        "LAMBDA, LAMBDA",
        "λ, LAMBDA",
        "Λ, LAMBDA",
        "csp/1, UNKNOWN",
        "unknown, UNKNOWN",
        "' slip', UNKNOWN",
        "'', UNKNOWN"
    })
    void aNameIsReadWithoutRegardToCase(String name, Protocol protocol) {
        assertThat(ProtocolDetector.named(name)).isEqualTo(protocol);
    }

    @Test
    void aNameMeansTheSameWhateverTheLanguageOfThePlatform() {
        Locale before = Locale.getDefault();
        try {
            Locale.setDefault(Locale.forLanguageTag("tr"));
            assertThat(ProtocolDetector.named("SLIP")).isEqualTo(Protocol.SLIP);
            assertThat(ProtocolDetector.named("SUBIT")).isEqualTo(Protocol.SUBIT);
        } finally {
            Locale.setDefault(before);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "@a3|f0",
                "@a#",
                "@a|",
                "@aA|",
                "@azZ09#",
                "@a3#trailing",
                "@aa|",
                "@aZ#",
                "@az|",
                "@a9|",
                "SLIP v1 REQUEST",
                "SLIP v"
            })
    void slipStartsWithAnActUpToTheFirstMark(String wire) {
        assertDetected(wire, Protocol.SLIP);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "@a",
                "@a3",
                "@a 3|f0",
                "@a-|",
                "@a1:|",
                "@ab,c|",
                "@A1: !Ik",
                "@v0.6#h",
                "@b3|f0",
                "@a_1#",
                "@a/1#",
                "@a:1#",
                "@a@1#",
                "@a[1#",
                "@a`1#",
                "@a{1#",
                "@aλ|"
            })
    void anAtSignWithoutAnActIsLambda(String wire) {
        assertDetected(wire, Protocol.LAMBDA);
    }

    @ParameterizedTest
    @ValueSource(strings = {"SLIP", "SLIP V1", "slip v1", "SLIPv1"})
    void onlyTheExactWordNamesTheOtherSlip(String wire) {
        assertDetected(wire, Protocol.UNKNOWN);
    }

    @ParameterizedTest
    @ValueSource(strings = {"CSP/1\nFROM A", "CSP/2", "CSP/", "CSP/1;!prose;DATA ONLY"})
    void cspStartsWithItsName(String wire) {
        assertDetected(wire, Protocol.CSP);
    }

    @ParameterizedTest
    @ValueSource(strings = {"CSP", "csp/1", "CSP 1"})
    void aNameThatIsNotQuiteCspTellsNothing(String wire) {
        assertDetected(wire, Protocol.UNKNOWN);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"type\":\"STATE\",\"payload\":\"000110\"}",
                "{ \"type\" : 1 }",
                "{\"payload\":\"000110\"}",
                "{\"meta\":{\"agent\":\"a\"},\"payload\":\"000110\"}",
                "{\"x\":[1,{\"y\":2}],\"type\":\"STATE\"}",
                "{\"x\":\"a \\\" quote } and brace\",\"type\":\"STATE\"}",
                "{\"x\":\"ends in a backslash \\\\\",\"type\":\"STATE\"}",
                "{\"type\":",
                "{\"type\":\"STATE\",\"payl",
                "{\"x\":1,\"payload\"\n:"
            })
    void anObjectWithTypeOrPayloadIsSubitEvenWhenItIsCutOff(String wire) {
        assertDetected(wire, Protocol.SUBIT);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{",
                "{\"",
                "{\"type",
                "{\"type\"",
                "{\"type\" ",
                "{\"type\"x:1}",
                "{\"typed\":1}",
                "[\"type\":1]",
                "{\"Type\":\"STATE\"}",
                "{\"x\":\"type\"}",
                "{\"x\":{\"type\":\"STATE\"}}",
                "{\"x\":[{\"payload\":1}]}",
                "{\"a\\\"type\":1}",
                "{type:st,payload:x}",
                "{\"x\":1}{\"type\":\"STATE\"}",
                "{\"x\":1}\"type\":2",
                "{\"x\\"
            })
    void anyOtherBraceIsLambda(String wire) {
        assertDetected(wire, Protocol.LAMBDA);
    }

    @ParameterizedTest
    @ValueSource(strings = {"?", "!", ".", "~", ">", "<", "#", "@", "{", "-", "[", "|"})
    void eachOfTheTwelveFirstCharactersIsLambda(String first) {
        assertDetected(first, Protocol.LAMBDA);
        assertDetected(first + "x", Protocol.LAMBDA);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "pub:!Ik",
                "prv:!Ik",
                "sig:",
                "A1>A2:!Ik",
                "A1>A2>A3: !Ik",
                "A_b>C9: ?",
                "*>A1:!Ik",
                "A*>B*:!Ik",
                "A>B:",
                "Z>AZ:",
                "AaZz09_*>A:"
            })
    void aTrustOrRelayPrefixIsLambda(String wire) {
        assertDetected(wire, Protocol.LAMBDA);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "A: ?",
                "A: !Ik",
                "A: .Uf/X",
                "A: ~X",
                "A: >Ig",
                "A: <",
                "A: #x",
                "A: @A1: !Ik",
                "Agent_2:  !Ik",
                "A: \n<+"
            })
    void aLabelBeforeAMessageTypeIsLambda(String wire) {
        assertDetected(wire, Protocol.LAMBDA);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "A:!Ik",
                "A: hello",
                "A: {def:x}",
                "A: [x]",
                "A: ",
                "A:",
                "A",
                "a: !Ik",
                "A b: !Ik",
                "*: !Ik",
                "A*: !Ik",
                "A>: !Ik",
                "A>b: !Ik",
                "A>B",
                "A>B !Ik",
                "A1 >A2: x",
                "pub !Ik",
                "Pub:x",
                "ERROR: 111111",
                "STATE: 000110",
                "FROM MAIN",
                "hello",
                "123",
                "\"text\"",
                "λ",
                "}",
                "*",
                ":"
            })
    void whatTellsNothingIsUnknown(String wire) {
        assertDetected(wire, Protocol.UNKNOWN);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\t\r\n ", "\uFEFF", "\uFEFF \n"})
    void whatHasNoTextIsUnknown(String wire) {
        assertDetected(wire, Protocol.UNKNOWN);
    }

    @ParameterizedTest
    @CsvSource({"@a3|f0,SLIP", "SLIP v1,SLIP", "CSP/1,CSP", "'{\"type\":1}',SUBIT", "!Ik,LAMBDA", "A>B:!Ik,LAMBDA"})
    void aByteOrderMarkAndWhiteSpaceBeforeTheTextAreSkipped(String wire, Protocol protocol) {
        assertDetected(" \t\r\n" + wire, protocol);
        assertDetected("\uFEFF" + wire, protocol);
        assertDetected("\uFEFF \n" + wire, protocol);
    }

    @Test
    void twoBytesOfAByteOrderMarkTellNothing() {
        assertThat(ProtocolDetector.detect(new byte[] {(byte) 0xEF, (byte) 0xBB}))
                .isEqualTo(Protocol.UNKNOWN);
        assertThat(ProtocolDetector.detect(new byte[] {(byte) 0xEF, (byte) 0xBB, '!', 'x'}))
                .isEqualTo(Protocol.UNKNOWN);
        assertThat(ProtocolDetector.detect("\uFEFF".getBytes(UTF_8))).isEqualTo(Protocol.UNKNOWN);
    }

    record Example(Protocol protocol, String wire) {}

    static List<Example> examplesOfTheDocuments() {
        List<Example> examples = new ArrayList<>();
        for (String slip : List.of(
                "@a3|f0|c1|S0|d1|T1|g1|k1|q2|t\"refactor_auth\"#",
                "@a3|f0|c1|S0|d1|T1|g1|k1|q2|t\"implement_auth\"#",
                "@a4|f1|c1|S1|d0|T2|g1|k1|q2|t\"plan_v1\"#",
                "@a1|f2|c1|S2|d0|T3|g1|k1|r1|u\"done\"|t\"exec_status\"#",
                "@a8|f3|c1|S3|d0|T4|g1|k1|s8|t\"ok\"#",
                "@a3|f0|c1|S0|d1|T1|g1|k1|t\"my_task\"#",
                "@a3|f0|c3|S0|d1|T1|gH|kg|q2|t\"refactor_auth\"#")) {
            examples.add(new Example(Protocol.SLIP, slip));
        }
        examples.add(
                new Example(
                        Protocol.SUBIT,
                        "{\n  \"type\": \"<MESSAGE_TYPE>\",\n  \"payload\": \"<SUBIT_SEQUENCE>\",\n  \"meta\": {\n"
                                + "      \"agent\": \"<id>\",\n      \"timestamp\": \"<iso8601>\",\n      \"session\": \"<id>\"\n  }\n}"));
        for (String csp : List.of(
                "CSP/1\nFROM <AGENT_ID>\nTO <AGENT_ID>\nCTX <STATE_VER|CHECKPOINT_ID>\nINTENT <PLAN|TASK|RESULT|ERROR|QUERY|PATCH|FILE|MEM>\n\n<BODY>",
                "CSP/1\nFROM MAIN\nTO CODE_EXP\nCTX C0\nINTENT TASK\n\nTASK T001\nREQ find auth middleware",
                "CSP/1\nFROM CODE_EXP\nTO MAIN\nCTX C0\nINTENT RESULT\n\nRESULT T001\nSTATUS OK",
                "CSP/1\nFROM CODE_EXP\nTO MAIN\nCTX C0\nINTENT ERROR\n\nERROR E001\nAT T001",
                "CSP/1;!prose;DATA ONLY\nRESULT{STATUS,DATA[file:line]}\nTASK REQ:<req> IN:<scope> OUT:<type>")) {
            examples.add(new Example(Protocol.CSP, csp));
        }
        for (String lambda : List.of(
                "@v0.6#id:abc123",
                "{ctx:shared_state,def:local_definitions}",
                "{v:0.6,id:msg001}",
                "{def:prj=\"Lambda language project\"}",
                "{ns:code}",
                "@v0.6#h !Aw/s ?Uc/la",
                "@v0.6#h< !Ic/la=0.6",
                "{def:ta=\"build Lambda skill\"}",
                "<ctx",
                "!I*d/ta",
                ">>",
                "<<",
                "><",
                "--",
                "<",
                "<+",
                "<-",
                "<?",
                "<!",
                "!er:pa",
                "!er:un",
                "!er:cx",
                "!er:to",
                "!er:ov",
                "!Ik/co[n12]",
                "!Ik/co",
                "!er:un/co",
                "{def:co=\"consciousness\"}!Ik/co",
                "@A1: !Ik",
                "@A*: !Ik",
                "@A1,A2: !Ik",
                "A1>A2>A3: !Ik",
                "{grp:council,mbr:[A1,A2,A3]}",
                "{key:value,key2:value2}",
                "[item1,item2,item3]",
                "{ta:[{n:\"task1\",st:ok},{n:\"task2\",st:wa}]}",
                "||h1|h2||r1c1|r1c2||r2c1|r2c2||",
                ".Uf/X{pr:^,ti:$60s}",
                "!fd/X{re:[...]}",
                "?X/co",
                "~X:th'em<pr/in",
                "<?em",
                "{def:em=\"emergence\"}",
                ">Ig/U[da]<Uw/[ti]",
                "<->Ig/U[da]<Uw/[re]",
                "!st{\n  ta:prj/la,\n  pr:75%,\n  bl:[er/pa],\n  ne:[def/v0.7]\n}",
                "{auth:sig/abc123}",
                "{enc:aes256}[encrypted_payload]",
                "A: !I*d/ta",
                "B: <ctx",
                "A: !Ik/co",
                "B: !er:un/co",
                "A: .Uf/X{pr:^,ti:$60s}",
                "A: ?X/co",
                "B: ~X:th'em<pr/in",
                "A: >Ig/U[da]<Uw/[ti]")) {
            examples.add(new Example(Protocol.LAMBDA, lambda));
        }
        return examples;
    }

    @ParameterizedTest
    @MethodSource("examplesOfTheDocuments")
    void everyExampleOfTheProtocolDocumentsIsKnown(Example example) {
        assertDetected(example.wire(), example.protocol());
    }

    @Test
    void anyBytesGiveAnAnswer() {
        long seed = Long.getLong("parley.seed", System.nanoTime());
        Random random = new Random(seed);
        byte[] alphabet = "@a3|#{}[]\"\\:,typepayload AB1_>*:?!.~<-CSP/SLIP v\u00ef\n\t".getBytes(UTF_8);
        for (int round = 0; round < ROUNDS; round++) {
            byte[] wire = new byte[random.nextInt(40)];
            for (int i = 0; i < wire.length; i++) {
                wire[i] = random.nextBoolean() ? alphabet[random.nextInt(alphabet.length)] : (byte) random.nextInt(256);
            }
            byte[] before = wire.clone();
            String what = "parley.seed=" + seed + " bytes " + HexFormat.of().formatHex(wire);
            Protocol protocol = answer(wire, what);
            assertThat(protocol).as(what).isNotNull();
            assertThat(wire).as(what).isEqualTo(before);
            requireReason(protocol, wire, what);
        }
    }

    private static Protocol answer(byte[] wire, String what) {
        try {
            return ProtocolDetector.detect(wire);
        } catch (RuntimeException e) {
            throw new AssertionError(what, e);
        }
    }

    /** What each answer implies about the text, said in another way than the detector does. */
    private static void requireReason(Protocol protocol, byte[] wire, String what) {
        String text = new String(wire, UTF_8);
        String plain = (text.startsWith("\uFEFF") ? text.substring(1) : text).replaceFirst("^[ \t\r\n]+", "");
        boolean slip = plain.matches("(?s)(@a[0-9A-Za-z]*[|#]|SLIP v).*");
        boolean csp = plain.startsWith("CSP/");
        boolean first = plain.matches("(?s)[?!.~><#@{\\-\\[|].*");
        boolean prefix = plain.matches("(?s)(pub|prv|sig):.*")
                || plain.matches("(?s)([A-Z]\\w*\\*?|\\*)(>([A-Z]\\w*\\*?|\\*))+:.*")
                || plain.matches("(?s)[A-Z]\\w*: [ \t\r\n]*[?!.~><#@].*");
        Protocol expected = csp
                ? Protocol.CSP
                : slip
                        ? Protocol.SLIP
                        : protocol == Protocol.SUBIT && plain.startsWith("{") && plain.contains("\"")
                                ? Protocol.SUBIT
                                : first || prefix ? Protocol.LAMBDA : Protocol.UNKNOWN;
        assertThat(protocol).as(what).isEqualTo(expected);
    }

    private static void assertDetected(String wire, Protocol protocol) {
        assertThat(ProtocolDetector.detect(wire.getBytes(UTF_8))).as(wire).isEqualTo(protocol);
    }
}
