package dev.parley.server.http;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the routes of a path as sent, without decoding it first. A slash at its end makes no difference. The path of a
 * route has letters, digits, dots, colons and parameters; see {@link Route#path}.
 */
final class RouteTable {
    private static final Pattern PARAMETER = Pattern.compile("\\{(\\w+)}");

    private final List<Entry> entries;

    RouteTable(List<Route> routes) {
        entries = routes.stream().map(Entry::of).toList();
    }

    /**
     * A route that matches a path.
     *
     * @param pathParams decoded parameters in the path, by name
     */
    record Match(Route route, Map<String, String> pathParams) {}

    /** The routes that match a path, by any method, in the order of the table. */
    List<Match> matches(String path) {
        return entries.stream().flatMap(entry -> entry.match(path).stream()).toList();
    }

    private record Entry(Route route, List<String> names, Pattern pattern) {

        static Entry of(Route route) {
            String expression = route.path()
                    .replace(".", "\\.")
                    .replaceFirst("\\{path}$", "(.+?)")
                    .replaceAll(PARAMETER.pattern(), "([^/]+)");
            List<String> names = PARAMETER
                    .matcher(route.path())
                    .results()
                    .map(found -> found.group(1))
                    .toList();
            return new Entry(route, names, Pattern.compile(expression + "/?"));
        }

        Optional<Match> match(String path) {
            Matcher matcher = pattern.matcher(path);
            if (!matcher.matches()) {
                return Optional.empty();
            }
            Map<String, String> params = new HashMap<>();
            for (int i = 0; i < names.size(); i++) {
                // Not a form: a plus sign stands for itself.
                String value = matcher.group(i + 1).replace("+", "%2B");
                params.put(names.get(i), URLDecoder.decode(value, StandardCharsets.UTF_8));
            }
            return Optional.of(new Match(route, params));
        }
    }
}
