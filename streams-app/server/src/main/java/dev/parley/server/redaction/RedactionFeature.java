package dev.parley.server.redaction;

import static org.apache.kafka.common.acl.AclOperation.READ;
import static org.apache.kafka.common.acl.AclOperation.WRITE;

import dev.parley.audit.InputPosition;
import dev.parley.avro.Redaction;
import dev.parley.server.auth.Role;
import dev.parley.server.deployment.AclRole;
import dev.parley.server.deployment.RequiredAcl;
import dev.parley.server.feature.Contributions;
import dev.parley.server.feature.Feature;
import dev.parley.server.feature.FeatureContext;
import dev.parley.server.feature.RunningFeature;
import dev.parley.server.http.Route;
import dev.parley.topology.config.KeyDefinitions;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.kafka.StreamsSettings;
import dev.parley.topology.topics.Finding;
import dev.parley.topology.topics.Topics;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Redaction and approval over HTTP: requests to remove the content of a message, or to approve the changed definition
 * that it declares. The pipeline carries them out.
 */
public final class RedactionFeature implements Feature {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    /** A redaction has no keys of its own. */
    @Override
    public void addTo(KeyDefinitions definitions) {}

    /** The permissions of a user of {@code parley redact}, which an instance needs to redact and approve over HTTP. */
    @Override
    public Optional<AclRole> role() {
        return Optional.of(new AclRole(
                "redact",
                "callers of parley redact, and instances that redact and approve over HTTP",
                deployment -> List.of(
                        RequiredAcl.topic(deployment.topics().audit(), "redact looks up the record in it", READ),
                        RequiredAcl.topic(deployment.topics().redaction(), "redact writes its request to it", WRITE))));
    }

    /** Most operators redact by the command, so an instance may lack the permissions. */
    @Override
    public List<Finding> report(List<Finding> denied) {
        return List.of();
    }

    @Override
    public RunningFeature start(ParleyConfig config, Topics topics) {
        Redactor redactor = new Redactor(
                topics.redaction(),
                StreamsSettings.internalClients(config),
                config.getBoolean(ParleyConfig.KEYED),
                TIMEOUT);
        return new Running(redactor::redact, redactor::close);
    }

    /**
     * The running feature.
     *
     * @param redactor writes the requests
     * @param stop closes its clients
     */
    public record Running(Function<Redaction, InputPosition> redactor, Runnable stop) implements RunningFeature {
        @Override
        public void contribute(FeatureContext context, Contributions contributions) {
            for (String name : List.of("redact", "approve")) {
                RedactionHandler handler = new RedactionHandler(context.api(), redactor, name.equals("approve"));
                contributions.route(name, Route.post(RedactionHandler.PATH + name, Role.OPERATOR, handler::start));
            }
        }

        @Override
        public void close() {
            stop.run();
        }
    }
}
