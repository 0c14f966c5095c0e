package dev.parley.cli.offline;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.cli.io.Table;
import java.util.ArrayList;
import java.util.List;

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
    static List<Table.Column> origin() {
        return List.of(
                Table.Column.at("BY", "/by/sender"),
                Table.Column.of("SINCE", Cells::since),
                Table.Column.of("RECORD", item -> position(item.at("/by/source"))),
                time("/by/source/timestamp"));
    }

    /** A column of times in seconds. */
    static Table.Column time(String pointer) {
        return Table.Column.of("TIME", item -> {
            String time = Table.Column.text(item.at(pointer));
            int fraction = time.indexOf('.');
            return fraction < 0 ? time : time.substring(0, fraction) + "Z";
        });
    }

    /** The input position of a source, as {@code topic-partition@offset}. */
    static String position(JsonNode source) {
        return source.isObject()
                ? source.path("topic").asText() + "-" + source.path("partition").asText() + "@"
                        + source.path("offset").asText()
                : "";
    }

    private static String since(JsonNode item) {
        JsonNode checkpoint = item.at("/by/checkpoint");
        return checkpoint.isTextual()
                ? checkpoint.asText()
                : item.at("/by/sequence").isNumber()
                        ? "sequence " + item.at("/by/sequence").asText()
                        : "";
    }
}
