package dev.parley.codec.csp;

import dev.parley.avro.CspField;
import dev.parley.avro.CspMessage;
import dev.parley.avro.CspOperation;
import dev.parley.avro.CspOperator;
import dev.parley.codec.Code;
import dev.parley.codec.Placeholder;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * Refuses parts of a record that would not decode to equal parts. The builders check whole parts; the encoder checks
 * only their names here, because {@link CspWriter} checks the values.
 */
final class CspChecks {

    /** The complaint about a part of another block. */
    static final String ABSENT = "must be absent in the block %s";

    /** The complaint about a colon or an equals sign instead of a space before a value. */
    static final String SEPARATED = "must not start with a colon or an equals sign";

    /** The complaint about a placeholder. */
    static final String FILLED_IN = "must not be a placeholder";

    private CspChecks() {}

    /** Checks that the block has its required parts and none of another block. */
    static void message(CspMessage message, CspBlock block) {
        CspRequirements.check(message, block, (invalid, code, detail) -> {
            if (code.kind() == Code.Kind.MALFORMED) {
                throw CspText.refused(detail);
            }
        });
        CspText.require(block == CspBlock.PATCH || message.getOperations().isEmpty(), "operations", ABSENT, block);
        CspText.require(block == CspBlock.FILEOP || message.getFileOperation() == null, "fileOperation", ABSENT, block);
        CspText.require(
                message.getContent() != null || !message.getContentHeredoc(),
                "contentHeredoc",
                "must be false without content");
    }

    static void header(CspHeader.Key key, String value) {
        CspText.line(key.field(), value);
        headerValue(key, value);
        for (String name : key == CspHeader.Key.TO ? CspTraits.agents(value) : List.of(value)) {
            name(key.field(), name);
        }
    }

    /** Checks a name, which must be one in the strict profile. */
    static String name(String field, String name) {
        CspText.require(!Placeholder.is(name), field, FILLED_IN);
        CspText.require(!name.startsWith(":") && !name.startsWith("="), field, SEPARATED);
        CspText.require(
                !CspNameCheck.isDoubtful(name), field, "must be one name, without quotes or punctuation around it");
        return name;
    }

    /** Checks the form of a value of a key, which must also have no format warning. */
    static void value(CspKey key, String value) {
        Code invalid = key.invalid(value);
        if (invalid != null) {
            throw CspText.refused(key.name() + ": " + key.detail(invalid));
        }
    }

    /** Checks the value of a required header key, which must already be one line of text. */
    static void headerValue(CspHeader.Key key, String value) {
        CspText.require(!value.isEmpty(), key.name(), "must not be empty");
        CspText.require(":=".indexOf(value.charAt(0)) < 0, key.field(), SEPARATED);
        CspText.require(!Placeholder.is(value), key.field(), FILLED_IN);
        CspText.require(
                key != CspHeader.Key.TO
                        || value.indexOf(',') < 0
                        || CspTraits.agents(value).stream().noneMatch(Placeholder::is),
                key.field(),
                FILLED_IN);
        CspText.require(key != CspHeader.Key.TO || !CspHeader.namesNoAgent(value), key.field(), "must name an agent");
    }

    /** Checks an undefined header key and its value. */
    static void headerField(CspField field) {
        headerName(field.getKey());
        CspText.line("headerFields", field.getValue());
    }

    static void headerName(String name) {
        CspText.require(CspText.isKey(name), "headerFields", "must have upper-case keys, but has %s", name);
        CspText.require(
                CspHeader.Key.named(CspBytes.packed(name)) == null && !CspBlock.isName(name),
                "headerFields",
                "must not contain the key %s",
                name);
    }

    /** Checks a key of the block that has no field of its own, and its value. */
    static void field(CspBlock block, CspField field) {
        fieldName(block, field);
        valueOf(block, field).accept("fields", field.getValue());
    }

    /** The check of a value of a field. */
    static BiConsumer<String, String> valueOf(CspBlock block, CspField field) {
        return isData(field) ? CspText::data : block == CspBlock.PATCH ? CspText::valueInPatch : CspText::value;
    }

    static void fieldName(CspBlock block, CspField field) {
        String name = field.getKey();
        String value = field.getValue();
        CspText.require(CspText.isKey(name), "fields", "must have upper-case keys, but has %s", name);
        CspText.require(
                block.indexOf(name) < 0 && !name.equals(block.name()),
                "fields",
                "must not contain the block's key %s",
                name);
        CspText.require(
                !CspUnknownKeys.isDefinition(name) || block != CspBlock.PATCH,
                "fields",
                "must not contain a %s line in a patch",
                name);
        CspText.require(
                block != CspBlock.PATCH || CspPatch.operationFor(name, value) == null,
                "fields",
                "must not contain %s in a patch, which reads as an operation",
                name);
        CspText.require(
                value.isEmpty() || value.startsWith("\n") || !CspBlock.isName(name),
                "fields",
                "must not contain a line that starts a second block %s",
                name);
    }

    /** Whether the value of a field extends to the end of the message. */
    static boolean isData(CspField field) {
        return field.getKey().equals(CspKey.DATA.name());
    }

    static void operation(CspOperation operation) {
        operationForm(operation);
        name("operations", CspText.word("operations", operation.getName()));
        if (operation.getValue() != null) {
            CspText.definition("operations", operation.getValue());
        }
    }

    static void operationForm(CspOperation operation) {
        String name = operation.getName();
        CspText.require(
                !name.equals("=") && !name.equals(":=") && !Placeholder.is(name),
                "operations",
                "must not contain the name %s",
                name);
        CspText.require(
                operation.getOperator() != CspOperator.UNKNOWN,
                "operations",
                "must have a known operator for %s",
                name);
        CspText.require(
                (operation.getValue() == null) == (operation.getOperator() == CspOperator.REMOVE),
                "operations",
                "must have a value exactly if it is not a removal, at %s",
                name);
    }
}
