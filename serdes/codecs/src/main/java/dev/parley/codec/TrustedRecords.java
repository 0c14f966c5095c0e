package dev.parley.codec;

import org.apache.avro.SystemLimitException;
import org.apache.avro.util.ClassSecurityValidator;

/**
 * Lets Avro instantiate Parley's generated records. Avro instantiates classes of trusted packages only, because a
 * schema may come with the data. Also limits the collections that Avro reads. Reading Avro data needs it; encoding and
 * decoding of wire messages does not.
 */
public final class TrustedRecords {
    private static final String PACKAGE = "dev.parley.avro.";

    /**
     * Far above any collection in a Parley record. Elements without bytes would otherwise cost unlimited time and
     * memory.
     */
    private static final String MAX_COLLECTION_ITEMS = "10000000";

    static {
        // Avro reads its limits once, before the first record.
        if (System.getProperty(SystemLimitException.MAX_COLLECTION_LENGTH_PROPERTY) == null) {
            System.setProperty(SystemLimitException.MAX_COLLECTION_LENGTH_PROPERTY, MAX_COLLECTION_ITEMS);
        }
        ClassSecurityValidator.setGlobal(ClassSecurityValidator.composite(
                ClassSecurityValidator.getGlobal(), type -> type.getName().startsWith(PACKAGE)));
    }

    private TrustedRecords() {}

    /** Adds the package of the records to those that Avro trusts in this JVM. Further calls have no effect. */
    public static void trust() {
        // The static initializer does it, once.
    }
}
