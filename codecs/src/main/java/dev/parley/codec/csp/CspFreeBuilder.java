package dev.parley.codec.csp;

import dev.parley.avro.CspField;
import dev.parley.avro.CspMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Builds a PLAN, a QUERY or a MEM: an id, text, keys and data, all as it pleases; see {@link CspMessages}. */
public final class CspFreeBuilder extends CspBuilder<CspFreeBuilder> {
    private final CspBlock block;
    private CspField text;
    private CspField data;

    CspFreeBuilder(CspMessage message, CspBlock block) {
        super(message);
        this.block = block;
    }

    /** The id on the block's first line, one word. */
    public CspFreeBuilder id(String id) {
        message.setId(CspText.word("id", id));
        return this;
    }

    /** Lines under the block's first line; none may start with an upper-case word. */
    public CspFreeBuilder text(String lines) {
        Objects.requireNonNull(lines, "lines");
        text = new CspField(block.name(), CspText.value("fields", '\n' + lines, false));
        return this;
    }

    /** DATA: any text without tabs and carriage returns, and without white space at its ends; it is the last thing in the message. */
    public CspFreeBuilder data(String value) {
        CspField field = new CspField(CspKey.DATA.name(), value);
        CspChecks.field(block, field);
        data = field;
        return this;
    }

    @Override
    CspFreeBuilder self() {
        return this;
    }

    @Override
    List<CspField> allFields(List<CspField> keys) {
        List<CspField> all = new ArrayList<>(keys.size() + 2);
        if (text != null) {
            all.add(text);
        }
        all.addAll(keys);
        if (data != null) {
            all.add(data);
        }
        return all;
    }
}
