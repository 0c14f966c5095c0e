package dev.parley.cli.environment;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A certificate for 127.0.0.1 that signs itself, made by the JDK's keytool when the test runs.
 *
 * @param keys PKCS12 store with the key
 * @param certificate PEM file with the certificate alone
 */
public record Certificates(Path keys, Path certificate) {
    public static final String PASSWORD = "key-store-password";

    public static Certificates make(Path directory, String name) {
        Path keys = directory.resolve(name + ".p12");
        Path certificate = directory.resolve(name + ".pem");
        keytool(
                keys,
                "-genkeypair",
                "-alias",
                name,
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-dname",
                "CN=" + name,
                "-ext",
                "san=ip:127.0.0.1",
                "-validity",
                "2");
        keytool(keys, "-exportcert", "-rfc", "-alias", name, "-file", certificate.toString());
        return new Certificates(keys, certificate);
    }

    /** Runs keytool on a PKCS12 store with the {@link #PASSWORD}. */
    public static void keytool(Path keys, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
        command.addAll(List.of(arguments));
        command.addAll(List.of("-storetype", "PKCS12", "-keystore", keys.toString(), "-storepass", PASSWORD));
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String said = new String(process.getInputStream().readAllBytes(), UTF_8);
            if (process.waitFor() != 0) {
                throw new IllegalStateException(String.join(" ", command) + ": " + said);
            }
        } catch (IOException e) {
            throw new IllegalStateException("keytool did not start", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
