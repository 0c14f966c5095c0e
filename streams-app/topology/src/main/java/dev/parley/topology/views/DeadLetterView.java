package dev.parley.topology.views;

import dev.parley.audit.InputPosition;
import dev.parley.avro.DeadLetterSummary;
import dev.parley.avro.Protocol;
import dev.parley.avro.Redaction;
import dev.parley.avro.Stage;
import dev.parley.protocol.TopicNames;
import dev.parley.topology.kafka.CheckedRestores;
import dev.parley.topology.kafka.StoredValues;
import dev.parley.topology.kafka.UnreadableValues;
import dev.parley.topology.topics.ClosureKey;
import dev.parley.topology.topics.Topic;
import dev.parley.topology.topics.Topics;
import dev.parley.topology.views.read.PrefixScan;
import dev.parley.topology.views.read.StoreReader;
import dev.parley.topology.views.store.RegistryRetry;
import dev.parley.topology.views.store.StoreSweeper;
import dev.parley.topology.views.store.ViewKeys;
import dev.parley.topology.views.store.ViewStores;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Summaries of dead letters in {@link ViewStores#DEAD_LETTERS}, keyed by their position in the topic of their stage,
 * with an index by time and one by input position, whose values are keys of summaries. They are partitioned as their
 * topics. {@link ViewStores#REDRIVES} has the input positions that a redrive has returned, and what operators closed.
 */
public record DeadLetterView(StoreReader store, StoreReader redrives) {
    static final int SUMMARY = 1;
    private static final int SOURCE = 2;
    private static final int TIME = 3;

    static final StoredValues<DeadLetterSummary> VALUE = new StoredValues<>(DeadLetterSummary.class);

    /** States of dead letters. The names are a public contract. */
    public enum State {
        /** Neither returned nor closed. */
        OPEN,
        /** A redrive has returned it. */
        RETURNED,
        /** An operator has closed it. */
        CLOSED
    }

    /**
     * Filter of dead letters; an empty part matches all.
     *
     * @param sender sender of the message, or whom an undecodable record claims; so are namespace and conversation
     * @param from earliest time
     * @param to time before which they must be
     * @param state state that they must have; {@link #matches} leaves this to {@link #state}
     */
    public record Filter(
            Optional<Stage> stage,
            Optional<String> code,
            Optional<String> namespace,
            Optional<Protocol> protocol,
            Optional<String> conversation,
            Optional<String> sender,
            Optional<Instant> from,
            Optional<Instant> to,
            Optional<State> state) {

        /** Whether a dead letter is selected, whatever its state. */
        public boolean matches(DeadLetterSummary letter) {
            return Views.selects(stage, letter.getStage())
                    && Views.selects(code, letter.getCode())
                    && Views.selects(namespace, letter.getNamespace())
                    && Views.selects(protocol, letter.getProtocol())
                    && Views.selects(conversation, letter.getConversation())
                    && Views.selects(sender, letter.getSender())
                    && from.filter(letter.getTimestamp()::isBefore).isEmpty()
                    && to.filter(end -> !letter.getTimestamp().isBefore(end)).isEmpty();
        }

        /** Whether it selects by names, which an undecodable record may claim. */
        public boolean usesNames() {
            return namespace.isPresent() || conversation.isPresent() || sender.isPresent();
        }
    }

    /**
     * Lists dead letters, the latest first; otherwise like {@link ConversationView#list}, except that a filter reads
     * the rows between its times that it leaves out.
     *
     * @param visible further filter
     */
    public Optional<Bytes> list(
            Filter filter,
            Predicate<DeadLetterSummary> visible,
            Optional<Bytes> after,
            int limit,
            BiPredicate<Bytes, DeadLetterSummary> page) {
        Predicate<DeadLetterSummary> selected = selected(filter, visible);
        Optional<Bytes> first = filter.to().map(DeadLetterView::at);
        Optional<Bytes> end = filter.from().filter(Instant.EPOCH::isBefore).map(time -> at(time.minusMillis(1)));
        Bytes rows = ViewKeys.of(TIME).build();
        return store.partitions(partitions -> PrefixScan.of(partitions, rows)
                .ofIndex()
                .after(after.or(() -> first))
                .before(end)
                .scan(
                        limit,
                        (entry, value) -> Optional.of(VALUE.decode(value))
                                // A dead letter that was read again may have had another time.
                                .filter(summary -> time(summary).equals(entry.key()))
                                .filter(selected),
                        page));
    }

    private Predicate<DeadLetterSummary> selected(Filter filter, Predicate<DeadLetterSummary> visible) {
        return summary -> isInScope(summary) && filter.matches(summary) && visible.test(summary);
    }

    /**
     * Lists dead letters in the order of stage, code, and position in the dead-letter topic; otherwise like {@link
     * #list}, except that a filter reads the rows of its stage and code.
     */
    public Optional<Bytes> byCode(
            Filter filter,
            Predicate<DeadLetterSummary> visible,
            Optional<Bytes> after,
            int limit,
            BiPredicate<Bytes, DeadLetterSummary> page) {
        Optional<Stage> stage = filter.stage();
        Optional<String> code = filter.code();
        Bytes[] prefixes = stage.isPresent() || code.isEmpty()
                ? new Bytes[] {prefix(stage, code)}
                : TopicNames.DEAD_LETTER_STAGES.stream()
                        .map(each -> prefix(Optional.of(each), code))
                        .toArray(Bytes[]::new);
        Predicate<DeadLetterSummary> selected = selected(filter, visible);
        return store.partitions(partitions -> PrefixScan.of(partitions, prefixes)
                .after(after)
                .scan(limit, (entry, value) -> Optional.of(VALUE.decode(value)).filter(selected), page));
    }

    /** Whether the dead letter of the record at an input position is visible. */
    public boolean has(InputPosition position) {
        return store.partitions(partitions -> partitions.stream().anyMatch(partition -> {
            byte[] key = partition.get(source(position));
            if (key == null || store.scope().isAll()) {
                return key != null;
            }
            byte[] summary = partition.get(Bytes.wrap(key));
            return summary != null && isInScope(VALUE.decode(summary));
        }));
    }

    private boolean isInScope(DeadLetterSummary summary) {
        return DeadLetterSummaries.isWithin(store.scope(), summary);
    }

    /**
     * The state of the dead letter of the record that failed at an input position. A refused redrive has not returned
     * it, and after a refused change it is open: no other client can hide it.
     */
    public State state(InputPosition failed) {
        return redrives.global(entries -> {
            byte[] returned = entries.get(entry(failed.toString()));
            if (returned != null && !UnreadableValues.isRefused(returned)) {
                return State.RETURNED;
            }
            boolean closed = false;
            for (int number = 1; number <= ClosureKey.MAX_CHANGES; number++) {
                ClosureKey key = new ClosureKey(number, failed);
                byte[] change = entries.get(entry(key.toString()));
                if (change == null) {
                    break;
                }
                closed = key.closes() && !UnreadableValues.isRefused(change);
            }
            return closed ? State.CLOSED : State.OPEN;
        });
    }

    private static Bytes entry(String key) {
        return Bytes.wrap(key.getBytes(StandardCharsets.UTF_8));
    }

    /** Key of a dead letter. Keys sort by stage in the order of the pipeline, by code, and by position. */
    private static Bytes key(DeadLetterSummary summary) {
        return ViewKeys.of(prefix(Optional.of(summary.getStage()), Optional.of(summary.getCode())))
                .number(summary.getPartition())
                .number(summary.getOffset())
                .build();
    }

    /** Key prefix of the dead letters: of all, of a stage, or of a stage and a code. */
    private static Bytes prefix(Optional<Stage> stage, Optional<String> code) {
        ViewKeys.Builder builder = ViewKeys.of(SUMMARY);
        if (stage.isPresent()) {
            builder.number(order(stage.get()));
            code.ifPresent(builder::text);
        }
        return builder.build();
    }

    private static Bytes source(InputPosition position) {
        return ViewKeys.of(SOURCE).position(position).build();
    }

    /** Key of a dead letter in the index by time, the latest first. */
    static Bytes time(DeadLetterSummary summary) {
        return ViewKeys.of(at(summary.getTimestamp()))
                .number(order(summary.getStage()))
                .number(summary.getPartition())
                .number(summary.getOffset())
                .build();
    }

    /** Key before those of dead letters at this time or earlier, in the index by time. */
    private static Bytes at(Instant time) {
        return ViewKeys.of(TIME)
                .number(Long.MAX_VALUE - Math.max(0, time.toEpochMilli()))
                .build();
    }

    private static int order(Stage stage) {
        int order = TopicNames.DEAD_LETTER_STAGES.indexOf(stage);
        if (order < 0) {
            throw new IllegalArgumentException("Stage " + stage + " has no dead letters");
        }
        return order;
    }

    static void put(DeadLetterSummary summary, KeyValueStore<Bytes, byte[]> store) {
        Bytes key = key(summary);
        store.put(key, VALUE.encode(summary));
        store.put(time(summary), key.get());
        DeadLetterSummaries.inputPosition(summary).ifPresent(position -> store.put(source(position), key.get()));
    }

    /**
     * Writes summaries; every put may be repeated. The summary of a redacted record has no first bytes, detail or
     * claims: at once if the redaction is known, else after the next sweep.
     */
    static final class Writer extends ContextualProcessor<byte[], byte[], Void, Void> {

        private final long retention;
        private final Topic<String, Redaction> redactions;
        private KeyValueStore<Bytes, byte[]> store;
        private KeyValueStore<Bytes, byte[]> redacted;

        Writer(Topics topics, ViewRetention retention) {
            this.retention = retention.deadLetters();
            this.redactions = topics.redaction();
        }

        @Override
        public void init(ProcessorContext<Void, Void> context) {
            super.init(context);
            store = context.getStateStore(ViewStores.DEAD_LETTERS);
            CheckedRestores.repair(context, store);
            redacted = context.getStateStore(ViewStores.REDACTIONS);
            StoreSweeper redactionSweeper = new StoreSweeper(redacted, RedactionView.all());
            StoreSweeper.schedule(context, now -> redactionSweeper.slice(this::redact));
            if (retention != ViewRetention.FOREVER) {
                StoreSweeper deadLetters = new StoreSweeper(store, prefix(Optional.empty(), Optional.empty()));
                StoreSweeper.schedule(context, now -> deadLetters.slice((key, value) -> prune(key, value, now)));
            }
        }

        private boolean prune(Bytes key, byte[] value, long now) {
            Optional<DeadLetterSummary> summary = VALUE.readOrSkip(value);
            if (summary.isEmpty() || summary.get().getTimestamp().toEpochMilli() < now - retention) {
                store.delete(key);
                summary.ifPresent(pruned -> store.delete(time(pruned)));
            }
            return true;
        }

        /** Removes the content of the dead letter that a redaction names, if this partition has it. */
        private boolean redact(Bytes key, byte[] value) {
            InputPosition position =
                    InputPosition.of(RegistryRetry.read(redactions, value).getSource());
            byte[] deadLetter = store.get(source(position));
            byte[] summary = deadLetter == null ? null : store.get(Bytes.wrap(deadLetter));
            if (summary != null) {
                DeadLetterSummary decoded = VALUE.decode(summary);
                if (hasContent(decoded) && isRedacted(decoded)) {
                    store.put(Bytes.wrap(deadLetter), VALUE.encode(withoutContent(decoded)));
                }
            }
            return true;
        }

        private static boolean hasContent(DeadLetterSummary summary) {
            return summary.getPreview().hasRemaining()
                    || summary.getDetail() != null
                    || summary.getSender() != null
                    || DeadLetterSummaries.isClaimed(summary) && summary.getNamespace() != null;
        }

        private boolean isRedacted(DeadLetterSummary summary) {
            return DeadLetterSummaries.inputPosition(summary)
                    .filter(position -> StoreSweeper.hasAny(redacted, RedactionView.at(position)))
                    .isPresent();
        }

        private static DeadLetterSummary withoutContent(DeadLetterSummary summary) {
            summary.setDetail(null);
            summary.setPreview(ByteBuffer.allocate(0));
            // Namespace and conversation of a message name its chain, and stay.
            summary.setSender(null);
            return DeadLetterSummaries.isClaimed(summary) ? DeadLetterSummaries.withoutNames(summary) : summary;
        }

        @Override
        public void process(Record<byte[], byte[]> record) {
            RecordMetadata metadata = context().recordMetadata().orElseThrow();
            DeadLetterSummary summary = DeadLetterSummaries.of(
                    metadata.topic(),
                    metadata.partition(),
                    metadata.offset(),
                    record.timestamp(),
                    record.headers(),
                    record.value());
            put(isRedacted(summary) ? withoutContent(summary) : summary, store);
        }
    }
}
