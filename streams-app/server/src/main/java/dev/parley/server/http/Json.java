package dev.parley.server.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException.Reference;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.type.LogicalType;
import dev.parley.codec.Excerpt;
import dev.parley.server.http.ProblemException.Code;
import java.io.IOException;
import java.util.Map;
import java.util.stream.Collectors;

/** Reads the JSON of callers as records: without unknown or repeated members, and without conversion of types. */
public final class Json {

    private static final ObjectMapper STRICT = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
            // That feature lets other scalars become strings.
            .withCoercionConfig(
                    LogicalType.Textual,
                    texts -> texts.setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
                            .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
                            .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail))
            .build();

    /** The JSON that the type of a component requires. */
    private static final Map<Class<?>, String> KINDS = Map.of(
            String.class, "a string",
            boolean.class, "true or false",
            Integer.class, "an integer",
            byte[].class, "base64");

    private static final int MAX_REASON_CHARACTERS = 300;

    private Json() {}

    /**
     * Reads the body of a request.
     *
     * @param form what the body must be, as a sentence
     * @throws ProblemException if it is something else; the detail says where
     */
    public static <T> T body(ApiRequest request, Class<T> type, String form) {
        try {
            T body = STRICT.readValue(SecurityFilter.body(request), type);
            if (body != null) {
                return body;
            }
            throw Code.INVALID_REQUEST.problem(form);
        } catch (IOException e) {
            throw Code.INVALID_REQUEST.problem(form + " " + fault(e));
        }
    }

    private static String fault(IOException failure) {
        if (failure instanceof UnrecognizedPropertyException unknown) {
            return path(unknown) + " is unknown; allowed are "
                    + unknown.getKnownPropertyIds().stream()
                            .map(Object::toString)
                            .sorted()
                            .collect(Collectors.joining(", "))
                    + ".";
        }
        if (failure instanceof MismatchedInputException wrong
                && !wrong.getPath().isEmpty()) {
            Class<?> target = wrong.getTargetType();
            String kind = Iterable.class.isAssignableFrom(target) ? "a list" : KINDS.getOrDefault(target, "an object");
            return path(wrong) + " must be " + kind + ".";
        }
        if (!(failure instanceof JsonProcessingException malformed) || malformed.getLocation() == null) {
            return "It is not valid.";
        }
        // The message of a mismatch names our classes.
        String reason = failure instanceof MismatchedInputException
                ? ""
                : ": " + Excerpt.of(malformed.getOriginalMessage(), MAX_REASON_CHARACTERS);
        return "It is not valid at line " + malformed.getLocation().getLineNr() + ", column "
                + malformed.getLocation().getColumnNr() + reason + ".";
    }

    private static String path(MismatchedInputException failure) {
        return Excerpt.of(failure.getPath().stream().map(Json::name).collect(Collectors.joining(".")));
    }

    private static String name(Reference part) {
        return part.getFieldName() == null ? Integer.toString(part.getIndex()) : part.getFieldName();
    }
}
