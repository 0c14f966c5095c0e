package dev.parley.cli.io;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * Iterates over the pages of a list of the HTTP API.
 *
 * @param path path and query of the first page
 */
public record Pages(ApiClient api, String path) implements Iterable<JsonNode> {

    @Override
    public Iterator<JsonNode> iterator() {
        return new Iterator<>() {
            private String next = path;

            @Override
            public boolean hasNext() {
                return next != null;
            }

            @Override
            public JsonNode next() {
                if (next == null) {
                    throw new NoSuchElementException();
                }
                JsonNode page = api.get(next);
                JsonNode cursor = page.path("next");
                next = cursor.isTextual()
                        ? path + "&cursor=" + URLEncoder.encode(cursor.asText(), StandardCharsets.UTF_8)
                        : null;
                return page;
            }
        };
    }
}
