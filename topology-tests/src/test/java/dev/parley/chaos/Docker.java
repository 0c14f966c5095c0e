package dev.parley.chaos;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The docker command. A container library would do for starting; but here the same container is killed, paused, cut off
 * and started again, with its ports and its files, and that is what the command is made for.
 */
final class Docker {
    /** Everything the suite makes has it, so that what a killed suite left behind can be found. */
    static final String LABEL = "dev.parley.chaos";

    private static final int TIMEOUT_SECONDS = 120;
    private static final int PULL_SECONDS = 600;

    private Docker() {}

    /** Whether there is an engine. */
    static boolean answers() {
        try {
            return call("version").status() == 0;
        } catch (UncheckedIOException e) {
            // No docker command.
            return false;
        }
    }

    /**
     * Sees to it that the engine has an image; pulls it if need be.
     *
     * @throws IllegalStateException when it can be neither found nor pulled
     */
    static void fetch(String image) {
        if (call("image", "inspect", image).status() != 0) {
            Called pulled = call(PULL_SECONDS, "pull", "--quiet", image);
            if (pulled.status() != 0) {
                throw new IllegalStateException("no image " + image
                        + ": pull it, name another one, or build what can be had without an image registry with"
                        + " containers/build; pulling it failed: " + pulled.output());
            }
        }
    }

    /**
     * What the command printed.
     *
     * @throws IllegalStateException when it failed
     */
    static String run(String... arguments) {
        Called called = call(arguments);
        if (called.status() != 0) {
            throw new IllegalStateException("docker " + String.join(" ", arguments) + ": " + called.output());
        }
        return called.output();
    }

    /** Runs a container in the background, on the network of the suite and under its name as host. */
    static void start(String name, String image, Map<String, String> variables, String... options) {
        List<String> command = new ArrayList<>(List.of("run", "--detach", "--label", LABEL));
        command.addAll(List.of("--network", Cluster.NETWORK, "--name", name, "--hostname", name));
        command.addAll(List.of(options));
        variables.forEach((variable, value) -> command.addAll(List.of("--env", variable + "=" + value)));
        command.add(image);
        run(command.toArray(String[]::new));
    }

    /**
     * Lets a container stand still. The kernel does not always freeze all of its processes in the time that the engine
     * gives it; then it is tried again.
     */
    static void pause(String container) {
        await().atMost(Duration.ofSeconds(30))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(200))
                .until(() -> {
                    call("pause", container);
                    return run("inspect", "--format", "{{.State.Paused}}", container)
                            .equals("true");
                });
    }

    /** The end of a command. */
    record Called(int status, String output) {}

    static Called call(String... arguments) {
        return call(TIMEOUT_SECONDS, arguments);
    }

    private static Called call(int patienceSeconds, String... arguments) {
        List<String> command = new ArrayList<>(List.of("docker"));
        command.addAll(List.of(arguments));
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            CompletableFuture<String> output = CompletableFuture.supplyAsync(() -> read(process));
            if (!process.waitFor(patienceSeconds, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IllegalStateException("docker " + String.join(" ", arguments) + " did not end");
            }
            return new Called(process.exitValue(), output.join().strip());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private static String read(Process process) {
        try {
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Removes all containers, volumes, networks and images with the label. */
    static void removeAll() {
        remove(List.of("rm", "--force", "--volumes"), "ps", "--all", "--quiet");
        remove(List.of("volume", "rm"), "volume", "ls", "--quiet");
        remove(List.of("network", "rm"), "network", "ls", "--quiet");
        remove(List.of("rmi", "--force"), "images", "--quiet");
    }

    private static void remove(List<String> how, String... list) {
        List<String> command = new ArrayList<>(List.of(list));
        command.addAll(List.of("--filter", "label=" + LABEL));
        List<String> ids =
                run(command.toArray(String[]::new)).lines().distinct().toList();
        if (!ids.isEmpty()) {
            List<String> removal = new ArrayList<>(how);
            removal.addAll(ids);
            run(removal.toArray(String[]::new));
        }
    }
}
