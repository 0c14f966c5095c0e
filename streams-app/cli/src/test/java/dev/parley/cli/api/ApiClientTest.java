package dev.parley.cli.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.parley.cli.io.Options;
import dev.parley.decode.ConversationKey;
import dev.parley.server.api.Loopback;
import dev.parley.server.api.QueryServer;
import dev.parley.server.health.Readiness.Part;
import dev.parley.server.health.Readiness.Status;
import dev.parley.server.metrics.Metrics;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ApiClientTest {

    @ParameterizedTest
    @CsvSource({
        "http://h:1,http://h:1/v1/x?a=b",
        "http://h:1/,http://h:1/v1/x?a=b",
        "https://h/team/parley,https://h/team/parley/v1/x?a=b",
        "https://h/team/parley/,https://h/team/parley/v1/x?a=b"
    })
    void pathsAreBelowTheUrlOfTheApi(URI url, URI expected) {
        assertThat(new ApiClient(url).uri("/v1/x?a=b")).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "default/slip/1,default|SLIP|1,/v1/conversations/default/slip/1",
        "default/SLIP/a/b,default|SLIP|a/b,/v1/conversations/default/slip/~YS9i",
        "default/acme/7,default|ACME|7,/v1/conversations/default/extension/ACME%7C7",
        "default/extension/ACME|7,default|ACME|7,/v1/conversations/default/extension/ACME%7C7"
    })
    void aConversationHasOneNameInOptionsChainsAndPaths(String option, String chain, String path) {
        ConversationKey key = Options.conversation(option);
        assertThat(key).hasToString(chain);
        assertThat(ApiClient.conversation(key)).isEqualTo(path);
    }

    @Test
    void aTimeoutNamesThePartsThatAreNotReady() {
        List<Part> parts = List.of(
                new Part("pipeline", Status.READY, "Kafka Streams is RUNNING."),
                new Part("views", Status.STARTING, "Kafka Streams is REBALANCING."));
        try (Metrics metrics = new Metrics(Optional.empty(), false);
                QueryServer server = QueryServer.start(
                        Loopback.bind(),
                        Loopback.components(Optional.empty(), () -> parts, metrics, List.of()),
                        Loopback.OPEN)) {
            ApiClient apiClient = new ApiClient(server.uri());
            assertThatThrownBy(() -> apiClient.awaitReady(Duration.ofMillis(10), new CountDownLatch(1)))
                    .hasMessage("not ready after 0 s: views: Kafka Streams is REBALANCING.");
        }
    }

    /**
     * Accountings, one per request, the last one repeated: inputs, pending ones and lag of each partition, after a plus
     * sign those of the second.
     */
    @ParameterizedTest
    @CsvSource({
        "5 0 0,true",
        "5 1 0,false",
        "4 0 1,false",
        "3 3 0; 3 2 0; 4 2 0; 5 1 0; 5 0 0,true",
        "6 1 9; 7 2 9; 8 2 9,true",
        "6 3 9; 7 3 9; 8 4 9,false",
        "4 0 0 + 1 0 9; 4 0 0 + 3 0 9; 4 0 0 + 6 0 9,true",
        "4 1 0 + 1 0 9; 4 1 0 + 3 0 9; 4 1 0 + 6 0 9,false",
        "4 0 1 + 1 0 9; 4 0 1 + 3 0 9; 4 0 1 + 6 0 9,false",
        "8 3 9,false",
        "3 0 0,false",
        "2 0 0; 2 0 0; 3 0 0,false"
    })
    void inputsAreAccountedForWithVerdictsHoweverLateTheyAreAndWhateverFollows(String accountings, boolean expected)
            throws Exception {
        Iterator<String> answers = List.of(accountings.split("; ", -1)).iterator();
        AtomicReference<String> last = new AtomicReference<>();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v1/accounting", exchange -> {
            if (answers.hasNext()) {
                last.set(answers.next());
            }
            answer(exchange, accounting(last.get().split(" \\+ ", -1)));
        });
        server.createContext(
                "/v1/conversations", exchange -> answer(exchange, "{\"items\":[{\"messages\":99}],\"next\":null}"));
        server.start();
        try {
            URI url = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
            assertThat(new ApiClient(url).awaitAccounted(5, Duration.ofMillis(1), new CountDownLatch(1)))
                    .isEqualTo(expected);
        } finally {
            server.stop(0);
        }
    }

    private static String accounting(String... partitions) {
        long[] total = new long[3];
        List<String> counts = new ArrayList<>();
        for (String partition : partitions) {
            long[] numbers = Arrays.stream(partition.split(" ", -1))
                    .mapToLong(Long::parseLong)
                    .toArray();
            Arrays.setAll(total, i -> total[i] + numbers[i]);
            counts.add("{\"topic\":\"t\",\"partition\":" + counts.size() + ',' + counts(numbers) + '}');
        }
        return "{\"partitions\":" + counts + ",\"total\":{" + counts(total) + "},\"balanced\":" + isBalanced(total)
                + '}';
    }

    private static String counts(long... numbers) {
        return "\"inputs\":%d,\"pending\":%d,\"lag\":%d,\"balanced\":%s"
                .formatted(numbers[0], numbers[1], numbers[2], isBalanced(numbers));
    }

    private static boolean isBalanced(long... numbers) {
        return numbers[1] == 0 && numbers[2] == 0;
    }

    private static void answer(HttpExchange exchange, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }
}
