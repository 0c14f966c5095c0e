package dev.parley.log.tlog;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/** Reads a file of one or more proofs, each of which begins with the version line of {@link TlogProof}. */
public final class TlogProofFile implements AutoCloseable {
    private static final byte[] START = (TlogProof.VERSION + '\n').getBytes(StandardCharsets.UTF_8);

    private final InputStream in;
    private byte[] line;

    public TlogProofFile(InputStream in) throws IOException {
        this.in = new BufferedInputStream(in);
        this.line = readLine();
    }

    /**
     * Returns the bytes of the next proof, which are not parsed; empty after the last.
     *
     * @throws TlogFormatException if it is larger than {@link SignedNote#MAX_BYTES}
     */
    public Optional<byte[]> next() throws IOException, TlogFormatException {
        if (line.length == 0) {
            return Optional.empty();
        }
        ByteArrayOutputStream proof = new ByteArrayOutputStream();
        do {
            proof.write(line);
            if (proof.size() > SignedNote.MAX_BYTES) {
                throw new TlogFormatException(1, "a proof must have at most " + SignedNote.MAX_BYTES + " bytes");
            }
            line = readLine();
        } while (line.length > 0 && !Arrays.equals(line, START));
        return Optional.of(proof.toByteArray());
    }

    /** The next line with its end, cut where it is too long for a proof; empty at the end of the file. */
    private byte[] readLine() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        int next;
        while (bytes.size() <= SignedNote.MAX_BYTES && (next = in.read()) >= 0) {
            bytes.write(next);
            if (next == '\n') {
                break;
            }
        }
        return bytes.toByteArray();
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
