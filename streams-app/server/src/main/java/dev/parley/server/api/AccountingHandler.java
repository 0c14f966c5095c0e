package dev.parley.server.api;

import dev.parley.json.model.AccountingReport;
import dev.parley.server.health.Accounts;
import dev.parley.server.health.Accounts.Account;
import dev.parley.server.health.Accounts.Counts;
import dev.parley.server.health.SourceProgress;
import dev.parley.topology.views.Views;
import java.util.List;
import java.util.Optional;

/**
 * Answers whether every input record has a verdict: inputs = accepted + rejected + flagged + undecodable + parked, and
 * no records are unread. The counts come from the views, the ends of the inputs from the last measurement of progress.
 */
final class AccountingHandler {
    private AccountingHandler() {}

    /** The accounting of all input partitions. */
    static AccountingReport accounting(Views views, Optional<SourceProgress> progress) {
        List<Account> accounts = Accounts.of(views.accounting(), progress);
        Counts sum = accounts.stream().map(Account::counts).reduce(Counts.NONE, Counts::plus);
        // Without partitions, the lag is 0 if progress was measured, and unknown otherwise.
        Optional<Long> lag = progress.map(known -> 0L);
        for (Account account : accounts) {
            lag = lag.flatMap(total -> account.lag().map(more -> total + more));
        }
        return new AccountingReport(
                accounts.stream().map(AccountingHandler::partition).toList(),
                counts(
                        sum,
                        lag,
                        sum.pending() == 0 && lag.filter(total -> total == 0).isPresent()),
                progress.map(SourceProgress::time).orElse(null),
                lag.isPresent() && accounts.stream().allMatch(Account::balanced));
    }

    private static AccountingReport.Counts counts(Counts counts, Optional<Long> lag, boolean balanced) {
        return new AccountingReport.Counts(
                counts.inputs(),
                counts.accepted(),
                counts.rejected(),
                counts.flagged(),
                counts.undecodable(),
                counts.parked(),
                counts.pending(),
                counts.unread(),
                counts.reread(),
                lag.orElse(null),
                balanced);
    }

    private static AccountingReport.Partition partition(Account account) {
        Optional<SourceProgress.Stall> stall = account.progress().flatMap(SourceProgress.Partition::stall);
        return new AccountingReport.Partition(
                account.input().topic(),
                account.input().partition(),
                counts(account.counts(), account.lag(), account.balanced()),
                account.progress().map(SourceProgress.Partition::position).orElse(null),
                account.progress().map(SourceProgress.Partition::end).orElse(null),
                stall.map(SourceProgress.Stall::since).orElse(null),
                stall.map(known -> known.cause().name()).orElse(null));
    }
}
