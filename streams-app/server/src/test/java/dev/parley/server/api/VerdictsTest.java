package dev.parley.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Claims;
import dev.parley.avro.InnerMessage;
import dev.parley.avro.Rule;
import dev.parley.avro.Stage;
import dev.parley.avro.Verdict;
import dev.parley.codec.Code;
import dev.parley.conformance.CodeGuide;
import dev.parley.server.http.HttpSecurity;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The verdict of an input position, as its sender sees it. */
class VerdictsTest extends HttpTest {
    private static final CodeGuide GUIDE = CodeGuide.withoutExamples();

    @Override
    protected HttpSecurity security() {
        return Tokens.security();
    }

    private JsonNode position(AuditRecord record, String role) {
        views.messages.add(record);
        var response = send(
                "GET",
                "/v1/positions/parley.wire/3/" + record.getSource().getOffset(),
                "Authorization",
                "Bearer " + role);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return parse(response.body());
    }

    @Test
    void aRejectionHasTheWayBack() {
        AuditRecord record = Samples.slip("7", 3);
        record.setVerdict(Verdict.REJECTED.name());
        record.setStage(Stage.JUDGE.name());
        record.setCode("SLIP_TURN_REGRESSION");
        record.setDetail("The next free turn is 5.");
        record.setAllowed(List.of("a4", "a5"));
        record.setRule(Rule.newBuilder()
                .setSection("1.3")
                .setProvenance("S")
                .setText("turns do not decrease")
                .build());
        JsonNode verdict = position(record, "reader");

        assertThat(verdict.path("verdict").asText()).isEqualTo("REJECTED");
        assertThat(verdict.path("code").asText()).isEqualTo("SLIP_TURN_REGRESSION");
        assertThat(verdict.path("detail").asText()).isEqualTo("The next free turn is 5.");
        assertThat(verdict.path("meaning").asText()).isEqualTo(Code.SLIP_TURN_REGRESSION.meaning());
        assertThat(verdict.path("remedy").asText())
                .isEqualTo(GUIDE.entry(Code.SLIP_TURN_REGRESSION).remedy());
        assertThat(verdict.path("allowed")).isEqualTo(parse("[\"a4\",\"a5\"]"));
        assertThat(verdict.at("/warnings/0/code").asText()).isEqualTo("SLIP_TURN_GAP");
        assertThat(verdict.at("/warnings/0/meaning").asText()).isEqualTo(Code.SLIP_TURN_GAP.meaning());
        assertThat(verdict.at("/warnings/0/remedy").asText())
                .isEqualTo(GUIDE.entry(Code.SLIP_TURN_GAP).remedy());
        assertThat(verdict.at("/rule/section").asText()).isEqualTo("1.3");
        assertThat(verdict.path("inner")).isEmpty();
    }

    @Test
    void anUndecodableValueNamesItsInnerMessages() {
        JsonNode verdict = position(wrapped("```@a3|f0|c1|S0|d1|T1|k1#```"), "reader");

        assertThat(verdict.path("inner")).isEqualTo(parse("[{\"protocol\":\"SLIP\",\"start\":3,\"end\":27}]"));
        assertThat(verdict.path("position").asInt()).isEqualTo(3);
        assertThat(verdict.path("rule").isNull()).isTrue();
    }

    @Test
    void anUndecodableRecordHasItsClaimsUnlessTheyAreMasked() {
        Claims claims = new Claims("SLIP", "mine", "c7", "PLANNER");
        AuditRecord record = wrapped("@a3|f0|c1|S0|d1|T1|k1");
        record.setClaims(claims);
        assertThat(position(record, "reader").path("claims"))
                .isEqualTo(parse("{\"protocol\":\"SLIP\",\"namespace\":\"mine\",\"conversation\":\"c7\","
                        + "\"sender\":\"PLANNER\"}"));
        assertThat(position(Samples.slip("7", 3), "reader").has("claims")).isFalse();

        AuditRecord masked = wrapped("prv:!zq");
        masked.getSource().setOffset(9);
        masked.setSequence(9);
        masked.setClaims(claims);
        assertThat(position(masked, "reader").toString()).doesNotContain("PLANNER");
        assertThat(position(masked, "auditor").at("/claims/sender").asText()).isEqualTo("PLANNER");
    }

    private static AuditRecord wrapped(String value) {
        AuditRecord record = Samples.undecodable("parley.wire-3", value.getBytes(StandardCharsets.UTF_8));
        record.setPosition(3);
        record.setInnerMessages(List.of(new InnerMessage("SLIP", 3, 27)));
        return record;
    }

    @Test
    void aReaderSeesNoTextAboutAMaskedMessage() {
        AuditRecord record = Samples.privateLambda("c");
        record.setVerdict(Verdict.REJECTED.name());
        record.setCode("LAMBDA_FLOOR");
        record.setDetail("It says secret.");
        record.setInnerMessages(List.of(new InnerMessage("LAMBDA", 0, 9)));
        record.setWarnings(List.of("LAMBDA_ORDER"));
        JsonNode hidden = position(record, "reader");

        assertThat(hidden.toString()).doesNotContain("secret");
        assertThat(hidden.path("detail").isNull()).isTrue();
        assertThat(hidden.path("inner")).isEmpty();
        assertThat(hidden.path("remedy").asText()).isNotEmpty();
        assertThat(hidden.at("/warnings/0/code").asText()).isEqualTo("LAMBDA_ORDER");
        JsonNode shown = position(record, "auditor");
        assertThat(shown.path("detail").asText()).isEqualTo("It says secret.");
        assertThat(shown.path("inner")).hasSize(1);

        AuditRecord wrapped = wrapped("prv:!zq @a3|f0|c1|S0|d1|T1|k1#");
        wrapped.getSource().setOffset(9);
        assertThat(position(wrapped, "reader").path("inner")).isEmpty();
        assertThat(position(wrapped, "auditor").path("inner")).hasSize(1);
    }

    @Test
    void codesOfALaterVersionAreNamedWithoutAMeaning() {
        AuditRecord record = Samples.slip("7", 3);
        record.setVerdict(Verdict.REJECTED.name());
        record.setCode("SLIP_OF_LATER");
        record.setWarnings(List.of("SLIP_ALSO_LATER"));
        JsonNode verdict = position(record, "reader");

        assertThat(verdict.path("code").asText()).isEqualTo("SLIP_OF_LATER");
        assertThat(verdict.path("meaning").isNull()).isTrue();
        assertThat(verdict.path("remedy").isNull()).isTrue();
        assertThat(verdict.path("warnings"))
                .isEqualTo(parse("[{\"code\":\"SLIP_ALSO_LATER\",\"meaning\":null,\"remedy\":null}]"));
    }

    @Test
    void anAcceptedMessageHasNothingToRepair() {
        AuditRecord record = Samples.slip("7", 3);
        record.setWarnings(List.of());
        JsonNode verdict = position(record, "reader");

        assertThat(verdict.path("verdict").asText()).isEqualTo("ACCEPTED");
        for (String member : List.of("code", "position", "detail", "meaning", "remedy")) {
            assertThat(verdict.path(member).isNull()).as(member).isTrue();
        }
        assertThat(verdict.path("allowed")).isEmpty();
        assertThat(verdict.path("warnings")).isEmpty();
    }
}
