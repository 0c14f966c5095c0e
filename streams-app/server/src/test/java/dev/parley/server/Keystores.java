package dev.parley.server;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Keystores that are made when they are needed, by the keytool of this Java. */
public final class Keystores {
    public static final String PASSWORD = "correct-horse-battery";
    private static final String ALIAS = "parley";
    private static final Base64.Encoder LINES = Base64.getMimeEncoder(64, new byte[] {'\n'});

    private Keystores() {}

    /** A keystore with a key and a certificate for 127.0.0.1. */
    public static Path make(Path directory, String type) throws IOException, InterruptedException {
        Path file = directory.resolve("keystore." + type);
        Process process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keystore",
                        file.toString(),
                        "-storetype",
                        type,
                        "-storepass",
                        PASSWORD,
                        "-keypass",
                        PASSWORD,
                        "-alias",
                        ALIAS,
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=parley",
                        "-ext",
                        "san=ip:127.0.0.1",
                        "-validity",
                        "2"))
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), US_ASCII);
        if (process.waitFor() != 0) {
            throw new IllegalStateException("keytool: " + said);
        }
        return file;
    }

    /** The key of a keystore in PEM. */
    public static String keyPem(Path file) throws IOException, GeneralSecurityException {
        return pem(
                "PRIVATE KEY", open(file).getKey(ALIAS, PASSWORD.toCharArray()).getEncoded());
    }

    /** The certificate of a keystore in PEM. */
    public static String certificatePem(Path file) throws IOException, GeneralSecurityException {
        return pem("CERTIFICATE", certificate(file).getEncoded());
    }

    /** What a client needs that trusts the certificate of a keystore and no other. */
    public static SSLContext trusting(Path file) throws IOException, GeneralSecurityException {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry(ALIAS, certificate(file));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }

    private static Certificate certificate(Path file) throws IOException, GeneralSecurityException {
        return open(file).getCertificate(ALIAS);
    }

    private static KeyStore open(Path file) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, PASSWORD.toCharArray());
        }
        return store;
    }

    private static String pem(String what, byte[] bytes) {
        return "-----BEGIN " + what + "-----\n" + LINES.encodeToString(bytes) + "\n-----END " + what + "-----\n";
    }
}
