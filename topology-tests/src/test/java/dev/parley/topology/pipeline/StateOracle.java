package dev.parley.topology.pipeline;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Derives the states of one conversation from its input records, independently of the pipeline, its stores and its
 * folds.
 */
public abstract class StateOracle {

    /** An input record, in the order in which it was sent. */
    public record Input(String topic, long offset, long time, String sender, String wire) {}

    /** An entry: its value, and the record that set it. */
    public record Entry(String value, Input by) {}

    /**
     * What held once a record had been handled. The cause is that record; sequence and turn are of the message, which
     * may be another if it had waited.
     */
    public record Moment(Input cause, long sequence, long turn, String checkpoint, Map<String, Entry> state) {}

    /** A change of an entry; null for its removal. */
    record Step(String entry, String value, Input by, long sequence) {}

    final List<Moment> moments = new ArrayList<>();
    final List<Step> steps = new ArrayList<>();
    final Map<String, Entry> state = new TreeMap<>();
    long sequence;

    abstract void accept(Input input);

    void set(String entry, String value, Input by) {
        state.put(entry, new Entry(value, by));
        steps.add(new Step(entry, value, by, sequence));
    }

    void clear(String entry, Input by) {
        if (state.remove(entry) != null) {
            steps.add(new Step(entry, null, by, sequence));
        }
    }

    /** The message was accepted, and this is what holds now. */
    void accepted(Input cause, long turn) {
        moments.add(new Moment(cause, sequence, turn, null, new TreeMap<>(state)));
    }

    /** The last moment of that kind; one with nothing in it when there is none. */
    Moment last(Predicate<Moment> covered) {
        Moment last = new Moment(null, -1, -1, "C0", Map.of());
        for (Moment moment : moments) {
            if (covered.test(moment)) {
                last = moment;
            }
        }
        return last;
    }

    /** The changes of an entry up to a moment, the latest first. */
    List<Step> history(String entry, Moment until) {
        List<Step> changes = new ArrayList<>();
        for (Step step : steps) {
            if (step.entry().equals(entry) && step.sequence() <= until.sequence()) {
                changes.add(0, step);
            }
        }
        return changes;
    }

    /**
     * nSLIP: turns that do not rise are rejected or duplicates; so is a message that accepts an unknown task.
     */
    static final class Slip extends StateOracle {
        private static final Map<String, String> FIELDS =
                Map.of("g", "goal", "p", "parent", "q", "priority", "u", "status", "s", "score", "t", "tag");
        private long lastTurn = -1;
        private String lastAccepted = "";

        @Override
        void accept(Input input) {
            Map<String, String> fields = new TreeMap<>();
            for (String field :
                    input.wire().substring(1, input.wire().length() - 1).split("\\|")) {
                fields.put(field.substring(0, 1), field.substring(1));
            }
            long turn = base62(fields.get("T"));
            boolean legal = turn > lastTurn && !fields.get("a").equals("6");
            if (turn > lastTurn) {
                lastTurn = turn;
                lastAccepted = legal ? input.wire() : "";
            }
            if (legal) {
                String task = "task/" + (fields.containsKey("k") ? base62(fields.get("k")) : "-") + "/";
                if (!fields.get("a").equals("2") && !fields.get("a").equals("A")) {
                    FIELDS.forEach((slot, name) -> {
                        String value = fields.get(slot);
                        if (value != null) {
                            String plain = value.startsWith("\"")
                                    ? value.substring(1, value.length() - 1)
                                    : Long.toString(base62(value));
                            set(task + name, plain, input);
                        }
                    });
                }
                accepted(input, turn);
            }
            sequence++;
        }

        static long base62(String text) {
            long number = 0;
            for (char digit : text.toCharArray()) {
                number = number * 62 + "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".indexOf(digit);
            }
            return number;
        }
    }

    /** SUBIT, where who opened an INTENT goes on with it. */
    static final class Subit extends StateOracle {
        private static final Map<String, List<String>> LEGAL_AFTER = Map.of(
                "STATE", List.of("START", "STATE", "TRACE", "ERROR"),
                "INTENT", List.of("STATE", "INTENT"),
                "ACTION", List.of("INTENT", "ACTION"),
                "TRACE", List.of("STATE", "INTENT", "ACTION", "TRACE"),
                "ERROR", List.of("START", "STATE", "INTENT", "ACTION", "TRACE", "ERROR"));
        String stands = "START";

        @Override
        void accept(Input input) {
            String type = between(input.wire(), "\"type\":\"");
            String bits = between(input.wire(), "\"payload\":\"");
            if (LEGAL_AFTER.get(type).contains(stands)) {
                stands = type;
                String agent = "agent/" + (input.sender() == null ? "-" : input.sender());
                switch (type) {
                    case "STATE" -> set(agent, form(bits, 0), input);
                    case "ACTION" -> set(agent, form(bits, 6), input);
                    case "ERROR" -> clear(agent, input);
                    default -> {}
                }
                accepted(input, -1);
            }
            sequence++;
        }

        private static String form(String bits, int from) {
            return Integer.toString(Integer.parseInt(bits.substring(from, from + 6), 2));
        }

        private static String between(String wire, String mark) {
            int from = wire.indexOf(mark) + mark.length();
            return wire.substring(from, wire.indexOf('"', from));
        }
    }

    /** Λ: {def:n="v"} defines; an offer is in force once the other side says "<+", also after it had it clarified. */
    static final class Lambda extends StateOracle {
        private String waiting = "";
        private String offer;
        private String offerName;

        @Override
        void accept(Input input) {
            String wire = input.wire();
            boolean legal = true;
            if (wire.startsWith("{def:")) {
                int equals = wire.indexOf('=');
                set(
                        "definition/" + wire.substring("{def:".length(), equals),
                        wire.substring(equals + 2, wire.length() - 2),
                        input);
                offer = waiting.equals("clarify") ? offer : null;
                waiting = "context";
            } else if (wire.startsWith(">") || wire.startsWith("<->")) {
                offer = wire;
                offerName = "agreement/#" + sequence;
                waiting = "offer";
            } else if (wire.startsWith("!")) {
                offer = null;
                waiting = "saying";
            } else if (wire.startsWith("<?")) {
                waiting = "clarify";
            } else if (waiting.isEmpty()) {
                legal = false;
            } else {
                if (offer != null && wire.equals("<+")) {
                    set(offerName, offer, input);
                }
                offer = null;
                waiting = "";
            }
            if (legal) {
                accepted(input, -1);
            }
            sequence++;
        }
    }
}
