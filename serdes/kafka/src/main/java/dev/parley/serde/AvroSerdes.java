package dev.parley.serde;

import dev.parley.codec.TrustedRecords;
import dev.parley.encoding.EncodedRecord;
import io.confluent.kafka.schemaregistry.avro.AvroSchemaProvider;
import io.confluent.kafka.schemaregistry.client.SchemaRegistryClient;
import io.confluent.kafka.schemaregistry.client.SchemaRegistryClientFactory;
import io.confluent.kafka.serializers.AbstractKafkaSchemaSerDeConfig;
import io.confluent.kafka.serializers.KafkaAvroSerializer;
import io.confluent.kafka.serializers.KafkaAvroSerializerConfig;
import io.confluent.kafka.serializers.subject.TopicNameStrategy;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.Serializer;

/**
 * Creates value serdes of Parley's generated records in Confluent's wire format (magic byte 0, schema ID, Avro binary),
 * with Confluent's serializers and client. Subjects are named by topic, records are read into the reader's own
 * generated class, and {@code timestamp-millis} is {@link java.time.Instant}. All serdes of one factory share one
 * registry client, so that a schema is fetched or registered once. The factory and its serdes are thread-safe.
 *
 * <p>State stores use these serdes too: a changelog outlives the version of the application that wrote it, and the
 * schema ID keeps it readable after a schema evolves.
 */
public final class AvroSerdes implements AutoCloseable {
    private static final int SCHEMAS_PER_SUBJECT = 1_000;
    private static final String PREFIX = "schema.registry.";

    static {
        TrustedRecords.trust();
    }

    private final SchemaRegistryClient registry;
    /**
     * Setting: maximum size of a serialized value in bytes. A larger value causes a {@link SerializationException}.
     * Unlimited by default.
     */
    public static final String MAX_VALUE_BYTES = "parley.max.value.bytes";

    private final Map<String, Object> configs;
    private final WriterSchemas schemas;

    /** Lets Avro instantiate Parley's records, for readers without these serdes. One call is enough. */
    public static void trustRecords() {
        // Loading this class is enough.
    }

    private AvroSerdes(SchemaRegistryClient registry, Map<String, ?> configs) {
        this.registry = Objects.requireNonNull(registry, "registry");
        Map<String, Object> merged = new HashMap<>(configs);
        // The serializers require a URL even if they get a client and ignore the URL.
        merged.putIfAbsent(AbstractKafkaSchemaSerDeConfig.SCHEMA_REGISTRY_URL_CONFIG, "given-client");
        merged.put(AbstractKafkaSchemaSerDeConfig.VALUE_SUBJECT_NAME_STRATEGY, TopicNameStrategy.class.getName());
        merged.put(KafkaAvroSerializerConfig.AVRO_USE_LOGICAL_TYPE_CONVERTERS_CONFIG, true);
        this.configs = Map.copyOf(merged);
        this.schemas = new WriterSchemas(registry);
    }

    /**
     * Creates serdes with a client. Registers schemas that the registry does not have.
     *
     * @param registry the client, closed by {@link #close}
     */
    public static AvroSerdes of(SchemaRegistryClient registry) {
        return new AvroSerdes(registry, Map.of());
    }

    /**
     * Creates serdes with a client and settings.
     *
     * @param registry the client, closed by {@link #close}
     * @param configs settings of Confluent's serializers, such as {@code auto.register.schemas} (default: true)
     */
    public static AvroSerdes of(SchemaRegistryClient registry, Map<String, ?> configs) {
        return new AvroSerdes(registry, configs);
    }

    /**
     * Creates serdes from configuration.
     *
     * @param configs {@code schema.registry.url} (one or several, comma-separated; {@code mock://NAME} for a registry
     *     in memory), and any setting of Confluent's client and serializers, with or without the prefix
     *     {@code schema.registry.}: {@code auto.register.schemas} (default: true),
     *     {@code basic.auth.credentials.source}, {@code basic.auth.user.info}, and {@code schema.registry.ssl.*},
     *     always with the prefix
     * @throws ConfigException if the URL is missing or a setting is not allowed
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
     * Creates a serde of values, for topics and state stores.
     *
     * @param type the generated class; its deserializer throws {@link UnreadableRecordException} for any other bytes,
     *     and another {@link SerializationException} or {@link KafkaException} only while the registry is unavailable
     */
    public <T extends SpecificRecord> Serde<T> values(Class<T> type) {
        KafkaAvroSerializer serializer = new KafkaAvroSerializer(registry, configs);
        Serializer<T> typed =
                writesWithClassSchema() ? new CachedSchemaIdSerializer<>(type, serializer) : serializer::serialize;
        return Serdes.serdeFrom(bounded(typed), CheckedDeserializer.of(type, schemas));
    }

    /**
     * Creates a serde of the values of a state store with a cache, which writes the same bytes as that of {@link
     * #values}. It does not read bytes that the same thread has just written or read, but returns their value. Values
     * must therefore not be changed.
     *
     * @param type the generated class
     */
    public <T extends SpecificRecord> Serde<T> recentValues(Class<T> type) {
        if (!writesWithClassSchema()) {
            return values(type);
        }
        CachedSchemaIdSerializer<T> serializer =
                new CachedSchemaIdSerializer<>(type, new KafkaAvroSerializer(registry, configs));
        Deserializer<T> deserializer = CheckedDeserializer.of(type, schemas);
        ThreadLocal<RecentValues<T>> recent = ThreadLocal.withInitial(RecentValues::new);
        return Serdes.serdeFrom(
                bounded((topic, value) -> value == null ? null : recent.get().write(topic, value, serializer)),
                (topic, bytes) -> bytes == null ? null : recent.get().read(topic, bytes, deserializer));
    }

    /**
     * Creates a serializer of values that are already encoded: it adds magic byte and schema ID. It produces the same
     * bytes as {@link #values} for the record.
     *
     * @param type the generated class
     */
    public <T extends SpecificRecord> Serializer<EncodedRecord<T>> encodedValues(Class<T> type) {
        KafkaAvroSerializer serializer = new KafkaAvroSerializer(registry, configs);
        if (!writesWithClassSchema()) {
            return bounded((topic, encoded) -> serializer.serialize(topic, encoded.record()));
        }
        CachedSchemaIdSerializer<T> cached = new CachedSchemaIdSerializer<>(type, serializer);
        return bounded(cached::withPrefix);
    }

    /**
     * Wraps a serializer with a size limit. A producer has one too, but applies it inside its transaction, which it
     * would then abort on every retry of the record.
     */
    private <T> Serializer<T> bounded(Serializer<T> serializer) {
        Object configured = configs.get(MAX_VALUE_BYTES);
        if (configured == null) {
            return serializer;
        }
        int max = Integer.parseInt(configured.toString());
        return (topic, value) -> {
            byte[] bytes = serializer.serialize(topic, value);
            if (bytes != null && bytes.length > max) {
                throw new SerializationException("A value for " + topic + " has " + bytes.length
                        + " bytes, but the maximum for a record is " + max);
            }
            return bytes;
        };
    }

    /** Whether records are written with the schema of their class, not with one that the registry selects. */
    private boolean writesWithClassSchema() {
        KafkaAvroSerializerConfig parsed = new KafkaAvroSerializerConfig(configs);
        return !parsed.useLatestVersion() && parsed.useSchemaId() < 0 && parsed.getLatestWithMetadataSpec() == null;
    }

    /**
     * Creates a deserializer of records of any schema, each with its writer's schema. Its failures are those of the
     * deserializers of {@link #values}.
     */
    public Deserializer<GenericRecord> anyValues() {
        return CheckedDeserializer.ofAny(schemas);
    }

    public SchemaRegistryClient registry() {
        return registry;
    }

    /** Closes the client. The serdes must not be used afterwards. */
    @Override
    public void close() throws IOException {
        registry.close();
    }
}
