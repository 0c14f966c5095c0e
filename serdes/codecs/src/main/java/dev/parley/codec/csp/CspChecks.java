package dev.parley.codec.csp;

import dev.parley.avro.CspField;
import dev.parley.avro.CspOperation;
import dev.parley.codec.Code;
import java.util.List;
import java.util.function.BiConsumer;

/** Refuses parts of a record that would not decode to equal parts, or only with a format warning. For the builders. */
final class CspChecks {

    private CspChecks() {}

    static void header(CspHeader.Key key, String value) {
        CspText.require(!CspText.line(key.field(), value).isEmpty(), key.name(), "must not be empty");
        List<String> names = key == CspHeader.Key.TO ? CspTraits.agents(value) : List.of(value);
        CspText.require(!names.isEmpty() && !value.isBlank(), key.field(), "must name an agent");
        names.forEach(name -> name(key.field(), name));
    }

    /** Checks a name, which must be one in the strict profile. */
    static String name(String field, String name) {
        CspText.require(!CspNameCheck.isDoubtful(name), field, CspNameCheck.COMPLAINT);
        return name;
    }

    /** Checks the form of a value of a key, which must also have no format warning. */
    static void value(CspBlock block, CspKey key, String value) {
        Code code = key.check(block, value);
        if (code != null) {
            throw CspText.refused(key.name() + ": " + key.detail(code));
        }
    }

    /** Checks an undefined header key and its value. */
    static void headerField(CspField field) {
        String name = field.getKey();
        CspText.require(CspText.isKey(name), "headerFields", "must have upper-case keys, but has %s", name);
        CspText.require(
                CspHeader.Key.named(CspBytes.packed(name)) == null && !CspBlock.isName(name),
                "headerFields",
                "must not contain the key %s",
                name);
        CspText.line("headerFields", field.getValue());
    }

    /** The check of a value of a field. */
    static BiConsumer<String, String> valueOf(CspBlock block, CspField field) {
        return isData(field) ? CspText::data : block == CspBlock.PATCH ? CspText::valueInPatch : CspText::value;
    }

    /** Checks a key of the block that has no field of its own, and its value. */
    static void field(CspBlock block, CspField field) {
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
                value.isEmpty() || value.startsWith("\n") || !CspBlock.isName(name),
                "fields",
                "must not contain a line that starts a second block %s",
                name);
        valueOf(block, field).accept("fields", value);
    }

    /** Whether the value of a field extends to the end of the message. */
    static boolean isData(CspField field) {
        return field.getKey().equals(CspKey.DATA.name());
    }

    static void operation(CspOperation operation) {
        name("operations", CspText.word("operations", operation.getName()));
        if (operation.getValue() != null) {
            CspText.definition("operations", operation.getValue());
        }
    }
}
