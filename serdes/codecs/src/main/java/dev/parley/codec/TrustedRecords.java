package dev.parley.codec;

import org.apache.avro.util.ClassSecurityValidator;

/**
 * Lets Avro instantiate Parley's generated records. Avro instantiates classes of trusted packages only, because a
 * schema may come with the data. Encoding and decoding of wire messages does not need it; reading Avro data does.
 */
public final class TrustedRecords {
    private static final String PACKAGE = "dev.parley.avro.";

    static {
        ClassSecurityValidator.setGlobal(ClassSecurityValidator.composite(
                ClassSecurityValidator.getGlobal(), type -> type.getName().startsWith(PACKAGE)));
    }

    private TrustedRecords() {}

    /** Adds the package of the records to those that Avro trusts in this JVM. Further calls have no effect. */
    public static void trust() {
        // The static initializer does it, once.
    }
}
