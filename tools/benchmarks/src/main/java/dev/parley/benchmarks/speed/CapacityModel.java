package dev.parley.benchmarks.speed;

import static dev.parley.benchmarks.speed.Figure.*;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** What a rate of messages needs, computed from figures. docs/capacity.md states the formulas. */
final class CapacityModel {
    private static final double SECONDS_PER_DAY = 86_400;
    private static final double MEGA = 1e6;
    private static final double TERA = 1e12;

    private final Figures figures;
    private final double rate;

    /**
     * Creates the model.
     *
     * @param rate messages per second
     */
    CapacityModel(Figures figures, double rate) {
        this.figures = figures;
        this.rate = rate;
    }

    /** Stream threads of all instances. */
    double threads() {
        return Math.max(1, Math.ceil(rate / (get(THREAD_RATE) * get(UTILIZATION))));
    }

    /** Partitions of each input topic: twice the threads, as a power of two, because they cannot grow later. */
    double partitions() {
        double partitions = 4;
        while (partitions < 2 * threads()) {
            partitions *= 2;
        }
        return partitions;
    }

    /** Deployments, each with its own application ID and topics, to which namespaces are assigned. */
    double deployments() {
        return Math.ceil(partitions() / get(DEPLOYMENT_PARTITIONS));
    }

    /** Processors that the pipelines need. */
    double processors() {
        return rate * get(CPU) / MEGA / get(UTILIZATION);
    }

    /** Instances: enough when one of them fails, and at least two per deployment. */
    double instances() {
        double enough = Math.ceil(Math.max(processors(), threads()) / get(PROCESSORS)) + 1;
        return Math.max(2 * deployments(), enough);
    }

    /** Memory of all instances, in GB. */
    double memoryGigabytes() {
        return instances() * get(MEMORY) * (1 << 20) / 1e9;
    }

    /** Disk of all instances for their stores, in TB: the active copy, doubled for compaction. */
    double stateTerabytes() {
        double conversations = rate * SECONDS_PER_DAY * get(DAYS) / get(CONVERSATION_MESSAGES);
        return 2 * conversations * get(STATE_BYTES) / TERA;
    }

    /** Bytes per second that all instances read from brokers, in MB. */
    double readMegabytes() {
        return rate * (input() + get(REPARTITION_BYTES) * get(COMPRESSED)) / MEGA;
    }

    /** Bytes per second that all instances write to brokers, in MB. */
    double writtenMegabytes() {
        double bytes = get(REPARTITION_BYTES) + get(OUTPUT_BYTES) + get(CHANGELOG_BYTES);
        return rate * bytes * get(COMPRESSED) / MEGA;
    }

    /** Bytes per second that the brokers write to disk, inputs and replicas included, in MB. */
    double brokerMegabytes() {
        return get(REPLICAS) * (rate * input() / MEGA + writtenMegabytes());
    }

    /** Disk of all brokers, in TB: inputs and outputs for their retention, and the changelogs of the stores. */
    double brokerTerabytes() {
        double kept = input() + get(OUTPUT_BYTES) * get(COMPRESSED);
        return get(REPLICAS) * (rate * SECONDS_PER_DAY * get(DAYS) * kept / TERA + stateTerabytes() / 2);
    }

    /** Brokers: enough for processors, writes and disk when one of them fails, and at least the replicas. */
    double brokers() {
        double cpu = rate * get(BROKER_CPU) * get(REPLICAS) / MEGA / get(PROCESSORS);
        double writes = brokerMegabytes() / get(BROKER_MEGABYTES);
        double disk = brokerTerabytes() / get(BROKER_TERABYTES);
        double enough = Math.ceil(Math.max(Math.max(cpu, writes), disk) / get(UTILIZATION)) + 1;
        return Math.max(get(REPLICAS), enough);
    }

    private double input() {
        return get(INPUT_BYTES) + get(FRAMING);
    }

    private double get(Figure figure) {
        return figures.get(figure);
    }

    private record Row(String title, ToDoubleFunction<CapacityModel> value, int decimals) {}

    /** Returns a table with a column per rate. */
    static String table(Figures figures, List<Double> rates) {
        List<CapacityModel> models =
                rates.stream().map(rate -> new CapacityModel(figures, rate)).toList();
        StringBuilder table = new StringBuilder("| messages/s |");
        rates.forEach(rate -> table.append(String.format(Locale.ROOT, " %,.0f |", rate)));
        table.append("\n|---|").append("---|".repeat(rates.size())).append('\n');
        for (Row row : List.of(
                new Row("deployments", CapacityModel::deployments, 0),
                new Row("partitions of an input topic, all deployments", CapacityModel::partitions, 0),
                new Row("stream threads", CapacityModel::threads, 0),
                new Row("instances", CapacityModel::instances, 0),
                new Row("processors in use, all instances", CapacityModel::processors, 1),
                new Row("memory, all instances, GB", CapacityModel::memoryGigabytes, 1),
                new Row("disk of the stores, all instances, TB", CapacityModel::stateTerabytes, 3),
                new Row("network from the brokers, all instances, MB/s", CapacityModel::readMegabytes, 1),
                new Row("network to the brokers, all instances, MB/s", CapacityModel::writtenMegabytes, 1),
                new Row("brokers", CapacityModel::brokers, 0),
                new Row("written by the brokers, replicas included, MB/s", CapacityModel::brokerMegabytes, 1),
                new Row("disk of the brokers, replicas included, TB", CapacityModel::brokerTerabytes, 1))) {
            table.append("| ").append(row.title).append(" |");
            models.forEach(model -> table.append(
                    String.format(Locale.ROOT, " %,." + row.decimals + "f |", row.value.applyAsDouble(model))));
            table.append('\n');
        }
        return table.toString();
    }
}
