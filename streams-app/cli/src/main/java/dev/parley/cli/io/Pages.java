package dev.parley.cli.io;

import dev.parley.json.ApiJson;
import dev.parley.json.model.ItemPage;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * Iterates over the pages of a list of the HTTP API.
 *
 * @param path path and query of the first page
 * @param item class of the items
 */
public record Pages<T>(ApiClient api, String path, Class<T> item) implements Iterable<ItemPage<T>> {

    @Override
    public Iterator<ItemPage<T>> iterator() {
        return new Iterator<>() {
            private String next = path;

            @Override
            public boolean hasNext() {
                return next != null;
            }

            @Override
            public ItemPage<T> next() {
                if (next == null) {
                    throw new NoSuchElementException();
                }
                ItemPage<T> page = api.get(next, ApiJson.type(ItemPage.class, item));
                next = page.next() == null
                        ? null
                        : path + "&cursor=" + URLEncoder.encode(page.next(), StandardCharsets.UTF_8);
                return page;
            }
        };
    }
}
