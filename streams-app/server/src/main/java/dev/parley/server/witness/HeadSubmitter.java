package dev.parley.server.witness;

import dev.parley.avro.AuditHead;
import dev.parley.json.model.Status;
import dev.parley.log.tlog.TlogFormatException;
import dev.parley.server.witness.WitnessSettings.Endpoint;
import dev.parley.topology.views.LogView;
import dev.parley.topology.views.Views;
import dev.parley.topology.views.store.ViewsUnavailableException;
import java.time.InstantSource;
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

    private final WitnessSettings settings;
    private final WitnessClient client;
    private final Supplier<Views> views;
    private final Function<Integer, Optional<AuditHead>> stored;
    private final Consumer<AuditHead> writer;
    private final InstantSource clock;
    private final Map<Integer, HeadCandidate> candidates = new ConcurrentHashMap<>();

    /** By witness and partition. The thread of the witness changes it. */
    private final Map<Endpoint, Map<Integer, WitnessLog>> witnesses = new LinkedHashMap<>();

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
        LogView log = views.get().log();
        List<AuditHead> heads =
                log.heads().stream().filter(head -> head.getPartition() >= 0).toList();
        Map<Integer, WitnessLog> logs = witnesses.get(witness);
        // Without the logs that this instance no longer owns.
        List<Integer> owned = heads.stream().map(AuditHead::getPartition).toList();
        logs.keySet().retainAll(owned);
        candidates.keySet().retainAll(owned);
        for (AuditHead head : heads) {
            Optional<HeadCandidate> candidate = candidate(head);
            if (candidate.isPresent()) {
                logs.computeIfAbsent(head.getPartition(), added -> new WitnessLog(witness, client, clock))
                        .submit(candidate.get(), log);
            }
        }
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

    /** Writes each head that has enough cosignatures, again for each further one. */
    void write() {
        candidates.values().stream().filter(this::hasQuorum).forEach(candidate -> candidate.write(writer));
    }

    /** How each witness is. */
    List<Status.Witness> status() {
        return witnesses.entrySet().stream()
                .map(witness -> WitnessLog.status(witness.getKey().name(), witness.getValue(), clock.millis()))
                .toList();
    }
}
