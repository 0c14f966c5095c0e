package dev.parley.server.api.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.codec.ControlCharacters;
import dev.parley.codec.Excerpt;
import dev.parley.json.ApiJson;
import dev.parley.server.api.view.Parameters;
import dev.parley.server.api.view.Paths;
import dev.parley.server.http.ApiRequest;
import dev.parley.server.http.ProblemException;
import dev.parley.server.http.ProblemException.Code;
import dev.parley.server.http.Route;
import dev.parley.server.http.RouteHandler;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.regex.MatchResult;
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
    private static final String DEFAULT_NAMESPACE = "default";
    private static final String LIMIT = Parameters.LIMIT;
    private static final String CURSOR = Parameters.CURSOR;
    private static final String NEXT = "next";
    private static final String ITEMS = "items";
    /** An argument that may be long, and that the access log need not have. */
    private static final String DRAFT = "draft";

    private static final int DEFAULT_ITEMS = 10;
    private static final int MAX_ARGUMENT = 4_096;
    /** Maximum bytes of a result as JSON, so that it fits into the context of a model. */
    static final int MAX_BYTES = 32 << 10;

    private final Map<String, Tool> tools = new LinkedHashMap<>();
    private final String instructions;

    /**
     * A tool.
     *
     * @param routes the routes, of which the first with all parameters of its path is called
     * @param declared its object in the resource
     * @param definition what clients see of it
     */
    private record Tool(List<Route> routes, JsonNode declared, ObjectNode definition) {
        boolean isPaged() {
            return arguments().has(CURSOR);
        }

        JsonNode arguments() {
            return definition.at("/inputSchema/properties");
        }
    }

    /** @param routes the routes that tools may call */
    McpTools(List<Route> routes) {
        JsonNode resource = resource();
        Map<String, Route> byPath = routes.stream()
                .filter(route -> route.method().is("GET"))
                .collect(Collectors.toMap(Route::path, route -> route));
        instructions = resource.path("instructions").asText() + ResultForm.NOTICE;
        for (JsonNode declared : resource.path("tools")) {
            List<Route> found = strings(declared.path("paths"))
                    .flatMap(path -> Stream.ofNullable(byPath.get(path)))
                    .toList();
            if (!found.isEmpty()) {
                tools.put(
                        declared.path("name").asText(),
                        new Tool(found, declared, definition((ObjectNode) declared, resource)));
            }
        }
    }

    private static JsonNode resource() {
        try (InputStream in = McpTools.class.getResourceAsStream("tools.json")) {
            return McpMessage.JSON.readTree(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<String> strings(JsonNode list) {
        List<String> texts = new ArrayList<>();
        list.forEach(element -> texts.add(element.asText()));
        return texts.stream();
    }

    /** What clients see of a tool. */
    private static ObjectNode definition(ObjectNode declared, JsonNode resource) {
        ObjectNode tool = declared.deepCopy().retain("name", "title", "description");
        ObjectNode input = tool.putObject("inputSchema").put("type", "object").put("additionalProperties", false);
        ObjectNode properties = input.putObject("properties");
        Stream.concat(strings(declared.path("requires")), strings(declared.path("takes")))
                .forEach(name -> properties.set(name, resource.path("arguments").path(name)));
        input.putArray("required").addAll(declared.withArray("requires"));
        ObjectNode output = ResultForm.schema(declared.path("result"));
        ((ObjectNode) output.path("properties")).setAll((ObjectNode) resource.path("results"));
        output.putArray("required").add("notice");
        tool.set("outputSchema", output);
        return tool.set("annotations", resource.path("annotations"));
    }

    /** What a model must know before it calls a tool. */
    String instructions() {
        return instructions;
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
        Tool tool = tools.get(name);
        CompletableFuture<ObjectNode> answer;
        try {
            Map<String, String> values = values(tool, arguments);
            int limit = Optional.ofNullable(values.remove(LIMIT))
                    .map(text -> (int) Parameters.number(
                            LIMIT,
                            text,
                            1,
                            tool.arguments().at("/limit/maximum").asInt()))
                    .orElse(DEFAULT_ITEMS);
            answer = call(request, tool, values, limit);
        } catch (ProblemException e) {
            answer = CompletableFuture.failedFuture(e);
        }
        return answer.handle((structured, failure) -> {
            Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
            if (cause == null) {
                return result(ApiJson.text(structured), structured);
            }
            if (cause instanceof ProblemException problem) {
                return result(problem.code().name() + ": " + ControlCharacters.escape(problem.getMessage()), null);
            }
            throw new CompletionException(cause);
        });
    }

    /** @param structured the content; null for an error */
    private static ObjectNode result(String text, ObjectNode structured) {
        ObjectNode result = JsonNodeFactory.instance.objectNode();
        result.putArray("content").addObject().put("type", "text").put("text", text);
        if (structured == null) {
            return result.put("isError", true);
        }
        return result.set("structuredContent", structured);
    }

    /** The arguments as texts, or a problem. */
    private static Map<String, String> values(Tool tool, JsonNode arguments) {
        Map<String, String> values = new TreeMap<>();
        for (Map.Entry<String, JsonNode> argument : arguments.properties()) {
            String name = argument.getKey();
            JsonNode known = tool.arguments().get(name);
            if (known == null) {
                throw Code.INVALID_PARAMETER.problem("Unknown argument '" + Excerpt.of(name) + "'; the tool takes "
                        + String.join(
                                ", ", (Iterable<String>) () -> tool.arguments().fieldNames()) + ".");
            }
            JsonNode value = argument.getValue();
            boolean isInteger = known.path("type").asText().equals("integer");
            if (value.isNull()) {
                continue;
            }
            if (isInteger ? !value.isIntegralNumber() : !value.isTextual()) {
                throw Parameters.invalid(name, "must be " + (isInteger ? "an integer" : "a string"));
            }
            int max = known.path("maxLength").asInt(MAX_ARGUMENT);
            if (value.asText().length() > max) {
                throw Parameters.invalid(name, "must have at most " + max + " characters");
            }
            values.put(name, value.asText());
        }
        strings(tool.declared().path("requires"))
                .filter(name -> values.getOrDefault(name, "").isEmpty())
                .findFirst()
                .ifPresent(name -> {
                    throw missing(name);
                });
        return values;
    }

    private static ProblemException missing(String names) {
        return Parameters.invalid(names, "is required");
    }

    private static CompletableFuture<ObjectNode> call(
            ApiRequest request, Tool tool, Map<String, String> values, int limit) {
        return RouteHandler.call(route(tool, values), inner(request, tool, values, limit))
                .thenCompose(body -> {
                    JsonNode answer = tree(body);
                    ResultForm form = new ResultForm();
                    ObjectNode structured = form.of(tool.declared().path("result"), answer, tool.isPaged());
                    if (answer.hasNonNull(NEXT)) {
                        structured.put(NEXT, sealed(answer.path(NEXT).asText()));
                    }
                    if (form.isCut()) {
                        structured.put("cut", true);
                    }
                    structured.put("notice", ResultForm.NOTICE);
                    long bytes = ApiJson.bytes(structured).length;
                    int items = structured.path(ITEMS).size();
                    if (bytes <= MAX_BYTES) {
                        return CompletableFuture.completedFuture(structured);
                    }
                    if (items > 1) {
                        // The cursor of the answer is that of its last item, so a shorter page needs another answer.
                        return call(request, tool, values, (int) Math.max(1, items * MAX_BYTES / bytes / 2));
                    }
                    throw Code.ANSWER_TOO_LARGE.problem("The result has more than " + MAX_BYTES
                            + " bytes, the maximum for a tool. Read it by the HTTP API.");
                });
    }

    /** The first route with all parameters of its path. */
    private static Route route(Tool tool, Map<String, String> values) {
        return tool.routes().stream()
                .filter(route -> parameters(route)
                        .allMatch(name -> name.equals(NAMESPACE)
                                || !values.getOrDefault(name, "").isEmpty()))
                .findFirst()
                .orElseThrow(() -> missing(tool.routes().stream()
                        .map(route -> parameters(route)
                                .filter(name -> !name.equals(NAMESPACE))
                                .collect(Collectors.joining(", ")))
                        .collect(Collectors.joining("; or "))));
    }

    private static Stream<String> parameters(Route route) {
        return PARAMETER.matcher(route.path()).results().map(found -> found.group(1));
    }

    private static ApiRequest inner(ApiRequest request, Tool tool, Map<String, String> values, int limit) {
        Map<String, String> path = new TreeMap<>();
        Map<String, String> query = new TreeMap<>(values);
        tool.declared()
                .path("fixed")
                .properties()
                .forEach(fixed -> query.put(fixed.getKey(), fixed.getValue().asText()));
        String target = PARAMETER.matcher(route(tool, values).path()).replaceAll((MatchResult found) -> {
            String name = found.group(1);
            String value = query.remove(name);
            String segment = Paths.name(value == null || value.isEmpty() ? DEFAULT_NAMESPACE : value);
            path.put(name, URLDecoder.decode(segment, StandardCharsets.UTF_8));
            return segment;
        });
        for (Map.Entry<String, JsonNode> name : tool.declared().path("names").properties()) {
            String value = query.remove(name.getKey());
            if (value != null) {
                query.put(name.getValue().asText(), name.getKey().equals(CURSOR) ? opened(value) : value);
            }
        }
        query.computeIfPresent(CURSOR, (name, value) -> opened(value));
        if (tool.isPaged()) {
            query.put(LIMIT, Integer.toString(limit));
        }
        String logged = query.entrySet().stream()
                .filter(parameter -> !parameter.getKey().equals(DRAFT))
                .map(parameter -> parameter.getKey() + '=' + Paths.segment(parameter.getValue()))
                .collect(Collectors.joining("&"));
        return request.inner(logged.isEmpty() ? target : target + '?' + logged, path, query);
    }

    /** A cursor as one word: that of a state is the name of an entry, which an agent chose. */
    private static String sealed(String cursor) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(cursor.getBytes(StandardCharsets.UTF_8));
    }

    private static String opened(String cursor) {
        try {
            return new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw Code.INVALID_CURSOR.problem("cursor must be next of an earlier result of the same tool.");
        }
    }

    /** An answer of the API as JSON; parts of it may be text of JSON. */
    private static JsonNode tree(Object answer) {
        try {
            return McpMessage.JSON.readTree(ApiJson.bytes(answer));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
