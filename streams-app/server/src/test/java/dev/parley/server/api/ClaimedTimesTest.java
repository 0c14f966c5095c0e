package dev.parley.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Protocol;
import dev.parley.avro.SubitMessage;
import dev.parley.avro.SubitType;
import dev.parley.codec.json.MaskRules;
import dev.parley.server.http.HttpSecurity;
import dev.parley.topology.topics.PublicContent;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The times that senders claim, as an axis of searches: any time, of which nothing is believed. */
class ClaimedTimesTest extends HttpTest {
    private static final String CLAIMED = "/v1/search?clock=claimed";
    private static final Instant HEADER = Instant.parse("2020-02-02T14:03:30Z");

    @Override
    protected PublicContent readers() {
        return new PublicContent(MaskRules.parse("key:timestamp"));
    }

    @Override
    protected HttpSecurity security() {
        return Tokens.security();
    }

    @BeforeEach
    void fill() {
        subit(0, "2026-01-31T14:03:00Z");
        subit(1, "2026-01-31T15:03:59.999+01:00");
        subit(2, "9999-12-31T23:59:59Z");
        subit(3, "0000-01-01T00:00:00Z");
        subit(4, "2026-01-31T14:03:00");
        subit(5, null);
        subit(6, "1".repeat(100_000));
        AuditRecord told = Samples.slip("7", 0);
        told.getSource().setProducerTime(HEADER);
        views.messages.add(told);
        views.conversations.add(Samples.conversation("default", Protocol.SUBIT, "s", 7));
    }

    private void subit(long sequence, String timestamp) {
        AuditRecord record = Samples.slip("s", sequence);
        record.setChain("default|SUBIT|s");
        String meta = timestamp == null ? "" : ",\"meta\":{\"timestamp\":\"" + timestamp + "\"}";
        record.getMessage().setProtocol(Protocol.SUBIT.name());
        record.getMessage().setSlip(null);
        record.getMessage()
                .setRaw(ByteBuffer.wrap(
                        ("{\"type\":\"STATE\",\"payload\":\"000110\"" + meta + "}").getBytes(StandardCharsets.UTF_8)));
        record.getMessage()
                .setSubit(SubitMessage.newBuilder()
                        .setType(SubitType.STATE)
                        .setForms(List.of(6))
                        .setMetaPresent(timestamp != null)
                        .setTimestamp(timestamp)
                        .build());
        views.messages.add(record);
    }

    private List<Long> found(String token, String query) {
        String body =
                send("GET", CLAIMED + query, "Authorization", "Bearer " + token).body();
        assertThat(body).as("a whole answer").contains("\"complete\":true");
        return body.lines()
                .map(line -> parse(line).path("hit"))
                .filter(hit ->
                        hit.has("sequence") && hit.path("protocol").asText().equals("SUBIT"))
                .map(hit -> hit.path("sequence").asLong())
                .toList();
    }

    @Test
    void theMinuteThatSendersMeanIsFoundInAnyOffset() {
        assertThat(found("auditor", "&from=2026-01-31T14:03:00Z&to=2026-01-31T14:04:00Z"))
                .containsExactly(0L, 1L);
        assertThat(send(
                                "GET",
                                CLAIMED + "&to=2020-02-02T14:04:00Z&from=2020-02-02T14:03:00Z",
                                "Authorization",
                                "Bearer auditor")
                        .body())
                .as("the header of a message that says no time itself")
                .contains("\"claimedTime\":\"2020-02-02T14:03:30Z\"");
    }

    @Test
    void claimsOfTheFirstAndLastYearAreTimesLikeOthersAndNoClaimIsInNoRange() {
        assertThat(found("auditor", "&from=9000-01-01T00:00:00Z")).containsExactly(2L);
        assertThat(found("auditor", "&to=1969-12-31T23:59:59Z")).containsExactly(3L);
        assertThat(found("auditor", "")).containsExactly(0L, 1L, 2L, 3L);
    }

    @Test
    void aMaskedClaimIsNeitherFoundNorShown() {
        assertThat(found("reader", "&from=2026-01-31T14:03:00Z&to=2026-01-31T14:04:00Z"))
                .isEmpty();
        for (JsonNode row : parse(send(
                                "GET",
                                "/v1/conversations/default/subit/s/messages?view=summary",
                                "Authorization",
                                "Bearer reader")
                        .body())
                .path("items")) {
            assertThat(row.has("claimedTime")).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"mine", "CLAIMED,RECEIVED", "0"})
    void anotherClockIsAProblem(String clock) {
        assertThat(send("GET", "/v1/search?clock=" + clock, "Authorization", "Bearer auditor")
                        .statusCode())
                .isEqualTo(400);
    }
}
