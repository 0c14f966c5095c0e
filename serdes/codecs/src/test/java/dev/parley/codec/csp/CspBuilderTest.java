package dev.parley.codec.csp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.CspField;
import dev.parley.avro.CspMessage;
import dev.parley.codec.BuilderContract;
import dev.parley.codec.NoNulls;
import dev.parley.codec.WireCodec;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CspBuilderTest extends BuilderContract<CspBuilder<?>, CspMessage> {
    private static final CspMessages TO_BOB = CspMessages.of("ada", "bob", "C0");

    private final CspCodec codec = new CspCodec();

    @Override
    protected WireCodec<CspMessage> codec() {
        return codec;
    }

    @Override
    protected CspBuilder<?> start(Random random) {
        CspMessages messages =
                random.nextInt(4) > 0 ? TO_BOB : CspMessages.of(word(random), word(random), word(random));
        return switch (random.nextInt(8)) {
            case 0 -> messages.task(word(random), word(random));
            case 1 -> messages.result(word(random), random.nextInt(9) > 0 ? "PARTIAL" : text(random));
            case 2 -> messages.error(word(random), word(random));
            case 3 -> messages.patch(word(random), word(random), word(random));
            case 4 -> messages.file(word(random), word(random), word(random), text(random));
            case 5 -> messages.plan();
            case 6 -> messages.query();
            default -> messages.mem();
        };
    }

    @Override
    protected void call(CspBuilder<?> builder, Random random) {
        switch (random.nextInt(5)) {
            case 0 -> builder.header(key(random), text(random));
            case 1 -> builder.field(key(random), text(random));
            default -> callOfBlock(builder, random);
        }
    }

    private static String key(Random random) {
        return switch (random.nextInt(5)) {
            case 0 -> text(random);
            case 1 -> "DEF";
            case 2 -> CspBlock.values()[random.nextInt(CspBlock.values().length)].name();
            case 3 -> CspKey.values()[random.nextInt(CspKey.values().length)].name();
            default -> "X" + random.nextInt(5);
        };
    }

    private static void callOfBlock(CspBuilder<?> builder, Random random) {
        int choice = random.nextInt(4);
        if (builder instanceof CspBuilder.Task task) {
            switch (choice) {
                case 0 -> task.scope(text(random));
                case 1 -> task.output(text(random));
                case 2 -> task.owner(text(random));
                default -> task.priority(random.nextBoolean() ? "P3" : text(random));
            }
        } else if (builder instanceof CspBuilder.Result result) {
            switch (choice) {
                case 0 -> result.produced(text(random));
                default -> result.data(text(random));
            }
        } else if (builder instanceof CspBuilder.Error error) {
            switch (choice) {
                case 0 -> error.cause(text(random));
                default -> error.next(text(random));
            }
        } else if (builder instanceof CspBuilder.Patch patch) {
            switch (choice) {
                case 0 -> patch.add(word(random), text(random));
                case 1 -> patch.change(word(random), text(random));
                default -> patch.remove(word(random));
            }
        } else if (builder instanceof CspBuilder.File file) {
            file.operation(word(random));
        } else if (builder instanceof CspBuilder.FreeForm free) {
            switch (choice) {
                case 0 -> free.id(word(random));
                case 1 -> free.text(text(random));
                default -> free.data(text(random));
            }
        }
    }

    @Override
    protected CspBuilder<?> completed(CspBuilder<?> builder) {
        if (builder instanceof CspBuilder.Task task) {
            CspMessage said = task.message;
            task.scope(said.getScope() == null ? "" : said.getScope());
            task.output(said.getOutput() == null ? "" : said.getOutput());
            task.owner(said.getOwner() == null ? "" : said.getOwner());
            task.priority(said.getPriority() == null ? "P1" : said.getPriority());
        } else if (builder instanceof CspBuilder.Result result) {
            CspMessage said = result.message;
            result.produced(said.getProduced() == null ? "" : said.getProduced());
            result.data(said.getData() == null ? "" : said.getData());
        } else if (builder instanceof CspBuilder.Patch patch) {
            patch.remove("LAST");
        }
        return builder;
    }

    @Override
    protected CspMessage build(CspBuilder<?> builder) {
        return builder.build();
    }

    /** A value may read as a key that the block lacks. */
    @Override
    protected boolean mayContradictItself() {
        return true;
    }

    @Override
    protected boolean isLenientOnly(CspMessage message) {
        boolean free = CspBlock.of(message.getIntent()).isGeneric();
        return message.getHeaderFields().stream().anyMatch(CspBuilderTest::isUnknown)
                || (!free && message.getFields().stream().anyMatch(CspBuilderTest::isUnknown))
                || (message.getFileOperation() != null
                        && !message.getFileOperation().equals("PATCH"));
    }

    private static boolean isUnknown(CspField field) {
        return !CspUnknownKeys.isDefinition(field.getKey());
    }

    @Test
    void everyBlockIsBuilt() {
        assertThat(wire(TO_BOB.task("T1", "split it")
                        .scope("SRC")
                        .output("diff")
                        .owner("bob")
                        .priority("P1")))
                .isEqualTo("CSP/1\nFROM ada\nTO bob\nCTX C0\nINTENT TASK\n\nTASK T1\nREQ split it\nIN SRC\nOUT diff"
                        + "\nOWNER bob\nPRIORITY P1");
        assertThat(wire(TO_BOB.result("T1", "OK").data("line 1\nREQ 2").produced("diff")))
                .endsWith("\n\nRESULT T1\nSTATUS OK\nPRODUCED diff\nDATA line 1\nREQ 2");
        assertThat(wire(TO_BOB.error("E1", "T1").next("retry").cause("no disk")))
                .endsWith("\n\nERROR E1\nAT T1\nCAUSE no disk\nNEXT retry");
        assertThat(wire(TO_BOB.patch("P1", "C0", "C1")
                        .add("GOAL", "ship")
                        .change("TTL", "")
                        .remove("OLD")))
                .endsWith("\n\nPATCH P1\nBASE C0\n+ DEF GOAL = ship\n~ DEF TTL :=\n- DEF OLD\nAPPLY -> C1");
        assertThat(wire(TO_BOB.file("F1", "src/a.ts", "1f3", "-a\n+b\n")))
                .endsWith("\n\nFILEOP F1 PATCH\nPATH src/a.ts\nBASE 1f3\nCONTENT\n<<<\n-a\n+b\n\n>>>");
        assertThat(wire(TO_BOB.file("F1", "src/a.ts", "1f3", "x")
                        .operation("MOVE")
                        .header("VIA", "hub")))
                .contains("\nVIA hub\n")
                .endsWith("\n\nFILEOP F1 MOVE\nPATH src/a.ts\nBASE 1f3\nCONTENT\n<<<\nx\n>>>");
        assertThat(wire(TO_BOB.plan()
                        .id("P1")
                        .text("first\nthen")
                        .field("STEP", "1")
                        .field("STEP", "2")))
                .endsWith("\n\nPLAN P1\nfirst\nthen\nSTEP 1\nSTEP 2");
        assertThat(wire(TO_BOB.query().field("ASK", "why?"))).endsWith("\n\nQUERY\nASK why?");
        assertThat(wire(TO_BOB.mem().data("x\n\ny").field("KEEP", "30d"))).endsWith("\n\nMEM\nKEEP 30d\nDATA x\n\ny");
        assertThat(wire(TO_BOB.query().header("VIA", "hub").field("DEF", "A = b")))
                .contains("\nINTENT QUERY\nVIA hub\n\nQUERY\nDEF A = b");
    }

    @Test
    void aRefusedValueIsReportedWithItsFieldAndReason() {
        requireRefused(() -> CspMessages.of("", "bob", "C0"), "FROM", "empty");
        requireRefused(() -> CspMessages.of("ada", " ,", "C0"), "recipient", "must not start with a space");
        requireRefused(() -> CspMessages.of("ada", ",,", "C0"), "recipient", "must name an agent");
        requireRefused(() -> CspMessages.of("ada", "bob", "C0\nINTENT TASK"), "ctx", "line feed, at character 2");
        requireRefused(() -> TO_BOB.task("T 1", "x"), "id", "space, at character 1");
        requireRefused(() -> TO_BOB.task("T1", ""), "REQ", "must describe the work");
        requireRefused(() -> TO_BOB.task("T1", "x\nOWNER eve"), "REQ", "reads as a key, at character 2");
        requireRefused(() -> TO_BOB.task("T1", "x").priority("P0"), "PRIORITY", "P1, P2 or P3");
        requireRefused(() -> TO_BOB.task("T1", "x").owner("b\t"), "OWNER", "tab, at character 1");
        requireRefused(() -> TO_BOB.result("T1", "DONE"), "STATUS", "OK, PARTIAL or FAIL");
        requireRefused(() -> TO_BOB.result("T1", "OK").data("x\n"), "DATA", "must not end with white space");
        requireRefused(() -> TO_BOB.error("E1", "x").cause("x \ny"), "CAUSE", "end of a line, at character 1");
        requireRefused(() -> TO_BOB.error("E1", "x\ny"), "AT", "line feed, at character 1");
        requireRefused(() -> TO_BOB.patch("P1", "C0", "C0"), "target", "differ from the base");
        requireRefused(() -> TO_BOB.patch("P1", "", "C0"), "BASE", "must name its base");
        requireRefused(() -> TO_BOB.patch("P1", "C0", "C 1"), "APPLY", "one name");
        requireRefused(() -> patch().add("A B", "x"), "operations", "character 1");
        requireRefused(() -> patch().add(":=", "x"), "operations", "one name");
        requireRefused(() -> patch().add("A", "x\n- DEF B"), "operations", "line feed, at character 1");
        requireRefused(() -> patch().add("A", "x").remove("A"), "operations", "A twice");
        requireRefused(() -> patch().field("DEF", "A = x"), "fields", "DEF line in a patch");
        requireRefused(() -> patch().field("NOTE", "x\n- DEF B"), "fields", "operation, at character 2");
        requireRefused(() -> TO_BOB.file("F1", "p", "b", "x\n>>>\ny"), "content", "line >>>, at character 2");
        requireRefused(() -> TO_BOB.plan().field("DATA", "x"), "fields", "DATA");
        requireRefused(() -> TO_BOB.plan().field("TASK", "T1"), "fields", "second block TASK");
        requireRefused(() -> TO_BOB.plan().text("x\nSTEP 1"), "fields", "key");
        requireRefused(() -> TO_BOB.plan().header("TO", "eve"), "headerFields", "key TO");
        requireRefused(() -> TO_BOB.plan().header("V", "1").header("V", "2"), "headerFields", "V twice");
    }

    @Test
    void aValueThatReadsAsAnotherKeyIsNotBuilt() {
        requireRefused(() -> TO_BOB.error("E1", "T1").cause("x\n  NEXT y").build(), "NEXT must be in upper case");
        assertThat(TO_BOB.error("E1", "T1")
                        .cause("x\n  NEXT y")
                        .next("z")
                        .build()
                        .getCause())
                .isEqualTo("x\n  NEXT y");
    }

    @Test
    void aNameIsOneNameAndFilledIn() {
        requireRefused(() -> CspMessages.of("a, b", "c", "C0"), "sender", "one name");
        requireRefused(() -> CspMessages.of("a", "b, <c>", "C0"), "recipient", "one name");
        requireRefused(() -> CspMessages.of("a", "b", "C0."), "ctx", "one name");
        requireRefused(() -> TO_BOB.task("T1:", "x"), "id", "one name");
        requireRefused(() -> TO_BOB.query().id("[Q1]"), "id", "one name");
        requireRefused(() -> TO_BOB.error("E1", ": T1"), "AT", "a space must follow it");
        requireRefused(() -> TO_BOB.error("E1", "T1, T2"), "AT", "one name");
        requireRefused(() -> TO_BOB.error("E1", "T1 CAUSE x"), "AT", "one name");
        requireRefused(() -> CspMessages.of("null", "b", "C0"), "sender", "one name");
        requireRefused(() -> TO_BOB.patch("P1", "C0.", "C1"), "BASE", "one name");
        requireRefused(() -> TO_BOB.patch("P1", "C0", "C1;"), "APPLY", "one name");
        requireRefused(() -> TO_BOB.patch("P1", "C0", "C1").add("“GOAL”", "x"), "operations", "one name");
        requireRefused(() -> TO_BOB.task("T1", "<what to do>"), "REQ", "placeholder");
        requireRefused(() -> TO_BOB.result("T1", "OK").data("<content>"), "DATA", "placeholder");
    }

    @Test
    void aBlockWithoutARequiredKeyIsNotBuilt() {
        requireRefused(() -> TO_BOB.task("T1", "x").build(), "CSP_MISSING_FIELD", "IN");
        requireRefused(
                () -> TO_BOB.task("T1", "x").scope("").output("").owner("").build(), "CSP_MISSING_FIELD", "PRIORITY");
        requireRefused(() -> TO_BOB.result("T1", "OK").produced("x").build(), "CSP_MISSING_FIELD", "DATA");
        requireRefused(() -> patch().build(), "CSP_EMPTY_PATCH");
    }

    @Test
    void anUnknownKeyDoesNotExcuseAMissingOne() {
        requireRefused(() -> TO_BOB.task("T1", "x").header("VIA", "hub").build(), "CSP_MISSING_FIELD", "IN");
        requireRefused(
                () -> TO_BOB.result("T1", "OK").field("NOTE", "x").produced("y").build(), "CSP_MISSING_FIELD", "DATA");
        requireRefused(() -> patch().field("NOTE", "x").build(), "CSP_EMPTY_PATCH");
    }

    @Test
    void nullTextIsRefused() {
        NoNulls.areTaken(CspMessages.class, TO_BOB);
        NoNulls.areTaken(CspBuilder.Task.class, TO_BOB.task("T1", "x"));
        NoNulls.areTaken(CspBuilder.Result.class, TO_BOB.result("T1", "OK"));
        NoNulls.areTaken(CspBuilder.Error.class, TO_BOB.error("E1", "T1"));
        NoNulls.areTaken(CspBuilder.Patch.class, patch());
        NoNulls.areTaken(CspBuilder.File.class, TO_BOB.file("F1", "p", "b", "x"));
        NoNulls.areTaken(CspBuilder.FreeForm.class, TO_BOB.plan());
    }

    @Test
    void aPatchBeyondTheLimitsIsNotBuilt() {
        CspBuilder.Patch builder = patch();
        for (int i = 0; i <= 10_000; i++) {
            builder.remove("N" + i);
        }

        requireRefused(builder::build, "TOO_MANY_FIELDS");
    }

    @Test
    void aBuiltMessageIsNotChangedByItsBuilder() {
        requireIndependent(patch().remove("A"), builder -> ((CspBuilder.Patch) builder).remove("B"));
    }

    private String wire(CspBuilder<?> builder) {
        CspMessage message = builder.build();
        requireRoundTrip(message);
        return new String(codec.encode(message), UTF_8);
    }

    private static CspBuilder.Patch patch() {
        return TO_BOB.patch("P1", "C0", "C1");
    }
}
