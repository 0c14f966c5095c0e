package dev.parley.connect;

import dev.parley.serde.AvroSerdes;
import dev.parley.serde.RegistryUnavailableException;
import dev.parley.serde.UnreadableRecordException;
import java.io.IOException;
import java.util.Map;
import org.apache.avro.generic.GenericRecord;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.errors.DataException;
import org.apache.kafka.connect.errors.RetriableException;
import org.apache.kafka.connect.storage.Converter;

/**
 * Converts Avro values in Confluent's wire format to Connect structs, for sink connectors that read Parley's output
 * topics. Only reads. Null stays null, without a schema.
 *
 * <pre>
 * value.converter=dev.parley.connect.AvroConverter
 * value.converter.schema.registry.url=http://127.0.0.1:8081
 * </pre>
 *
 * <p>Enumerations become strings, {@code timestamp-millis} Connect's {@code Timestamp}. Takes the settings of
 * Confluent's client too, such as {@code basic.auth.user.info}. Thread-safe once configured.
 */
public final class AvroConverter implements Converter {
    /**
     * Setting: {@code struct} (the default) keeps nested values. {@code json} turns nested records, maps, and arrays of
     * them into JSON text, for databases: the schema's name is {@code io.debezium.data.Json}, bytes are lower-case
     * hexadecimal, and times ISO 8601.
     */
    public static final String NESTED = "parley.nested";

    /**
     * Setting: whether the character U+0000 becomes U+FFFD in text (default: false). An agent may send U+0000, and
     * PostgreSQL rejects text that contains it.
     */
    public static final String REPLACE_NUL = "parley.replace.nul";

    private static final ConfigDef DEFINITION = new ConfigDef()
            .define(
                    "schema.registry.url",
                    Type.STRING,
                    ConfigDef.NO_DEFAULT_VALUE,
                    Importance.HIGH,
                    "URL of the Schema Registry.")
            .define(
                    NESTED,
                    Type.STRING,
                    "struct",
                    ConfigDef.ValidString.in("struct", "json"),
                    Importance.MEDIUM,
                    "struct: nested values stay structs, maps and arrays. json: they become JSON text.")
            .define(
                    REPLACE_NUL,
                    Type.BOOLEAN,
                    false,
                    Importance.MEDIUM,
                    "Whether U+0000 in text becomes U+FFFD, for databases that reject it.");

    private AvroSerdes serdes;
    private Deserializer<GenericRecord> records;
    private AvroData data;

    /** For Connect, which creates converters by class name. */
    public AvroConverter() {}

    /**
     * Sets the registry and the form of the values.
     *
     * @throws ConfigException if this is the converter of keys, the URL is missing, or a value is not allowed
     */
    @Override
    public void configure(Map<String, ?> configs, boolean isKey) {
        if (isKey) {
            throw new ConfigException(
                    "dev.parley.connect.AvroConverter converts values only. The keys of Parley's topics"
                            + " are text: set key.converter=org.apache.kafka.connect.storage.StringConverter");
        }
        AbstractConfig config = new AbstractConfig(DEFINITION, configs, false);
        data = new AvroData(config.getString(NESTED).equals("json"), config.getBoolean(REPLACE_NUL));
        serdes = AvroSerdes.fromConfig(configs);
        records = serdes.anyValues();
    }

    @Override
    public ConfigDef config() {
        return DEFINITION;
    }

    /**
     * Decodes a value.
     *
     * @throws DataException if the bytes are not a record, or its schema has a type without a counterpart; permanent
     * @throws RetriableException if the registry is unavailable
     */
    @Override
    public SchemaAndValue toConnectData(String topic, byte[] value) {
        if (value == null) {
            return SchemaAndValue.NULL;
        }
        try {
            return data.toConnect(records.deserialize(topic, value));
        } catch (RegistryUnavailableException e) {
            throw new RetriableException(e.getMessage(), e);
        } catch (UnreadableRecordException | StackOverflowError e) {
            throw new DataException("A value of topic " + topic + " is unreadable: " + e.getMessage(), e);
        }
    }

    /**
     * Always fails.
     *
     * @throws DataException always: the converter only reads
     */
    @Override
    public byte[] fromConnectData(String topic, Schema schema, Object value) {
        throw new DataException("dev.parley.connect.AvroConverter only reads. Use it with sink connectors.");
    }

    @Override
    public void close() throws IOException {
        if (serdes != null) {
            serdes.close();
        }
    }

    @Override
    public String version() {
        String version = AvroConverter.class.getPackage().getImplementationVersion();
        return version == null ? "undefined" : version;
    }
}
