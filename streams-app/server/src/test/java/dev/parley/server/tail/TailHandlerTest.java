package dev.parley.server.tail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Claims;
import dev.parley.avro.InnerMessage;
import dev.parley.avro.Redaction;
import dev.parley.server.api.HttpLimits;
import dev.parley.server.api.HttpTest;
import dev.parley.server.api.Samples;
import dev.parley.server.api.Tokens;
import dev.parley.server.auth.RateLimiter;
import dev.parley.server.http.HttpSecurity;
import dev.parley.server.http.ProblemException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("long")
class TailHandlerTest extends HttpTest {
    private static final String CHAIN = "default|SLIP|1";

    private final List<Stream> streams = new ArrayList<>();
    private final AtomicInteger sequence = new AtomicInteger();
    private static final Duration SHORT = Duration.ofSeconds(2);

    @Override
    protected HttpSecurity security() {
        return Tokens.security(RateLimiter.NONE, HttpLimits.DEFAULT);
    }

    @Override
    protected TailReader.Limits tailLimits() {
        return new TailReader.Limits(SHORT, Duration.ofMillis(300));
    }

    @AfterEach
    void closeStreams() throws IOException {
        for (Stream stream : streams) {
            stream.body.close();
        }
    }

    /** One connection, read line by line. */
    private static final class Stream {
        private final InputStream body;
        private final BufferedReader lines;
        private String last;

        Stream(HttpResponse<InputStream> response) {
            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.headers().firstValue("Content-Type")).hasValue("text/event-stream");
            assertThat(response.headers().firstValue("Cache-Control")).hasValue("no-store");
            body = response.body();
            lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
        }

        /** The fields of the next block; empty at the end of the response. */
        Map<String, String> next() throws IOException {
            Map<String, String> fields = new LinkedHashMap<>();
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.isEmpty()) {
                    if (!fields.isEmpty()) {
                        last = fields.getOrDefault("id", last);
                        return fields;
                    }
                } else if (line.charAt(0) != ':') {
                    int colon = line.indexOf(':');
                    fields.put(
                            line.substring(0, colon), line.substring(colon + 1).strip());
                }
            }
            return fields;
        }

        JsonNode record() throws IOException {
            Map<String, String> block = next();
            assertThat(block).containsEntry("event", "record");
            return parse(block.get("data"));
        }

        JsonNode end() throws IOException {
            Map<String, String> block = next();
            assertThat(block).containsEntry("event", "end");
            assertThat(next()).as("the response ends").isEmpty();
            return parse(block.get("data"));
        }
    }

    private Stream open(String query, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server().uri() + "/v1/tail" + query))
                .header("Authorization", "Bearer reader");
        if (headers.length > 0) {
            request.headers(headers);
        }
        try {
            Stream stream = new Stream(HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofInputStream()));
            streams.add(stream);
            // The position at which it starts.
            assertThat(stream.next()).containsOnlyKeys("id");
            return stream;
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    private AuditRecord record(String verdict) {
        return Samples.audit(CHAIN, sequence.getAndIncrement())
                .setVerdict(verdict)
                .build();
    }

    @Test
    void recordsArriveAsTheyAreCommitted() throws IOException {
        tail.add(record("ACCEPTED"));
        Stream stream = open("");
        tail.add(record("REJECTED"));
        JsonNode first = stream.record();
        tail.add(record("ACCEPTED"));

        assertThat(first.path("sequence").asLong()).isOne();
        assertThat(first.path("verdict").asText()).isEqualTo("REJECTED");
        assertThat(first.path("chain").asText()).isEqualTo(CHAIN);
        assertThat(first.path("conversation").asText()).isEqualTo("1");
        assertThat(stream.record().path("sequence").asLong()).isEqualTo(2);
    }

    @Test
    void anEventHasWhatItsSenderNeedsToRepairTheMessage() throws IOException {
        Stream stream = open("");
        AuditRecord rejected = Samples.slip("1", 0);
        rejected.setVerdict("REJECTED");
        rejected.setCode("SLIP_TURN_REGRESSION");
        rejected.setDetail("The next free turn is 5.");
        rejected.setAllowed(List.of("a4"));
        tail.add(rejected);
        AuditRecord secret = Samples.privateLambda("c");
        secret.setDetail("It says secret.");
        tail.add(secret);

        JsonNode event = stream.record();
        assertThat(event.path("detail").asText()).isEqualTo("The next free turn is 5.");
        assertThat(event.path("remedy").asText()).isNotEmpty();
        assertThat(event.path("allowed")).isEqualTo(parse("[\"a4\"]"));
        assertThat(event.at("/warnings/0/code").asText()).isEqualTo("SLIP_TURN_GAP");
        assertThat(event.at("/warnings/0/remedy").asText()).isNotEmpty();
        assertThat(stream.record().path("detail").isNull()).isTrue();
    }

    @Test
    void filtersSelectRecords() throws IOException {
        Stream stream = open("?verdict=rejected&protocol=slip&conversation=1&namespace=default");
        Stream other = open("?conversation=2");
        tail.add(record("ACCEPTED"));
        tail.add(record("REJECTED"));
        tail.add(Samples.audit("default|SLIP|2", 0).build());

        assertThat(stream.record().path("sequence").asLong()).isOne();
        assertThat(other.record().path("conversation").asText()).isEqualTo("2");
    }

    @Test
    void filtersSelectUndecodableRecordsByTheirClaimsUnlessMaskedOrRedacted() throws IOException {
        Stream stream = open("?namespace=mine&protocol=slip&conversation=c&sender=7");
        AuditRecord redacted = claimed(1, "@a3");
        views.redactions.add(new Redaction(
                redacted.getChain(),
                redacted.getSequence(),
                redacted.getSource(),
                redacted.getHash(),
                "privacy",
                "token:operator",
                Samples.NOON,
                false));
        tail.add(redacted);
        tail.add(claimed(2, "@a3 prv:"));
        tail.add(claimed(3, "@a3"));

        JsonNode shown = stream.record();
        assertThat(shown.path("sequence").asLong()).isEqualTo(3);
        assertThat(shown.path("sender").isNull()).isTrue();
        assertThat(shown.at("/claims/sender").asText()).isEqualTo("7");
    }

    private static AuditRecord claimed(long sequence, String raw) {
        return Samples.audit("|UNKNOWN|parley.wire-3", sequence)
                .setVerdict("UNDECODABLE")
                .setRaw(ByteBuffer.wrap(raw.getBytes(StandardCharsets.UTF_8)))
                .setClaims(new Claims("SLIP", "mine", "c", "7"))
                .build();
    }

    @Test
    void redactedMessageHasNothingThatListsOmitAndIsNotFoundByIt() throws IOException {
        AuditRecord record = Samples.slip("1", sequence.getAndIncrement());
        record.setDetail("It names an agent.");
        record.setInnerMessages(List.of(new InnerMessage("SLIP", 0, 9)));
        String sender = record.getMessage().getSender();
        views.redactions.add(new Redaction(
                record.getChain(),
                record.getSequence(),
                record.getSource(),
                record.getHash(),
                "privacy",
                "token:operator",
                Samples.NOON,
                false));
        Stream all = open("");
        Stream bySender = open("?sender=" + sender);
        AuditRecord next = Samples.slip("1", sequence.getAndIncrement());
        next.getSource().setOffset(4_711);
        tail.add(record);
        tail.add(next);

        JsonNode shown = all.record();
        assertThat(shown.path("sequence").asLong()).isEqualTo(record.getSequence());
        assertThat(shown.path("verdict").asText()).isEqualTo("ACCEPTED");
        for (String member : List.of("sender", "performative", "bytes", "gloss", "detail")) {
            assertThat(shown.path(member).isNull()).as(member).isTrue();
        }
        assertThat(shown.path("to")).isEmpty();
        assertThat(shown.path("inner")).isEmpty();
        assertThat(bySender.record().path("sequence").asLong()).isEqualTo(next.getSequence());
        assertThat(all.record().path("sender").asText()).isEqualTo(sender);
    }

    @Test
    void readerThatResumesGetsEveryRecordOnce() throws IOException {
        Stream stream = open("");
        List<Long> seen = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            tail.add(record("ACCEPTED"));
            seen.add(stream.record().path("sequence").asLong());
            if (i % 3 == 0) {
                tail.add(record("ACCEPTED"));
                String last = stream.last;
                stream.body.close();
                stream = open("", "Last-Event-ID", last);
                seen.add(stream.record().path("sequence").asLong());
            }
        }
        assertThat(seen).hasSize(40).doesNotHaveDuplicates().isSorted();
    }

    @Test
    void readerThatSawNothingResumesWhereItStarted() throws IOException {
        String start = open("").last;
        tail.add(record("ACCEPTED"));

        assertThat(open("?after=" + start).record().path("sequence").asLong()).isZero();
    }

    @Test
    void streamEndsAfterItsMaximumDurationWithAReason() throws IOException {
        Stream stream = open("");

        assertThat(stream.end().path("reason").asText()).isEqualTo("RECONNECT");
        awaitOpen(0);
    }

    @Test
    void positionWhoseRecordsHaveExpiredEndsWithAReason() throws IOException {
        Stream stream = open("");
        tail.expired = true;

        assertThat(stream.end().path("reason").asText()).isEqualTo("EXPIRED");
    }

    @Test
    void stoppingInstanceEndsItsStreamsWithAReason() throws Exception {
        Stream stream = open("");
        Thread stopping = new Thread(() -> stop(Duration.ofSeconds(5)));
        stopping.start();

        assertThat(stream.end().path("reason").asText()).isEqualTo("STOPPING");
        stopping.join();
    }

    @Test
    void slowReaderIsDisconnectedWithAReasonAndDelaysNoOther() throws Exception {
        try (Socket slow = new Socket()) {
            slow.setReceiveBufferSize(4_096);
            slow.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server().port()));
            slow.getOutputStream()
                    .write(("GET /v1/tail HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
                                    + "Authorization: Bearer auditor\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            awaitOpen(1);
            Stream other = open("");
            // More than the socket buffers and the queue take.
            String detail = "n".repeat(4_000);
            Thread writer = new Thread(() -> {
                for (int i = 0; i < 2_000; i++) {
                    tail.add(Samples.audit("default|SLIP|" + detail, i).build());
                }
            });
            writer.start();
            for (int i = 0; i < 2_000; i++) {
                assertThat(other.record().path("sequence").asLong()).isEqualTo(i);
            }
            writer.join();
            awaitOpen(1);
            // The rest arrives sooner.
            slow.setReceiveBufferSize(1 << 20);
            String read = new String(slow.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(read).contains("event: end").contains("\"reason\":\"SLOW_READER\"");
            assertThat(read.split("event: record", -1)).hasSizeLessThan(2_000);
        }
    }

    @Test
    void streamsOfACallerAndOfAllAreLimited() {
        for (int i = 0; i < 12; i++) {
            open("");
        }
        problem(send("GET", "/v1/tail", "Authorization", "Bearer reader"), ProblemException.Code.CONCURRENCY_LIMITED);
        assertThat(send("GET", "/v1/conversations", "Authorization", "Bearer reader")
                        .statusCode())
                .isEqualTo(200);
    }

    /** A browser closes the connection of a page that is reloaded, and the server learns it only from failed writes. */
    @Test
    void reloadAtTheLimitOfTheCallerSucceeds() throws IOException {
        List<Socket> pages = new ArrayList<>();
        try {
            for (int i = 0; i < 12; i++) {
                pages.add(page());
            }
            for (int i = 0; i < 5; i++) {
                pages.remove(0).close();
                pages.add(page());
            }
        } finally {
            for (Socket page : pages) {
                page.close();
            }
        }
    }

    /** Opens a stream, and returns when it has started. */
    private Socket page() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server().port());
        socket.getOutputStream()
                .write("GET /v1/tail HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer reader\r\n\r\n"
                        .getBytes(StandardCharsets.US_ASCII));
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        assertThat(lines.readLine()).isEqualTo("HTTP/1.1 200 OK");
        return socket;
    }

    @Test
    void clientThatDisconnectsFreesItsStream() throws IOException {
        Stream stream = open("");
        stream.body.close();
        awaitOpen(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "0", "AQ", "AAAAAAAAAAAAAAAAAAAAAAAAAAAA", "../..", "%00"})
    void hostilePositionIsRejected(String id) {
        problem(
                send("GET", "/v1/tail", "Authorization", "Bearer reader", "Last-Event-ID", id),
                ProblemException.Code.INVALID_CURSOR);
        assertThat(tail.open).isZero();
    }

    @Test
    void positionOfAnotherTopicIsRejected() {
        String foreign = new TailPosition(new Uuid(0, 2), List.of(0L)).text();

        problem(
                send("GET", "/v1/tail", "Authorization", "Bearer reader", "Last-Event-ID", foreign),
                ProblemException.Code.INVALID_CURSOR);
    }

    @Test
    void producerMayNotFollow() {
        problem(send("GET", "/v1/tail", "Authorization", "Bearer producer"), ProblemException.Code.ROLE_MISSING);
    }

    private void awaitOpen(int count) {
        await().atMost(Duration.ofSeconds(60)).until(() -> tail.open == count);
    }
}
