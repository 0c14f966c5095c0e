package dev.parley.server.witness;

import dev.parley.json.model.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The state of a witness and a log, as this instance knows it. Not thread-safe. */
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
    long size() {
        return size;
    }

    /** A head that the witness has cosigned, to be compared with the log when it has that size. */
    Optional<WitnessClient.CosignedHead> ahead() {
        return ahead;
    }

    boolean isSplitView() {
        return state == State.SPLIT_VIEW;
    }

    /** Whether the pause after a failure is over. */
    boolean isDue(long nowMillis) {
        return nowMillis >= nextMillis;
    }

    /** The witness says that it has cosigned a head of a size that the log does not have yet. */
    void passed(long cosignedSize) {
        size = ahead.map(head -> head.treeHead().size()).orElse(cosignedSize);
    }

    /** Keeps a head of the witness until it is compared with the log. */
    void keep(WitnessClient.CosignedHead head) {
        ahead = Optional.of(head);
    }

    /** Forgets the head that was kept: the log continues it. */
    void continues() {
        ahead = Optional.empty();
    }

    /** Forgets the head that was kept: it is of another history. That is final. */
    void splitView(String why) {
        ahead = Optional.empty();
        state = State.SPLIT_VIEW;
        detail = why;
    }

    void cosigned(long cosignedSize) {
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
    boolean failed(State next, String why, long nowMillis) {
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
        logs.entrySet().stream().sorted(Map.Entry.comparingByKey()).forEach(log -> {
            if (log.getValue().isSplitView()) {
                splitViews.add(log.getKey());
            } else if (log.getValue().failedSinceMillis >= 0) {
                behind.add(log.getKey());
            }
        });
        Optional<WitnessProgress> longest = logs.values().stream()
                .filter(log -> log.failedSinceMillis >= 0)
                .min(Comparator.comparingLong(log -> log.failedSinceMillis));
        return new Status.Witness(
                witness,
                logs.size() - behind.size() - splitViews.size(),
                behind,
                splitViews,
                longest.map(log -> (nowMillis - log.failedSinceMillis) / 1_000).orElse(0L),
                longest.map(log -> log.state + ": " + log.detail).orElse(null));
    }
}
