package dev.parley.distribution;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The archive of parley tap alone, unpacked and started from elsewhere. */
class TapArchiveIT {
    private static final String NAME = "parley-tap-" + System.getProperty("parley.version");
    private static final Path ARCHIVE =
            Path.of("deploy", "distribution", "target", NAME + ".tar.gz").toAbsolutePath();
    private static final long MAX_BYTES = 20 << 20;
    private static final String REQUEST = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";

    /** With a space in its name. */
    @TempDir
    private static Path parent;

    private static Path home;

    @TempDir
    private Path elsewhere;

    private record Result(int exit, String out, String err) {}

    @BeforeAll
    static void unpack() throws Exception {
        Path directory = Files.createDirectory(parent.resolve("two words"));
        assertThat(ARCHIVE).exists();
        assertThat(run(directory, "", "tar", "-xzf", ARCHIVE.toString()).exit()).isZero();
        home = directory.resolve(NAME);
    }

    private static Result run(Path directory, String input, String... command) throws Exception {
        Path in = Files.writeString(Files.createTempFile(parent, "input", ".txt"), input);
        Path out = Files.createTempFile(parent, "output", ".txt");
        Path err = Files.createTempFile(parent, "errors", ".txt");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectInput(in.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("PARLEY_"));
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        int exit = builder.start().waitFor();
        return new Result(exit, Files.readString(out, UTF_8), Files.readString(err, UTF_8));
    }

    private Result parley(String input, String... arguments) throws Exception {
        List<String> command =
                new ArrayList<>(List.of(home.resolve("bin/parley").toString()));
        command.addAll(List.of(arguments));
        return run(elsewhere, input, command.toArray(String[]::new));
    }

    @Test
    void theTapPassesALineAndSendsBothDirections() throws Exception {
        List<String> bodies = new CopyOnWriteArrayList<>();
        HttpServer receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        receiver.createContext("/v1/wire", exchange -> {
            bodies.add(new String(exchange.getRequestBody().readAllBytes(), UTF_8));
            exchange.sendResponseHeaders(202, -1);
            exchange.close();
        });
        receiver.start();
        try {
            String url = "http://127.0.0.1:" + receiver.getAddress().getPort();
            String state = elsewhere.resolve("state").toString();
            Result passed = parley(REQUEST, "tap", "mcp", "--url", url, "--state", state, "--", "cat");

            assertThat(passed).isEqualTo(new Result(0, REQUEST, ""));
            List<JsonNode> records = new ArrayList<>();
            for (String line : String.join("\n", bodies).split("\n+")) {
                records.add(new ObjectMapper().readTree(line));
            }
            assertThat(records)
                    .extracting(record -> record.at("/headers/parley-direction").asText() + " "
                            + new String(
                                    Base64.getDecoder()
                                            .decode(record.path("wireBase64").asText()),
                                    UTF_8))
                    .containsExactly(
                            "client-to-server " + REQUEST.strip(),
                            "server-to-client " + REQUEST.strip(),
                            "server-to-client ");
        } finally {
            receiver.stop(0);
        }
    }

    @Test
    void theServerHasTheEnvironmentOfItsClient() throws Exception {
        String state = elsewhere.resolve("state").toString();
        String[] options = {"tap", "mcp", "--url", "http://127.0.0.1:1", "--flush", "0", "--state", state, "--"};
        List<String> command = new ArrayList<>(
                List.of("env", "LC_ALL=C", home.resolve("bin/parley").toString()));
        command.addAll(List.of(options));
        command.add("env");

        // The shell of the launcher sets its own directory, and bash the name of its command.
        List<String> tapped = run(elsewhere, "", command.toArray(String[]::new))
                .out()
                .lines()
                .filter(line -> !line.matches("(PWD|OLDPWD|_)=.*"))
                .toList();
        List<String> plain = run(elsewhere, "", "env", "LC_ALL=C", "env")
                .out()
                .lines()
                .filter(line -> !line.matches("(PWD|OLDPWD|_)=.*"))
                .toList();

        assertThat(tapped).contains("LC_ALL=C").containsExactlyInAnyOrderElementsOf(plain);
    }

    @Test
    void theOtherCommandsNameTheirArchive() throws Exception {
        Result verify = parley("", "verify");

        assertThat(verify.exit()).isEqualTo(69);
        assertThat(verify.err()).contains("this archive has parley tap only", "verify, install parley-VERSION");
        assertThat(parley("", "tap", "--help").out()).contains("parley tap wrap FILE");
    }

    @Test
    void itIsSmallAndHasNoStreamsStoreOrFramework() throws IOException {
        assertThat(ARCHIVE).satisfies(archive -> assertThat(Files.size(archive)).isLessThan(MAX_BYTES));
        assertThat(home.resolve("LICENSE")).exists();
        assertThat(home.resolve("NOTICE")).exists();
        assertThat(libraries())
                .contains(NAME + ".jar")
                .noneMatch(name -> name.matches("(kafka-streams|rocksdb|picocli|zstd|lz4|snappy|junit|assertj).*"))
                .filteredOn(name -> name.startsWith("parley-"))
                .allMatch(name -> name.matches("parley-(tap|oidc|codecs|schemas)-.*"));
    }

    private static List<String> libraries() throws IOException {
        try (Stream<Path> files = Files.list(home.resolve("lib"))) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }

    @Test
    void theBillOfMaterialsNamesTheLibrariesAndTheirLicenses() throws IOException {
        Path bill = home.resolve("parley-tap.cdx.json");
        assumeTrue(Files.exists(bill), "no bill of materials: Maven was offline");
        List<String> expected = new ArrayList<>(List.of(NAME + ".jar"));
        for (JsonNode component : new ObjectMapper().readTree(bill.toFile()).path("components")) {
            assertThat(component.path("licenses")).as(component.toString()).isNotEmpty();
            expected.add(component.path("name").asText() + "-"
                    + component.path("version").asText() + ".jar");
        }
        assertThat(libraries()).containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    void theArchiveNamesNoUserAndNoTimeOfThisBuild() throws Exception {
        Result listed = run(elsewhere, "", "env", "TZ=UTC", "tar", "--numeric-owner", "-tvzf", ARCHIVE.toString());

        assertThat(listed.out().lines())
                .isNotEmpty()
                .allSatisfy(line -> assertThat(line).contains(" 0/0 ", " 2026-01-01 00:00 "));
    }
}
