package dev.parley.json.model;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import dev.parley.state.Nullable;
import java.util.List;

/**
 * A page of a search.
 *
 * @param next cursor of the next page; null if this is the last
 * @param ignored parts of the query that are ignored, each with the reason
 */
public record SearchPage(
        List<SearchLine.Hit> items,
        @Nullable String next,
        @JsonInclude(Include.NON_EMPTY) List<String> ignored) {}
