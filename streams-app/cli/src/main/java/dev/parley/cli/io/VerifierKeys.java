package dev.parley.cli.io;

import dev.parley.log.TrustedKey;
import dev.parley.log.tlog.TlogFormatException;
import dev.parley.log.tlog.VerifierKey;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Reads values of options that are verifier keys of audit logs, or files of them. */
public final class VerifierKeys {
    private static final int MAX_FILE_BYTES = 1 << 20;

    private VerifierKeys() {}

    /**
     * Reads the values of {@code --key}, which must all be keys of one deployment, and all but one retired.
     *
     * @param values keys, or names of files with one key per line
     * @throws UsageException if a value is neither, keys have different names, or two are not retired
     */
    public static List<TrustedKey> read(List<String> values) {
        List<TrustedKey> keys = trusted("--key", values, VerifierKey.ED25519, "an Ed25519 key of a log,");
        for (TrustedKey trusted : keys) {
            String name = keys.get(0).key().name();
            if (!trusted.key().name().equals(name)) {
                throw new UsageException(
                        "--key: all keys must have the same name, the origin of the deployment, but were " + name
                                + " and " + trusted.key().name());
            }
        }
        if (keys.stream().filter(trusted -> trusted.until().equals(Instant.MAX)).count() > 1) {
            throw new UsageException("--key: all keys but the present one must be retired, as in '"
                    + keys.get(0).key()
                    + " until 2026-01-31T12:00:00Z', with the time at which the key was replaced. Otherwise, who has a"
                    + " retired key could sign a later history. While a key is being replaced, give either one.");
        }
        return keys;
    }

    /**
     * Reads keys where a retired one could not be told from a present one.
     *
     * @param option name of the option
     * @param values verifier keys, or names of files with one key per line
     * @throws UsageException if a value is neither, or a key is retired
     */
    public static List<VerifierKey> read(String option, List<String> values) {
        return read(option, values, VerifierKey.ED25519, "an Ed25519 key of a log,");
    }

    /**
     * Reads keys of witnesses.
     *
     * @throws UsageException as for {@link #read(String, List)}
     */
    public static List<VerifierKey> ofWitnesses(String option, List<String> values) {
        return read(option, values, VerifierKey.COSIGNATURE, "a key of a witness, from parley keygen --witness,");
    }

    private static List<VerifierKey> read(String option, List<String> values, int type, String required) {
        List<TrustedKey> keys = trusted(option, values, type, required);
        for (TrustedKey trusted : keys) {
            if (!trusted.until().equals(Instant.MAX)) {
                throw new UsageException(option + ": the key must not be retired, but was '" + trusted
                        + "'. Remove it: who has a retired key could sign a later history.");
            }
        }
        return keys.stream().map(TrustedKey::key).toList();
    }

    private static List<TrustedKey> trusted(String option, List<String> values, int type, String required) {
        List<TrustedKey> keys = new ArrayList<>();
        for (String value : values) {
            boolean file = isFile(value);
            List<String> texts = file ? lines(option, value) : List.of(value);
            String place = file ? option + ' ' + value : option;
            for (String text : texts) {
                TrustedKey trusted = parse(file ? place + ": " : option + ": there is no such file, and ", text);
                VerifierKey key = trusted.key();
                if (key.type() != type) {
                    throw new UsageException(
                            place + ": the key must be " + required + " but " + key.name() + " has type " + key.type());
                }
                keys.add(trusted);
            }
        }
        return List.copyOf(keys);
    }

    private static boolean isFile(String value) {
        try {
            return Files.exists(Path.of(value));
        } catch (InvalidPathException e) {
            return false;
        }
    }

    private static List<String> lines(String option, String file) {
        try {
            Path path = Path.of(file);
            if (Files.size(path) > MAX_FILE_BYTES) {
                throw new UsageException(
                        option + ' ' + file + ": the file must have at most " + MAX_FILE_BYTES + " bytes");
            }
            List<String> lines = Files.readString(path, StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank())
                    .toList();
            if (lines.isEmpty()) {
                throw new UsageException(option + ' ' + file + ": the file must contain a verifier key");
            }
            return lines;
        } catch (IOException e) {
            throw new UsageException(option + ' ' + file + ": " + ErrorMessages.reason(e), e);
        }
    }

    private static TrustedKey parse(String prefix, String text) {
        try {
            return TrustedKey.parse(text.strip());
        } catch (TlogFormatException e) {
            throw new UsageException(
                    prefix + e.requirement() + ". Give a verifier key, or the .vkey file of parley keygen", e);
        }
    }
}
