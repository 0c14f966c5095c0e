package dev.parley.server.http;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the route of a request by its path as sent. Segments without braces match literally, a parameter matches one
 * segment that is not empty, and {@value #REST} at the end all that follow. A slash at the end makes no difference.
 */
final class RouteTable {

    private static final String REST = "{path}";

    private final List<Pattern> patterns;

    /** A route and the segments of its path. */
    private record Pattern(Route route, List<String> segments) {}

    /**
     * A route that matches a path.
     *
     * @param pathParams decoded parameters in the path, by name
     */
    record Match(Route route, Map<String, String> pathParams) {}

    RouteTable(List<Route> routes) {
        patterns = routes.stream()
                .map(route -> new Pattern(route, segments(route.path())))
                .toList();
    }

    /** The routes that match a path, by any method, in the order of the table. */
    List<Match> matches(String path) {
        List<String> segments = segments(path);
        return patterns.stream()
                .flatMap(pattern -> match(pattern.segments(), segments)
                        .map(params -> new Match(pattern.route(), params))
                        .stream())
                .toList();
    }

    private static Optional<Map<String, String>> match(List<String> wanted, List<String> given) {
        boolean rest = wanted.get(wanted.size() - 1).equals(REST);
        if (rest ? given.size() < wanted.size() : given.size() != wanted.size()) {
            return Optional.empty();
        }
        Map<String, String> params = new HashMap<>();
        for (int i = 0; i < wanted.size(); i++) {
            String segment = wanted.get(i);
            boolean last = i == wanted.size() - 1;
            String value = rest && last ? String.join("/", given.subList(i, given.size())) : given.get(i);
            if (segment.startsWith("{") && !value.isEmpty()) {
                params.put(
                        segment.substring(1, segment.length() - 1),
                        // Not a form: a plus sign stands for itself.
                        URLDecoder.decode(value.replace("+", "%2B"), StandardCharsets.UTF_8));
            } else if (!segment.equals(value)) {
                return Optional.empty();
            }
        }
        return Optional.of(params);
    }

    /** The segments between the slashes; one empty segment for the root. */
    private static List<String> segments(String path) {
        List<String> segments = new ArrayList<>();
        int start = path.startsWith("/") ? 1 : 0;
        for (int slash = path.indexOf('/', start); slash >= 0; slash = path.indexOf('/', start)) {
            segments.add(path.substring(start, slash));
            start = slash + 1;
        }
        if (start < path.length() || segments.isEmpty()) {
            segments.add(path.substring(start));
        }
        return segments;
    }
}
