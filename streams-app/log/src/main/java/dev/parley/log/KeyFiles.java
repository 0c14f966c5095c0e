package dev.parley.log;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import java.util.Optional;

/** Ed25519 keys in PEM: the private key as PKCS #8, the public key as X.509, compatible with OpenSSL. */
public final class KeyFiles {
    private static final String ALGORITHM = "Ed25519";
    private static final String PRIVATE = "PRIVATE KEY";
    private static final String PUBLIC = "PUBLIC KEY";

    private KeyFiles() {}

    public static KeyPair newPair() {
        try {
            return KeyPairGenerator.getInstance(ALGORITHM).generateKeyPair();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(ALGORITHM + " is missing from this Java runtime", e);
        }
    }

    /** Both keys in PEM, the private key first, for the signer. */
    public static String privatePem(KeyPair pair) {
        return block(PRIVATE, pair.getPrivate().getEncoded())
                + block(PUBLIC, pair.getPublic().getEncoded());
    }

    /**
     * Reads a file written with {@link #privatePem}.
     *
     * @throws IllegalArgumentException if the file contains no key pair; the message contains the remedy
     * @throws IOException if the file cannot be read
     */
    public static KeyPair readPair(Path file) throws IOException {
        String text = Files.readString(file, StandardCharsets.ISO_8859_1);
        String secret = block(text, PRIVATE)
                .orElseThrow(() -> new IllegalArgumentException(
                        file + " must contain a private key in PEM. Create one with parley keygen."));
        String shown = block(text, PUBLIC)
                .orElseThrow(() -> new IllegalArgumentException(file
                        + " must contain a public key after the private one. Append it:"
                        + " openssl pkey -in FILE -pubout >> FILE"));
        try {
            KeyFactory factory = KeyFactory.getInstance(ALGORITHM);
            Base64.Decoder base64 = Base64.getMimeDecoder();
            return new KeyPair(
                    factory.generatePublic(new X509EncodedKeySpec(base64.decode(shown))),
                    factory.generatePrivate(new PKCS8EncodedKeySpec(base64.decode(secret))));
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new IllegalArgumentException(file + " must contain " + ALGORITHM + " keys", e);
        }
    }

    private static String block(String kind, byte[] bytes) {
        String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
        return "-----BEGIN " + kind + "-----\n" + base64 + "\n-----END " + kind + "-----\n";
    }

    /** The base64 of a block; empty without one. */
    private static Optional<String> block(String text, String kind) {
        String begin = "-----BEGIN " + kind + "-----";
        int from = text.indexOf(begin);
        int to = text.indexOf("-----END " + kind + "-----", from + begin.length());
        return from < 0 || to < 0 ? Optional.empty() : Optional.of(text.substring(from + begin.length(), to));
    }
}
