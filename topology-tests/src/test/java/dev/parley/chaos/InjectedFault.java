package dev.parley.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.protocol.Protocols;
import dev.parley.protocol.TopicNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.common.utils.Utils;

/** Faults of a local deployment. Each starts, lasts, and ends. */
enum InjectedFault {
    OLDER_STATE("an older backup of the local state") {
        @Override
        Injection inject(LocalDeployment deployment, RandomGenerator random) throws Exception {
            LocalInstance victim = deployment.any(random);
            victim.stop();
            Path backup = victim.state().resolveSibling("backup");
            run("cp", "-a", victim.state().toString(), backup.toString());
            victim.start();
            victim.awaitReady();
            LocalDeployment.hold(Duration.ofSeconds(5));
            victim.stop();
            Utils.delete(victim.state().toFile());
            Files.move(backup, victim.state());
            victim.start();
            return new Injection(victim.name(), () -> CONTINUED);
        }
    },
    INSTANCE_CLOCK("the clock of an instance an hour ahead, then right again") {
        @Override
        Injection inject(LocalDeployment deployment, RandomGenerator random) throws Exception {
            LocalInstance victim = deployment.any(random);
            victim.step(Duration.ofHours(1));
            return new Injection(victim.name(), () -> {
                victim.step(Duration.ZERO);
                return CONTINUED;
            });
        }
    },
    BROKER_CLOCK("the clock of a broker an hour ahead, then right again") {
        @Override
        Injection inject(LocalDeployment deployment, RandomGenerator random) {
            int broker = random.nextInt(LocalCluster.BROKERS);
            deployment.cluster().step(broker, Duration.ofHours(1).toMillis());
            return new Injection("broker " + broker, () -> {
                deployment.cluster().step(broker, 0);
                return CONTINUED;
            });
        }
    },
    NETWORK_SLOW("a slow network between an instance and the brokers") {
        @Override
        Injection inject(LocalDeployment deployment, RandomGenerator random) {
            return network(deployment, random, TcpLink.Mode.SLOW);
        }
    },
    NETWORK_LOSSY("a lossy network between an instance and the brokers, which breaks connections") {
        @Override
        Injection inject(LocalDeployment deployment, RandomGenerator random) {
            return network(deployment, random, TcpLink.Mode.LOSSY);
        }
    },
    NETWORK_ONE_WAY("a one-way network between an instance and the brokers: no response arrives") {
        @Override
        Injection inject(LocalDeployment deployment, RandomGenerator random) {
            return network(deployment, random, TcpLink.Mode.ONE_WAY);
        }
    },
    TOKENS_ROTATED("the tokens of the HTTP API rotated, and the old one expired") {
        @Override
        Injection inject(LocalDeployment deployment, RandomGenerator random) throws Exception {
            String old = deployment.rotateToken();
            return new Injection("all", () -> {
                for (LocalInstance instance : deployment.instances()) {
                    await().atMost(TIMEOUT).until(() -> instance.status(old) == 401);
                }
                return "continued, and refused the old token";
            });
        }
    },
    IN_SYNC_REPLICAS_MISSING("min.insync.replicas of all topics not met") {
        @Override
        Injection inject(LocalDeployment deployment, RandomGenerator random) throws Exception {
            LocalCluster cluster = deployment.cluster();
            List<String> topics = cluster.topics();
            int broker = random.nextInt(LocalCluster.BROKERS);
            cluster.alter(topics, "min.insync.replicas", "3");
            cluster.stop(broker);
            return new Injection("broker " + broker, () -> {
                cluster.start(broker);
                cluster.alter(topics, "min.insync.replicas", null);
                return CONTINUED;
            });
        }
    },
    TASKS_CLOSED_DIRTY("the producers of all instances fenced, so that tasks close dirty and revive") {
        @Override
        Injection inject(LocalDeployment deployment, RandomGenerator random) throws Exception {
            List<String> ids = deployment.cluster().admin().listTransactions().all().get().stream()
                    .map(TransactionListing::transactionalId)
                    .filter(id -> id.startsWith("parley-"))
                    .toList();
            deployment.cluster().admin().fenceProducers(ids).all().get();
            return new Injection(ids.size() + " transactions", () -> CONTINUED);
        }
    },
    INPUT_RECREATED("an input topic deleted and created again") {
        @Override
        Injection inject(LocalDeployment deployment, RandomGenerator random) throws Exception {
            deployment.check("the load before " + this);
            String topic = anyInput(random);
            deployment.recreate(topic);
            return stopped(
                    deployment,
                    topic,
                    "RecreatedTopicException",
                    "Topic " + topic + " was deleted and created again, so its offsets would be audited twice."
                            + " Stop every instance and run parley reset --empty-outputs, or restore the topic.");
        }
    };

    static final String CONTINUED = "continued";

    private static final Duration TIMEOUT = Duration.ofMinutes(3);

    private final String what;

    InjectedFault(String what) {
        this.what = what;
    }

    /** Description for the report. */
    String what() {
        return what;
    }

    /** Starts the fault. */
    abstract Injection inject(LocalDeployment deployment, RandomGenerator random) throws Exception;

    /**
     * A fault that lasts.
     *
     * @param target names of the targets
     * @param end ends the fault, and takes the remedy that Parley has named
     */
    record Injection(String target, Ending end) {}

    /** Ends a fault. */
    interface Ending {
        /** Returns what Parley did. */
        String run() throws Exception;
    }

    /** Parley must stop the partition, and say why and what to do; the remedy is a new audit trail. */
    private static Injection stopped(LocalDeployment deployment, String target, String name, String... texts) {
        await().atMost(TIMEOUT)
                .pollInterval(Duration.ofMillis(300))
                .untilAsserted(() -> assertThat(deployment.said()).contains(texts));
        return new Injection(target, () -> {
            deployment.beginAgain();
            return "stopped: " + name + "; a new audit trail";
        });
    }

    private static Injection network(LocalDeployment deployment, RandomGenerator random, TcpLink.Mode mode) {
        LocalInstance victim = deployment.any(random);
        deployment.cluster().network(victim.name(), mode);
        return new Injection(victim.name(), () -> {
            deployment.cluster().network(victim.name(), TcpLink.Mode.OPEN);
            return CONTINUED;
        });
    }

    private static String anyInput(RandomGenerator random) {
        List<String> inputs = TopicNames.DEFAULT.inputs(Protocols.STANDARD);
        return inputs.get(random.nextInt(inputs.size()));
    }

    private static void run(String... command) throws IOException, InterruptedException {
        if (new ProcessBuilder(command).inheritIO().start().waitFor() != 0) {
            throw new IOException(String.join(" ", command) + " failed");
        }
    }
}
