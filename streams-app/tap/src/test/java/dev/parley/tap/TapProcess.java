package dev.parley.tap;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** {@code parley tap} as a process of its own, with the options of the launcher. */
final class TapProcess {
    private static final Path SETSID = Path.of("/usr/bin/setsid");

    private TapProcess() {}

    /** Starts a command; standard error goes to a file. */
    static Process start(Path errors, String... arguments) throws IOException {
        List<String> command = command(arguments);
        // In the foreground of the terminal of the tests, the tap would not pass interrupts on.
        if (Files.isExecutable(SETSID)) {
            command.add(0, SETSID.toString());
        }
        return new ProcessBuilder(command)
                .redirectError(Redirect.appendTo(errors.toFile()))
                .start();
    }

    /** The command line of a command. */
    static List<String> command(String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xss256k",
                "-Xms8m",
                // Half of the launcher's heap for the proxy, and all of the other one.
                arguments.length > 0 && arguments[0].equals("http") ? "-Xmx128m" : "-Xmx40m",
                "-cp",
                System.getProperty("java.class.path"),
                Tap.class.getName()));
        command.addAll(List.of(arguments));
        return command;
    }

    /** Maximum resident memory so far, in KiB; 0 where the system does not tell. */
    static long peakMemory(Process process) throws IOException {
        Path status = Path.of("/proc/" + process.pid() + "/status");
        if (!Files.isReadable(status)) {
            return 0;
        }
        return Files.readAllLines(status).stream()
                .filter(line -> line.startsWith("VmHWM:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .sum();
    }
}
