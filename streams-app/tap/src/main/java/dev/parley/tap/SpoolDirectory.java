package dev.parley.tap;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import java.util.zip.CheckedOutputStream;

/**
 * The batches of one process on disk: files with ascending numbers, and one whose lock tells whether the process lives.
 * Not thread-safe.
 */
final class SpoolDirectory {
    private static final String LOCK = "lock";
    private static final int MAX_SESSIONS = 400;
    private static final long BLOCK_BYTES = 4 << 10;

    private final Path path;
    private final String process;
    private final Map<String, String> headers;
    private final FileChannel lock;
    /** Numbers of the files, and bytes of their blocks. */
    private final TreeMap<Long, Long> files = new TreeMap<>();

    private long number;
    private long bytes;
    /** When the last record passed that was read. */
    private long time;
    /** Sessions so far, each of which has a gap if a file is damaged. */
    private final Set<String> sessions = new HashSet<>();

    private boolean isDamaged;

    private SpoolDirectory(Path path, String process, Map<String, String> headers, FileChannel lock) {
        this.path = path;
        this.process = process;
        this.headers = headers;
        this.lock = lock;
    }

    /**
     * Creates the directory of this process. Its name begins with the time.
     *
     * @param headers headers of records that mark gaps
     */
    static SpoolDirectory create(Path parent, String process, Map<String, String> headers) throws IOException {
        // Only a locked directory gets the name by which others find it.
        Path hidden = Files.createDirectory(parent.resolve(process + ".new"), SessionFile.OWNER_DIRECTORY);
        FileChannel lock = SessionFile.createLocked(hidden.resolve(LOCK));
        Path path = parent.resolve("%013d-%s".formatted(System.currentTimeMillis(), process));
        Files.move(hidden, path, StandardCopyOption.ATOMIC_MOVE);
        return new SpoolDirectory(path, process, headers, lock);
    }

    /** Opens the directory of a process that has ended; null if it lives, or is none. */
    static SpoolDirectory left(Path path, Map<String, String> headers) throws IOException {
        String name = path.getFileName().toString();
        FileChannel lock = name.matches("\\d{13}-.+") && Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)
                ? SessionFile.lock(path.resolve(LOCK))
                : null;
        if (lock == null) {
            return null;
        }
        SpoolDirectory left = new SpoolDirectory(path, name.substring(name.indexOf('-') + 1), headers, lock);
        left.time = Long.parseLong(name.substring(0, name.indexOf('-')));
        for (Path file : sorted(path)) {
            if (file.getFileName().toString().matches("\\d{18}")) {
                left.add(Long.parseLong(file.getFileName().toString()), Files.size(file));
            }
        }
        return left;
    }

    /** The files in a directory by name. */
    static List<Path> sorted(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.sorted().toList();
        }
    }

    private void add(long of, long length) {
        long blocks = (length + BLOCK_BYTES - 1) / BLOCK_BYTES * BLOCK_BYTES;
        files.put(of, blocks);
        bytes += blocks;
    }

    boolean isEmpty() {
        return files.isEmpty();
    }

    /** Bytes on disk. */
    long bytes() {
        return bytes;
    }

    /** Adds all of the records, or after an exception none. */
    void add(List<Captured> records) throws IOException {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        CheckedOutputStream checked = new CheckedOutputStream(content, new CRC32());
        DataOutputStream data = new DataOutputStream(checked);
        for (Captured record : records) {
            write(record, data);
        }
        data.writeLong(checked.getChecksum().getValue());
        Path file = Files.createFile(file(number), SessionFile.OWNER_FILE);
        // Unlike a channel, a stream completes it in an interrupted thread.
        try (FileOutputStream out = new FileOutputStream(file.toFile())) {
            content.writeTo(out);
        } catch (IOException e) {
            Files.delete(file);
            throw e;
        }
        add(number++, content.size());
    }

    private Path file(long of) {
        return path.resolve("%018d".formatted(of));
    }

    private static void write(Captured record, DataOutputStream out) throws IOException {
        out.writeLong(record.time());
        out.writeUTF(record.session());
        out.writeInt(record.headers().size());
        for (Map.Entry<String, String> header : record.headers().entrySet()) {
            out.writeUTF(header.getKey());
            out.writeUTF(header.getValue());
        }
        out.writeInt(record.value() == null ? -1 : record.length());
        out.write(record.value() == null ? new byte[0] : record.value());
    }

    private static Captured read(DataInputStream in) throws IOException {
        long time = in.readLong();
        String session = in.readUTF();
        Map<String, String> headers = new LinkedHashMap<>();
        for (int left = in.readInt(); left > 0; left--) {
            headers.put(in.readUTF(), in.readUTF());
        }
        int length = in.readInt();
        return new Captured(session, length < 0 ? null : in.readNBytes(length), headers, time, null);
    }

    /** Returns the first batch, each time with the same name; null without one. A damaged one has gaps instead. */
    Batch first() {
        if (files.isEmpty()) {
            return null;
        }
        List<Captured> records = new ArrayList<>();
        try {
            for (Captured record : read(Files.readAllBytes(file(files.firstKey())))) {
                time = record.time();
                if (sessions.size() < MAX_SESSIONS && sessions.add(record.session()) && isDamaged) {
                    records.add(gap(record.session()));
                }
                records.add(record);
            }
        } catch (IOException e) {
            Console.say("the spool " + path + " is damaged, so a gap is recorded: " + Console.reason(e));
            isDamaged = true;
            sessions.add(process);
            sessions.forEach(session -> records.add(gap(session)));
        }
        return new Batch("spool-" + process + "-" + files.firstKey(), records);
    }

    private static List<Captured> read(byte[] content) throws IOException {
        List<Captured> records = new ArrayList<>();
        CheckedInputStream checked = new CheckedInputStream(new ByteArrayInputStream(content), new CRC32());
        DataInputStream data = new DataInputStream(checked);
        while (data.available() > Long.BYTES) {
            records.add(read(data));
        }
        long checksum = checked.getChecksum().getValue();
        if (data.readLong() != checksum) {
            throw new IOException("the checksum differs");
        }
        return records;
    }

    private Captured gap(String session) {
        return Captured.gap(session, headers, Loss.since(time));
    }

    /** Deletes the first batch. */
    void delivered() {
        Map.Entry<Long, Long> first = files.pollFirstEntry();
        bytes -= first.getValue();
        Path file = file(first.getKey());
        try {
            Files.delete(file);
        } catch (IOException e) {
            Console.say("cannot delete " + file + ", so a later start repeats it: " + Console.reason(e));
        }
    }

    /** Unlocks the directory, and deletes it if it is empty. */
    void close() {
        try {
            if (files.isEmpty()) {
                Files.delete(path.resolve(LOCK));
                Files.delete(path);
            }
            lock.close();
        } catch (IOException e) {
            Console.say("cannot close " + path + ": " + Console.reason(e));
        }
    }
}
