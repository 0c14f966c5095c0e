package dev.parley.connect;

import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult;
import dev.parley.codec.WireCodec;
import dev.parley.decode.WireProtocol;
import dev.parley.serde.MalformedMessageException;
import dev.parley.serde.WireConfig;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.errors.DataException;
import org.apache.kafka.connect.storage.Converter;

/**
 * Converts messages of a wire protocol to Connect structs and back, with the field names of the protocol's Avro schema.
 * Null stays null. A connector's configuration names the class of its protocol:
 *
 * <pre>
 * value.converter=dev.parley.connect.SlipConverter
 * value.converter.parley.profile=strict
 * </pre>
 *
 * <p>Enumerations become strings. A converter reports neither warnings nor violations. Thread-safe once configured.
 *
 * @param <M> the generated record of the protocol
 */
public abstract class WireConverter<M extends SpecificRecordBase> implements Converter {
    private final WireCodec<M> codec;
    private final ConnectData<M> data;
    private volatile DecodeOptions options = DecodeOptions.LENIENT;

    /**
     * Converts messages of a protocol.
     *
     * @param newMessage creates an empty message
     */
    protected WireConverter(WireProtocol<M> protocol, Supplier<M> newMessage) {
        this.codec = protocol.codec();
        this.data = new ConnectData<>(newMessage);
    }

    /**
     * Sets the profile and the limits.
     *
     * @param configs the keys of {@link WireConfig}; others are ignored
     * @throws ConfigException if a value is not allowed; names its key
     */
    @Override
    public final void configure(Map<String, ?> configs, boolean isKey) {
        options = WireConfig.decodeOptions(configs);
    }

    @Override
    public final ConfigDef config() {
        return WireConfig.definition();
    }

    /**
     * Encodes the message in a struct in canonical form.
     *
     * @param schema ignored: the fields of the struct count, and may be fewer where the Avro schema has defaults
     * @throws DataException if the value is not such a struct, or the protocol cannot represent it; names the field
     */
    @Override
    public final byte[] fromConnectData(String topic, Schema schema, Object value) {
        if (value == null) {
            return null;
        }
        M message = data.toRecord(value);
        try {
            return codec.encodeChecked(message);
        } catch (IllegalArgumentException unsayable) {
            throw new DataException(
                    "The struct cannot be encoded as a " + codec.protocol() + " message: " + unsayable.getMessage(),
                    unsayable);
        }
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
            return new SchemaAndValue(data.optionalSchema(), null);
        }
        DecodeResult<M> result = codec.decode(wire, options);
        if (result instanceof DecodeResult.Malformed<M> fault) {
            MalformedMessageException cause =
                    new MalformedMessageException(topic, fault.code(), fault.offset(), fault.detail());
            throw new DataException(cause.getMessage(), cause);
        }
        return data.toConnect(((DecodeResult.Decoded<M>) result).message());
    }

    @Override
    public final String version() {
        String version = WireConverter.class.getPackage().getImplementationVersion();
        return version == null ? "undefined" : version;
    }
}
