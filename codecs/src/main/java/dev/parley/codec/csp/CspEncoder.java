package dev.parley.codec.csp;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.avro.CspField;
import dev.parley.avro.CspIntent;
import dev.parley.avro.CspMessage;
import dev.parley.avro.CspOperation;
import dev.parley.avro.CspOperator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Writes the canonical form of one message, and refuses records that would not read back the same. */
final class CspEncoder {

    /** Stands for the next operation of a patch in an order of keys. */
    static final String OPERATION = "+";

    private static final int RANK_OF_OTHERS = 50;
    private static final int RANK_OF_LAST = 100;

    private final CspMessage message;
    private final CspBlock block;
    private final StringBuilder out = new StringBuilder(256);
    private final Set<String> written = new HashSet<>();
    private int nextField;
    private int nextOperation;
    private boolean ended;

    CspEncoder(CspMessage message) {
        this.message = message;
        this.block = CspBlock.of(message.getIntent());
        CspText.require(block != null, "intent", "is none that CSP/1 names");
    }

    /**
     * Place of a key in the order of the document: the block's own keys, then all others, then what runs to the end of the message. The
     * operations of a patch stand between BASE and APPLY.
     */
    static int rank(CspBlock block, CspKey key, boolean operation) {
        if (operation) {
            return 1;
        }
        if (key == null) {
            return RANK_OF_OTHERS;
        }
        if (key.isLast()) {
            return RANK_OF_LAST;
        }
        return 2 * block.indexOf(key);
    }

    byte[] encode() {
        requireComplete();
        out.append("CSP/1");
        header();
        out.append("\n\n").append(block);
        firstLine();
        body();
        return out.toString().getBytes(UTF_8);
    }

    private void header() {
        for (CspHeader.Key key : CspHeader.Key.values()) {
            headerKey(key);
        }
        for (CspField field : message.getHeaderFields()) {
            headerField(field);
        }
        written.clear();
    }

    private void headerKey(CspHeader.Key key) {
        String value = switch (key) {
            case FROM -> message.getSender();
            case TO -> message.getRecipient();
            case CTX -> message.getCtx();
            case INTENT -> message.getIntent().name();
        };
        requireHeader(key, value);
        keyAndValue(key.name(), value);
    }

    /** Refuses what would not read back as the value of a key that every header has. */
    static void requireHeader(CspHeader.Key key, String value) {
        CspText.require(!CspText.line(key.field(), value).isEmpty(), key.name(), "is empty");
        CspText.require(
                key != CspHeader.Key.TO || !CspHeader.namesNobody(value), key.field(), "is a list that names no agent");
    }

    private void headerField(CspField field) {
        requireHeaderField(field);
        if (!CspFields.isDefinition(field.getKey())) {
            once(field.getKey(), "headerFields");
        }
        keyAndValue(field.getKey(), field.getValue());
    }

    /** Refuses what would not read back as an unknown key of the header and its value. */
    static void requireHeaderField(CspField field) {
        String name = field.getKey();
        CspText.require(CspText.isKey(name), "headerFields", "has no upper-case key: " + name);
        CspText.require(
                CspHeader.Key.named(name) == null && !CspBlock.isName(name), "headerFields", "has a key " + name);
        CspText.line("headerFields", field.getValue());
    }

    private void firstLine() {
        if (message.getId() != null) {
            out.append(' ').append(CspText.word("id", message.getId()));
        }
        if (message.getFileOperation() != null) {
            out.append(' ').append(CspText.word("fileOperation", message.getFileOperation()));
        }
        List<CspField> fields = message.getFields();
        if (!fields.isEmpty() && fields.get(0).getKey().equals(block.name())) {
            String rest = value("fields", fields.get(0).getValue());
            boolean wordsBefore =
                    message.getId() != null && (block != CspBlock.FILEOP || message.getFileOperation() != null);
            CspText.require(
                    rest.startsWith("\n") || (!rest.isEmpty() && wordsBefore),
                    "fields",
                    "has text for the block's first line that would read as its id");
            append(rest);
            nextField = 1;
        }
    }

    private void body() {
        if (message.getKeyOrder().isEmpty()) {
            documentOrder();
        } else {
            for (String name : message.getKeyOrder()) {
                CspKey key = block.key(name);
                if (name.equals(OPERATION)) {
                    operation();
                } else if (key != null) {
                    key(key);
                } else {
                    field(name);
                }
            }
        }
        for (CspKey key : block.keys()) {
            CspText.require(key.get(message) == null || written.contains(key.name()), "keyOrder", "lacks " + key);
        }
        CspText.require(nextField == message.getFields().size(), "keyOrder", "lacks a key of fields");
        CspText.require(nextOperation == message.getOperations().size(), "keyOrder", "lacks an operation");
    }

    private void documentOrder() {
        CspKey last = null;
        for (CspKey key : block.keys()) {
            if (key == CspKey.APPLY) {
                while (nextOperation < message.getOperations().size()) {
                    operation();
                }
            }
            if (key.isLast()) {
                last = key;
            } else if (key.get(message) != null) {
                key(key);
            }
        }
        while (nextField < message.getFields().size()) {
            field(message.getFields().get(nextField).getKey());
        }
        if (last != null && last.get(message) != null) {
            key(last);
        }
    }

    private void key(CspKey key) {
        once(key.name(), "keyOrder");
        String value = key.get(message);
        CspText.require(value != null, "keyOrder", "names " + key + ", which the message does not have");
        requireNotEnded(key.isLast());
        switch (key) {
            case APPLY -> out.append("\nAPPLY -> ").append(CspText.word("target", value));
            case DATA -> keyAndValue("DATA", CspText.data("data", value));
            case CONTENT -> {
                CspText.require(message.getContentHeredoc() || value.isEmpty(), "content", "is text outside a heredoc");
                out.append("\nCONTENT\n<<<\n");
                if (message.getContentHeredoc()) {
                    out.append(CspText.content("content", value)).append('\n');
                }
                out.append(">>>");
            }
            default ->
                keyAndValue(
                        key.name(),
                        block == CspBlock.PATCH ? CspText.line(key.name(), value) : value(key.name(), value));
        }
    }

    private void field(String name) {
        CspField field = takeField(name);
        requireNotEnded(isData(field));
        requireField(block, field);
        if (!CspFields.isDefinition(name) && !block.isGeneric()) {
            once(name, "fields");
        }
        keyAndValue(name, field.getValue());
    }

    /** Whether the value of a field runs to the end of the message. */
    static boolean isData(CspField field) {
        return field.getKey().equals(CspKey.DATA.name());
    }

    /** Refuses what would not read back as a key of the block that has no field of its own, and its value. */
    static void requireField(CspBlock block, CspField field) {
        String name = field.getKey();
        CspText.require(CspText.isKey(name), "fields", "has no upper-case key: " + name);
        CspText.require(
                block.key(name) == null && !name.equals(block.name()), "fields", "has a key of the block, " + name);
        CspText.require(
                !CspFields.isDefinition(name) || block != CspBlock.PATCH,
                "fields",
                "has a " + name + " line in a patch");
        String value = isData(field)
                ? CspText.data("fields", field.getValue())
                : CspText.value("fields", field.getValue(), block == CspBlock.PATCH);
        CspText.require(
                !CspBlock.isName(name) || value.isEmpty() || value.startsWith("\n"),
                "fields",
                "has a line that would start a second block " + name);
    }

    private void operation() {
        CspText.require(nextOperation < message.getOperations().size(), "keyOrder", "has too many operations");
        requireNotEnded(false);
        CspOperation operation = message.getOperations().get(nextOperation++);
        requireOperation(operation);
        String name = operation.getName();
        String value = operation.getValue();
        switch (operation.getOperator()) {
            case ADD -> out.append("\n+ DEF ").append(name).append(" =");
            case CHANGE -> out.append("\n~ DEF ").append(name).append(" :=");
            case REMOVE -> out.append("\n- DEF ").append(name);
            case UNKNOWN -> CspText.require(false, "operations", "has an unknown operator at " + name);
        }
        if (value != null && !value.isEmpty()) {
            out.append(' ').append(value);
        }
    }

    /** Refuses what would not read back as one operation of a patch. */
    static void requireOperation(CspOperation operation) {
        String name = CspText.word("operations", operation.getName());
        CspText.require(!name.equals("=") && !name.equals(":="), "operations", "has a name " + name);
        String value = operation.getValue();
        CspText.require(
                (value == null) == (operation.getOperator() == CspOperator.REMOVE),
                "operations",
                "has a value where none belongs, or lacks one, at " + name);
        if (value != null) {
            CspText.definition("operations", value);
        }
    }

    private CspField takeField(String name) {
        List<CspField> fields = message.getFields();
        CspText.require(
                nextField < fields.size() && fields.get(nextField).getKey().equals(name),
                "keyOrder",
                "names " + name + " where another key comes next");
        return fields.get(nextField++);
    }

    private String value(String field, String value) {
        return CspText.value(field, value, block == CspBlock.PATCH);
    }

    private void keyAndValue(String key, String value) {
        out.append('\n').append(key);
        append(value);
    }

    private void append(String value) {
        if (!value.isEmpty() && value.charAt(0) != '\n') {
            out.append(' ');
        }
        out.append(value);
    }

    private void once(String name, String field) {
        CspText.require(written.add(name), field, "has " + name + " twice");
    }

    private void requireNotEnded(boolean last) {
        CspText.require(!ended, "keyOrder", "has something after what runs to the end of the message");
        ended = last;
    }

    /** Checks that the message has what its block cannot do without, and nothing of another block. */
    private void requireComplete() {
        for (CspKey key : CspKey.values()) {
            CspText.require(
                    block.indexOf(key) >= 0 || key.get(message) == null, key.name(), "does not belong to " + block);
        }
        boolean file = message.getIntent() == CspIntent.FILE;
        CspText.require(
                block == CspBlock.PATCH || message.getOperations().isEmpty(),
                "operations",
                "do not belong to " + block);
        CspText.require(file || message.getFileOperation() == null, "fileOperation", "does not belong to " + block);
        CspText.require(
                message.getContent() != null || !message.getContentHeredoc(),
                "contentHeredoc",
                "is true without content");
        CspText.require(block.isGeneric() || message.getId() != null, "id", "is missing");
        switch (block) {
            case TASK -> CspText.require(isText(message.getRequest()), "request", "is missing or empty");
            case RESULT ->
                CspText.require(
                        message.getStatus() != null && CspBlock.isStatus(message.getStatus()),
                        "status",
                        "is none of OK, PARTIAL, FAIL");
            case PATCH -> {
                CspText.require(isText(message.getBase()), "base", "is missing or empty");
                CspText.require(isText(message.getTarget()), "target", "is missing or empty");
            }
            case FILEOP -> {
                String operation = message.getFileOperation();
                CspText.require(
                        message.getContent() != null || (operation != null && !operation.equals("PATCH")),
                        "content",
                        "is missing");
            }
            case ERROR, PLAN, QUERY, MEM -> {}
        }
    }

    private static boolean isText(String value) {
        return value != null && !value.isEmpty();
    }
}
