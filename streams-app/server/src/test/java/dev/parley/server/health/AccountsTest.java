package dev.parley.server.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.json.model.AccountingReport;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AccountsTest {

    @Test
    void topicsOfTheInputPolicyAreAccountedForAndTheRepartitionTopicIsNot() {
        SourceProgress progress = new SourceProgress(
                Instant.EPOCH, List.of(partition("team-a.wire"), partition("parley-by-conversation-repartition")));

        assertThat(Accounts.report(List.of(), Optional.of(progress)).partitions())
                .extracting(AccountingReport.Partition::topic)
                .containsExactly("team-a.wire");
    }

    private static SourceProgress.Partition partition(String topic) {
        return new SourceProgress.Partition("pipeline", topic, 0, 1, 3, 2, 0, Optional.empty());
    }
}
