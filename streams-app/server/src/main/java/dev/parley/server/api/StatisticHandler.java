package dev.parley.server.api;

import dev.parley.json.model.Statistics;
import dev.parley.json.model.Statistics.Row;
import dev.parley.server.api.view.KeyedItems;
import dev.parley.server.api.view.Parameters;
import dev.parley.server.api.view.ViewApi;
import dev.parley.server.api.view.ViewRequest;
import dev.parley.server.health.StatisticBounds;
import dev.parley.server.http.ProblemException.Code;
import dev.parley.server.http.ResponseBudget;
import dev.parley.topology.topics.Statistic;
import dev.parley.topology.topics.StatisticRow;
import dev.parley.topology.views.Views;
import dev.parley.topology.views.read.InvalidCursorException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.common.utils.Bytes;

/**
 * Answers with the rows of an analytics topic, combined to steps of time and to some of their dimensions. Rows have the
 * order of steps, and of the dimensions in a step; a page may end within a step, whose rest the next page computes.
 */
record StatisticHandler(Statistic statistic) {

    private static final int MAX_STEP_SECONDS = 86_400;
    private static final int MAX_STEPS = 1_500;
    private static final Duration MAX_RANGE = Duration.ofSeconds(MAX_STEPS * (long) MAX_STEP_SECONDS);
    private static final long DEFAULT_RANGE = Duration.ofHours(1).toMillis();

    /** Maximum rows that one step reads. */
    static final int MAX_ROWS = 500_000;

    /** Time after which a page ends, with the step in progress. */
    private static final long MAX_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** Approximate memory of a row while it is summed, in addition to its key. */
    private static final int ROW_BYTES = 200;

    private static final byte NULL = 0;
    private static final byte TEXT = 1;

    /**
     * The requested rows.
     *
     * @param from start of the first step, in milliseconds since the epoch
     * @param to end of the last step
     * @param step milliseconds
     * @param by dimensions that are not summed up
     * @param wanted values of dimensions
     */
    private record Selection(long from, long to, long step, List<String> by, Map<String, String> wanted) {

        boolean matches(StatisticRow row) {
            for (Map.Entry<String, String> dimension : wanted.entrySet()) {
                if (!dimension.getValue().equals(row.dimension(dimension.getKey()))
                        || row.isUnnamed(dimension.getKey())) {
                    return false;
                }
            }
            return true;
        }
    }

    private List<String> names() {
        return Stream.concat(
                        Stream.of(Parameters.listNames("by", "from", "step", "to")), Stream.of(statistic.dimensions()))
                .flatMap(List::stream)
                .toList();
    }

    /** The parameters of a request with times, so that all instances answer for the same ones. */
    Map<String, String> resolve(Map<String, String> given, Instant now) {
        Map<String, String> parameters = new TreeMap<>(given);
        Parameters known = Parameters.ofViews(parameters, names());
        long step = step(known);
        long to =
                Math.max(0, known.time("to").map(Instant::toEpochMilli).orElseGet(() -> now.toEpochMilli() + step - 1));
        long from =
                Math.max(0, known.time("from").map(Instant::toEpochMilli).orElse(to - Math.max(DEFAULT_RANGE, step)));
        long first = from / step;
        // Up to the step that contains the end.
        long last = (to + step - 1) / step;
        if (last <= first) {
            throw Parameters.invalid("to", "must be after from");
        }
        if (to - from > MAX_RANGE.toMillis()) {
            throw Parameters.invalid("from", "must be at most " + MAX_RANGE.toDays() + " days before to");
        }
        // Widening to whole steps may add one.
        if (to - from > MAX_STEPS * step) {
            throw Parameters.invalid(
                    "step", "must be larger: the range has " + (last - first) + " steps, at most " + MAX_STEPS);
        }
        parameters.put("from", Long.toString(first * step));
        parameters.put("to", Long.toString(last * step));
        parameters.put("step", Long.toString(step / 1_000));
        return parameters;
    }

    private static long step(Parameters parameters) {
        long seconds = parameters
                .text("step")
                .map(text -> Parameters.number("step", text, 60, MAX_STEP_SECONDS))
                .orElse(60L);
        if (seconds % 60 != 0) {
            throw Parameters.invalid("step", "must be a multiple of 60 seconds, but was " + seconds);
        }
        return seconds * 1_000;
    }

    private Selection selection(ViewRequest request) {
        Parameters parameters = Parameters.ofViews(request.parameters(), names());
        List<String> dimensions = statistic.dimensions();
        List<String> by = parameters
                .text("by")
                .map(text -> List.copyOf(new LinkedHashSet<>(Arrays.asList(text.split(",", -1)))))
                .orElse(dimensions);
        if (!dimensions.containsAll(by) && !by.equals(List.of("none"))) {
            throw Parameters.invalid("by", "must be none, or some of " + String.join(",", dimensions));
        }
        return new Selection(
                Parameters.number("from", parameters.required("from", "a time"), 0, Long.MAX_VALUE),
                Parameters.number("to", parameters.required("to", "a time"), 0, Long.MAX_VALUE),
                step(parameters),
                dimensions.stream().filter(by::contains).toList(),
                wanted(parameters));
    }

    private Map<String, String> wanted(Parameters parameters) {
        Map<String, String> wanted = new LinkedHashMap<>();
        for (String dimension : statistic.dimensions()) {
            Optional<String> value = switch (dimension) {
                case "protocol" -> parameters.protocol().map(Enum::name);
                case "verdict" -> parameters.verdict().map(Enum::name);
                default -> parameters.text(dimension);
            };
            value.ifPresent(text -> wanted.put(dimension, text));
        }
        return wanted;
    }

    KeyedItems rows(ViewRequest request, Views views) {
        Selection selection = selection(request);
        Optional<Bytes> after = request.after();
        if (after.isPresent() && after.get().get().length < Long.BYTES) {
            throw new InvalidCursorException("it belongs to another query");
        }
        long start = System.nanoTime();
        long first = after.map(key -> ByteBuffer.wrap(key.get()).getLong()).orElse(selection.from);
        if (first < selection.from || first % selection.step != 0) {
            throw new InvalidCursorException("it belongs to another query");
        }
        KeyedItems items = new KeyedItems(request.budget());
        for (long step = first; step < selection.to; step += selection.step) {
            Bytes last = null;
            for (Map.Entry<Bytes, Sum> entry :
                    sums(selection, step, views, request.budget()).entrySet()) {
                if (after.isPresent() && entry.getKey().compareTo(after.get()) <= 0) {
                    continue;
                }
                if (items.size() == request.limit()
                        || !items.add(entry.getKey(), row(selection, step, entry.getValue()))) {
                    return items.endAt(Optional.of(last == null ? before(step) : last));
                }
                last = entry.getKey();
            }
            if (System.nanoTime() - start > MAX_NANOS && step + selection.step < selection.to) {
                return items.endAt(Optional.of(before(step + selection.step)));
            }
        }
        return items.endAt(Optional.empty());
    }

    /** A key after all rows before a step. */
    private static Bytes before(long step) {
        return Bytes.wrap(ByteBuffer.allocate(Long.BYTES).putLong(step).array());
    }

    /** The dimensions and the sums of the measures of a row in an answer. */
    private record Sum(List<String> dimensions, boolean other, long[] measures) {}

    private Map<Bytes, Sum> sums(Selection selection, long step, Views views, ResponseBudget budget) {
        List<String> measures = statistic.measures();
        Map<Bytes, Sum> sums = new TreeMap<>();
        long end = Math.min(step + selection.step, selection.to);
        boolean all = views.statistics().visit(statistic, step, end, MAX_ROWS, row -> {
            if (selection.matches(row)) {
                List<String> dimensions = new ArrayList<>();
                selection.by.forEach(name -> dimensions.add(row.dimension(name)));
                Sum sum = sums.computeIfAbsent(key(step, dimensions, row.isOther()), key -> {
                    budget.reserve(ROW_BYTES + key.get().length);
                    return new Sum(dimensions, row.isOther(), new long[measures.size()]);
                });
                for (int i = 0; i < sum.measures.length; i++) {
                    String measure = measures.get(i);
                    sum.measures[i] = StatisticRow.combine(measure, sum.measures[i], row.measure(measure));
                }
            }
        });
        if (!all) {
            throw Code.ANSWER_TOO_LARGE.problem(
                    "A step has more than " + MAX_ROWS + " rows. Request smaller steps (step=60).");
        }
        return sums;
    }

    private static Bytes key(long step, List<String> dimensions, boolean other) {
        ByteArrayOutputStream key = new ByteArrayOutputStream();
        key.writeBytes(ByteBuffer.allocate(Long.BYTES).putLong(step).array());
        for (String dimension : dimensions) {
            if (dimension == null) {
                key.write(NULL);
            } else {
                byte[] text = dimension.getBytes(StandardCharsets.UTF_8);
                key.write(TEXT);
                key.writeBytes(
                        ByteBuffer.allocate(Integer.BYTES).putInt(text.length).array());
                key.writeBytes(text);
            }
        }
        key.write(other ? 1 : 0);
        return Bytes.wrap(key.toByteArray());
    }

    private Row row(Selection selection, long step, Sum sum) {
        Map<String, String> dimensions = new LinkedHashMap<>();
        for (int i = 0; i < selection.by.size(); i++) {
            dimensions.put(selection.by.get(i), sum.dimensions.get(i));
        }
        List<String> measures = statistic.measures();
        Map<String, Long> sums = new LinkedHashMap<>();
        for (int i = 0; i < sum.measures.length; i++) {
            sums.put(measures.get(i), sum.measures[i]);
        }
        return new Row(Instant.ofEpochMilli(step), dimensions, sum.other, sums);
    }

    /** Combines the measures of a row from two instances. */
    Row combine(Row first, Row second) {
        Map<String, Long> sums = new LinkedHashMap<>(first.measures());
        second.measures()
                .forEach((name, value) ->
                        sums.merge(name, value, (one, other) -> StatisticRow.combine(name, one, other)));
        return new Row(first.time(), first.dimensions(), first.other(), sums);
    }

    /** The response to a request with resolved parameters. */
    static Statistics statistics(Map<String, String> resolved, StatisticBounds bounds, ViewApi.Items<Row> rows) {
        return new Statistics(
                Instant.ofEpochMilli(Long.parseLong(resolved.get("from"))),
                Instant.ofEpochMilli(Long.parseLong(resolved.get("to"))),
                Long.parseLong(resolved.get("step")),
                bounds.keptFrom(),
                bounds.completeTo(),
                rows.results(),
                rows.next());
    }
}
