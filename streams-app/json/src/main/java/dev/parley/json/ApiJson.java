package dev.parley.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.DeserializationConfig;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleDeserializers;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecord;

/**
 * Writes and reads the records of {@link dev.parley.json.model}, and answers of {@link dev.parley.state}, as the JSON
 * of the HTTP API. Avro records in them have the form of {@link AvroJson}, times are ISO 8601 in UTC, and strings have
 * no {@link LineBreakEscapes line breaks}. A reader ignores unknown keys.
 */
public final class ApiJson {

    /** Strings and names have no limit of their own: they are at most as long as the text, which is in memory. */
    private static final StreamReadConstraints LIMITS = StreamReadConstraints.builder()
            .maxStringLength(Integer.MAX_VALUE)
            .maxNameLength(Integer.MAX_VALUE)
            .build();

    private static final JsonMapper MAPPER = JsonMapper.builder(LineBreakEscapes.factory()
                    .streamReadConstraints(LIMITS)
                    // Callers and agents choose names. A symbol table would keep thousands of any length, and reject
                    // names with equal hashes.
                    .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
                    .build())
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.USE_LONG_FOR_INTS)
            .addModule(module())
            .build();

    private ApiJson() {}

    /** A builder of mappers that write the same JSON and read more of it. */
    public static JsonMapper.Builder builder() {
        return MAPPER.rebuild();
    }

    /** Writes a value, which may be a JSON tree. */
    public static byte[] bytes(Object value) {
        try {
            return MAPPER.writeValueAsBytes(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a result can always be written", e);
        }
    }

    /** Writes a value in one line. */
    public static String text(Object value) {
        return new String(bytes(value), StandardCharsets.UTF_8);
    }

    /** Writes a value in several lines, for people. */
    public static String pretty(Object value) {
        try {
            return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a result can always be written", e);
        }
    }

    /** Reads a value of a type, such as a class of the model. */
    public static <T> T read(byte[] json, JavaType type) throws IOException {
        return MAPPER.readValue(json, type);
    }

    /** The type of a class with arguments, such as a page of items. */
    public static JavaType type(Class<?> type, Class<?>... arguments) {
        return arguments.length == 0
                ? MAPPER.constructType(type)
                : MAPPER.getTypeFactory().constructParametricType(type, arguments);
    }

    private interface Reader<T> {
        T read(JsonParser json, DeserializationContext context) throws IOException;
    }

    private static SimpleModule module() {
        SimpleModule module = new SimpleModule();
        module.addSerializer(Instant.class, ToStringSerializer.instance);
        module.addSerializer(IndexedRecord.class, new JsonSerializer<>() {
            @Override
            public void serialize(IndexedRecord value, JsonGenerator json, SerializerProvider provider)
                    throws IOException {
                AvroJson.write(json, value);
            }
        });
        // Reads generated records of any class.
        SimpleDeserializers deserializers = new SimpleDeserializers() {
            private static final long serialVersionUID = 1L;

            @Override
            public JsonDeserializer<?> findBeanDeserializer(
                    JavaType type, DeserializationConfig config, BeanDescription description)
                    throws JsonMappingException {
                if (!type.isTypeOrSubTypeOf(SpecificRecord.class)) {
                    return super.findBeanDeserializer(type, config, description);
                }
                Schema schema = SpecificData.get().getSchema(type.getRawClass());
                return deserializer((json, context) -> AvroJsonReader.readKnown(context.readTree(json), schema));
            }
        };
        module.setDeserializers(deserializers);
        module.addDeserializer(Instant.class, deserializer((json, context) -> Instant.parse(json.getText())));
        return module;
    }

    private static <T> JsonDeserializer<T> deserializer(Reader<T> reader) {
        return new JsonDeserializer<>() {
            @Override
            public T deserialize(JsonParser json, DeserializationContext context) throws IOException {
                return reader.read(json, context);
            }
        };
    }
}
