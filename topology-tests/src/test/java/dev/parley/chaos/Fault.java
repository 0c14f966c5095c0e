package dev.parley.chaos;

import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/** The failures of the chaos suite. Each starts, lasts, and ends. */
enum Fault {
    INSTANCE_KILLED("an instance killed (kill -9), then restarted on its state") {
        @Override
        Healing strike(ChaosDeployment field, RandomGenerator random) {
            Instance victim = field.anyOnVolume(random);
            victim.kill();
            return new Healing(victim.name(), victim::start);
        }
    },
    BROKER_KILLED("a broker killed (kill -9), then restarted") {
        @Override
        Healing strike(ChaosDeployment field, RandomGenerator random) {
            String broker = field.anyBroker(random);
            Docker.run("kill", "--signal", "KILL", broker);
            return new Healing(broker, () -> Docker.run("start", broker));
        }
    },
    BROKER_PAUSED("a broker paused, then resumed") {
        @Override
        Healing strike(ChaosDeployment field, RandomGenerator random) {
            String broker = field.anyBroker(random);
            Docker.pause(broker);
            return new Healing(broker, () -> Docker.run("unpause", broker));
        }
    },
    INSTANCE_PAUSED("an instance paused beyond its session timeout, then resumed") {
        @Override
        Healing strike(ChaosDeployment field, RandomGenerator random) {
            Instance victim = field.anyInstance(random);
            victim.pause();
            return new Healing(victim.name(), victim::unpause);
        }
    },
    NETWORK_CUT("an instance cut off from the network") {
        @Override
        Healing strike(ChaosDeployment field, RandomGenerator random) {
            Instance victim = field.anyInstance(random);
            victim.cutOff();
            return new Healing(victim.name(), victim::connect);
        }
    },
    DISK_FULL("the disk of an instance full, while another instance is killed and its tasks move there") {
        @Override
        Healing strike(ChaosDeployment field, RandomGenerator random) {
            Instance victim = field.onSmallDisk();
            Instance other = field.anyOnVolume(random);
            victim.fillDisk();
            // Open stores continue in memory for a while; taking over a task requires new files.
            other.kill();
            return new Healing(victim.name() + ", " + other.name(), () -> {
                victim.emptyDisk();
                other.start();
            });
        }
    },
    STATE_LOST("the state directory of an instance lost") {
        @Override
        Healing strike(ChaosDeployment field, RandomGenerator random) {
            Instance victim = field.anyInstance(random);
            victim.kill();
            return new Healing(victim.name(), victim::loseState);
        }
    },
    REGISTRY_DOWN("the registry killed while an instance starts") {
        @Override
        Healing strike(ChaosDeployment field, RandomGenerator random) {
            String registry = field.cluster().registryContainer();
            Instance starting = field.anyOnVolume(random);
            Docker.run("kill", "--signal", "KILL", registry);
            starting.kill();
            starting.start();
            return new Healing(registry + ", " + starting.name(), () -> {
                Docker.run("start", registry);
                field.cluster().awaitRegistry();
            });
        }
    },
    TWO_BROKERS_KILLED("two of three brokers killed (kill -9), so that nothing can be written, then restarted") {
        @Override
        Healing strike(ChaosDeployment field, RandomGenerator random) {
            int spared = random.nextInt(field.cluster().brokers());
            String one = field.cluster().broker((spared + 1) % field.cluster().brokers());
            String two = field.cluster().broker((spared + 2) % field.cluster().brokers());
            Docker.run("kill", "--signal", "KILL", one, two);
            // In the order of their numbers, so that each gets its address again: the broker that stayed keeps
            // connections, and controllers that have swapped addresses reject each other's votes without end.
            List<String> inOrder = Stream.of(one, two).sorted().toList();
            return new Healing(one + ", " + two, () -> Docker.run("start", inOrder.get(0), inOrder.get(1)));
        }
    },
    ROLLED("a rolling restart of all instances with another version of the jar") {
        @Override
        Healing strike(ChaosDeployment field, RandomGenerator random) {
            Instance first = field.instances().get(0);
            String next = first.image().equals(field.oldImage()) ? field.newImage() : field.oldImage();
            for (Instance instance : field.instances()) {
                instance.roll(next);
                field.awaitAllAtWork();
            }
            return new Healing("all, to " + first.version(), () -> {});
        }
    };

    private final String what;

    Fault(String what) {
        this.what = what;
    }

    /** Description for the report. */
    String what() {
        return what;
    }

    /** Starts the failure. */
    abstract Healing strike(ChaosDeployment field, RandomGenerator random);

    /**
     * The end of a failure.
     *
     * @param victim names of the targets
     * @param heal ends the failure
     */
    record Healing(String victim, Runnable heal) {}
}
