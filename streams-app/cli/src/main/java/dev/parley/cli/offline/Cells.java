package dev.parley.cli.offline;

import dev.parley.audit.InputPosition;
import dev.parley.avro.Source;
import dev.parley.cli.io.Table;
import dev.parley.codec.Code;
import dev.parley.state.ChangeOrigin;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;

/** Cells that the tables of several commands share. */
final class Cells {
    private Cells() {}

    /** The code of a result, then its violations and warnings; each may be null. */
    static List<String> codes(Code code, List<Code> violations, List<Code> warnings) {
        return Stream.of(code == null ? null : List.of(code), violations, warnings)
                .filter(Objects::nonNull)
                .flatMap(List::stream)
                .map(Code::name)
                .toList();
    }

    /** Columns of an item's origin: sender, checkpoint or sequence, and input position. */
    static <T> List<Table.Column<T>> origin(Function<T, ChangeOrigin> by) {
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

    private static String since(ChangeOrigin by) {
        return by instanceof ChangeOrigin.Message message
                ? "sequence " + message.sequence()
                : ((ChangeOrigin.Patch) by).checkpoint();
    }
}
