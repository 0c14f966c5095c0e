package dev.parley.tap;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A key with a self-signed certificate, made by the keytool of this Java. */
final class Certificates {
    private static final char[] PASSWORD = "correct-horse".toCharArray();
    private static final String ALIAS = "a";

    private final KeyStore store;
    private final Path file;

    private Certificates(KeyStore store, Path file) {
        this.store = store;
        this.file = file;
    }

    /**
     * Makes one.
     *
     * @param names alternative names, as keytool reads them; empty for none
     */
    static Certificates of(Path directory, String subject, String names)
            throws IOException, InterruptedException, GeneralSecurityException {
        Path file = Files.createTempDirectory(directory, "certificate").resolve("store");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-J-XX:TieredStopAtLevel=1",
                "-J-XX:+UseSerialGC",
                "-genkeypair",
                "-keystore",
                file.toString(),
                "-storetype",
                "PKCS12",
                "-storepass",
                new String(PASSWORD),
                "-alias",
                ALIAS,
                "-keyalg",
                "EC",
                "-dname",
                subject,
                "-validity",
                "2"));
        if (!names.isEmpty()) {
            command.addAll(List.of("-ext", "san=" + names));
        }
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), US_ASCII);
        if (process.waitFor() != 0) {
            throw new IllegalStateException("keytool: " + said);
        }
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, PASSWORD);
        }
        return new Certificates(store, file);
    }

    X509Certificate certificate() throws GeneralSecurityException {
        return (X509Certificate) store.getCertificate(ALIAS);
    }

    /** The certificate in PEM. */
    String certificateFile() throws IOException, GeneralSecurityException {
        return pem("CERTIFICATE", certificate().getEncoded());
    }

    /** The private key in PEM. */
    String keyFile() throws IOException, GeneralSecurityException {
        return pem("PRIVATE KEY", store.getKey(ALIAS, PASSWORD).getEncoded());
    }

    private String pem(String what, byte[] bytes) throws IOException {
        String lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
        return Files.writeString(
                        file.resolveSibling(what + ".pem"),
                        "-----BEGIN " + what + "-----\n" + lines + "\n-----END " + what + "-----\n")
                .toString();
    }

    /** TLS with this key, which trusts another certificate; null for none. */
    SSLContext context(Certificates trusted) throws IOException, GeneralSecurityException {
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, PASSWORD);
        return context(keys, trusted);
    }

    /** TLS of a client without a key, which trusts a certificate. */
    static SSLContext trusting(Certificates trusted) throws IOException, GeneralSecurityException {
        return context(null, trusted);
    }

    private static SSLContext context(KeyManagerFactory keys, Certificates trusted)
            throws IOException, GeneralSecurityException {
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        KeyStore known = KeyStore.getInstance("PKCS12");
        known.load(null, null);
        if (trusted != null) {
            known.setCertificateEntry(ALIAS, trusted.certificate());
        }
        trust.init(known);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys == null ? null : keys.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }
}
