package dev.parley.console;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * One {@link DemoServer} for all classes of a JVM. It stops with the JVM: with several forks, Surefire runs each class
 * by itself, so that JUnit would close it after each. Tests use namespaces of their own.
 */
final class SharedDemo implements ParameterResolver {

    private static final class Holder {
        private static final DemoServer INSTANCE = start();
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == DemoServer.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return Holder.INSTANCE;
    }

    private static DemoServer start() {
        try {
            DemoServer demo = DemoServer.start();
            Runtime.getRuntime().addShutdownHook(new Thread(() -> close(demo), "stop-shared-demo"));
            return demo;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void close(DemoServer demo) {
        try {
            demo.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
