package dev.parley.server.health;

import dev.parley.avro.Accounting;
import dev.parley.json.model.AccountingReport.Counts;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The counts of one input partition at one moment: those of the tasks that read it and those of its outcomes. Counts of
 * outcomes can be newer than the counts of inputs. Each outcome proves an input, so pending inputs are never negative.
 */
final class PartitionCounts {
    private final Map<Integer, Long> inputsByLog = new HashMap<>();
    private final Map<Integer, Long> outcomesByLog = new HashMap<>();
    private long inputs;
    private long accepted;
    private long rejected;
    private long flagged;
    private long undecodable;
    private long parked;
    private long unread;
    private long reread;
    private long nextOffset;

    /** Adds the counts of a task. */
    void add(Accounting task) {
        inputs += task.getInputs();
        accepted += task.getAccepted();
        rejected += task.getRejected();
        flagged += task.getFlagged();
        undecodable += task.getUndecodable();
        parked += task.getParked();
        unread += task.getUnread();
        reread += task.getReread();
        nextOffset = Math.max(nextOffset, task.getNextOffset());
        List<Long> toLogs = task.getInputsByLog();
        for (int log = 0; log < toLogs.size(); log++) {
            inputsByLog.merge(log, toLogs.get(log), Long::sum);
        }
        outcomesByLog.merge(
                task.getLog(),
                task.getAccepted() + task.getRejected() + task.getFlagged() + task.getUndecodable() + task.getParked(),
                Long::sum);
    }

    /** Offset after the last record that was read; 0 before the first one. */
    long nextOffset() {
        return nextOffset;
    }

    /** Records that were read, among them those that only an outcome proves. */
    long inputs() {
        return inputs
                + outcomesByLog.entrySet().stream()
                        .mapToLong(log -> Math.max(0, log.getValue() - inputsByLog.getOrDefault(log.getKey(), 0L)))
                        .sum();
    }

    /** Whether each input of earlier counts has an outcome in these. */
    boolean haveOutcomesOf(PartitionCounts earlier) {
        return earlier.inputs
                        == earlier.inputsByLog.values().stream()
                                .mapToLong(Long::longValue)
                                .sum()
                && earlier.inputsByLog.entrySet().stream()
                        .allMatch(log -> outcomesByLog.getOrDefault(log.getKey(), 0L) >= log.getValue());
    }

    /** @param lag null if unknown */
    Counts report(Long lag) {
        // Records between the stages of the pipeline, or in the internal dead letters.
        long pending = inputs() - accepted - rejected - flagged - undecodable - parked;
        return new Counts(
                inputs(),
                accepted,
                rejected,
                flagged,
                undecodable,
                parked,
                pending,
                unread,
                reread,
                lag,
                pending == 0 && lag != null && lag == 0);
    }
}
