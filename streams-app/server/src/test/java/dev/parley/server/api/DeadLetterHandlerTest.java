package dev.parley.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.audit.Links;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Stage;
import dev.parley.server.http.ProblemException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
            views.deadLetters.add(Samples.deadLetter(Stage.DECODE, "A" + i % 2, i, "x"));
            views.deadLetters.add(Samples.deadLetter(Stage.PATCH, "B", i, "x"));
        }

        assertThat(walk("/v1/dead-letters?limit=3", "code")).hasSize(14);
        assertThat(walk("/v1/dead-letters?limit=3&stage=PATCH", "code"))
                .hasSize(7)
                .containsOnly("B");
        assertThat(walk("/v1/dead-letters?limit=1&code=A1", "code")).hasSize(3).containsOnly("A1");
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
    void thePreviewOfAPrivateLambdaMessageIsMasked() {
        views.deadLetters.add(Samples.deadLetter(Stage.DIALOGUE, "LAMBDA_FLOOR", 1, "@A1: prv: !secret"));

        String body = get("/v1/dead-letters").body();

        assertThat(body).doesNotContain("secret");
        assertThat(parse(body).at("/items/0/redacted").asBoolean()).isTrue();
        assertThat(parse(body).at("/items/0/preview").isNull()).isTrue();
    }

    @Test
    void redactedDeadLettersAreMaskedForAll() {
        views.deadLetters.add(Samples.deadLetter(Stage.DECODE, "LAMBDA_EMPTY", 9, "redacted"));
        views.deadLetters.add(Samples.deadLetter(Stage.DECODE, "LAMBDA_EMPTY", 10, "with another hash"));
        views.deadLetters.add(Samples.deadLetter(Stage.DECODE, "LAMBDA_EMPTY", 11, "not redacted"));
        for (long offset : new long[] {9, 10}) {
            AuditRecord link = Samples.audit("|UNKNOWN|parley.wire-0", offset)
                    .setPayloadHash(Samples.hash(offset == 9 ? 5 : 6))
                    .build();
            link.getSource().setPartition(0);
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
        assertThat(items.at("/1/preview").asText()).isEqualTo("with another hash");
        assertThat(items.at("/2/preview").asText()).isEqualTo("not redacted");
    }

    @ParameterizedTest
    @CsvSource({
        "stage=NONE, stage, 'DECODE, DIALOGUE, PATCH, INTERNAL'",
        "limit=1001, limit, 1 to 1000",
        "topic=x, topic, 'code, cursor, limit, namespace, protocol, sender, stage'",
    })
    void anInvalidParameterIsNamedWithItsAllowedValues(String query, String parameter, String allowed) {
        assertThat(problem("/v1/dead-letters?" + query, ProblemException.Code.INVALID_PARAMETER)
                        .path("detail")
                        .asText())
                .matches("(Parameter " + parameter + " |Unknown query parameter '" + parameter + "'\\. ).*")
                .contains(allowed);
    }

    @Test
    void aCursorOfAnotherQueryIsRejected() {
        problem("/v1/dead-letters?cursor=strange", ProblemException.Code.INVALID_CURSOR);
    }
}
