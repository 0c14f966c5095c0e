package dev.parley.server.operations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.server.ServerConfig;
import dev.parley.server.deployment.Deployment;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.topics.Check;
import dev.parley.topology.topics.Finding;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StateCheckTest {
    private static final long ENOUGH = Long.MAX_VALUE;

    @TempDir
    private Path directory;

    private final List<Finding> findings = new ArrayList<>();

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "ext4, -",
                "xfs, -",
                "btrfs, -",
                "tmpfs, STATE_VOLATILE",
                "overlay, STATE_VOLATILE",
                "nfs4, STATE_REMOTE",
                "cifs, STATE_REMOTE",
                "9p, STATE_REMOTE",
                "fuse.sshfs, STATE_REMOTE"
            })
    void aFileSystemIsJudgedByItsType(String type, Check check) {
        check(Path.of("/var/lib/parley")).disk(type, ENOUGH);
        assertThat(findings).extracting(Finding::check).isEqualTo(check == null ? List.of() : List.of(check));
    }

    @ParameterizedTest
    @CsvSource({"999, true", "1000, false"})
    void aDiskBelowTheMinimumIsReported(long bytes, boolean low) {
        check(Path.of("/var/lib/parley"), 1_000).disk("ext4", bytes);
        assertThat(findings.stream().anyMatch(finding -> finding.check() == Check.DISK_LOW))
                .isEqualTo(low);
    }

    @Test
    void aTemporaryDirectoryIsReported() {
        check(Path.of(System.getProperty("java.io.tmpdir"), "parley")).disk("ext4", ENOUGH);
        assertThat(findings).extracting(Finding::check).containsExactly(Check.STATE_VOLATILE);
    }

    @Test
    void aMissingDirectoryIsAcceptedAndNotCreated() {
        Path state = directory.resolve("a/b");
        check(state).run();
        assertThat(findings).extracting(Finding::check).containsOnly(Check.STATE_VOLATILE);
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void anUnwritableDirectoryIsReported() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "");
        check(file.resolve("state")).run();
        assertThat(findings).singleElement().satisfies(finding -> {
            assertThat(finding.check()).isEqualTo(Check.STATE_UNWRITABLE);
            assertThat(finding.problem()).contains(file.toString());
        });
    }

    @Test
    void aDirectoryInUseByAnotherProcessIsLocked() throws IOException {
        Path lock = Files.createDirectories(directory.resolve("parley")).resolve(".lock");
        try (FileChannel held = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            held.lock();
            check(directory).run();
            assertThat(findings).extracting(Finding::check).contains(Check.STATE_LOCKED);
        }
        findings.clear();
        check(directory).run();
        assertThat(findings).extracting(Finding::check).doesNotContain(Check.STATE_LOCKED);
    }

    private StateCheck check(Path state) {
        return check(state, 0);
    }

    private StateCheck check(Path state, long least) {
        ParleyConfig config =
                ServerConfig.of(Map.of(ParleyConfig.STATE_DIR, state.toString(), ParleyConfig.STATE_FREE_BYTES, least));
        return new StateCheck(config, Deployment.of(config), findings);
    }
}
