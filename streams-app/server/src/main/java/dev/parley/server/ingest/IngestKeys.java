package dev.parley.server.ingest;

import static org.apache.kafka.common.config.ConfigDef.Importance.LOW;
import static org.apache.kafka.common.config.ConfigDef.Importance.MEDIUM;
import static org.apache.kafka.common.config.ConfigDef.Range.between;
import static org.apache.kafka.common.config.ConfigDef.Type.BOOLEAN;
import static org.apache.kafka.common.config.ConfigDef.Type.INT;
import static org.apache.kafka.common.config.ConfigDef.Type.LONG;
import static org.apache.kafka.common.config.ConfigDef.Type.STRING;

import dev.parley.topology.config.KeyDefinitions;
import org.apache.kafka.common.config.ConfigDef.NonEmptyString;

/** Keys of {@link dev.parley.topology.config.ParleyConfig} for HTTP ingest. */
public final class IngestKeys {
    public static final String ENABLED = "http.ingest";
    public static final String TOPIC = "http.ingest.topic";
    public static final String BODY_BYTES = "http.ingest.body.bytes";
    public static final String IN_FLIGHT_BYTES = "http.ingest.in-flight.bytes";
    public static final String MESSAGES = "http.ingest.messages";
    public static final String TIMEOUT_MS = "http.ingest.timeout.ms";
    public static final String WINDOW_MS = "http.ingest.window.ms";
    public static final String WINDOW_KEYS = "http.ingest.window.keys";

    private IngestKeys() {}

    static void addTo(KeyDefinitions definitions) {
        definitions
                .key(ENABLED, BOOLEAN, false, MEDIUM)
                .doc("Serves POST /v1/wire, by which callers with the role producer or operator send messages. "
                        + "Requires the role views. Needs the permissions of parley acls --role ingest.")
                .key(TOPIC, STRING, null, new NonEmptyString(), MEDIUM)
                .doc("Input topic that POST /v1/wire writes to: one of Parley's own or of input.policy.file. A policy "
                        + "applies to it as to any other writer. Default: parley.wire, with the prefix of the "
                        + "deployment.")
                .key(BODY_BYTES, INT, 4 << 20, between(1 << 10, 64 << 20), LOW)
                .doc("Maximum bytes of the body of POST /v1/wire, for callers who may send messages. For others, "
                        + "http.limits.body.bytes applies.")
                .key(IN_FLIGHT_BYTES, INT, 32 << 20, between(1 << 20, 1 << 30), LOW)
                .doc("Maximum bytes of all bodies of POST /v1/wire in progress, and of each producer's buffer. A "
                        + "further request gets 429. At least http.ingest.body.bytes.")
                .key(MESSAGES, INT, 1_000, between(1, 100_000), LOW)
                .doc("Maximum messages of one request.")
                .key(TIMEOUT_MS, INT, 10_000, between(100, 600_000), LOW)
                .doc("Maximum time, in milliseconds, for the brokers to acknowledge the messages of a request; then "
                        + "503.")
                .key(WINDOW_MS, LONG, 600_000L, between(1_000, 86_400_000), MEDIUM)
                .doc("Time, in milliseconds, for which a repeated idempotency key does not enter again. The same on "
                        + "all instances.")
                .key(WINDOW_KEYS, INT, 100_000, between(100, 10_000_000), LOW)
                .doc(
                        "Maximum idempotency keys in the window, for each partition of parley.ingest-key.v1; one caller "
                                + "takes at most half of those that others leave. A further key gets 429. A key takes about 200 bytes of heap.");
    }
}
