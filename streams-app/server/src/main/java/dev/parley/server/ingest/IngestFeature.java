package dev.parley.server.ingest;

import static org.apache.kafka.common.config.ConfigDef.Range.between;

import dev.parley.server.auth.Role;
import dev.parley.server.deployment.AclRole;
import dev.parley.server.deployment.Deployment;
import dev.parley.server.deployment.RequiredAcl;
import dev.parley.server.feature.Contributions;
import dev.parley.server.feature.Feature;
import dev.parley.server.feature.FeatureContext;
import dev.parley.server.feature.RunningFeature;
import dev.parley.server.http.BodyAdmission;
import dev.parley.server.http.ProblemException.Code;
import dev.parley.server.http.Route;
import dev.parley.topology.config.KeyDefinitions;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.topics.TopicSpec;
import dev.parley.topology.topics.TopicSpec.Retention;
import dev.parley.topology.topics.Topics;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.config.ConfigDef.NonEmptyString;

/** HTTP ingest: callers send messages to an input topic. */
public final class IngestFeature implements Feature {
    /** Idempotency keys of HTTP ingest. Its format is internal. */
    public static final String KEYS_TOPIC = "ingest-key.v1";

    public static final String ENABLED = "http.ingest";
    public static final String TOPIC = "http.ingest.topic";
    public static final String BODY_BYTES = "http.ingest.body.bytes";
    public static final String IN_FLIGHT_BYTES = "http.ingest.in-flight.bytes";
    public static final String MESSAGES = "http.ingest.messages";
    public static final String TIMEOUT_MS = "http.ingest.timeout.ms";
    public static final String WINDOW_MS = "http.ingest.window.ms";
    public static final String WINDOW_KEYS = "http.ingest.window.keys";

    /** Maximum size of a record of the topic of the keys, in bytes. */
    private static final int KEY_BYTES = 64 << 10;

    @Override
    public void addTo(KeyDefinitions definitions) {
        definitions
                .key(ENABLED, false)
                .doc("Serves POST /v1/wire, by which callers with the role producer, recorder or operator send "
                        + "messages. Requires the role views. Needs the permissions of parley acls --role ingest.")
                .text(TOPIC, new NonEmptyString())
                .doc("Input topic that POST /v1/wire writes to: one of Parley's own or of input.policy.file. A policy "
                        + "applies to it as to any other writer. Default: parley.wire, with the prefix of the "
                        + "deployment.")
                .key(BODY_BYTES, 4 << 20, between(1 << 10, 64 << 20))
                .doc("Maximum bytes of the body of POST /v1/wire, for callers who may send messages. For others, "
                        + "http.limits.body.bytes applies.")
                .key(IN_FLIGHT_BYTES, 32 << 20, between(1 << 20, 1 << 30))
                .doc("Maximum bytes of all bodies of POST /v1/wire in progress, and of each producer's buffer. A "
                        + "further request gets 429. At least http.ingest.body.bytes.")
                .key(MESSAGES, 1_000, between(1, 100_000))
                .doc("Maximum messages of one request.")
                .key(TIMEOUT_MS, 10_000, between(100, 600_000))
                .doc("Maximum time, in milliseconds, for the brokers to acknowledge the messages of a request; then "
                        + "503.")
                .key(WINDOW_MS, 600_000L, between(1_000, 86_400_000))
                .doc("Time, in milliseconds, for which a repeated idempotency key does not enter again. The same on "
                        + "all instances.")
                .key(WINDOW_KEYS, 100_000, between(100, 10_000_000))
                .doc(
                        "Maximum idempotency keys in the window, for each partition of parley.ingest-key.v1, in "
                                + "equal shares for the callers who need them. A further key gets 429. A key takes about 200 bytes of heap.");
    }

    @Override
    public void check(ParleyConfig config) {
        ParleyConfig.requireAtLeast(
                IN_FLIGHT_BYTES, config.getInt(IN_FLIGHT_BYTES),
                BODY_BYTES, config.getInt(BODY_BYTES));
    }

    @Override
    public boolean isEnabled(ParleyConfig config) {
        return config.getBoolean(ENABLED);
    }

    /** Keys are read back for one window; twice that leaves room for clocks that differ. */
    @Override
    public List<TopicSpec> topics(ParleyConfig config) {
        return List.of(TopicSpec.expiring(
                config.topics().named(KEYS_TOPIC), KEY_BYTES, new Retention("", 2 * config.getLong(WINDOW_MS))));
    }

    @Override
    public Optional<AclRole> role() {
        return Optional.of(new AclRole("ingest", "instances with http.ingest=true", IngestFeature::acls));
    }

    private static List<RequiredAcl> acls(Deployment deployment) {
        List<RequiredAcl> needs = new ArrayList<>(AclRole.PRODUCER.needs(deployment));
        String keys = deployment.topics().named(KEYS_TOPIC);
        needs.add(RequiredAcl.ownTopic(keys, "HTTP ingest keeps idempotency keys in it"));
        needs.add(RequiredAcl.transactionsOf(
                deployment.pipeline().applicationId() + "-ingest-", "transactions of HTTP ingest"));
        return needs;
    }

    @Override
    public RunningFeature start(ParleyConfig config, Topics topics) {
        return new Running(
                new KafkaIngester(IngestSettings.of(config)),
                new IngestLimits(
                        config.getInt(BODY_BYTES),
                        config.getInt(IN_FLIGHT_BYTES),
                        config.getInt(MESSAGES),
                        config.getInt(ParleyConfig.LIMIT_BYTES)));
    }

    /**
     * The running feature.
     *
     * @param ingester writes messages to the input
     */
    public record Running(Ingester ingester, IngestLimits limits) implements RunningFeature {
        @Override
        public void contribute(FeatureContext context, Contributions contributions) {
            WireHandler handler = new WireHandler(ingester, limits, context);
            // It shows producers the verdicts on their own messages.
            Route route =
                    Route.post(WireHandler.PATH, Role.PRODUCER, handler::start).unlogged();
            contributions.route("ingest", route.withLargeBodies(largeBodies()));
        }

        private BodyAdmission.Limits largeBodies() {
            return new BodyAdmission.Limits(
                    limits.bodyBytes(),
                    BODY_BYTES,
                    limits.inFlightBytes(),
                    () -> Code.INGEST_LIMITED.problem("Messages of this caller, or of all, are in progress up to the"
                            + " limit (" + IN_FLIGHT_BYTES + "). Nothing was sent."));
        }

        @Override
        public void close() {
            ingester.close();
        }
    }
}
