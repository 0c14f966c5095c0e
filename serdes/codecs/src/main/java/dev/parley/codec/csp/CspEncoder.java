package dev.parley.codec.csp;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.avro.CspField;
import dev.parley.avro.CspMessage;
import dev.parley.avro.CspOperation;
import dev.parley.avro.CspOperator;
import dev.parley.avro.Profile;
import dev.parley.codec.Ascii;
import dev.parley.codec.Code;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult;
import dev.parley.codec.Excerpt;
import dev.parley.codec.Limits;
import java.util.List;
import java.util.Objects;
import org.apache.avro.Schema;

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
    private int keysWritten;
    private int nextField;
    private int nextOperation;
    /** Whether the bytes may decode to another message. */
    private boolean isDoubtful;

    CspEncoder(CspMessage message) {
        this.message = message;
        this.block = CspBlock.of(message.getIntent());
        CspText.require(block != null, "intent", "must be an intent of CSP/1");
    }

    byte[] encode() {
        CspRequirements.check(message, block, (key, code, detail) -> {
            if (code.kind() == Code.Kind.MALFORMED) {
                throw CspText.refused(detail);
            }
        });
        requireAbsent(block == CspBlock.PATCH || message.getOperations().isEmpty(), "operations");
        requireAbsent(block == CspBlock.FILEOP || message.getFileOperation() == null, "fileOperation");
        requireAbsent(message.getContent() != null || !message.getContentHeredoc(), "contentHeredoc");
        out.write(FIRST_LINE);
        header();
        firstLine();
        if (message.getKeyOrder().isEmpty()) {
            documentOrder();
        } else {
            wireOrder();
        }
        byte[] bytes = out.toBytes();
        int keys = CspKey.count(message);
        if (isDoubtful || keysWritten < block.keyCount() || keysWritten != keys) {
            verify(bytes);
        }
        return bytes;
    }

    private void requireAbsent(boolean isAbsent, String field) {
        CspText.require(isAbsent, field, "must be absent in the block %s", block);
    }

    /** Refuses the message if the bytes decode to another one. */
    private void verify(byte[] bytes) {
        DecodeResult<CspMessage> result = CspDecoder.decode(bytes, new DecodeOptions(Profile.LENIENT, Limits.NONE));
        if (result instanceof DecodeResult.Malformed<CspMessage> error) {
            int start = Ascii.skipBack(bytes, 0, error.offset(), b -> b != '\n');
            int end = Ascii.skip(bytes, start, bytes.length, b -> b != '\n');
            throw CspText.refused(Excerpt.of(new String(bytes, start, end - start, UTF_8)) + ": " + error.detail());
        }
        CspMessage decoded = ((DecodeResult.Decoded<CspMessage>) result).message();
        for (Schema.Field field : message.getSchema().getFields()) {
            Object value = decoded.get(field.pos());
            if (!Objects.equals(message.get(field.pos()), value)) {
                throw CspText.refused(field.name() + " would decode as " + value);
            }
        }
    }

    private void header() {
        headerKey(CspHeader.Key.FROM, message.getSender());
        headerKey(CspHeader.Key.TO, message.getRecipient());
        headerKey(CspHeader.Key.CTX, message.getCtx());
        out.write(CspHeader.Key.INTENT.line());
        out.word("intent", message.getIntent().name());
        for (CspField field : message.getHeaderFields()) {
            out.key(field.getKey());
            out.text(CspText::line, "headerFields", field.getValue());
            isDoubtful = true;
        }
    }

    private void headerKey(CspHeader.Key key, String value) {
        out.write(key.line());
        out.text(CspText::line, key.field(), value);
        noteName(value);
        if (key == CspHeader.Key.TO && value.indexOf(',') >= 0) {
            CspTraits.agents(value).forEach(this::noteName);
        }
    }

    /** Notes a name that may be a placeholder, or read as something else. */
    private void noteName(String name) {
        isDoubtful |= name.isEmpty() || !CspNameCheck.isPlain(name.charAt(0));
    }

    private void firstLine() {
        out.write(block.line());
        if (message.getId() != null) {
            out.word("id", message.getId());
            noteName(message.getId());
        }
        if (message.getFileOperation() != null) {
            out.word("fileOperation", message.getFileOperation());
        }
        List<CspField> fields = message.getFields();
        isDoubtful |= !fields.isEmpty() && !block.isGeneric();
        if (!fields.isEmpty() && fields.get(0).getKey().equals(block.name())) {
            out.text(
                    CspChecks.valueOf(block, fields.get(0)),
                    "fields",
                    fields.get(0).getValue());
            nextField = 1;
            isDoubtful = true;
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
            key(block.key(i));
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

    /** Writes the keys of keyOrder that the message has. */
    private void wireOrder() {
        isDoubtful = true;
        for (String name : message.getKeyOrder()) {
            int index = block.indexOf(name);
            if (index >= 0) {
                key(block.key(index));
            } else if (!name.equals(CspOrder.OPERATION)) {
                otherKey(name);
            } else if (nextOperation < message.getOperations().size()) {
                operation();
            }
        }
    }

    private void key(CspKey key) {
        String value = key.get(message);
        if (value == null) {
            return;
        }
        keysWritten++;
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
                isDoubtful |= value.indexOf('\n') >= 0 && (value.indexOf(':') >= 0 || value.indexOf('=') >= 0);
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

    /** Writes the next field if it has the name. */
    private void otherKey(String name) {
        CspField field =
                nextField < message.getFields().size() ? message.getFields().get(nextField) : null;
        if (field != null && field.getKey().equals(name)) {
            nextField++;
            isDoubtful |= !CspText.isKey(name) || CspBlock.isName(name) || CspChecks.isData(field);
            out.key(name);
            out.text(CspChecks.valueOf(block, field), "fields", field.getValue());
        }
    }

    private void operation() {
        CspOperation operation = message.getOperations().get(nextOperation++);
        CspOperator operator = operation.getOperator();
        String value = operation.getValue();
        noteName(operation.getName());
        isDoubtful |= operator == CspOperator.UNKNOWN || (value == null) != (operator == CspOperator.REMOVE);
        out.write(operator == CspOperator.ADD ? ADD : operator == CspOperator.CHANGE ? CHANGE : REMOVE);
        out.word("operations", operation.getName());
        if (value != null) {
            out.write(operator == CspOperator.ADD ? IS : BECOMES);
            out.text(CspText::definition, "operations", value);
        }
    }
}
