package dev.parley.tap;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpURI;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is recorded of bodies and streams is what the other side gets, or a gap. */
class CopiesTest {
    private static final String HEAD = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}";

    @TempDir
    private Path state;

    private final ListReceiver receiver = new ListReceiver();
    private final AtomicLong budget = new AtomicLong(32 << 20);
    private Outbox outbox;

    @BeforeEach
    void start() throws IOException {
        outbox = new Outbox(() -> receiver, Map.of(), Map.of(), SessionFile.create(state, "tap-test"), 64 << 20, false);
    }

    @AfterEach
    void stop() throws Exception {
        outbox.close(Duration.ofSeconds(60));
    }

    private Exchange exchange(String method, HttpFields headers) {
        return new Exchange(
                outbox, budget, "peers", "tap-test-1", method, HttpURI.from("http://localhost/mcp"), headers, Map.of());
    }

    /** Records of a response whose body comes in chunks. */
    private List<String> response(HttpFields headers, byte[] body, int chunk) throws Exception {
        Exchange exchange = exchange("GET", HttpFields.EMPTY);
        exchange.requestRead();
        exchange.response(200, headers);
        for (int i = 0; i < body.length; i += chunk) {
            exchange.content(ByteBuffer.wrap(Arrays.copyOfRange(body, i, Math.min(body.length, i + chunk))));
        }
        exchange.responseRead();
        exchange.close();
        outbox.close(Duration.ofSeconds(60));
        return receiver.lines();
    }

    private static HttpFields encoded(String encoding) {
        return HttpFields.build().put("Content-Encoding", encoding);
    }

    private static byte[] gzip(String text) throws IOException {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(compressed)) {
            out.write(text.getBytes(UTF_8));
        }
        return compressed.toByteArray();
    }

    private static byte[] concat(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    /** Clients read all members of a gzip body. */
    @ParameterizedTest
    @ValueSource(ints = {1, 5, 8, 9, 64, 10_000})
    void aLaterMemberOfACompressedBodyIsNotHidden(int chunk) throws Exception {
        byte[] body = concat(gzip(HEAD), gzip(",\"hidden\":1}"));

        assertThat(response(encoded("gzip"), body, chunk).get(1)).isIn("< " + HEAD + ",\"hidden\":1}", "<gap");
    }

    @ParameterizedTest
    @CsvSource({"gzip, 9", "gzip, 1", "gzip, 4", "deflate, 9", "deflate, 1"})
    void aCompressedBodyThatBreaksOffIsAGap(String encoding, int missing) throws Exception {
        ByteArrayOutputStream deflated = new ByteArrayOutputStream();
        try (OutputStream out = new DeflaterOutputStream(deflated)) {
            out.write((HEAD + "}").getBytes(UTF_8));
        }
        byte[] body = encoding.equals("gzip") ? gzip(HEAD + "}") : deflated.toByteArray();

        assertThat(response(encoded(encoding), Arrays.copyOf(body, body.length - missing), 64)
                        .get(1))
                .isEqualTo("<gap");
    }

    @Test
    void aCompressedBodyWithAWrongChecksumIsAGap() throws Exception {
        byte[] body = gzip(HEAD + "}");
        body[body.length - 8]++;

        assertThat(response(encoded("gzip"), body, 64).get(1)).isEqualTo("<gap");
    }

    @Test
    void twoFieldsOfAnEncodingAreOne() throws Exception {
        HttpFields headers =
                HttpFields.build().add("Content-Encoding", "identity").add("Content-Encoding", "gzip");

        assertThat(response(headers, gzip(HEAD + "}"), 64).get(1)).isIn("< " + HEAD + "}", "<gap");
    }

    @ParameterizedTest
    @ValueSource(strings = {": %s", "id: %s", "retry: %s", "event: %s", "other: %s", "event: ping\ndata: %s"})
    void aLongPartOfAStreamThatIsNoMessageIsNoGap(String part) throws Exception {
        String stream = part.formatted("x".repeat(2 << 20)) + "\n\ndata: {}\n\n";
        HttpFields headers = HttpFields.build().put("Content-Type", "text/event-stream");

        assertThat(response(headers, stream.getBytes(UTF_8), 64 << 10)).containsExactly(">", "< {}");
    }

    /** Each byte of a copy comes back, however an exchange ends. */
    @Test
    void anEndedExchangeHoldsNoMemory() throws Exception {
        long before = budget.get();
        for (String type : new String[] {"application/json", "text/event-stream"}) {
            Exchange exchange = exchange("POST", HttpFields.EMPTY);
            exchange.request(ByteBuffer.wrap(new byte[100_000]), false);
            exchange.response(200, HttpFields.build().put("Content-Type", type));
            exchange.content(ByteBuffer.wrap(new byte[100_000]));
            exchange.content(ByteBuffer.wrap("data: 12345".repeat(1_000).getBytes(UTF_8)));
            exchange.close();
            exchange.close();
        }

        assertThat(budget).hasValue(before);
    }

    /** The last chunk of a request may come after its answer. */
    @Test
    void theStartOfASessionIsMarkedThoughTheServerAnswersEarly() throws Exception {
        Exchange exchange = exchange("POST", HttpFields.EMPTY);
        byte[] body = "{\"id\":1,\"method\":\"initialize\"}".getBytes(UTF_8);
        exchange.request(ByteBuffer.wrap(body), false);
        exchange.response(200, HttpFields.build().put("Mcp-Session-Id", "s").put("Content-Length", 2));
        exchange.request(ByteBuffer.allocate(0), true);
        exchange.content(ByteBuffer.wrap("{}".getBytes(UTF_8)));
        exchange.close();
        outbox.close(Duration.ofSeconds(60));

        assertThat(receiver.lines()).containsExactly(">start " + new String(body, UTF_8), "< {}");
    }

    @Test
    void aToolThatIsNamedInitializeStartsNoSession() throws Exception {
        Exchange exchange = exchange("POST", HttpFields.EMPTY);
        String body = "{\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"initialize\"}}";
        exchange.request(ByteBuffer.wrap(body.getBytes(UTF_8)), true);
        exchange.response(200, HttpFields.build().put("Mcp-Session-Id", "s").put("Content-Length", 2));
        exchange.content(ByteBuffer.wrap("{}".getBytes(UTF_8)));
        exchange.close();
        outbox.close(Duration.ofSeconds(60));

        assertThat(receiver.lines().get(0)).isEqualTo("> " + body);
    }

    /** Otherwise, a client that holds its last byte back would make the answer one to an unknown request. */
    @ParameterizedTest
    @ValueSource(strings = {"application/json", "text/event-stream"})
    void anAnswerBeforeTheEndOfItsRequestFollowsAGap(String type) throws Exception {
        Exchange exchange = exchange("POST", HttpFields.EMPTY);
        exchange.request(ByteBuffer.wrap("{\"id\":1,".getBytes(UTF_8)), false);
        exchange.response(200, HttpFields.build().put("Content-Type", type));
        exchange.content(ByteBuffer.wrap((type.startsWith("text") ? "data: {}\n\n" : "{}").getBytes(UTF_8)));
        exchange.responseRead();
        exchange.request(ByteBuffer.wrap("\"method\":\"ping\"}".getBytes(UTF_8)), true);
        exchange.close();
        outbox.close(Duration.ofSeconds(60));

        assertThat(receiver.lines()).containsExactly("<gap", "< {}");
    }
}
