package dev.parley.topology.pipeline;

import dev.parley.log.LogNotes;
import dev.parley.log.tlog.NoteSigner;
import dev.parley.log.tlog.TlogFormatException;
import dev.parley.log.tlog.VerifierKey;
import dev.parley.topology.config.AuditKeys;
import dev.parley.topology.config.KeyPairFile;
import dev.parley.topology.config.ParleyConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.config.ConfigException;

/**
 * Settings for publishing the heads of the audit log.
 *
 * @param interval time between two heads of a log
 * @param keyFiles files of the key pairs that sign heads; empty: unsigned
 * @param origin identity of the deployment
 */
public record LogHeadSettings(Duration interval, List<Path> keyFiles, String origin) {

    public static LogHeadSettings of(ParleyConfig config) {
        return new LogHeadSettings(
                Duration.ofMillis(config.getLong(AuditKeys.HEADS_INTERVAL_MS)),
                config.getList(AuditKeys.HEADS_KEY_FILES).stream().map(Path::of).toList(),
                originOf(config));
    }

    /** Returns the identity of a deployment in its notes. */
    public static String originOf(ParleyConfig config) {
        String origin = config.getString(AuditKeys.ORIGIN);
        return origin != null ? origin : LogNotes.defaultOrigin(config.topics());
    }

    /**
     * Reads the verifier keys of the deployment: those of the key files, which only a pipeline needs, and the others.
     *
     * @throws ConfigException if a key cannot be read
     */
    public static List<VerifierKey> verifierKeys(ParleyConfig config) {
        List<VerifierKey> keys = new ArrayList<>();
        if (config.hasRole("pipeline")) {
            keys.addAll(of(config).notes().verifierKeys());
        }
        for (String key : config.getList(AuditKeys.HEADS_KEYS)) {
            try {
                keys.add(VerifierKey.parse(key));
            } catch (TlogFormatException e) {
                throw new ConfigException(AuditKeys.HEADS_KEYS, key, e.requirement());
            }
        }
        return keys;
    }

    /**
     * Reads the keys.
     *
     * @throws ConfigException if a file cannot be read or contains no key pair
     */
    public LogNotes notes() {
        List<NoteSigner> signers = keyFiles.stream()
                .map(file -> NoteSigner.of(origin, KeyPairFile.read(AuditKeys.HEADS_KEY_FILES, file)))
                .toList();
        return new LogNotes(origin, signers);
    }
}
