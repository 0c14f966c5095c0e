package dev.parley.topology.config;

import dev.parley.log.KeyFiles;
import dev.parley.logging.FileErrors;
import java.io.IOException;
import java.nio.file.Path;
import java.security.KeyPair;
import org.apache.kafka.common.config.ConfigException;

/** Reads key pairs that a setting names. */
public final class KeyPairFile {

    private KeyPairFile() {}

    /**
     * Reads a key pair.
     *
     * @param setting name of the setting
     * @throws ConfigException if the file cannot be read or contains no key pair
     */
    public static KeyPair read(String setting, Path file) {
        try {
            return KeyFiles.readPair(file);
        } catch (IOException e) {
            throw new ConfigException(setting, file, "The file cannot be read: " + FileErrors.reason(e));
        } catch (IllegalArgumentException e) {
            throw new ConfigException(setting, file, e.getMessage());
        }
    }
}
