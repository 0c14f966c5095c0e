package dev.parley.benchmarks.speed;

import java.util.Locale;

/** A number from which capacity is computed: measured by {@code benchmarks/speed throughput}, or assumed. */
enum Figure {
    THREAD_RATE("messages/s of one stream thread", Source.MEASURED),
    CPU("application CPU per message, µs", Source.MEASURED),
    BROKER_CPU("CPU of one broker per message, µs", Source.MEASURED),
    MEMORY("resident memory of an instance, MiB", Source.MEASURED),
    INPUT_BYTES("bytes per message: input topic", Source.MEASURED),
    REPARTITION_BYTES("bytes per message: repartition topic", Source.MEASURED),
    OUTPUT_BYTES("bytes per message: output topics", Source.MEASURED),
    CHANGELOG_BYTES("bytes per message: changelogs", Source.MEASURED),
    COMPRESSED("compressed share of the bytes of output topics, framing included", Source.MEASURED),
    STATE_BYTES("bytes of a conversation in the stores", Source.MEASURED),
    FRAMING("bytes per input record for Kafka's framing and its share of a batch", Source.ASSUMED),
    UTILIZATION("highest share of a thread, processor, disk or network link in use", Source.ASSUMED),
    PROCESSORS("processors of an instance, and of a broker", Source.ASSUMED),
    BROKER_MEGABYTES("MB/s that a broker can write, and its network can carry", Source.ASSUMED),
    BROKER_TERABYTES("TB of disk of a broker", Source.ASSUMED),
    REPLICAS("replication factor", Source.ASSUMED),
    DAYS("days of inputs and outputs in the topics, and of conversations in the stores", Source.ASSUMED),
    CONVERSATION_MESSAGES("messages of a conversation", Source.ASSUMED),
    DEPLOYMENT_PARTITIONS("most partitions of one deployment", Source.ASSUMED);

    /** Origin of a figure. */
    enum Source {
        MEASURED,
        ASSUMED;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private final String title;
    private final Source source;

    Figure(String title, Source source) {
        this.title = title;
        this.source = source;
    }

    /** Returns its name in the table. */
    String title() {
        return title;
    }

    /** Returns its origin. */
    Source source() {
        return source;
    }
}
