package dev.parley.codec.csp;

import dev.parley.avro.CspField;
import dev.parley.avro.CspOperation;
import dev.parley.avro.CspOperator;

/**
 * Refuses pieces of a record that would not read back the same. The builders check whole pieces; the encoder checks their names here, and
 * leaves their texts to {@link CspWriter}.
 */
final class CspChecks {

    private CspChecks() {}

    /** A value of a key that every header has. */
    static void header(CspHeader.Key key, String value) {
        CspText.line(key.field(), value);
        headerValue(key, value);
    }

    /** What a value of a key that every header has must be besides text of one line. */
    static void headerValue(CspHeader.Key key, String value) {
        CspText.require(!value.isEmpty(), key.name(), "is empty");
        CspText.require(key != CspHeader.Key.TO || !CspHeader.namesNobody(value), key.field(), "names no agent");
    }

    /** An unknown key of the header and its value. */
    static void headerField(CspField field) {
        headerName(field.getKey());
        CspText.line("headerFields", field.getValue());
    }

    static void headerName(String name) {
        CspText.require(CspText.isKey(name), "headerFields", "has no upper-case key: ", name, "");
        CspText.require(
                CspHeader.Key.named(CspBytes.packed(name)) == null && !CspBlock.isName(name),
                "headerFields",
                "has a key ",
                name,
                "");
    }

    /** A key of the block that has no field of its own, and its value. */
    static void field(CspBlock block, CspField field) {
        fieldName(block, field);
        if (isData(field)) {
            CspText.data("fields", field.getValue());
        } else {
            CspText.value("fields", field.getValue(), block == CspBlock.PATCH);
        }
    }

    static void fieldName(CspBlock block, CspField field) {
        String name = field.getKey();
        String value = field.getValue();
        CspText.require(CspText.isKey(name), "fields", "has no upper-case key: ", name, "");
        CspText.require(
                block.indexOf(name) < 0 && !name.equals(block.name()), "fields", "has a key of the block, ", name, "");
        CspText.require(
                !CspUnknownKeys.isDefinition(name) || block != CspBlock.PATCH,
                "fields",
                "has a ",
                name,
                " line in a patch");
        CspText.require(
                value.isEmpty() || value.startsWith("\n") || !CspBlock.isName(name),
                "fields",
                "has a line that would start a second block ",
                name,
                "");
    }

    /** Whether the value of a field runs to the end of the message. */
    static boolean isData(CspField field) {
        return field.getKey().equals(CspKey.DATA.name());
    }

    /** One operation of a patch. */
    static void operation(CspOperation operation) {
        operationForm(operation);
        CspText.word("operations", operation.getName());
        if (operation.getValue() != null) {
            CspText.definition("operations", operation.getValue());
        }
    }

    static void operationForm(CspOperation operation) {
        String name = operation.getName();
        CspText.require(!name.equals("=") && !name.equals(":="), "operations", "has a name ", name, "");
        CspText.require(
                operation.getOperator() != CspOperator.UNKNOWN, "operations", "has an unknown operator at ", name, "");
        CspText.require(
                (operation.getValue() == null) == (operation.getOperator() == CspOperator.REMOVE),
                "operations",
                "has a value where none belongs, or lacks one, at ",
                name,
                "");
    }
}
