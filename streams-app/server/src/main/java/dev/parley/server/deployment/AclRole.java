package dev.parley.server.deployment;

import static org.apache.kafka.common.acl.AclOperation.CREATE;
import static org.apache.kafka.common.acl.AclOperation.DELETE;
import static org.apache.kafka.common.acl.AclOperation.DESCRIBE;
import static org.apache.kafka.common.acl.AclOperation.DESCRIBE_CONFIGS;
import static org.apache.kafka.common.acl.AclOperation.READ;
import static org.apache.kafka.common.acl.AclOperation.WRITE;

import dev.parley.avro.Stage;
import dev.parley.protocol.TopicNames;
import dev.parley.server.deployment.Deployment.StreamsApplication;
import dev.parley.topology.pipeline.PipelineStores;
import dev.parley.topology.topics.Topics;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.apache.kafka.common.acl.AclOperation;

/**
 * A role of a broker client, with the minimal permissions that it needs.
 *
 * @param name its name on the command line
 * @param holders the principals that have it, in a few words
 * @param acls all permissions that such a principal needs in a deployment, each resource once
 */
public record AclRole(String name, String holders, Function<Deployment, List<RequiredAcl>> acls) {

    /** An instance with {@code roles=pipeline}. */
    public static final AclRole PIPELINE =
            new AclRole("pipeline", "instances with roles=pipeline", AclRole::ofPipeline);

    /** An instance with {@code roles=views}: the views and the traffic counts. */
    public static final AclRole VIEWS = new AclRole("views", "instances with roles=views", AclRole::ofViews);

    /** An agent, or {@code parley ingest}. */
    public static final AclRole PRODUCER = new AclRole(
            "producer",
            "agents and callers of parley ingest",
            deployment -> inputs(deployment, "agents write to it", WRITE));

    /** A reader of Parley's output topics. Its groups start with the application ID and "-consumer-". */
    public static final AclRole CONSUMER =
            new AclRole("consumer", "readers of the output topics", AclRole::ofConsumers);

    /** A reader of the audit trail and the input, by consumers without a group. */
    public static final AclRole VERIFIER =
            new AclRole("verifier", "callers of parley verify, export, evidence, heads and sql", AclRole::ofVerifiers);

    /** A user of {@code parley reset}. */
    public static final AclRole RESET = new AclRole("reset", "callers of parley reset", AclRole::ofReset);

    /** The roles that no feature brings. */
    public static final List<AclRole> STANDARD = List.of(PIPELINE, VIEWS, PRODUCER, CONSUMER, VERIFIER, RESET);

    /** All permissions that such a principal needs in a deployment, each resource once. */
    public List<RequiredAcl> needs(Deployment deployment) {
        return acls.apply(deployment);
    }

    /** Permissions for the input topics. */
    public static List<RequiredAcl> inputs(Deployment deployment, String why, AclOperation... operations) {
        Set<String> others = Set.of(deployment.topics().redaction());
        return topics(without(deployment.pipeline().reads(), others), why, operations);
    }

    private static List<RequiredAcl> topics(Collection<String> names, String why, AclOperation... operations) {
        return names.stream()
                .map(name -> RequiredAcl.topic(name, why, operations))
                .toList();
    }

    private static Set<String> without(Set<String> names, Set<String> others) {
        Set<String> rest = new TreeSet<>(names);
        rest.removeAll(others);
        return rest;
    }

    private static List<RequiredAcl> ofPipeline(Deployment deployment) {
        List<String> checked =
                List.of(deployment.topics().audit(), deployment.topics().auditHead());
        List<RequiredAcl> needs = new ArrayList<>();
        ofApplication(deployment.pipeline()).stream()
                .filter(requiredAcl -> !checked.contains(requiredAcl.name()))
                .forEach(needs::add);
        String why = "pipeline writes to it, and checks restored logs with it";
        checked.forEach(topic -> needs.add(RequiredAcl.ownTopic(topic, why)));
        return needs;
    }

    private static List<RequiredAcl> ofViews(Deployment deployment) {
        Set<String> reads = new TreeSet<>(deployment.views().reads());
        reads.addAll(deployment.traffic().reads());
        Set<String> counts = deployment.traffic().writes();
        Set<String> counted = new TreeSet<>(reads);
        counted.retainAll(counts);
        List<RequiredAcl> needs = new ArrayList<>();
        String why = "the traffic counts write it and the views read it";
        counted.forEach(topic -> needs.add(RequiredAcl.ownTopic(topic, why)));
        needs.addAll(topics(without(reads, counts), "the views read it", READ, CREATE, DESCRIBE_CONFIGS));
        for (StreamsApplication application : List.of(deployment.traffic(), deployment.views())) {
            ofApplication(application).stream()
                    .filter(requiredAcl -> !reads.contains(requiredAcl.name()))
                    .forEach(needs::add);
        }
        needs.addAll(
                topics(without(deployment.pipeline().reads(), reads), "the accounting reports its offsets", DESCRIBE));
        needs.add(RequiredAcl.group(
                deployment.pipeline().applicationId(), "the accounting reports its committed offsets", DESCRIBE));
        return needs;
    }

    private static List<RequiredAcl> ofConsumers(Deployment deployment) {
        List<RequiredAcl> needs = new ArrayList<>(topics(deployment.outputs(), "consumers read it", READ));
        needs.add(RequiredAcl.topic(deployment.topics().redrive(), "consumers read it", READ));
        needs.add(RequiredAcl.groupsOf(
                deployment.pipeline().applicationId() + "-consumer-", "consumers commit their offsets"));
        return needs;
    }

    private static List<RequiredAcl> ofVerifiers(Deployment deployment) {
        StreamsApplication pipeline = deployment.pipeline();
        TopicNames topics = deployment.topics();
        List<RequiredAcl> needs = new ArrayList<>(topics(
                List.of(
                        topics.audit(),
                        topics.auditHead(),
                        topics.auditTile(),
                        topics.auditCosignature(),
                        topics.deadLetters(Stage.INTERNAL)),
                "verify reads it",
                READ));
        needs.addAll(topics(pipeline.reads(), "verify searches it for messages that no chain contains", READ));
        List<String> waiting = pipeline.internalTopics().stream()
                .filter(topic -> Topics.isRepartition(topic) || topic.endsWith(PipelineStores.PARKED + "-changelog"))
                .toList();
        needs.addAll(topics(waiting, "verify searches it for messages without a verdict", READ));
        needs.add(RequiredAcl.group(pipeline.applicationId(), "verify reads its committed offsets", DESCRIBE));
        return needs;
    }

    private static List<RequiredAcl> ofReset(Deployment deployment) {
        List<RequiredAcl> needs =
                new ArrayList<>(topics(deployment.pipeline().reads(), "reset finds the new offsets in it", READ));
        needs.addAll(topics(deployment.outputs(), "reset empties it", DELETE, CREATE, DESCRIBE, DESCRIBE_CONFIGS));
        for (StreamsApplication application : deployment.applications()) {
            needs.add(RequiredAcl.topicsOf(
                    application.applicationId() + "-", "reset deletes internal topics", DELETE, DESCRIBE));
            needs.add(RequiredAcl.group(application.applicationId(), "reset changes its offsets", READ, DELETE));
        }
        return needs;
    }

    private static List<RequiredAcl> ofApplication(StreamsApplication application) {
        String name = application.name();
        List<RequiredAcl> needs =
                new ArrayList<>(topics(application.reads(), name + " reads it", READ, CREATE, DESCRIBE_CONFIGS));
        needs.addAll(topics(application.writes(), name + " writes to it", WRITE, CREATE, DESCRIBE_CONFIGS));
        String prefix = application.applicationId() + "-";
        needs.add(RequiredAcl.topicsOf(prefix, "internal topics of " + name, READ, WRITE, CREATE, DELETE));
        needs.add(RequiredAcl.group(application.applicationId(), "consumer group of " + name, READ));
        if (application.isTransactional()) {
            needs.add(RequiredAcl.transactionsOf(prefix, "transactions of " + name));
        }
        return needs;
    }

    @Override
    public String toString() {
        return name;
    }
}
