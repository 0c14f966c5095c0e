package dev.parley.codec.csp;

import dev.parley.avro.CspField;
import dev.parley.avro.CspMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Builds a PLAN, a QUERY or a MEM with an optional ID, text, keys and data; see {@link CspMessages}. */
public final class CspFreeFormBuilder extends CspBuilder<CspFreeFormBuilder> {
    private final CspBlock block;
    private CspField text;
    private CspField data;

    CspFreeFormBuilder(CspMessage message, CspBlock block) {
        super(message);
        this.block = block;
    }

    /** Sets the ID on the block's first line, one word. */
    public CspFreeFormBuilder id(String id) {
        message.setId(CspText.word("id", id));
        return this;
    }

    /** Sets the lines below the block's first line. None may start with an upper-case word. */
    public CspFreeFormBuilder text(String lines) {
        Objects.requireNonNull(lines, "lines");
        text = new CspField(block.name(), CspText.value("fields", '\n' + lines, false));
        return this;
    }

    /** Sets DATA, the last part of the message: text without tabs, carriage returns, or white space at either end. */
    public CspFreeFormBuilder data(String value) {
        CspField field = new CspField(CspKey.DATA.name(), value);
        CspChecks.field(block, field);
        data = field;
        return this;
    }

    @Override
    CspFreeFormBuilder self() {
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
