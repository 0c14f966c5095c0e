package dev.parley.tap;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StdioTapTest {
    private static final String REQUEST = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";

    @TempDir
    private Path directory;

    private final List<Process> processes = new ArrayList<>();
    private final WireEndpoint parley = new WireEndpoint();

    StdioTapTest() throws IOException {}

    @AfterEach
    void stop() {
        processes.forEach(Process::destroyForcibly);
        parley.close();
    }

    private Process tap(String... server) throws IOException {
        return tap(List.of(), server);
    }

    private Process tap(List<String> options, String... server) throws IOException {
        List<String> arguments =
                new ArrayList<>(List.of("mcp", "--url", parley.url(), "--buffer", "4", "--state", state().toString()));
        arguments.addAll(
                options.contains("--flush=0")
                        ? options
                        : Stream.concat(Stream.of("--flush=60"), options.stream())
                                .toList());
        arguments.add("--");
        arguments.addAll(List.of(server));
        Process process = TapProcess.start(directory.resolve("errors"), arguments.toArray(String[]::new));
        processes.add(process);
        return process;
    }

    private Path state() {
        return directory.resolve("state");
    }

    /** Files of sessions that may have a gap. */
    private List<Path> sessions() throws IOException {
        try (Stream<Path> files = Files.walk(state())) {
            return files.filter(Files::isRegularFile).toList();
        }
    }

    private String errors() throws IOException {
        return Files.readString(directory.resolve("errors"));
    }

    private static CompletableFuture<byte[]> readAll(Process process) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return process.getInputStream().readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void bytesPassUnchangedInBothDirectionsInAnyChunks(long seed) throws Exception {
        Random random = new Random(seed);
        byte[] bytes = new byte[300_000];
        random.nextBytes(bytes);
        Process tap = tap("cat");
        CompletableFuture<byte[]> output = readAll(tap);

        try (OutputStream input = tap.getOutputStream()) {
            for (int start = 0; start < bytes.length; ) {
                int count = Math.min(1 + random.nextInt(20_000), bytes.length - start);
                input.write(bytes, start, count);
                input.flush();
                start += count;
            }
        }

        assertThat(output.get()).isEqualTo(bytes);
        assertThat(tap.waitFor()).isZero();
        for (Direction direction : Direction.values()) {
            assertThat(parley.values(direction)).containsExactlyElementsOf(lines(bytes));
        }
    }

    private static List<byte[]> lines(byte[] bytes) {
        List<byte[]> lines = new ArrayList<>();
        int start = 0;
        for (int i = 0; i <= bytes.length; i++) {
            if (i == bytes.length || bytes[i] == '\n') {
                if (i > start) {
                    lines.add(Arrays.copyOfRange(bytes, start, i));
                }
                start = i + 1;
            }
        }
        return lines;
    }

    @Test
    void aSessionHasAStartAnEndAndOneKeyInTheOrderOfCausality() throws Exception {
        Process tap = tap(List.of("--namespace", "acme", "--client", "C", "--server=S"), "cat");
        try (OutputStream input = tap.getOutputStream();
                BufferedReader output = tap.inputReader()) {
            for (int i = 0; i < 100; i++) {
                input.write((i + "\n").getBytes(UTF_8));
                input.flush();
                assertThat(output.readLine()).isEqualTo(Integer.toString(i));
            }
        }

        assertThat(tap.waitFor()).isZero();
        assertThat(parley.records)
                .extracting(Captured::session)
                .hasSize(201)
                .containsOnly(parley.records.get(0).session());
        for (int i = 0; i < 100; i++) {
            assertThat(parley.records.get(2 * i).headers())
                    .containsEntry("parley-direction", "client-to-server")
                    .containsEntry("parley-sender", "C");
            assertThat(parley.records.get(2 * i + 1).headers())
                    .containsEntry("parley-direction", "server-to-client")
                    .containsEntry("parley-sender", "S");
        }
        List<String> marks = new ArrayList<>(Collections.nCopies(201, ""));
        marks.set(0, "start");
        marks.set(200, "end");
        assertThat(parley.marks()).isEqualTo(marks);
        assertThat(parley.records.get(0).headers())
                .containsEntry("parley-protocol", "mcp")
                .containsEntry("parley-namespace", "acme");
        assertThat(sessions()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"exit 0, 0", "exit 7, 7", "kill -KILL $$, 137"})
    void theExitStatusIsThatOfTheServer(String script, int status) throws Exception {
        assertThat(tap("sh", "-c", script).waitFor()).isEqualTo(status);
    }

    @Test
    void aServerThatDoesNotStartIsAClearError() throws Exception {
        assertThat(tap("/none/such").waitFor()).isEqualTo(127);
        assertThat(errors()).contains("parley tap: cannot start /none/such");
    }

    @ParameterizedTest
    @CsvSource({"TERM, 41", "INT, 42", "HUP, 43"})
    void signalsArePassedOn(String signal, int status) throws Exception {
        Process tap = tap(
                "sh",
                "-c",
                "trap 'exit 41' TERM; trap 'exit 42' INT; trap 'exit 43' HUP; echo ready;"
                        + " while :; do read line; done");
        assertThat(tap.inputReader().readLine()).isEqualTo("ready");

        new ProcessBuilder("sh", "-c", "kill -s " + signal + " " + tap.pid())
                .start()
                .waitFor();

        assertThat(tap.waitFor()).isEqualTo(status);
        assertThat(parley.marks()).containsExactly("start", "end");
    }

    @Test
    void anInterruptOfTheTerminalReachesTheServerOnce() throws Exception {
        assumeThat(Path.of("/usr/bin/script")).isExecutable();
        Path log = Files.createFile(directory.resolve("log"));
        Path script = Files.writeString(
                directory.resolve("server"),
                "trap 'echo INT >>" + log + "' INT; trap 'echo TERM >>" + log + "; exit 0' TERM\n" + "echo $PPID >>"
                        + log + "; while :; do read line; done\n");
        List<String> tap = TapProcess.command(
                "mcp", "--url=" + parley.url(), "--state=" + state(), "--flush=0", "--", "sh", script.toString());
        Process terminal = new ProcessBuilder("script", "-qec", String.join(" ", tap), "/dev/null")
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("output").toFile())
                .start();
        processes.add(terminal);
        await().until(() -> Files.readAllLines(log).size() == 1);

        // As a user presses it.
        terminal.getOutputStream().write(3);
        terminal.getOutputStream().flush();
        await().until(() -> Files.readAllLines(log).size() == 2);
        // Passed on after the interrupt, if that was.
        new ProcessBuilder("kill", Files.readAllLines(log).get(0)).start().waitFor();
        await().until(() -> Files.readAllLines(log).contains("TERM"));

        assertThat(Files.readAllLines(log).subList(1, 3)).containsExactly("INT", "TERM");
    }

    @Test
    void theOwnerOfTheProcessIsTheCallerOfTheClientsMessages() throws Exception {
        Process tap = tap("cat");
        tap.getOutputStream().write((REQUEST + "\n").getBytes(UTF_8));
        tap.getOutputStream().close();

        assertThat(tap.waitFor()).isZero();
        assertThat(parley.records.get(0).headers())
                .containsEntry("parley-caller", System.getProperty("user.name"))
                .containsEntry("parley-caller-proof", "process")
                .containsEntry(
                        "parley-delegation",
                        "[\"" + ProcessHandle.current().info().command().orElseThrow() + "\"]");
        assertThat(parley.records).hasSize(3);
        assertThat(parley.records.subList(1, 3))
                .allSatisfy(record -> assertThat(record.headers()).doesNotContainKeys("parley-caller"));
    }

    @Test
    void standardErrorPasses() throws Exception {
        assertThat(tap("sh", "-c", "echo problem >&2").waitFor()).isZero();
        assertThat(errors()).isEqualTo("problem\n");
        assertThat(parley.records).isEmpty();
    }

    @Test
    void aServerThatNeverReadsHoldsTheClientUpAndNotItsOwnOutput() throws Exception {
        Process tap = tap("sh", "-c", "echo first; echo second; exec tail -f /dev/null");
        CompletableFuture<Void> writing = CompletableFuture.runAsync(() -> {
            try (OutputStream input = tap.getOutputStream()) {
                for (int i = 0; i < 1_000; i++) {
                    input.write(new byte[64 << 10]);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });

        BufferedReader output = tap.inputReader();
        assertThat(output.readLine()).isEqualTo("first");
        assertThat(output.readLine()).isEqualTo("second");
        await().until(() -> parley.records.size() == 2);
        assertThat(writing).isNotDone();
        // The server ends, and with it the tap.
        tap.toHandle().children().forEach(ProcessHandle::destroy);
        assertThat(tap.waitFor()).isEqualTo(143);
    }

    @Test
    void aLineBeyondTheLimitPassesAndIsAGap() throws Exception {
        Process tap = tap("cat");
        CompletableFuture<byte[]> output = readAll(tap);
        byte[] line = new byte[3 << 20];
        Arrays.fill(line, (byte) 'x');
        try (OutputStream input = tap.getOutputStream()) {
            input.write(line);
            input.write(("\n" + REQUEST + "\n").getBytes(UTF_8));
        }

        assertThat(output.get()).hasSize(line.length + REQUEST.length() + 2);
        assertThat(tap.waitFor()).isZero();
        assertThat(parley.values(Direction.CLIENT_TO_SERVER)).containsExactly(REQUEST.getBytes(UTF_8));
        assertThat(losses()).hasSize(2).allSatisfy(loss -> assertThat(loss).startsWith("records=1 bytes=3145728 "));
    }

    @Test
    void aLineOf100MegabytesPassesInBoundedMemoryAndIsAGap() throws Exception {
        Process tap = tap("cat");
        CompletableFuture<byte[]> output = readAll(tap);
        byte[] part = new byte[1 << 20];
        Arrays.fill(part, (byte) 'x');
        try (OutputStream input = tap.getOutputStream()) {
            for (int i = 0; i < 100; i++) {
                input.write(part);
            }
            input.write(("\n" + REQUEST + "\n").getBytes(UTF_8));
            input.flush();
            await().until(() -> parley.values(Direction.SERVER_TO_CLIENT).size() == 1);
            assertThat(TapProcess.peakMemory(tap)).isLessThan(96 << 10);
        }

        assertThat(output.get()).hasSize((100 << 20) + REQUEST.length() + 2);
        assertThat(tap.waitFor()).isZero();
        assertThat(losses()).hasSize(2).allSatisfy(loss -> assertThat(loss).startsWith("records=1 bytes=104857600 "));
    }

    @Test
    void aClientThatNeverReadsHoldsTheServerUpAndNotItsOwnRequests() throws Exception {
        Process tap = tap("sh", "-c", "yes '" + REQUEST + "' & while read line; do echo \"$line\" >&2; done; kill $!");
        OutputStream input = tap.getOutputStream();
        for (int i = 0; i < 100; i++) {
            input.write((REQUEST + "\n").getBytes(UTF_8));
            input.flush();
        }
        await().until(() -> errors().lines().count() == 100);
        await().until(() -> parley.values(Direction.CLIENT_TO_SERVER).size() == 100);
        assertThat(TapProcess.peakMemory(tap)).isLessThan(96 << 10);
        tap.getInputStream().close();
        input.close();

        tap.waitFor();
        assertThat(parley.values(Direction.SERVER_TO_CLIENT)).isNotEmpty();
    }

    @Test
    void secretsPassAndAreMaskedInRecordsAndOnDisk() throws Exception {
        parley.status = 503;
        Path spool = directory.resolve("spool");
        Process tap = tap(List.of("--mask=default", "--spool", spool.toString()), "cat");
        String call =
                "{\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"t\",\"arguments\":{\"password\":\"s3cret\"}}}";
        tap.getOutputStream().write((call + "\n").getBytes(UTF_8));
        tap.getOutputStream().flush();
        assertThat(tap.inputReader().readLine()).isEqualTo(call);
        await().ignoreException(NoSuchFileException.class)
                .until(() -> spooled(spool).contains("[masked:"));
        assertThat(spooled(spool)).doesNotContain("s3cret");
        parley.status = 202;
        tap.getOutputStream().close();

        assertThat(tap.waitFor()).isZero();
        assertThat(parley.records).hasSize(3);
        assertThat(parley.records.get(0).headers()).containsKey("parley-original");
        assertThat(new String(parley.records.get(0).value(), UTF_8))
                .startsWith(
                        "{\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"t\",\"arguments\":{\"password\":\"[masked:");
        assertThat(spooled(spool)).isEmpty();
    }

    private static String spooled(Path spool) throws IOException {
        StringBuilder text = new StringBuilder();
        try (Stream<Path> files = Files.walk(spool)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                text.append(new String(Files.readAllBytes(file), ISO_8859_1));
            }
        }
        return text.toString();
    }

    @Test
    void theNextStartDeliversWhatAKilledTapHasOnDiskBeforeItsGap() throws Exception {
        parley.status = 503;
        Path spool = directory.resolve("spool");
        Process killed = tap(List.of("--spool", spool.toString()), "cat");
        for (int i = 0; i < 50; i++) {
            String line = REQUEST.replace("1", "1" + i);
            killed.getOutputStream().write((line + "\n").getBytes(UTF_8));
            killed.getOutputStream().flush();
            assertThat(killed.inputReader().readLine()).isEqualTo(line);
        }
        await().ignoreException(NoSuchFileException.class)
                .until(() -> spooled(spool).split("\"ping\"", -1).length == 101);
        killed.destroyForcibly().waitFor();

        parley.status = 202;
        assertThat(tap(List.of("--spool", spool.toString()), "true").waitFor()).isZero();

        assertThat(parley.records)
                .hasSize(101)
                .extracting(Captured::session)
                .containsOnly(parley.records.get(0).session());
        for (int i = 0; i < 100; i++) {
            assertThat(parley.records.get(i).value()).asString(UTF_8).contains("\"id\":1" + i / 2 + ",");
        }
        assertThat(parley.marks().get(0)).isEqualTo("start");
        assertThat(parley.marks().get(100)).isEqualTo("gap");
        assertThat(spooled(spool)).isEmpty();
        assertThat(sessions()).isEmpty();
    }

    /** Its records are for another receiver or namespace. */
    @Test
    void theSpoolOfAnotherNamespaceIsLeftAlone() throws Exception {
        parley.status = 503;
        Path spool = directory.resolve("spool");
        Process killed = tap(List.of("--namespace", "one", "--spool", spool.toString()), "cat");
        killed.getOutputStream().write((REQUEST + "\n").getBytes(UTF_8));
        killed.getOutputStream().flush();
        await().ignoreException(NoSuchFileException.class)
                .until(() -> spooled(spool).split("\"ping\"", -1).length == 3);
        killed.destroyForcibly().waitFor();

        parley.status = 202;
        assertThat(tap(List.of("--namespace", "two", "--spool", spool.toString()), "true")
                        .waitFor())
                .isZero();
        assertThat(parley.records).isEmpty();
        assertThat(tap(List.of("--namespace", "one", "--spool", spool.toString()), "true")
                        .waitFor())
                .isZero();
        assertThat(parley.records)
                .hasSize(3)
                .extracting(record -> record.headers().get("parley-namespace"))
                .containsOnly("one");
    }

    @Test
    void theSpoolOfALivingTapIsLeftAlone() throws Exception {
        parley.status = 503;
        Path spool = directory.resolve("spool");
        Process alive = tap(List.of("--spool", spool.toString()), "cat");
        alive.getOutputStream().write((REQUEST + "\n").getBytes(UTF_8));
        alive.getOutputStream().flush();
        assertThat(alive.inputReader().readLine()).isEqualTo(REQUEST);
        await().ignoreException(NoSuchFileException.class)
                .until(() -> spooled(spool).split("\"ping\"", -1).length == 3);

        try (WireEndpoint other = new WireEndpoint()) {
            Process next = TapProcess.start(
                    directory.resolve("errors"),
                    "mcp",
                    "--url=" + other.url(),
                    "--state=" + state(),
                    "--spool=" + spool,
                    "--",
                    "echo",
                    REQUEST);
            processes.add(next);
            assertThat(next.waitFor()).isZero();
            assertThat(other.marks()).containsExactly("start", "end");
        }
        assertThat(spooled(spool)).contains("\"ping\"");
    }

    private List<String> losses() {
        return parley.records.stream()
                .filter(record -> "gap".equals(record.headers().get("parley-capture")))
                .map(record -> record.headers().get(Loss.HEADER))
                .toList();
    }

    @Test
    void trafficPassesDuringAnOutageWithinBoundedMemoryAndTheLossIsStated() throws Exception {
        parley.status = 503;
        int count = 400_000;
        Process tap = tap("sh", "-c", "yes '" + REQUEST + "' | head -n " + count + "; read line");

        long passed = 0;
        byte[] buffer = new byte[1 << 16];
        while (passed < (long) count * (REQUEST.length() + 1)) {
            passed += tap.getInputStream().read(buffer);
        }
        assertThat(TapProcess.peakMemory(tap)).isLessThan(96 << 10);
        assertThat(parley.records).isEmpty();
        parley.status = 202;
        tap.getOutputStream().close();

        assertThat(tap.waitFor()).isOne();
        int recorded = parley.values(Direction.SERVER_TO_CLIENT).size();
        assertThat(losses())
                .singleElement()
                .satisfies(loss -> assertThat(loss)
                        .startsWith("records=" + (count - recorded) + " bytes="
                                + (long) (count - recorded) * REQUEST.length() + " from=2"));
        // The gap is before what follows it.
        assertThat(parley.marks()).endsWith("gap", "end");
        assertThat(errors()).contains("the receiver is unavailable", "messages pass unrecorded");
    }

    @Test
    void whatIsNotDeliveredAtTheEndIsSaidAndRecordedByTheNextStart() throws Exception {
        parley.status = 503;
        Process first = tap(List.of("--flush=0"), "echo", REQUEST);
        assertThat(first.waitFor()).isZero();
        assertThat(errors()).contains("not delivered: records=1 bytes=" + REQUEST.length());

        parley.status = 202;
        assertThat(tap("true").waitFor()).isZero();

        assertThat(parley.records).singleElement().satisfies(gap -> {
            assertThat(gap.session()).startsWith("tap-").contains("-" + first.pid() + "-");
            assertThat(gap.headers()).containsEntry("parley-capture", "gap");
            assertThat(gap.headers().get(Loss.HEADER)).startsWith("records=1 bytes=" + REQUEST.length() + " ");
        });
        assertThat(sessions()).isEmpty();
    }

    @Test
    void aTokenThatMayNotStateCallersIsNamedAndNothingIsLostMeanwhile() throws Exception {
        parley.status = 403;
        Process tap = tap("sh", "-c", "echo '" + REQUEST + "'; read line");
        await().until(() -> errors().contains("the token needs the role recorder"));
        assertThat(parley.records).isEmpty();

        parley.status = 202;
        tap.getOutputStream().close();
        assertThat(tap.waitFor()).isOne();
        assertThat(parley.marks()).containsExactly("start", "end");
    }

    @Test
    void aKafkaThatIsAwayIsReportedInOneLine() throws Exception {
        Process tap = TapProcess.start(
                directory.resolve("errors"),
                "mcp",
                "--bootstrap-servers=127.0.0.1:1",
                "--flush=2",
                "--state=" + state(),
                "--",
                "echo",
                REQUEST);
        processes.add(tap);

        assertThat(tap.waitFor()).isZero();
        assertThat(errors().lines()).allMatch(line -> line.startsWith("parley tap: "));
        assertThat(errors()).contains("not delivered: records=1 bytes=" + REQUEST.length());
    }

    @Test
    void aKilledTapIsAGapOfItsSession() throws Exception {
        Process killed = tap("cat");
        killed.getOutputStream().write((REQUEST + "\n").getBytes(UTF_8));
        killed.getOutputStream().flush();
        assertThat(killed.inputReader().readLine()).isEqualTo(REQUEST);
        await().until(() -> parley.records.size() == 2);
        Process alive = tap("cat");
        alive.getOutputStream().write((REQUEST + "\n").getBytes(UTF_8));
        alive.getOutputStream().flush();
        assertThat(alive.inputReader().readLine()).isEqualTo(REQUEST);

        killed.destroyForcibly().waitFor();
        parley.records.clear();
        assertThat(tap("true").waitFor()).isZero();

        List<Captured> gaps = parley.records.stream()
                .filter(record -> "gap".equals(record.headers().get("parley-capture")))
                .toList();
        assertThat(gaps).singleElement().satisfies(gap -> {
            assertThat(gap.session()).contains("-" + killed.pid() + "-");
            assertThat(gap.headers().get(Loss.HEADER)).startsWith("records=unknown bytes=unknown from=2");
        });
        assertThat(sessions()).singleElement().asString().contains("-" + alive.pid() + "-");
    }
}
