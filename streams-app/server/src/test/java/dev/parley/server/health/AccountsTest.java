package dev.parley.server.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.Accounting;
import dev.parley.json.model.AccountingReport;
import dev.parley.json.model.AccountingReport.Balanced;
import dev.parley.json.model.AccountingReport.Counts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class AccountsTest {
    private final List<Accounting> tasks = new ArrayList<>();
    private final Accounts accounts = new Accounts(() -> tasks);

    @Test
    void topicsOfTheInputPolicyAreAccountedForAndTheRepartitionTopicIsNot() {
        SourceProgress progress = new SourceProgress(
                Instant.EPOCH,
                List.of(partition("team-a.wire", 1, 3), partition("parley-by-conversation-repartition", 1, 3)));

        assertThat(accounts.report(Optional.of(progress)).partitions())
                .extracting(AccountingReport.Partition::topic)
                .containsExactly("team-a.wire");
    }

    @Test
    void outcomesThatAreNewerThanTheInputsAddTheInputsThatTheyProve() {
        tasks.add(inputs(10, 6L, 4L));
        tasks.add(accepted(0, 8));
        tasks.add(accepted(1, 3));

        assertThat(total())
                .returns(12L, Counts::inputs)
                .returns(11L, Counts::accepted)
                .returns(1L, Counts::pending);
    }

    @Test
    void inputsAreBalancedUntilTheLastEndBeforeWhichAllLogsHaveOutcomes() {
        tasks.add(inputs(10, 6L, 4L));
        tasks.add(accepted(0, 6));
        tasks.add(accepted(1, 3));
        observe(1, 10);
        assertThat(balancedUntil()).as("one log lacks an outcome").isNull();

        // Meanwhile, more arrive: as many outcomes as there were inputs, but not of these.
        tasks.set(0, inputs(14, 10L, 4L));
        tasks.set(1, accepted(0, 9));
        observe(2, 14);
        assertThat(balancedUntil()).isNull();

        tasks.set(2, accepted(1, 4));
        observe(3, 15);
        assertThat(balancedUntil()).isEqualTo(Instant.ofEpochSecond(1));
        assertThat(accounts.report(Optional.empty()).partitions())
                .extracting(AccountingReport.Partition::balancedUntil)
                .containsExactly(new Balanced(Instant.ofEpochSecond(1), 10));

        tasks.set(1, accepted(0, 10));
        observe(4, 20);
        assertThat(balancedUntil()).isEqualTo(Instant.ofEpochSecond(2));
    }

    @Test
    void lostInputIsNeverBalanced() {
        tasks.add(inputs(10, 6L, 3L));
        tasks.add(accepted(0, 20));
        tasks.add(accepted(1, 20));
        observe(1, 10);
        observe(100, 10);

        assertThat(balancedUntil()).isNull();
    }

    @Test
    void markersAfterTheLastRecordDelayTheBalanceUntilTheCountsRest() {
        tasks.add(inputs(9, 9L));
        tasks.add(accepted(0, 9));
        observe(1, 10);
        assertThat(balancedUntil())
                .as("the tenth may be a record whose count is not published")
                .isNull();

        observe(6, 10);
        assertThat(balancedUntil()).isEqualTo(Instant.ofEpochSecond(1));
    }

    @Test
    void pendingIsNeverNegativeWhateverCountsAreLate() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int run = 0; run < 1_000; run++) {
            tasks.clear();
            int first = random.nextInt(50);
            int second = random.nextInt(50);
            tasks.add(inputs(first + second, (long) first, (long) second));
            tasks.add(accepted(0, random.nextInt(60)));
            tasks.add(accepted(1, random.nextInt(60)));

            Counts total = total();
            assertThat(total.pending()).as("seed %d", seed).isNotNegative();
            assertThat(total.inputs()).isEqualTo(total.accepted() + total.pending());
        }
    }

    @Test
    void historyHasTheLargestLagOfEachMinuteAndForgetsTheOldest() {
        for (int second = 0; second < 3_660; second += 30) {
            accounts.observe(new SourceProgress(
                    Instant.ofEpochSecond(second), List.of(partition("parley.wire", 1, second % 60 == 0 ? 7 : 3))));
        }

        assertThat(accounts.history()).hasSize(60).allMatch(sample -> sample.lag() == 6);
    }

    private Counts total() {
        return accounts.report(Optional.empty()).total();
    }

    private Instant balancedUntil() {
        return accounts.report(Optional.of(progress(0, 0))).balancedUntil();
    }

    private void observe(long second, long end) {
        accounts.observe(progress(second, end));
    }

    private static SourceProgress progress(long second, long end) {
        return new SourceProgress(Instant.ofEpochSecond(second), List.of(partition("parley.wire", end, end)));
    }

    private static SourceProgress.Partition partition(String topic, long position, long end) {
        return new SourceProgress.Partition("pipeline", topic, 0, position, end, end - position, 0, Optional.empty());
    }

    private static Accounting inputs(long next, Long... byLog) {
        return Accounting.newBuilder()
                .setTopic("parley.wire")
                .setPartition(0)
                .setInputs(next)
                .setNextOffset(next)
                .setInputsByLog(List.of(byLog))
                .build();
    }

    private static Accounting accepted(int log, long accepted) {
        return Accounting.newBuilder()
                .setTopic("parley.wire")
                .setPartition(0)
                .setLog(log)
                .setAccepted(accepted)
                .build();
    }
}
