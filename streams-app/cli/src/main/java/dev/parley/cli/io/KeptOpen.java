package dev.parley.cli.io;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** A stream whose owner closes it; {@link #close} only flushes. */
public final class KeptOpen extends FilterOutputStream {
    public KeptOpen(OutputStream out) {
        super(out);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        out.write(bytes, from, length);
    }

    @Override
    public void close() throws IOException {
        flush();
    }
}
