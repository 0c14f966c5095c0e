package dev.parley.tap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URL;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers of a receiver, or of a proxy before it: only one about the records themselves gives them up. */
class ReceiverAnswersTest {
    private static final Batch BATCH = new Batch(
            "b-1",
            List.of(
                    new Captured("s", new byte[] {'1'}, Map.of(), 1, null),
                    new Captured("s", new byte[] {'2'}, Map.of(), 2, null)));

    private final AtomicInteger records = new AtomicInteger();
    private HttpServer server;
    private volatile int status;
    private volatile String answer = "{}";
    private volatile int maxBytes = Integer.MAX_VALUE;
    private HttpReceiver receiver;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v1/wire", exchange -> {
            byte[] body = exchange.getRequestBody().readAllBytes();
            int code = body.length > maxBytes ? 413 : status;
            if (code == 202) {
                records.addAndGet((int) new String(body).lines().count());
            }
            exchange.getResponseHeaders().set("Location", "/v1/wire");
            exchange.sendResponseHeaders(code, answer.length());
            exchange.getResponseBody().write(answer.getBytes());
            exchange.close();
        });
        server.start();
        receiver = new HttpReceiver(
                new URL("http://127.0.0.1:" + server.getAddress().getPort() + "/v1/wire"), null);
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 204, 301, 307, 401, 403, 404, 405, 407, 408, 415, 421, 425, 429, 500, 502, 503, 504})
    void anAnswerThatIsNotAboutTheRecordsIsAnOutage(int answered) {
        status = answered;
        answer = answered == 204 ? "" : "{}";

        assertThatThrownBy(() -> receiver.deliver(BATCH)).isInstanceOf(IOException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"items\":[{\"index\":0,\"status\":400},{\"index\":0,\"status\":400}]}",
                "{\"items\":[{\"index\":1,\"status\":400},{\"status\":400}]}",
                "{\"items\":[{\"status\":400,\"index\":1},{\"status\":202,\"index\":0}]}"
            })
    void anAnswerThatLiesLosesNoRecordTwice(String lie) throws Exception {
        status = 207;
        answer = lie;
        List<Captured> refused;
        try {
            refused = receiver.deliver(BATCH);
        } catch (IOException e) {
            // Repeated.
            return;
        }

        assertThat(refused).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "[]", "{\"items\":[]}", "{\"items\":[{\"index\":0,\"status\":202}]}", "\u0000"})
    void anAnswerWithoutAStatusForEachRecordIsAnOutage(String partial) {
        status = 207;
        answer = partial;

        assertThatThrownBy(() -> receiver.deliver(BATCH)).isInstanceOf(IOException.class);
    }

    @Test
    void aBatchThatIsTooLargeForAProxyIsDeliveredInParts(@TempDir Path state) throws Exception {
        status = 202;
        maxBytes = 100_000;
        Outbox outbox =
                new Outbox(() -> receiver, Map.of(), Map.of(), SessionFile.create(state, "tap-1"), 8 << 20, false);
        for (int i = 0; i < 200; i++) {
            outbox.offer("s", Direction.CLIENT_TO_SERVER, new byte[1_000], Map::of);
        }
        outbox.close(Duration.ofSeconds(60));

        assertThat(records).hasValue(200);
    }
}
