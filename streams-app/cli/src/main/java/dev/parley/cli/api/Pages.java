package dev.parley.cli.api;

import dev.parley.json.ApiJson;
import dev.parley.json.model.ItemPage;
import java.util.Iterator;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Iterates over the pages of a list of the HTTP API.
 *
 * @param query query of the first page
 * @param item class of the items
 */
public record Pages<T>(ApiClient api, ApiQuery query, Class<T> item) implements Iterable<ItemPage<T>> {

    /** The pages; each is read when it is needed. */
    @Override
    public Iterator<ItemPage<T>> iterator() {
        return Stream.iterate(
                        read(query),
                        Objects::nonNull,
                        page -> page.next() == null ? null : read(query.with("cursor", page.next())))
                .iterator();
    }

    private ItemPage<T> read(ApiQuery page) {
        return api.get(page.path(), ApiJson.type(ItemPage.class, item));
    }
}
