package dev.parley.codec.csp;

import static dev.parley.codec.csp.CspSamples.ERROR;
import static dev.parley.codec.csp.CspSamples.FILE;
import static dev.parley.codec.csp.CspSamples.PATCH;
import static dev.parley.codec.csp.CspSamples.RESULT;
import static dev.parley.codec.csp.CspSamples.TASK;
import static dev.parley.codec.csp.CspSamples.head;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.parley.avro.CspField;
import dev.parley.avro.CspIntent;
import dev.parley.avro.CspMessage;
import dev.parley.avro.CspOperation;
import dev.parley.avro.CspOperator;
import dev.parley.avro.Performative;
import dev.parley.avro.Reference;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult;
import dev.parley.codec.DecodeResult.Decoded;
import dev.parley.codec.Traits;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class CspCodecTest {
    private final CspCodec codec = new CspCodec();

    @ParameterizedTest
    @MethodSource
    void everyExampleOfTheDocumentIsFaultless(String wire) {
        Decoded<CspMessage> read = (Decoded<CspMessage>) codec.decode(wire.getBytes(UTF_8), DecodeOptions.STRICT);
        assertThat(read.warnings()).isEmpty();
        assertThat(read.violations()).isEmpty();
        assertThat(encoded(read.message())).isEqualTo(wire);
    }

    static Stream<String> everyExampleOfTheDocumentIsFaultless() {
        return Stream.of(TASK, RESULT, ERROR, PATCH, FILE);
    }

    @Test
    void aTaskHasItsKeysInFieldsOfTheirOwn() {
        CspMessage task = decoded(TASK);
        assertThat(task.getIntent()).isEqualTo(CspIntent.TASK);
        assertThat(task.getSender()).isEqualTo("MAIN");
        assertThat(task.getRecipient()).isEqualTo("CODE_EXP");
        assertThat(task.getCtx()).isEqualTo("C0");
        assertThat(task.getId()).isEqualTo("T001");
        assertThat(task.getRequest()).isEqualTo("find auth middleware");
        assertThat(task.getScope()).isEqualTo("SRC,LIB");
        assertThat(task.getOutput()).isEqualTo("FILE_REFS");
        assertThat(task.getOwner()).isEqualTo("CODE_EXP");
        assertThat(task.getPriority()).isEqualTo("P1");
        assertThat(task.getStatus()).isNull();
        assertThat(task.getHeaderFields()).isEmpty();
        assertThat(task.getFields()).isEmpty();
        assertThat(task.getKeyOrder()).isEmpty();
    }

    @Test
    void aResultAndAnErrorHaveTheirKeysInFieldsOfTheirOwn() {
        CspMessage result = decoded(RESULT);
        assertThat(result.getStatus()).isEqualTo("OK");
        assertThat(result.getProduced()).isEqualTo("FILE_REFS_001");
        assertThat(result.getData()).isEqualTo("src/middleware/auth.ts:24-67;lib/utils/jwt.ts:12-45");

        CspMessage error = decoded(ERROR);
        assertThat(error.getErrorAt()).isEqualTo("T001");
        assertThat(error.getCause()).isEqualTo("no matches found in SRC,LIB");
        assertThat(error.getNextAction()).isEqualTo("try broader scope or different keywords");
    }

    @Test
    void aPatchHasItsOperationsInOrder() {
        CspMessage patch = decoded(PATCH);
        assertThat(patch.getBase()).isEqualTo("C0");
        assertThat(patch.getTarget()).isEqualTo("C1");
        assertThat(patch.getOperations())
                .containsExactly(
                        new CspOperation(CspOperator.ADD, "NEW_ITEM", "value"),
                        new CspOperation(CspOperator.CHANGE, "OLD_ITEM", "new_value"),
                        new CspOperation(CspOperator.REMOVE, "REMOVED_ITEM", null));
        assertThat(patch.getKeyOrder()).isEmpty();
    }

    @Test
    void theOrderOfAPatchIsKeptWithAPlusForEachOperation() {
        CspMessage patch = decoded(head("PATCH") + "PATCH P1\nAPPLY -> C1\n+ DEF A = b\nWHY x\n- DEF B\nBASE C0");
        assertThat(patch.getKeyOrder()).containsExactly("APPLY", "+", "WHY", "+", "BASE");
        assertThat(patch.getFields()).containsExactly(new CspField("WHY", "x"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "+ DEF A = b|A|b",
                "+ DEF A = b = c := d|A|b = c := d",
                "+ DEF A = \"q = r\"  |A|\"q = r\"",
                "+ DEF A =  two blanks|A| two blanks",
                "+ DEF A =|A|''",
                "+ DEF A = |A|''",
                "+   DEF   A   = b|A|b",
                "+ DEF A=B = c|A=B|c",
                "~ DEF A := b = c|A|b = c",
                "~ DEF A :=|A|''",
                "~ DEF A = b := c|A|b := c",
                "+ DEF ärger = ü|ärger|ü"
            })
    void theFirstSignBetweenBlanksEndsTheName(String line, String name, String value) {
        CspMessage patch = decoded(head("PATCH") + "PATCH P1\nBASE C0\n" + line + "\nAPPLY -> C1");
        CspOperation operation = patch.getOperations().get(0);
        assertThat(operation.getOperator()).isEqualTo(line.startsWith("+") ? CspOperator.ADD : CspOperator.CHANGE);
        assertThat(operation.getName()).isEqualTo(name);
        assertThat(operation.getValue()).isEqualTo(value);
    }

    @Test
    void aTabInAValueReadsAsABlank() {
        assertThat(decoded(TASK.replace("find auth", "\tfind\tauth\t\t")).getRequest())
                .isEqualTo("find auth   middleware");
        assertThat(decoded(RESULT + "\n\ta\tb").getData()).endsWith("\n a b");
        assertThat(decoded(PATCH.replace("= value", "=\ta\tb"))
                        .getOperations()
                        .get(0)
                        .getValue())
                .isEqualTo("a b");
    }

    @ParameterizedTest
    @MethodSource
    void theLinesOfAHeredocAreKeptByteForByte(String lines, String content, boolean heredoc) {
        String wire = head("FILE") + "FILEOP F1 PATCH\nPATH p\nBASE h\nCONTENT\n<<<\n" + lines + ">>>";
        CspMessage file = decoded(wire);
        assertThat(file.getContent()).isEqualTo(content);
        assertThat(file.getContentHeredoc()).isEqualTo(heredoc);
        assertThat(encoded(file)).isEqualTo(wire);
    }

    static Stream<Arguments> theLinesOfAHeredocAreKeptByteForByte() {
        return Stream.of(
                arguments("", "", false),
                arguments("\n", "", true),
                arguments("\n\n", "\n", true),
                arguments("a\n", "a", true),
                arguments("a\r\n\tb \r\n", "a\r\n\tb \r", true),
                arguments(
                        ">>>>\n >>>\n>>> x\n>>> \n+ DEF A = b\n- DEF A\nFROM X\n\nCSP/1\n",
                        ">>>>\n >>>\n>>> x\n>>> \n+ DEF A = b\n- DEF A\nFROM X\n\nCSP/1",
                        true),
                arguments("CONTENT\n<<<\n", "CONTENT\n<<<", true));
    }

    @Test
    void dataQuotesALogOfOtherMessages() {
        String log = TASK + "\n\n" + RESULT + "\nDATA x\n>>>";
        String wire = head("RESULT") + "RESULT T001\nSTATUS OK\nPRODUCED LOG\nDATA " + log;
        assertThat(decoded(wire + "\n \r\n\t\n").getData()).isEqualTo(log);
        assertThat(encoded(decoded(wire))).isEqualTo(wire);
    }

    @Test
    void aContinuedValueKeepsItsLines() {
        CspMessage task = decoded(TASK.replace("\nIN SRC", "\nand\n\n  indented  \nFrom x\n\nIN SRC"));
        assertThat(task.getRequest()).isEqualTo("find auth middleware\nand\n\n  indented\nFrom x");
        assertThat(task.getScope()).isEqualTo("SRC,LIB");
    }

    @Test
    void aBlockWithoutGrammarKeepsItsKeysInOrder() {
        CspMessage plan = decoded(head("PLAN") + "PLAN\nSTEP read\nREQ x\nSTEP write\n  twice");
        assertThat(plan.getId()).isNull();
        assertThat(plan.getRequest()).isNull();
        assertThat(plan.getFields())
                .containsExactly(
                        new CspField("STEP", "read"), new CspField("REQ", "x"), new CspField("STEP", "write\n  twice"));
    }

    @Test
    void textAfterTheIdStandsUnderTheNameOfTheBlock() {
        CspMessage query = decoded(head("QUERY") + "DEF A = b\nQUERY Q1 where is it?\nand why?");
        assertThat(query.getId()).isEqualTo("Q1");
        assertThat(query.getFields())
                .containsExactly(new CspField("QUERY", "where is it?\nand why?"), new CspField("DEF", "A = b"));
    }

    @Test
    void lawsAreOneValueOfManyLines() {
        assertThat(decoded(TASK + "\nLAWS\n- L1: one\n- L2: two\nLAWS x").getFields())
                .containsExactly(new CspField("LAWS", "\n- L1: one\n- L2: two"), new CspField("LAWS", "x"));
    }

    @Test
    void keysInAnyOrderComeBackByteForByte() {
        long seed = Objects.requireNonNullElseGet(Long.getLong("parley.seed"), System::nanoTime);
        Random random = new Random(seed);
        for (int round = 0; round < 500; round++) {
            List<String> wires = List.of(
                    shuffled("TASK", "TASK T1", random, "REQ x", "IN a", "OUT", "OWNER B", "PRIORITY P1", "NOTE n\n o"),
                    shuffled("ERROR", "ERROR E1", random, "AT T1", "CAUSE\nx", "NEXT y", "DEF A = b", "DEF C"),
                    shuffled("FILE", "FILEOP F1 MOVE", random, "PATH x", "BASE h", "TARGET t"),
                    shuffled("PATCH", "PATCH P1", random, "BASE C0", "+ DEF A = b", "- DEF C", "APPLY -> C1", "WHY x"));
            for (String wire : wires) {
                assertThat(encoded(decoded(wire)))
                        .as("replay with -Dparley.seed=%d", seed)
                        .isEqualTo(wire);
            }
        }
    }

    private static String shuffled(String intent, String first, Random random, String... keys) {
        List<String> body = Arrays.asList(keys);
        Collections.shuffle(body, random);
        return head(intent) + first + "\n" + String.join("\n", body);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "VIA x\nINTENT MEM\nDEF P = q\nCTX C0\nTO B\nFROM A",
                "FROM A\nTO B\nVIA x\nCTX C0\nDEF P = q\nINTENT MEM",
                "FROM A\nTO B\nCTX C0\nINTENT MEM\nVIA x\nDEF P = q"
            })
    void theCanonicalHeaderHasTheOrderOfTheDocumentWithUnknownKeysAfterIntent(String header) {
        assertThat(encoded(decoded("CSP/1\n" + header + "\n\nMEM\nNODE n")))
                .isEqualTo("CSP/1\nFROM A\nTO B\nCTX C0\nINTENT MEM\nVIA x\nDEF P = q\n\nMEM\nNODE n");
    }

    @Test
    void aRecordLacksNothingThatAvroAsksFor() throws Exception {
        for (String wire : CspSamples.CANONICAL) {
            CspMessage message = decoded(wire);
            assertThat(message.toByteBuffer().remaining()).isPositive();
        }
    }

    @Test
    void aCarriageReturnThatEndsNoLineReadsAsABlank() {
        assertThat(decoded(TASK.replace("REQ find auth", "REQ\r\rfind\rauth")).getRequest())
                .isEqualTo("find auth middleware");
        assertThat(decoded(RESULT + "\r\r\na\rb\r \r\n\rc\r\r").getData()).endsWith("45\na b  \n c");
    }

    @ParameterizedTest
    @MethodSource
    void aMessageSaysWhatItDoes(String wire, Performative performative, String replyTo, List<Reference> references) {
        Traits traits = codec.traits(decoded(wire));
        assertThat(traits.conversation()).isNull();
        assertThat(traits.senderHint()).isNull();
        assertThat(traits.performative()).isEqualTo(performative);
        assertThat(traits.replyTo()).isEqualTo(replyTo);
        assertThat(traits.references()).isEqualTo(references);
    }

    static Stream<Arguments> aMessageSaysWhatItDoes() {
        Reference state = new Reference("state", "C0");
        return Stream.of(
                arguments(TASK, Performative.REQUEST, null, List.of(state, new Reference("task", "T001"))),
                arguments(RESULT, Performative.RESULT, "T001", List.of(state, new Reference("task", "T001"))),
                arguments(ERROR, Performative.FAILURE, "T001", List.of(state, new Reference("error", "E001"))),
                arguments(
                        head("ERROR") + "ERROR E1",
                        Performative.FAILURE,
                        null,
                        List.of(state, new Reference("error", "E1"))),
                arguments(
                        PATCH,
                        Performative.PATCH,
                        null,
                        List.of(
                                state,
                                new Reference("patch", "P001"),
                                new Reference("base", "C0"),
                                new Reference("target", "C1"))),
                arguments(FILE, Performative.PATCH, null, List.of(state)),
                arguments(head("MEM") + "MEM M1", Performative.PATCH, null, List.of(state)),
                arguments(head("PLAN") + "PLAN", Performative.PROPOSE, null, List.of(state)),
                arguments(head("QUERY") + "QUERY", Performative.ASK, null, List.of(state)),
                arguments(
                        head("QUERY") + "QUERY Q1",
                        Performative.ASK,
                        null,
                        List.of(state, new Reference("task", "Q1"))));
    }

    @Test
    void theRecipientsAreTheAgentsOfTo() {
        assertThat(codec.traits(decoded(TASK)).sender()).isEqualTo("MAIN");
        assertThat(codec.traits(decoded(TASK)).recipients()).containsExactly("CODE_EXP");
        CspMessage many = decoded(TASK.replace("TO CODE_EXP", "TO A , B,,C D,"));
        assertThat(many.getRecipient()).isEqualTo("A , B,,C D,");
        assertThat(codec.traits(many).recipients()).containsExactly("A", "B", "C D");
    }

    @ParameterizedTest
    @MethodSource
    void aRecordThatCannotBeSaidIsRefusedByTheNameOfItsField(String wire, Consumer<CspMessage> change, String field) {
        CspMessage message = decoded(wire);
        change.accept(message);
        assertThatThrownBy(() -> codec.encode(message))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(field);
    }

    static Stream<Arguments> aRecordThatCannotBeSaidIsRefusedByTheNameOfItsField() {
        return Stream.of(
                refused(TASK, message -> message.setIntent(CspIntent.UNKNOWN), "intent"),
                refused(TASK, message -> message.setIntent(CspIntent.QUERY), "REQ"),
                refused(TASK, message -> message.setSender("A\nTO B"), "sender"),
                refused(TASK, message -> message.setSender(""), "FROM"),
                refused(TASK, message -> message.setRecipient(", ,"), "recipient"),
                refused(TASK, message -> message.setCtx(" C0"), "ctx"),
                refused(TASK, message -> message.setCtx("C0\t"), "ctx"),
                refused(TASK, message -> message.setId("T 1"), "id"),
                refused(TASK, message -> message.setId(null), "id"),
                refused(TASK, message -> message.setRequest(null), "request"),
                refused(TASK, message -> message.setRequest("x\nIN y"), "REQ"),
                refused(TASK, message -> message.setRequest("x\n"), "REQ"),
                refused(TASK, message -> message.setRequest("x \ny"), "REQ"),
                refused(TASK, message -> message.setOwner("\uD800"), "OWNER"),
                refused(TASK, message -> message.setStatus("OK"), "STATUS"),
                refused(TASK, message -> message.setTarget("C1"), "APPLY"),
                refused(TASK, message -> message.setFields(List.of(new CspField("note", "x"))), "fields"),
                refused(TASK, message -> message.setFields(List.of(new CspField("REQ", "x"))), "fields"),
                refused(TASK, message -> message.setFields(List.of(new CspField("RESULT", "x"))), "fields"),
                refused(TASK, message -> message.setKeyOrder(List.of("REQ")), "keyOrder"),
                refused(TASK, message -> message.setKeyOrder(List.of("REQ", "REQ")), "keyOrder"),
                refused(TASK, message -> message.setHeaderFields(List.of(new CspField("via", "x"))), "headerFields"),
                refused(TASK, message -> message.setHeaderFields(List.of(new CspField("TASK", "x"))), "headerFields"),
                refused(RESULT, message -> message.setStatus("ok"), "status"),
                refused(RESULT, message -> message.setData("x\n"), "data"),
                refused(RESULT, message -> message.setData("x\ty"), "data"),
                refused(RESULT, message -> message.setData("x\r\ny"), "data"),
                refused(RESULT, message -> message.setKeyOrder(List.of("DATA", "STATUS", "PRODUCED")), "keyOrder"),
                refused(PATCH, message -> message.setTarget("C 1"), "target"),
                refused(PATCH, message -> message.setBase(""), "base"),
                refused(PATCH, message -> message.setFields(List.of(new CspField("DEF", "A = b"))), "fields"),
                refused(PATCH, message -> message.getOperations().get(0).setName("="), "operations"),
                refused(PATCH, message -> message.getOperations().get(0).setName("A B"), "operations"),
                refused(PATCH, message -> message.getOperations().get(0).setValue("a\nb"), "operations"),
                refused(PATCH, message -> message.getOperations().get(0).setValue(null), "operations"),
                refused(PATCH, message -> message.getOperations().get(2).setValue("a"), "operations"),
                refused(FILE, message -> message.setContent("a\n>>>\nb"), "content"),
                refused(FILE, message -> message.setContent(">>>\r"), "content"),
                refused(FILE, message -> message.setContentHeredoc(false), "content"),
                refused(FILE, message -> message.setContent(null), "content"));
    }

    private static Arguments refused(String wire, Consumer<CspMessage> change, String field) {
        return arguments(wire, change, field);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SRC = src/|SRC",
                "SRC := src/|SRC",
                "SRC =|SRC",
                "SRC :=|SRC",
                "A=B = c|A=B",
                "SRC|SRC",
                "SRC src/|SRC",
                "A = b := c|A",
                "'A\n= b'|A",
                "''|''"
            })
    void aDefLineGivesAName(String value, String name) {
        assertThat(CspDefinitions.name(value)).isEqualTo(name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"P001", "P1", "p1", "00", "T-1/x", "é"})
    void idsAreOpaque(String id) {
        assertThat(decoded(TASK.replace("T001", id)).getId()).isEqualTo(id);
    }

    private CspMessage decoded(String wire) {
        DecodeResult<CspMessage> result = codec.decode(wire.getBytes(UTF_8), DecodeOptions.LENIENT);
        assertThat(result).isInstanceOf(Decoded.class);
        return ((Decoded<CspMessage>) result).message();
    }

    private String encoded(CspMessage message) {
        return new String(codec.encode(message), UTF_8);
    }
}
