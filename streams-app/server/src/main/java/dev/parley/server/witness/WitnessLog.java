package dev.parley.server.witness;

import dev.parley.json.model.Status;
import dev.parley.log.tlog.ConsistencyProof;
import dev.parley.log.tlog.TreeHead;
import dev.parley.log.tlog.Witness;
import dev.parley.server.witness.WitnessClient.CosignedHead;
import dev.parley.server.witness.WitnessSettings.Endpoint;
import dev.parley.topology.views.LogView;
import dev.parley.topology.views.store.ViewsUnavailableException;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Submits the heads of one log to one witness, and keeps what this instance knows of both. One thread at a time calls
 * {@link #submit}; other threads read {@link #size} and {@link #status}.
 */
final class WitnessLog {
    private static final Logger LOG = LoggerFactory.getLogger(WitnessLog.class);
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LAST_PAUSE = Duration.ofMinutes(1);
    private static final int UNPROCESSABLE = 422;

    private final Endpoint witness;
    private final WitnessClient client;
    private final InstantSource clock;
    private volatile Health health = new Health(State.COSIGNS, "", -1);
    private volatile long size;
    private Optional<CosignedHead> ahead = Optional.empty();
    private long nextMillis;
    private int failures;

    /** How a witness is for one log. */
    private enum State {
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
        /** It has cosigned another history of the log. That is final. */
        SPLIT_VIEW
    }

    /** @param failedSince milliseconds since 1970 of the first failure; -1 if the last head is cosigned */
    private record Health(State state, String detail, long failedSince) {
        boolean isSplitView() {
            return state == State.SPLIT_VIEW;
        }

        boolean hasFailed() {
            return failedSince >= 0;
        }

        /** The same health at another time, unless a split view hides the new state. */
        Health then(State next, String why, long since) {
            return isSplitView() ? new Health(state, detail, since) : new Health(next, why, since);
        }
    }

    WitnessLog(Endpoint witness, WitnessClient client, InstantSource clock) {
        this.witness = witness;
        this.client = client;
        this.clock = clock;
    }

    /** Size of the last head that the witness is known to have cosigned. */
    long size() {
        return size;
    }

    /** Submits a head that the witness has not cosigned, unless it failed a moment ago. */
    void submit(HeadCandidate candidate, LogView log) throws InterruptedException {
        // More than the longest pause: the clock was set back.
        long waitMillis = nextMillis - clock.millis();
        boolean isDue = waitMillis <= 0 || waitMillis > LAST_PAUSE.toMillis();
        if (candidate.isCosignedBy(witness)) {
            cosigned(candidate);
        } else if (isDue && !candidate.isSigned()) {
            failed(candidate, State.UNSIGNED, "the log has no key; set audit.heads.key.files where the pipeline runs");
        } else if (isDue) {
            try {
                compare(candidate, log);
                send(candidate, log);
            } catch (IOException | ViewsUnavailableException e) {
                failed(candidate, State.UNAVAILABLE, e.getMessage());
            }
        }
    }

    private void send(HeadCandidate candidate, LogView log) throws IOException, InterruptedException {
        Witness.Answer answer = send(Math.min(size, candidate.size()), candidate, log);
        if (answer instanceof Witness.Conflict conflict && conflict.size() <= candidate.size()) {
            answer = send(conflict.size(), candidate, log);
        }
        if (answer instanceof Witness.Cosigned cosigned) {
            candidate.add(witness, cosigned.signature());
            cosigned(candidate);
        } else if (answer instanceof Witness.Conflict conflict) {
            conflict(candidate, conflict.size(), log);
        } else if (answer instanceof Witness.Refused refused) {
            if (refused.status() == UNPROCESSABLE) {
                fetch(candidate);
                compare(candidate, log);
            }
            failed(candidate, State.REFUSED, refused.detail());
        }
    }

    private Witness.Answer send(long oldSize, HeadCandidate candidate, LogView log)
            throws IOException, InterruptedException {
        return client.addCheckpoint(witness, proof(oldSize, candidate, log), candidate.note());
    }

    private static ConsistencyProof proof(long oldSize, HeadCandidate candidate, LogView log) throws IOException {
        return ConsistencyProof.of(oldSize, candidate.size(), tile -> log.hashes(candidate.partition(), tile));
    }

    /** The witness returned another size than that of the proof, twice if the log has that size. */
    private void conflict(HeadCandidate candidate, long cosignedSize, LogView log)
            throws IOException, InterruptedException {
        if (cosignedSize <= candidate.size()) {
            failed(candidate, State.REFUSED, "status 409 " + cosignedSize + " also after a proof from that size");
            return;
        }
        if (ahead.isEmpty()) {
            fetch(candidate);
            compare(candidate, log);
        }
        size = ahead.map(head -> head.treeHead().size()).orElse(cosignedSize);
        failed(candidate, State.AHEAD, "it has cosigned a head of " + cosignedSize + " records");
    }

    /** Keeps the last head that the witness cosigned, which may be of another history. */
    private void fetch(HeadCandidate candidate) throws InterruptedException {
        String origin = candidate.treeHead().origin();
        try {
            Optional<CosignedHead> last = client.last(witness, origin);
            ahead = health.isSplitView() ? ahead : last.or(() -> ahead);
        } catch (IOException e) {
            LOG.debug("Witness {} does not return its last head of {}", witness.name(), origin, e);
        }
    }

    /** Compares the kept head with the log as soon as the log has its size, and reports both if they differ. */
    private void compare(HeadCandidate candidate, LogView log) throws IOException {
        if (ahead.isEmpty() || ahead.get().treeHead().size() > candidate.size()) {
            return;
        }
        CosignedHead kept = ahead.get();
        TreeHead other = kept.treeHead();
        boolean continues = proof(other.size(), candidate, log)
                .verify(other.root(), candidate.treeHead().root());
        ahead = Optional.empty();
        if (!continues) {
            health = new Health(
                    State.SPLIT_VIEW,
                    "it has cosigned another history of " + other.size() + " records",
                    health.failedSince());
            LOG.error(
                    "SPLIT VIEW: witness {} has cosigned a head of {} that this log does not continue. If the key of the"
                            + " log signed it too, the key signed two histories, or the log was restored; otherwise the"
                            + " witness lies. Keep both notes:\n{}\n{}",
                    witness.name(),
                    other.origin(),
                    kept.note(),
                    candidate.note());
        }
    }

    private void cosigned(HeadCandidate candidate) {
        size = candidate.size();
        failures = 0;
        nextMillis = 0;
        health = health.then(State.COSIGNS, "", -1);
    }

    /** Plans the next attempt, and logs a new state. */
    private void failed(HeadCandidate candidate, State state, String detail) {
        long now = clock.millis();
        nextMillis = now + Math.min(LAST_PAUSE.toMillis(), FIRST_PAUSE.toMillis() << Math.min(failures, 6));
        failures++;
        Health before = health;
        health = before.then(state, detail, before.hasFailed() ? before.failedSince() : now);
        if (health.state() != before.state()) {
            LOG.warn(
                    "Witness {} does not cosign the head of {} at {} records: {}. It is asked again",
                    witness.name(),
                    candidate.treeHead().origin(),
                    candidate.size(),
                    detail);
        }
    }

    /**
     * How a witness is for all logs.
     *
     * @param logs its logs by partition
     */
    static Status.Witness status(String witness, Map<Integer, WitnessLog> logs, long nowMillis) {
        Map<Integer, Health> health = new TreeMap<>();
        logs.forEach((partition, log) -> health.put(partition, log.health));
        List<Integer> behind = partitions(health, each -> each.hasFailed() && !each.isSplitView());
        List<Integer> splitViews = partitions(health, Health::isSplitView);
        Optional<Health> longest =
                health.values().stream().filter(Health::hasFailed).min(Comparator.comparingLong(Health::failedSince));
        return new Status.Witness(
                witness,
                health.size() - behind.size() - splitViews.size(),
                behind,
                splitViews,
                longest.map(each -> (nowMillis - each.failedSince()) / 1_000).orElse(0L),
                longest.map(each -> each.state() + ": " + each.detail()).orElse(null));
    }

    private static List<Integer> partitions(Map<Integer, Health> health, Predicate<Health> wanted) {
        return health.entrySet().stream()
                .filter(log -> wanted.test(log.getValue()))
                .map(Map.Entry::getKey)
                .toList();
    }
}
