package dev.parley.codec.csp;

import dev.parley.avro.CspField;
import dev.parley.avro.CspMessage;
import dev.parley.codec.DecodeOptions;
import java.util.ArrayList;
import java.util.List;

/**
 * Common part of the body block builders; see {@link CspMessages} for their contract.
 *
 * @param <B> the builder itself
 */
public abstract sealed class CspBuilder<B extends CspBuilder<B>>
        permits CspTaskBuilder, CspResultBuilder, CspErrorBuilder, CspPatchBuilder, CspFileBuilder, CspFreeFormBuilder {
    private static final CspCodec CODEC = new CspCodec();

    /** The message under construction. */
    final CspMessage message;

    private final CspBlock block;
    private final List<CspField> headerFields = new ArrayList<>();
    private final List<CspField> fields = new ArrayList<>();
    private boolean strict = true;

    CspBuilder(CspMessage message) {
        this.message = message;
        this.block = CspBlock.of(message.getIntent());
    }

    /**
     * Adds a header key that CSP/1 does not define. The strict profile refuses it, unless it is DEF or LAWS.
     *
     * @param key upper-case letters, digits and underscores, starting with a letter; only DEF and LAWS may be repeated
     * @param value one line, possibly empty
     */
    public final B header(String key, String value) {
        CspField field = new CspField(key, value);
        CspChecks.headerField(field);
        addOnce(headerFields, "headerFields", field, false);
        return self();
    }

    /**
     * Adds a key that CSP/1 does not define for the block. The strict profile refuses it, unless it is DEF or LAWS or
     * the block is a PLAN, a QUERY or a MEM.
     *
     * @param key as in {@link #header}; in a PLAN, a QUERY or a MEM any key may be repeated
     * @param value one or several lines, possibly empty
     */
    public final B field(String key, String value) {
        CspField field = new CspField(key, value);
        CspText.require(
                !CspChecks.isData(field), "fields", "must not contain DATA, which extends to the end of the message");
        CspChecks.field(block, field);
        addOnce(fields, "fields", field, block.isGeneric());
        return self();
    }

    /**
     * Builds the message.
     *
     * @throws IllegalArgumentException if a key is missing, or the message exceeds
     *     {@link dev.parley.codec.Limits#DEFAULT}
     */
    public final CspMessage build() {
        message.setHeaderFields(headerFields);
        message.setFields(allFields(fields));
        CspRequirements.requireExpected(message, block);
        return CODEC.verify(message, strict ? DecodeOptions.STRICT : DecodeOptions.LENIENT);
    }

    abstract B self();

    /** All fields of the message. */
    List<CspField> allFields(List<CspField> keys) {
        return keys;
    }

    /** Sets a key of the block with a value of one or several lines. */
    final B set(CspKey key, String value) {
        key.set(message, CspText.value(key.name(), value, false));
        return self();
    }

    /** Notes that the message deviates from the document's form. */
    final void deviates() {
        strict = false;
    }

    private void addOnce(List<CspField> list, String field, CspField added, boolean repeatable) {
        if (!CspUnknownKeys.isDefinition(added.getKey()) && !repeatable) {
            for (CspField other : list) {
                CspText.require(
                        !other.getKey().equals(added.getKey()), field, "must not contain " + added.getKey() + " twice");
            }
            deviates();
        }
        list.add(added);
    }
}
