package dev.parley.server.operations;

import static org.apache.kafka.common.acl.AclOperation.CREATE;
import static org.apache.kafka.common.acl.AclOperation.DELETE;
import static org.apache.kafka.common.acl.AclOperation.DESCRIBE;
import static org.apache.kafka.common.acl.AclOperation.DESCRIBE_CONFIGS;
import static org.apache.kafka.common.acl.AclOperation.READ;
import static org.apache.kafka.common.acl.AclOperation.WRITE;

import dev.parley.server.operations.Deployment.StreamsApplication;
import dev.parley.topology.pipeline.PipelineStores;
import dev.parley.topology.topics.Topics;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** A role of a broker client, with the minimal permissions that it needs. */
public enum AclRole {
    /** An instance with {@code roles=pipeline}. */
    PIPELINE {
        @Override
        public List<RequiredAcl> needs(Deployment deployment) {
            return ofApplication(deployment.pipeline());
        }
    },

    /** An instance with {@code roles=views}: the views and the traffic counts. */
    VIEWS {
        @Override
        public List<RequiredAcl> needs(Deployment deployment) {
            Set<String> reads = new TreeSet<>(deployment.views().reads());
            reads.addAll(deployment.traffic().reads());
            List<RequiredAcl> needs = new ArrayList<>();
            needs.add(RequiredAcl.topic(
                    Topics.REDRIVE, "dead letters show their redrives", READ, CREATE, DESCRIBE_CONFIGS));
            reads.forEach(topic -> needs.add(
                    deployment.traffic().writes().contains(topic)
                            ? RequiredAcl.topic(
                                    topic,
                                    "the traffic counts write it and the views read it",
                                    READ,
                                    WRITE,
                                    CREATE,
                                    DESCRIBE_CONFIGS)
                            : RequiredAcl.topic(topic, "the views read it", READ, CREATE, DESCRIBE_CONFIGS)));
            for (StreamsApplication application : List.of(deployment.traffic(), deployment.views())) {
                ofApplication(application).stream()
                        .filter(requiredAcl -> !reads.contains(requiredAcl.name()))
                        .forEach(needs::add);
            }
            deployment.pipeline().reads().stream()
                    .filter(topic -> !reads.contains(topic))
                    .forEach(topic ->
                            needs.add(RequiredAcl.topic(topic, "the accounting reports its offsets", DESCRIBE)));
            needs.add(RequiredAcl.group(
                    deployment.pipeline().applicationId(), "the accounting reports its committed offsets", DESCRIBE));
            return needs;
        }
    },

    /** In addition to VIEWS, an instance with {@code http.ingest=true}. */
    INGEST {
        @Override
        public List<RequiredAcl> needs(Deployment deployment) {
            List<RequiredAcl> needs = new ArrayList<>(PRODUCER.needs(deployment));
            needs.add(RequiredAcl.topic(
                    Topics.INGEST_KEYS,
                    "HTTP ingest keeps idempotency keys in it",
                    READ,
                    WRITE,
                    CREATE,
                    DESCRIBE_CONFIGS));
            needs.add(RequiredAcl.transactionsOf(
                    deployment.pipeline().applicationId() + "-ingest-", "transactions of HTTP ingest"));
            return needs;
        }
    },

    /** In addition to VIEWS, an instance with {@code http.access-log=true}. */
    ACCESS {
        @Override
        public List<RequiredAcl> needs(Deployment deployment) {
            return List.of(RequiredAcl.topic(
                    Topics.ACCESS, "reads over HTTP are logged in it", WRITE, CREATE, DESCRIBE_CONFIGS));
        }
    },

    /** An agent, or {@code parley ingest}. */
    PRODUCER {
        @Override
        public List<RequiredAcl> needs(Deployment deployment) {
            return deployment.pipeline().reads().stream()
                    .filter(topic -> !topic.equals(Topics.REDACTION))
                    .map(topic -> RequiredAcl.topic(topic, "agents write to it", WRITE))
                    .toList();
        }
    },

    /** A reader of Parley's output topics. Its groups start with the application ID and "-consumer-". */
    CONSUMER {
        @Override
        public List<RequiredAcl> needs(Deployment deployment) {
            List<RequiredAcl> needs = new ArrayList<>();
            deployment.outputs().forEach(topic -> needs.add(RequiredAcl.topic(topic, "consumers read it", READ)));
            needs.add(RequiredAcl.topic(Topics.REDRIVE, "consumers read it", READ));
            needs.add(RequiredAcl.groupsOf(
                    deployment.pipeline().applicationId() + "-consumer-", "consumers commit their offsets"));
            return needs;
        }
    },

    /** In addition to VIEWS, an instance that redrives dead letters over HTTP. */
    REDRIVE {
        @Override
        public List<RequiredAcl> needs(Deployment deployment) {
            List<RequiredAcl> needs = new ArrayList<>();
            deployment.views().reads().stream()
                    .filter(topic -> topic.startsWith("parley.dlq."))
                    .forEach(topic -> needs.add(RequiredAcl.topic(topic, "redrive reads dead letters from it", READ)));
            deployment.pipeline().reads().stream()
                    .filter(topic -> !topic.equals(Topics.REDACTION))
                    .forEach(topic -> needs.add(RequiredAcl.topic(topic, "redrive returns dead letters to it", WRITE)));
            needs.add(RequiredAcl.topic(Topics.REDRIVE, "redrive records what entered in it", READ, WRITE));
            needs.add(RequiredAcl.transactionsOf(
                    deployment.pipeline().applicationId() + "-redrive", "transactions of redrive"));
            return needs;
        }
    },

    /** A user of {@code parley redact}. */
    REDACT {
        @Override
        public List<RequiredAcl> needs(Deployment deployment) {
            return List.of(
                    RequiredAcl.topic(Topics.AUDIT, "redact looks up the record in it", READ),
                    RequiredAcl.topic(Topics.REDACTION, "redact writes its request to it", WRITE));
        }
    },

    /**
     * A user of {@code parley verify}, {@code parley export} and {@code parley manifest}, by consumers without a group.
     */
    VERIFIER {
        @Override
        public List<RequiredAcl> needs(Deployment deployment) {
            List<RequiredAcl> needs = new ArrayList<>();
            for (String topic :
                    List.of(Topics.AUDIT, Topics.AUDIT_HEAD, Topics.AUDIT_MANIFEST, Topics.INTERNAL_DEAD_LETTERS)) {
                needs.add(RequiredAcl.topic(topic, "verify reads it", READ));
            }
            deployment
                    .pipeline()
                    .reads()
                    .forEach(topic -> needs.add(
                            RequiredAcl.topic(topic, "verify searches it for messages that no chain contains", READ)));
            deployment.pipeline().internalTopics().stream()
                    .filter(topic ->
                            topic.endsWith("-repartition") || topic.endsWith(PipelineStores.PARKED + "-changelog"))
                    .forEach(topic -> needs.add(
                            RequiredAcl.topic(topic, "verify searches it for messages without a verdict", READ)));
            needs.add(RequiredAcl.group(
                    deployment.pipeline().applicationId(), "verify reads its committed offsets", DESCRIBE));
            return needs;
        }
    },

    /** A user of {@code parley reset}. */
    RESET {
        @Override
        public List<RequiredAcl> needs(Deployment deployment) {
            List<RequiredAcl> needs = new ArrayList<>();
            deployment
                    .pipeline()
                    .reads()
                    .forEach(topic -> needs.add(RequiredAcl.topic(topic, "reset finds the new offsets in it", READ)));
            deployment
                    .outputs()
                    .forEach(topic -> needs.add(
                            RequiredAcl.topic(topic, "reset empties it", DELETE, CREATE, DESCRIBE, DESCRIBE_CONFIGS)));
            for (StreamsApplication application : deployment.applications()) {
                needs.add(RequiredAcl.topicsOf(
                        application.applicationId() + "-", "reset deletes internal topics", DELETE, DESCRIBE));
                needs.add(RequiredAcl.group(application.applicationId(), "reset changes its offsets", READ, DELETE));
            }
            return needs;
        }
    };

    /** All permissions that this principal needs under a configuration, each resource once. */
    public abstract List<RequiredAcl> needs(Deployment deployment);

    private static List<RequiredAcl> ofApplication(StreamsApplication application) {
        List<RequiredAcl> needs = new ArrayList<>();
        String name = application.name();
        application
                .reads()
                .forEach(topic ->
                        needs.add(RequiredAcl.topic(topic, name + " reads it", READ, CREATE, DESCRIBE_CONFIGS)));
        application
                .writes()
                .forEach(topic ->
                        needs.add(RequiredAcl.topic(topic, name + " writes to it", WRITE, CREATE, DESCRIBE_CONFIGS)));
        String prefix = application.applicationId() + "-";
        needs.add(RequiredAcl.topicsOf(prefix, "internal topics of " + name, READ, WRITE, CREATE, DELETE));
        needs.add(RequiredAcl.group(application.applicationId(), "consumer group of " + name, READ));
        if (application.isTransactional()) {
            needs.add(RequiredAcl.transactionsOf(prefix, "transactions of " + name));
        }
        return needs;
    }
}
