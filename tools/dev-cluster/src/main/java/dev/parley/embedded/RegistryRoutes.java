package dev.parley.embedded;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.embedded.SchemaRegistry.Registered;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * The REST API of a {@link SchemaRegistry}: maps the method, path and body of a request to an answer. Independent of
 * the HTTP server.
 */
final class RegistryRoutes {

    /**
     * A request.
     *
     * @param path decoded segments
     * @param body empty if there is none
     */
    record Request(String method, List<String> path, byte[] body) {}

    private static final ObjectMapper JSON = new ObjectMapper();

    private final SchemaRegistry registry;

    RegistryRoutes(SchemaRegistry registry) {
        this.registry = registry;
    }

    /**
     * Answers a request.
     *
     * @return a value for Jackson to write
     * @throws RegistryException if it is refused: 404 for an unknown resource, 405 for an unsupported method
     */
    Object answer(Request request) {
        List<String> path = request.path();
        if (path.isEmpty()) {
            return get(request, Map.of());
        }
        return switch (path.get(0)) {
            case "subjects" -> subjects(request, path);
            case "schemas" -> schemas(request, path);
            case "compatibility" -> compatibility(request, path);
            default -> throw noSuchResource();
        };
    }

    private Object subjects(Request request, List<String> path) {
        if (path.size() == 1) {
            return get(request, registry.subjects());
        }
        String subject = path.get(1);
        if (path.size() == 2) {
            only("POST", request);
            return registry.lookUp(subject, schemaOf(request));
        }
        if (!path.get(2).equals("versions") || path.size() > 4) {
            throw noSuchResource();
        }
        if (path.size() == 4) {
            only("GET", request);
            return registry.version(subject, path.get(3));
        }
        return switch (request.method()) {
            case "GET" ->
                registry.versions(subject).stream().map(Registered::version).toList();
            case "POST" ->
                Map.of("id", registry.register(subject, schemaOf(request)).id());
            default -> throw noSuchMethod(request);
        };
    }

    private Object schemas(Request request, List<String> path) {
        if (path.size() != 3 || !path.get(1).equals("ids")) {
            throw noSuchResource();
        }
        return get(request, Map.of("schema", registry.schema(id(path.get(2)))));
    }

    /**
     * Compares with all versions, even if the client asks about the latest only, because registration requires it.
     */
    private Object compatibility(Request request, List<String> path) {
        boolean latest = path.size() == 5 && path.get(4).equals("latest");
        if (path.size() != 4 && !latest
                || !path.get(1).equals("subjects")
                || !path.get(3).equals("versions")) {
            throw noSuchResource();
        }
        only("POST", request);
        List<String> objections = registry.objections(path.get(2), schemaOf(request));
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

    private static Object get(Request request, Object answer) {
        only("GET", request);
        return answer;
    }

    private static void only(String method, Request request) {
        if (!request.method().equals(method)) {
            throw noSuchMethod(request);
        }
    }

    private static RegistryException noSuchResource() {
        return new RegistryException(404, "This registry does not have that resource.");
    }

    private static RegistryException noSuchMethod(Request request) {
        return new RegistryException(405, "This resource does not support the method " + request.method() + ".");
    }
}
