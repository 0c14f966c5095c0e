package dev.parley.server.cluster;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.AnnotatedConstructor;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.introspect.AnnotatedParameter;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.type.LogicalType;
import com.fasterxml.jackson.databind.util.NameTransformer;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import dev.parley.json.ApiJson;
import dev.parley.json.RecordField;
import java.io.IOException;
import java.lang.reflect.ParameterizedType;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.common.utils.Bytes;

/**
 * Messages of peers as JSON. Their values have the form of {@link ApiJson}, and an object has all components of its
 * record. A reader understands instances whose records have fewer or more components: it ignores unknown ones, and
 * missing ones are null, zero, false or empty. A component of a different type makes the message malformed.
 */
public final class PeerJson {

    private static final JsonMapper MAPPER = ApiJson.builder()
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
            .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .withCoercionConfig(
                    LogicalType.Textual,
                    text -> List.of(CoercionInputShape.Integer, CoercionInputShape.Float, CoercionInputShape.Boolean)
                            .forEach(shape -> text.setCoercion(shape, CoercionAction.Fail)))
            .annotationIntrospector(new PlainRecords())
            .addMixIn(Bytes.class, Key.class)
            .addMixIn(PeerResponse.class, Named.class)
            .addMixIn(ViewAnswer.class, Named.class)
            .registerSubtypes(PeerResponse.class.getPermittedSubclasses())
            .registerSubtypes(ViewAnswer.class.getPermittedSubclasses())
            .addModule(new Jdk8Module())
            .build();

    private PeerJson() {}

    /** Writes a {@link PeerRequest}, a {@link PeerResponse} or another record. */
    public static byte[] bytes(Object message) {
        try {
            return MAPPER.writeValueAsBytes(message);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a message can always be written", e);
        }
    }

    /**
     * Reads a request, or another record without results.
     *
     * @throws PeerProtocolException if it is malformed
     */
    public static <T> T read(byte[] json, Class<T> type) throws PeerProtocolException {
        return read(json, MAPPER.readerFor(type));
    }

    /**
     * Reads a response.
     *
     * @param result class of its results, or a sealed interface of classes
     * @throws PeerProtocolException if it is malformed
     */
    public static PeerResponse response(byte[] json, Class<?> result) throws PeerProtocolException {
        return read(json, MAPPER.readerFor(PeerResponse.class).withAttribute(ResultReader.class, result));
    }

    private static <T> T read(byte[] json, ObjectReader reader) throws PeerProtocolException {
        T message;
        try {
            message = reader.readValue(json);
        } catch (JsonProcessingException e) {
            throw new PeerProtocolException("The message is malformed: " + e.getOriginalMessage());
        } catch (IOException | RuntimeException e) {
            throw new PeerProtocolException("The message is malformed: " + e.getMessage());
        }
        if (message == null) {
            throw new PeerProtocolException("The message is malformed: it is null");
        }
        return message;
    }

    /** Writes a key as Base64. */
    private abstract static class Key {
        @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
        Key(byte[] bytes) {}

        @JsonValue
        abstract byte[] get();
    }

    /** Adds the name of the class to the records of a sealed interface. */
    @JsonTypeInfo(use = JsonTypeInfo.Id.SIMPLE_NAME)
    private interface Named {}

    /** Reads and writes records by their components, whichever keys these have in the API. */
    private static final class PlainRecords extends JacksonAnnotationIntrospector {
        private static final long serialVersionUID = 1L;

        @Override
        public boolean hasIgnoreMarker(AnnotatedMember member) {
            return false;
        }

        @Override
        public Boolean hasAnyGetter(Annotated member) {
            return false;
        }

        @Override
        public Boolean hasAnySetter(Annotated member) {
            return false;
        }

        @Override
        public NameTransformer findUnwrappingNameTransformer(AnnotatedMember member) {
            return null;
        }

        /** Gives a missing component an empty value, unless null has a meaning. */
        @Override
        public JsonSetter.Value findSetterInfo(Annotated annotated) {
            if (annotated instanceof AnnotatedParameter parameter
                    && parameter.getOwner() instanceof AnnotatedConstructor constructor
                    && constructor.getDeclaringClass().isRecord()) {
                RecordField field =
                        RecordField.of(constructor.getDeclaringClass()).get(parameter.getIndex());
                if (!field.nullable() && (field.type() == String.class || field.type() instanceof ParameterizedType)) {
                    return JsonSetter.Value.forValueNulls(Nulls.AS_EMPTY);
                }
            }
            return super.findSetterInfo(annotated);
        }
    }

    /** Writes a result as an object with one field, whose name is that of its class. */
    static final class ResultWriter extends JsonSerializer<Object> {
        @Override
        public void serialize(Object result, JsonGenerator json, SerializerProvider provider) throws IOException {
            json.writeStartObject();
            json.writeFieldName(result.getClass().getSimpleName());
            provider.defaultSerializeValue(result, json);
            json.writeEndObject();
        }
    }

    /** Reads a result of the class in the attribute with the name of this class, or of one that this class permits. */
    static final class ResultReader extends JsonDeserializer<Object> {
        @Override
        public Object deserialize(JsonParser json, DeserializationContext context) throws IOException {
            Class<?> declared = (Class<?>) context.getAttribute(ResultReader.class);
            String name = json.isExpectedStartObjectToken() ? json.nextFieldName() : null;
            Class<?> found = Stream.of(
                            declared.isSealed() ? declared.getPermittedSubclasses() : new Class<?>[] {declared})
                    .filter(type -> type.getSimpleName().equals(name))
                    .findFirst()
                    .orElseThrow(() -> context.weirdStringException(name, declared, "not the expected result"));
            json.nextToken();
            Object result = context.readValue(json, found);
            if (json.nextToken() != JsonToken.END_OBJECT) {
                throw context.wrongTokenException(json, declared, JsonToken.END_OBJECT, "a result has one class");
            }
            return result;
        }
    }
}
