package dev.parley.topology.lifecycle;

import java.util.concurrent.atomic.AtomicBoolean;
import sun.misc.Signal;

/**
 * Runs a shutdown on SIGTERM and SIGINT in place of the JVM's own, which always exits with 128 plus the signal.
 *
 * <p>A shutdown hook cannot change that status: it could only halt the JVM, and would cut off other hooks, such as
 * those that delete the native libraries unpacked to the temporary directory. A signal handler shuts down first, and
 * then exits with the status of its choice, after which all hooks run.
 */
public final class StopSignals {
    private static final int SIGNALED = 128;

    private StopSignals() {}

    /**
     * Installs the handler. A second SIGINT ends the process at once.
     *
     * @param stop shuts down and ends the process; called once, in a thread of its own
     * @return false if this JVM handles the signals itself, as with {@code -Xrs}
     */
    public static boolean handle(Runnable stop) {
        AtomicBoolean stopping = new AtomicBoolean();
        try {
            for (String name : new String[] {"TERM", "INT"}) {
                Signal.handle(new Signal(name), signal -> {
                    if (!stopping.getAndSet(true)) {
                        stop.run();
                    } else if (signal.getName().equals("INT")) {
                        Runtime.getRuntime().halt(SIGNALED + signal.getNumber());
                    }
                });
            }
            return true;
        } catch (IllegalArgumentException | LinkageError e) {
            // Without the module jdk.unsupported, or with -Xrs: the hook of parley run stops the instance.
            return false;
        }
    }
}
