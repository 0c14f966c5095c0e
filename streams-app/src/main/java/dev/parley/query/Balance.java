package dev.parley.query;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.audit.InputPartition;
import dev.parley.avro.Accounting;
import dev.parley.operations.SourceProgress;
import dev.parley.topology.Topics;
import io.javalin.http.Context;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * Answers whether every input became something: inputs = accepted + rejected + flagged + undecodable + parked, and nothing is left to be read. What was counted comes from the
 * views, how far the input extends from the brokers, which were asked a moment ago.
 */
final class Balance {
    /** The application whose sources are the inputs. */
    static final String PIPELINE = "pipeline";

    private final Views views;
    private final Optional<SourceProgress> progress;

    Balance(Views views, Optional<SourceProgress> progress) {
        this.views = views;
        this.progress = progress;
    }

    /**
     * Sums of counts.
     *
     * @param nextOffset offset after the last record that was counted; -1 when none was
     */
    record Counts(
            long inputs,
            long accepted,
            long rejected,
            long flagged,
            long undecodable,
            long parked,
            long unread,
            long reread,
            long nextOffset) {

        static final Counts NONE = new Counts(0, 0, 0, 0, 0, 0, 0, 0, -1);

        static Counts of(Accounting counts) {
            return new Counts(
                    counts.getInputs(),
                    counts.getAccepted(),
                    counts.getRejected(),
                    counts.getFlagged(),
                    counts.getUndecodable(),
                    counts.getParked(),
                    counts.getUnread(),
                    counts.getReread(),
                    counts.getNextOffset());
        }

        Counts plus(Counts other) {
            return new Counts(
                    inputs + other.inputs,
                    accepted + other.accepted,
                    rejected + other.rejected,
                    flagged + other.flagged,
                    undecodable + other.undecodable,
                    parked + other.parked,
                    unread + other.unread,
                    reread + other.reread,
                    Math.max(nextOffset, other.nextOffset));
        }

        /** Inputs between the two halves of the pipeline, or in the internal dead letters. */
        long pending() {
            return inputs - accepted - rejected - flagged - undecodable - parked;
        }

        private ObjectNode into(ObjectNode node) {
            return node.put("inputs", inputs)
                    .put("accepted", accepted)
                    .put("rejected", rejected)
                    .put("flagged", flagged)
                    .put("undecodable", undecodable)
                    .put("parked", parked)
                    .put("pending", pending())
                    .put("unread", unread)
                    .put("reread", reread);
        }
    }

    /**
     * An input partition: what was counted of it, and how far it extends.
     *
     * @param extent empty when it is not known
     */
    record Account(InputPartition input, Counts counts, Optional<SourceProgress.Partition> extent) {

        /** Offsets that were neither committed nor counted; empty when they are not known. */
        OptionalLong lag() {
            return extent.map(known -> OptionalLong.of(Math.min(
                            known.lag(), Math.max(0, known.end() - Math.max(0, counts.nextOffset())))))
                    .orElse(OptionalLong.empty());
        }

        /** Never so when it is not known whether something is left to be read. */
        boolean balanced() {
            OptionalLong lag = lag();
            return counts.pending() == 0 && lag.isPresent() && lag.getAsLong() == 0;
        }

        private void into(ObjectNode node) {
            node.put("topic", input.topic()).put("partition", input.partition());
            counts.into(node);
            node.put("position", extent.map(SourceProgress.Partition::position).orElse(null));
            node.put("end", extent.map(SourceProgress.Partition::end).orElse(null));
            putLag(node, lag());
            Optional<SourceProgress.Stall> stall = extent.flatMap(SourceProgress.Partition::stall);
            node.put(
                    "stalledSince", stall.map(known -> known.since().toString()).orElse(null));
            node.put("stalledBy", stall.map(known -> known.cause().name()).orElse(null));
            node.put("balanced", balanced());
        }
    }

    private static void putLag(ObjectNode node, OptionalLong lag) {
        node.put("lag", lag.isPresent() ? (Long) lag.getAsLong() : null);
    }

    /** Every input partition of which something was counted, or of which something is there to be read. */
    static List<Account> accounts(List<Accounting> accounting, Optional<SourceProgress> progress) {
        Map<InputPartition, Counts> sums = new TreeMap<>();
        accounting.forEach(counts -> sums.merge(
                new InputPartition(counts.getTopic(), counts.getPartition()), Counts.of(counts), Counts::plus));
        Map<InputPartition, SourceProgress.Partition> extents = new TreeMap<>();
        progress.ifPresent(known -> known.partitions().stream()
                .filter(partition -> partition.application().equals(PIPELINE))
                .filter(partition -> Topics.READ.contains(partition.topic()))
                .forEach(partition -> {
                    InputPartition input = new InputPartition(partition.topic(), partition.partition());
                    extents.put(input, partition);
                    if (partition.lag() > 0) {
                        sums.putIfAbsent(input, Counts.NONE);
                    }
                }));
        return sums.entrySet().stream()
                .map(entry ->
                        new Account(entry.getKey(), entry.getValue(), Optional.ofNullable(extents.get(entry.getKey()))))
                .toList();
    }

    ObjectNode accounting(Context request) {
        Parameters.of(request);
        List<Account> accounts = accounts(views.accounting(), progress);
        ObjectNode answer = Json.object();
        ArrayNode partitions = answer.putArray("partitions");
        accounts.forEach(account -> account.into(partitions.addObject()));
        Counts sum = accounts.stream().map(Account::counts).reduce(Counts.NONE, Counts::plus);
        // Without any partition it is still known whether the brokers answered.
        OptionalLong lag = progress.isPresent()
                        && accounts.stream().allMatch(account -> account.lag().isPresent())
                ? OptionalLong.of(accounts.stream()
                        .mapToLong(account -> account.lag().getAsLong())
                        .sum())
                : OptionalLong.empty();
        ObjectNode total = sum.into(answer.putObject("total"));
        putLag(total, lag);
        total.put("balanced", sum.pending() == 0 && lag.isPresent() && lag.getAsLong() == 0);
        answer.put("lagAsOf", progress.map(known -> known.time().toString()).orElse(null));
        return ResponseBudget.of(request)
                .whole(answer.put(
                        "balanced", lag.isPresent() && accounts.stream().allMatch(Account::balanced)));
    }
}
