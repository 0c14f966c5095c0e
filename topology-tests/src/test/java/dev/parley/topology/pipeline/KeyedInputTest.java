package dev.parley.topology.pipeline;

import static dev.parley.topology.pipeline.DeadLetterAssert.assertThatLetter;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.Source;
import dev.parley.avro.Stage;
import dev.parley.avro.Verdict;
import dev.parley.codec.Code;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.topics.ChainPartitioner;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Input that is keyed by conversation. The driver sends every record to partition 0. */
class KeyedInputTest extends AbstractPipelineTest {
    private static final String PARTITION_CHAIN = "|UNKNOWN|parley.wire-0";
    private static final int PARTITIONS = 4;

    @Test
    void keyedInputIsNotRepartitioned() {
        start(Map.of(ParleyConfig.KEYED, true));

        Source keyed = pipeline.send(InputRecord.slipRequest(7, 1).key("7"));

        assertThat(pipeline.auditOf(keyed).getVerdict()).isEqualTo(Verdict.ACCEPTED.name());
        assertThat(pipeline.auditOf(keyed).getChain()).isEqualTo("default|SLIP|7");
        assertThat(pipeline.writtenTopics()).noneMatch(topic -> topic.contains("repartition"));
    }

    @Test
    void onlyTheConversationIsItsKey() {
        start(Map.of(ParleyConfig.KEYED, true));
        InputRecord contradiction = InputRecord.slipRequest(7, 2).key("8");

        pipeline.send(InputRecord.slipRequest(7, 1).key("7"));
        Source contradicting = pipeline.send(contradiction);
        Source keyless = pipeline.send(InputRecord.slipRequest(7, 2));
        // In general, this key is in another partition.
        Source wholeKey = pipeline.send(InputRecord.slipRequest(7, 2).key("default|SLIP|7"));
        Source next = pipeline.send(InputRecord.text("@a4|f1|c7|S1|d0|T2|k1#").key("7"));

        assertThatLetter(pipeline.deadLetters(Stage.DECODE).get(0))
                .isTheRecord(contradiction)
                .failedAt(Stage.DECODE, Code.KEY_NOT_CONVERSATION)
                .cameFrom(contradicting);
        assertThat(pipeline.auditOf(keyless).getCode()).isEqualTo("KEY_NOT_CONVERSATION");
        assertThat(pipeline.auditOf(keyless).getChain()).isEqualTo(PARTITION_CHAIN);
        assertThat(pipeline.auditOf(wholeKey).getCode()).isEqualTo("KEY_NOT_CONVERSATION");
        // The contradiction was never judged: the turn is still free.
        assertThat(pipeline.auditOf(next).getVerdict()).isEqualTo(Verdict.ACCEPTED.name());
        assertThat(pipeline.auditOf(next).getWarnings()).isEmpty();
    }

    @Test
    void aRecordOutsideOfThePartitionOfItsKeyStartsNoConversation() {
        start(Map.of(ParleyConfig.KEYED, true), new LostOffsetsTest.Brokers(PARTITIONS));
        String context = conversation("ctx", 1);
        InputRecord forgery = InputRecord.patch(context, "P1", "C0", "C1", "+ DEF A = forged");

        Source misplaced = pipeline.send(forgery);
        Source placed = pipeline.send(InputRecord.patch(conversation("ctx", 0), "P1", "C0", "C1", "+ DEF A = 1"));

        assertThatLetter(pipeline.deadLetters(Stage.DECODE).get(0))
                .isTheRecord(forgery)
                .failedAt(Stage.DECODE, Code.KEY_MISPLACED)
                .cameFrom(misplaced);
        assertThat(pipeline.auditOf(misplaced).getChain()).isEqualTo(PARTITION_CHAIN);
        assertThat(pipeline.auditOf(misplaced).getDetail())
                .isEqualTo("the record key belongs to partition 1, but the record is in partition 0; the producer must"
                        + " partition by the murmur2 hash of the key");
        assertThat(pipeline.auditOf(placed).getVerdict()).isEqualTo(Verdict.ACCEPTED.name());
        assertThat(pipeline.checkpoints())
                .as("nothing in the partitions of the views changes for the other context")
                .allMatch(checkpoint -> checkpoint.value().getContext().equals(conversation("ctx", 0)));
    }

    @Test
    void withoutTheSettingAnyPartitionIsThatOfAConversation() {
        start(Map.of(), new LostOffsetsTest.Brokers(PARTITIONS));

        Source source = pipeline.send(InputRecord.patch(conversation("ctx", 1), "P1", "C0", "C1", "+ DEF A = 1"));

        assertThat(pipeline.auditOf(source).getVerdict()).isEqualTo(Verdict.ACCEPTED.name());
    }

    /** A name that belongs to a partition as a key. */
    private static String conversation(String prefix, int partition) {
        return IntStream.iterate(0, number -> number + 1)
                .mapToObj(number -> prefix + number)
                .filter(name -> ChainPartitioner.partition(name, PARTITIONS) == partition)
                .findFirst()
                .orElseThrow();
    }
}
