package dev.parley.demo;

import dev.parley.cli.io.ReplacementFile;
import dev.parley.log.KeyFiles;
import dev.parley.log.tlog.VerifierKey;
import dev.parley.topology.config.AuditKeys;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.pipeline.LogHeadSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The public keys of a demo's audit log.
 *
 * @param file file of the verifier keys, one per line
 */
record DemoKeys(List<VerifierKey> keys, Path file) {

    /** Files of the key pairs that sign heads. */
    static List<String> signing(ParleyConfig settings, Path directory) throws IOException {
        return files(settings, AuditKeys.HEADS_KEY_FILES, directory.resolve("audit.key"));
    }

    /** Files of the keys of the internal records. */
    static List<String> internal(ParleyConfig settings, Path directory) throws IOException {
        return files(settings, AuditKeys.INTERNAL_KEY_FILES, directory.resolve("internal.key"));
    }

    /** The files of a setting; without any, one in the directory of the demo, which later demos there use too. */
    private static List<String> files(ParleyConfig settings, String setting, Path own) throws IOException {
        List<String> configured = settings.getList(setting);
        if (!configured.isEmpty()) {
            return configured;
        }
        if (!Files.exists(own)) {
            ReplacementFile.write(own, KeyFiles.privatePem(KeyFiles.newPair()).getBytes(StandardCharsets.US_ASCII));
        }
        return List.of(own.toString());
    }

    /** Writes the verifier keys of the signing keys into the directory of the demo. */
    static DemoKeys publish(ParleyConfig config, Path directory) throws IOException {
        List<VerifierKey> keys = LogHeadSettings.of(config).notes().verifierKeys();
        Path file = directory.resolve("audit.vkey");
        Files.deleteIfExists(file);
        String lines = keys.stream().map(key -> key + "\n").collect(Collectors.joining());
        Files.writeString(file, lines, StandardCharsets.US_ASCII);
        return new DemoKeys(keys, file);
    }
}
