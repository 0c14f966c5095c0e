package dev.parley.server.witness;

import dev.parley.json.model.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The state of a witness and a log, as this instance knows it. Thread-safe. */
final class WitnessProgress {
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LAST_PAUSE = Duration.ofMinutes(1);

    /** How a witness is for one log. */
    enum State {
        /** It cosigned the submitted head, or was not asked yet. */
        COSIGNS,
        /** It was not asked, because the log does not sign its heads. */
        UNSIGNED,
        /** There was no usable response. */
        UNAVAILABLE,
        /** It refused the head. */
        REFUSED,
        /** It has cosigned a larger head than this instance has. */
        AHEAD,
        /** It has cosigned another history of the log. */
        SPLIT_VIEW
    }

    private State state = State.COSIGNS;
    private String detail = "";
    private long size;
    private Optional<WitnessClient.CosignedHead> ahead = Optional.empty();
    private long nextMillis;
    private long failedSinceMillis = -1;
    private int failures;

    /** Size of the last head that the witness is known to have cosigned. */
    synchronized long size() {
        return size;
    }

    /** A head that the witness has cosigned, to be compared with the log when it has that size. */
    synchronized Optional<WitnessClient.CosignedHead> ahead() {
        return ahead;
    }

    synchronized boolean isSplitView() {
        return state == State.SPLIT_VIEW;
    }

    /** Whether the pause after a failure is over. */
    synchronized boolean isDue(long nowMillis) {
        return nowMillis >= nextMillis;
    }

    /** The witness says that it has cosigned a head of a size that the log does not have yet. */
    synchronized void passed(long cosignedSize) {
        size = ahead.map(head -> head.treeHead().size()).orElse(cosignedSize);
    }

    /** Keeps a head of the witness until it is compared with the log. */
    synchronized void keep(WitnessClient.CosignedHead head) {
        ahead = Optional.of(head);
    }

    /** Forgets the head that was kept: the log continues it. */
    synchronized void continues() {
        ahead = Optional.empty();
    }

    /** Forgets the head that was kept: it is of another history. That is final. */
    synchronized void splitView(String why) {
        ahead = Optional.empty();
        state = State.SPLIT_VIEW;
        detail = why;
    }

    synchronized void cosigned(long cosignedSize) {
        size = cosignedSize;
        failures = 0;
        nextMillis = 0;
        failedSinceMillis = -1;
        if (!isSplitView()) {
            state = State.COSIGNS;
            detail = "";
        }
    }

    /** Plans the next attempt. Returns whether the state is new. */
    synchronized boolean failed(State next, String why, long nowMillis) {
        nextMillis = nowMillis + Math.min(LAST_PAUSE.toMillis(), FIRST_PAUSE.toMillis() << Math.min(failures, 6));
        failures++;
        if (failedSinceMillis < 0) {
            failedSinceMillis = nowMillis;
        }
        if (isSplitView()) {
            return false;
        }
        boolean isNew = state != next;
        state = next;
        detail = why;
        return isNew;
    }

    /**
     * How a witness is for all logs.
     *
     * @param logs its progress by partition
     */
    static Status.Witness status(String witness, Map<Integer, WitnessProgress> logs, long nowMillis) {
        List<Integer> behind = new ArrayList<>();
        List<Integer> splitViews = new ArrayList<>();
        long since = Long.MAX_VALUE;
        String why = null;
        for (Map.Entry<Integer, WitnessProgress> entry : new TreeMap<>(logs).entrySet()) {
            WitnessProgress log = entry.getValue();
            synchronized (log) {
                if (log.isSplitView()) {
                    splitViews.add(entry.getKey());
                } else if (log.failedSinceMillis >= 0) {
                    behind.add(entry.getKey());
                }
                if (log.failedSinceMillis >= 0 && log.failedSinceMillis < since) {
                    since = log.failedSinceMillis;
                    why = log.state + ": " + log.detail;
                }
            }
        }
        return new Status.Witness(
                witness,
                logs.size() - behind.size() - splitViews.size(),
                behind,
                splitViews,
                why == null ? 0 : (nowMillis - since) / 1_000,
                why);
    }
}
