package dev.parley.cli.io;

import dev.parley.log.tlog.TlogFormatException;
import dev.parley.log.tlog.VerifierKey;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads values of options that are verifier keys of audit logs, or files of them. */
public final class VerifierKeys {
    private static final int MAX_FILE_BYTES = 1 << 20;

    private VerifierKeys() {}

    /**
     * Reads the values of {@code --key}, which must all be keys of one deployment.
     *
     * @param values verifier keys, or names of files with one key per line
     * @throws UsageException if a value is neither, or keys have different names
     */
    public static List<VerifierKey> read(List<String> values) {
        List<VerifierKey> keys = read("--key", values);
        for (VerifierKey key : keys) {
            if (!key.name().equals(keys.get(0).name())) {
                throw new UsageException(
                        "--key: all keys must have the same name, the origin of the deployment, but were "
                                + keys.get(0).name() + " and " + key.name());
            }
        }
        return keys;
    }

    /**
     * Reads keys.
     *
     * @param option name of the option
     * @param values verifier keys, or names of files with one key per line
     * @throws UsageException if a value is neither
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
        List<VerifierKey> keys = new ArrayList<>();
        for (String value : values) {
            boolean file = isFile(value);
            List<String> texts = file ? lines(option, value) : List.of(value);
            String place = file ? option + ' ' + value : option;
            for (String text : texts) {
                VerifierKey key = parse(file ? place + ": " : option + ": there is no such file, and ", text);
                if (key.type() != type) {
                    throw new UsageException(
                            place + ": the key must be " + required + " but " + key.name() + " has type " + key.type());
                }
                keys.add(key);
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

    private static VerifierKey parse(String prefix, String text) {
        try {
            return VerifierKey.parse(text.strip());
        } catch (TlogFormatException e) {
            throw new UsageException(
                    prefix + e.requirement() + ". Give a verifier key, or the .vkey file of parley keygen", e);
        }
    }
}
