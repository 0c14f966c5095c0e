package dev.parley.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.avro.ParkedItem;
import dev.parley.avro.Protocol;
import dev.parley.server.http.ProblemException.Code;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The list of parked patches. */
class ParkedItemsTest extends HttpTest {

    private static ParkedItem parked(String namespace, String context, long offset) {
        return new ParkedItem(namespace, context, "P" + offset, "C4", "C5", "MAIN", Samples.source(offset));
    }

    @Test
    void aParkedPatchHasItsBaseItsTimesAndALinkToWhatExists() {
        views.parked.addAll(List.of(parked("default", "a/b", 1), parked("mine", "ctx", 2)));
        views.conversations.add(Samples.conversation("default", Protocol.CSP, "a/b", 1));

        JsonNode first = json("/v1/parked").at("/items/0");
        assertThat(first.path("namespace").asText()).isEqualTo("default");
        assertThat(first.path("conversation").asText()).isEqualTo("a/b");
        assertThat(first.path("patch").asText()).isEqualTo("P1");
        assertThat(first.path("base").asText()).isEqualTo("C4");
        assertThat(first.path("target").asText()).isEqualTo("C5");
        assertThat(first.path("sender").asText()).isEqualTo("MAIN");
        assertThat(first.path("position").asText()).isEqualTo("parley.wire-3@1");
        assertThat(first.path("since").asText())
                .isEqualTo(Samples.source(1).getTimestamp().toString());
        assertThat(first.path("until").asText())
                .isEqualTo(Samples.source(1).getTimestamp().plusSeconds(3_600).toString());
        assertThat(first.at("/links/verdict").asText()).isEqualTo("/v1/positions/parley.wire/3/1");
        assertThat(first.at("/links/conversation").asText()).isEqualTo("/v1/conversations/default/CSP/~YS9i");
        assertThat(json("/v1/parked").at("/items/1/links/conversation").isNull())
                .isTrue();
    }

    @Test
    void filtersAndPagesSelectParkedPatches() {
        views.parked.addAll(List.of(parked("default", "x", 1), parked("mine", "x", 2), parked("mine", "y", 3)));

        assertThat(json("/v1/parked?namespace=mine").path("items"))
                .map(item -> item.path("patch").asText())
                .containsExactly("P2", "P3");
        assertThat(json("/v1/parked?namespace=mine&conversation=y").path("items"))
                .map(item -> item.path("patch").asText())
                .containsExactly("P3");
        String next = json("/v1/parked?limit=2").path("next").asText();
        JsonNode last = json("/v1/parked?limit=2&cursor=" + next);
        assertThat(last.path("items")).map(item -> item.path("patch").asText()).containsExactly("P3");
        assertThat(last.path("next").isNull()).isTrue();
        problem("/v1/parked?sender=MAIN", Code.INVALID_PARAMETER);
        problem("/v1/parked?cursor=x", Code.INVALID_CURSOR);
    }
}
