package dev.parley.server.api.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.codec.ControlCharacters;
import dev.parley.codec.Excerpt;
import dev.parley.codec.Utf8;
import dev.parley.json.ApiJson;
import dev.parley.server.api.view.Parameters;
import dev.parley.server.api.view.Paths;
import dev.parley.server.http.ApiRequest;
import dev.parley.server.http.ProblemException;
import dev.parley.server.http.ProblemException.Code;
import dev.parley.server.http.Route;
import dev.parley.server.http.RouteHandler;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The tools, as the resource {@code tools.json} defines them: each sends its arguments to a GET route, and returns the
 * answer in a {@link ResultForm}. A tool whose routes this instance lacks does not exist.
 */
final class McpTools {

    private static final Pattern PARAMETER = Pattern.compile("\\{(\\w+)}");
    private static final String NAMESPACE = "namespace";
    private static final String CURSOR = Parameters.CURSOR;
    private static final String NEXT = "next";
    private static final String NOTICE = "notice";
    /** Part with the capabilities of this server, and what a model must know before it calls a tool. */
    static final String SERVER = "server";

    /** Part with its name and version. */
    static final String SERVER_INFO = "serverInfo";

    /** An argument that may be long, and that the access log need not have. */
    private static final String DRAFT = "draft";
    /** Arguments that results contain in the encoding of paths if need be. */
    private static final Set<String> ENCODED = Set.of(NAMESPACE, "conversation", "entry", CURSOR);

    private static final int MAX_ARGUMENT = 8 << 10;
    /** Maximum bytes of a result as JSON, so that it fits into the context of a model. */
    static final int MAX_BYTES = 32 << 10;

    private final JsonNode resource = read(McpTools.class.getResourceAsStream("tools.json"));
    private final Map<String, Tool> tools = new LinkedHashMap<>();

    /**
     * A tool.
     *
     * @param routes the routes, of which the one with the given parameters in its path is called
     * @param declared its object in the resource
     * @param definition what clients see of it
     */
    private record Tool(List<Route> routes, JsonNode declared, ObjectNode definition) {
        JsonNode arguments() {
            return definition.at("/inputSchema/properties");
        }
    }

    /** @param routes the routes that tools may call */
    McpTools(List<Route> routes) {
        Map<String, Route> byPath = routes.stream()
                .filter(route -> route.method().is("GET"))
                .collect(Collectors.toMap(Route::path, route -> route));
        part(SERVER).put("instructions", part(SERVER).path("instructions").asText() + ResultForm.NOTICE);
        for (JsonNode declared : resource.path("tools")) {
            List<Route> found = strings(declared.path("paths"))
                    .filter(byPath::containsKey)
                    .map(byPath::get)
                    .toList();
            if (!found.isEmpty()) {
                tools.put(declared.path("name").asText(), new Tool(found, declared, definition(declared)));
            }
        }
    }

    /** Reads JSON that Parley has written. */
    private static JsonNode read(InputStream json) {
        try (json) {
            return McpMessage.JSON.readTree(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<String> strings(JsonNode list) {
        return list.valueStream().map(JsonNode::asText);
    }

    private ObjectNode definition(JsonNode declared) {
        ObjectNode tool = ((ObjectNode) declared.deepCopy()).retain("name", "title", "description");
        ObjectNode input = tool.putObject("inputSchema").put("type", "object").put("additionalProperties", false);
        ObjectNode properties = input.putObject("properties");
        Stream.concat(strings(declared.path("requires")), strings(declared.path("takes")))
                .forEach(name -> properties.set(name, resource.at("/arguments/" + name)));
        input.set("required", declared.withArray("requires"));
        ObjectNode output = ResultForm.schema(declared.path("result"));
        output.withObject("properties").setAll(part("results"));
        output.putArray("required").add(NOTICE);
        tool.set("outputSchema", output);
        return tool.set("annotations", part("annotations"));
    }

    /** A part of the resource that is the same for all callers. */
    ObjectNode part(String name) {
        return (ObjectNode) resource.path(name);
    }

    /** The definitions of all tools. */
    ArrayNode list() {
        ArrayNode list = JsonNodeFactory.instance.arrayNode();
        tools.values().forEach(tool -> list.add(tool.definition()));
        return list;
    }

    /** Whether there is a tool of that name. */
    boolean has(String name) {
        return tools.containsKey(name);
    }

    /**
     * Calls a tool for the caller of a request.
     *
     * @return the result of {@code tools/call}; a problem, also with arguments, is a result that is an error
     */
    CompletableFuture<ObjectNode> call(ApiRequest request, String name, JsonNode arguments) {
        return CompletableFuture.completedFuture(tools.get(name))
                .thenCompose(tool -> call(request, tool, values(tool, arguments)))
                .thenApply(structured -> {
                    ObjectNode result = result(ApiJson.text(structured));
                    return result.<ObjectNode>set("structuredContent", structured);
                })
                .exceptionally(failure -> {
                    if (failure.getCause() instanceof ProblemException problem) {
                        String text = problem.code().name() + ": " + ControlCharacters.escape(problem.getMessage());
                        return result(text).put("isError", true);
                    }
                    throw (CompletionException) failure;
                });
    }

    private static ObjectNode result(String text) {
        ObjectNode result = JsonNodeFactory.instance.objectNode();
        result.putArray("content").addObject().put("type", "text").put("text", text);
        return result;
    }

    /** The arguments that are not empty, with defaults; or a problem. */
    private static Map<String, String> values(Tool tool, JsonNode arguments) {
        Map<String, String> values = new TreeMap<>();
        tool.arguments().forEachEntry((name, schema) -> {
            if (schema.has("default")) {
                values.put(name, schema.path("default").asText());
            }
        });
        arguments.forEachEntry((name, value) -> {
            JsonNode schema = tool.arguments().path(name);
            if (schema.isMissingNode()) {
                throw Code.INVALID_PARAMETER.problem("Unknown argument '" + Excerpt.of(name) + "'; the tool takes "
                        + String.join(", ", (Iterable<String>) tool.arguments()::fieldNames) + ".");
            }
            if (!value.isNull() && !(value.isTextual() && value.asText().isEmpty())) {
                values.put(name, text(name, value, schema));
            }
        });
        strings(tool.declared().path("requires"))
                .filter(name -> !values.containsKey(name))
                .findFirst()
                .ifPresent(name -> {
                    throw Parameters.invalid(name, "is required");
                });
        return values;
    }

    private static String text(String name, JsonNode value, JsonNode schema) {
        String text = value.asText();
        if (schema.path("type").asText().equals("integer")) {
            if (!value.isIntegralNumber()) {
                throw Parameters.invalid(name, "must be an integer");
            }
            long max = schema.path("maximum").asLong(Long.MAX_VALUE);
            Parameters.number(name, text, schema.path("minimum").asLong(), max);
            return text;
        }
        int max = schema.path("maxLength").asInt(MAX_ARGUMENT);
        if (!value.isTextual()) {
            throw Parameters.invalid(name, "must be a string");
        }
        if (text.length() > max) {
            throw Parameters.invalid(name, "must have at most " + max + " characters");
        }
        if (!Utf8.canEncode(text)) {
            throw Parameters.invalid(name, "must have no unpaired surrogate");
        }
        return ENCODED.contains(name) ? Paths.decoded(name, text) : text;
    }

    private static CompletableFuture<ObjectNode> call(ApiRequest request, Tool tool, Map<String, String> values) {
        Route route = route(tool, values.keySet());
        boolean isPaged = tool.arguments().has(CURSOR);
        return RouteHandler.call(route, inner(request, tool, route, values)).thenCompose(body -> {
            JsonNode answer = read(new ByteArrayInputStream(ApiJson.bytes(body)));
            ResultForm form = new ResultForm();
            ObjectNode structured = form.of(tool.declared().path("result"), answer, isPaged);
            if (answer.hasNonNull(NEXT)) {
                // The cursor of a state is the name of an entry, which an agent chose.
                structured.put(NEXT, Paths.encoded(answer.path(NEXT).asText()));
            }
            if (form.isCut()) {
                structured.put("cut", true);
            }
            structured.put(NOTICE, ResultForm.NOTICE);
            int bytes = ApiJson.bytes(structured).length;
            int items = structured.path("items").size();
            if (bytes <= MAX_BYTES) {
                return CompletableFuture.completedFuture(structured);
            }
            if (items > 1) {
                // The cursor of the answer is that of its last item, so a shorter page needs another answer.
                long fewer = Math.max(1, (long) items * MAX_BYTES / bytes / 2);
                values.put(Parameters.LIMIT, Long.toString(fewer));
                return call(request, tool, values);
            }
            throw Code.ANSWER_TOO_LARGE.problem("The result has more than " + MAX_BYTES
                    + " bytes, the maximum for a tool. Read it by the HTTP API.");
        });
    }

    /** The only route; of several, the one whose path has exactly the arguments. */
    private static Route route(Tool tool, Set<String> arguments) {
        Set<String> withNamespace = new TreeSet<>(arguments);
        withNamespace.add(NAMESPACE);
        return tool.routes().stream()
                .filter(route -> tool.routes().size() == 1
                        || parameters(route).equals(arguments)
                        || parameters(route).equals(withNamespace))
                .findFirst()
                .orElseThrow(() -> Code.INVALID_PARAMETER.problem(tool.routes().stream()
                        .map(route -> String.join(", ", parameters(route)))
                        .collect(Collectors.joining("; or ", "The arguments must be ", "."))));
    }

    private static Set<String> parameters(Route route) {
        return PARAMETER
                .matcher(route.path())
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private static ApiRequest inner(ApiRequest request, Tool tool, Route route, Map<String, String> values) {
        Map<String, String> path = new TreeMap<>();
        Map<String, String> query = new TreeMap<>();
        tool.declared().path("fixed").forEachEntry((name, value) -> query.put(name, value.asText()));
        // A cursor precedes the start that it replaces.
        values.forEach((name, value) ->
                query.putIfAbsent(tool.declared().at("/names/" + name).asText(name), value));
        String target = PARAMETER.matcher(route.path()).replaceAll(found -> {
            String segment = Paths.name(Objects.requireNonNullElse(query.remove(found.group(1)), "default"));
            path.put(found.group(1), URLDecoder.decode(segment, StandardCharsets.UTF_8));
            return segment;
        });
        String logged = query.entrySet().stream()
                .filter(parameter -> !parameter.getKey().equals(DRAFT))
                .map(parameter -> parameter.getKey() + '=' + Paths.segment(parameter.getValue()))
                .collect(Collectors.joining("&"));
        return request.inner(logged.isEmpty() ? target : target + '?' + logged, path, query);
    }
}
