package dev.parley.topology.pipeline;

import dev.parley.audit.HeadSigner;
import dev.parley.audit.KeyFiles;
import dev.parley.topology.config.AuditKeys;
import dev.parley.topology.config.ParleyConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.apache.kafka.common.config.ConfigException;

/**
 * Settings for publishing the heads of audit chains.
 *
 * @param interval time between two rounds
 * @param keyFile file of the key pair that signs heads and manifests; empty: unsigned
 * @param manifestInterval minimum time between two manifests of a journal
 */
public record ChainHeadSettings(Duration interval, Optional<Path> keyFile, Duration manifestInterval) {

    public static ChainHeadSettings of(ParleyConfig config) {
        return new ChainHeadSettings(
                Duration.ofMillis(config.getLong(AuditKeys.HEADS_INTERVAL_MS)),
                Optional.ofNullable(config.getString(AuditKeys.HEADS_KEY_FILE)).map(Path::of),
                Duration.ofMillis(config.getLong(AuditKeys.MANIFEST_INTERVAL_MS)));
    }

    /**
     * Creates a signer; empty without a key file.
     *
     * @throws ConfigException if the file cannot be read or contains no key pair
     */
    public Optional<HeadSigner> signer() {
        return keyFile.map(file -> {
            try {
                return new HeadSigner(KeyFiles.readPair(file));
            } catch (IOException e) {
                throw new ConfigException(AuditKeys.HEADS_KEY_FILE, file, "The file cannot be read: " + e.getMessage());
            } catch (IllegalArgumentException e) {
                throw new ConfigException(AuditKeys.HEADS_KEY_FILE, file, e.getMessage());
            }
        });
    }
}
