package dev.parley.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.protocol.Protocols;
import dev.parley.protocol.TopicNames;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Utils;

/** Faults of a local deployment. Each starts, lasts, and ends. */
enum InjectedFault {
    BIT_FLIPPED("a flipped bit in a file of the local state") {
        @Override
        Injection inject(LocalDeployment deployment, RandomGenerator random) throws Exception {
            return damage(deployment, random, file -> {
                long bit = random.nextLong(8 * file.length());
                file.seek(bit / 8);
                int value = file.read() ^ 1 << bit % 8;
                file.seek(bit / 8);
                file.write(value);
            });
        }
    },
    FILE_TRUNCATED("a truncated file of the local state") {
        @Override
        Injection inject(LocalDeployment deployment, RandomGenerator random) throws Exception {
            return damage(deployment, random, file -> file.setLength(random.nextLong(file.length())));
        }
    },
    STATE_OF_ANOTHER_PARTITION("the local states of two partitions swapped") {
        @Override
        Injection inject(LocalDeployment deployment, RandomGenerator random) throws Exception {
            LocalInstance victim = deployment.any(random);
            victim.stop();
            Path application = victim.state().resolve(random.nextBoolean() ? "parley" : "parley-views");
            Path other = application.resolve("other");
            for (String task : List.of("0_", "1_")) {
                if (Files.exists(application.resolve(task + "0")) && Files.exists(application.resolve(task + "1"))) {
                    Files.move(application.resolve(task + "0"), other);
                    Files.move(application.resolve(task + "1"), application.resolve(task + "0"));
                    Files.move(other, application.resolve(task + "1"));
                }
            }
            victim.start();
            return repairable(victim, application.getFileName().toString());
        }
    },
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
            return repairable(victim, "backup");
        }
    },
    INSTANCE_CLOCK("the clock of an instance one to three hours ahead, then right again") {
        @Override
        Injection inject(LocalDeployment deployment, RandomGenerator random) throws Exception {
            LocalInstance victim = deployment.any(random);
            int hours = random.nextInt(1, 4);
            victim.step(Duration.ofHours(hours));
            return new Injection(victim.name() + ", " + hours + " h", () -> {
                victim.step(Duration.ZERO);
                return CONTINUED;
            });
        }
    },
    BROKER_CLOCK("the clock of a broker one to three hours ahead, then right again") {
        @Override
        Injection inject(LocalDeployment deployment, RandomGenerator random) {
            int broker = random.nextInt(LocalCluster.BROKERS);
            int hours = random.nextInt(1, 4);
            deployment.cluster().step(broker, Duration.ofHours(hours).toMillis());
            return new Injection("broker " + broker + ", " + hours + " h", () -> {
                deployment.cluster().step(broker, 0);
                // Its timers would wait for the later time, and replicas that stop would stay in sync for hours.
                deployment.cluster().stop(broker);
                deployment.cluster().start(broker);
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
    DISK_SLOW("a slow disk of an instance: 20 ms for each file operation") {
        @Override
        Injection inject(LocalDeployment deployment, RandomGenerator random) throws Exception {
            LocalInstance victim = deployment.any(random);
            Process slow = new ProcessBuilder(
                            "strace",
                            "-f",
                            "-q",
                            "-o",
                            "/dev/null",
                            "-e",
                            "trace=openat,pwrite64,fsync,fdatasync,rename,unlink",
                            "-e",
                            "inject=openat,pwrite64,fsync,fdatasync,rename,unlink:delay_enter=20000",
                            "-p",
                            Long.toString(victim.pid()))
                    .inheritIO()
                    .start();
            return new Injection(victim.name(), () -> {
                assertThat(slow.isAlive()).isTrue();
                // It detaches.
                slow.destroy();
                slow.waitFor();
                return CONTINUED;
            });
        }
    },
    REGISTRY_SWAPPED("a registry that returns schemas of other IDs while an instance starts") {
        @Override
        Injection inject(LocalDeployment deployment, RandomGenerator random) throws Exception {
            LocalInstance victim = deployment.any(random);
            victim.kill();
            deployment.cluster().registry(victim.name()).swap(true);
            victim.start();
            victim.awaitSaid(
                    "The registry gave Parley's schema ",
                    "Restore a registry in which existing records keep their schema IDs");
            return new Injection(victim.name(), () -> {
                victim.awaitEnd();
                deployment.cluster().registry(victim.name()).swap(false);
                victim.start();
                return "stopped the instance: SCHEMA_INCOMPATIBLE";
            });
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
    CERTIFICATES_EXPIRED("the certificates of the brokers expired, then renewed") {
        @Override
        Injection inject(LocalDeployment deployment, RandomGenerator random) throws Exception {
            LocalInstance victim = deployment.any(random);
            LocalCluster cluster = deployment.cluster();
            cluster.certify(victim.name(), "-2d");
            cluster.network(victim.name(), TcpLink.Mode.BROKEN);
            LocalDeployment.hold(Duration.ofSeconds(2));
            cluster.network(victim.name(), TcpLink.Mode.OPEN);
            victim.awaitSaid("CertificateExpiredException: NotAfter");
            return new Injection(victim.name(), () -> {
                cluster.certify(victim.name(), "-1H");
                victim.probe();
                return "stopped the instance: CertificateExpiredException; continued with new certificates";
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
    UNCLEAN_ELECTION("an unclean leader election of an input partition, whose last records are lost") {
        @Override
        Injection inject(LocalDeployment deployment, RandomGenerator random) throws Exception {
            deployment.check("the load before " + this);
            TopicPartition victim = new TopicPartition(anyInput(random), random.nextInt(2));
            deployment.electUnclean(victim);
            return stopped(
                    deployment,
                    victim.toString(),
                    "TruncatedTopicException",
                    "The brokers lost records that were already read, and give their offsets to other records: {"
                            + victim,
                    "Stop every instance and run parley reset --empty-outputs, or restore the topic.");
        }
    },
    TASKS_CLOSED_DIRTY("the producers of all instances fenced, so that tasks close dirty and revive") {
        @Override
        Injection inject(LocalDeployment deployment, RandomGenerator random) throws Exception {
            // The client fails if the set of brokers changes meanwhile, as after the start of one.
            Collection<TransactionListing> listed = await().atMost(TIMEOUT)
                    .ignoreExceptionsMatching(e -> e.getCause() instanceof IllegalArgumentException)
                    .until(
                            () -> deployment
                                    .cluster()
                                    .admin()
                                    .listTransactions()
                                    .all()
                                    .get(),
                            all -> !all.isEmpty());
            List<String> ids = listed.stream()
                    .map(TransactionListing::transactionalId)
                    .filter(id -> id.startsWith("parley-"))
                    .toList();
            deployment.cluster().admin().fenceProducers(ids).all().get();
            return new Injection(ids.size() + " transactions", () -> CONTINUED);
        }
    },
    INPUT_EXPIRED("retention deletes input unread while all instances are stopped") {
        @Override
        Injection inject(LocalDeployment deployment, RandomGenerator random) throws Exception {
            deployment.check("the load before " + this);
            int lost = random.nextInt(5, 50);
            deployment.expire(random.nextInt(2), lost);
            return new Injection(TopicNames.DEFAULT.wire(), () -> {
                deployment.awaitReady();
                return "continued: INPUT_EXPIRED for " + lost + " records";
            });
        }
    },
    INPUT_RECREATED("an input topic deleted and created again") {
        @Override
        Injection inject(LocalDeployment deployment, RandomGenerator random) throws Exception {
            return changed(
                    deployment,
                    random,
                    deployment::recreate,
                    "RecreatedTopicException",
                    "Topic %s was deleted and created again, so its offsets would be audited twice."
                            + " Stop every instance and run parley reset --empty-outputs, or restore the topic.");
        }
    },
    PARTITIONS_ADDED("partitions added to an input topic") {
        @Override
        Injection inject(LocalDeployment deployment, RandomGenerator random) throws Exception {
            return changed(
                    deployment,
                    random,
                    deployment::addPartition,
                    "StreamsException",
                    "has invalid partitions: expected: 3; actual: 2",
                    "Partitions were added to an input topic, so its records would get other tasks and logs. Stop every"
                            + " instance and run parley reset --empty-outputs.");
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

    /** Whether this machine has what injects the fault. */
    boolean isPossible() {
        return this != DISK_SLOW || Files.isExecutable(Path.of("/usr/bin/strace"));
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

    /** Damages an open file. */
    private interface Damage {
        void to(RandomAccessFile file) throws IOException;
    }

    /** Changes an input topic. */
    interface TopicChange {
        void apply(String topic) throws Exception;
    }

    private static Injection damage(LocalDeployment deployment, RandomGenerator random, Damage damage)
            throws Exception {
        LocalInstance victim = deployment.any(random);
        victim.stop();
        List<Path> files = victim.stateFiles();
        Path file = files.get(random.nextInt(files.size()));
        try (RandomAccessFile opened = new RandomAccessFile(file.toFile(), "rw")) {
            damage.to(opened);
        }
        victim.start();
        return repairable(victim, victim.state().relativize(file).toString());
    }

    /** An instance on a wrong state either continues, or names the command that repairs the state. */
    private static Injection repairable(LocalInstance victim, String target) {
        return new Injection(victim.name() + ", " + target, () -> {
            if (victim.isReadyOrSays("parley clean --execute")) {
                return victim.said().contains("Deleting the local state")
                        ? "continued, and restored a task"
                        : CONTINUED;
            }
            victim.awaitEnd();
            victim.run("clean", "--execute");
            victim.start();
            victim.awaitReady();
            return "stopped the instance, repaired by parley clean";
        });
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

    /** Changes an input topic, whose name may be in the texts that Parley must print. */
    Injection changed(
            LocalDeployment deployment, RandomGenerator random, TopicChange change, String name, String... texts)
            throws Exception {
        deployment.check("the load before " + this);
        String topic = anyInput(random);
        change.apply(topic);
        return stopped(
                deployment,
                topic,
                name,
                Stream.of(texts).map(text -> text.formatted(topic)).toArray(String[]::new));
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
