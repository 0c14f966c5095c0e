package dev.parley.topology;

import dev.parley.avro.Stage;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.TopicExistsException;

/** Creates Parley's topics where they do not exist, and checks them where they do. */
public final class TopicSetup {
    private final List<Wanted> wanted = new ArrayList<>();
    private final int partitions;
    private final Optional<Short> replication;
    private final boolean samePartitions;

    /**
     * A setup.
     *
     * @param partitions partitions of topics that are created
     * @param replication their replication factor; empty for the brokers' default
     * @param inputBytes largest record of an input topic
     * @param outputBytes largest record of an output topic, which must take a whole input and its headers
     * @param samePartitions whether all input topics must have the same number of partitions
     */
    public TopicSetup(
            int partitions, Optional<Short> replication, int inputBytes, int outputBytes, boolean samePartitions) {
        this.partitions = partitions;
        this.replication = replication;
        this.samePartitions = samePartitions;
        for (String input : Topics.INPUTS) {
            wanted.add(new Wanted(input, TopicConfig.CLEANUP_POLICY_DELETE, inputBytes));
        }
        for (String log : List.of(Topics.MESSAGE, Topics.AUDIT, Topics.TRAFFIC)) {
            wanted.add(new Wanted(log, TopicConfig.CLEANUP_POLICY_DELETE, outputBytes));
        }
        for (String table : List.of(Topics.CHECKPOINT, Topics.ACCOUNTING)) {
            wanted.add(new Wanted(table, TopicConfig.CLEANUP_POLICY_COMPACT, outputBytes));
        }
        for (Stage stage : List.of(Stage.DECODE, Stage.DIALOGUE, Stage.PATCH, Stage.INTERNAL)) {
            wanted.add(new Wanted(Topics.deadLetters(stage).name(), TopicConfig.CLEANUP_POLICY_DELETE, outputBytes));
        }
    }

    /**
     * Creates what is missing and checks the rest.
     *
     * @return what is wrong with topics that exist already, one sentence each that says what to do; empty when nothing is
     * @throws KafkaException when the brokers do not answer or refuse
     */
    public List<String> run(Admin admin) {
        Map<String, TopicDescription> existing = describe(admin);
        List<NewTopic> missing = new ArrayList<>();
        for (Wanted topic : wanted) {
            if (!existing.containsKey(topic.name())) {
                missing.add(topic.toCreate(partitions, replication));
            }
        }
        create(admin, missing);
        return check(admin, existing);
    }

    private Map<String, TopicDescription> describe(Admin admin) {
        Collection<String> present = new ArrayList<>(get(admin.listTopics().names()));
        present.retainAll(wanted.stream().map(Wanted::name).toList());
        return new TreeMap<>(get(admin.describeTopics(present).allTopicNames()));
    }

    private static void create(Admin admin, List<NewTopic> topics) {
        admin.createTopics(topics).values().forEach((name, created) -> {
            try {
                created.get();
            } catch (ExecutionException e) {
                if (!(e.getCause() instanceof TopicExistsException)) {
                    throw new KafkaException(
                            "Could not create topic " + name + ": "
                                    + e.getCause().getMessage(),
                            e.getCause());
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new KafkaException("Interrupted while creating topic " + name, e);
            }
        });
    }

    private List<String> check(Admin admin, Map<String, TopicDescription> existing) {
        List<String> wrong = new ArrayList<>();
        List<ConfigResource> resources = existing.keySet().stream()
                .map(name -> new ConfigResource(ConfigResource.Type.TOPIC, name))
                .toList();
        Map<ConfigResource, Config> configs =
                get(admin.describeConfigs(resources).all());
        for (Wanted topic : wanted) {
            Config config = configs.get(new ConfigResource(ConfigResource.Type.TOPIC, topic.name()));
            if (config != null) {
                topic.check(config, wrong);
            }
        }
        int inputs = (int) existing.entrySet().stream()
                .filter(entry -> Topics.INPUTS.contains(entry.getKey()))
                .mapToInt(entry -> entry.getValue().partitions().size())
                .distinct()
                .count();
        if (samePartitions && inputs > 1) {
            wrong.add(
                    "The input topics differ in their number of partitions; give all the same, or unset input.keyed-by-conversation.");
        }
        return wrong;
    }

    private static <T> T get(KafkaFuture<T> future) {
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof KafkaException cause ? cause : new KafkaException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new KafkaException("Interrupted while waiting for the brokers", e);
        }
    }

    private record Wanted(String name, String cleanup, int recordBytes) {

        NewTopic toCreate(int partitions, Optional<Short> replication) {
            return new NewTopic(name, Optional.of(partitions), replication.filter(factor -> factor > 0))
                    .configs(Map.of(
                            TopicConfig.CLEANUP_POLICY_CONFIG,
                            cleanup,
                            TopicConfig.MAX_MESSAGE_BYTES_CONFIG,
                            Integer.toString(recordBytes)));
        }

        void check(Config config, List<String> wrong) {
            String policy = config.get(TopicConfig.CLEANUP_POLICY_CONFIG).value();
            if (!policy.equals(cleanup)) {
                wrong.add("Topic " + name + " has cleanup.policy=" + policy + "; set it to " + cleanup
                        + ", or records will "
                        + (cleanup.equals(TopicConfig.CLEANUP_POLICY_COMPACT) ? "expire." : "be compacted away."));
            }
            long most = Long.parseLong(
                    config.get(TopicConfig.MAX_MESSAGE_BYTES_CONFIG).value());
            if (!Topics.INPUTS.contains(name) && most < recordBytes) {
                wrong.add("Topic " + name + " takes records of " + most + " bytes; set max.message.bytes to "
                        + recordBytes + ", or lower topics.max.record.bytes to half of what it takes.");
            }
            if (Topics.INPUTS.contains(name) && most > recordBytes) {
                wrong.add("Input topic " + name + " takes records of " + most
                        + " bytes, more than a dead letter is made for; raise " + "topics.max.record.bytes to " + most
                        + ", or lower the topic's max.message.bytes.");
            }
        }
    }
}
