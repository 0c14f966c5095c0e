package dev.parley.server.ingest;

import static org.apache.kafka.common.acl.AclOperation.CREATE;
import static org.apache.kafka.common.acl.AclOperation.DESCRIBE_CONFIGS;
import static org.apache.kafka.common.acl.AclOperation.READ;
import static org.apache.kafka.common.acl.AclOperation.WRITE;

import dev.parley.audit.InputPosition;
import dev.parley.json.model.InputRecord;
import dev.parley.json.model.ParkedItem;
import dev.parley.server.api.FeatureContext;
import dev.parley.server.api.RunningFeature;
import dev.parley.server.auth.Role;
import dev.parley.server.feature.Feature;
import dev.parley.server.http.BodyAdmission;
import dev.parley.server.http.ProblemException;
import dev.parley.server.http.ProblemException.Code;
import dev.parley.server.http.Route;
import dev.parley.server.operations.AclRole;
import dev.parley.server.operations.Deployment;
import dev.parley.server.operations.RequiredAcl;
import dev.parley.topology.config.KeyDefinitions;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.topics.TopicSpec;
import dev.parley.topology.topics.TopicSpec.Retention;
import dev.parley.topology.topics.Topics;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** HTTP ingest: callers send messages to an input topic. */
public final class IngestFeature implements Feature {

    /** Maximum size of a record of the topic of the keys, in bytes. */
    private static final int KEY_BYTES = 64 << 10;

    @Override
    public void addTo(KeyDefinitions definitions) {
        IngestKeys.addTo(definitions);
    }

    @Override
    public void check(ParleyConfig config) {
        ParleyConfig.requireAtLeast(
                IngestKeys.IN_FLIGHT_BYTES, config.getInt(IngestKeys.IN_FLIGHT_BYTES),
                IngestKeys.BODY_BYTES, config.getInt(IngestKeys.BODY_BYTES));
    }

    @Override
    public boolean isEnabled(ParleyConfig config) {
        return config.getBoolean(IngestKeys.ENABLED);
    }

    /** Keys are read back for one window; twice that leaves room for clocks that differ. */
    @Override
    public List<TopicSpec> topics(ParleyConfig config) {
        return List.of(TopicSpec.expiring(
                config.topics().ingestKeys(),
                KEY_BYTES,
                new Retention(IngestKeys.WINDOW_MS, 2 * config.getLong(IngestKeys.WINDOW_MS), false)));
    }

    @Override
    public Optional<AclRole> role() {
        return Optional.of(new AclRole("ingest", "instances with http.ingest=true", IngestFeature::acls));
    }

    private static List<RequiredAcl> acls(Deployment deployment) {
        List<RequiredAcl> needs = new ArrayList<>(AclRole.PRODUCER.needs(deployment));
        needs.add(RequiredAcl.topic(
                deployment.topics().ingestKeys(),
                "HTTP ingest keeps idempotency keys in it",
                READ,
                WRITE,
                CREATE,
                DESCRIBE_CONFIGS));
        needs.add(RequiredAcl.transactionsOf(
                deployment.pipeline().applicationId() + "-ingest-", "transactions of HTTP ingest"));
        return needs;
    }

    @Override
    public RunningFeature start(ParleyConfig config, Topics topics) {
        return new Running(
                new KafkaIngester(IngestSettings.of(config)),
                new IngestLimits(
                        config.getInt(IngestKeys.BODY_BYTES),
                        config.getInt(IngestKeys.IN_FLIGHT_BYTES),
                        config.getInt(IngestKeys.MESSAGES),
                        config.getInt(ParleyConfig.LIMIT_BYTES)));
    }

    /**
     * The running feature.
     *
     * @param ingester writes messages to the input
     */
    public record Running(Ingester ingester, IngestLimits limits) implements RunningFeature {
        @Override
        public List<Route> routes(FeatureContext context) {
            WireHandler handler = new WireHandler(
                    ingester,
                    limits,
                    new WireHandler.VerdictReader() {
                        @Override
                        public CompletableFuture<Map<InputPosition, InputRecord>> await(
                                Context request, List<InputPosition> positions) {
                            return context.api().verdicts(request, context.position(), positions);
                        }

                        @Override
                        public CompletableFuture<Map<InputPosition, ParkedItem>> parked(
                                Context request, List<InputPosition> positions) {
                            return context.api().lookUp(request, context.parked(), positions);
                        }
                    },
                    context.metrics());
            return List.of(new Route(HandlerType.POST, WireHandler.PATH, Role.PRODUCER, handler::start));
        }

        @Override
        public Optional<BodyAdmission.Limits> largeBodies() {
            return Optional.of(new BodyAdmission.Limits(
                    WireHandler.PATH,
                    Role.PRODUCER,
                    limits.bodyBytes(),
                    IngestKeys.BODY_BYTES,
                    limits.inFlightBytes(),
                    () -> ProblemException.of(
                            Code.INGEST_LIMITED,
                            "Messages of this caller, or of all, are in progress up to the" + " limit ("
                                    + IngestKeys.IN_FLIGHT_BYTES + "). Nothing was sent.")));
        }

        @Override
        public void close() {
            ingester.close();
        }
    }
}
