package dev.parley.cli;

import dev.parley.cli.io.BaseCommand;
import dev.parley.cli.io.Options;
import dev.parley.cli.io.Table;
import dev.parley.cli.io.UsageException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code parley capacity}: computes what rates of messages need, from the figures in {@code capacity.properties}. */
@Command(
        name = "capacity",
        description = "Computes what rates of messages need, from measured and assumed figures. Measures nothing.",
        footer = {
            "",
            "docs/runbook.md describes the model and its figures.",
            "",
            "Examples:",
            "  parley capacity",
            "  parley capacity --rates 500,5000 --figures capacity.properties"
        })
final class CapacityCommand extends BaseCommand {
    private static final double DAY = 86_400;

    @Option(
            names = "--figures",
            paramLabel = "FILE",
            description = "File with your own figures. Default: those of the sample mix.")
    private Path file;

    @Option(
            names = "--rates",
            split = ",",
            paramLabel = "RATE",
            description = "Messages per second. Default: 1000,100000,10000000.")
    private List<Double> rates = List.of(1e3, 1e5, 1e7);

    private Properties figures;

    @Override
    public Integer call() throws IOException {
        if (!rates.stream().allMatch(rate -> rate > 0 && rate <= 1e12)) {
            throw new UsageException("--rates must be numbers > 0 and <= 1e12, but were " + rates);
        }
        figures = figures(file);
        List<Table.Column<String>> columns = new ArrayList<>(List.of(Table.Column.of("MESSAGES/S", row -> row)));
        for (double rate : rates) {
            columns.add(Table.Column.of(format(0, rate), needs(rate)::get));
        }
        printTable(needs(rates.get(0)).keySet(), columns);
        return 0;
    }

    private static String format(int decimals, double value) {
        return String.format(Locale.ROOT, "%,." + decimals + "f", value);
    }

    /** Reads a file; null for the figures of the jar. */
    private static Properties figures(Path file) throws IOException {
        Properties figures = new Properties();
        try (InputStream in =
                file == null ? CapacityCommand.class.getResourceAsStream("capacity.properties") : Options.open(file)) {
            figures.load(new InputStreamReader(in, StandardCharsets.UTF_8));
        }
        return figures;
    }

    private double get(String figure) {
        String value = figures.getProperty(figure, "missing");
        try {
            return Double.parseDouble(value);
        } catch (NumberFormatException e) {
            throw new UsageException("--figures: " + figure + " must be a number, but was " + value, e);
        }
    }

    /** Returns what a rate of messages needs, by the names of the rows. */
    private Map<String, String> needs(double rate) {
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
        rows.put("deployments", format(0, deployments));
        rows.put("partitions of an input topic, all deployments", format(0, partitions));
        rows.put("stream threads", format(0, threads));
        rows.put("instances", format(0, instances));
        rows.put("processors in use, all instances", format(1, processors));
        rows.put("memory, all instances, GB", format(1, instances * memory));
        // The active copy, doubled for compaction.
        rows.put("disk of the stores, all instances, TB", format(3, 2 * state));
        rows.put("network from the brokers, all instances, MB/s", format(1, rate * (input + repartition) / 1e6));
        rows.put("network to the brokers, all instances, MB/s", format(1, written));
        // Enough when one of them fails, and at least the replicas.
        rows.put("brokers", format(0, Math.max(replicas, Math.ceil(busiest / used) + 1)));
        rows.put("written by the brokers, replicas included, MB/s", format(1, brokerWrites));
        rows.put("disk of the brokers, replicas included, TB", format(1, brokerDisk));
        return rows;
    }
}
