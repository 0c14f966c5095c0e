package dev.parley.benchmarks.speed;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Computes what rates of messages need from the table of figures in docs/capacity.md, which states the formulas. */
@Command(
        name = "capacity",
        mixinStandardHelpOptions = true,
        description = "Computes the result of docs/capacity.md from its figures, without measuring.")
final class Capacity implements Callable<Integer> {
    static final List<Double> RATES = List.of(1e3, 1e5, 1e7);
    private static final double SECONDS_PER_DAY = 86_400;
    private static final double MEGA = 1e6;
    private static final double TERA = 1e12;

    @Option(names = "--page", required = true, description = "Page with the figures, docs/capacity.md.")
    private Path page;

    @Option(names = "--rates", split = ",", description = "Messages per second instead of those of the page.")
    private List<Double> rates = RATES;

    @Override
    public Integer call() throws IOException {
        System.out.print(table(Files.readString(page), rates));
        return 0;
    }

    /** Values by the name of the figure, and the rate. */
    private record Model(Map<String, Double> figures, double rate) {
        double get(String figure) {
            Double value = figures.get(figure);
            if (value == null) {
                throw new IllegalArgumentException("The table of figures has no row '" + figure + "'");
            }
            return value;
        }

        double used() {
            return get("highest share of a thread, processor, disk or network link in use");
        }

        double threads() {
            return Math.max(1, Math.ceil(rate / (get("messages/s of one stream thread") * used())));
        }

        /** Twice the threads, as a power of two, because they cannot grow later. */
        double partitions() {
            double partitions = 4;
            while (partitions < 2 * threads()) {
                partitions *= 2;
            }
            return partitions;
        }

        double deployments() {
            return Math.ceil(partitions() / get("most partitions of one deployment"));
        }

        double processors() {
            return rate * get("application CPU per message, µs") / MEGA / used();
        }

        /** Enough when one of them fails, and at least two per deployment. */
        double instances() {
            double each = get("processors of an instance, and of a broker");
            return Math.max(2 * deployments(), Math.ceil(Math.max(processors(), threads()) / each) + 1);
        }

        double memoryGigabytes() {
            return instances() * get("resident memory of an instance, MiB") * (1 << 20) / 1e9;
        }

        double days() {
            return get("days of inputs and outputs in the topics, and of conversations in the stores");
        }

        /** The active copy, doubled for compaction. */
        double stateTerabytes() {
            double conversations = rate * SECONDS_PER_DAY * days() / get("messages of a conversation");
            return 2 * conversations * get("bytes of a conversation in the stores") / TERA;
        }

        double input() {
            return get("bytes per message: input topic")
                    + get("bytes per input record for Kafka's framing and its share of a batch");
        }

        double compressed(String... topics) {
            double bytes = Stream.of(topics)
                    .mapToDouble(topic -> get("bytes per message: " + topic))
                    .sum();
            return bytes * get("compressed share of the bytes of output topics, framing included");
        }

        double readMegabytes() {
            return rate * (input() + compressed("repartition topic")) / MEGA;
        }

        double writtenMegabytes() {
            return rate * compressed("repartition topic", "output topics", "changelogs") / MEGA;
        }

        double replicas() {
            return get("replication factor");
        }

        double brokerMegabytes() {
            return replicas() * (rate * input() / MEGA + writtenMegabytes());
        }

        double brokerTerabytes() {
            double kept = rate * SECONDS_PER_DAY * days() * (input() + compressed("output topics"));
            return replicas() * (kept / TERA + stateTerabytes() / 2);
        }

        /** Enough for processors, writes and disk when one of them fails, and at least the replicas. */
        double brokers() {
            double cpu = rate
                    * get("CPU of one broker per message, µs")
                    * replicas()
                    / MEGA
                    / get("processors of an instance, and of a broker");
            double writes = brokerMegabytes() / get("MB/s that a broker can write, and its network can carry");
            double disk = brokerTerabytes() / get("TB of disk of a broker");
            return Math.max(replicas(), Math.ceil(Math.max(Math.max(cpu, writes), disk) / used()) + 1);
        }
    }

    /** Returns a table with a column per rate. */
    static String table(String page, List<Double> rates) {
        Map<String, Double> figures = Pattern.compile("\\| ([^|]+) \\| ([\\d.,]+) \\| (measured|assumed) \\|")
                .matcher(page)
                .results()
                .collect(Collectors.toMap(
                        row -> row.group(1), row -> Double.valueOf(row.group(2).replace(",", ""))));
        StringBuilder table = new StringBuilder("| messages/s |");
        rates.forEach(rate -> table.append(String.format(Locale.ROOT, " %,.0f |", rate)));
        table.append("\n|---|").append("---|".repeat(rates.size())).append('\n');
        Map<String, ToDoubleFunction<Model>> rows = new LinkedHashMap<>();
        rows.put("deployments | %,.0f", Model::deployments);
        rows.put("partitions of an input topic, all deployments | %,.0f", Model::partitions);
        rows.put("stream threads | %,.0f", Model::threads);
        rows.put("instances | %,.0f", Model::instances);
        rows.put("processors in use, all instances | %,.1f", Model::processors);
        rows.put("memory, all instances, GB | %,.1f", Model::memoryGigabytes);
        rows.put("disk of the stores, all instances, TB | %,.3f", Model::stateTerabytes);
        rows.put("network from the brokers, all instances, MB/s | %,.1f", Model::readMegabytes);
        rows.put("network to the brokers, all instances, MB/s | %,.1f", Model::writtenMegabytes);
        rows.put("brokers | %,.0f", Model::brokers);
        rows.put("written by the brokers, replicas included, MB/s | %,.1f", Model::brokerMegabytes);
        rows.put("disk of the brokers, replicas included, TB | %,.1f", Model::brokerTerabytes);
        rows.forEach((row, value) -> {
            String[] parts = row.split(" \\| ", -1);
            table.append("| ").append(parts[0]).append(" |");
            rates.forEach(rate -> table.append(
                    String.format(Locale.ROOT, " " + parts[1] + " |", value.applyAsDouble(new Model(figures, rate)))));
            table.append('\n');
        });
        return table.toString();
    }
}
