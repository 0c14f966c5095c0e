package dev.parley.query;

import java.util.Map;
import java.util.Optional;

/** Rebuilds the states of CSP contexts. */
@FunctionalInterface
public interface States {

    /**
     * The definitions in force at a checkpoint, name to value; empty when the checkpoint is unknown. That of C0 is always known.
     *
     * @throws ViewsUnavailable when the stores cannot be read now
     */
    Optional<Map<String, String>> state(String namespace, String context, String checkpoint);
}
