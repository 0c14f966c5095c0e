package dev.parley.load.run;

import dev.parley.load.Markdown;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Computes what rates of messages need, from the figures in {@code capacity.properties}. */
@Command(
        name = "capacity",
        mixinStandardHelpOptions = true,
        description = "Computes what rates of messages need from measured and assumed figures, without measuring.")
final class Capacity implements Callable<Integer> {
    static final List<Double> RATES = List.of(1e3, 1e5, 1e7);
    private static final double DAY = 86_400;

    @Option(
            names = "--figures",
            required = true,
            description = "File with the figures: tools/load/capacity.properties.")
    private Path file;

    @Option(names = "--rates", split = ",", description = "Messages per second. Default: ${DEFAULT-VALUE}.")
    private List<Double> rates = RATES;

    private Properties figures;

    @Override
    public Integer call() throws IOException {
        System.out.print(table(figures(file), rates));
        return 0;
    }

    static Properties figures(Path file) throws IOException {
        Properties figures = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            figures.load(reader);
        }
        return figures;
    }

    /** Returns a table with a column per rate. */
    static String table(Properties figures, List<Double> rates) {
        Capacity capacity = new Capacity();
        capacity.figures = figures;
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
        String value = figures.getProperty(figure);
        if (value == null) {
            throw new IllegalArgumentException("The figures have no " + figure);
        }
        return Double.parseDouble(value);
    }

    /** Returns the values of a column by the names of their rows. */
    private Map<String, String> result(double rate) {
        double used = get("use.max");
        double each = get("processors");
        double threads = Math.max(1, Math.ceil(rate / (get("thread.rate") * used)));
        // Twice the threads, as a power of two, because they cannot grow later.
        double partitions = Math.max(4, Math.pow(2, Math.ceil(Math.log(2 * threads) / Math.log(2))));
        double deployments = Math.ceil(partitions / get("partitions.max"));
        double processors = rate * get("application.cpu.us") / 1e6 / used;
        // Enough when one of them fails, and at least two per deployment.
        double instances = Math.max(2 * deployments, Math.ceil(Math.max(processors, threads) / each) + 1);
        double days = get("days");
        double conversations = rate * DAY * days / get("conversation.messages");
        double state = conversations * get("conversation.bytes") / 1e12;
        double input = get("input.bytes") + get("framing.bytes");
        double compressed = get("compressed.share");
        double repartition = get("repartition.bytes") * compressed;
        double outputs = get("output.bytes") * compressed;
        double written = rate * (repartition + outputs + get("changelog.bytes") * compressed) / 1e6;
        double replicas = get("replication.factor");
        double brokerWrites = replicas * (rate * input / 1e6 + written);
        double brokerDisk = replicas * (rate * DAY * days * (input + outputs) / 1e12 + state);
        double busiest = Stream.of(
                        rate * get("broker.cpu.us") * replicas / 1e6 / each,
                        brokerWrites / get("broker.rate.mb"),
                        brokerDisk / get("broker.disk.tb"))
                .max(Double::compare)
                .orElseThrow();
        double memory = get("instance.memory.mib") * (1 << 20) / 1e9;
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
