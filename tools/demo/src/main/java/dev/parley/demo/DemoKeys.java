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

    /**
     * Files of the key pairs that sign: those of the settings, or else one in the directory of the demo, which later
     * demos in this directory use too.
     */
    static List<String> signing(ParleyConfig settings, Path directory) throws IOException {
        List<String> configured = settings.getList(AuditKeys.HEADS_KEY_FILES);
        if (!configured.isEmpty()) {
            return configured;
        }
        Path own = directory.resolve("audit.key");
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
