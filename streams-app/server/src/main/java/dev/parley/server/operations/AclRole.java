package dev.parley.server.operations;

import static org.apache.kafka.common.acl.AclOperation.CREATE;
import static org.apache.kafka.common.acl.AclOperation.DELETE;
import static org.apache.kafka.common.acl.AclOperation.DESCRIBE;
import static org.apache.kafka.common.acl.AclOperation.DESCRIBE_CONFIGS;
import static org.apache.kafka.common.acl.AclOperation.READ;
import static org.apache.kafka.common.acl.AclOperation.WRITE;

import dev.parley.avro.Stage;
import dev.parley.protocol.TopicNames;
import dev.parley.server.operations.Deployment.StreamsApplication;
import dev.parley.topology.pipeline.PipelineStores;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * A role of a broker client, with the minimal permissions that it needs.
 *
 * @param name its name on the command line
 * @param acls all permissions that such a principal needs in a deployment, each resource once
 */
public record AclRole(String name, Function<Deployment, List<RequiredAcl>> acls) {

    /** An instance with {@code roles=pipeline}. */
    public static final AclRole PIPELINE = new AclRole("pipeline", deployment -> ofApplication(deployment.pipeline()));

    /** An instance with {@code roles=views}: the views and the traffic counts. */
    public static final AclRole VIEWS = new AclRole("views", AclRole::ofViews);

    /** An agent, or {@code parley ingest}. */
    public static final AclRole PRODUCER =
            new AclRole("producer", deployment -> inputs(deployment, "agents write to it"));

    /** A reader of Parley's output topics. Its groups start with the application ID and "-consumer-". */
    public static final AclRole CONSUMER = new AclRole("consumer", AclRole::ofConsumers);

    /**
     * A user of {@code parley verify}, {@code parley export} and {@code parley manifest}, by consumers without a group.
     */
    public static final AclRole VERIFIER = new AclRole("verifier", AclRole::ofVerifiers);

    /** A user of {@code parley reset}. */
    public static final AclRole RESET = new AclRole("reset", AclRole::ofReset);

    /** The roles that no feature brings. */
    public static final List<AclRole> STANDARD = List.of(PIPELINE, VIEWS, PRODUCER, CONSUMER, VERIFIER, RESET);

    /** All permissions that such a principal needs in a deployment, each resource once. */
    public List<RequiredAcl> needs(Deployment deployment) {
        return acls.apply(deployment);
    }

    /** Permissions to write to the input topics. */
    public static List<RequiredAcl> inputs(Deployment deployment, String why) {
        return deployment.pipeline().reads().stream()
                .filter(topic -> !topic.equals(deployment.topics().redaction()))
                .map(topic -> RequiredAcl.topic(topic, why, WRITE))
                .toList();
    }

    private static List<RequiredAcl> ofViews(Deployment deployment) {
        Set<String> reads = new TreeSet<>(deployment.views().reads());
        reads.addAll(deployment.traffic().reads());
        List<RequiredAcl> needs = new ArrayList<>();
        needs.add(RequiredAcl.topic(
                deployment.topics().redrive(), "dead letters show their redrives", READ, CREATE, DESCRIBE_CONFIGS));
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
                .forEach(topic -> needs.add(RequiredAcl.topic(topic, "the accounting reports its offsets", DESCRIBE)));
        needs.add(RequiredAcl.group(
                deployment.pipeline().applicationId(), "the accounting reports its committed offsets", DESCRIBE));
        return needs;
    }

    private static List<RequiredAcl> ofConsumers(Deployment deployment) {
        List<RequiredAcl> needs = new ArrayList<>();
        deployment.outputs().forEach(topic -> needs.add(RequiredAcl.topic(topic, "consumers read it", READ)));
        needs.add(RequiredAcl.topic(deployment.topics().redrive(), "consumers read it", READ));
        needs.add(RequiredAcl.groupsOf(
                deployment.pipeline().applicationId() + "-consumer-", "consumers commit their offsets"));
        return needs;
    }

    private static List<RequiredAcl> ofVerifiers(Deployment deployment) {
        TopicNames topics = deployment.topics();
        List<RequiredAcl> needs = new ArrayList<>();
        for (String topic : List.of(
                topics.audit(), topics.auditHead(), topics.auditManifest(), topics.deadLetters(Stage.INTERNAL))) {
            needs.add(RequiredAcl.topic(topic, "verify reads it", READ));
        }
        deployment
                .pipeline()
                .reads()
                .forEach(topic -> needs.add(
                        RequiredAcl.topic(topic, "verify searches it for messages that no chain contains", READ)));
        deployment.pipeline().internalTopics().stream()
                .filter(topic -> topic.endsWith("-repartition") || topic.endsWith(PipelineStores.PARKED + "-changelog"))
                .forEach(topic ->
                        needs.add(RequiredAcl.topic(topic, "verify searches it for messages without a verdict", READ)));
        needs.add(RequiredAcl.group(
                deployment.pipeline().applicationId(), "verify reads its committed offsets", DESCRIBE));
        return needs;
    }

    private static List<RequiredAcl> ofReset(Deployment deployment) {
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

    @Override
    public String toString() {
        return name;
    }
}
