package dev.parley.load;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/**
 * Generates a CSP context: consecutive patches, branches, patches before their base or without one, and tasks with
 * results. Keeps the names that each checkpoint defines, because a patch must match its base.
 */
final class CspGenerator extends ConversationGenerator {
    private static final int LARGE = 16 << 10;

    private final Map<String, Map<String, String>> states = new LinkedHashMap<>();
    private final Deque<Line> prepared = new ArrayDeque<>();
    private String head = "C0";
    private String lastPatch;
    private int checkpoints;
    private int patches;
    private int names;
    private int tasks;
    private boolean taskOpen;

    CspGenerator(RandomGenerator random, long number) {
        super(random, "parley.wire.csp", "context-" + number, 30);
        states.put("C0", Map.of());
    }

    @Override
    boolean mayEnd() {
        return prepared.isEmpty() && !taskOpen;
    }

    @Override
    Line legal() {
        if (!prepared.isEmpty()) {
            return prepared.remove();
        }
        return switch (random().nextInt(8)) {
            case 0, 1, 2 -> accepted(patch(head));
            case 3 -> accepted(patch(anyCheckpoint()));
            case 4 -> outOfOrder();
            default -> task();
        };
    }

    /** Two or three consecutive patches, the last of them first. */
    private Line outOfOrder() {
        for (int left = random().nextInt(2, 4); left > 0; left--) {
            Line line = accepted(patch(head));
            prepared.push(prepared.isEmpty() ? line : line.awaitingBase());
        }
        return prepared.remove();
    }

    private Line task() {
        taskOpen = !taskOpen;
        return accepted(
                taskOpen
                        ? block("MAIN", "CODER", "TASK", "TASK T" + ++tasks + "\nREQ " + word(3, 60) + "\nOWNER CODER")
                        : result("CODER", tasks));
    }

    private String result(String sender, int task) {
        return block(sender, "MAIN", "RESULT", "RESULT T" + task + "\nSTATUS OK\nDATA " + word(3, 80));
    }

    @Override
    Line illegal(int kind) {
        if (!prepared.isEmpty()) {
            // The head does not exist yet: the effect of an invalid line would show only later.
            return legal();
        }
        return switch (kind % 11) {
            case 0 ->
                undecodable("CSP_PATCH_INCOMPLETE", block("MAIN", "MEM", "PATCH", "PATCH P0\nBASE C0\n+ DEF A = 1"));
            case 1 -> undecodable("CSP_PATCH_LINE", patch(id(), "C0", "CX", "? DEF A = 1"));
            case 2 -> rejected("CSP_SELF_APPLY", patch(id(), head, head, "+ DEF A = 1"));
            case 3 -> rejected("CSP_PATCH_NAME_TWICE", patch(id(), head, "CX", "+ DEF A = 1", "~ DEF A := 2"));
            case 4 -> rejected("CSP_CHANGE_MISSING", patch(id(), head, "CX", "~ DEF UNDEFINED := 1"));
            case 5 -> rejected("CSP_REMOVE_MISSING", patch(id(), head, "CX", "- DEF UNDEFINED"));
            case 6 ->
                new Line(patch(id(), "GONE" + patches, "CX", "+ DEF A = 1"), ExpectedOutcome.PARKED).awaitingBase();
            case 7 -> rejected("CSP_RESULT_WITHOUT_TASK", result("CODER", tasks + 1_000));
            case 8 -> taskOpen ? rejected("CSP_WRONG_RESPONDER", result("MAIN", tasks)) : legal();
            default -> again(kind);
        };
    }

    /** Repeats the last patch, unchanged or changed. */
    private Line again(int kind) {
        if (lastPatch == null) {
            return legal();
        }
        return kind % 2 == 0
                ? accepted(lastPatch)
                : rejected("CSP_CHECKPOINT_CONFLICT", lastPatch.replace("\nAPPLY", "\n+ DEF MORE = 1\nAPPLY"));
    }

    /** A valid patch that creates the next checkpoint, which is the new head. */
    private String patch(String base) {
        Map<String, String> state = new TreeMap<>(states.get(base));
        List<String> operations = new ArrayList<>();
        List<String> known = new ArrayList<>(state.keySet());
        if (!known.isEmpty() && random().nextBoolean()) {
            String name = known.remove(random().nextInt(known.size()));
            operations.add(change(name, state));
        }
        if (known.size() > 8 || (known.size() > 1 && random().nextInt(4) == 0)) {
            String name = known.remove(random().nextInt(known.size()));
            state.remove(name);
            operations.add("- DEF " + name);
        }
        String name = "N" + ++names;
        state.put(name, value());
        operations.add("+ DEF " + name + " = " + state.get(name));
        head = "C" + ++checkpoints;
        states.put(head, state);
        lastPatch = patch(id(), base, head, operations.toArray(String[]::new));
        return lastPatch;
    }

    private String change(String name, Map<String, String> state) {
        state.put(name, value());
        return "~ DEF " + name + " := " + state.get(name);
    }

    private String value() {
        return random().nextInt(500) == 0 ? word(LARGE / 2, LARGE) : word(1, 60);
    }

    private String anyCheckpoint() {
        List<String> all = List.copyOf(states.keySet());
        return all.get(random().nextInt(all.size()));
    }

    private String id() {
        return "P" + ++patches;
    }

    private static String patch(String id, String base, String target, String... operations) {
        return CspPatchText.of(id, base, target, String.join("\n", operations));
    }

    private static String block(String from, String to, String intent, String body) {
        return "CSP/1\nFROM " + from + "\nTO " + to + "\nCTX C0\nINTENT " + intent + "\n\n" + body;
    }
}
