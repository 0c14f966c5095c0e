package dev.parley.server.api;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.parley.audit.InputPosition;
import dev.parley.avro.Protocol;
import dev.parley.logging.LogLimiter;
import dev.parley.server.http.HttpSecurity;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class LogFloodTest extends HttpTest {

    private static final int REQUESTS = 200;
    private static final int FEW = 70;

    private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    private final Logger parley = (Logger) LoggerFactory.getLogger("dev.parley.server");
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    @Override
    protected HttpSecurity security() {
        return Tokens.security();
    }

    @BeforeEach
    void listen() {
        LogLimiter limiter = new LogLimiter();
        limiter.setContext(root.getLoggerContext());
        limiter.start();
        log.addFilter(limiter);
        log.start();
        root.addAppender(log);
        parley.setLevel(Level.INFO);
    }

    @AfterEach
    void stopListening() {
        root.detachAppender(log);
        parley.setLevel(null);
    }

    @Test
    void malformedRequestsWithoutATokenDoNotFillTheLog() throws IOException {
        List<String> attacks = List.of(
                "GET / HTTP/1.1\r\nHost: x y\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: [::1\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: x\r\nbad header\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: x\r\nContent-Length: y\r\n\r\n",
                "GET http://[ HTTP/1.1\r\nHost: x\r\n\r\n",
                "GET /health/live?% HTTP/1.1\r\nHost: x\r\n\r\n",
                "CONNECT x:1 HTTP/1.1\r\nHost: x:1\r\n\r\n",
                "GET /%ff HTTP/1.1\r\nHost: x\r\nCookie: \"\0\r\n\r\n",
                "\0\0\0\r\n\r\n");
        for (String attack : attacks) {
            log.list.clear();
            for (int i = 0; i < REQUESTS; i++) {
                send(attack);
            }
            assertThat(log.list)
                    .as(attack)
                    .hasSizeLessThan(FEW)
                    .as("our own")
                    .noneMatch(event -> event.getLoggerName().startsWith("dev.parley.server"));
        }
    }

    @Test
    void redrivesAndRedactionsAreLoggedWithinALimit() {
        views.conversations.add(Samples.conversation("default", Protocol.SLIP, "7", 1));
        views.messages.add(Samples.slip("7", 0));
        redactor = redaction -> new InputPosition("parley.redaction.v1", 3, 9);
        Map<String, String> floods = Map.of(
                "/v1/dead-letters:redrive", "{\"ids\":[\"parley.dlq.judge.v1/0/1\"],\"reason\":\"trial\"}",
                "/v1/conversations/default/slip/7/messages/0/redact", "{\"reason\":\"trial\"}");
        floods.forEach((path, body) -> {
            log.list.clear();
            for (int i = 0; i < REQUESTS; i++) {
                assertThat(post(path, body)).isBetween(200, 202);
            }
            assertThat(log.list).as(path).isNotEmpty().hasSizeLessThan(FEW);
        });
    }

    @Test
    void aRequestThatRedrivesNothingIsNotLogged() {
        assertThat(post("/v1/dead-letters:redrive", "{")).isEqualTo(400);
        assertThat(log.list).isEmpty();
    }

    private int post(String path, String body) {
        return send(HttpRequest.newBuilder(URI.create(server().uri() + path))
                        .header("Authorization", "Bearer operator")
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build())
                .statusCode();
    }

    private void send(String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server().port())) {
            socket.getOutputStream().write(request.getBytes(US_ASCII));
            socket.shutdownOutput();
            socket.getInputStream().readAllBytes();
        }
    }
}
