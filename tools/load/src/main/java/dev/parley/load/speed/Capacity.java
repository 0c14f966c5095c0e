package dev.parley.load.speed;

import dev.parley.load.Markdown;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Computes what rates of messages need from the table of figures in docs/runbook.md, which states the formulas. */
@Command(
        name = "capacity",
        mixinStandardHelpOptions = true,
        description = "Computes the result of docs/runbook.md from its figures, without measuring.")
public final class Capacity implements Callable<Integer> {
    static final List<Double> RATES = List.of(1e3, 1e5, 1e7);
    private static final double DAY = 86_400;

    @Option(names = "--page", required = true, description = "Page with the figures, docs/runbook.md.")
    private Path page;

    @Option(names = "--rates", split = ",", description = "Messages per second instead of those of the page.")
    private List<Double> rates = RATES;

    private final Map<String, Double> figures = new HashMap<>();

    @Override
    public Integer call() throws IOException {
        System.out.print(table(Files.readString(page), rates));
        return 0;
    }

    /** Returns a table with a column per rate. */
    static String table(String page, List<Double> rates) {
        Capacity capacity = new Capacity();
        Pattern.compile("\\| ([^|]+) \\| ([\\d.,]+) \\| (measured|assumed) \\|")
                .matcher(page)
                .results()
                .forEach(row -> capacity.figures.put(
                        row.group(1), Double.valueOf(row.group(2).replace(",", ""))));
        List<Map<String, String>> columns = rates.stream().map(capacity::result).toList();
        StringBuilder table = new StringBuilder();
        for (String name : columns.get(0).keySet()) {
            Object[] cells = Stream.concat(Stream.of(name), columns.stream().map(column -> column.get(name)))
                    .toArray();
            table.append(table.isEmpty() ? Markdown.head(cells) : Markdown.row(cells));
        }
        return table.toString();
    }

    private double get(String figure) {
        if (!figures.containsKey(figure)) {
            throw new IllegalArgumentException("The table of figures has no row '" + figure + "'");
        }
        return figures.get(figure);
    }

    /** Returns the values of a column by the names of their rows. */
    private Map<String, String> result(double rate) {
        double used = get("highest share of a thread, processor, disk or network link in use");
        double each = get("processors of an instance, and of a broker");
        double threads = Math.max(1, Math.ceil(rate / (get("messages/s of one stream thread") * used)));
        // Twice the threads, as a power of two, because they cannot grow later.
        double partitions = Math.max(4, Math.pow(2, Math.ceil(Math.log(2 * threads) / Math.log(2))));
        double deployments = Math.ceil(partitions / get("most partitions of one deployment"));
        double processors = rate * get("application CPU per message, µs") / 1e6 / used;
        // Enough when one of them fails, and at least two per deployment.
        double instances = Math.max(2 * deployments, Math.ceil(Math.max(processors, threads) / each) + 1);
        double days = get("days of inputs and outputs in the topics, and of conversations in the stores");
        double conversations = rate * DAY * days / get("messages of a conversation");
        double state = conversations * get("bytes of a conversation in the stores") / 1e12;
        double input = get("bytes per message: input topic")
                + get("bytes per input record for Kafka's framing and its share of a batch");
        double compressed = get("compressed share of the bytes of output topics, framing included");
        double repartition = get("bytes per message: repartition topic") * compressed;
        double outputs = get("bytes per message: output topics") * compressed;
        double written = rate * (repartition + outputs + get("bytes per message: changelogs") * compressed) / 1e6;
        double replicas = get("replication factor");
        double brokerWrites = replicas * (rate * input / 1e6 + written);
        double brokerDisk = replicas * (rate * DAY * days * (input + outputs) / 1e12 + state);
        double busiest = Stream.of(
                        rate * get("CPU of one broker per message, µs") * replicas / 1e6 / each,
                        brokerWrites / get("MB/s that a broker can write, and its network can carry"),
                        brokerDisk / get("TB of disk of a broker"))
                .max(Double::compare)
                .orElseThrow();
        double memory = get("resident memory of an instance, MiB") * (1 << 20) / 1e9;
        Map<String, String> rows = new LinkedHashMap<>();
        put(rows, 0, "messages/s", rate);
        put(rows, 0, "deployments", deployments);
        put(rows, 0, "partitions of an input topic, all deployments", partitions);
        put(rows, 0, "stream threads", threads);
        put(rows, 0, "instances", instances);
        put(rows, 1, "processors in use, all instances", processors);
        put(rows, 1, "memory, all instances, GB", instances * memory);
        // The active copy, doubled for compaction.
        put(rows, 3, "disk of the stores, all instances, TB", 2 * state);
        put(rows, 1, "network from the brokers, all instances, MB/s", rate * (input + repartition) / 1e6);
        put(rows, 1, "network to the brokers, all instances, MB/s", written);
        // Enough when one of them fails, and at least the replicas.
        put(rows, 0, "brokers", Math.max(replicas, Math.ceil(busiest / used) + 1));
        put(rows, 1, "written by the brokers, replicas included, MB/s", brokerWrites);
        put(rows, 1, "disk of the brokers, replicas included, TB", brokerDisk);
        return rows;
    }

    private static void put(Map<String, String> rows, int decimals, String name, double value) {
        rows.put(name, Markdown.cell(value, decimals));
    }
}
