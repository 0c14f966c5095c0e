package dev.parley.topology.lifecycle;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.DBOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

class LocalStateTest {
    @TempDir
    private Path application;

    @ParameterizedTest
    @ValueSource(strings = {".sst", "CURRENT", "MANIFEST"})
    void aFlippedBitCostsTheStateOfOneTask(String file) throws Exception {
        Path victim = write("1_0", "parley-conversations-changelog-0");
        Path other = write("1_1", "parley-conversations-changelog-1");
        try (RandomAccessFile opened = new RandomAccessFile(find(victim, file).toFile(), "rw")) {
            long middle = opened.length() / 2;
            opened.seek(middle);
            int value = opened.read();
            opened.seek(middle);
            opened.write(value ^ 4);
        }

        LocalState.deleteDamaged(application);

        assertThat(victim).doesNotExist();
        assertThat(other).isNotEmptyDirectory();
    }

    @ParameterizedTest
    @ValueSource(strings = {".sst", "CURRENT"})
    void aTruncatedFileCostsTheStateOfOneTask(String file) throws Exception {
        Path victim = write("0_1", "parley-inputs-changelog-1");
        Path other = write("global", "parley.accounting.v1-0");
        try (RandomAccessFile opened = new RandomAccessFile(find(victim, file).toFile(), "rw")) {
            opened.setLength(opened.length() / 2);
        }

        LocalState.deleteDamaged(application);

        assertThat(victim).doesNotExist();
        assertThat(other).isNotEmptyDirectory();
    }

    @Test
    void stateOfAnotherPartitionIsDeleted() throws Exception {
        Path swapped = write("1_0", "parley-views-view-audit-changelog-1");
        Path right = write("1_11", "parley-views-view-audit-changelog-11");

        LocalState.deleteDamaged(application);

        assertThat(swapped).doesNotExist();
        assertThat(right).isNotEmptyDirectory();
    }

    /** Writes a store as Kafka Streams does, and returns the directory of its task. */
    private Path write(String task, String changelog) throws IOException, RocksDBException {
        Path directory = application.resolve(task);
        String store =
                Files.createDirectories(directory.resolve("rocksdb/store")).toString();
        List<ColumnFamilyHandle> families = new ArrayList<>();
        try (DBOptions options = new DBOptions().setCreateIfMissing(true).setCreateMissingColumnFamilies(true);
                FlushOptions flush = new FlushOptions();
                RocksDB state = RocksDB.open(
                        options,
                        store,
                        List.of(
                                new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY),
                                new ColumnFamilyDescriptor("offsets".getBytes(UTF_8))),
                        families)) {
            for (int entry = 0; entry < 1_000; entry++) {
                byte[] bytes = ByteBuffer.allocate(100).putInt(entry).array();
                state.put(families.get(0), bytes, bytes);
            }
            byte[] offset = ByteBuffer.allocate(8).putLong(1_000).array();
            for (String key : List.of(changelog, "status", "position")) {
                state.put(families.get(1), key.getBytes(UTF_8), offset);
            }
            state.flush(flush, families);
        }
        return directory;
    }

    private static Path find(Path directory, String name) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(file -> file.getFileName().toString().contains(name))
                    .max((one, other) ->
                            Long.compare(one.toFile().length(), other.toFile().length()))
                    .orElseThrow();
        }
    }
}
