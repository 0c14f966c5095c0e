package dev.parley.topology.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.Accounting;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Source;
import dev.parley.avro.Verdict;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.topics.DeadLetterHeaders;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** However many patches are released or expire at once, one record or tick does a slice of the work. */
@Tag("long")
class ReleaseSlicesTest extends AbstractPipelineTest {
    private static final int PATCHES = 1_200;
    private static final int SLICE = 100;
    private static final int TICK = 500;

    @Test
    void thousandPatchesOnOneBaseAreReleasedInSlices() {
        start(Map.of(ParleyConfig.PARKING_MAX, 10_000));
        List<Source> expected = new ArrayList<>();
        for (int i = 0; i < PATCHES; i++) {
            expected.add(pipeline.send(InputRecord.patch("ctx", "P" + i, "C1", "T" + i, "+ DEF B = " + i)));
        }
        expected.add(0, pipeline.send(InputRecord.patch("ctx", "P", "C0", "C1", "+ DEF A = 1")));
        releasesInOrder(expected, Verdict.ACCEPTED);
    }

    @Test
    void chainOfThousandPatchesIsReleasedInSlices() {
        start();
        List<Source> expected = new ArrayList<>();
        for (int i = PATCHES; i > 0; i--) {
            expected.add(
                    pipeline.send(InputRecord.patch("ctx", "P" + i, "C" + i, "C" + (i + 1), "+ DEF A" + i + " = 1")));
        }
        Collections.reverse(expected);
        expected.add(0, pipeline.send(InputRecord.patch("ctx", "P", "C0", "C1", "+ DEF A = 1")));
        releasesInOrder(expected, Verdict.ACCEPTED);
    }

    @Test
    void thousandRejectedReleasesAreProcessedInSlices() {
        start(Map.of(ParleyConfig.PARKING_MAX, 10_000));
        List<Source> expected = new ArrayList<>();
        for (int i = 0; i < PATCHES; i++) {
            expected.add(pipeline.send(InputRecord.patch("ctx", "P" + i, "C1", "T" + i, "+ DEF A = " + i)));
        }
        Source base = pipeline.send(InputRecord.patch("ctx", "P", "C0", "C1", "+ DEF A = 1"));
        assertThat(pipeline.auditOf(base).getVerdict()).isEqualTo(Verdict.ACCEPTED.name());
        expected.add(0, base);
        releasesInOrder(expected, null);
        assertThat(pipeline.audit())
                .filteredOn(r -> "CSP_ADD_EXISTS".equals(r.getCode()))
                .hasSize(PATCHES);
    }

    @Test
    void patchesOfThousandContextsExpireInSlices() {
        start(Map.of(ParleyConfig.PARKING_MS, Duration.ofDays(1).toMillis()));
        List<Source> expected = new ArrayList<>();
        for (int i = 0; i < PATCHES; i++) {
            expected.add(pipeline.send(InputRecord.patch("ctx" + i, "P", "C1", "C2", "+ DEF A = 1")));
        }
        pipeline.later(Duration.ofDays(2));
        pipeline.send(InputRecord.slipRequest(1, 1));
        assertThat(pipeline.audit().size() - 1).isPositive().isLessThanOrEqualTo(TICK);
        drain(expected.size() + 1);
        assertThat(sources()).containsAll(expected).doesNotHaveDuplicates().hasSize(expected.size() + 1);
        balances();
    }

    @Test
    void otherConversationsGetTheirVerdictsAndReleasesWhileACascadeRemains() {
        start(Map.of(ParleyConfig.PARKING_MAX, 10_000));
        for (int i = 0; i < PATCHES; i++) {
            pipeline.send(InputRecord.patch("ctx", "P" + i, "C1", "T" + i, "+ DEF B = " + i));
        }
        Source waiting = pipeline.send(InputRecord.patch("honest", "P2", "C1", "C2", "+ DEF B = 2"));
        pipeline.send(InputRecord.patch("ctx", "P", "C0", "C1", "+ DEF A = 1"));
        Source base = pipeline.send(InputRecord.patch("honest", "P1", "C0", "C1", "+ DEF A = 1"));
        Source request = pipeline.send(InputRecord.slipRequest(1, 1));
        // A tick of the cascade may come in between, but not all of it.
        assertThat(sources())
                .hasSizeLessThan(PATCHES)
                .containsSequence(base, waiting)
                .contains(request);
        // The context of the cascade goes on as well, by the state of the moment.
        Source child = pipeline.send(InputRecord.patch("ctx", "Q", "T0", "U", "+ DEF C = 1"));
        assertThat(pipeline.auditOf(child).getVerdict()).isEqualTo(Verdict.ACCEPTED.name());
        drain(PATCHES + 5);
        assertThat(sources()).hasSize(PATCHES + 5).doesNotHaveDuplicates();
        balances();
    }

    @Test
    void releasedPatchesDoNotExpireBeforeTheirTurn() {
        start(Map.of(
                ParleyConfig.PARKING_MAX,
                10_000,
                ParleyConfig.PARKING_MS,
                Duration.ofHours(10).toMillis()));
        for (int i = 0; i < PATCHES; i++) {
            pipeline.send(InputRecord.patch("ctx", "P" + i, "C1", "T" + i, "+ DEF B = " + i));
        }
        pipeline.send(InputRecord.patch("ctx", "P", "C0", "C1", "+ DEF A = 1"));
        pipeline.later(Duration.ofDays(1));
        pipeline.send(InputRecord.slipRequest(1, 1));
        drain(PATCHES + 2);
        assertThat(pipeline.audit()).extracting(AuditRecord::getVerdict).containsOnly(Verdict.ACCEPTED.name());
    }

    @Test
    void fullContextRejectsPatchesAndNamesTheLimit() {
        start(Map.of(ParleyConfig.PARKING_CONTEXT_MAX, 2));
        pipeline.send(InputRecord.patch("ctx", "P1", "B1", "C1", "+ DEF A = 1"));
        pipeline.send(InputRecord.patch("ctx", "P2", "B2", "C2", "+ DEF A = 1"));
        Source full = pipeline.send(InputRecord.patch("ctx", "P3", "B3", "C3", "+ DEF A = 1"));
        assertThat(pipeline.auditOf(full).getCode()).isEqualTo("CSP_UNKNOWN_BASE");
        assertThat(texts(pipeline.deadLetters().get(0).headers()).get(DeadLetterHeaders.MESSAGE))
                .contains("csp.parking.context.max");
        Source other = pipeline.send(InputRecord.patch("other", "P1", "B1", "C1", "+ DEF A = 1"));
        assertThat(sources()).doesNotContain(other);
    }

    private void releasesInOrder(List<Source> expected, Verdict verdict) {
        assertThat(sources()).hasSize(SLICE + 1).isEqualTo(expected.subList(0, SLICE + 1));
        int before = sources().size();
        while (before < expected.size()) {
            pipeline.waitFor(Duration.ofMillis(100));
            assertThat(sources().size() - before).isPositive().isLessThanOrEqualTo(TICK);
            before = sources().size();
        }
        assertThat(sources()).isEqualTo(expected);
        if (verdict != null) {
            assertThat(pipeline.audit()).extracting(AuditRecord::getVerdict).containsOnly(verdict.name());
        }
        balances();
    }

    private void drain(int records) {
        for (int ticks = 0; sources().size() < records && ticks < 1_000; ticks++) {
            pipeline.waitFor(Duration.ofMillis(100));
        }
    }

    private List<Source> sources() {
        return pipeline.audit().stream().map(AuditRecord::getSource).toList();
    }

    private void balances() {
        pipeline.waitFor(Duration.ofSeconds(1));
        Map<String, Accounting> latest = new HashMap<>();
        for (TestRecord<String, Accounting> count : pipeline.accounting()) {
            latest.put(count.key(), count.value());
        }
        long inputs = latest.values().stream().mapToLong(Accounting::getInputs).sum();
        assertThat(latest.values().stream().mapToLong(Accounting::getParked).sum())
                .isZero();
        assertThat(latest.values().stream()
                        .mapToLong(c -> c.getAccepted() + c.getRejected() + c.getFlagged() + c.getUndecodable())
                        .sum())
                .isEqualTo(inputs)
                .isEqualTo(pipeline.audit().size());
    }
}
