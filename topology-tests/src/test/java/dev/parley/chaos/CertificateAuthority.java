package dev.parley.chaos;

import dev.parley.cli.environment.Certificates;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A certificate authority, made by the JDK's keytool. Its certificates are for 127.0.0.1. */
final class CertificateAuthority {
    static final String PASSWORD = Certificates.PASSWORD;

    private final Path directory;
    private final Path keys;
    private int issued;

    CertificateAuthority(Path directory) throws IOException {
        this.directory = Files.createDirectories(directory);
        keys = directory.resolve("authority.p12");
        makeKey(keys, "authority", "-ext", "bc:c", "-validity", "2");
        Certificates.keytool(
                keys,
                "-exportcert",
                "-rfc",
                "-alias",
                "authority",
                "-file",
                certificate().toString());
    }

    /** PEM file with its own certificate. */
    Path certificate() {
        return directory.resolve("authority.pem");
    }

    /**
     * Issues a certificate for one day.
     *
     * @param start of that day relative to now, such as {@code -2d} for one that has expired
     * @return PKCS12 store with the key
     */
    Path issue(String start) throws IOException {
        Path store = directory.resolve("broker-" + issued++ + ".p12");
        Files.copy(keys, store);
        makeKey(
                store,
                "broker",
                "-signer",
                "authority",
                "-ext",
                "san=ip:127.0.0.1",
                "-startdate",
                start,
                "-validity",
                "1");
        Certificates.keytool(store, "-delete", "-alias", "authority");
        return store;
    }

    private static void makeKey(Path store, String name, String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                "-genkeypair", "-alias", name, "-keyalg", "EC", "-groupname", "secp256r1", "-dname", "CN=" + name));
        arguments.addAll(List.of(more));
        Certificates.keytool(store, arguments.toArray(String[]::new));
    }
}
