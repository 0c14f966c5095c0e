package dev.parley.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.avro.AgentMessage;
import dev.parley.avro.Protocol;
import dev.parley.avro.Verdict;
import dev.parley.benchmarks.json.JsonForms;
import dev.parley.benchmarks.json.SlipJson;
import dev.parley.checkpoint.PatchOutcome;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult;
import dev.parley.decode.RecordDecodeResult;
import dev.parley.dialogue.Judgement;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SampleConversationTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @ParameterizedTest
    @EnumSource(
            value = Protocol.class,
            names = {"SLIP", "SUBIT", "CSP", "LAMBDA"})
    void theCodecReadsEverySampleMessage(Protocol protocol) {
        SampleConversation conversation = SampleConversation.of(protocol);

        assertThat(conversation.records()).hasSizeGreaterThanOrEqualTo(30);
        SpecificRecord[] contents = conversation.contents();
        for (int i = 0; i < contents.length; i++) {
            assertThat(SampleConversation.codec(protocol).decode(conversation.wires()[i], DecodeOptions.LENIENT))
                    .isInstanceOfSatisfying(DecodeResult.Decoded.class, decoded -> {})
                    .extracting(result -> ((DecodeResult.Decoded<?>) result).message())
                    .isEqualTo(contents[i]);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Protocol.class,
            names = {"SLIP", "SUBIT", "CSP", "LAMBDA"})
    void aRecordBuiltByItsBlueprintIsEqualAndSharesNoText(Protocol protocol) {
        for (SpecificRecord content : SampleConversation.of(protocol).contents()) {
            Object built = Blueprint.of(content).build();

            assertThat(built).isEqualTo(content).isNotSameAs(content);
            assertThat(Blueprint.of(content).build()).isNotSameAs(built);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Protocol.class,
            names = {"SLIP", "SUBIT", "CSP", "LAMBDA"})
    void everyMessageHasAJsonFormThatJacksonBinds(Protocol protocol) throws IOException {
        for (RecordDecodeResult.Message decoded :
                SampleConversation.of(protocol).messages()) {
            byte[] json = JsonForms.sameContent(decoded.message());

            assertThat((Object) JSON.readValue(json, JsonForms.type(protocol))).isNotNull();
        }
    }

    @Test
    void theJsonFormIsWhatAUserWouldWrite() {
        AgentMessage first =
                SampleConversation.of(Protocol.SLIP).messages().get(0).message();

        assertThat(JsonForms.sameContent(first))
                .asString()
                .isEqualTo("{\"act\":\"REQUEST\",\"frame\":\"TASK\",\"conversation\":1,\"source\":0,\"destination\":1,"
                        + "\"turn\":1,\"goal\":100,\"task\":1,\"priority\":1,\"tag\":\"release_2.4\"}");
    }

    @Test
    void theBoundJsonContainsTheMessage() throws IOException {
        AgentMessage first =
                SampleConversation.of(Protocol.SLIP).messages().get(0).message();

        SlipJson bound = JSON.readValue(JsonForms.sameContent(first), SlipJson.class);

        assertThat(bound).usingRecursiveComparison().isEqualTo(SlipJson.of(first.getSlip()));
    }

    @ParameterizedTest
    @EnumSource(
            value = Protocol.class,
            names = {"SLIP", "SUBIT", "CSP", "LAMBDA"})
    void theDocumentOfTheSameSizeIsJsonOfThatSize(Protocol protocol) throws IOException {
        for (byte[] wire : SampleConversation.of(protocol).wires()) {
            byte[] json = JsonForms.sameSize(wire);

            assertThat(json).hasSameSizeAs(wire);
            assertThat(JSON.readTree(json)).isNotNull();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Protocol.class,
            names = {"SLIP", "SUBIT", "CSP", "LAMBDA"})
    void everyMessageOfAConversationIsAcceptedAndReproducible(Protocol protocol) {
        DecodedDialogue dialogue =
                new DecodedDialogue(SampleConversation.of(protocol).messages());
        List<String> first = new ArrayList<>();
        List<String> second = new ArrayList<>();

        dialogue.play(verdict -> first.add(accepted(verdict)));
        dialogue.play(verdict -> second.add(accepted(verdict)));

        assertThat(first)
                .hasSizeGreaterThanOrEqualTo(
                        SampleConversation.of(protocol).messages().size());
        assertThat(second).isEqualTo(first);
    }

    @Test
    void theCspConversationAppliesPatchesAndParksOne() {
        List<Object> outcomes = new ArrayList<>();

        new DecodedDialogue(SampleConversation.of(Protocol.CSP).messages()).play(outcomes::add);

        assertThat(outcomes).filteredOn(PatchOutcome.Applied.class::isInstance).hasSizeGreaterThan(5);
        assertThat(outcomes).filteredOn(PatchOutcome.Parked.class::isInstance).hasSize(1);
    }

    private static String accepted(Object verdict) {
        if (verdict instanceof Judgement judgement) {
            assertThat(judgement.verdict()).isEqualTo(Verdict.ACCEPTED);
            return judgement.rule().toString();
        }
        assertThat(verdict).isNotInstanceOf(PatchOutcome.Rejected.class);
        return ((PatchOutcome) verdict).rule().toString();
    }
}
