package dev.parley.server.accesslog;

import static org.apache.kafka.common.acl.AclOperation.CREATE;
import static org.apache.kafka.common.acl.AclOperation.DESCRIBE_CONFIGS;
import static org.apache.kafka.common.acl.AclOperation.WRITE;
import static org.apache.kafka.common.config.ConfigDef.Range.between;

import dev.parley.server.deployment.AclRole;
import dev.parley.server.deployment.RequiredAcl;
import dev.parley.server.feature.Feature;
import dev.parley.server.feature.RunningFeature;
import dev.parley.topology.config.KeyDefinitions;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.config.RetentionKeys;
import dev.parley.topology.kafka.StreamsSettings;
import dev.parley.topology.topics.TopicSpec;
import dev.parley.topology.topics.Topics;
import java.util.List;
import java.util.Optional;

/** The access log: who read which conversations over HTTP. */
public final class AccessLogFeature implements Feature {
    /** Access log: who read what, as JSON. */
    public static final String TOPIC = "access.v1";

    public static final String ENABLED = "http.access-log";
    public static final String BUFFER = "http.access-log.buffer";
    public static final String RETENTION = "topics.retention.access.ms";

    @Override
    public void addTo(KeyDefinitions definitions) {
        definitions
                .key(ENABLED, false)
                .doc(
                        "Writes an entry to parley.access.v1 for each read under /v1 of conversations, and refuses reads that "
                                + "it cannot log with 503. Needs the permissions of parley acls --role access. The same on "
                                + "all instances.")
                .key(BUFFER, 10_000, between(100, 1_000_000))
                .doc("Maximum entries of the access log that the brokers have not acknowledged, reads in progress "
                        + "included. An entry takes about 1 KB of heap, at most 30 KB.");
        RetentionKeys.topic(definitions, RETENTION, -1, "the access log");
    }

    @Override
    public boolean isEnabled(ParleyConfig config) {
        return config.getBoolean(ENABLED);
    }

    @Override
    public List<TopicSpec> topics(ParleyConfig config) {
        return List.of(TopicSpec.expiring(
                config.topics().named(TOPIC), config.outputRecordBytes(), TopicSpec.Retention.of(config, RETENTION)));
    }

    @Override
    public Optional<AclRole> role() {
        return Optional.of(new AclRole(
                "access",
                "instances with http.access-log=true",
                deployment -> List.of(RequiredAcl.topic(
                        deployment.topics().named(TOPIC),
                        "reads over HTTP are logged in it",
                        WRITE,
                        CREATE,
                        DESCRIBE_CONFIGS))));
    }

    @Override
    public RunningFeature start(ParleyConfig config, Topics topics) {
        return new KafkaAccessLog(
                topics.names().named(TOPIC), StreamsSettings.clientSettings(config), config.getInt(BUFFER));
    }
}
