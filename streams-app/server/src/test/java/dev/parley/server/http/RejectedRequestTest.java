package dev.parley.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.server.api.HttpTest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class RejectedRequestTest extends HttpTest {

    @Test
    void anInvalidlyEncodedPathIsAProblem() throws IOException {
        String answer = raw("GET /v1/conversations/default/SLIP/%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");

        assertThat(answer)
                .startsWith("HTTP/1.1 400 ")
                .contains("application/problem+json")
                .contains("\"code\":\"INVALID_REQUEST\"")
                .doesNotContain("<html", "\tat ");
    }

    private String raw(String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server().port())) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
