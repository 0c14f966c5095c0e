package dev.parley.chaos;

import static net.bytebuddy.matcher.ElementMatchers.any;
import static net.bytebuddy.matcher.ElementMatchers.isDeclaredBy;
import static net.bytebuddy.matcher.ElementMatchers.nameStartsWith;
import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.not;
import static net.bytebuddy.matcher.ElementMatchers.takesNoArguments;

import com.sun.tools.attach.VirtualMachine;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import net.bytebuddy.agent.builder.AgentBuilder;
import net.bytebuddy.asm.MemberSubstitution;

/**
 * Steps the clock of a running instance, where Parley and Kafka's clients read it: the first call replaces their calls
 * of {@code System.currentTimeMillis}, {@code Instant.now}, {@code Clock.instant} and {@code Clock.millis}. Public for
 * these calls.
 */
public final class ClockAgent {
    private static volatile long aheadMs;
    private static boolean isInstalled;

    private ClockAgent() {}

    /** Sets how far the clock of a process, which has this class in its class path, is ahead. */
    static void step(long pid, Path jar, Duration ahead) throws Exception {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue("Agent-Class", ClockAgent.class.getName());
        manifest.getMainAttributes().putValue("Can-Retransform-Classes", "true");
        new JarOutputStream(Files.newOutputStream(jar), manifest).close();
        VirtualMachine process = VirtualMachine.attach(Long.toString(pid));
        try {
            process.loadAgent(jar.toString(), Long.toString(ahead.toMillis()));
        } finally {
            process.detach();
        }
    }

    /** Called in the process. */
    public static synchronized void agentmain(String ahead, Instrumentation instrumentation) throws Exception {
        aheadMs = Long.parseLong(ahead);
        if (!isInstalled) {
            isInstalled = true;
            MemberSubstitution substitution = MemberSubstitution.relaxed()
                    .method(named("currentTimeMillis").and(isDeclaredBy(System.class)))
                    .replaceWith(ClockAgent.class.getMethod("currentTimeMillis"))
                    .method(named("now").and(isDeclaredBy(Instant.class)).and(takesNoArguments()))
                    .replaceWith(ClockAgent.class.getMethod("now"))
                    .method(named("instant").and(isDeclaredBy(Clock.class)))
                    .replaceWith(ClockAgent.class.getMethod("instant", Clock.class))
                    .method(named("millis").and(isDeclaredBy(Clock.class)))
                    .replaceWith(ClockAgent.class.getMethod("millis", Clock.class));
            new AgentBuilder.Default()
                    .disableClassFormatChanges()
                    .with(AgentBuilder.RedefinitionStrategy.RETRANSFORMATION)
                    .type(nameStartsWith("dev.parley.")
                            .and(not(named(ClockAgent.class.getName())))
                            .or(named("org.apache.kafka.common.utils.SystemTime")))
                    .transform((builder, type, loader, module, domain) -> builder.visit(substitution.on(any())))
                    .installOn(instrumentation);
        }
        System.err.println("clock: " + now());
    }

    /** In place of {@link System#currentTimeMillis}. */
    public static long currentTimeMillis() {
        return System.currentTimeMillis() + aheadMs;
    }

    /** In place of {@link Instant#now()}. */
    public static Instant now() {
        return Instant.now().plusMillis(aheadMs);
    }

    /** In place of {@link Clock#instant}. */
    public static Instant instant(Clock clock) {
        return clock.instant().plusMillis(aheadMs);
    }

    /** In place of {@link Clock#millis}. */
    public static long millis(Clock clock) {
        return clock.millis() + aheadMs;
    }
}
