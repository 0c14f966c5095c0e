package dev.parley.cli.api;

import dev.parley.json.ApiJson;
import dev.parley.json.model.ItemPage;
import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * Iterates over the pages of a list of the HTTP API.
 *
 * @param query query of the first page
 * @param item class of the items
 */
public record Pages<T>(ApiClient api, ApiQuery query, Class<T> item) implements Iterable<ItemPage<T>> {

    @Override
    public Iterator<ItemPage<T>> iterator() {
        return new Iterator<>() {
            private ApiQuery next = query;

            @Override
            public boolean hasNext() {
                return next != null;
            }

            @Override
            public ItemPage<T> next() {
                if (next == null) {
                    throw new NoSuchElementException();
                }
                ItemPage<T> page = api.get(next.path(), ApiJson.type(ItemPage.class, item));
                next = page.next() == null ? null : query.with("cursor", page.next());
                return page;
            }
        };
    }
}
