package dev.parley.embedded;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * What an {@link EmbeddedKafka} is started with.
 *
 * @param directory holds all data; made when it is not there
 * @param nodes number of nodes, the same for the life of the directory
 * @param port of the first node, the others taking those after it; {@link #ANY_PORT} for free ones
 * @param overrides broker settings by Kafka's names, stronger than the defaults here
 */
public record EmbeddedKafkaSettings(Path directory, int nodes, int port, Map<String, String> overrides) {

    /** Any free port. */
    public static final int ANY_PORT = 0;

    /** Checks the numbers. */
    public EmbeddedKafkaSettings {
        Objects.requireNonNull(directory, "directory");
        overrides = Map.copyOf(overrides);
        if (nodes < 1) {
            throw new IllegalArgumentException("a cluster has at least one node, not " + nodes);
        }
        if (port < 0 || port + nodes - 1 > 65_535) {
            throw new IllegalArgumentException("ports are 1 to 65535, or 0 for any, not " + port);
        }
    }

    /** One node on any free port. */
    public static EmbeddedKafkaSettings in(Path directory) {
        return new EmbeddedKafkaSettings(directory, 1, ANY_PORT, Map.of());
    }

    /** With that number of nodes. */
    public EmbeddedKafkaSettings withNodes(int number) {
        return new EmbeddedKafkaSettings(directory, number, port, overrides);
    }

    /** With that port for the first node. */
    public EmbeddedKafkaSettings withPort(int first) {
        return new EmbeddedKafkaSettings(directory, nodes, first, overrides);
    }

    /** With these broker settings over those so far. */
    public EmbeddedKafkaSettings withOverrides(Map<String, String> more) {
        Map<String, String> merged = new HashMap<>(overrides);
        merged.putAll(more);
        return new EmbeddedKafkaSettings(directory, nodes, port, merged);
    }

    /**
     * With room for record batches of that size, from producer to replica.
     *
     * @param bytes of a whole batch as compressed: the record, its key and headers, and about 100 bytes
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
