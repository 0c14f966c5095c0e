package dev.parley.topology.lifecycle;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.logging.FileErrors;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.common.utils.Utils;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.DBOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The local state of an application. Kafka Streams does not start on some damaged files. With others, a scan ends at
 * the damage without an error. A view on the state of another partition returns records of both.
 */
public final class LocalState {
    private static final Logger LOG = LoggerFactory.getLogger(LocalState.class);
    /** Column family in which Kafka Streams stores the changelog partition of a database, and its offset. */
    private static final byte[] OFFSETS = "offsets".getBytes(UTF_8);
    /** The other entries there. */
    private static final Set<String> NO_CHANGELOGS = Set.of("status", "position");

    private LocalState() {}

    /**
     * Reads the state of an application, and deletes that of each task that is damaged or belongs to another partition.
     * Kafka Streams restores it from the brokers.
     *
     * @param application its state directory, which this process has locked and does not yet use
     * @throws UncheckedIOException if the directory cannot be read or changed
     */
    public static void deleteDamaged(Path application) {
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(application, Files::isDirectory)) {
            for (Path task : tasks) {
                try (Stream<Path> files = Files.walk(task)) {
                    for (Path file :
                            files.filter(file -> file.endsWith("CURRENT")).toList()) {
                        verify(
                                file.getParent().toString(),
                                suffix(task.getFileName().toString()));
                    }
                } catch (RocksDBException e) {
                    LOG.warn("Deleting the local state {}, to restore it from the brokers: {}", task, e.getMessage());
                    Utils.delete(task.toFile());
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot check the state in " + application + ": " + FileErrors.reason(e), e);
        }
    }

    /** The end of the changelog partitions of a task: -0 for 1_0; empty for global state, which has all partitions. */
    private static String suffix(String task) {
        return task.indexOf('_') < 0 ? "" : "-" + task.substring(task.indexOf('_') + 1);
    }

    /** Reads all blocks of a database, and the names of its changelog partitions. */
    private static void verify(String database, String suffix) throws RocksDBException {
        List<ColumnFamilyDescriptor> families = new ArrayList<>();
        try (Options options = new Options()) {
            RocksDB.listColumnFamilies(options, database)
                    .forEach(name -> families.add(new ColumnFamilyDescriptor(name)));
        }
        if (families.isEmpty()) {
            throw new RocksDBException("The list of its files is damaged");
        }
        List<ColumnFamilyHandle> opened = new ArrayList<>();
        try (DBOptions options = new DBOptions();
                RocksDB state = RocksDB.openReadOnly(options, database, families, opened)) {
            state.verifyChecksum();
            for (ColumnFamilyHandle family : opened) {
                try (RocksIterator entries = state.newIterator(family)) {
                    entries.seekToFirst();
                    while (Arrays.equals(family.getName(), OFFSETS) && entries.isValid()) {
                        String name = new String(entries.key(), UTF_8);
                        if (!NO_CHANGELOGS.contains(name) && !name.endsWith(suffix)) {
                            throw new RocksDBException("It belongs to " + name);
                        }
                        entries.next();
                    }
                }
            }
        }
    }
}
