package dev.parley.codec.csp;

import dev.parley.avro.CspField;
import dev.parley.avro.CspMessage;
import dev.parley.codec.DecodeOptions;
import java.util.ArrayList;
import java.util.List;

/**
 * What the builders of all body blocks share; {@link CspMessages} makes them and says what they promise.
 *
 * @param <B> the builder itself
 */
public abstract sealed class CspBuilder<B extends CspBuilder<B>>
        permits CspTaskBuilder, CspResultBuilder, CspErrorBuilder, CspPatchBuilder, CspFileBuilder, CspFreeBuilder {
    private static final CspCodec CODEC = new CspCodec();

    /** What has been said so far. */
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
     * A header key that CSP/1 does not define. Readers under the strict profile refuse it, unless it is DEF or LAWS.
     *
     * @param key upper-case letters, digits and underscores, the first a letter; only DEF and LAWS may come more than once
     * @param value one line, possibly empty
     */
    public final B header(String key, String value) {
        CspField field = new CspField(key, value);
        CspChecks.headerField(field);
        addOnce(headerFields, "headerFields", field, false);
        return self();
    }

    /**
     * A key of the block that CSP/1 does not define there. Readers under the strict profile refuse it, unless it is DEF or LAWS or the block is a
     * PLAN, a QUERY or a MEM.
     *
     * @param key as in {@link #header}; in a PLAN, a QUERY or a MEM every key may come more than once
     * @param value one line or several, possibly empty
     */
    public final B field(String key, String value) {
        CspField field = new CspField(key, value);
        CspText.require(!CspChecks.isData(field), "fields", "has DATA, which runs to the end of the message");
        CspChecks.field(block, field);
        addOnce(fields, "fields", field, block.isGeneric());
        return self();
    }

    /**
     * The message.
     *
     * @throws IllegalArgumentException when a key is missing, or the message is larger than {@link dev.parley.codec.Limits#DEFAULT} allows
     */
    public final CspMessage build() {
        message.setHeaderFields(headerFields);
        message.setFields(allFields(fields));
        CspRequirements.requireExpected(message, block);
        return CODEC.verify(message, strict ? DecodeOptions.STRICT : DecodeOptions.LENIENT);
    }

    /** The builder itself. */
    abstract B self();

    /** All that stands among the fields of the message. */
    List<CspField> allFields(List<CspField> keys) {
        return keys;
    }

    /** Sets a key of the block whose value may go on over several lines. */
    final B set(CspKey key, String value) {
        key.set(message, CspText.value(key.name(), value, false));
        return self();
    }

    /** Says that the message departs from the form of the document. */
    final void departs() {
        strict = false;
    }

    private void addOnce(List<CspField> list, String field, CspField added, boolean repeatable) {
        if (!CspUnknownKeys.isDefinition(added.getKey()) && !repeatable) {
            for (CspField other : list) {
                CspText.require(!other.getKey().equals(added.getKey()), field, "has " + added.getKey() + " twice");
            }
            departs();
        }
        list.add(added);
    }
}
