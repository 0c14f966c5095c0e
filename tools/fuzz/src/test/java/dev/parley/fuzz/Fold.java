package dev.parley.fuzz;

import static dev.parley.fuzz.Promise.require;

import dev.parley.avro.CspMessage;
import dev.parley.avro.CspOperation;
import dev.parley.avro.CspOperator;
import dev.parley.checkpoint.CheckpointKey;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Reference implementation: applies patches to whole maps, to compute what every checkpoint must define. */
final class Fold {
    private final Map<CheckpointKey, SortedMap<String, String>> states = new HashMap<>();

    /** Applies an accepted patch. */
    void apply(String namespace, String context, CspMessage patch) {
        CheckpointKey base = new CheckpointKey(namespace, context, patch.getBase());
        CheckpointKey target = new CheckpointKey(namespace, context, patch.getTarget());
        require(base.isRoot() || states.containsKey(base), "a patch was applied to the missing checkpoint %s", base);
        require(!target.isRoot() && !states.containsKey(target), "a patch created %s again", target);
        SortedMap<String, String> state = new TreeMap<>(states.getOrDefault(base, new TreeMap<>()));
        for (CspOperation operation : patch.getOperations()) {
            String name = operation.getName();
            require(
                    state.containsKey(name) == (operation.getOperator() != CspOperator.ADD),
                    "%s of %s does not match %s",
                    operation.getOperator(),
                    name,
                    base);
            if (operation.getOperator() == CspOperator.REMOVE) {
                state.remove(name);
            } else {
                state.put(name, operation.getValue());
            }
        }
        states.put(target, state);
    }

    /** The states of all checkpoints except the roots. */
    Map<CheckpointKey, SortedMap<String, String>> states() {
        return states;
    }
}
