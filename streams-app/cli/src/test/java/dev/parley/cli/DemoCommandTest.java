package dev.parley.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The demo where it is not installed, as in the container image. */
class DemoCommandTest {
    @Test
    void withoutTheDemoItSaysWhyAndWhatToDoInstead() {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(ClassLoader.getPlatformClassLoader());
        try {
            CommandRun run = CommandRun.of("demo", "--exit");
            assertThat(run.exit()).isOne();
            assertThat(run.err()).contains("not part of this installation", "./parley demo", "docker-compose.yml");
        } finally {
            thread.setContextClassLoader(before);
        }
    }
}
