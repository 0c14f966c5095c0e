package dev.parley.chaos;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.common.GroupState;

/**
 * The deployment under test.
 *
 * @param cluster the brokers and the registry
 * @param instances the Parleys; the last of them is on a small disk
 * @param newImage what a roll brings
 * @param oldImage what the next one brings back
 */
record ChaosDeployment(Cluster cluster, List<Instance> instances, String newImage, String oldImage) {
    private static final Duration TIMEOUT = Duration.ofMinutes(3);

    Instance anyInstance(RandomGenerator random) {
        return instances.get(random.nextInt(instances.size()));
    }

    /** One whose state outlives its container's stop. */
    Instance anyOnVolume(RandomGenerator random) {
        List<Instance> kept = instances.stream().filter(Instance::hasVolume).toList();
        return kept.get(random.nextInt(kept.size()));
    }

    Instance onSmallDisk() {
        return instances.get(instances.size() - 1);
    }

    String anyBroker(RandomGenerator random) {
        return cluster.broker(random.nextInt(cluster.brokers()));
    }

    /** Returns when every instance has its share of the pipeline's work. */
    void awaitAllAtWork() {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", cluster.bootstrap()))) {
            await().atMost(TIMEOUT)
                    .pollInterval(Duration.ofMillis(500))
                    .ignoreExceptions()
                    .until(() -> {
                        ConsumerGroupDescription group = admin.describeConsumerGroups(List.of("parley"))
                                .all()
                                .get(10, TimeUnit.SECONDS)
                                .get("parley");
                        return group.groupState() == GroupState.STABLE
                                && group.members().size() == instances.size();
                    });
        }
    }
}
