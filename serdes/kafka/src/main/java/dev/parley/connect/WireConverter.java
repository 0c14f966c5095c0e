package dev.parley.connect;

import dev.parley.decode.WireProtocol;
import dev.parley.serde.MalformedMessageException;
import dev.parley.serde.WireConfig;
import dev.parley.serde.WireDeserializer;
import java.util.Map;
import java.util.Objects;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.errors.DataException;
import org.apache.kafka.connect.storage.Converter;

/**
 * Converts messages of a wire protocol to Connect structs with the field names of the protocol's Avro schema, for sink
 * connectors. Only reads. Null stays null.
 *
 * <pre>
 * value.converter=dev.parley.connect.WireConverter
 * value.converter.parley.protocol=slip
 * value.converter.parley.profile=strict
 * </pre>
 *
 * <p>Enumerations become strings. A converter reports neither warnings nor violations. Thread-safe once configured.
 *
 * @param <M> the generated record of the protocol
 */
public class WireConverter<M extends SpecificRecord> implements Converter {
    private final WireProtocol<M> given;
    private final AvroData data = new AvroData(false, false);
    private volatile WireDeserializer<M> deserializer;
    private volatile Schema optionalSchema;

    /** For Connect, which creates converters by class name; {@link WireConfig#PROTOCOL} must name the protocol. */
    public WireConverter() {
        given = null;
    }

    /**
     * Converts messages of one protocol. For the constructor of a subclass, which an extension protocol needs because
     * Connect requires a class.
     */
    protected WireConverter(WireProtocol<M> protocol) {
        given = Objects.requireNonNull(protocol, "protocol");
    }

    /**
     * Sets the protocol, the profile and the limits.
     *
     * @param configs the keys of {@link WireConfig}; others are ignored
     * @throws ConfigException if the protocol is missing or unknown, or a value is not allowed; names its key
     */
    @Override
    public final void configure(Map<String, ?> configs, boolean isKey) {
        WireProtocol<M> protocol = given == null ? WireConfig.protocol(configs) : given;
        WireDeserializer<M> configured = new WireDeserializer<>(protocol.codec());
        configured.configure(configs, isKey);
        deserializer = configured;
        optionalSchema = data.schema(SpecificData.get().getSchema(protocol.type()), true);
    }

    @Override
    public final ConfigDef config() {
        return WireConfig.definition();
    }

    /**
     * Always fails.
     *
     * @throws DataException always: the converter only reads
     */
    @Override
    public final byte[] fromConnectData(String topic, Schema schema, Object value) {
        throw new DataException("dev.parley.connect.WireConverter only reads. Use it with sink connectors.");
    }

    /**
     * Decodes a message into a struct.
     *
     * @throws DataException if the bytes are not a message of the protocol, with a {@link MalformedMessageException} as
     *     cause
     */
    @Override
    public final SchemaAndValue toConnectData(String topic, byte[] wire) {
        if (wire == null) {
            return new SchemaAndValue(optionalSchema, null);
        }
        try {
            return data.toConnect(deserializer.deserialize(topic, wire));
        } catch (MalformedMessageException malformed) {
            throw new DataException(malformed.getMessage(), malformed);
        }
    }

    @Override
    public final String version() {
        String version = WireConverter.class.getPackage().getImplementationVersion();
        return version == null ? "undefined" : version;
    }
}
