package dev.parley.cli.api;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** A path of the HTTP API, with query parameters. */
public record ApiQuery(String path) {

    /** Adds a parameter, percent-encoded; null adds nothing. */
    public ApiQuery with(String name, Object value) {
        return value == null
                ? this
                : new ApiQuery(path
                        + (path.indexOf('?') < 0 ? '?' : '&')
                        + name
                        + '='
                        + URLEncoder.encode(value.toString(), StandardCharsets.UTF_8));
    }

    /** Adds parameters, as {@link #with(String, Object)}. */
    public ApiQuery with(Map<String, ?> parameters) {
        ApiQuery query = this;
        for (Map.Entry<String, ?> parameter : parameters.entrySet()) {
            query = query.with(parameter.getKey(), parameter.getValue());
        }
        return query;
    }
}
