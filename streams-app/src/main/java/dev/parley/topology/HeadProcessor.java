package dev.parley.topology;

import dev.parley.audit.HeadSigner;
import dev.parley.avro.AuditHead;
import dev.parley.avro.DialogueState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Publishes the heads of the chains that have moved since the last time, by the clock, in the transaction of the records themselves. Which chains those are stands in a
 * store as well, so that a restart forgets none: two small writes for each chain and interval, however many records it gets.
 */
final class HeadProcessor extends ContextualProcessor<String, Recorded, String, AuditHead> {
    /** So many chains are kept in memory; when more have moved, their heads are published before their time. */
    static final int MOST_MOVED = 10_000;

    /** Maximum number of heads that are signed and published at once. */
    static final int SLICE = 200;

    private static final Duration TICK = Duration.ofMillis(100);

    private static final byte[] MOVED = {};

    private final HeadSettings settings;
    /** Chains that have moved, the first to move first. */
    private final Set<String> moved = new LinkedHashSet<>();

    /** How many of the chains are due: those that had moved when the interval ended. */
    private int due;

    private Optional<HeadSigner> signer = Optional.empty();
    private KeyValueStore<String, DialogueState> conversations;
    private KeyValueStore<String, byte[]> unpublished;

    HeadProcessor(HeadSettings settings) {
        this.settings = settings;
    }

    @Override
    public void init(ProcessorContext<String, AuditHead> context) {
        super.init(context);
        signer = settings.signer();
        conversations = context.getStateStore(Stores.CONVERSATIONS);
        unpublished = context.getStateStore(Stores.UNPUBLISHED);
        // Kafka Streams initializes the same processor again after an aborted transaction.
        moved.clear();
        due = 0;
        try (KeyValueIterator<String, byte[]> before = unpublished.all()) {
            while (before.hasNext()) {
                KeyValue<String, byte[]> chain = before.next();
                moved.add(chain.key);
            }
        }
        context.schedule(settings.interval(), PunctuationType.WALL_CLOCK_TIME, now -> {
            due = moved.size();
            publish(now);
        });
        context.schedule(TICK, PunctuationType.WALL_CLOCK_TIME, this::publish);
    }

    @Override
    public void process(Record<String, Recorded> record) {
        if (record.value().isFinal() && moved.add(record.value().audit().getChain())) {
            unpublished.put(record.value().audit().getChain(), MOVED);
            if (moved.size() >= MOST_MOVED) {
                due = Math.max(due, SLICE);
                publish(context().currentSystemTimeMs());
            }
        }
    }

    /** Publishes a slice of the heads that are due. */
    private void publish(long now) {
        List<String> slice = new ArrayList<>();
        for (String chain : moved) {
            if (slice.size() == Math.min(due, SLICE)) {
                break;
            }
            slice.add(chain);
        }
        for (String chain : slice) {
            publish(chain, now);
        }
        due -= slice.size();
    }

    private void publish(String chain, long now) {
        DialogueState state = conversations.get(chain);
        if (state != null) {
            AuditHead head = new AuditHead(
                    chain, state.getSequence() - 1, state.getHead(), Instant.ofEpochMilli(now), null, null);
            signer.ifPresent(key -> key.sign(head));
            context().forward(new Record<>(chain, head, now));
        }
        unpublished.delete(chain);
        moved.remove(chain);
    }
}
