package dev.parley.tap;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The sessions of a process, in a file that exists as long as records of them may be lost. Its lock tells whether the
 * process lives. The next start finds the file of a process that was killed, or that could not deliver everything.
 * Thread-safe.
 *
 * <p>The first line has the time of the last delivery. Each further line has a session, and after a tab its loss.
 */
final class SessionFile {
    static final FileAttribute<?> OWNER_DIRECTORY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    static final FileAttribute<?> OWNER_FILE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private static final String SUFFIX = ".sessions";
    private static final int MAX_FILES = 100;
    private static final int MAX_BYTES = 256 << 10;
    /** {@link Instant#toString} with milliseconds, and a line feed. */
    private static final int TIME_BYTES = 25;

    private final String process;
    private final Path path;
    private final FileChannel channel;
    private final Set<String> sessions = new HashSet<>();
    private final List<Left> reported = new ArrayList<>();

    /** A file that a process left, locked. */
    private record Left(Path path, FileChannel channel, Map<String, String> losses) {}

    private SessionFile(String process, Path path, FileChannel channel) {
        this.process = process;
        this.path = path;
        this.channel = channel;
    }

    /**
     * Creates the file of this process.
     *
     * @param process name of the process, and session of losses that belong to none
     */
    static SessionFile create(Path directory, String process) throws IOException {
        Files.createDirectories(directory, OWNER_DIRECTORY);
        // Only a locked file gets the name by which others find it.
        Path hidden = directory.resolve(process + ".new");
        FileChannel channel = FileChannel.open(
                hidden,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE),
                OWNER_FILE);
        channel.lock();
        Path path = directory.resolve(process + SUFFIX);
        SessionFile file = new SessionFile(process, path, channel);
        file.delivered();
        Files.move(hidden, path, StandardCopyOption.ATOMIC_MOVE);
        return file;
    }

    /** Name of the process. */
    String process() {
        return process;
    }

    /** Remembers a session before its first record. */
    synchronized void add(String session) {
        if (!sessions.contains(session)) {
            try {
                if (channel.size() < MAX_BYTES) {
                    sessions.add(session);
                    write(session + "\n", channel.size());
                }
            } catch (IOException e) {
                // Traffic and records go on.
                Console.say("cannot write " + path + ", so a crash would hide a gap: " + Console.reason(e));
            }
        }
    }

    /** Notes that records were delivered. */
    synchronized void delivered() {
        try {
            String time = Instant.ofEpochMilli(System.currentTimeMillis()).toString();
            write((time.length() == TIME_BYTES - 1 ? time : time.substring(0, 19) + ".000Z") + "\n", 0);
        } catch (IOException e) {
            // The time of the last delivery is then an earlier one.
            Console.say("cannot write " + path + ": " + Console.reason(e));
        }
    }

    private void write(String text, long position) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(UTF_8));
        while (bytes.hasRemaining()) {
            position += channel.write(bytes, position);
        }
    }

    /** Deletes the file, or leaves losses in it for the next start. */
    synchronized void close(Map<String, Loss> left) {
        try {
            if (left.isEmpty()) {
                Files.deleteIfExists(path);
                for (Left file : reported) {
                    Files.deleteIfExists(file.path());
                }
            } else {
                channel.truncate(TIME_BYTES);
                StringBuilder lines = new StringBuilder();
                left.forEach((session, loss) ->
                        lines.append(session).append('\t').append(loss).append('\n'));
                write(lines.toString(), TIME_BYTES);
            }
            for (Left file : reported) {
                file.channel().close();
            }
            channel.close();
        } catch (IOException e) {
            Console.say("cannot write " + path + ": " + Console.reason(e));
        }
    }

    /**
     * Finds the sessions of processes that ended without delivering everything. Their files are deleted when this one
     * is.
     *
     * @return losses by session, as values of the header {@value Loss#HEADER}
     */
    synchronized Map<String, String> left() {
        Map<String, String> losses = new LinkedHashMap<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(path.getParent(), "*" + SUFFIX)) {
            for (Path file : files) {
                if (reported.size() == MAX_FILES) {
                    break;
                }
                if (!file.equals(path)) {
                    Left left = open(file);
                    if (left != null) {
                        reported.add(left);
                        losses.putAll(left.losses());
                    }
                }
            }
        } catch (IOException e) {
            Console.say("cannot read " + path.getParent() + ": " + Console.reason(e));
        }
        return losses;
    }

    /** Locks the file of a process that has ended; null if it lives. */
    static FileChannel lock(Path file) throws IOException {
        FileChannel channel;
        try {
            channel = FileChannel.open(
                    file, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
        } catch (NoSuchFileException e) {
            return null;
        }
        FileLock lock;
        try {
            lock = channel.tryLock();
        } catch (OverlappingFileLockException e) {
            lock = null;
        }
        // A process that ends deletes its file before it unlocks it.
        if (lock == null || !Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            channel.close();
            return null;
        }
        return channel;
    }

    private static Left open(Path file) throws IOException {
        FileChannel channel = lock(file);
        if (channel == null) {
            return null;
        }
        ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(channel.size(), 2 * MAX_BYTES));
        while (bytes.hasRemaining() && channel.read(bytes) >= 0) {
            // Reads the rest.
        }
        return new Left(file, channel, losses(new String(bytes.array(), 0, bytes.position(), UTF_8)));
    }

    private static Map<String, String> losses(String text) {
        Map<String, String> losses = new LinkedHashMap<>();
        long now = System.currentTimeMillis();
        long from = now;
        for (String line : text.lines().toList()) {
            int tab = line.indexOf('\t');
            if (tab > 0) {
                losses.put(line.substring(0, tab), line.substring(tab + 1));
            } else if (losses.isEmpty() && from == now && line.length() == TIME_BYTES - 1 && line.endsWith("Z")) {
                try {
                    from = Instant.parse(line).toEpochMilli();
                } catch (DateTimeParseException e) {
                    // A damaged file still names the sessions.
                }
            } else if (!line.isEmpty()) {
                losses.put(line, Loss.unknown(from, now));
            }
        }
        return losses;
    }
}
