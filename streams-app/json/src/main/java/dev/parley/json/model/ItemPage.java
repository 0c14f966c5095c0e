package dev.parley.json.model;

import dev.parley.state.Nullable;
import java.util.List;

/**
 * A page of a list.
 *
 * @param next cursor of the next page; null if this is the last
 */
public record ItemPage<T>(List<T> items, @Nullable String next) {}
