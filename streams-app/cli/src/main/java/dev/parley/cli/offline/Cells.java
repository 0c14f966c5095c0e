package dev.parley.cli.offline;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.audit.InputPosition;
import dev.parley.avro.Source;
import dev.parley.cli.io.Table;
import dev.parley.json.model.state.Setter;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Cells that the tables of several commands share. */
final class Cells {
    private Cells() {}

    /** The code of a result, then its violations and warnings. */
    static List<String> codes(JsonNode line) {
        List<String> codes = new ArrayList<>(texts(line, "code"));
        line.path("violations").forEach(code -> codes.add(code.asText()));
        line.path("warnings").forEach(code -> codes.add(code.asText()));
        return codes;
    }

    static List<String> texts(JsonNode line, String... keys) {
        List<String> texts = new ArrayList<>();
        for (String key : keys) {
            String text = Table.Column.text(line.path(key));
            if (!text.isBlank()) {
                texts.add(text);
            }
        }
        return texts;
    }

    /** Columns of an item's origin: sender, checkpoint or sequence, and input position. */
    static <T> List<Table.Column<T>> origin(Function<T, Setter> by) {
        return List.of(
                Table.Column.of("BY", item -> by.apply(item).sender()),
                Table.Column.of("SINCE", item -> since(by.apply(item))),
                Table.Column.of("RECORD", item -> position(by.apply(item).source())),
                Table.Column.of("TIME", item -> {
                    Source source = by.apply(item).source();
                    return source == null ? null : seconds(source.getTimestamp());
                }));
    }

    /** A time in seconds; null for null. */
    static Instant seconds(Instant time) {
        return time == null ? null : time.truncatedTo(ChronoUnit.SECONDS);
    }

    /** The input position of a source; null for null. */
    private static InputPosition position(Source source) {
        return source == null ? null : InputPosition.of(source);
    }

    private static String since(Setter by) {
        if (by.checkpoint() != null) {
            return by.checkpoint();
        }
        return by.sequence() == null ? null : "sequence " + by.sequence();
    }
}
