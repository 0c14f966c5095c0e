package dev.parley.console;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** One {@link DemoServer} for all classes of a run, which JUnit closes after the last. Tests use namespaces of their own. */
final class SharedDemo implements ParameterResolver {

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == DemoServer.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getRoot()
                .getStore(Namespace.create(SharedDemo.class))
                .getOrComputeIfAbsent(DemoServer.class, key -> start(), DemoServer.class);
    }

    private static DemoServer start() {
        try {
            return DemoServer.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
