package dev.parley.topology.pipeline;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** CSP/1: patches on whole maps, and those that wait for their base. */
final class CspOracle extends StateOracle {

    /** A checkpoint: what made it of what, and what it holds. A null value among the changes is a removal. */
    record Node(
            String id, String patch, Node parent, Input by, Map<String, String> changes, Map<String, Entry> state) {}

    private record Patch(String id, String base, String target, List<String> lines) {}

    /** In the order in which they were made, the root first. */
    final Map<String, Node> nodes = new LinkedHashMap<>();

    private final Set<String> claimed = new HashSet<>();
    private final Map<String, List<Input>> waiting = new HashMap<>();

    CspOracle() {
        nodes.put("C0", new Node("C0", null, null, null, Map.of(), Map.of()));
    }

    @Override
    void accept(Input input) {
        if (input.wire().contains("\nINTENT PATCH\n")) {
            decide(input, input);
        } else {
            sequence++;
        }
    }

    private void decide(Input input, Input cause) {
        Patch patch = read(input.wire());
        Node base = nodes.get(patch.base());
        boolean fresh = !patch.base().equals(patch.target())
                && !nodes.containsKey(patch.target())
                && !claimed.contains(patch.id());
        if (fresh && base == null) {
            List<Input> queue = waiting.computeIfAbsent(patch.base(), key -> new ArrayList<>());
            if (queue.stream().noneMatch(other -> other.wire().equals(input.wire()))) {
                queue.add(input);
                return;
            }
        }
        Node made = fresh && base != null ? applied(patch, base, input) : null;
        if (made == null) {
            sequence++;
            return;
        }
        nodes.put(made.id(), made);
        claimed.add(patch.id());
        moments.add(new Moment(cause, sequence, -1, made.id(), made.state()));
        sequence++;
        List<Input> free = waiting.remove(made.id());
        if (free != null) {
            free.forEach(next -> decide(next, cause));
        }
    }

    /** Null when a line does not fit. */
    private static Node applied(Patch patch, Node base, Input input) {
        Map<String, Entry> state = new TreeMap<>(base.state());
        Map<String, String> changes = new HashMap<>();
        for (String line : patch.lines()) {
            String[] parts = line.substring("+ DEF ".length()).split(" :?= ", 2);
            if (base.state().containsKey(parts[0]) == line.startsWith("+")) {
                return null;
            }
            changes.put(parts[0], line.startsWith("-") ? null : parts[1]);
            if (line.startsWith("-")) {
                state.remove(parts[0]);
            } else {
                state.put(parts[0], new Entry(parts[1], input));
            }
        }
        return new Node(patch.target(), patch.id(), base, input, changes, state);
    }

    private static Patch read(String wire) {
        String id = null;
        String base = null;
        String target = null;
        List<String> lines = new ArrayList<>();
        for (String line : wire.split("\n")) {
            if (line.startsWith("PATCH ")) {
                id = line.substring("PATCH ".length());
            } else if (line.startsWith("BASE ")) {
                base = line.substring("BASE ".length());
            } else if (line.startsWith("APPLY -> ")) {
                target = line.substring("APPLY -> ".length());
            } else if (line.indexOf(" DEF ") == 1) {
                lines.add(line);
            }
        }
        return new Patch(id, base, target, lines);
    }

    /** The changes of a definition on the way from a checkpoint to the root. */
    @Override
    List<Step> history(String entry, Moment until) {
        List<Step> changes = new ArrayList<>();
        for (Node node = nodes.get(until.checkpoint()); node != null; node = node.parent()) {
            if (node.changes().containsKey(entry)) {
                changes.add(new Step(entry, node.changes().get(entry), node.by(), -1));
            }
        }
        return changes;
    }
}
