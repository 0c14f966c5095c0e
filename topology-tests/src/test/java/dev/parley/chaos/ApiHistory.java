package dev.parley.chaos;

import dev.parley.audit.InputPosition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What HTTP clients were told, and what the topics have of it. Checks that
 *
 * <ul>
 *   <li>an idempotency key has one position, and its message is in the inputs once;
 *   <li>an acknowledged message is in the inputs, and has a verdict;
 *   <li>a read that requires a position has it, and no earlier sequence than the reads before;
 *   <li>a dead letter is redriven once.
 * </ul>
 *
 * <p>Thread-safe.
 */
final class ApiHistory {
    /** Namespace of all messages of HTTP clients. */
    static final String NAMESPACE = "clients";

    private final Map<String, InputPosition> acknowledged = new HashMap<>();
    private final Map<String, InputPosition> redriven = new HashMap<>();
    private final Map<String, InputPosition> entered = new HashMap<>();
    private final Map<InputPosition, Long> sequences = new HashMap<>();
    private final Map<String, Long> lastRead = new HashMap<>();
    private final List<Read> reads = new ArrayList<>();
    private final Set<InputPosition> inputs = new HashSet<>();
    private final List<String> wrong = new ArrayList<>();
    private long events;

    private record Read(InputPosition required, long sequence) {}

    /** A message was acknowledged at a position; also a repetition. */
    synchronized void acknowledged(String key, InputPosition position) {
        events++;
        InputPosition before = acknowledged.putIfAbsent(key, position);
        if (before != null && !before.equals(position)) {
            wrong.add(key + " was acknowledged as " + before + " and as " + position);
        }
    }

    /** A redrive reported that a dead letter has entered at a position, now or earlier. */
    synchronized void redriven(String deadLetter, InputPosition position) {
        events++;
        InputPosition before = redriven.putIfAbsent(deadLetter, position);
        if (before != null && !before.equals(position)) {
            wrong.add(deadLetter + " was redriven to " + before + " and to " + position);
        }
    }

    /** A read of a conversation that required a position returned the last sequence; -1 for none. */
    synchronized void read(String conversation, InputPosition required, long sequence) {
        events++;
        Long before = lastRead.put(conversation, sequence);
        if (before != null && sequence < before) {
            wrong.add(conversation + " was read up to " + before + ", and later up to " + sequence);
        }
        reads.add(new Read(required, sequence));
    }

    /**
     * The inputs have a message.
     *
     * @param attempt of its redrive; empty for a message that was not redriven
     */
    synchronized void input(String key, String attempt, InputPosition position) {
        InputPosition before = entered.putIfAbsent(key + " " + attempt, position);
        if (before != null) {
            wrong.add(key + (attempt.isEmpty() ? "" : ", attempt " + attempt + ",") + " entered as " + before
                    + " and as " + position);
        }
        inputs.add(position);
    }

    /** An input has a verdict with a sequence in its conversation. */
    synchronized void verdict(InputPosition position, long sequence) {
        sequences.put(position, sequence);
    }

    /** The violations since the last call, one sentence each. Call this when every input has been added. */
    synchronized List<String> objections() {
        acknowledged.forEach((key, position) -> {
            if (!position.equals(entered.get(key + " "))) {
                wrong.add(key + " was acknowledged as " + position + " and is " + entered.get(key + " "));
            } else if (!sequences.containsKey(position)) {
                wrong.add(key + " was acknowledged as " + position + ", which has no verdict");
            }
        });
        redriven.forEach((deadLetter, position) -> {
            if (!inputs.contains(position)) {
                wrong.add(deadLetter + " was redriven to " + position + ", which is not in the inputs");
            }
        });
        for (Read read : reads) {
            if (read.sequence() < sequences.getOrDefault(read.required(), 0L)) {
                wrong.add("a read that required " + read.required() + " returned only sequence " + read.sequence());
            }
        }
        reads.clear();
        List<String> objections = List.copyOf(wrong);
        wrong.clear();
        return objections;
    }

    /** Number of responses. */
    synchronized long events() {
        return events;
    }
}
