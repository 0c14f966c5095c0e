package dev.parley.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.avro.ClaimedRecord;
import dev.parley.avro.ConversationSummary;
import dev.parley.avro.Protocol;
import dev.parley.avro.Verdict;
import dev.parley.server.http.HttpSecurity;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The conversations of a namespace that undecodable records claim. */
class ClaimedConversationsTest extends HttpTest {
    private static final String LIST = "/v1/conversations?namespace=mine&verdict=undecodable";

    @Override
    protected HttpSecurity security() {
        return Tokens.security();
    }

    private JsonNode get(String path, String role) {
        var response = send("GET", path, "Authorization", "Bearer " + role);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return parse(response.body());
    }

    private static ClaimedRecord claim(String conversation, int partition, long sequence, String code) {
        return new ClaimedRecord(
                "mine",
                Protocol.SLIP,
                conversation,
                "|UNKNOWN|parley.wire-" + partition,
                sequence,
                Samples.NOON.minusSeconds(sequence),
                code);
    }

    private void add(ClaimedRecord claim) {
        views.claims.add(claim);
    }

    @Test
    void aClaimedConversationIsMarkedAndHasTheCountsOfItsClaims() {
        views.conversations.add(Samples.conversation("mine", Protocol.SLIP, "7", 3));
        add(claim("7", 0, 4, "SLIP_BAD_STRING"));
        add(claim("7", 0, 9, "SLIP_UNTERMINATED"));
        add(claim("7", 1, 2, "SLIP_UNTERMINATED"));
        add(claim(null, 0, 5, "UNKNOWN_PROTOCOL"));

        JsonNode items = get(LIST, "reader").path("items");
        assertThat(items)
                .map(item -> item.path("conversation").asText(null) + " " + item.path("undecodable"))
                .containsExactly("null 1", "7 2", "7 1");
        JsonNode claimed = items.path(1);
        assertThat(claimed.path("claimed").asBoolean()).isTrue();
        assertThat(claimed.path("namespace").asText()).isEqualTo("mine");
        assertThat(claimed.path("protocol").asText()).isEqualTo("SLIP");
        assertThat(claimed.path("chain").asText()).isEqualTo("|UNKNOWN|parley.wire-0");
        assertThat(claimed.path("messages").asLong()).isEqualTo(2);
        assertThat(claimed.path("firstSequence").asLong()).isEqualTo(4);
        assertThat(claimed.path("lastSequence").asLong()).isEqualTo(9);
        assertThat(claimed.path("firstTime").asText())
                .isEqualTo(Samples.NOON.minusSeconds(9).toString());
        assertThat(claimed.path("lastTime").asText())
                .isEqualTo(Samples.NOON.minusSeconds(4).toString());
        assertThat(claimed.path("lastHash").isNull()).isTrue();
        assertThat(claimed.path("lastCode").asText()).isEqualTo("SLIP_UNTERMINATED");
        assertThat(claimed.at("/links/messages").asText())
                .isEqualTo("/v1/conversations/-/UNKNOWN/parley.wire-0/messages?from=4");

        assertThat(get("/v1/conversations?namespace=mine&code=SLIP_UNTERMINATED", "reader")
                        .path("items"))
                .map(item -> item.path("undecodable").asLong())
                .containsExactly(1L, 1L);
        JsonNode proven = get("/v1/conversations/mine/slip/7", "reader");
        assertThat(proven.path("claimed").asBoolean()).isFalse();
        assertThat(proven.path("undecodable").asLong()).isZero();
    }

    @Test
    void listsThatDoNotAskForUndecodableRecordsOfANamespaceHaveNoClaims() {
        views.conversations.add(Samples.conversation("mine", Protocol.SLIP, "7", 3));
        add(claim("7", 0, 4, "SLIP_BAD_STRING"));

        for (String query :
                List.of("", "?namespace=mine", "?namespace=mine&protocol=slip", "?namespace=mine&verdict=accepted")) {
            assertThat(get("/v1/conversations" + query, "reader").path("items"))
                    .as(query)
                    .hasSize(1)
                    .allMatch(item -> !item.path("claimed").asBoolean());
        }
        assertThat(get("/v1/conversations?verdict=undecodable", "reader").path("items"))
                .isEmpty();
    }

    @Test
    void claimsOfPrivateRecordsAreHiddenFromReaders() {
        add(claim("open", 0, 1, "LAMBDA_BAD"));
        ClaimedRecord secret = claim("secret", 0, 2, "LAMBDA_BAD");
        views.privateClaims.add(secret);

        assertThat(get(LIST, "reader").toString()).contains("open").doesNotContain("secret");
        assertThat(get(LIST, "auditor").toString()).contains("open", "secret");
    }

    @Test
    void pagesContinueFromConversationsToClaims() {
        for (String conversation : List.of("a", "b")) {
            ConversationSummary summary = Samples.conversation("mine", Protocol.SLIP, conversation, 1);
            summary.setLastVerdict(Verdict.UNDECODABLE);
            views.conversations.add(summary);
        }
        for (int i = 0; i < 3; i++) {
            add(claim("c" + i, 0, 2 * i, "SLIP_BAD_STRING"));
            add(claim("c" + i, 0, 2 * i + 1, "SLIP_BAD_STRING"));
        }
        for (int limit = 1; limit <= 6; limit++) {
            assertThat(walk(limit)).as("pages of %d", limit).containsExactly("a 0", "b 0", "c0 2", "c1 2", "c2 2");
        }
    }

    @Test
    void aPageCoversABoundedNumberOfRecords() {
        int records = 2 * GroupedItems.MAX_RECORDS + 1;
        for (int i = 0; i < records; i++) {
            add(claim("c", 0, i, "SLIP_BAD_STRING"));
        }

        assertThat(walk(100)).containsExactly("c " + GroupedItems.MAX_RECORDS, "c " + GroupedItems.MAX_RECORDS, "c 1");
    }

    private List<String> walk(int limit) {
        List<String> found = new ArrayList<>();
        String cursor = null;
        do {
            JsonNode page = get(LIST + "&limit=" + limit + (cursor == null ? "" : "&cursor=" + cursor), "reader");
            assertThat(page.path("items").size()).isLessThanOrEqualTo(limit);
            page.path("items")
                    .forEach(item -> found.add(item.path("conversation").asText() + " " + item.path("undecodable")));
            cursor = page.path("next").asText(null);
        } while (cursor != null);
        return found;
    }
}
