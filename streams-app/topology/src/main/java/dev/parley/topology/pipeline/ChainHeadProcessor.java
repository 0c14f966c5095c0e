package dev.parley.topology.pipeline;

import dev.parley.audit.HeadSigner;
import dev.parley.audit.Manifests;
import dev.parley.avro.AuditHead;
import dev.parley.avro.AuditManifest;
import dev.parley.avro.DialogueState;
import dev.parley.avro.JournalState;
import dev.parley.serde.UnreadableRecordException;
import dev.parley.stage.JudgedRecord;
import dev.parley.topology.kafka.ExceptionSummary;
import dev.parley.topology.kafka.SliceScheduler;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes the heads of changed chains and the manifests of the journal, by punctuation after changes and in the transaction of the
 * records. A store holds the changed chains, so a restart loses none. Heads are published in slices, which keeps the
 * pauses between records short. A manifest contains the journal at the start of a round and is published at its end,
 * when all chains that it covers have a published head.
 *
 * <p>After a change of the signing key, publishes the head of every chain and the last manifest again, signed, so that
 * inactive chains can be verified with the key too.
 */
final class ChainHeadProcessor extends ContextualProcessor<String, JudgedRecord, String, SpecificRecord> {
    /** Maximum number of heads in one slice. A signature takes about 0.1 ms. */
    static final int SLICE = 256;

    /** Heads signed again at once, besides a slice of a round. */
    static final int RESIGN_SLICE = 64;

    /** Key of the ID of the key that signed all heads of the task. No chain has this name: a chain has separators. */
    static final String SIGNED_BY = "signed-by";

    private static final Logger LOG = LoggerFactory.getLogger(ChainHeadProcessor.class);

    /**
     * Maximum number of chains remembered as already in the store. Each spares a write per record; forgetting one costs
     * one write.
     */
    private static final int MAX_MARKED = 10_000;

    private static final byte[] PRESENT = {};

    private final ChainHeadSettings settings;
    private final Set<String> marked = new HashSet<>();
    private Optional<HeadSigner> signer = Optional.empty();
    private KeyValueStore<String, DialogueState> conversations;
    private KeyValueStore<String, byte[]> unpublished;
    private KeyValueStore<String, JournalState> journals;
    private SliceScheduler slices;
    private SliceScheduler rounds;
    private long nextManifest;

    private boolean inRound;

    /** Last chain of the previous slice; null at the start of a round. */
    private String cursor;

    /** The journal at the start of the round; null without one. */
    private JournalState covered;

    /** Whether this task has compared its key with the one that signed its heads. */
    private boolean keyCompared;

    /** Whether heads are being signed again. */
    private boolean resigning;

    /** The last chain whose head was signed again; null at the beginning. */
    private String resigned;

    ChainHeadProcessor(ChainHeadSettings settings) {
        this.settings = settings;
    }

    @Override
    public void init(ProcessorContext<String, SpecificRecord> context) {
        super.init(context);
        signer = settings.signer();
        conversations = context.getStateStore(PipelineStores.CONVERSATIONS);
        unpublished = context.getStateStore(PipelineStores.UNPUBLISHED);
        journals = context.getStateStore(PipelineStores.JOURNAL);
        // Kafka Streams may initialize the same object again after an aborted transaction, so no earlier value may
        // remain.
        marked.clear();
        inRound = false;
        cursor = null;
        covered = null;
        keyCompared = false;
        resigning = false;
        resigned = null;
        long now = context.currentSystemTimeMs();
        nextManifest = now + settings.manifestInterval().toMillis();
        Duration interval = settings.interval().compareTo(SliceScheduler.INTERVAL) < 0
                ? settings.interval()
                : SliceScheduler.INTERVAL;
        slices = new SliceScheduler(context, interval, this::publish);
        // Compares the key.
        slices.start();
        rounds = new SliceScheduler(context, settings.interval(), time -> {
            beginRound(time);
            return hasUnpublished();
        });
        rounds.start();
    }

    @Override
    public void process(Record<String, JudgedRecord> record) {
        rounds.start();
        if (!record.value().isParked()) {
            String chain = record.value().chain();
            if (marked.add(chain)) {
                unpublished.put(chain, PRESENT);
                if (marked.size() > MAX_MARKED) {
                    marked.clear();
                }
            }
        }
    }

    private void beginRound(long now) {
        if (!inRound) {
            inRound = true;
            cursor = null;
            covered = journals.get(PipelineStores.JOURNAL_NOW);
        }
        if (publish(now)) {
            slices.start();
        }
    }

    /** Whether a round is in progress, or a manifest of the journal is yet to be published. */
    private boolean hasUnpublished() {
        JournalState journal = journals.get(PipelineStores.JOURNAL_NOW);
        JournalState published = journals.get(PipelineStores.JOURNAL_PUBLISHED);
        return inRound || journal != null && (published == null || published.getRecords() != journal.getRecords());
    }

    /** Publishes a slice of the round, and signs a slice again. Returns whether more remains. */
    private boolean publish(long now) {
        if (!keyCompared) {
            keyCompared = true;
            compareKey();
        }
        if (resigning) {
            resign(now);
        }
        if (inRound) {
            List<String> slice = slice();
            slice.forEach(chain -> publishHead(chain, now));
            if (slice.size() < SLICE) {
                inRound = false;
                publishManifest(now);
            } else {
                cursor = slice.get(slice.size() - 1);
            }
        }
        return inRound || resigning;
    }

    /** Starts to sign again if the heads of the task have no signature of the current key. */
    private void compareKey() {
        byte[] before = unpublished.get(SIGNED_BY);
        if (signer.isPresent()) {
            resigning = !Arrays.equals(before, keyId(signer.get()));
        } else if (before != null) {
            // Heads are unsigned from here on: a later key must sign them again.
            unpublished.delete(SIGNED_BY);
        }
    }

    private static byte[] keyId(HeadSigner signer) {
        return signer.keyId().getBytes(StandardCharsets.US_ASCII);
    }

    /** Publishes the next heads again; after the last one the last manifest, so that the key covers an idle journal. */
    private void resign(long now) {
        List<String> chains = new ArrayList<>(RESIGN_SLICE);
        boolean more;
        try (KeyValueIterator<String, DialogueState> all =
                resigned == null ? conversations.all() : conversations.range(resigned, null)) {
            // The range begins with the last chain of the slice before.
            for (int read = 0; all.hasNext() && read <= RESIGN_SLICE; read++) {
                String chain = all.peekNextKey();
                if (hasRecords(all) && !chain.equals(resigned)) {
                    chains.add(chain);
                }
                if (read == RESIGN_SLICE || !all.hasNext()) {
                    resigned = chain;
                }
            }
            more = all.hasNext();
        }
        chains.forEach(chain -> publishHead(chain, now));
        if (more) {
            return;
        }
        resigning = false;
        unpublished.put(SIGNED_BY, keyId(signer.orElseThrow()));
        JournalState published = journals.get(PipelineStores.JOURNAL_PUBLISHED);
        if (published != null) {
            publishManifest(published, published, now);
        }
    }

    /**
     * Reads the next state; whether its chain has a record. An unreadable state is reported by {@link #publishHead}.
     */
    private static boolean hasRecords(KeyValueIterator<String, DialogueState> states) {
        try {
            return states.next().value.getSequence() > 0;
        } catch (UnreadableRecordException e) {
            return true;
        }
    }

    private List<String> slice() {
        List<String> slice = new ArrayList<>();
        // Published chains are deleted, so the scan finds the cursor again only if that chain has changed since.
        try (KeyValueIterator<String, byte[]> chains =
                cursor == null ? unpublished.all() : unpublished.range(cursor, null)) {
            while (chains.hasNext() && slice.size() < SLICE) {
                String chain = chains.next().key;
                if (!chain.equals(SIGNED_BY)) {
                    slice.add(chain);
                }
            }
        }
        return slice;
    }

    private void publishHead(String chain, long now) {
        unpublished.delete(chain);
        marked.remove(chain);
        DialogueState state;
        try {
            state = conversations.get(chain);
        } catch (UnreadableRecordException e) {
            LOG.error(
                    "The state of a chain is unreadable, so its head is not published; another client wrote to the "
                            + "changelog of {}: {}",
                    PipelineStores.CONVERSATIONS,
                    ExceptionSummary.of(e));
            return;
        }
        if (state == null || state.getSequence() < 1) {
            LOG.error(
                    "A chain without state has no head to publish; another client wrote to the changelog of {}",
                    PipelineStores.CONVERSATIONS);
            return;
        }
        AuditHead head =
                new AuditHead(chain, state.getSequence() - 1, state.getHead(), Instant.ofEpochMilli(now), null, null);
        signer.ifPresent(key -> key.sign(head));
        context().forward(new Record<>(chain, head, now));
    }

    /** Publishes a manifest if its interval is over and the journal has changed since the last one. */
    private void publishManifest(long now) {
        // Until all heads are signed again, a signed manifest would cover chains without a signed head.
        if (covered == null || now < nextManifest || resigning) {
            return;
        }
        JournalState published = journals.get(PipelineStores.JOURNAL_PUBLISHED);
        if (published != null && published.getRecords() == covered.getRecords()) {
            return;
        }
        nextManifest = now + settings.manifestInterval().toMillis();
        publishManifest(covered, published, now);
    }

    private void publishManifest(JournalState journal, JournalState published, long now) {
        AuditManifest manifest =
                Manifests.next(context().taskId().partition(), journal, published, Instant.ofEpochMilli(now));
        signer.ifPresent(key -> key.sign(manifest));
        journals.put(PipelineStores.JOURNAL_PUBLISHED, Manifests.published(manifest));
        context().forward(new Record<>(Integer.toString(manifest.getPartition()), manifest, now));
    }
}
