package dev.parley.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.Protocol;
import dev.parley.codec.TrustedRecords;
import dev.parley.server.http.HttpSecurity;
import dev.parley.server.metrics.Metrics;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An instance with the heap of docker-compose.yml survives many concurrent requests for large pages. */
@Tag("long")
class MemoryLimitTest {

    private static final int CALLERS = 48;

    @TempDir
    private Path directory;

    @Test
    void largePagesForManyCallersDoNotExhaustTheHeap() throws IOException, InterruptedException {
        Path output = directory.resolve("output.txt");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        // mem_limit: 1g; the image gives 36 % of it to the heap.
                        "-Xmx368m",
                        "-XX:+ExitOnOutOfMemoryError",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Instance.class.getName())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();

        String said = Files.readString(output);
        assertThat(process.exitValue()).as(said).isZero();
        assertThat(said).containsPattern("/messages\\{200=" + CALLERS + "\\}");
        // Some may be rejected temporarily; none fails otherwise.
        assertThat(said)
                .containsPattern("bodies=true\\{200=\\d+(, 503=\\d+)?\\}")
                .contains("afterwards{200=1}");
    }

    /** The process under test. */
    static final class Instance {

        private static final HttpClient CLIENT = HttpClient.newHttpClient();

        public static void main(String[] arguments) {
            TrustedRecords.trust();
            FakeViews views = new FakeViews();
            views.conversations.add(Samples.conversation("default", Protocol.SLIP, "7", 200));
            // All messages share their bytes, because stores are not in the heap.
            ByteBuffer raw = ByteBuffer.wrap("x".repeat(1 << 20).getBytes(StandardCharsets.UTF_8));
            for (int i = 0; i < 200; i++) {
                AuditRecord record = Samples.slip("7", i);
                record.getMessage().setRaw(raw);
                views.messages.add(record);
            }
            QueryServer.Components parts = Loopback.components(
                    Optional.of(Standalone.distributed(views.views())),
                    List::of,
                    new Metrics(Optional.empty(), false),
                    List.of());
            try (QueryServer server = QueryServer.start(Loopback.bind(), parts, openTo(CALLERS))) {
                String messages = server.uri() + "/v1/conversations/default/SLIP/7/messages";
                System.out.println("/messages" + ask(messages, CALLERS));
                System.out.println("bodies=true" + ask(messages + "?limit=1000&bodies=true", CALLERS));
                System.out.println("afterwards" + ask(messages + "?bodies=true", 1));
            }
            System.exit(0);
        }

        /** All callers of this test have one address. */
        private static HttpSecurity openTo(int callers) {
            HttpSecurity.Limits limits = HttpLimits.DEFAULT;
            HttpSecurity.Connections connections = limits.connections();
            return new HttpSecurity(
                    Optional.empty(),
                    Optional.empty(),
                    Loopback.OPEN.rate(),
                    new HttpSecurity.Limits(
                            limits.headerBytes(),
                            limits.bodyBytes(),
                            limits.responseBytes(),
                            limits.requests(),
                            callers,
                            callers,
                            new HttpSecurity.Connections(
                                    connections.total(),
                                    callers,
                                    connections.headerMs(),
                                    connections.bodyMs(),
                                    connections.responseMs(),
                                    connections.idleMs(),
                                    connections.bytesPerSecond())),
                    Optional.empty(),
                    "",
                    Loopback.OPEN.hosts());
        }

        private static Map<Integer, Integer> ask(String uri, int callers) {
            List<CompletableFuture<HttpResponse<Void>>> responses = Stream.generate(() -> CLIENT.sendAsync(
                            HttpRequest.newBuilder(URI.create(uri)).build(), BodyHandlers.discarding()))
                    .limit(callers)
                    .toList();
            Map<Integer, Integer> statuses = new TreeMap<>();
            responses.forEach(answer -> statuses.merge(answer.join().statusCode(), 1, Integer::sum));
            return statuses;
        }
    }
}
