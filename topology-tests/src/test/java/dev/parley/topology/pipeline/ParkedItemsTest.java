package dev.parley.topology.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.Inbound;
import dev.parley.avro.ParkedItem;
import dev.parley.avro.ParkedPatch;
import dev.parley.avro.Source;
import dev.parley.avro.Stage;
import dev.parley.avro.Verdict;
import dev.parley.codec.Code;
import dev.parley.dialogue.Judgement;
import dev.parley.stage.JudgedRecord;
import dev.parley.topology.config.ParleyConfig;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.Test;

/** The topic of parked patches has a row for each patch of the parking lot, and for no other. */
class ParkedItemsTest extends AbstractPipelineTest {

    /** Keys of the rows without a tombstone. */
    private Set<String> rows() {
        Set<String> keys = new HashSet<>();
        for (TestRecord<String, ParkedItem> row : pipeline.parkedItems()) {
            if (row.value() == null) {
                assertThat(keys.remove(row.key())).as(row.key()).isTrue();
            } else {
                assertThat(keys.add(row.key())).as(row.key()).isTrue();
            }
        }
        return keys;
    }

    @Test
    void aParkedPatchHasARowUntilItIsReleased() {
        start();
        Source parked = pipeline.send(
                InputRecord.patch("ctx", "P2", "C1", "C2", "~ DEF A := 2").header("x", "secret"));

        TestRecord<String, ParkedItem> row = pipeline.parkedItems().get(0);
        assertThat(row.key()).isEqualTo("default|CSP|ctx|parley.wire-0@0");
        assertThat(row.value()).isEqualTo(new ParkedItem("default", "ctx", "P2", "C1", "C2", "MAIN", parked));
        assertThat(row.headers()).isEmpty();

        pipeline.send(InputRecord.patch("ctx", "P1", "C0", "C1", "+ DEF A = 1"));
        assertThat(pipeline.parkedItems()).hasSize(2);
        assertThat(pipeline.parkedItems().get(1).key()).isEqualTo(row.key());
        assertThat(pipeline.parkedItems().get(1).value()).isNull();
    }

    @Test
    void aRowEndsWhenItsPatchIsRejectedOrExpires() {
        start(Map.of(ParleyConfig.PARKING_MS, 600_000L));
        pipeline.send(InputRecord.patch("ctx", "P2", "C1", "C2", "+ DEF A = again"));
        pipeline.send(InputRecord.patch("ctx", "P9", "GONE", "C9", "+ DEF B = 1"));
        pipeline.send(InputRecord.patch("ctx", "P1", "C0", "C1", "+ DEF A = 1"));
        assertThat(rows()).containsExactly("default|CSP|ctx|parley.wire-0@1");

        pipeline.later(Duration.ofMinutes(11));
        pipeline.send(InputRecord.slipRequest(7, 1));
        assertThat(rows()).isEmpty();
    }

    @Test
    void otherRecordsWriteNoRow() {
        start(Map.of(ParleyConfig.PARKING_MAX, 1));
        pipeline.send(InputRecord.slipRequest(7, 1));
        pipeline.send(InputRecord.text("neither"));
        pipeline.send(InputRecord.patch("ctx", "P1", "C0", "C1", "+ DEF A = 1"));
        pipeline.send(InputRecord.patch("ctx", "P1", "C0", "C1", "+ DEF A = 1"));
        assertThat(pipeline.parkedItems()).isEmpty();

        pipeline.send(InputRecord.patch("ctx", "P3", "C2", "C3", "+ DEF B = 1"));
        // A duplicate, and one beyond the bound.
        pipeline.send(InputRecord.patch("ctx", "P3", "C2", "C3", "+ DEF B = 1"));
        pipeline.send(InputRecord.patch("ctx", "P4", "C2", "C4", "+ DEF B = 1"));
        assertThat(pipeline.parkedItems()).hasSize(1);
    }

    @Test
    void theRowsAreTheParkingLotAfterAnyPatches() {
        long seed = Long.getLong("parley.seed", System.nanoTime());
        System.out.println("ParkedItemsTest: -Dparley.seed=" + seed);
        Random random = new Random(seed);
        start(Map.of(ParleyConfig.PARKING_MS, 60_000L, ParleyConfig.PARKING_MAX, 3));
        for (int i = 0; i < 400; i++) {
            int base = random.nextInt(8);
            pipeline.send(InputRecord.patch(
                    "ctx" + random.nextInt(6),
                    "P" + i,
                    "C" + base,
                    "C" + (base + 1 + random.nextInt(2)),
                    random.nextBoolean() ? "+ DEF A" + i + " = 1" : "- DEF A"));
            if (random.nextInt(20) == 0) {
                pipeline.later(Duration.ofSeconds(random.nextInt(60)));
            }
            pipeline.waitFor(Duration.ofSeconds(1));
            assertThat(rows()).as("parley.seed=%d, patch %d", seed, i).isEqualTo(parkingLot());
        }
        assertThat(pipeline.parkedItems()).isNotEmpty();
    }

    private Set<String> parkingLot() {
        Set<String> keys = new HashSet<>();
        try (KeyValueIterator<String, ParkedPatch> all = pipeline.parkedStore().all()) {
            while (all.hasNext()) {
                KeyValue<String, ParkedPatch> parked = all.next();
                Source source = parked.value.getInbound().getSource();
                keys.add("default|CSP|" + parked.value.getContext() + "|parley.wire-0@" + source.getOffset());
            }
        }
        return keys;
    }

    /** Other settings than those at its parking can make a patch undecodable. */
    @Test
    void aRowEndsUnderItsKeyIfThePatchHasAnotherChainNow() {
        start();
        Source source = new Source("parley.wire", 3, 7L, PipelineDriver.START, null);
        JudgedRecord released = new JudgedRecord(
                "|UNKNOWN|parley.wire-3",
                new Inbound(source, null, null, List.of(), null, null),
                null,
                null,
                Judgement.failure(Verdict.UNDECODABLE, Stage.DECODE, Code.UNKNOWN_PROTOCOL, "It is too large."),
                List.of(),
                "default|CSP|ctx",
                null);
        MockProcessorContext<String, ParkedItem> context = new MockProcessorContext<>();
        ParkingProcessor processor = new ParkingProcessor();
        processor.init(context);
        processor.process(new Record<>(released.chain(), released, 0));

        Record<? extends String, ? extends ParkedItem> row =
                context.forwarded().get(0).record();
        assertThat(row.key()).isEqualTo("default|CSP|ctx|parley.wire-3@7");
        assertThat(row.value()).isNull();
        assertThat(ParkingProcessor.chainOf(row.key())).isEqualTo("default|CSP|ctx");
    }
}
