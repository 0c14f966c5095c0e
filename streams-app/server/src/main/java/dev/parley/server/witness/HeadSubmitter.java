package dev.parley.server.witness;

import dev.parley.audit.LogNotes;
import dev.parley.avro.AuditHead;
import dev.parley.codec.Decimal;
import dev.parley.decode.Sha256;
import dev.parley.json.model.Status;
import dev.parley.server.witness.WitnessSettings.Endpoint;
import dev.parley.tlog.Checkpoint;
import dev.parley.tlog.ConsistencyProof;
import dev.parley.tlog.MerkleHasher;
import dev.parley.tlog.NoteSignature;
import dev.parley.tlog.SignedNote;
import dev.parley.tlog.Tile;
import dev.parley.tlog.TlogFormatException;
import dev.parley.tlog.Witness;
import dev.parley.topology.kafka.ExceptionSummary;
import dev.parley.topology.views.read.Views;
import dev.parley.topology.views.store.ViewsUnavailableException;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Submits the last head of each log that this instance owns to every witness, with a consistency proof from its tiles.
 * All witnesses of a log get the same head until enough of them have cosigned it. One thread per witness calls {@link
 * #round}, so a witness has one request at a time, and a slow one delays its own cosignatures only.
 */
final class HeadSubmitter {
    private static final Logger LOG = LoggerFactory.getLogger(HeadSubmitter.class);
    private static final int OK = 200;
    private static final int CONFLICT = 409;
    private static final int UNPROCESSABLE = 422;
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LAST_PAUSE = Duration.ofMinutes(1);
    private static final int SHOWN = 200;

    /** Maximum bytes of a witness's note in the log; heads of Parley have no extension lines. */
    private static final int MAX_LOGGED = 16 << 10;

    private final WitnessSettings settings;
    private final WitnessClient client;
    private final Supplier<Views> views;
    private final Function<Integer, Optional<AuditHead>> stored;
    private final Consumer<AuditHead> writer;
    private final InstantSource clock;
    private final Map<Integer, Candidate> candidates = new HashMap<>();
    private final Map<Endpoint, Map<Integer, Progress>> witnesses = new LinkedHashMap<>();

    /** Held while a head is written, so that an older one never follows a newer one. */
    private final Object writing = new Object();

    /** How a witness is for one log. */
    private enum State {
        /** It cosigned the submitted head, or was not asked yet. */
        COSIGNS,
        /** There was no usable response. */
        UNAVAILABLE,
        /** It refused the head. */
        REFUSED,
        /** It has cosigned a larger head than this instance has. */
        AHEAD,
        /** It has cosigned another history of the log. */
        SPLIT_VIEW
    }

    /** What this instance knows of a witness and a log. Its witness's thread changes it, under the lock of this object. */
    private static final class Progress {
        private State state = State.COSIGNS;
        private String detail = "";
        private long size;
        private long nextMillis;
        private long failedSinceMillis = -1;
        private int failures;
    }

    /** The head that the witnesses of a log get. */
    private final class Candidate {
        private final AuditHead head;
        private final SignedNote note;
        private final Checkpoint checkpoint;
        private final Map<Endpoint, NoteSignature> cosignatures = new LinkedHashMap<>();
        /** Number of cosignatures that were written. */
        private int written;

        Candidate(AuditHead head, SignedNote note, Checkpoint checkpoint) {
            this.head = head;
            this.note = note;
            this.checkpoint = checkpoint;
        }

        /** Takes over the cosignatures of the same head from before a restart. */
        void restore(AuditHead cosigned) {
            try {
                SignedNote known = LogNotes.parse(cosigned.getNote());
                if (known.text().equals(note.text())) {
                    known.signatures()
                            .forEach(signature -> settings.witnesses().stream()
                                    .filter(witness -> witness.key().verifies(note.text(), signature))
                                    .findFirst()
                                    .ifPresent(witness -> cosignatures.putIfAbsent(witness, signature)));
                    written = cosignatures.size();
                }
            } catch (TlogFormatException | IllegalArgumentException e) {
                // It was verified when it was read, so this is not reached; the witnesses cosign the head again.
                LOG.warn("A stored head of {} cannot be read: {}", head.getOrigin(), e.getMessage());
            }
        }

        AuditHead cosigned() {
            SignedNote cosigned = note;
            for (NoteSignature signature : cosignatures.values()) {
                cosigned = cosigned.with(signature);
            }
            return AuditHead.newBuilder(head).setNote(cosigned.toString()).build();
        }
    }

    /** The response of a witness is not what the format allows. */
    private static final class UnusableResponseException extends Exception {
        private static final long serialVersionUID = 1L;

        UnusableResponseException(String message) {
            super(message);
        }
    }

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
        settings.witnesses().forEach(witness -> witnesses.put(witness, new HashMap<>()));
    }

    /**
     * Submits to one witness each head that it has not cosigned, unless it failed a moment ago.
     *
     * @throws ViewsUnavailableException if the views cannot be read now
     */
    void round(Endpoint witness) throws InterruptedException {
        Views local = views.get();
        List<AuditHead> heads =
                local.heads().stream().filter(head -> head.getPartition() >= 0).toList();
        keep(witness, heads);
        for (AuditHead head : heads) {
            Optional<Candidate> candidate = candidate(head);
            if (candidate.isPresent()) {
                submit(witness, candidate.get(), local);
            }
        }
    }

    /** Forgets the logs that this instance no longer owns. */
    private synchronized void keep(Endpoint witness, List<AuditHead> heads) {
        List<Integer> owned = heads.stream().map(AuditHead::getPartition).toList();
        witnesses.get(witness).keySet().retainAll(owned);
        candidates.keySet().retainAll(owned);
    }

    /** The head to submit; empty if the last one is not signed, so that no witness cosigns it. */
    private synchronized Optional<Candidate> candidate(AuditHead last) {
        Candidate current = candidates.get(last.getPartition());
        if (current != null
                && (last.getSize() <= current.checkpoint.size()
                        || current.cosignatures.size() < Math.max(1, settings.quorum())
                                && !isPassed(current, last.getSize()))) {
            return Optional.of(current);
        }
        try {
            SignedNote note = LogNotes.parse(last.getNote());
            if (note.signatures().isEmpty()) {
                return Optional.empty();
            }
            Candidate next = new Candidate(last, note, Checkpoint.parse(note));
            stored.apply(last.getPartition()).ifPresent(next::restore);
            candidates.put(last.getPartition(), next);
            return Optional.of(next);
        } catch (TlogFormatException | IllegalArgumentException e) {
            LOG.error("The head of {} is malformed, so no witness gets it: {}", last.getOrigin(), e.getMessage());
            return Optional.empty();
        }
    }

    /** Whether a witness says that it has cosigned a later head, up to the last one: it cannot cosign this one. */
    private boolean isPassed(Candidate candidate, long lastSize) {
        return witnesses.values().stream()
                .map(logs -> logs.get(candidate.head.getPartition()))
                .anyMatch(log -> log != null
                        && log.state == State.AHEAD
                        && log.size > candidate.checkpoint.size()
                        && log.size <= lastSize);
    }

    private void submit(Endpoint witness, Candidate candidate, Views local) throws InterruptedException {
        long oldSize;
        synchronized (this) {
            Progress log = progress(witness, candidate);
            if (candidate.cosignatures.containsKey(witness)) {
                log.size = candidate.checkpoint.size();
                succeeded(log);
                oldSize = -1;
            } else if (clock.millis() < log.nextMillis) {
                return;
            } else {
                oldSize = Math.min(log.size, candidate.checkpoint.size());
            }
        }
        if (oldSize < 0) {
            // Again, if the last attempt to write it failed.
            write(candidate);
            return;
        }
        try {
            HttpResponse<byte[]> response = send(witness, candidate, oldSize, local);
            if (response.statusCode() == CONFLICT) {
                long size = size(response);
                if (size > candidate.checkpoint.size()) {
                    synchronized (this) {
                        progress(witness, candidate).size = size;
                    }
                    failed(witness, candidate, State.AHEAD, "it has cosigned a head of " + size + " records");
                    return;
                }
                oldSize = size;
                response = send(witness, candidate, oldSize, local);
            }
            if (response.statusCode() == OK) {
                cosigned(witness, candidate, cosignature(witness, candidate, response.body()));
            } else if (response.statusCode() == UNPROCESSABLE) {
                inconsistent(witness, candidate, local, response);
            } else {
                failed(witness, candidate, State.REFUSED, text(response));
            }
        } catch (IOException e) {
            failed(witness, candidate, State.UNAVAILABLE, e.getMessage());
        } catch (UnusableResponseException e) {
            failed(witness, candidate, State.REFUSED, e.getMessage());
        }
    }

    private HttpResponse<byte[]> send(Endpoint witness, Candidate candidate, long oldSize, Views local)
            throws IOException, InterruptedException {
        ConsistencyProof proof = proof(oldSize, candidate, local);
        return client.addCheckpoint(witness.url(), Witness.request(proof, candidate.note));
    }

    private static ConsistencyProof proof(long oldSize, Candidate candidate, Views local) throws IOException {
        return ConsistencyProof.of(
                oldSize, candidate.checkpoint.size(), tile -> hashes(candidate.head.getPartition(), tile, local));
    }

    private static byte[] hashes(int partition, Tile tile, Views local) throws IOException {
        ByteBuffer hashes = local.tile(partition, tile.level(), tile.index())
                .orElseThrow(() -> new IOException("the views do not have " + tile.path() + " yet"))
                .getHashes()
                .duplicate();
        byte[] bytes = new byte[Math.min(hashes.remaining(), tile.width() * MerkleHasher.BYTES)];
        hashes.get(bytes);
        return bytes;
    }

    private static long size(HttpResponse<byte[]> response) throws UnusableResponseException {
        String body = new String(response.body(), StandardCharsets.UTF_8);
        long size = body.endsWith("\n")
                ? Decimal.parse(body.substring(0, body.length() - 1), MerkleHasher.MAX_SIZE)
                : Decimal.NONE;
        if (size == Decimal.NONE) {
            throw new UnusableResponseException("status 409 must have the size of a tree, but was " + text(response));
        }
        return size;
    }

    /** The cosignature in a response, whose other lines are ignored. */
    private static NoteSignature cosignature(Endpoint witness, Candidate candidate, byte[] body)
            throws UnusableResponseException {
        try {
            return NoteSignature.parse(body).stream()
                    .filter(signature -> witness.key().verifies(candidate.note.text(), signature))
                    .findFirst()
                    .orElseThrow(() -> new UnusableResponseException(
                            "no line of the response is a valid cosignature of this head by " + witness.name()));
        } catch (TlogFormatException e) {
            throw new UnusableResponseException("the response must have signature lines: " + e.getMessage());
        }
    }

    private void cosigned(Endpoint witness, Candidate candidate, NoteSignature signature) {
        synchronized (this) {
            candidate.cosignatures.put(witness, signature);
            Progress log = progress(witness, candidate);
            log.size = candidate.checkpoint.size();
            succeeded(log);
        }
        write(candidate);
    }

    /** Writes a head that has enough cosignatures, again for each further one, unless a later head replaced it. */
    private void write(Candidate candidate) {
        synchronized (writing) {
            AuditHead cosigned;
            int cosignatures;
            synchronized (this) {
                cosignatures = candidate.cosignatures.size();
                if (cosignatures <= candidate.written
                        || cosignatures < Math.max(1, settings.quorum())
                        || candidates.get(candidate.head.getPartition()) != candidate) {
                    return;
                }
                cosigned = candidate.cosigned();
            }
            writer.accept(cosigned);
            candidate.written = cosignatures;
        }
    }

    /** Compares the history that a witness has cosigned with this log, and reports both heads if they differ. */
    private void inconsistent(Endpoint witness, Candidate candidate, Views local, HttpResponse<byte[]> refused)
            throws IOException, InterruptedException {
        String origin = candidate.checkpoint.origin();
        HttpResponse<byte[]> response = client.checkpoint(
                witness.url(), HexFormat.of().formatHex(Sha256.of(origin.getBytes(StandardCharsets.UTF_8))));
        try {
            SignedNote other = SignedNote.parse(response.body());
            Checkpoint checkpoint = Checkpoint.parse(other);
            boolean isEvidence = response.statusCode() == OK
                    && response.body().length <= MAX_LOGGED
                    && checkpoint.origin().equals(origin)
                    && checkpoint.extensions().isEmpty()
                    && checkpoint.size() <= candidate.checkpoint.size()
                    && !other.verify(List.of(witness.key())).valid().isEmpty();
            if (isEvidence
                    && !proof(checkpoint.size(), candidate, local)
                            .verify(checkpoint.root(), candidate.checkpoint.root())) {
                if (failed(
                        witness,
                        candidate,
                        State.SPLIT_VIEW,
                        "it has cosigned another history of " + checkpoint.size() + " records")) {
                    LOG.error(
                            "SPLIT VIEW: witness {} has cosigned a head of {} that this log does not continue. If the"
                                    + " key of the log signed it too, the key signed two histories, or the log was"
                                    + " restored; otherwise the witness lies. Keep both notes:\n{}\n{}",
                            witness.name(),
                            origin,
                            other,
                            candidate.note);
                }
                return;
            }
        } catch (TlogFormatException e) {
            // Without the head that the witness cosigned, its refusal is all there is.
        }
        failed(witness, candidate, State.REFUSED, text(refused));
    }

    private static String text(HttpResponse<byte[]> response) {
        String body = new String(response.body(), 0, Math.min(SHOWN, response.body().length), StandardCharsets.UTF_8);
        return "status " + response.statusCode() + " "
                + body.replaceAll("\\p{Cntrl}", " ").strip();
    }

    private Progress progress(Endpoint witness, Candidate candidate) {
        return witnesses.get(witness).computeIfAbsent(candidate.head.getPartition(), partition -> new Progress());
    }

    private static void succeeded(Progress log) {
        log.state = State.COSIGNS;
        log.detail = "";
        log.failures = 0;
        log.nextMillis = 0;
        log.failedSinceMillis = -1;
    }

    /** Plans the next attempt. Returns whether the state is new. */
    private synchronized boolean failed(Endpoint witness, Candidate candidate, State state, String detail) {
        Progress log = progress(witness, candidate);
        boolean isNew = log.state != state;
        long now = clock.millis();
        log.state = state;
        log.detail = detail;
        log.nextMillis = now + Math.min(LAST_PAUSE.toMillis(), FIRST_PAUSE.toMillis() << Math.min(log.failures, 6));
        log.failures++;
        if (log.failedSinceMillis < 0) {
            log.failedSinceMillis = now;
        }
        if (isNew) {
            LOG.warn(
                    "Witness {} does not cosign the head of {} at {} records: {}. It is asked again",
                    witness.name(),
                    candidate.checkpoint.origin(),
                    candidate.checkpoint.size(),
                    detail);
        }
        return isNew;
    }

    /** Runs a round, and logs what fails in it. */
    void safely(Endpoint witness) {
        try {
            round(witness);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ViewsUnavailableException e) {
            LOG.debug("The views cannot be read now, so no head is submitted", e);
        } catch (RuntimeException e) {
            LOG.warn("Heads for witness {} could not be submitted now: {}", witness.name(), ExceptionSummary.of(e));
        }
    }

    /** How each witness is. */
    synchronized List<Status.Witness> status() {
        long now = clock.millis();
        List<Status.Witness> status = new ArrayList<>();
        witnesses.forEach((witness, logs) -> {
            List<Integer> behind = new ArrayList<>();
            List<Integer> splitViews = new ArrayList<>();
            logs.entrySet().stream().sorted(Map.Entry.comparingByKey()).forEach(log -> {
                if (log.getValue().state == State.SPLIT_VIEW) {
                    splitViews.add(log.getKey());
                } else if (log.getValue().failedSinceMillis >= 0) {
                    behind.add(log.getKey());
                }
            });
            Optional<Progress> longest = logs.values().stream()
                    .filter(log -> log.failedSinceMillis >= 0)
                    .min(Comparator.comparingLong(log -> log.failedSinceMillis));
            status.add(new Status.Witness(
                    witness.name(),
                    logs.size() - behind.size() - splitViews.size(),
                    behind,
                    splitViews,
                    longest.map(log -> (now - log.failedSinceMillis) / 1_000).orElse(0L),
                    longest.map(log -> log.state + ": " + log.detail).orElse(null)));
        });
        return status;
    }
}
