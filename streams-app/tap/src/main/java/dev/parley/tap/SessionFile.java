package dev.parley.tap;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The sessions of a process, in a file that exists as long as records of them may be lost. Its lock tells whether the
 * process lives. The next start finds the file of a process that was killed, or that could not deliver everything.
 * Thread-safe.
 *
 * <p>The first line has the time of the last delivery. Each further line has a session, and if the process knew its
 * loss, the numbers of this, all after tabs.
 */
final class SessionFile {
    static final FileAttribute<?> OWNER_DIRECTORY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    static final FileAttribute<?> OWNER_FILE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private static final Set<PosixFilePermission> WRITE_OF_OTHERS =
            Set.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);

    private static final String SUFFIX = ".sessions";
    private static final int MAX_FILES = 100;
    private static final int MAX_BYTES = 256 << 10;
    /** Of a file that a process left: its sessions may have been many. */
    private static final int MAX_READ_BYTES = 4 << 20;
    /** Values of a line with a loss. */
    private static final int LOSS = 5;

    /** Digits of a time in milliseconds since 1970, and a line feed. */
    private static final int TIME_BYTES = 14;

    private final String process;
    private final Path path;
    private FileChannel channel;
    private final Set<String> sessions = new HashSet<>();
    private long maxBytes = MAX_BYTES;
    /** Files that other processes left, locked. */
    private final Map<Path, FileChannel> reported = new LinkedHashMap<>();

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
        createDirectory(directory);
        // Only a locked file gets the name by which others find it.
        Path hidden = directory.resolve(process + ".new");
        FileChannel channel = createLocked(hidden);
        Path path = directory.resolve(process + SUFFIX);
        SessionFile file = new SessionFile(process, path, channel);
        file.delivered();
        Files.move(hidden, path, StandardCopyOption.ATOMIC_MOVE);
        return file;
    }

    /**
     * Creates a directory and those above it for their owner only, if they are not there.
     *
     * @throws IOException if others can write to it: they could add what is delivered
     */
    static void createDirectory(Path directory) throws IOException {
        Files.createDirectories(directory, OWNER_DIRECTORY);
        if (!Collections.disjoint(Files.getPosixFilePermissions(directory), WRITE_OF_OTHERS)) {
            throw new IOException(directory + " must be writable by its owner only");
        }
    }

    /** Creates a file for its owner only. Its lock tells that this process lives. */
    static FileChannel createLocked(Path file) throws IOException {
        FileChannel channel = FileChannel.open(
                file,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE),
                OWNER_FILE);
        channel.lock();
        return channel;
    }

    /** Name of the process. */
    String process() {
        return process;
    }

    /**
     * Remembers a session before its first record.
     *
     * @param used returns the sessions of records that are not delivered yet; a full file keeps only these
     */
    synchronized void add(String session, Supplier<Set<String>> used) {
        if (sessions.add(session)) {
            try {
                if (channel.size() > maxBytes) {
                    sessions.retainAll(used.get());
                    sessions.add(session);
                    channel.truncate(TIME_BYTES);
                    write(String.join("\n", sessions) + "\n", TIME_BYTES);
                    // The sessions in memory may be many, and are not written for each new one.
                    maxBytes = Math.max(MAX_BYTES, 2 * channel.size());
                } else {
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
            write("%013d\n".formatted(System.currentTimeMillis()), 0);
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
                reported.put(path, channel);
            } else {
                if (!channel.isOpen()) {
                    // The interrupt of the sender has closed it.
                    channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
                }
                channel.truncate(TIME_BYTES);
                StringBuilder lines = new StringBuilder();
                left.forEach((session, loss) -> lines.append("%s\t%d\t%d\t%d\t%d\n"
                        .formatted(session, loss.records(), loss.bytes(), loss.from(), loss.to())));
                write(lines.toString(), TIME_BYTES);
            }
            for (Map.Entry<Path, FileChannel> file : reported.entrySet()) {
                Files.deleteIfExists(file.getKey());
                file.getValue().close();
            }
            channel.close();
        } catch (IOException e) {
            Console.say("cannot write " + path + ": " + Console.reason(e));
        }
    }

    /**
     * Takes over the losses of processes that ended without delivering everything. Their files are deleted when this
     * one is closed.
     *
     * @return losses by session
     */
    synchronized Map<String, Loss> left() {
        Map<String, Loss> losses = new LinkedHashMap<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(path.getParent(), "*" + SUFFIX)) {
            for (Path file : files) {
                if (reported.size() < MAX_FILES && losses.size() <= Outbox.MAX_SESSIONS / 2 && !file.equals(path)) {
                    read(file, losses);
                }
            }
        } catch (IOException e) {
            Console.say("cannot read " + path.getParent() + ": " + Console.reason(e));
        }
        return losses;
    }

    /** Locks the file of a process that has ended; null if it lives. */
    static FileChannel lock(Path file) throws IOException {
        try {
            FileChannel channel = FileChannel.open(
                    file, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
            // A process that ends deletes its file before it unlocks it.
            if (channel.tryLock() != null && Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
                return channel;
            }
            channel.close();
        } catch (NoSuchFileException e) {
            // The process has ended meanwhile.
        } catch (OverlappingFileLockException e) {
            // It is this process. Closing the channel would unlock the file.
        }
        return null;
    }

    private void read(Path file, Map<String, Loss> losses) {
        String[] lines;
        try {
            FileChannel left = lock(file);
            if (left == null) {
                return;
            }
            reported.put(file, left);
            lines = new String(Channels.newInputStream(left).readNBytes(MAX_READ_BYTES), UTF_8).split("\n", -1);
        } catch (IOException e) {
            Console.say("cannot read " + file + ", which is left as it is: " + Console.reason(e));
            return;
        }
        long time = number(lines[0]);
        Loss since = Loss.since(time < 0 ? System.currentTimeMillis() : time);
        for (String line : List.of(lines).subList(1, lines.length)) {
            String[] loss = line.split("\t", -1);
            // A damaged file may have any bytes.
            if (TapOptions.isName(loss[0])) {
                Loss stated = loss.length == LOSS
                        ? new Loss(number(loss[1]), number(loss[2]), number(loss[3]), number(loss[4]))
                        : since;
                losses.merge(loss[0], stated, Loss::plus);
            }
        }
    }

    /** A number of a file, or of a damaged one -1. */
    private static long number(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            return -1;
        }
    }
}
