package dev.parley.cli.verify;

import dev.parley.audit.InputPosition;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Inbound;
import dev.parley.avro.Verdict;
import dev.parley.checkpoint.CheckpointSettings;
import dev.parley.checkpoint.Checkpoints;
import dev.parley.checkpoint.MemoryStore;
import dev.parley.checkpoint.PatchOutcome;
import dev.parley.cli.api.ApiClient;
import dev.parley.cli.api.ApiException;
import dev.parley.cli.api.ApiQuery;
import dev.parley.cli.export.RecordValues;
import dev.parley.cli.io.Counts;
import dev.parley.codec.Excerpt;
import dev.parley.codec.Symbols;
import dev.parley.decode.ConversationKey;
import dev.parley.json.ApiJson;
import dev.parley.json.model.Conversation;
import dev.parley.log.AuditFault;
import dev.parley.log.FaultCode;
import dev.parley.log.RecordLocation;
import dev.parley.log.export.RecordedRedactions;
import dev.parley.stage.StageSettings;
import dev.parley.state.CheckpointSummary;
import dev.parley.state.InMemoryConversation;
import dev.parley.state.PointInTime;
import dev.parley.state.QueryBudget;
import dev.parley.state.StateAnswer;
import dev.parley.state.StateModel;
import dev.parley.state.StateQueries;
import dev.parley.topology.kafka.TopicReader;
import dev.parley.topology.topics.Topic;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.apache.kafka.common.TopicPartition;

/**
 * Compares what the HTTP API returns with what follows from the audit records: the chain head and the state of each
 * conversation as of its last record; of a CSP context, each checkpoint and the definitions of its branch heads. Reads
 * each partition once for the sizes of its conversations, and once for each set of them that fits in memory.
 */
public final class StateComparison {
    private static final long NO_PASS = -1;
    private static final int HEAP_DIVISOR = 32;
    private static final int PAGE = 1_000;
    private static final int MAX_HEADS = 16;
    private static final Duration RETRY = Duration.ofMillis(100);

    /** What the API does not return, or not to this caller. */
    private static final Set<String> UNANSWERED =
            Set.of("MESSAGES_PRUNED", "CHECKPOINT_PRUNED", "ANSWER_TOO_LARGE", "NAMESPACE_NOT_ALLOWED");

    private static final Set<String> UNKNOWN = Set.of("UNKNOWN_CONVERSATION", "UNKNOWN_CHECKPOINT");

    private final ApiClient api;
    private final StageSettings settings;
    private final long maxBytes;
    private long compared;
    private long omitted;

    /**
     * Creates a comparison.
     *
     * @param api the HTTP API, with a token that sees all messages
     * @param settings settings of the pipeline
     */
    public StateComparison(ApiClient api, StageSettings settings) {
        this(api, settings, Runtime.getRuntime().maxMemory() / HEAP_DIVISOR);
    }

    /** @param maxBytes maximum bytes of the records of a conversation; twice as many bytes are in memory at once */
    StateComparison(ApiClient api, StageSettings settings, long maxBytes) {
        this.api = api;
        this.settings = settings;
        this.maxBytes = maxBytes;
    }

    /** What was compared so far, as a sentence. */
    String summary() {
        return Counts.of(compared, "conversation") + " compared with the API; " + omitted
                + " not completely: records, views or the token lack a part, or memory is too small";
    }

    /** Compares the conversations of a range of the audit topic. */
    void run(
            TopicReader reader,
            Topic<String, AuditRecord> audit,
            Map<TopicPartition, Long> begins,
            Map<TopicPartition, Long> ends,
            Consumer<AuditFault> faults) {
        begins.forEach((partition, begin) -> {
            Map<TopicPartition, Long> from = Map.of(partition, begin);
            Map<TopicPartition, Long> to = Map.of(partition, ends.get(partition));
            Map<String, Long> passes = new HashMap<>();
            reader.read(from, to, record -> {
                passes.merge(TopicReader.key(record), (long) record.serializedValueSize(), Long::sum);
            });
            passes.keySet().removeIf(chain -> key(chain).isEmpty());
            long[] total = {0};
            passes.replaceAll((chain, bytes) -> bytes > maxBytes ? NO_PASS : (total[0] += bytes) / maxBytes);
            omitted += Collections.frequency(passes.values(), NO_PASS);
            for (long pass = 0; pass <= total[0] / maxBytes; pass++) {
                Long number = pass;
                Map<String, List<AuditRecord>> chains = new LinkedHashMap<>();
                reader.read(from, to, record -> {
                    String chain = TopicReader.key(record);
                    if (number.equals(passes.get(chain))) {
                        RecordValues.read(audit, record, fault -> {})
                                .ifPresent(read -> chains.computeIfAbsent(chain, key -> new ArrayList<>())
                                        .add(read));
                    }
                });
                chains.forEach((chain, records) -> compare(chain, records, faults));
            }
        });
        faults.accept(FaultCode.STATES_COMPARED.at(RecordLocation.NONE, summary()));
    }

    /** The conversation of a chain; empty without a state, as for undecodable inputs. */
    private Optional<ConversationKey> key(String chain) {
        return ConversationKey.find(chain)
                .filter(found -> settings.stateModel(found.protocol()).isPresent());
    }

    /** Compares one conversation by all its audit records. Undecodable inputs have no state. */
    void compare(String chain, List<AuditRecord> records, Consumer<AuditFault> faults) {
        Optional<ConversationKey> key = key(chain);
        if (key.isEmpty()) {
            return;
        }
        AuditRecord last = records.get(records.size() - 1);
        Consumer<String> difference = detail -> faults.accept(
                new AuditFault(FaultCode.STATE_CHANGED, RecordLocation.NONE, chain, last.getSequence(), detail));
        boolean isWhole = true;
        try {
            isWhole = records.get(0).getSequence() == 0 && compare(key.get(), records, last, difference);
        } catch (ApiException e) {
            if (!UNKNOWN.contains(e.code())) {
                throw e;
            }
            difference.accept(e.getMessage());
        }
        compared += isWhole ? 1 : 0;
        omitted += isWhole ? 0 : 1;
    }

    /** Reports the first difference. Returns false if the API omits a part; the other parts are compared. */
    private boolean compare(
            ConversationKey key, List<AuditRecord> records, AuditRecord last, Consumer<String> difference) {
        InMemoryConversation trail = trail(key, records);
        StateQueries expected = new StateQueries(trail, settings::stateModel, record -> record, QueryBudget.UNLIMITED);
        String path = ApiClient.conversation(key);
        // Waits until the views have the last record.
        Optional<Conversation> found =
                get(new ApiQuery(path).with("at-least", InputPosition.of(last.getSource())), Conversation.class);
        boolean isLast = found.filter(summary -> summary.lastSequence() == last.getSequence())
                .isPresent();
        if (isLast && !CheckpointSummary.hex(last.getHash()).equals(found.get().lastHash())) {
            difference.accept("its last record has the hash " + found.get().lastHash());
            return true;
        }
        boolean hasCheckpoints = settings.stateModel(key.protocol()).orElseThrow() instanceof StateModel.Checkpoints;
        List<PointInTime> moments = hasCheckpoints
                ? trail.heads(key.namespace(), key.conversation(), MAX_HEADS).stream()
                        .<PointInTime>map(PointInTime.AtCheckpoint::new)
                        .toList()
                : List.of(new PointInTime.AtSequence(last.getSequence()));
        boolean isWhole = true;
        for (PointInTime moment : moments) {
            StateAnswer.State right = expected.state(key, moment);
            Optional<StateAnswer.State> state =
                    get(new ApiQuery(path + "/state").with("at", moment), StateAnswer.State.class);
            if (state.isEmpty() || state.get().redacted() && !right.redacted()) {
                isWhole = false;
            } else if (!ApiJson.text(new TreeMap<>(state.get().members()))
                    .equals(ApiJson.text(new TreeMap<>(right.members())))) {
                difference.accept("the state as of " + Excerpt.of(moment.toString()) + " differs");
                return isWhole;
            }
        }
        return (!hasCheckpoints || compareCheckpoints(key, expected, isLast, difference)) && isWhole;
    }

    /** The conversation as its records make it, with the checkpoints of its accepted patches, none pruned. */
    private InMemoryConversation trail(ConversationKey key, List<AuditRecord> records) {
        RecordedRedactions redactions = new RecordedRedactions();
        records.forEach(redactions::add);
        InMemoryConversation trail = new InMemoryConversation(key);
        CheckpointSettings kept = settings.checkpoints().withoutRetention();
        Checkpoints checkpoints = new Checkpoints(new MemoryStore<>(), new MemoryStore<>(), new MemoryStore<>(), kept);
        for (AuditRecord record : records) {
            trail.accept(redactions.redacted(record));
            if (record.getMessage() != null
                    && Checkpoints.isPatch(record.getMessage())
                    && Symbols.VERDICT.of(record.getVerdict()) == Verdict.ACCEPTED
                    && checkpoints.apply(
                                    record.getMessage(),
                                    record.getSource().getTimestamp().toEpochMilli(),
                                    () -> new Inbound(record.getSource(), null, null, List.of(), null, null))
                            instanceof PatchOutcome.Applied applied) {
                applied.written().forEach(trail::accept);
            }
        }
        return trail;
    }

    /** As {@link #compare}, for checkpoints. Later ones belong to later records, unless there are none. */
    private boolean compareCheckpoints(
            ConversationKey key, StateQueries expected, boolean isComplete, Consumer<String> difference) {
        List<CheckpointSummary> all =
                expected.tree(key, Optional.empty(), Integer.MAX_VALUE).items();
        Map<String, CheckpointSummary> missing = new LinkedHashMap<>();
        all.forEach(checkpoint -> missing.put(checkpoint.id(), checkpoint));
        ApiQuery query = new ApiQuery(ApiClient.conversation(key) + "/checkpoints").with("limit", PAGE);
        String cursor = null;
        do {
            Optional<StateAnswer.Tree> page = get(query.with("cursor", cursor), StateAnswer.Tree.class);
            if (page.isEmpty()) {
                return false;
            }
            for (CheckpointSummary found : page.get().items()) {
                CheckpointSummary right = missing.remove(found.id());
                boolean isLater = !isComplete && found.ordinal() >= all.size();
                // Only retention removes operations, and never those of a branch head.
                Instant pruned = found.head() || !settings.checkpoints().prunes() ? null : found.prunedAt();
                if (right == null ? !isLater : !found.equals(right.with(pruned, found.head()))) {
                    difference.accept("no accepted patch makes checkpoint " + Excerpt.of(found.id()));
                    return true;
                }
            }
            cursor = page.get().next();
        } while (cursor != null);
        if (!missing.isEmpty()) {
            difference.accept("it lacks checkpoints: " + Excerpt.of(String.join(", ", missing.keySet())));
        }
        return true;
    }

    /** Returns empty if the API does not return it. */
    private <T> Optional<T> get(ApiQuery query, Class<T> type) {
        while (true) {
            try {
                return Optional.of(api.get(query.path(), type));
            } catch (ApiException e) {
                if (UNANSWERED.contains(e.code())) {
                    return Optional.empty();
                }
                if (!"RATE_LIMITED".equals(e.code())) {
                    throw e;
                }
                LockSupport.parkNanos(RETRY.toNanos());
            }
        }
    }
}
