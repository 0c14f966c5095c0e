package dev.parley.interop;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * One {@link Deployment} for all classes of a process, whose topics contain the {@link KnownLoad}. A test may feed more
 * messages; it compares with the topics as they are then.
 */
final class SharedDeployment implements ParameterResolver {
    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Deployment.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getRoot()
                .getStore(Namespace.create(SharedDeployment.class))
                .getOrComputeIfAbsent(Fed.class, key -> Fed.start(), Fed.class)
                .deployment();
    }

    /** A deployment with its files, which JUnit closes after the last class. */
    private record Fed(Path directory, Deployment deployment) implements AutoCloseable {
        static Fed start() {
            try {
                Path directory = Files.createTempDirectory("interop");
                Deployment deployment = Deployment.open(directory);
                try {
                    deployment.feed();
                } catch (Exception | AssertionError e) {
                    deployment.close();
                    throw e;
                }
                return new Fed(directory, deployment);
            } catch (Exception e) {
                throw new IllegalStateException("The load could not be processed", e);
            }
        }

        @Override
        public void close() throws Exception {
            deployment.close();
            try (Stream<Path> files = Files.walk(directory)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }
}
