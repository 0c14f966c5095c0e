package dev.parley.server.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.server.health.Accounts;
import dev.parley.server.health.Accounts.Account;
import dev.parley.server.health.Accounts.Counts;
import dev.parley.server.health.SourceProgress;
import dev.parley.server.http.Json;
import dev.parley.server.http.ResponseBudget;
import dev.parley.topology.views.read.Views;
import io.javalin.http.Context;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Answers whether every input record has a verdict: inputs = accepted + rejected + flagged + undecodable + parked, and
 * no records are unread. The counts come from the views, the ends of the inputs from the last measurement of progress.
 */
final class AccountingHandler {
    private final Views views;
    private final Optional<SourceProgress> progress;

    AccountingHandler(Views views, Optional<SourceProgress> progress) {
        this.views = views;
        this.progress = progress;
    }

    ObjectNode accounting(Context request) {
        Parameters.of(request);
        return ResponseBudget.of(request).addAnswer(accounting(views, progress));
    }

    /** The accounting of all input partitions. */
    static ObjectNode accounting(Views views, Optional<SourceProgress> progress) {
        List<Account> accounts = Accounts.of(views.accounting(), progress);
        ObjectNode answer = Json.object();
        ArrayNode partitions = answer.putArray("partitions");
        accounts.forEach(account -> put(partitions.addObject(), account));
        Counts sum = accounts.stream().map(Account::counts).reduce(Counts.NONE, Counts::plus);
        // Without partitions, the lag is 0 if progress was measured, and unknown otherwise.
        OptionalLong lag = progress.isPresent()
                        && accounts.stream().allMatch(account -> account.lag().isPresent())
                ? OptionalLong.of(accounts.stream()
                        .mapToLong(account -> account.lag().getAsLong())
                        .sum())
                : OptionalLong.empty();
        ObjectNode total = put(answer.putObject("total"), sum);
        putLag(total, lag);
        total.put("balanced", sum.pending() == 0 && lag.isPresent() && lag.getAsLong() == 0);
        answer.put("lagAsOf", progress.map(known -> known.time().toString()).orElse(null));
        return answer.put("balanced", lag.isPresent() && accounts.stream().allMatch(Account::balanced));
    }

    private static ObjectNode put(ObjectNode node, Counts counts) {
        return node.put("inputs", counts.inputs())
                .put("accepted", counts.accepted())
                .put("rejected", counts.rejected())
                .put("flagged", counts.flagged())
                .put("undecodable", counts.undecodable())
                .put("parked", counts.parked())
                .put("pending", counts.pending())
                .put("unread", counts.unread())
                .put("reread", counts.reread());
    }

    private static void put(ObjectNode node, Account account) {
        node.put("topic", account.input().topic())
                .put("partition", account.input().partition());
        put(node, account.counts());
        node.put(
                "position",
                account.progress().map(SourceProgress.Partition::position).orElse(null));
        node.put("end", account.progress().map(SourceProgress.Partition::end).orElse(null));
        putLag(node, account.lag());
        Optional<SourceProgress.Stall> stall = account.progress().flatMap(SourceProgress.Partition::stall);
        node.put("stalledSince", stall.map(known -> known.since().toString()).orElse(null));
        node.put("stalledBy", stall.map(known -> known.cause().name()).orElse(null));
        node.put("balanced", account.balanced());
    }

    private static void putLag(ObjectNode node, OptionalLong lag) {
        node.put("lag", lag.isPresent() ? (Long) lag.getAsLong() : null);
    }
}
