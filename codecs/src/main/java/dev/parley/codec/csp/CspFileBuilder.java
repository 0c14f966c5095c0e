package dev.parley.codec.csp;

import dev.parley.avro.CspMessage;

/** Builds a FILE message; see {@link CspMessages}. */
public final class CspFileBuilder extends CspBuilder<CspFileBuilder> {

    CspFileBuilder(CspMessage message, String path, String base, String content) {
        super(message);
        set(CspKey.PATH, path);
        set(CspKey.BASE, base);
        message.setFileOperation(CspBlock.PATCH.name());
        message.setContent(CspText.content("content", content));
        message.setContentHeredoc(true);
    }

    /** Sets another operation than PATCH, one word. CSP/1 defines no other; the strict profile refuses it. */
    public CspFileBuilder operation(String operation) {
        message.setFileOperation(CspText.word("fileOperation", operation));
        deviates();
        return this;
    }

    @Override
    CspFileBuilder self() {
        return this;
    }
}
