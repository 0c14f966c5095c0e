package dev.parley.serde;

import io.confluent.kafka.schemaregistry.avro.AvroSchemaProvider;
import io.confluent.kafka.schemaregistry.client.SchemaRegistryClient;
import io.confluent.kafka.schemaregistry.client.SchemaRegistryClientFactory;
import io.confluent.kafka.serializers.AbstractKafkaSchemaSerDeConfig;
import io.confluent.kafka.serializers.KafkaAvroDeserializer;
import io.confluent.kafka.serializers.KafkaAvroDeserializerConfig;
import io.confluent.kafka.serializers.KafkaAvroSerializer;
import io.confluent.kafka.serializers.KafkaAvroSerializerConfig;
import io.confluent.kafka.serializers.subject.TopicNameStrategy;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.avro.SystemLimitException;
import org.apache.avro.specific.SpecificRecord;
import org.apache.avro.util.ClassSecurityValidator;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.Serializer;

/**
 * Makes value serdes of Parley's generated records, in Confluent's wire format (magic byte 0, schema id, Avro binary) and by Confluent's
 * serializers and client: subjects by topic name, records read into the reader's own generated class, {@code timestamp-millis} as {@link
 * java.time.Instant}. All serdes of one factory share one registry client, so that a schema is fetched or registered once. The factory and
 * its serdes may be used by any number of threads.
 *
 * <p>State stores use these serdes too: a changelog outlives the version of the application that wrote it, and the schema id is what keeps
 * it readable after a schema evolves.
 */
public final class AvroSerdes implements AutoCloseable {
    private static final int SCHEMAS_PER_SUBJECT = 1_000;
    private static final String PREFIX = "schema.registry.";

    /** No collection in a Parley record comes near; elements without bytes would otherwise cost time and memory that no record size bounds. */
    private static final String MAX_COLLECTION_ITEMS = "10000000";

    static {
        // Avro reads its limits once, when it reads the first record.
        if (System.getProperty(SystemLimitException.MAX_COLLECTION_LENGTH_PROPERTY) == null) {
            System.setProperty(SystemLimitException.MAX_COLLECTION_LENGTH_PROPERTY, MAX_COLLECTION_ITEMS);
        }
        // Avro refuses to instantiate record classes outside the packages that it was told to trust.
        ClassSecurityValidator.setGlobal(ClassSecurityValidator.composite(
                ClassSecurityValidator.getGlobal(), type -> type.getName().startsWith("dev.parley.avro.")));
    }

    private final SchemaRegistryClient registry;
    /** Setting: maximum size of a serialized value in bytes; a larger one is a {@link SerializationException}. Unbounded unless set. */
    public static final String MAX_VALUE_BYTES = "parley.max.value.bytes";

    private final Map<String, Object> configs;
    private final WriterSchemas schemas;

    /** Lets Avro instantiate Parley's records, for those who read them without these serdes. To call it once is enough. */
    public static void trustRecords() {
        // Loading this class has done it.
    }

    private AvroSerdes(SchemaRegistryClient registry, Map<String, ?> configs) {
        this.registry = Objects.requireNonNull(registry, "registry");
        Map<String, Object> merged = new HashMap<>(configs);
        // The serializers insist on a URL even where they are given a client, and then do not use it.
        merged.putIfAbsent(AbstractKafkaSchemaSerDeConfig.SCHEMA_REGISTRY_URL_CONFIG, "given-client");
        merged.put(AbstractKafkaSchemaSerDeConfig.VALUE_SUBJECT_NAME_STRATEGY, TopicNameStrategy.class.getName());
        merged.put(KafkaAvroDeserializerConfig.SPECIFIC_AVRO_READER_CONFIG, true);
        merged.put(KafkaAvroSerializerConfig.AVRO_USE_LOGICAL_TYPE_CONVERTERS_CONFIG, true);
        this.configs = Map.copyOf(merged);
        this.schemas = new WriterSchemas(registry);
    }

    /**
     * Over a client; registers schemas that the registry does not know.
     *
     * @param registry the client, closed by {@link #close}
     */
    public static AvroSerdes of(SchemaRegistryClient registry) {
        return new AvroSerdes(registry, Map.of());
    }

    /**
     * Over a client.
     *
     * @param registry the client, closed by {@link #close}
     * @param configs settings of Confluent's serializers, such as {@code auto.register.schemas} (true unless set)
     */
    public static AvroSerdes of(SchemaRegistryClient registry, Map<String, ?> configs) {
        return new AvroSerdes(registry, configs);
    }

    /**
     * From configuration.
     *
     * @param configs {@code schema.registry.url} (one or several, comma-separated; {@code mock://NAME} for a registry in memory), and any
     *     other setting of Confluent's client and serializers, with the prefix {@code schema.registry.} or without: {@code
     *     auto.register.schemas} (true unless set), {@code basic.auth.credentials.source}, {@code basic.auth.user.info}, and {@code
     *     schema.registry.ssl.*}, always with the prefix
     * @throws ConfigException when there is no URL or a setting is not allowed
     */
    public static AvroSerdes fromConfig(Map<String, ?> configs) {
        Map<String, Object> settings = new HashMap<>(configs);
        configs.forEach((key, value) -> {
            if (key.startsWith(PREFIX)) {
                settings.putIfAbsent(key.substring(PREFIX.length()), value);
            }
        });
        KafkaAvroSerializerConfig parsed = new KafkaAvroSerializerConfig(settings);
        SchemaRegistryClient registry = SchemaRegistryClientFactory.newClient(
                parsed.getSchemaRegistryUrls(),
                SCHEMAS_PER_SUBJECT,
                List.of(new AvroSchemaProvider()),
                settings,
                parsed.requestHeaders());
        return new AvroSerdes(registry, settings);
    }

    /**
     * A serde of values, for topics and for state stores.
     *
     * @param type the generated class; its deserializer throws {@link UnreadableRecordException} on anything else, and
     *     another {@link SerializationException} or {@link KafkaException} only while the registry is unavailable
     */
    public <T extends SpecificRecord> Serde<T> values(Class<T> type) {
        KafkaAvroSerializer serializer = new KafkaAvroSerializer(registry, configs);
        KafkaAvroDeserializer deserializer = new KafkaAvroDeserializer(registry, configs);
        Serializer<T> typed =
                writesWithClassSchema() ? new KnownIdSerializer<>(type, serializer) : serializer::serialize;
        return Serdes.serdeFrom(bounded(typed), new CheckedDeserializer<>(type, deserializer, schemas));
    }

    /**
     * A serializer that refuses a value beyond the bound. A producer refuses it too, but only inside its transaction, which it then aborts every time the record is tried
     * again.
     */
    private <T> Serializer<T> bounded(Serializer<T> serializer) {
        Object configured = configs.get(MAX_VALUE_BYTES);
        if (configured == null) {
            return serializer;
        }
        int most = Integer.parseInt(configured.toString());
        return (topic, value) -> {
            byte[] bytes = serializer.serialize(topic, value);
            if (bytes != null && bytes.length > most) {
                throw new SerializationException("A value for " + topic + " has " + bytes.length
                        + " bytes, more than the " + most + " that fit into a record");
            }
            return bytes;
        };
    }

    /** Whether records are written with the schema of their class, rather than with one that the registry chooses. */
    private boolean writesWithClassSchema() {
        KafkaAvroSerializerConfig parsed = new KafkaAvroSerializerConfig(configs);
        return !parsed.useLatestVersion() && parsed.useSchemaId() < 0 && parsed.getLatestWithMetadataSpec() == null;
    }

    /** The client that the serdes use. */
    public SchemaRegistryClient registry() {
        return registry;
    }

    /** Closes the client; the serdes must not be used any more. */
    @Override
    public void close() throws IOException {
        registry.close();
    }
}
