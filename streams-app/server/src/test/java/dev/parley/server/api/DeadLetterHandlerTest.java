package dev.parley.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.audit.InputPosition;
import dev.parley.audit.Links;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.DeadLetterSummary;
import dev.parley.avro.Protocol;
import dev.parley.avro.Stage;
import dev.parley.server.http.ProblemException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DeadLetterHandlerTest extends HttpTest {

    @Test
    void aDeadLetterHasItsReasonAndPosition() {
        views.deadLetters.add(Samples.deadLetter(Stage.DECODE, "LAMBDA_EMPTY", 9, "\u00ff"));

        JsonNode item = json("/v1/dead-letters").path("items").path(0);

        assertThat(item.path("stage").asText()).isEqualTo("DECODE");
        assertThat(item.path("code").asText()).isEqualTo("LAMBDA_EMPTY");
        assertThat(item.path("detail").asText()).isEqualTo("What is wrong.");
        assertThat(item.path("position").asInt()).isEqualTo(4);
        assertThat(item.at("/source/topic").asText()).isEqualTo("parley.wire");
        assertThat(item.at("/source/offset").asLong()).isEqualTo(9);
        assertThat(item.at("/deadLetter/topic").asText()).isEqualTo("parley.dlq.decode.v1");
        assertThat(item.path("sha256").asText()).isEqualTo("05".repeat(32));
        assertThat(item.path("valueSize").asInt()).isEqualTo(1);
        assertThat(item.path("preview").asText()).isEqualTo("/w==");
        assertThat(item.path("previewEncoding").asText()).isEqualTo("base64");
    }

    @Test
    void anExceptionWithoutACodeHasNone() {
        views.deadLetters.add(Samples.deadLetter(Stage.INTERNAL, "", 1, "x"));

        assertThat(json("/v1/dead-letters?stage=internal").at("/items/0/code").isNull())
                .isTrue();
    }

    @Test
    void filteredPagesContainEveryDeadLetterOnce() {
        for (int i = 0; i < 7; i++) {
            views.deadLetters.add(
                    Samples.deadLetter(Stage.DECODE, i % 2 == 0 ? "SLIP_VERSION" : "SLIP_BAD_STRING", i, "x"));
            views.deadLetters.add(Samples.deadLetter(Stage.APPLY, "B", i, "x"));
        }

        assertThat(walk("/v1/dead-letters?limit=3", "code")).hasSize(14);
        assertThat(walk("/v1/dead-letters?limit=3&stage=APPLY", "code"))
                .hasSize(7)
                .containsOnly("B");
        assertThat(walk("/v1/dead-letters?limit=1&code=SLIP_BAD_STRING", "code"))
                .hasSize(3)
                .containsOnly("SLIP_BAD_STRING");
    }

    @Test
    void countsAddUpOverPagesAndShowNothingElse() {
        for (int i = 0; i < 5; i++) {
            views.deadLetters.add(Samples.deadLetter(Stage.DECODE, "A", i, "@A1: prv: !secret"));
        }
        views.deadLetters.add(Samples.deadLetter(Stage.DECODE, "B", 5, "x"));
        views.deadLetters.add(Samples.deadLetter(Stage.INTERNAL, "", 6, "x"));

        for (int limit : new int[] {1, 2, 1_000}) {
            assertThat(walk("/v1/dead-letters/counts?limit=" + limit, "count"))
                    .as("limit %d", limit)
                    .containsExactly("5", "1", "1");
        }
        String body = get("/v1/dead-letters/counts").body();
        assertThat(body).doesNotContain("secret");
        assertThat(parse(body).at("/items/2/code").isNull()).isTrue();
        assertThat(parse(body).at("/items/0").size()).isEqualTo(4);
    }

    @Test
    void aCountThatDoesNotFitIntoAPageIsOnTheNextOne() {
        int codes = 1_000;
        String large = "x".repeat(8 << 10);
        for (int i = 0; i < codes; i++) {
            views.deadLetters.add(Samples.deadLetter(Stage.DECODE, i + large, i, "x"));
        }

        assertThat(json("/v1/dead-letters/counts?limit=" + codes).path("items").size())
                .isLessThan(codes);
        assertThat(walk("/v1/dead-letters/counts?limit=" + codes, "code"))
                .hasSize(codes)
                .doesNotHaveDuplicates();
    }

    @Test
    void thePreviewOfAPrivateLambdaMessageIsMasked() {
        views.deadLetters.add(Samples.deadLetter(Stage.JUDGE, "LAMBDA_FLOOR", 1, "@A1: prv: !secret"));

        String body = get("/v1/dead-letters").body();

        assertThat(body).doesNotContain("secret");
        assertThat(parse(body).at("/items/0/redacted").asBoolean()).isTrue();
        assertThat(parse(body).at("/items/0/preview").isNull()).isTrue();
    }

    @Test
    void aRedactionThatOnlyTheAuditHasHidesTheHashOfAPrivateMessage() {
        views.deadLetters.add(Samples.deadLetter(Stage.JUDGE, "LAMBDA_FLOOR", 1, "@A1: prv: !secret"));
        AuditRecord record = Samples.slip("7", 1);
        record.getSource().setPartition(0);
        views.messages.add(record);
        assertThat(json("/v1/dead-letters").at("/items/0/sha256").asText()).isEqualTo("05".repeat(32));

        record.setRedacted(Links.redactionOf(record));

        assertThat(json("/v1/dead-letters").at("/items/0/sha256").isNull()).isTrue();
        assertThat(json("/v1/dead-letters").at("/items/0/valueSize").isNull()).isTrue();
    }

    @Test
    void redactedDeadLettersAreMaskedForAll() {
        views.deadLetters.add(Samples.deadLetter(Stage.DECODE, "LAMBDA_EMPTY", 9, "redacted"));
        views.deadLetters.add(Samples.deadLetter(Stage.DECODE, "LAMBDA_EMPTY", 10, "of another partition"));
        views.deadLetters.add(Samples.deadLetter(Stage.DECODE, "LAMBDA_EMPTY", 11, "not redacted"));
        for (long offset : new long[] {9, 10}) {
            AuditRecord link = Samples.audit("|UNKNOWN|parley.wire-0", offset).build();
            link.getSource().setPartition(offset == 9 ? 0 : 1);
            views.redactions.add(Links.redactionOf(link));
        }

        views.deadLetters.forEach(letter -> letter.setSender("7"));

        JsonNode items = json("/v1/dead-letters").path("items");

        assertThat(json("/v1/dead-letters?sender=7").path("items")).hasSize(2);
        assertThat(items.at("/0/sender").isNull()).isTrue();
        assertThat(items.at("/1/sender").asText()).isEqualTo("7");
        assertThat(items.at("/0/redacted").asBoolean()).isTrue();
        assertThat(items.at("/0/preview").isNull()).isTrue();
        assertThat(items.at("/0/detail").isNull()).isTrue();
        assertThat(items.at("/0/valueSize").isNull()).isTrue();
        assertThat(items.at("/0/sha256").isNull()).isTrue();
        assertThat(items.at("/1/sha256").asText()).isEqualTo("05".repeat(32));
        assertThat(items.at("/1/preview").asText()).isEqualTo("of another partition");
        assertThat(items.at("/2/preview").asText()).isEqualTo("not redacted");
    }

    @ParameterizedTest
    @CsvSource({
        "stage=NONE, stage, 'DECODE, JUDGE, APPLY, INTERNAL'",
        "limit=1001, limit, 1 to 1000",
        "topic=x, topic, 'code, conversation, cursor, from, limit, namespace, protocol, sender, stage, stale, state, to'",
        "code=slip_bad_strin, code, SLIP_BAD_STRING",
        "code=SLIP_BADSTRING, code, SLIP_BAD_STRING",
        "code=%00, code, parley explain lists the codes",
        "state=sent, state, 'OPEN, RETURNED'",
        "from=yesterday, from, 2026-01-31T12:00:00Z",
    })
    void anInvalidParameterIsNamedWithItsAllowedValues(String query, String parameter, String allowed) {
        assertThat(problem("/v1/dead-letters?" + query, ProblemException.Code.INVALID_PARAMETER)
                        .path("detail")
                        .asText())
                .matches("(Parameter " + parameter + " |Unknown query parameter '" + parameter + "'\\. ).*")
                .contains(allowed);
    }

    @ParameterizedTest
    @ValueSource(strings = {"dead-letters", "dead-letters/counts", "search", "conversations", "tail"})
    void anUnknownCodeIsRefusedWithTheNearestByEveryList(String list) {
        assertThat(problem("/v1/" + list + "?code=SLIP_BADSTRING", ProblemException.Code.INVALID_PARAMETER)
                        .path("detail")
                        .asText())
                .isEqualTo("Parameter code must be a code, but was 'SLIP_BADSTRING'; the nearest is SLIP_BAD_STRING.");
    }

    @Test
    void anUnknownCodeWithoutASimilarOneIsRefusedWithTheCommandThatListsCodes() {
        assertThat(problem("/v1/dead-letters?code=NOPE", ProblemException.Code.INVALID_PARAMETER)
                        .path("detail")
                        .asText())
                .isEqualTo("Parameter code must be a code, but was 'NOPE'; parley explain lists the codes.");
    }

    /** List, counts and redrives select the same. */
    @ParameterizedTest
    @CsvSource({
        "namespace=n1, 1",
        "sender=s0, 0 2",
        "conversation=c2, 2",
        "protocol=csp, 1",
        "stage=decode, 0 2",
        "code=CSP_ADD_EXISTS, 1",
        "state=returned, 2",
        "state=OPEN, 0",
        "state=closed, 1",
        "from=1970-01-01T00:00:01Z, 1 2",
        "to=1001, 0 1",
        "from=500&to=1970-01-01T00:00:01Z, ''",
        "sender=s0&state=open, 0",
        "sender=s1&state=closed, 1",
        "sender=s0&state=closed, ''",
        "sender=s0&namespace=n1, ''",
    })
    void everyFilterSelectsTheSameInListAndCounts(String query, String offsets) {
        for (int i = 0; i < 3; i++) {
            DeadLetterSummary letter = Samples.deadLetter(
                    i == 1 ? Stage.APPLY : Stage.DECODE, i == 1 ? "CSP_ADD_EXISTS" : "SLIP_VERSION", i, "x");
            letter.setProtocol(i == 1 ? Protocol.CSP : Protocol.SLIP);
            letter.setNamespace("n" + i);
            letter.setSender("s" + i % 2);
            letter.setConversation("c" + i);
            letter.setTimestamp(Instant.ofEpochMilli(1_000 * i));
            views.deadLetters.add(letter);
        }
        DeadLetterSummary returned = views.deadLetters.get(2);
        views.returned.add(new InputPosition(
                returned.getSourceTopic(), returned.getSourcePartition(), returned.getSourceOffset()));

        DeadLetterSummary closed = views.deadLetters.get(1);
        views.closed.add(
                new InputPosition(closed.getSourceTopic(), closed.getSourcePartition(), closed.getSourceOffset()));

        List<String> listed = new ArrayList<>();
        json("/v1/dead-letters?" + query).path("items").forEach(item -> {
            listed.add(item.at("/source/offset").asText());
            assertThat(item.path("returned").asBoolean())
                    .isEqualTo(item.at("/source/offset").asInt() == 2);
            assertThat(item.path("closed").asBoolean())
                    .isEqualTo(item.at("/source/offset").asInt() == 1);
        });
        long counted = 0;
        for (String count : walk("/v1/dead-letters/counts?" + query, "count")) {
            counted += Long.parseLong(count);
        }

        // The latest are first.
        Collections.reverse(listed);
        assertThat(String.join(" ", listed)).isEqualTo(offsets);
        assertThat(counted).isEqualTo(listed.size());
    }

    @Test
    void aCursorOfAnotherQueryIsRejected() {
        problem("/v1/dead-letters?cursor=strange", ProblemException.Code.INVALID_CURSOR);
    }
}
