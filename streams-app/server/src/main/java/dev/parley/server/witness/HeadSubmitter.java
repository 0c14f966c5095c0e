package dev.parley.server.witness;

import dev.parley.avro.AuditHead;
import dev.parley.json.model.Status;
import dev.parley.log.tlog.ConsistencyProof;
import dev.parley.log.tlog.TlogFormatException;
import dev.parley.log.tlog.TreeHead;
import dev.parley.log.tlog.Witness;
import dev.parley.server.witness.WitnessProgress.State;
import dev.parley.server.witness.WitnessSettings.Endpoint;
import dev.parley.topology.views.Views;
import dev.parley.topology.views.store.ViewsUnavailableException;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Submits the last head of each log that this instance owns to every witness, with a consistency proof from its tiles.
 * All witnesses of a log get the same head until enough of them have cosigned it. One thread per witness calls {@link
 * #round}, so a witness has one request at a time, and a slow one delays its own cosignatures only. Another thread
 * calls {@link #write}.
 */
final class HeadSubmitter {
    private static final Logger LOG = LoggerFactory.getLogger(HeadSubmitter.class);
    private static final int UNPROCESSABLE = 422;

    private final WitnessSettings settings;
    private final WitnessClient client;
    private final Supplier<Views> views;
    private final Function<Integer, Optional<AuditHead>> stored;
    private final Consumer<AuditHead> writer;
    private final InstantSource clock;
    private final Map<Integer, HeadCandidate> candidates = new ConcurrentHashMap<>();

    /** By witness and partition. The thread of the witness changes it. */
    private final Map<Endpoint, Map<Integer, WitnessProgress>> witnesses = new LinkedHashMap<>();

    /**
     * Creates a submitter.
     *
     * @param views views of the partitions that this instance owns
     * @param stored the last cosigned head of a partition that was written
     * @param writer writes a cosigned head; it throws a runtime exception if the head could not be written
     */
    HeadSubmitter(
            WitnessSettings settings,
            WitnessClient client,
            Supplier<Views> views,
            Function<Integer, Optional<AuditHead>> stored,
            Consumer<AuditHead> writer,
            InstantSource clock) {
        this.settings = settings;
        this.client = client;
        this.views = views;
        this.stored = stored;
        this.writer = writer;
        this.clock = clock;
        settings.witnesses().forEach(witness -> witnesses.put(witness, new ConcurrentHashMap<>()));
    }

    /**
     * Submits to one witness each head that it has not cosigned, unless it failed a moment ago.
     *
     * @throws ViewsUnavailableException if the views cannot be read now
     */
    void round(Endpoint witness) throws InterruptedException {
        Views local = views.get();
        List<AuditHead> heads = local.log().heads().stream()
                .filter(head -> head.getPartition() >= 0)
                .toList();
        keep(witness, heads);
        for (AuditHead head : heads) {
            Optional<HeadCandidate> candidate = candidate(head);
            if (candidate.isPresent()) {
                submit(witness, candidate.get(), local);
            }
        }
    }

    /** Forgets the logs that this instance no longer owns. */
    private void keep(Endpoint witness, List<AuditHead> heads) {
        List<Integer> owned = heads.stream().map(AuditHead::getPartition).toList();
        witnesses.get(witness).keySet().retainAll(owned);
        candidates.keySet().retainAll(owned);
    }

    /**
     * The head to submit; empty if the last one is malformed. A later head replaces it when it has been written with
     * enough cosignatures, or cannot get them.
     */
    private synchronized Optional<HeadCandidate> candidate(AuditHead last) {
        HeadCandidate current = candidates.get(last.getPartition());
        if (current != null
                && current.isSigned()
                && (last.getSize() <= current.size()
                        || (hasQuorum(current) ? current.hasNews() : !isPassed(current, last.getSize())))) {
            return Optional.of(current);
        }
        try {
            HeadCandidate next = new HeadCandidate(last);
            Optional<AuditHead> before = stored.apply(last.getPartition());
            if (before.isPresent()) {
                next.restore(before.get(), settings.witnesses());
            }
            candidates.put(last.getPartition(), next);
            return Optional.of(next);
        } catch (TlogFormatException | IllegalArgumentException e) {
            LOG.error("The head of {} is malformed, so no witness gets it: {}", last.getOrigin(), e.getMessage());
            return Optional.empty();
        }
    }

    private boolean hasQuorum(HeadCandidate candidate) {
        return candidate.cosignatures() >= Math.max(1, settings.quorum());
    }

    /** Whether a witness says that it has cosigned a later head, up to the last one: it cannot cosign this one. */
    private boolean isPassed(HeadCandidate candidate, long lastSize) {
        return witnesses.values().stream()
                .map(logs -> logs.get(candidate.partition()))
                .anyMatch(log -> log != null && log.size() > candidate.size() && log.size() <= lastSize);
    }

    private void submit(Endpoint witness, HeadCandidate candidate, Views local) throws InterruptedException {
        WitnessProgress log =
                witnesses.get(witness).computeIfAbsent(candidate.partition(), partition -> new WitnessProgress());
        if (candidate.isCosignedBy(witness)) {
            log.cosigned(candidate.size());
            return;
        }
        if (!log.isDue(clock.millis())) {
            return;
        }
        if (!candidate.isSigned()) {
            failed(
                    witness,
                    candidate,
                    log,
                    State.UNSIGNED,
                    "the log has no key; set audit.heads.key.files where the pipeline runs");
            return;
        }
        try {
            compare(witness, candidate, log, local);
            Witness.Answer answer = send(witness, candidate, Math.min(log.size(), candidate.size()), local);
            if (answer instanceof Witness.Conflict conflict && conflict.size() <= candidate.size()) {
                answer = send(witness, candidate, conflict.size(), local);
            }
            if (answer instanceof Witness.Cosigned cosigned) {
                candidate.add(witness, cosigned.signature());
                log.cosigned(candidate.size());
            } else if (answer instanceof Witness.Conflict conflict) {
                conflict(witness, candidate, log, conflict.size(), local);
            } else if (answer instanceof Witness.Refused refused) {
                if (refused.status() == UNPROCESSABLE) {
                    fetch(witness, candidate, log);
                    compare(witness, candidate, log, local);
                }
                failed(witness, candidate, log, State.REFUSED, refused.detail());
            }
        } catch (IOException | ViewsUnavailableException e) {
            failed(witness, candidate, log, State.UNAVAILABLE, e.getMessage());
        }
    }

    /** The witness returned another size than that of the proof, twice if the log has that size. */
    private void conflict(Endpoint witness, HeadCandidate candidate, WitnessProgress log, long size, Views local)
            throws IOException, InterruptedException {
        if (size <= candidate.size()) {
            failed(witness, candidate, log, State.REFUSED, "status 409 " + size + " also after a proof from that size");
            return;
        }
        if (log.ahead().isEmpty()) {
            fetch(witness, candidate, log);
            compare(witness, candidate, log, local);
        }
        log.passed(size);
        failed(witness, candidate, log, State.AHEAD, "it has cosigned a head of " + size + " records");
    }

    /** Keeps the last head that a witness cosigned, which may be of another history. */
    private void fetch(Endpoint witness, HeadCandidate candidate, WitnessProgress log) throws InterruptedException {
        try {
            client.last(witness, candidate.treeHead().origin())
                    .filter(head -> !log.isSplitView())
                    .ifPresent(log::keep);
        } catch (IOException e) {
            LOG.debug(
                    "Witness {} does not return its last head of {}",
                    witness.name(),
                    candidate.treeHead().origin(),
                    e);
        }
    }

    /** Compares the head of a witness with the log as soon as the log has its size, and reports both if they differ. */
    private void compare(Endpoint witness, HeadCandidate candidate, WitnessProgress log, Views local)
            throws IOException {
        Optional<WitnessClient.CosignedHead> kept =
                log.ahead().filter(head -> head.treeHead().size() <= candidate.size());
        if (kept.isEmpty()) {
            return;
        }
        TreeHead other = kept.get().treeHead();
        if (proof(other.size(), candidate, local)
                .verify(other.root(), candidate.treeHead().root())) {
            log.continues();
            return;
        }
        log.splitView("it has cosigned another history of " + other.size() + " records");
        LOG.error(
                "SPLIT VIEW: witness {} has cosigned a head of {} that this log does not continue. If the key of the log"
                        + " signed it too, the key signed two histories, or the log was restored; otherwise the witness"
                        + " lies. Keep both notes:\n{}\n{}",
                witness.name(),
                other.origin(),
                kept.get().note(),
                candidate.note());
    }

    private Witness.Answer send(Endpoint witness, HeadCandidate candidate, long oldSize, Views local)
            throws IOException, InterruptedException {
        return client.addCheckpoint(witness, proof(oldSize, candidate, local), candidate.note());
    }

    private static ConsistencyProof proof(long oldSize, HeadCandidate candidate, Views local) throws IOException {
        return ConsistencyProof.of(
                oldSize, candidate.size(), tile -> local.log().hashes(candidate.partition(), tile));
    }

    /** Writes each head that has enough cosignatures, again for each further one. */
    void write() {
        for (HeadCandidate candidate : candidates.values()) {
            int cosignatures = candidate.cosignatures();
            if (candidate.hasNews() && hasQuorum(candidate)) {
                writer.accept(candidate.cosigned());
                candidate.written(cosignatures);
            }
        }
    }

    private void failed(Endpoint witness, HeadCandidate candidate, WitnessProgress log, State state, String detail) {
        if (log.failed(state, detail, clock.millis())) {
            LOG.warn(
                    "Witness {} does not cosign the head of {} at {} records: {}. It is asked again",
                    witness.name(),
                    candidate.treeHead().origin(),
                    candidate.size(),
                    detail);
        }
    }

    /** How each witness is. */
    List<Status.Witness> status() {
        List<Status.Witness> status = new ArrayList<>();
        witnesses.forEach((witness, logs) -> status.add(WitnessProgress.status(witness.name(), logs, clock.millis())));
        return status;
    }
}
