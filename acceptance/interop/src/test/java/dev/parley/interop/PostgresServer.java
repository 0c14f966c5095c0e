package dev.parley.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A PostgreSQL server of Debian's package, with a new data directory on a free port of the loopback address. */
final class PostgresServer implements AutoCloseable {
    static final String USER = "parley";

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final Path INSTALLED = Path.of("/usr/lib/postgresql");
    /** PostgreSQL refuses to run as root; Debian's package creates this user. */
    private static final String UNPRIVILEGED = "postgres";

    private final Path directory;
    private final Path programs;
    private final String password;
    private final int port;
    private final Process server;

    private PostgresServer(Path directory, Path programs, String password, int port, Process server) {
        this.directory = directory;
        this.programs = programs;
        this.password = password;
        this.port = port;
        this.server = server;
    }

    static PostgresServer start() throws Exception {
        Path programs = programs();
        // Not below the directory of a test, which the other user cannot enter.
        Path directory = Files.createTempDirectory("parley-postgresql");
        String password = UUID.randomUUID().toString();
        Path passwordFile = Files.writeString(directory.resolve("password"), password);
        if (isRoot()) {
            for (Path path : List.of(directory, passwordFile)) {
                Files.setOwner(
                        path,
                        FileSystems.getDefault().getUserPrincipalLookupService().lookupPrincipalByName(UNPRIVILEGED));
            }
        }
        String data = directory.resolve("data").toString();
        run(
                directory,
                programs.resolve("initdb").toString(),
                "--pgdata=" + data,
                "--username=" + USER,
                "--pwfile=" + passwordFile,
                "--auth=scram-sha-256",
                "--encoding=UTF8",
                "--locale=C.UTF-8",
                "--no-sync");
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        Process server = process(
                        directory,
                        programs.resolve("postgres").toString(),
                        "-D",
                        data,
                        "-h",
                        "127.0.0.1",
                        "-p",
                        Integer.toString(port),
                        "-k",
                        directory.toString(),
                        "-F")
                .redirectOutput(directory.resolve("server.log").toFile())
                .start();
        PostgresServer started = new PostgresServer(directory, programs, password, port, server);
        try {
            await().atMost(TIMEOUT).ignoreException(SQLException.class).until(() -> {
                try (Connection connection = started.connect()) {
                    return connection.isValid(1);
                }
            });
            return started;
        } catch (RuntimeException e) {
            started.close();
            throw e;
        }
    }

    String url() {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres";
    }

    String password() {
        return password;
    }

    Connection connect() throws SQLException {
        return DriverManager.getConnection(url(), USER, password);
    }

    /** The newest installed version. */
    private static Path programs() throws IOException {
        assertThat(INSTALLED)
                .as("Debian's package postgresql, which .ci/clients installs")
                .isDirectory();
        try (Stream<Path> versions = Files.list(INSTALLED)) {
            return versions.map(version -> version.resolve("bin"))
                    .filter(bin -> Files.isExecutable(bin.resolve("initdb")))
                    .max(Comparator.comparing(bin ->
                            Integer.parseInt(bin.getParent().getFileName().toString())))
                    .orElseThrow();
        }
    }

    private static boolean isRoot() {
        return System.getProperty("user.name").equals("root");
    }

    private static void run(Path directory, String... command) throws IOException, InterruptedException {
        Path output = Files.createTempFile("parley-postgresql", ".txt");
        Process process =
                process(directory, command).redirectOutput(output.toFile()).start();
        assertThat(process.waitFor(TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(Files.readString(output)).isZero();
        Files.delete(output);
    }

    private static ProcessBuilder process(Path directory, String... command) {
        List<String> words = new ArrayList<>();
        if (isRoot()) {
            words.addAll(
                    List.of("setpriv", "--reuid=" + UNPRIVILEGED, "--regid=" + UNPRIVILEGED, "--clear-groups", "--"));
        }
        words.addAll(List.of(command));
        return new ProcessBuilder(words).directory(directory.toFile()).redirectErrorStream(true);
    }

    @Override
    public void close() throws IOException, InterruptedException {
        if (server.isAlive()) {
            run(
                    directory,
                    programs.resolve("pg_ctl").toString(),
                    "stop",
                    "--pgdata=" + directory.resolve("data"),
                    "--mode=immediate");
        }
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
