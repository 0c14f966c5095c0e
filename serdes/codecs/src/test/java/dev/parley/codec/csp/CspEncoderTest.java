package dev.parley.codec.csp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.parley.avro.CspField;
import dev.parley.avro.CspMessage;
import dev.parley.avro.CspOperation;
import dev.parley.avro.CspOperator;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult.Decoded;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Tests constructed and changed records: unrepresentable ones are refused, and all others round-trip. */
class CspEncoderTest {
    private static final String HEAD = "CSP/1\nFROM ada\nTO bob\nCTX C0\nINTENT ";
    private static final String TASK =
            HEAD + "TASK\n\nTASK T1\nREQ find it\nIN src/\nOUT report\nOWNER bob\nPRIORITY P1";
    private static final String RESULT = HEAD + "RESULT\n\nRESULT T1\nSTATUS OK\nPRODUCED x\nDATA y";
    private static final String QUERY = HEAD + "QUERY\n\nQUERY Q1";
    private static final String FILE = HEAD + "FILE\n\nFILEOP F1 PATCH\nPATH p\nBASE b\nCONTENT\n<<<\nx\n>>>";
    private static final String PATCH = HEAD + "PATCH\n\nPATCH P1\nBASE C0\n+ DEF A = 1\n- DEF B\nAPPLY -> C1";

    private final CspCodec codec = new CspCodec();

    @Test
    void aKeyMayBeRepeatedOnlyIfItDefines() {
        refuses(TASK, m -> m.setHeaderFields(List.of(field("V", "1"), field("V", "1"))), "V 1: This key is repeated.");
        refuses(
                TASK,
                m -> m.setFields(List.of(field("NOTE", "1"), field("NOTE", "2"))),
                "NOTE 2: This key is repeated.");
        says(TASK, m -> m.setHeaderFields(List.of(field("DEF", "A = 1"), field("DEF", "B = 2"), field("V", "1"))));
        says(TASK, m -> m.setHeaderFields(List.of(field("V", "1"), field("W", "1"))));
        says(TASK, m -> m.setFields(List.of(field("V", "1"), field("DEF", "A = 1"), field("DEF", "A = 1"))));
        says(QUERY, m -> m.setFields(List.of(field("NOTE", "1"), field("NOTE", "1"))));
        says(TASK, m -> {
            m.setHeaderFields(List.of(field("V", "1")));
            m.setFields(List.of(field("V", "1")));
        });
    }

    @Test
    void textOfTheFirstLineFollowsTheId() {
        String complaint = " would decode as ";
        says(TASK, m -> m.setFields(List.of(field("TASK", "and more"))));
        says(TASK, m -> m.setFields(List.of(field("TASK", "\nand more"))));
        says(QUERY, m -> m.setFields(List.of(field("QUERY", "and more"), field("NOTE", "x"))));
        says(FILE, m -> m.setFields(List.of(field("FILEOP", "and more"))));
        refuses(
                FILE,
                m -> {
                    m.setFileOperation(null);
                    m.setFields(List.of(field("FILEOP", "and more")));
                },
                complaint);
        refuses(TASK, m -> m.setFields(List.of(field("TASK", ""))), complaint);
        refuses(
                QUERY,
                m -> {
                    m.setId(null);
                    m.setFields(List.of(field("QUERY", "and more")));
                },
                complaint);
        says(QUERY, m -> {
            m.setId(null);
            m.setFields(List.of(field("QUERY", "\nand more")));
        });
    }

    @Test
    void aLineOfAPatchMustBeAnOperation() {
        refuses(
                PATCH,
                m -> m.setFields(List.of(field("PATCH", "\n+ DEF C = 3"))),
                "fields must not contain a line that reads as an operation");
        refuses(
                PATCH,
                m -> m.setFields(List.of(field("NOTE", "x\n- DEF A"))),
                "fields must not contain a line that reads as an operation");
        says(TASK, m -> m.setFields(List.of(field("TASK", "\n+ DEF C = 3"))));
        says(TASK, m -> m.setFields(List.of(field("NOTE", "x\n- DEF A"))));
    }

    @Test
    void aBlockHasItsRequiredKeysAndNoOthers() {
        refuses(TASK, m -> m.setId(null), "The first line of the block must contain an ID.");
        refuses(
                TASK,
                m -> m.setOperations(List.of(new CspOperation(CspOperator.ADD, "A", "1"))),
                "operations must be absent in the block TASK");
        refuses(PATCH, m -> m.setFileOperation("PATCH"), "fileOperation must be absent in the block PATCH");
        refuses(TASK, m -> m.setContentHeredoc(true), "contentHeredoc must be absent in the block TASK");
        refuses(TASK, m -> m.setRequest(null), "A TASK must describe the work in REQ.");
        refuses(TASK, m -> m.setRequest(""), "A TASK must describe the work in REQ.");
        refuses(RESULT, m -> m.setStatus(null), "A RESULT must have a STATUS: OK, PARTIAL or FAIL.");
        refuses(RESULT, m -> m.setStatus("GOOD"), "A RESULT must have a STATUS: OK, PARTIAL or FAIL.");
        refuses(PATCH, m -> m.setBase(null), "A PATCH must name its base checkpoint in BASE.");
        refuses(PATCH, m -> m.setTarget(null), "A PATCH must have a line APPLY -> with its target checkpoint.");
        refuses(
                FILE,
                m -> {
                    m.setContent(null);
                    m.setContentHeredoc(false);
                },
                "A FILEOP must have CONTENT between lines <<< and >>>.");
        refuses(
                FILE,
                m -> {
                    m.setContent(null);
                    m.setContentHeredoc(false);
                    m.setFileOperation(null);
                },
                "A FILEOP must have CONTENT between lines <<< and >>>.");
        says(FILE, m -> {
            m.setContent(null);
            m.setContentHeredoc(false);
            m.setFileOperation("MOVE");
        });
    }

    @Test
    void aValueMustNotReadAsAnotherKey() {
        String complaint = " must be in upper case at the start of a line of its own";
        refuses(TASK, m -> m.setRequest("x\nIN: y"), "IN" + complaint);
        refuses(
                TASK,
                m -> {
                    m.setScope(null);
                    m.setRequest("x IN: y");
                },
                "IN" + complaint);
        refuses(TASK, m -> m.setOwner("= bob"), "OWNER" + complaint);
        refuses(TASK, m -> m.setId(":T1"), "TASK :T1: A space and an ID must follow TASK.");
        refuses(
                TASK,
                m -> {
                    m.setScope(null);
                    m.setRequest("x\n  IN y");
                },
                "IN" + complaint);
        refuses(
                TASK,
                m -> {
                    m.setScope(null);
                    m.setFields(List.of(field("NOTE", "x\nin: y")));
                },
                "IN" + complaint);
        refuses(
                TASK,
                m -> {
                    m.setScope(null);
                    m.setFields(List.of(field("TASK", "IN y")));
                },
                "IN" + complaint);
        refuses(
                TASK,
                m -> {
                    m.setPriority(null);
                    m.setOwner("bob PRIORITY P1");
                },
                "PRIORITY" + complaint);
        says(TASK, m -> m.setRequest("x\n  IN y\nin: y"));
        says(TASK, m -> m.setOwner("bob PRIORITY P1"));
    }

    @Test
    void aPlaceholderIsNoValue() {
        refuses(TASK, m -> m.setSender("<AGENT_ID>"), "FROM <AGENT_ID>: This is a placeholder of a template.");
        refuses(
                TASK,
                m -> m.setRecipient("bob, <AGENT_ID>"),
                "TO bob, <AGENT_ID>: This is a placeholder of a template.");
        refuses(TASK, m -> m.setId("<ID>"), "TASK <ID>: This is a placeholder of a template.");
        refuses(TASK, m -> m.setRequest("<what to do>"), "This is a placeholder of a template.");
        refuses(TASK, m -> m.setPriority("P1|P2|P3"), "This is a placeholder of a template.");
        refuses(
                PATCH,
                m -> m.setOperations(List.of(new CspOperation(CspOperator.ADD, "{name}", "1"))),
                "+ DEF {name} = 1: This is a placeholder of a template.");
        says(RESULT, m -> m.setData("{id}"));
        says(PATCH, m -> m.setOperations(List.of(new CspOperation(CspOperator.ADD, "A", "<v>"))));
    }

    @Test
    void aKeyOfAPatchIsOneLine() {
        refuses(PATCH, m -> m.setBase("C0\nmore"), "BASE must not contain a line feed");
        refuses(PATCH, m -> m.setTarget("C1 C2"), "target must be one word");
        refuses(PATCH, m -> m.setTarget(""), "A PATCH must have a line APPLY ->");
    }

    @Test
    void theOrderOfKeysContainsEachKeyOnce() {
        List<String> order = List.of("REQ", "IN", "OUT", "OWNER", "PRIORITY");
        refuses(TASK, m -> m.setKeyOrder(order), "keyOrder would decode as []");
        says(TASK, m -> m.setKeyOrder(List.of("PRIORITY", "REQ", "IN", "OWNER", "OUT")));
        refuses(TASK, m -> m.setKeyOrder(List.of("REQ", "REQ")), "REQ find it: This key is repeated.");
        refuses(TASK, m -> m.setKeyOrder(List.of("REQ", "IN", "OUT", "OUT")), "OUT report: This key is repeated.");
        refuses(
                TASK,
                m -> {
                    m.setOwner(null);
                    m.setKeyOrder(order);
                },
                "keyOrder would decode as []");
        refuses(TASK, m -> m.setKeyOrder(List.of("REQ", "IN", "OUT", "PRIORITY")), "owner would decode as null");
        refuses(
                TASK,
                m -> m.setKeyOrder(List.of("IN", "OUT", "PRIORITY", "OWNER")),
                "A TASK must describe the work in REQ.");
        refuses(TASK, m -> m.setStatus("OK"), "status would decode as null");
    }

    @Test
    void theOrderOfKeysContainsOtherKeysInOrder() {
        List<CspField> fields = List.of(field("NOTE", "1"), field("REMARK", "2"));
        refuses(
                QUERY,
                m -> {
                    m.setFields(fields);
                    m.setKeyOrder(List.of("NOTE", "REMARK"));
                },
                "keyOrder would decode as []");
        for (List<String> wrong : List.of(List.of("REMARK", "NOTE"), List.of("NOTE", "NOTE"), List.of("THIRD"))) {
            refuses(
                    QUERY,
                    m -> {
                        m.setFields(fields);
                        m.setKeyOrder(wrong);
                    },
                    "fields would decode as [");
        }
        refuses(
                QUERY,
                m -> {
                    m.setFields(fields);
                    m.setKeyOrder(List.of("NOTE", "REMARK", "THIRD"));
                },
                "keyOrder would decode as []");
        refuses(
                QUERY,
                m -> {
                    m.setFields(fields);
                    m.setKeyOrder(List.of("NOTE"));
                },
                "fields would decode as [");
    }

    @Test
    void theOrderOfKeysCountsTheOperations() {
        String operation = CspOrder.OPERATION;
        refuses(
                PATCH,
                m -> m.setKeyOrder(List.of("BASE", operation, operation, "APPLY")),
                "keyOrder would decode as []");
        says(PATCH, m -> m.setKeyOrder(List.of(operation, "BASE", "APPLY", operation)));
        refuses(
                PATCH,
                m -> m.setKeyOrder(List.of("BASE", operation, operation, operation, "APPLY")),
                "keyOrder would decode as []");
        refuses(PATCH, m -> m.setKeyOrder(List.of("BASE", operation, "APPLY")), "operations would decode as [");
    }

    @Test
    void nothingFollowsAValueThatExtendsToTheEnd() {
        String complaint = " would decode as ";
        says(RESULT, m -> m.setKeyOrder(List.of("PRODUCED", "STATUS", "DATA")));
        refuses(RESULT, m -> m.setKeyOrder(List.of("STATUS", "DATA", "PRODUCED")), complaint);
        refuses(QUERY, m -> m.setFields(List.of(field("DATA", "x"), field("NOTE", "y"))), complaint);
        refuses(QUERY, m -> m.setFields(List.of(field("DATA", "x"), field("DATA", "y"))), complaint);
        refuses(
                PATCH,
                m -> {
                    m.setFields(List.of(field("DATA", "x")));
                    m.setKeyOrder(List.of("BASE", CspOrder.OPERATION, "APPLY", "DATA", CspOrder.OPERATION));
                },
                complaint);
    }

    @Test
    void aValueThatExtendsToTheEndMayContainKeys() {
        says(QUERY, m -> m.setFields(List.of(field("NOTE", "y"), field("DATA", "x\nNOTE z"))));
        says(RESULT, m -> m.setData("x\nSTATUS FAIL\n\n  y"));
        refuses(
                QUERY,
                m -> m.setFields(List.of(field("NOTE", "x\nNOTE z"))),
                "fields must not contain a line that reads as a key");
    }

    @Test
    void anOperationHasTheFormOfItsOperator() {
        refuses(
                PATCH,
                m -> m.setOperations(List.of(new CspOperation(CspOperator.ADD, "A", null))),
                "The name must be followed by '=' or ':='");
        refuses(
                PATCH,
                m -> m.setOperations(List.of(new CspOperation(CspOperator.REMOVE, "A", "1"))),
                "The line must end after the name to remove.");
        refuses(
                PATCH,
                m -> m.setOperations(List.of(new CspOperation(CspOperator.UNKNOWN, "A", "1"))),
                "The line must end after the name to remove.");
        says(PATCH, m -> m.setOperations(List.of(new CspOperation(CspOperator.CHANGE, "A", " x = y"))));
    }

    private void says(String wire, Consumer<CspMessage> change) {
        CspMessage message = changed(wire, change);
        byte[] written = codec.encode(message);
        CspMessage read = read(new String(written, UTF_8));
        assertThat(read).as(new String(written, UTF_8)).isEqualTo(message);
    }

    private void refuses(String wire, Consumer<CspMessage> change, String complaint) {
        CspMessage message = changed(wire, change);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> codec.encode(message))
                .withMessageStartingWith("CSP/1 cannot represent this: ")
                .withMessageContaining(complaint);
    }

    private CspMessage changed(String wire, Consumer<CspMessage> change) {
        CspMessage message = read(wire);
        change.accept(message);
        return message;
    }

    private CspMessage read(String wire) {
        return ((Decoded<CspMessage>) codec.decode(wire.getBytes(UTF_8), DecodeOptions.LENIENT)).message();
    }

    private static CspField field(String key, String value) {
        return new CspField(key, value);
    }
}
