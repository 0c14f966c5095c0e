package dev.parley.chaos;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.apache.kafka.common.utils.Utils;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Three brokers in this JVM, a registry, and two instances in processes, under steady load of producers and HTTP
 * clients, and one fault after the other. After each, the oracle reads all topics, and checks the histories of the HTTP
 * clients. See docs/testing.md.
 *
 * <p>System properties: those of {@link ChaosIT}, except that {@code chaos.faults} is 1 by default; {@code chaos.only},
 * names of the faults to run, separated by commas.
 */
@Tag("long")
class FaultInjectionIT {
    private final long seed =
            Long.getLong("chaos.seed", ThreadLocalRandom.current().nextInt(1_000_000));
    private final int rate = Integer.getInteger("chaos.rate", 60);
    private final int faults = Integer.getInteger("chaos.faults", 1);
    private final Duration length = Duration.ofMinutes(Integer.getInteger("chaos.minutes", 0));
    /** Kept for whoever reads the logs of a failed run. */
    private final Path directory = Path.of("topology-tests", "target", "faults").toAbsolutePath();

    private final List<InjectedFault> possible =
            Stream.of(InjectedFault.values()).filter(InjectedFault::isPossible).toList();
    private final RandomGenerator random = new SplittableRandom(seed);
    private final FaultReport report = new FaultReport("faults.md");

    @Test
    void nothingIsLostDuplicatedOrInventedUnderInjectedFaults() throws Exception {
        System.out.println("faults: to repeat this run, -Dchaos.seed=" + seed);
        long begun = System.nanoTime();
        Utils.delete(directory.toFile());
        try (LocalDeployment deployment = new LocalDeployment(directory, seed, rate)) {
            deployment.begin();
            LocalDeployment.hold(Duration.ofSeconds(3));
            deployment.check("no fault");
            deployment.resume();
            for (InjectedFault fault : sample()) {
                inject(fault, deployment);
            }
            while (secondsSince(begun) < length.toSeconds()) {
                inject(possible.get(random.nextInt(possible.size())), deployment);
            }
            deployment.pause();
            report.write(
                    String.format(
                            Locale.ROOT,
                            "Seed %d, %d messages a second, %.0f minutes, %d responses to HTTP clients; every check"
                                    + " passed.",
                            seed,
                            rate,
                            secondsSince(begun) / 60,
                            deployment.events()),
                    deployment.oracle());
        }
    }

    /** Those that {@code chaos.only} names; in a long run, all; otherwise as many as {@code chaos.faults} says. */
    private List<InjectedFault> sample() {
        String only = System.getProperty("chaos.only");
        if (only != null) {
            return Stream.of(only.split(",")).map(InjectedFault::valueOf).toList();
        }
        List<InjectedFault> all = new ArrayList<>(possible);
        while (length.isZero() && all.size() > faults) {
            all.remove(random.nextInt(all.size()));
        }
        return all;
    }

    private void inject(InjectedFault fault, LocalDeployment deployment) throws Exception {
        long sentBefore = deployment.sent();
        long begun = System.nanoTime();
        System.out.println("faults: " + fault);
        deployment.watcher().begin();
        InjectedFault.Injection injection = fault.inject(deployment, random);
        // Longer than a session, so that others notice; in the long run of any length.
        LocalDeployment.hold(Duration.ofSeconds(length.isZero() ? 9 : random.nextInt(2, 31)));
        String outcome = injection.end().run();
        double lasted = secondsSince(begun);
        long ended = System.nanoTime();
        deployment.check(fault + " of " + injection.target());
        report.add(
                fault.what(),
                injection.target(),
                outcome,
                lasted,
                deployment.sent() - sentBefore,
                deployment.watcher().longestSilence(),
                secondsSince(ended),
                deployment.oracle().total());
        deployment.awaitReady();
        deployment.resume();
    }

    private static double secondsSince(long nanos) {
        return (System.nanoTime() - nanos) / 1e9;
    }
}
