package dev.parley.serde;

import io.confluent.kafka.schemaregistry.ParsedSchema;
import io.confluent.kafka.schemaregistry.client.SchemaRegistryClient;
import io.confluent.kafka.schemaregistry.client.rest.exceptions.RestClientException;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.apache.avro.Schema;
import org.apache.kafka.common.cache.Cache;
import org.apache.kafka.common.cache.LRUCache;
import org.apache.kafka.common.cache.SynchronizedCache;
import org.apache.kafka.common.errors.SerializationException;

/**
 * Looks up the writer schemas of records by ID. The registry client caches existing schemas; this class caches missing
 * IDs, so that records with invented IDs do not cause a request each. It caches them only briefly, because a schema
 * with that ID may be registered later.
 */
final class WriterSchemas {
    static final int MAX_MISSING = 1_000;

    private static final long REMEMBERED_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final SchemaRegistryClient registry;
    private final Cache<Integer, Long> missing = new SynchronizedCache<>(new LRUCache<>(MAX_MISSING));

    WriterSchemas(SchemaRegistryClient registry) {
        this.registry = registry;
    }

    /**
     * Returns the schema with an ID.
     *
     * @throws UnreadableRecordException if the registry does not have it
     * @throws RegistryUnavailableException if the registry is unavailable
     */
    Schema require(String topic, int id) {
        if (id < 0) {
            throw new UnreadableRecordException("The schema ID of the value must be >= 0, but was " + id);
        }
        if (isMissing(id)) {
            throw new UnreadableRecordException("The registry does not have schema ID " + id);
        }
        try {
            ParsedSchema parsed = registry.getSchemaBySubjectAndId(topic + "-value", id);
            if (parsed.rawSchema() instanceof Schema schema) {
                return schema;
            }
        } catch (RestClientException | IOException | RuntimeException | StackOverflowError e) {
            throw failure(id, e);
        }
        remember(id);
        throw new UnreadableRecordException("Schema ID " + id + " is not an Avro schema");
    }

    private SerializationException failure(int id, Throwable e) {
        if (e instanceof IOException || RegistryFailures.isUnavailable(e)) {
            return new RegistryUnavailableException(
                    "The registry did not return schema ID " + id + ": " + e.getMessage(), e);
        }
        remember(id);
        String problem = e instanceof RestClientException
                ? "The registry does not have schema ID " + id
                : "Schema ID " + id + " cannot be parsed: " + e.getClass().getSimpleName();
        return new UnreadableRecordException(problem + ": " + e.getMessage(), e);
    }

    /** Number of cached missing IDs. */
    long remembered() {
        return missing.size();
    }

    private boolean isMissing(int id) {
        Long since = missing.get(id);
        return since != null && System.nanoTime() - since < REMEMBERED_NANOS;
    }

    private void remember(int id) {
        missing.put(id, System.nanoTime());
    }
}
