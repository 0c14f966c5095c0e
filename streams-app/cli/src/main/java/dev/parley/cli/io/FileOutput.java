package dev.parley.cli.io;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Path;

/** The content of a file. A failure to write it, such as a full disk, names the file. */
final class FileOutput extends FilterOutputStream {
    private final Path file;

    /** @param file name of the file, as the user knows it */
    FileOutput(Path file, OutputStream out) {
        super(out);
        this.file = file;
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        try {
            out.write(bytes, from, length);
        } catch (IOException e) {
            throw named(file, e);
        }
    }

    /** A failure that names the file. */
    static IOException named(Path file, IOException failure) {
        FileSystemException named = new FileSystemException(file.toString(), null, ErrorMessages.reason(failure));
        named.initCause(failure);
        return named;
    }
}
