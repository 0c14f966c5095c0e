package dev.parley.tap;

import java.io.IOException;
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
    /** Commands and options; the command line of Parley reads them for its help and completion. */
    public static final String USAGE = """
            Usage: parley tap mcp [OPTION...] -- COMMAND [ARGUMENT...]
                   parley tap http --listen HOST:PORT --to URL [OPTION...]
                   parley tap wrap FILE [OPTION...]
                   parley tap unwrap FILE

            Passes the traffic of an MCP client and server on unchanged, and records it.
              mcp     runs a server that talks over standard input and output
              http    reverse proxy of a server that talks HTTP
              wrap    puts parley tap mcp before the servers of a client's configuration file
              unwrap  takes it out again

            Options of the receiver, one of the first two:
              --bootstrap-servers HOST:PORT,...  Kafka, with
                --topic TOPIC                    input topic; default parley.wire
                --command-config FILE            settings of the producer, such as those of security
              --url URL                          Parley's HTTP API, with
                --token-file FILE                file with a token of the role recorder
              --namespace NAME                   agent system; default default
              --client NAME, --server NAME       names of the two sides; default client and server, after
                                                 wrap the server's name in the file
              --on-outage pass|block             while the receiver is away, messages pass unrecorded and
                                                 a gap is recorded (default), or they wait
              --buffer MB                        memory of records not delivered yet; default 8
              --flush SECONDS                    maximum wait for the receiver at the end; default 5
              --mask default|FILE                replaces credentials and e-mail addresses in the records, or what
                                                 the rules of a file name, by keyed hashes
              --mask-key-file FILE               key of the hashes; default generated in --state
              --spool DIR                        disk for records not delivered yet
              --spool-size MB                    its maximum; default 256
              --state DIR                        sessions that may have a gap;
                                                 default ~/.local/state/parley-tap

            Options of http; files are in PEM:
              --tls-certificate FILE, --tls-key FILE  certificate chain and private key towards clients
              --tls-client-ca FILE               clients need a certificate of these authorities
              --ca FILE                          authorities of the server; default those of Java
              --oidc-issuer URL, --oidc-audience NAME,..., --oidc-jwks-url URL
                                                 provider of the tokens that name callers

            Exit status: that of COMMAND; otherwise 0, 1 for a failure, 2 for a wrong command line.
            """;

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

    private static int run(List<String> arguments) throws UsageException, IOException, InterruptedException {
        String command = arguments.isEmpty() ? "--help" : arguments.get(0);
        switch (command) {
            case "--help", "-h", "help" -> System.out.print(USAGE);
            case "mcp" -> {
                return mcp(arguments);
            }
            case "http" -> http(arguments);
            case "wrap", "unwrap" -> {
                return configure(command.equals("wrap"), arguments);
            }
            default -> throw new UsageException("unknown command " + command);
        }
        return 0;
    }

    private static int mcp(List<String> arguments) throws UsageException, IOException, InterruptedException {
        TapOptions options = new TapOptions(arguments, 1, Set.of());
        List<String> server = arguments.subList(options.end(), arguments.size());
        if (server.isEmpty()) {
            throw new UsageException("the command of the server is missing: parley tap mcp [OPTION...] -- COMMAND");
        }
        Outbox outbox = outbox(options, processName(options.get("server")));
        int status = new StdioTap(outbox, outbox.process(), MAX_MESSAGE_BYTES).run(server);
        outbox.close(options.flush());
        return status;
    }

    private static void http(List<String> arguments) throws UsageException, IOException, InterruptedException {
        TapOptions options = new TapOptions(arguments, 1, TapOptions.HTTP);
        HttpTap.run(options, outbox(options, processName(options.get("server"))));
    }

    private static Outbox outbox(TapOptions options, String process) throws UsageException, IOException {
        Receiver.Opener receiver = options.receiver();
        Path directory = options.spool();
        Spool spool = directory == null
                ? null
                : Spool.open(directory, options.spoolBytes(), process, options.headers(), receiver);
        Outbox outbox = new Outbox(
                // Masks before the disk, too.
                Masking.of(options, spool == null ? receiver : () -> spool),
                options.headers(),
                options.senders(),
                SessionFile.create(options.state(), process),
                options.bufferBytes(),
                options.blocks());
        if (spool != null) {
            outbox.deliverFrom(spool);
        }
        outbox.reportLeft();
        return outbox;
    }

    /** A name that no other process has: server, host, process ID, time and a random number. */
    private static String processName(String server) {
        byte[] random = new byte[4];
        new SecureRandom().nextBytes(random);
        return String.join(
                "-",
                plain(server == null ? "tap" : server),
                plain(host()),
                Long.toString(ProcessHandle.current().pid()),
                TIME.format(Instant.now()),
                HexFormat.of().formatHex(random));
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

    private static int configure(boolean wraps, List<String> arguments) throws UsageException, IOException {
        if (arguments.size() < 2) {
            throw new UsageException("the file is missing: parley tap " + arguments.get(0) + " FILE");
        }
        List<String> options = arguments.subList(2, arguments.size());
        if (wraps) {
            TapOptions checked = new TapOptions(options, 0, Set.of());
            checked.receiver();
            checked.spool();
            checked.spoolBytes();
            if (checked.get("mask") != null) {
                Masking.rules(checked.get("mask"));
            }
            if (checked.end() < options.size()) {
                throw new UsageException("unexpected argument " + options.get(checked.end()));
            }
            options = checked.absolute();
        } else if (!options.isEmpty()) {
            throw new UsageException("unexpected argument " + options.get(0));
        }
        Path file = Path.of(arguments.get(1));
        String command = System.getProperty("parley.command", "parley");
        // The client starts it in a directory of its own.
        String absolute = command.indexOf('/') < 0
                ? command
                : Path.of(command).toAbsolutePath().normalize().toString();
        List<String> servers =
                wraps ? ClientConfiguration.wrap(file, absolute, options) : ClientConfiguration.unwrap(file);
        servers.forEach(server -> System.out.println((wraps ? "wrapped " : "unwrapped ") + server));
        return 0;
    }
}
