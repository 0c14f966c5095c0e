package dev.parley.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.load.Load;
import dev.parley.load.LoadProducer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three brokers, a registry and three Parleys in containers, under steady load, and one thing after the other goes
 * wrong; after each the oracle reads all topics. See docs/testing.md.
 *
 * <p>System properties: {@code chaos.faults}, number of faults, picked at random (default: each once); {@code
 * chaos.minutes}, duration of further random faults after these; {@code chaos.seed}, which decides the faults and the
 * load; {@code chaos.rate}, messages per second.
 */
@Tag("containers")
class ChaosIT {
    private static final Duration TIMEOUT = Duration.ofMinutes(4);
    private static final int SMALL_DISK = 400;
    private static final String NEXT_VERSION = "0.0.0-rolled";

    private final long seed =
            Long.getLong("chaos.seed", ThreadLocalRandom.current().nextInt(1_000_000));
    private final int rate = Integer.getInteger("chaos.rate", 200);
    private final int faults = Integer.getInteger("chaos.faults", Fault.values().length);
    private final Duration length = Duration.ofMinutes(Integer.getInteger("chaos.minutes", 0));
    private final RandomGenerator random = new SplittableRandom(seed);
    private final FaultReport chronicle = new FaultReport("chaos.md");
    private ChaosDeployment field;

    @TempDir
    private Path directory;

    @BeforeEach
    void start() throws IOException {
        Images images = Images.configured();
        assumeTrue(Docker.answers(), "ChaosIT is skipped: no Docker engine answers");
        images.all().forEach(Docker::fetch);
        Docker.removeAll();
        Cluster cluster = Cluster.start(images);
        List<Instance> instances = List.of(
                Instance.onVolume("chaos-parley-1", "pipeline,views", cluster, images.parley()),
                Instance.onVolume("chaos-parley-2", "pipeline,views", cluster, images.parley()),
                Instance.onSmallDisk("chaos-parley-3", "pipeline", cluster, images.parley(), SMALL_DISK));
        field = new ChaosDeployment(cluster, instances, images.rolled(NEXT_VERSION, directory), images.parley());
        instances.forEach(Instance::run);
        field.awaitAllAtWork();
    }

    @AfterEach
    void stop() {
        if (field != null && !Boolean.getBoolean("chaos.keep")) {
            Docker.removeAll();
        }
    }

    @Test
    void noRecordIsLostOrDuplicatedUnderFaults() throws Exception {
        System.out.println("chaos: to play this again, -Dchaos.seed=" + seed);
        Cluster cluster = field.cluster();
        long begun = System.nanoTime();
        try (TopicTailer topicTailer = new TopicTailer(cluster.bootstrap(), cluster.registry(), new Oracle());
                VerdictWatcher pulse = new VerdictWatcher(cluster.bootstrap());
                LoadProducer loadProducer = new LoadProducer(
                        new Load("chaos", seed, 60),
                        rate,
                        Map.of("bootstrap.servers", cluster.bootstrap()),
                        (metadata, record) -> {})) {
            // Without a fault first, so that a fault is to blame for what comes later.
            run(loadProducer, Duration.ofSeconds(5));
            check(topicTailer, loadProducer, "no fault");
            for (Fault fault : sample()) {
                strike(fault, topicTailer, pulse, loadProducer);
            }
            Fault[] all = Fault.values();
            while (secondsSince(begun) < length.toSeconds()) {
                strike(all[random.nextInt(all.length)], topicTailer, pulse, loadProducer);
            }
            viewsSayTheSame(topicTailer.oracle());
            chronicle.write(
                    String.format(
                            "Seed %d, %d messages a second, %.0f minutes, %d messages; every check passed.",
                            seed, rate, secondsSince(begun) / 60, loadProducer.sent()),
                    topicTailer.oracle());
        }
    }

    /** As many faults as {@code chaos.faults} says, in the order of their declaration. */
    private List<Fault> sample() {
        List<Fault> all = new ArrayList<>(List.of(Fault.values()));
        while (all.size() > faults) {
            all.remove(random.nextInt(all.size()));
        }
        return all;
    }

    private void strike(Fault fault, TopicTailer topicTailer, VerdictWatcher pulse, LoadProducer loadProducer)
            throws InterruptedException {
        long sentBefore = loadProducer.sent();
        // Longer than a session, so that others notice; in the long suite of any length.
        Duration hold = Duration.ofSeconds(length.isZero() ? 9 : random.nextInt(2, 31));
        run(loadProducer, Duration.ofSeconds(2));
        pulse.begin();
        long begun = System.nanoTime();
        loadProducer.resume();
        Fault.Healing healing = fault.strike(field, random);
        System.out.println("chaos: " + fault + " " + healing.victim());
        rest(hold);
        healing.heal().run();
        double lasted = secondsSince(begun);
        long healed = System.nanoTime();
        loadProducer.pause();
        check(topicTailer, loadProducer, fault + " of " + healing.victim());
        chronicle.add(
                fault.what(),
                healing.victim(),
                "continued",
                lasted,
                loadProducer.sent() - sentBefore,
                pulse.longestSilence(),
                secondsSince(healed),
                topicTailer.oracle().total());
        field.awaitAllAtWork();
    }

    private static void run(LoadProducer loadProducer, Duration time) throws InterruptedException {
        loadProducer.resume();
        rest(time);
        loadProducer.pause();
    }

    /** Lets the load go on for a while. */
    static void rest(Duration time) {
        long until = System.nanoTime() + time.toNanos();
        await().atMost(time.plusSeconds(5)).until(() -> System.nanoTime() > until);
    }

    /** Waits until each message has its verdict and Parley has counted it, then asks the oracle. */
    private void check(TopicTailer topicTailer, LoadProducer loadProducer, String when) {
        if (!topicTailer.awaitSettled(TIMEOUT)) {
            field.instances().forEach(instance -> System.out.println(instance.name() + ":\n" + instance.log()));
        }
        assertThat(topicTailer.oracle().objections(loadProducer.sent()))
                .as("after %s, seed %d", when, seed)
                .isEmpty();
    }

    private void viewsSayTheSame(Oracle oracle) {
        for (Instance instance : field.instances()) {
            if (instance.hasViews()) {
                instance.awaitReady();
                await().atMost(TIMEOUT).pollInterval(Duration.ofSeconds(1)).untilAsserted(() -> {
                    JsonNode accounting = json(instance.ask("/v1/accounting"));
                    assertThat(accounting.path("balanced").asBoolean()).isTrue();
                    JsonNode total = accounting.path("total");
                    assertThat(total.path("inputs").asLong())
                            .isEqualTo(oracle.total().inputs());
                    assertThat(total.path("accepted").asLong())
                            .isEqualTo(oracle.total().accepted());
                });
            }
        }
    }

    private static JsonNode json(String answer) throws IOException {
        return new ObjectMapper().readTree(answer.substring(answer.indexOf("\r\n\r\n") + 4));
    }

    private static double secondsSince(long nanos) {
        return (System.nanoTime() - nanos) / 1e9;
    }
}
