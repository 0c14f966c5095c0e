package dev.parley.fuzz;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.Checkpoint;
import dev.parley.avro.ConversationItem;
import dev.parley.avro.DialogueState;
import dev.parley.avro.Inbound;
import dev.parley.avro.ParkedPatch;
import dev.parley.checkpoint.Checkpoints;
import dev.parley.checkpoint.MemoryStore;
import dev.parley.checkpoint.SortedStore;
import dev.parley.dialogue.ConversationState;
import dev.parley.log.AuditLog;
import dev.parley.protocol.Protocols;
import dev.parley.stage.ApplyStage;
import dev.parley.stage.ConversationStore;
import dev.parley.stage.ItemStore;
import dev.parley.stage.JudgedRecord;
import dev.parley.stage.RecordStage;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import org.apache.avro.specific.SpecificRecord;

/**
 * The stages as in the topology, over stores of bytes: all state goes through its Avro form. Keeps the audit records.
 * Drops cached state every few records, as after an aborted transaction.
 */
final class StoredPipeline {
    /** Seed of the salts, so that another pipeline can make the same records. */
    static final long SALTS = 0;

    private static final int RECORDS_BETWEEN_STARTS = 3;

    private final Map<String, byte[]> states = new HashMap<>();
    private final AvroForm<DialogueState> stateForm = new AvroForm<>(DialogueState.class);
    private final AvroForm<AuditRecord> linkForm = new AvroForm<>(AuditRecord.class);
    private final Store<Checkpoint> nodes = new Store<>(Checkpoint.class);
    private final MemoryStore<String> index = new MemoryStore<>();
    private final Store<ParkedPatch> parked = new Store<>(ParkedPatch.class);
    private final List<AuditRecord> links = new ArrayList<>();
    private final Traffic traffic;
    private final ConversationStore conversationStore;
    private final RecordStage recordStage;
    private ApplyStage stage;
    private Checkpoints checkpoints;
    private int taken;

    StoredPipeline(Traffic traffic) {
        this.traffic = traffic;
        ItemStore olderItems = new ItemStore(new Store<>(ConversationItem.class));
        conversationStore = new ConversationStore() {
            @Override
            public ConversationState get(String chain) {
                byte[] state = states.get(chain);
                return state == null
                        ? null
                        : Protocols.STANDARD.storedStates().read(stateForm.read(state), olderItems.of(chain));
            }

            @Override
            public void put(String chain, ConversationState state) {
                olderItems.put(chain, state.dialogue().olderItems());
                states.put(
                        chain, stateForm.write(Protocols.STANDARD.storedStates().write(state)));
            }
        };
        restart();
        recordStage = new RecordStage(
                conversationStore, traffic.options(), new AuditLog(0, new MemoryStore<>()), new Random(SALTS));
    }

    /** Starts over the stores without anything in memory. */
    private void restart() {
        checkpoints = rebuilt();
        stage = new ApplyStage(traffic.settings(), conversationStore, checkpoints);
    }

    void accept(Traffic.Sent sent, Consumer<JudgedRecord> out) {
        byte[] key = sent.record().key();
        byte[] value = sent.record().value();
        Inbound inbound = new Inbound(
                sent.record().source(),
                key == null ? null : ByteBuffer.wrap(key),
                value == null ? null : ByteBuffer.wrap(value),
                sent.headers(),
                null,
                null);
        Consumer<JudgedRecord> recorder = judged -> {
            if (!judged.isParked()) {
                AuditRecord link = recordStage.record(judged).audit().auditRecord();
                linkForm.requireLossless(link);
                links.add(link);
            }
            out.accept(judged);
        };
        stage.accept(inbound, sent.record().headers(), sent::headers, recorder);
        while (stage.resume(sent.record().source().getTimestamp().toEpochMilli(), recorder)) {
            // Process one slice after the other.
        }
        taken++;
        if (taken % RECORDS_BETWEEN_STARTS == 0) {
            restart();
        }
    }

    /** The audit records of all chains, in the order of recording. */
    List<AuditRecord> links() {
        return links;
    }

    /** Every checkpoint that is listed. */
    List<Checkpoint> listed() {
        List<Checkpoint> listed = new ArrayList<>();
        nodes.scan("", (key, node) -> listed.add(node));
        return listed;
    }

    /** The checkpoints with the caches of the running pipeline. */
    Checkpoints checkpoints() {
        return checkpoints;
    }

    /** The checkpoints rebuilt from the stores alone. */
    Checkpoints rebuilt() {
        return new Checkpoints(nodes, index, parked, traffic.checkpoints());
    }

    /** Number of parked patches. */
    int waiting() {
        return parked.entries.size();
    }

    private static class Store<V extends SpecificRecord> implements SortedStore<V> {
        private final TreeMap<String, byte[]> entries = new TreeMap<>();
        private final AvroForm<V> form;

        Store(Class<V> type) {
            form = new AvroForm<>(type);
        }

        @Override
        public Optional<V> get(String key) {
            return Optional.ofNullable(entries.get(key)).map(form::read);
        }

        @Override
        public void put(String key, V value) {
            entries.put(key, form.write(value));
        }

        @Override
        public void delete(String key) {
            entries.remove(key);
        }

        @Override
        public void scan(String prefix, BiPredicate<String, V> visitor) {
            for (Map.Entry<String, byte[]> entry : entries.tailMap(prefix, true).entrySet()) {
                if (!entry.getKey().startsWith(prefix) || !visitor.test(entry.getKey(), form.read(entry.getValue()))) {
                    return;
                }
            }
        }
    }
}
