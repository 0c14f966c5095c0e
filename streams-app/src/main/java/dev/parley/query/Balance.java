package dev.parley.query;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.avro.Accounting;
import io.javalin.http.Context;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Answers whether every input became something: inputs = accepted + rejected + flagged + undecodable + parked. */
final class Balance {

    private final Views views;

    Balance(Views views) {
        this.views = views;
    }

    /** An input partition. */
    record Input(String topic, int partition) {

        static final Comparator<Input> ORDER =
                Comparator.comparing(Input::topic).thenComparingInt(Input::partition);
    }

    /** Sums of counts. */
    record Counts(long inputs, long accepted, long rejected, long flagged, long undecodable, long parked) {

        static final Counts NONE = new Counts(0, 0, 0, 0, 0, 0);

        static Counts of(Accounting counts) {
            return new Counts(
                    counts.getInputs(),
                    counts.getAccepted(),
                    counts.getRejected(),
                    counts.getFlagged(),
                    counts.getUndecodable(),
                    counts.getParked());
        }

        Counts plus(Counts other) {
            return new Counts(
                    inputs + other.inputs,
                    accepted + other.accepted,
                    rejected + other.rejected,
                    flagged + other.flagged,
                    undecodable + other.undecodable,
                    parked + other.parked);
        }

        boolean balanced() {
            return inputs == accepted + rejected + flagged + undecodable + parked;
        }

        private ObjectNode into(ObjectNode node) {
            return node.put("inputs", inputs)
                    .put("accepted", accepted)
                    .put("rejected", rejected)
                    .put("flagged", flagged)
                    .put("undecodable", undecodable)
                    .put("parked", parked)
                    .put("balanced", balanced());
        }
    }

    /** Sums over the tasks, by input partition. */
    static Map<Input, Counts> byInput(List<Accounting> accounting) {
        Map<Input, Counts> sums = new TreeMap<>(Input.ORDER);
        accounting.forEach(counts ->
                sums.merge(new Input(counts.getTopic(), counts.getPartition()), Counts.of(counts), Counts::plus));
        return sums;
    }

    ObjectNode accounting(Context request) {
        Parameters.of(request);
        Map<Input, Counts> sums = byInput(views.accounting());
        ObjectNode answer = Json.object();
        ArrayNode partitions = answer.putArray("partitions");
        sums.forEach((input, counts) ->
                counts.into(partitions.addObject().put("topic", input.topic()).put("partition", input.partition())));
        sums.values().stream().reduce(Counts.NONE, Counts::plus).into(answer.putObject("total"));
        return ResponseBudget.of(request)
                .whole(answer.put("balanced", sums.values().stream().allMatch(Counts::balanced)));
    }
}
