package dev.parley.load.sample;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.Verdict;
import dev.parley.load.OfflineInput;
import dev.parley.protocol.Protocols;
import dev.parley.protocol.TopicNames;
import dev.parley.stage.OfflinePipeline;
import dev.parley.stage.StageSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TrafficTest {
    private static final int CONVERSATIONS = 20;

    @ParameterizedTest
    @EnumSource(
            names = {"HOT", "MIX", "VIEWS"},
            mode = EnumSource.Mode.EXCLUDE)
    void everyMessageIsAcceptedInItsConversation(Traffic traffic) {
        List<AuditRecord> audit = audit(traffic.over(CONVERSATIONS), 60 * CONVERSATIONS);

        assertThat(audit).hasSize(60 * CONVERSATIONS).allMatch(TrafficTest::isAccepted);
        assertThat(audit.stream().map(AuditRecord::getChain).distinct()).hasSize(CONVERSATIONS);
    }

    @Test
    void slipMessagesHave66Bytes() {
        Input input = Traffic.SLIP.over(1_000_000);

        assertThat(LongStream.of(0, 999_999, 20_000_000).mapToObj(input::at))
                .allMatch(record -> record.value().length == 66);
    }

    @Test
    void callsOfMcpAndTheirResultsHaveAbout300BytesAndNoWarnings() {
        Input input = Traffic.MCP.over(1);

        assertThat(LongStream.range(3, 1_000).map(number -> input.at(number).value().length))
                .allMatch(length -> length >= 270 && length <= 330);
        assertThat(audit(input, 1_000)).allMatch(record -> record.getWarnings().isEmpty());
    }

    @Test
    void theMixRepeatsTheVerdictsOfTheSamplesInNewConversations() {
        int samples = 215;
        Input input = Traffic.MIX.over(CONVERSATIONS);

        List<AuditRecord> once = audit(input, 2 * samples);
        List<AuditRecord> twice = audit(input, 4 * samples);

        assertThat(once).hasSize(2 * samples);
        assertThat(twice).hasSize(4 * samples);
        assertThat(twice.stream().filter(TrafficTest::isAccepted).count())
                .isEqualTo(2 * once.stream().filter(TrafficTest::isAccepted).count());
        assertThat(twice.stream().map(AuditRecord::getChain).distinct().count())
                .isEqualTo(
                        2 * once.stream().map(AuditRecord::getChain).distinct().count());
    }

    @Test
    void aHotConversationHasThreeInTenMessages() {
        List<AuditRecord> audit = audit(Traffic.HOT.over(CONVERSATIONS), 1_000);

        assertThat(audit).hasSize(1_000).allMatch(TrafficTest::isAccepted);
        assertThat(audit.stream().filter(record -> record.getChain().equals("default|SLIP|1")))
                .hasSize(300);
    }

    @Test
    void recordsHaveTheTopicOfTheirInput() {
        for (Traffic traffic : Traffic.values()) {
            Input input = traffic.over(3);

            assertThat(LongStream.range(0, 500)
                            .mapToObj(number -> input.at(number).topic()))
                    .containsOnly(input.topic());
            assertThat(TopicNames.DEFAULT.inputs(Protocols.STANDARD)).contains(input.topic());
        }
    }

    private static boolean isAccepted(AuditRecord record) {
        return record.getVerdict().equals(Verdict.ACCEPTED.name());
    }

    private static List<AuditRecord> audit(Input input, int messages) {
        OfflinePipeline pipeline = new OfflinePipeline(StageSettings.DEFAULT);
        List<AuditRecord> audit = new ArrayList<>();
        for (long number = 0; number < messages; number++) {
            OfflineInput.accept(pipeline, input.at(number), number, judged -> {}, audit::add);
        }
        return audit;
    }
}
