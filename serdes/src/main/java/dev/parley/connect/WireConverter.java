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
 * Messages of a wire protocol to and from Connect's structs, field by field as the Avro schema of the protocol names them; null as null. Named in
 * a connector's configuration by the class of its protocol:
 *
 * <pre>
 * value.converter=dev.parley.connect.SlipConverter
 * value.converter.parley.profile=strict
 * </pre>
 *
 * <p>Enumerations are strings in Connect. Warnings and violations are not reported: a converter tells what a message says. Once configured, it
 * may be used by any number of threads.
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
     * @param protocol the protocol
     * @param newMessage creates an empty message
     */
    protected WireConverter(WireProtocol<M> protocol, Supplier<M> newMessage) {
        this.codec = protocol.codec();
        this.data = new ConnectData<>(newMessage);
    }

    /**
     * Takes profile and limits.
     *
     * @param configs the keys of {@link WireConfig}; others are ignored
     * @throws ConfigException when a value is not allowed, naming its key
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
     * The canonical bytes of the message that a struct holds.
     *
     * @param schema not used: the fields of the struct count, and may be fewer where the Avro schema has defaults
     * @throws DataException when the value is no such struct, or holds what the protocol cannot say, naming the field
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
                    "The struct cannot be written as a " + codec.protocol() + " message: " + unsayable.getMessage(),
                    unsayable);
        }
    }

    /**
     * The struct of the message that the bytes are.
     *
     * @throws DataException when they are not a message of the protocol; its cause is a {@link MalformedMessageException}
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
