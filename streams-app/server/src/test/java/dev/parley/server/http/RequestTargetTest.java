package dev.parley.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.avro.ConversationSummary;
import dev.parley.avro.Protocol;
import dev.parley.server.api.HttpTest;
import dev.parley.server.api.PeerCluster;
import dev.parley.server.api.Samples;
import dev.parley.server.api.view.Paths;
import dev.parley.topology.topics.ChainPartitioner;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One instance and three respond alike to any path and query. */
class RequestTargetTest {
    private static final int REQUESTS = 300;
    private static final List<String> NAMES =
            List.of("a|b", "a,b", "a%b", "a+b", "a b", "é\u4e2d", "a/b?c#d", "..", "{a}");
    private static final String[] PIECES = {
        "a", "b", "|", ",", "+", "%", "%7C", "%2C", "%25", "%2B", "%20", "%2F", "%3F", "%zz", "%f", "%ff", "%C3%A9",
        "%00", "%0a", "%0d", "\"", "<", ">", "^", "`", "{", "}", "[", "]", "\\", "=", "&", ";", ":", "@", "é", "#",
        "..", "~", "'", "\u0001"
    };
    private static final String[] PATHS = {
        "/v1/conversations",
        "/v1/conversations/%s/slip/%s",
        "/v1/conversations/%s/slip/%s/messages",
        "/v1/conversations/%s/slip/%s/state",
        "/v1/conversations/%s/csp/%s/checkpoints",
        "/v1/positions/%s/0/1"
    };
    private static final String[] PARAMETERS = {
        "namespace",
        "protocol",
        "cursor",
        "limit",
        "from",
        "at",
        "code",
        "stage",
        "stale",
        "at-least",
        "entry",
        "unknown"
    };

    private PeerCluster one;
    private PeerCluster three;

    @BeforeEach
    void start() {
        one = new PeerCluster(1, Duration.ZERO);
        three = new PeerCluster(3, Duration.ZERO);
        for (PeerCluster peerCluster : List.of(one, three)) {
            for (String name : NAMES) {
                for (int i = 0; i < 4; i++) {
                    ConversationSummary summary = Samples.conversation(name, Protocol.SLIP, name + i, 1);
                    summary.setChain(ChainPartitioner.chainOf(name, Protocol.SLIP, name + i));
                    peerCluster.put(summary);
                }
            }
        }
    }

    @AfterEach
    void stop() {
        one.close();
        three.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/v1/conversations?namespace=a|b",
                "/v1/conversations?namespace=a%7Cb",
                "/v1/conversations?namespace=a,b",
                "/v1/conversations?namespace=a%25b",
                "/v1/conversations?namespace=a%2Bb",
                "/v1/conversations?namespace=a+b",
                "/v1/conversations?namespace=%C3%A9%E4%B8%AD",
                "/v1/conversations?namespace={a}",
                "/v1/conversations/a%7Cb/slip/a%7Cb1",
                "/v1/conversations/a%2Fb%3Fc%23d/slip/a%2Fb%3Fc%23d2"
            })
    void everyInstanceFindsNamesWithAnyCharacter(String target) throws IOException {
        String expected = ask(one.nodes.get(0), target);
        assertThat(expected).startsWith("200 ").contains("\"conversation\"");
        assertSame(target, expected);
    }

    /** Decoders refuse names with control characters; all other names have an address. */
    @Test
    void everyNameThatDecodersAcceptHasAnAddress() throws IOException {
        List<String> names = new ArrayList<>(List.of(".", "..", "a//b", " ", "%00", "\ud83d\ude80"));
        for (int c = ' '; c < 0x300; c++) {
            if (!Character.isISOControl(c)) {
                names.add("n" + (char) c);
            }
        }
        names.addAll(List.of("\u2028", "\u202e", "\ufeff", "\ufffd", "\ue000", "\u200b"));
        PeerCluster.Node node = one.nodes.get(0);
        for (String name : names) {
            ConversationSummary summary = Samples.conversation(name, Protocol.CSP, name, 1);
            summary.setChain(ChainPartitioner.chainOf(name, Protocol.CSP, name));
            one.put(summary);
            String path = Paths.conversation(name, "CSP", name);
            String answer = ask(node, path);
            assertThat(answer).as(path).startsWith("200 ");
            assertThat(HttpTest.parse(answer.substring(4)).at("/links/self").asText())
                    .isEqualTo(path);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"namespace=%zz", "namespace=%ff", "namespace=%", "namespace=a%0", "%80=1"})
    void everyInstanceRejectsAnUndecodableQuery(String query) throws IOException {
        String target = "/v1/conversations?" + query;
        String expected = ask(one.nodes.get(0), target);
        assertThat(expected).startsWith("400 ").contains("INVALID_REQUEST");
        assertSame(target, expected);
    }

    @Test
    void everyInstanceHandlesTargetsOfAnyLengthAlike() throws IOException {
        for (int length : new int[] {1_000, 4_000, 7_900, 8_100, 8_200, 20_000, 49_000, 49_400, 70_000}) {
            for (String piece : new String[] {"x", "|"}) {
                String target = "/v1/conversations?namespace=" + piece.repeat(length);
                assertSame(target, ask(one.nodes.get(0), target));
            }
        }
    }

    @Test
    void everyInstanceHandlesRandomTargetsAlike() throws IOException {
        long seed = Long.getLong("parley.seed", System.nanoTime());
        Random random = new Random(seed);
        for (int i = 0; i < REQUESTS; i++) {
            String target = target(random);
            String expected = ask(one.nodes.get(0), target);
            assertThat(expected)
                    .as("%s; -Dparley.seed=%d", target, seed)
                    .doesNotStartWith("500")
                    .isNotEmpty();
            PeerCluster.Node node = three.nodes.get(random.nextInt(3));
            assertThat(ask(node, target))
                    .as("%s; -Dparley.seed=%d", target, seed)
                    .isEqualTo(expected);
        }
    }

    private static String target(Random random) {
        String path = PATHS[random.nextInt(PATHS.length)];
        while (path.contains("%s")) {
            path = path.replaceFirst("%s", java.util.regex.Matcher.quoteReplacement(value(random)));
        }
        StringBuilder target = new StringBuilder(path);
        for (int i = random.nextInt(3); i > 0; i--) {
            target.append(target.indexOf("?") < 0 ? '?' : '&')
                    .append(PARAMETERS[random.nextInt(PARAMETERS.length)])
                    .append('=')
                    .append(value(random));
        }
        return target.toString();
    }

    private static String value(Random random) {
        StringBuilder value = new StringBuilder();
        for (int i = random.nextInt(4); i >= 0; i--) {
            value.append(PIECES[random.nextInt(PIECES.length)]);
        }
        return value.toString();
    }

    private void assertSame(String target, String expected) throws IOException {
        for (PeerCluster.Node node : three.nodes) {
            assertThat(ask(node, target)).as(target).isEqualTo(expected);
        }
    }

    /** Status and body, without error IDs and the names of instances. */
    private static String ask(PeerCluster.Node node, String target) throws IOException {
        try (Socket socket = new Socket(
                InetAddress.getLoopbackAddress(), URI.create(node.uri()).getPort())) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream()
                    .write(("GET " + target + " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer auditor\r\n"
                                    + "Connection: close\r\n\r\n")
                            .getBytes(StandardCharsets.UTF_8));
            String answer;
            try {
                answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            } catch (java.net.SocketException reset) {
                return "reset";
            }
            int body = answer.indexOf("\r\n\r\n");
            if (body < 0) {
                return answer;
            }
            String status = answer.substring(answer.indexOf(' ') + 1, answer.indexOf(' ') + 4);
            String text = answer.substring(body + 4);
            if (status.equals("503") && HttpTest.parse(text) instanceof ObjectNode problem) {
                // The comparison ignores which instance is unavailable.
                problem.remove("detail");
                text = problem.toString();
            }
            return status + ' ' + text;
        }
    }
}
