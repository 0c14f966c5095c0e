package dev.parley.embedded;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.embedded.SchemaRegistry.Registered;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * The registrations of a registry, one JSON object per line, in order. A line is on disk before {@link #append}
 * returns. A last line that a crash left incomplete was never acknowledged; opening the journal removes it.
 */
record SchemaJournal(Path file, FileChannel channel) implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * Opens a journal and replays it. Creates the file and its directory if they are missing.
     *
     * @param replay receives every registration, oldest first
     * @throws StartupException if another registry uses the file, it is a link, or a line other than the last is
     *     damaged
     */
    static SchemaJournal open(Path file, Consumer<Registered> replay) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        FileChannel channel = ClusterDirectory.openOrCreate(file);
        try {
            if (!ClusterDirectory.tryLock(channel)) {
                throw new StartupException("The schema journal " + file
                        + " is in use by another registry; stop that one or choose another data directory.");
            }
            SchemaJournal journal = new SchemaJournal(file, channel);
            journal.replay(replay);
            return journal;
        } catch (IOException | RuntimeException failure) {
            channel.close();
            throw failure;
        }
    }

    private void replay(Consumer<Registered> replay) throws IOException {
        // Through this channel: on Linux, closing any other channel of the same file would release the lock.
        byte[] bytes = Channels.newInputStream(channel).readAllBytes();
        int start = 0;
        int number = 1;
        for (int end = 0; end < bytes.length; end++) {
            if (bytes[end] != '\n') {
                continue;
            }
            try {
                replay.accept(JSON.readValue(bytes, start, end - start, Registered.class));
            } catch (IOException | RuntimeException damaged) {
                if (end + 1 == bytes.length) {
                    break;
                }
                throw new StartupException(
                        "Line " + number + " of the schema journal " + file
                                + " is damaged; restore the file from a backup, or move it away to start an empty"
                                + " registry.",
                        damaged);
            }
            start = end + 1;
            number++;
        }
        if (start < bytes.length) {
            channel.truncate(start);
            channel.force(true);
        }
        channel.position(start);
    }

    /**
     * Writes a registration to disk.
     *
     * @throws RegistryException 50001 if that fails; the journal is then unchanged
     */
    void append(Registered registered) {
        try {
            long before = channel.position();
            try {
                ByteBuffer line = ByteBuffer.wrap(line(registered));
                while (line.hasRemaining()) {
                    channel.write(line);
                }
                channel.force(false);
            } catch (IOException failure) {
                channel.truncate(before);
                throw failure;
            }
        } catch (IOException failure) {
            throw new RegistryException(
                    RegistryException.STORE_FAILED,
                    "The schema journal " + file + " cannot be written (" + failure.getMessage()
                            + "); check the disk's space and permissions.",
                    failure);
        }
    }

    private static byte[] line(Registered registered) throws JsonProcessingException {
        byte[] json = JSON.writeValueAsBytes(registered);
        byte[] line = Arrays.copyOf(json, json.length + 1);
        line[json.length] = '\n';
        return line;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
