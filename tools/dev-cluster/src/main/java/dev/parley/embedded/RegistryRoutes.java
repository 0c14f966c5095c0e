package dev.parley.embedded;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.embedded.SchemaRegistry.Registered;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * The REST API of a {@link SchemaRegistry}: maps the method, path and body of a request to an answer. Independent of
 * the HTTP server.
 */
record RegistryRoutes(SchemaRegistry registry) {

    /**
     * A request.
     *
     * @param path decoded segments
     * @param body empty if there is none
     */
    record Request(String method, List<String> path, byte[] body) {}

    /** Stands for any segment in a pattern; no segment is empty. */
    private static final String ANY = "";

    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * Answers a request.
     *
     * @return a value for Jackson to write
     * @throws RegistryException if it is refused: 404 for an unknown resource, 405 for an unsupported method
     */
    Object answer(Request request) {
        List<String> path = request.path();
        if (path.isEmpty()) {
            return get(request, Map::of);
        } else if (matches(path, "subjects")) {
            return get(request, registry::subjects);
        } else if (matches(path, "subjects", ANY)) {
            return post(request, () -> registry.lookUp(path.get(1), schemaOf(request)));
        } else if (matches(path, "subjects", ANY, "versions")) {
            return versions(request, path.get(1));
        } else if (matches(path, "subjects", ANY, "versions", ANY)) {
            return get(request, () -> registry.version(path.get(1), path.get(3)));
        } else if (matches(path, "schemas", "ids", ANY)) {
            return get(request, () -> Map.of("schema", registry.schema(id(path.get(2)))));
        } else if (matches(path, "compatibility", "subjects", ANY, "versions")
                || matches(path, "compatibility", "subjects", ANY, "versions", "latest")) {
            return post(request, () -> compatibility(path.get(2), schemaOf(request)));
        }
        throw new RegistryException(404, "This registry does not have that resource.");
    }

    private static boolean matches(List<String> path, String... pattern) {
        return path.size() == pattern.length
                && IntStream.range(0, pattern.length)
                        .allMatch(i -> pattern[i].equals(ANY) || pattern[i].equals(path.get(i)));
    }

    private Object versions(Request request, String subject) {
        return request.method().equals("POST")
                ? Map.of("id", registry.register(subject, schemaOf(request)).id())
                : get(
                        request,
                        () -> registry.versions(subject).stream()
                                .map(Registered::version)
                                .toList());
    }

    /**
     * Compares with all versions, even if the client asks about the latest only, because registration requires it.
     */
    private Object compatibility(String subject, String schema) {
        List<String> objections = registry.objections(subject, schema);
        return Map.of("is_compatible", objections.isEmpty(), "messages", objections);
    }

    private static String schemaOf(Request request) {
        JsonNode body = bodyOf(request);
        String type = body.path("schemaType").asText("AVRO");
        if (!type.equals("AVRO") && !type.equals("null")) {
            throw new RegistryException(
                    RegistryException.INVALID_SCHEMA, "Schemas of type " + type + " are not supported; use AVRO.");
        }
        if (!body.path("references").isEmpty()) {
            throw new RegistryException(
                    RegistryException.INVALID_SCHEMA,
                    "Schema references are not supported; put the referenced types into the schema itself.");
        }
        JsonNode schema = body.path("schema");
        if (!schema.isTextual() || schema.textValue().isBlank()) {
            throw new RegistryException(
                    RegistryException.INVALID_SCHEMA,
                    "The request has no \"schema\": give the Avro schema as a JSON string.");
        }
        return schema.textValue();
    }

    private static JsonNode bodyOf(Request request) {
        try {
            JsonNode body = JSON.readTree(request.body());
            if (body.isObject()) {
                return body;
            }
        } catch (IOException notJson) {
            throw new RegistryException(400, "The body is not JSON: " + notJson.getMessage(), notJson);
        }
        throw new RegistryException(400, "The body is not a JSON object.");
    }

    private static int id(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException notANumber) {
            throw new RegistryException(404, "\"" + text + "\" is not a schema ID; IDs are integers.", notANumber);
        }
    }

    private static Object get(Request request, Supplier<Object> answer) {
        return only("GET", request, answer);
    }

    private static Object post(Request request, Supplier<Object> answer) {
        return only("POST", request, answer);
    }

    private static Object only(String method, Request request, Supplier<Object> answer) {
        if (!request.method().equals(method)) {
            throw new RegistryException(405, "This resource does not support the method " + request.method() + ".");
        }
        return answer.get();
    }
}
