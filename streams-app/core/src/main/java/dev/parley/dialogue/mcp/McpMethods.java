package dev.parley.dialogue.mcp;

import dev.parley.avro.CaptureDirection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.StringTokenizer;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Methods of MCP, versions 2024-11-05 to 2026-07-28 (docs/protocols.md 5.2): who sends them, what they require, and
 * what their results must have.
 */
final class McpMethods {
    static final String INITIALIZE = "initialize";
    static final String INITIALIZED = "notifications/initialized";
    static final String PING = "ping";
    static final String DISCOVER = "server/discover";
    static final String CANCELLED = "notifications/cancelled";
    static final String PROGRESS = "notifications/progress";
    static final String MESSAGE = "notifications/message";
    static final String ELICIT = "elicitation/create";
    static final String TASK_STATUS = "notifications/tasks/status";

    /** Types of JSON values by their first byte. */
    enum Type {
        STRING,
        OBJECT,
        ARRAY,
        NUMBER,
        ANY;

        boolean fits(String json) {
            char first = json == null ? ' ' : json.charAt(0);
            return json != null
                    && switch (this) {
                        case STRING -> first == '"';
                        case OBJECT -> first == '{';
                        case ARRAY -> first == '[';
                        case NUMBER -> first == '-' || first >= '0' && first <= '9';
                        case ANY -> true;
                    };
        }
    }

    /** A required member of parameters or a result. */
    record Member(String name, Type type) {}

    /**
     * A method.
     *
     * @param fromClient whether the client may send it
     * @param fromServer whether the server may send it
     * @param capability capability of the other side that it needs; null for none
     * @param params required parameters
     * @param result required members of a complete result
     */
    record Method(
            String name,
            boolean fromClient,
            boolean fromServer,
            String capability,
            List<Member> params,
            List<Member> result) {
        /** Whether a version defines this method; null is a version that the specification does not define. */
        boolean isDefined(String version) {
            return version != null
                    && (version.equals(McpHeaders.MODERN) ? !REMOVED.contains(name) : since().compareTo(version) <= 0);
        }

        private String since() {
            return switch (name) {
                case ELICIT -> "2025-06-18";
                case "tasks/get",
                        "tasks/result",
                        "tasks/cancel",
                        "tasks/list",
                        TASK_STATUS,
                        "notifications/elicitation/complete" -> McpHeaders.LAST_WITH_HANDSHAKE;
                case DISCOVER, "subscriptions/listen", "tasks/update", "notifications/subscriptions/acknowledged" ->
                    McpHeaders.MODERN;
                default -> McpHeaders.OLDEST;
            };
        }

        /** Members that a complete result of 2026-07-28 must have besides {@link #result}. */
        List<Member> cacheHints() {
            return switch (name) {
                case DISCOVER,
                        "tools/list",
                        "prompts/list",
                        "resources/list",
                        "resources/templates/list",
                        "resources/read" -> CACHE_HINTS;
                default -> List.of();
            };
        }

        boolean isFrom(CaptureDirection direction) {
            return switch (direction) {
                case CLIENT_TO_SERVER -> fromClient;
                case SERVER_TO_CLIENT -> fromServer;
                case UNKNOWN -> true;
            };
        }
    }

    /**
     * Method, sides that send it (c: client, s: server), capability, parameters and members of its result. Types: S
     * string, O object, A array, N number, X any.
     */
    private static final String TABLE = """
            initialize                               | c  | -                   | protocolVersion:S capabilities:O | capabilities:O
            ping                                     | cs | -                   | -                                | -
            server/discover                          | c  | -                   | -                                | supportedVersions:A capabilities:O
            tools/list                               | c  | tools               | -                                | tools:A
            tools/call                               | c  | tools               | name:S                           | content:A
            resources/list                           | c  | resources           | -                                | resources:A
            resources/templates/list                 | c  | resources           | -                                | resourceTemplates:A
            resources/read                           | c  | resources           | uri:S                            | contents:A
            resources/subscribe                      | c  | resources.subscribe | uri:S                            | -
            resources/unsubscribe                    | c  | resources.subscribe | uri:S                            | -
            prompts/list                             | c  | prompts             | -                                | prompts:A
            prompts/get                              | c  | prompts             | name:S                           | messages:A
            completion/complete                      | c  | completions         | ref:O argument:O                 | completion:O
            logging/setLevel                         | c  | logging             | level:S                          | -
            subscriptions/listen                     | c  | -                   | notifications:O                  | -
            sampling/createMessage                   | s  | sampling            | messages:A maxTokens:N           | role:S content:X model:S
            roots/list                               | s  | roots               | -                                | roots:A
            elicitation/create                       | s  | elicitation         | message:S                        | action:S
            tasks/get                                | cs | -                   | taskId:S                         | -
            tasks/result                             | cs | -                   | taskId:S                         | -
            tasks/cancel                             | cs | -                   | taskId:S                         | -
            tasks/update                             | c  | -                   | taskId:S                         | -
            tasks/list                               | cs | -                   | -                                | tasks:A
            notifications/initialized                | c  | -                   | -                                | -
            notifications/roots/list_changed         | c  | -                   | -                                | -
            notifications/cancelled                  | cs | -                   | -                                | -
            notifications/progress                   | cs | -                   | progressToken:X progress:N       | -
            notifications/tasks/status               | cs | -                   | taskId:S status:S                | -
            notifications/message                    | s  | logging             | level:S data:X                   | -
            notifications/resources/updated          | s  | -                   | uri:S                            | -
            notifications/tools/list_changed         | s  | -                   | -                                | -
            notifications/resources/list_changed     | s  | -                   | -                                | -
            notifications/prompts/list_changed       | s  | -                   | -                                | -
            notifications/elicitation/complete       | s  | -                   | elicitationId:S                  | -
            notifications/subscriptions/acknowledged | s  | -                   | notifications:O                  | -
            notifications/tasks                      | s  | -                   | -                                | -
            """;

    private static final List<Method> ALL =
            TABLE.lines().map(McpMethods::method).toList();

    /** Methods with required members that 2026-07-28 does not define: any parameters and results are accepted there. */
    private static final List<String> REMOVED = List.of(
            "resources/subscribe",
            "resources/unsubscribe",
            "logging/setLevel",
            "tasks/result",
            "tasks/list",
            TASK_STATUS,
            "notifications/elicitation/complete");

    private static final List<Member> CACHE_HINTS =
            List.of(new Member("ttlMs", Type.NUMBER), new Member("cacheScope", Type.STRING));

    private static final Map<String, Method> METHODS =
            ALL.stream().collect(Collectors.toUnmodifiableMap(Method::name, Function.identity()));

    private McpMethods() {}

    /** Returns all methods, in the order of the table. */
    static List<Method> all() {
        return ALL;
    }

    /** Returns a method; null if no version defines it. */
    static Method of(String name) {
        return METHODS.get(name);
    }

    /** Parameters that a mode of elicitation also requires; null is a form. */
    static List<Member> elicitation(String mode) {
        return switch (mode == null ? "form" : mode) {
            case "form" -> List.of(new Member("requestedSchema", Type.OBJECT));
            case "url" -> List.of(new Member("url", Type.STRING), new Member("elicitationId", Type.STRING));
            default -> List.of();
        };
    }

    /**
     * Returns the first required member that is absent or has another type; null if there is none.
     *
     * @param isMasked whether a text may stand for a value of any type
     */
    static String missing(List<Member> required, Map<String, String> members, boolean isMasked) {
        for (Member member : required) {
            String json = members.get(member.name());
            if (!member.type().fits(json) && !(isMasked && Type.STRING.fits(json) && McpHeaders.isRemoved(json))) {
                return member.name();
            }
        }
        return null;
    }

    private static Method method(String line) {
        StringTokenizer cells = new StringTokenizer(line, "|");
        String name = cells.nextToken().strip();
        String sides = cells.nextToken().strip();
        String capability = cells.nextToken().strip();
        return new Method(
                name,
                sides.contains("c"),
                sides.contains("s"),
                capability.equals("-") ? null : capability,
                members(cells.nextToken()),
                members(cells.nextToken()));
    }

    private static List<Member> members(String cell) {
        List<Member> members = new ArrayList<>();
        StringTokenizer words = new StringTokenizer(cell, " :");
        while (words.countTokens() > 1) {
            members.add(new Member(words.nextToken(), type(words.nextToken())));
        }
        return members;
    }

    private static Type type(String letter) {
        return switch (letter) {
            case "S" -> Type.STRING;
            case "O" -> Type.OBJECT;
            case "A" -> Type.ARRAY;
            case "N" -> Type.NUMBER;
            default -> Type.ANY;
        };
    }
}
