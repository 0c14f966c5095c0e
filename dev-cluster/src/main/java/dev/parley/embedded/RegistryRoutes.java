package dev.parley.embedded;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.embedded.SchemaRegistry.Registered;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The REST API over a {@link SchemaRegistry}: a request's path, query and body to what is answered as JSON. Knows nothing of sockets. */
final class RegistryRoutes {

    /**
     * A request.
     *
     * @param path decoded segments
     * @param query decoded parameters
     * @param body empty when there is none
     */
    record Request(String method, List<String> path, Map<String, String> query, byte[] body) {

        private boolean flag(String name) {
            return Boolean.parseBoolean(query.get(name));
        }
    }

    private static final ObjectMapper JSON = new ObjectMapper();

    private final SchemaRegistry registry;

    RegistryRoutes(SchemaRegistry registry) {
        this.registry = registry;
    }

    /**
     * Answers a request.
     *
     * @return what Jackson is to write
     * @throws RegistryException when it is refused: 404 when there is no such resource, 405 when it does not have the method
     */
    Object answer(Request request) {
        if (request.path().isEmpty()) {
            return get(request, Map.of());
        }
        return switch (request.path().get(0)) {
            case "subjects" -> subjects(request);
            case "schemas" -> schemas(request);
            case "compatibility" -> compatibility(request);
            case "config" -> config(request);
            case "mode" -> mode(request);
            default -> throw noSuchResource();
        };
    }

    private Object subjects(Request request) {
        List<String> path = request.path();
        boolean deleted = request.flag("deleted");
        if (path.size() == 1) {
            String prefix = request.query().getOrDefault("subjectPrefix", "");
            return get(
                    request,
                    registry.subjects(deleted).stream()
                            .filter(subject -> subject.startsWith(prefix))
                            .toList());
        }
        String subject = path.get(1);
        if (path.size() == 2) {
            return switch (request.method()) {
                case "POST" -> json(registry.lookUp(subject, schemaOf(request), request.flag("normalize"), deleted));
                case "DELETE" -> {
                    refusePermanent(request);
                    yield registry.delete(subject);
                }
                default -> throw noSuchMethod(request);
            };
        }
        if (!path.get(2).equals("versions")) {
            throw noSuchResource();
        }
        if (path.size() == 3) {
            return switch (request.method()) {
                case "GET" ->
                    registry.versions(subject, deleted).stream()
                            .map(Registered::version)
                            .toList();
                case "POST" ->
                    Map.of(
                            "id",
                            registry.register(subject, schemaOf(request), request.flag("normalize"))
                                    .id());
                default -> throw noSuchMethod(request);
            };
        }
        String version = path.get(3);
        if (path.size() == 4) {
            return switch (request.method()) {
                case "GET" -> json(registry.version(subject, version, deleted));
                case "DELETE" -> {
                    refusePermanent(request);
                    yield registry.delete(subject, version);
                }
                default -> throw noSuchMethod(request);
            };
        }
        Registered registered = registry.version(subject, version, deleted);
        return switch (tail(path, 4)) {
            case "schema" -> get(request, tree(registered.schema()));
            case "referencedby" -> get(request, List.of());
            default -> throw noSuchResource();
        };
    }

    private Object schemas(Request request) {
        List<String> path = request.path();
        if (path.size() == 2 && path.get(1).equals("types")) {
            return get(request, List.of("AVRO"));
        }
        if (path.size() < 3 || !path.get(1).equals("ids")) {
            throw noSuchResource();
        }
        int id = id(path.get(2));
        boolean deleted = request.flag("deleted");
        if (path.size() == 3) {
            Map<String, Object> answer = new LinkedHashMap<>();
            answer.put("schema", registry.schema(id));
            if (request.flag("fetchMaxId")) {
                answer.put("maxId", registry.maxId());
            }
            return get(request, answer);
        }
        return switch (tail(path, 3)) {
            case "schema" -> get(request, tree(registry.schema(id)));
            case "subjects" ->
                get(
                        request,
                        registry.usages(id, deleted).stream()
                                .map(Registered::subject)
                                .distinct()
                                .toList());
            case "versions" ->
                get(
                        request,
                        registry.usages(id, deleted).stream()
                                .map(usage -> Map.of("subject", usage.subject(), "version", usage.version()))
                                .toList());
            default -> throw noSuchResource();
        };
    }

    private Object compatibility(Request request) {
        List<String> path = request.path();
        if (path.size() < 4
                || path.size() > 5
                || !path.get(1).equals("subjects")
                || !path.get(3).equals("versions")) {
            throw noSuchResource();
        }
        only("POST", request);
        String schema = schemaOf(request);
        boolean normalize = request.flag("normalize");
        List<String> objections = path.size() == 4
                ? registry.objections(path.get(2), schema, normalize)
                : registry.objections(path.get(2), path.get(4), schema, normalize);
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("is_compatible", objections.isEmpty());
        if (request.flag("verbose")) {
            answer.put("messages", objections);
        }
        return answer;
    }

    private Object config(Request request) {
        if (request.path().size() == 1) {
            return switch (request.method()) {
                case "GET" -> level(registry.globalLevel());
                case "PUT" -> {
                    CompatibilityLevel level = levelOf(request);
                    registry.setGlobalLevel(level);
                    yield Map.of("compatibility", level);
                }
                default -> throw noSuchMethod(request);
            };
        }
        String subject = tail(request.path(), 1);
        return switch (request.method()) {
            case "GET" ->
                level(
                        request.flag("defaultToGlobal")
                                ? registry.subjectLevel(subject).orElseGet(registry::globalLevel)
                                : ownLevel(subject));
            case "PUT" -> {
                CompatibilityLevel level = levelOf(request);
                registry.setSubjectLevel(subject, level);
                yield Map.of("compatibility", level);
            }
            case "DELETE" -> {
                CompatibilityLevel level = ownLevel(subject);
                registry.removeSubjectLevel(subject);
                yield level(level);
            }
            default -> throw noSuchMethod(request);
        };
    }

    private CompatibilityLevel ownLevel(String subject) {
        return registry.subjectLevel(subject)
                .orElseThrow(() -> new RegistryException(
                        RegistryException.NO_SUBJECT_LEVEL,
                        "Subject \"" + subject
                                + "\" has no compatibility level of its own; GET /config tells the global one."));
    }

    private Object mode(Request request) {
        if (request.path().size() > 2) {
            throw noSuchResource();
        }
        if (!request.method().equals("GET")) {
            throw new RegistryException(
                    RegistryException.NOT_PERMITTED,
                    "This registry is always in mode READWRITE; it cannot be changed.");
        }
        return Map.of("mode", "READWRITE");
    }

    private static Map<String, Object> level(CompatibilityLevel level) {
        return Map.of("compatibilityLevel", level);
    }

    private static Map<String, Object> json(Registered registered) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("subject", registered.subject());
        json.put("version", registered.version());
        json.put("id", registered.id());
        json.put("schema", registered.schema());
        return json;
    }

    private static JsonNode tree(String schema) {
        try {
            return JSON.readTree(schema);
        } catch (IOException impossible) {
            throw new IllegalStateException("a registered schema is not JSON", impossible);
        }
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

    private static CompatibilityLevel levelOf(Request request) {
        String level = bodyOf(request).path("compatibility").asText();
        try {
            return CompatibilityLevel.valueOf(level.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException unknown) {
            throw new RegistryException(
                    RegistryException.INVALID_LEVEL,
                    "\"" + level + "\" is no compatibility level; \"compatibility\" is one of "
                            + Arrays.toString(CompatibilityLevel.values()) + ".");
        }
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
            throw new RegistryException(404, "\"" + text + "\" is no schema id; ids are numbers.", notANumber);
        }
    }

    private static void refusePermanent(Request request) {
        if (request.flag("permanent")) {
            throw new RegistryException(
                    RegistryException.NOT_PERMITTED,
                    "This registry does not destroy schemas, since records that were written with them must stay readable;"
                            + " delete without permanent=true to hide them.");
        }
    }

    /** The last segment of a path that ends there. */
    private static String tail(List<String> path, int index) {
        if (path.size() != index + 1) {
            throw noSuchResource();
        }
        return path.get(index);
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
        return new RegistryException(404, "There is no such resource in this registry's API.");
    }

    private static RegistryException noSuchMethod(Request request) {
        return new RegistryException(405, "This resource does not have the method " + request.method() + ".");
    }
}
