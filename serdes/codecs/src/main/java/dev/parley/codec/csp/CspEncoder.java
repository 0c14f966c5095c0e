package dev.parley.codec.csp;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.parley.avro.CspField;
import dev.parley.avro.CspMessage;
import dev.parley.avro.CspOperation;
import dev.parley.avro.CspOperator;
import dev.parley.codec.Code;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult;
import dev.parley.codec.Placeholder;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Encodes one message in canonical form, and refuses records that would not decode to an equal message. */
final class CspEncoder {
    private static final byte[] FIRST_LINE = "CSP/1".getBytes(US_ASCII);
    private static final byte[] ADD = "\n+ DEF".getBytes(US_ASCII);
    private static final byte[] IS = " =".getBytes(US_ASCII);
    private static final byte[] CHANGE = "\n~ DEF".getBytes(US_ASCII);
    private static final byte[] BECOMES = " :=".getBytes(US_ASCII);
    private static final byte[] REMOVE = "\n- DEF".getBytes(US_ASCII);
    private static final byte[] ARROW = " ->".getBytes(US_ASCII);
    private static final byte[] OPENING = "\n<<<\n".getBytes(US_ASCII);
    private static final byte[] CLOSING = ">>>".getBytes(US_ASCII);

    private final CspMessage message;
    private final CspBlock block;
    private final CspWriter out = new CspWriter();
    private Set<String> names;
    private int keysWritten;
    private int nextField;
    private int nextOperation;
    private boolean ended;
    /** Whether a value has several lines or words, which may read as another key. */
    private boolean mayHaveKeys;

    CspEncoder(CspMessage message) {
        this.message = message;
        this.block = CspBlock.of(message.getIntent());
        CspText.require(block != null, "intent", "must be an intent of CSP/1");
    }

    byte[] encode() {
        CspChecks.message(message, block);
        out.write(FIRST_LINE);
        header();
        firstLine();
        if (message.getKeyOrder().isEmpty()) {
            documentOrder();
            requireAllWritten();
        } else {
            boolean inDocumentOrder = wireOrder();
            requireAllWritten();
            // A decoded message has no keyOrder then, so it would not equal this one.
            CspText.require(!inDocumentOrder, "keyOrder", "must be empty, because the keys are in document order");
        }
        byte[] bytes = out.toBytes();
        if (mayHaveKeys
                && CspDecoder.decode(bytes, DecodeOptions.LENIENT) instanceof DecodeResult.Malformed<?> error
                && error.code() == Code.CSP_MALFORMED) {
            throw CspText.refused(error.detail());
        }
        return bytes;
    }

    private void header() {
        headerKey(CspHeader.Key.FROM, message.getSender());
        headerKey(CspHeader.Key.TO, message.getRecipient());
        headerKey(CspHeader.Key.CTX, message.getCtx());
        headerKey(CspHeader.Key.INTENT, message.getIntent().name());
        for (CspField field : message.getHeaderFields()) {
            headerField(field);
        }
        names = null;
    }

    private void headerKey(CspHeader.Key key, String value) {
        CspChecks.headerValue(key, value);
        out.write(key.line());
        out.text(CspText::line, key.field(), value);
    }

    private void headerField(CspField field) {
        CspChecks.headerName(field.getKey());
        if (!CspUnknownKeys.isDefinition(field.getKey())) {
            once(field.getKey(), "headerFields");
        }
        out.key(field.getKey());
        out.text(CspText::line, "headerFields", field.getValue());
    }

    private void firstLine() {
        out.write(block.line());
        if (message.getId() != null) {
            CspText.require(!Placeholder.is(message.getId()), "id", CspChecks.FILLED_IN);
            CspText.require(
                    !message.getId().startsWith(":") && !message.getId().startsWith("="), "id", CspChecks.SEPARATED);
            out.word("id", message.getId());
        }
        if (message.getFileOperation() != null) {
            out.word("fileOperation", message.getFileOperation());
        }
        List<CspField> fields = message.getFields();
        if (!fields.isEmpty() && fields.get(0).getKey().equals(block.name())) {
            String rest = fields.get(0).getValue();
            boolean wordsBefore =
                    message.getId() != null && (block != CspBlock.FILEOP || message.getFileOperation() != null);
            CspText.require(
                    rest.startsWith("\n") || (!rest.isEmpty() && wordsBefore),
                    "fields",
                    "must not contain text for the block's first line that reads as its id");
            out.text(CspChecks.valueOf(block, fields.get(0)), "fields", rest);
            mayHaveKeys = true;
            nextField = 1;
        }
    }

    /** Writes the parts of the message in the order of {@link CspOrder}. */
    private void documentOrder() {
        for (int i = 0; i < block.keyCount(); i++) {
            if (block.key(i) == CspKey.APPLY) {
                operations();
            }
            if (block.key(i).isLast()) {
                otherKeys();
            }
            if (block.key(i).get(message) != null) {
                key(i);
            }
        }
        otherKeys();
    }

    private void operations() {
        while (nextOperation < message.getOperations().size()) {
            operation();
        }
    }

    private void otherKeys() {
        while (nextField < message.getFields().size()) {
            otherKey(message.getFields().get(nextField).getKey());
        }
    }

    /** Writes the keys of keyOrder; returns whether they are in document order. */
    private boolean wireOrder() {
        boolean inDocumentOrder = true;
        int lastRank = -1;
        for (String name : message.getKeyOrder()) {
            int index = block.indexOf(name);
            int rank = CspOrder.rank(block, name, index);
            inDocumentOrder &= rank >= lastRank;
            lastRank = rank;
            if (name.equals(CspOrder.OPERATION)) {
                CspText.require(
                        nextOperation < message.getOperations().size(),
                        "keyOrder",
                        "must not contain more operations than the message");
                operation();
            } else if (index >= 0) {
                key(index);
            } else {
                otherKey(name);
            }
        }
        return inDocumentOrder;
    }

    private void key(int index) {
        CspKey key = block.key(index);
        String value = key.get(message);
        CspText.require((keysWritten & 1 << index) == 0, "keyOrder", "must not contain %s twice", key);
        CspText.require(value != null, "keyOrder", "must not contain %s, which the message lacks", key);
        requireNotEnded(key.isLast());
        keysWritten |= 1 << index;
        out.write(key.line());
        switch (key) {
            case APPLY -> {
                out.write(ARROW);
                out.word("target", value);
            }
            case DATA -> out.text(CspText::data, "data", value);
            case CONTENT -> content(value);
            default -> {
                out.text(key.isOneLine() ? CspText::line : CspText::value, key.name(), value);
                mayHaveKeys |= value.indexOf(key.isOneLine() ? ' ' : '\n') >= 0;
            }
        }
    }

    private void content(String content) {
        CspText.require(message.getContentHeredoc() || content.isEmpty(), "content", "must be in a heredoc");
        out.write(OPENING);
        if (message.getContentHeredoc()) {
            out.content("content", content);
        }
        out.write(CLOSING);
    }

    /** Writes a key that the block does not define. */
    private void otherKey(String name) {
        List<CspField> fields = message.getFields();
        CspText.require(
                nextField < fields.size() && fields.get(nextField).getKey().equals(name),
                "keyOrder",
                "must not contain %s where another key is next",
                name);
        CspField field = fields.get(nextField++);
        requireNotEnded(CspChecks.isData(field));
        CspChecks.fieldName(block, field);
        if (!CspUnknownKeys.isDefinition(name) && !block.isGeneric()) {
            once(name, "fields");
        }
        out.key(name);
        out.text(CspChecks.valueOf(block, field), "fields", field.getValue());
        mayHaveKeys |= field.getValue().indexOf('\n') >= 0;
    }

    private void operation() {
        CspOperation operation = message.getOperations().get(nextOperation++);
        requireNotEnded(false);
        CspChecks.operationForm(operation);
        out.write(
                switch (operation.getOperator()) {
                    case ADD -> ADD;
                    case CHANGE -> CHANGE;
                    default -> REMOVE;
                });
        out.word("operations", operation.getName());
        if (operation.getOperator() != CspOperator.REMOVE) {
            out.write(operation.getOperator() == CspOperator.ADD ? IS : BECOMES);
            out.text(CspText::definition, "operations", operation.getValue());
        }
    }

    private void once(String name, String field) {
        if (names == null) {
            names = new HashSet<>();
        }
        CspText.require(names.add(name), field, "must not contain %s twice", name);
    }

    private void requireNotEnded(boolean last) {
        CspText.require(!ended, "keyOrder", "must end with the key whose value extends to the end of the message");
        ended = last;
    }

    private void requireAllWritten() {
        if (Integer.bitCount(keysWritten) != CspKey.count(message)) {
            for (CspKey key : CspKey.values()) {
                int index = block.indexOf(key.name());
                CspText.require(index >= 0 || key.get(message) == null, key.name(), CspChecks.ABSENT, block);
                CspText.require(
                        index < 0 || key.get(message) == null || (keysWritten & 1 << index) != 0,
                        "keyOrder",
                        "must contain %s",
                        key);
            }
        }
        CspText.require(nextField == message.getFields().size(), "keyOrder", "must contain all keys of fields");
        CspText.require(nextOperation == message.getOperations().size(), "keyOrder", "must contain all operations");
    }
}
