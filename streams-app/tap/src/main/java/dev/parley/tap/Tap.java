package dev.parley.tap;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;

/** The command {@code parley tap}. */
public final class Tap {
    /** Maximum bytes of a recorded message; the default of {@code limits.message.bytes}. */
    static final int MAX_MESSAGE_BYTES = 1 << 20;

    private static final int MAX_NAME = 64;
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss").withZone(ZoneOffset.UTC);
    private static final int EXIT_FAILED = 1;
    private static final int EXIT_USAGE = 2;
    /** Commands and options; the taps and the command line of Parley read them from it. */
    public static final String USAGE = usage();

    private Tap() {}

    /** Runs a command, and exits with its status. */
    public static void main(String[] arguments) {
        // The libraries log with SLF4J; without a provider, that says so on standard error.
        System.setProperty("slf4j.internal.verbosity", "ERROR");
        int status;
        try {
            status = run(List.of(arguments));
        } catch (UsageException e) {
            Console.say(e.getMessage() + "; see parley tap --help");
            status = EXIT_USAGE;
        } catch (IOException e) {
            Console.say(Console.reason(e));
            status = EXIT_FAILED;
        } catch (InterruptedException e) {
            status = EXIT_FAILED;
        }
        // A thread that waits for the client cannot be interrupted.
        Runtime.getRuntime().halt(status);
    }

    private static String usage() {
        try (InputStream usage = Tap.class.getResourceAsStream("usage.txt")) {
            return new String(usage.readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int run(List<String> arguments) throws UsageException, IOException, InterruptedException {
        String command = arguments.isEmpty() ? "--help" : arguments.get(0);
        switch (command) {
            case "--help", "-h", "help" -> System.out.print(USAGE);
            case "mcp" -> {
                return mcp(arguments);
            }
            case "http" -> {
                TapOptions options = new TapOptions(arguments, 1, TapOptions.HTTP).check();
                HttpTap.run(options, outbox(options));
            }
            case "wrap", "unwrap" -> configure(command, arguments);
            default -> throw new UsageException("unknown command " + command);
        }
        return 0;
    }

    private static int mcp(List<String> arguments) throws UsageException, IOException, InterruptedException {
        TapOptions options = new TapOptions(arguments, 1, Set.of()).check();
        List<String> server = arguments.subList(options.end(), arguments.size());
        if (server.isEmpty()) {
            throw new UsageException("the command of the server is missing: parley tap mcp [OPTION...] -- COMMAND");
        }
        Outbox outbox = outbox(options);
        int status = new StdioTap(outbox).run(server);
        outbox.close(options.flush());
        return status;
    }

    private static Outbox outbox(TapOptions options) throws UsageException, IOException {
        String process = processName(options.get("server"));
        Receiver.Opener receiver = options.receiver();
        Path directory = options.path("spool");
        Spool spool = directory == null
                ? null
                : Spool.open(own(directory, options), options.spoolBytes(), process, options.headers(), receiver);
        Outbox outbox = new Outbox(
                // Masks before the disk, too.
                Masking.of(options, spool == null ? receiver : () -> spool),
                options.headers(),
                options.senders(),
                SessionFile.create(own(options.state(), options), process),
                options.bufferBytes(),
                options.blocks());
        if (spool != null) {
            outbox.deliverFrom(spool);
        }
        outbox.reportLeft();
        return outbox;
    }

    /** The part of a directory for this receiver and namespace: other taps may deliver to others. */
    private static Path own(Path directory, TapOptions options) throws IOException {
        SessionFile.createDirectory(directory);
        return directory.resolve(options.destination());
    }

    /** A name that no other process has: server, host, process ID, time and a random number. */
    private static String processName(String server) {
        return String.join(
                "-",
                plain(server == null ? "tap" : server),
                plain(host()),
                Long.toString(ProcessHandle.current().pid()),
                TIME.format(Instant.now()),
                random(4));
    }

    /** Random bytes in hex. */
    static String random(int count) {
        byte[] bytes = new byte[count];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /** The name of the host, without asking a name server. */
    private static String host() {
        String name = System.getenv("HOSTNAME");
        try {
            Path kernel = Path.of("/proc/sys/kernel/hostname");
            name = Files.isReadable(kernel) ? Files.readString(kernel).strip() : name;
        } catch (IOException e) {
            // The name of the environment, if any.
        }
        return name == null ? "host" : name;
    }

    /** A part of the name of a file and of a record key. */
    private static String plain(String name) {
        StringBuilder plain = new StringBuilder();
        name.chars()
                .limit(MAX_NAME)
                .forEach(c -> plain.append(c < 128 && Character.isLetterOrDigit(c) ? (char) c : '.'));
        return plain.toString();
    }

    private static void configure(String command, List<String> arguments) throws UsageException, IOException {
        if (arguments.size() < 2) {
            throw new UsageException("the file is missing: parley tap " + command + " FILE");
        }
        boolean wraps = command.equals("wrap");
        TapOptions options = new TapOptions(arguments, 2, Set.of());
        int end = wraps ? options.end() : 2;
        if (end < arguments.size()) {
            throw new UsageException("unexpected argument " + arguments.get(end));
        }
        Path file = Path.of(arguments.get(1));
        List<String> servers =
                wraps ? ClientConfiguration.wrap(file, parley(), wrapping(options)) : ClientConfiguration.unwrap(file);
        servers.forEach(server -> System.out.println(command + "ped " + server));
    }

    private static List<String> wrapping(TapOptions options) throws UsageException {
        if (options.check().get("mask") != null) {
            Masking.rules(options.get("mask"));
        }
        return options.absolute();
    }

    /** The command that runs Parley, as an absolute file: the client starts it in a directory of its own. */
    private static String parley() {
        String command = System.getProperty("parley.command", "parley");
        return command.indexOf('/') < 0
                ? command
                : Path.of(command).toAbsolutePath().normalize().toString();
    }
}
