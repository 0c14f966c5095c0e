package dev.parley.chaos;

import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/** The faults of the chaos test. Each starts, lasts, and ends. */
enum Fault {
    INSTANCE_KILLED("kill -9 of an instance, then its start on what it left") {
        @Override
        Healing strike(ChaosDeployment field, RandomGenerator random) {
            Instance victim = field.anyOnVolume(random);
            victim.kill();
            return new Healing(victim.name(), victim::start);
        }
    },
    BROKER_KILLED("kill -9 of a broker, then its start") {
        @Override
        Healing strike(ChaosDeployment field, RandomGenerator random) {
            String broker = field.anyBroker(random);
            Docker.run("kill", "--signal", "KILL", broker);
            return new Healing(broker, () -> Docker.run("start", broker));
        }
    },
    BROKER_PAUSED("a broker that stands still, then goes on") {
        @Override
        Healing strike(ChaosDeployment field, RandomGenerator random) {
            String broker = field.anyBroker(random);
            Docker.pause(broker);
            return new Healing(broker, () -> Docker.run("unpause", broker));
        }
    },
    INSTANCE_PAUSED("an instance that stands still longer than its session, then goes on as if nothing had been") {
        @Override
        Healing strike(ChaosDeployment field, RandomGenerator random) {
            Instance victim = field.anyInstance(random);
            victim.pause();
            return new Healing(victim.name(), victim::unpause);
        }
    },
    NETWORK_CUT("the network cut between an instance and everything else") {
        @Override
        Healing strike(ChaosDeployment field, RandomGenerator random) {
            Instance victim = field.anyInstance(random);
            victim.cutOff();
            return new Healing(victim.name(), victim::connect);
        }
    },
    DISK_FULL(
            "a full disk under an instance's state directory, while another instance is killed and its work falls to that one as well") {
        @Override
        Healing strike(ChaosDeployment field, RandomGenerator random) {
            Instance victim = field.onSmallDisk();
            Instance other = field.anyOnVolume(random);
            victim.fillDisk();
            // What is open goes on in memory for a while; to take over a task, files must be made.
            other.kill();
            return new Healing(victim.name() + ", " + other.name(), () -> {
                victim.emptyDisk();
                other.start();
            });
        }
    },
    STATE_LOST("the whole state directory of an instance lost") {
        @Override
        Healing strike(ChaosDeployment field, RandomGenerator random) {
            Instance victim = field.anyInstance(random);
            victim.kill();
            return new Healing(victim.name(), victim::loseState);
        }
    },
    REGISTRY_DOWN("the registry killed, and an instance that starts meanwhile") {
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
    TWO_BROKERS_KILLED("kill -9 of two brokers of three, so that nothing can be written, then their start") {
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

    /** In words. */
    String what() {
        return what;
    }

    /** Lets it happen. */
    abstract Healing strike(ChaosDeployment field, RandomGenerator random);

    /**
     * How a fault ends.
     *
     * @param victim whom it struck
     * @param heal ends it
     */
    record Healing(String victim, Runnable heal) {}
}
