package dev.parley.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.Protocol;
import dev.parley.server.http.ProblemException.Code;
import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Queries that no page of the API contains. Each is answered or refused, and none is a failure of the server. */
class HostileQueriesTest extends HttpTest {
    private static final int CURSORS = 40;
    private static final int MAX_CURSOR_BYTES = 64;
    private static final int KINDS = 21;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/v1/search?q=a3",
                "/v1/search",
                "/v1/conversations?",
                "/v1/conversations?verdict=ACCEPTED",
                "/v1/conversations?sort=errors&order=asc",
                "/v1/dead-letters?",
                "/v1/dead-letters?code=SLIP_MALFORMED",
                "/v1/parked?",
                "/v1/open-items?",
                "/v1/agents?",
                "/v1/conversations/default/csp/ctx/checkpoints?",
                "/v1/stats/traffic?"
            })
    void noCursorFailsTheServer(String path) {
        long seed = Long.getLong("parley.seed", System.nanoTime());
        Random random = new Random(seed);
        chain(3);
        for (int number = 0; number < CURSORS; number++) {
            byte[] cursor = new byte[random.nextInt(MAX_CURSOR_BYTES)];
            if (number % 4 == 0) {
                Arrays.fill(cursor, (byte) -1);
            } else {
                random.nextBytes(cursor);
            }
            if (cursor.length > 0 && random.nextBoolean()) {
                cursor[0] = (byte) random.nextInt(KINDS);
            }
            String query = path + (path.contains("?") ? "&" : "?") + "cursor="
                    + Base64.getUrlEncoder().withoutPadding().encodeToString(cursor);
            HttpResponse<String> response = get(query);
            assertThat(response.statusCode())
                    .as("-Dparley.seed=%d: %s: %s", seed, query, response.body())
                    .isIn(200, 400, 404);
        }
    }

    @Test
    void aCursorOfTheLastDocumentDoesNotBeginAgain() {
        chain(3);
        String last = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes(20));

        problem("/v1/search?cursor=" + last, Code.INVALID_CURSOR);
    }

    private void chain(int messages) {
        views.conversations.add(Samples.conversation("default", Protocol.SLIP, "7", messages));
        for (int i = 0; i < messages; i++) {
            views.messages.add(Samples.slip("7", i));
        }
    }

    private static byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        Arrays.fill(bytes, (byte) -1);
        return bytes;
    }

    @Test
    void aSearchOfAnyWordsIsBounded() {
        chain(3);
        for (String words : List.of(
                "a".repeat(6_000),
                "ab%20".repeat(1_200),
                "%2B".repeat(1_500),
                "%ED%A0%80",
                "%00",
                "%F0%9F%98%80".repeat(400),
                "a3%20" + "%E2%80%AE".repeat(600))) {
            assertThat(get("/v1/search?q=" + words).statusCode()).as(words).isIn(200, 400);
        }
        StringBuilder different = new StringBuilder();
        for (int word = 10; word < 1_200; word++) {
            different.append(word).append("%20");
        }
        assertThat(get("/v1/search?q=" + different).body()).contains("at most 32 parts");
        for (String parts :
                List.of("%22", "-", "OR", "a:", "sender:", "*", "%22a%22*b", "-%22", "%F0%9F%98%80", "%EF%BF%BD")) {
            HttpResponse<String> answer = get("/v1/search?q=x%20" + (parts + "%20").repeat(300));
            assertThat(answer.statusCode()).as("%s %s", parts, answer.body()).isEqualTo(200);
            assertThat(answer.body()).as(parts).hasSizeLessThan(10_000);
        }
        assertThat(get("/v1/search?from=0000-01-01&to=9999-12-31").statusCode()).isEqualTo(200);
        assertThat(get("/v1/search?from=9999-12-31&to=0000-01-01").statusCode()).isIn(200, 400);
        assertThat(get("/v1/search?limit=2147483648").statusCode()).isEqualTo(400);
    }
}
