package dev.parley.server.api;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.parley.logging.LogLimiter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class LogFloodTest extends HttpTest {

    private static final int REQUESTS = 200;
    private static final int FEW = 70;

    private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    @BeforeEach
    void listen() {
        LogLimiter limiter = new LogLimiter();
        limiter.setContext(root.getLoggerContext());
        limiter.start();
        log.addFilter(limiter);
        log.start();
        root.addAppender(log);
    }

    @AfterEach
    void stopListening() {
        root.detachAppender(log);
    }

    @Test
    void malformedRequestsWithoutATokenDoNotFillTheLog() throws IOException {
        List<String> attacks = List.of(
                "GET / HTTP/1.1\r\nHost: x y\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: [::1\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: x\r\nbad header\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: x\r\nContent-Length: y\r\n\r\n",
                "GET http://[ HTTP/1.1\r\nHost: x\r\n\r\n",
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

    private void send(String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server().port())) {
            socket.getOutputStream().write(request.getBytes(US_ASCII));
            socket.shutdownOutput();
            socket.getInputStream().readAllBytes();
        }
    }
}
