package dev.parley.embedded;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Settings of an {@link EmbeddedKafka}.
 *
 * @param directory directory of all data; created if missing
 * @param port port of the broker; {@link #ANY_PORT} for a free one
 * @param overrides broker settings by Kafka's names, which override the defaults
 */
public record EmbeddedKafkaSettings(Path directory, int port, Map<String, String> overrides) {

    public static final int ANY_PORT = 0;

    /** Validates the port. */
    public EmbeddedKafkaSettings {
        Objects.requireNonNull(directory, "directory");
        overrides = Map.copyOf(overrides);
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("The port must be 1 to 65535, or 0 for any, but was " + port);
        }
    }

    /** A broker on any free port. */
    public static EmbeddedKafkaSettings in(Path directory) {
        return new EmbeddedKafkaSettings(directory, ANY_PORT, Map.of());
    }

    /** Returns these settings with another port. */
    public EmbeddedKafkaSettings withPort(int number) {
        return new EmbeddedKafkaSettings(directory, number, overrides);
    }

    /** Returns these settings with further broker settings, which override the previous ones. */
    public EmbeddedKafkaSettings withOverrides(Map<String, String> more) {
        Map<String, String> merged = new HashMap<>(overrides);
        merged.putAll(more);
        return new EmbeddedKafkaSettings(directory, port, merged);
    }

    /**
     * Returns these settings with limits that allow record batches of a size, from producer to replica.
     *
     * @param bytes size of a compressed batch: the record, its key and headers, and about 100 bytes
     */
    public EmbeddedKafkaSettings withMaxMessageBytes(int bytes) {
        String size = Integer.toString(bytes);
        // The socket limit's default is 100 MB, the others' 1 MB, 1 MB, 10 MB and 55 MB.
        return withOverrides(Map.of(
                "message.max.bytes", size,
                "replica.fetch.max.bytes", size,
                "replica.fetch.response.max.bytes", Integer.toString(Math.max(bytes, 10 << 20)),
                "fetch.max.bytes", Integer.toString(Math.max(bytes, 55 << 20)),
                "socket.request.max.bytes",
                        Integer.toString(Math.max((int) Math.min(Integer.MAX_VALUE, bytes + (1L << 20)), 100 << 20))));
    }
}
