package dev.parley.server.redrive;

import static org.apache.kafka.common.acl.AclOperation.READ;
import static org.apache.kafka.common.acl.AclOperation.WRITE;
import static org.apache.kafka.common.config.ConfigDef.Range.between;

import dev.parley.server.auth.Role;
import dev.parley.server.deployment.AclRole;
import dev.parley.server.deployment.Deployment;
import dev.parley.server.deployment.RequiredAcl;
import dev.parley.server.feature.Contributions;
import dev.parley.server.feature.Feature;
import dev.parley.server.feature.FeatureContext;
import dev.parley.server.feature.RunningFeature;
import dev.parley.server.http.Route;
import dev.parley.topology.config.KeyDefinitions;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.kafka.StreamsSettings;
import dev.parley.topology.pipeline.PipelineSettings;
import dev.parley.topology.topics.Check;
import dev.parley.topology.topics.Finding;
import dev.parley.topology.topics.InputTopics;
import dev.parley.topology.topics.TopicSpec;
import dev.parley.topology.topics.Topics;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.eclipse.jetty.http.HttpMethod;

/**
 * Redrive: returns dead letters to their input topics, and shows their bytes and redrives; shows keys and headers of
 * input records.
 */
public final class RedriveFeature implements Feature {
    public static final String ATTEMPTS = "redrive.attempts.max";

    /** Maximum size of a record of the redrive topic, in bytes. */
    private static final int RECORD_BYTES = 64 << 10;

    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    @Override
    public void addTo(KeyDefinitions definitions) {
        definitions
                .key(ATTEMPTS, 5, between(2, 1_000))
                .doc("Maximum number of times that a message may reach the pipeline, its redrives included. A further "
                        + "redrive is refused.");
    }

    /** One partition, which has one writer at a time, so that the redrives of all instances are in one order. */
    @Override
    public List<TopicSpec> topics(ParleyConfig config) {
        return List.of(
                TopicSpec.compacted(config.topics().redrive(), RECORD_BYTES).withSinglePartition());
    }

    @Override
    public Optional<AclRole> role() {
        return Optional.of(new AclRole("redrive", "instances with the role views, in addition", RedriveFeature::acls));
    }

    private static List<RequiredAcl> acls(Deployment deployment) {
        List<RequiredAcl> needs = new ArrayList<>();
        deployment
                .topics()
                .deadLetters()
                .forEach(topic -> needs.add(RequiredAcl.topic(topic, "redrive reads dead letters from it", READ)));
        needs.addAll(AclRole.inputs(
                deployment, "redrive returns dead letters to it, and reads keys and headers from it", READ, WRITE));
        needs.add(RequiredAcl.topic(deployment.topics().redrive(), "redrive records what entered in it", READ, WRITE));
        needs.add(RequiredAcl.transactionsOf(
                deployment.pipeline().applicationId() + "-redrive", "transactions of redrive"));
        return needs;
    }

    /** An instance whose operators never redrive needs none of the permissions, so all are one finding. */
    @Override
    public List<Finding> report(List<Finding> denied) {
        if (denied.isEmpty()) {
            return List.of();
        }
        return List.of(Check.REDRIVE_DENIED.finding(
                "redrive",
                "This principal may not redrive dead letters. It lacks permissions for "
                        + denied.stream().map(Finding::subject).collect(Collectors.joining(", "))
                        + ". Redrives by this instance fail and send nothing; all else works.",
                "No action needed if operators redrive by other instances, or never. Otherwise add the ACLs that parley"
                        + " acls --role redrive prints."));
    }

    @Override
    public RunningFeature start(ParleyConfig config, Topics topics) {
        Redriver redriver = new KafkaRedriver(
                new KafkaRedriver.Settings(
                        StreamsSettings.internalClients(config),
                        config.topics().deadLetters(),
                        InputTopics.of(config).topics(),
                        config.getBoolean(ParleyConfig.KEYED),
                        config.getString(ParleyConfig.APPLICATION_ID) + "-redrive",
                        config.outputRecordBytes(),
                        config.getInt(ATTEMPTS),
                        TIMEOUT),
                topics.redrive(),
                Clock.systemUTC());
        return new Running(redriver, PipelineSettings.of(config));
    }

    /**
     * The running feature.
     *
     * @param settings settings of the pipeline, with which a dry run judges
     */
    public record Running(Redriver redriver, PipelineSettings settings) implements RunningFeature {
        @Override
        public void contribute(FeatureContext context, Contributions contributions) {
            DeadLetterDetailsHandler details = new DeadLetterDetailsHandler(redriver, context);
            InputDetailsHandler inputs =
                    new InputDetailsHandler(redriver, settings.stages().decode().limits(), context);
            RedriveHandler redrives =
                    new RedriveHandler(redriver, context, new ConversationPredictor(settings, context.api()));
            Route shown = Route.views(DeadLetterDetailsHandler.PATH, details::show);
            Route listed = Route.views(DeadLetterDetailsHandler.REDRIVES, details::redrives);
            contributions
                    .route(shown.scoped())
                    .route("redrives", listed.scoped())
                    .route(new Route(HttpMethod.GET, InputDetailsHandler.PATH, Role.AUDITOR, inputs::show).scoped())
                    .route("redrive", Route.post(RedriveHandler.PATH, Role.OPERATOR, redrives::start))
                    .route(Route.post(
                            RedriveHandler.CLOSE, Role.OPERATOR, (request, on) -> redrives.change(request, on, true)))
                    .route(Route.post(
                            RedriveHandler.REOPEN,
                            Role.OPERATOR,
                            (request, on) -> redrives.change(request, on, false)));
        }

        @Override
        public void close() {
            redriver.close();
        }
    }
}
