package dev.parley.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.Checkpoint;
import dev.parley.avro.CspOperation;
import dev.parley.avro.CspOperator;
import dev.parley.avro.Inbound;
import dev.parley.avro.ParkedPatch;
import dev.parley.checkpoint.CheckpointSettings.Branching;
import dev.parley.checkpoint.PatchOutcome.Applied;
import dev.parley.dialogue.StateBytes;
import dev.parley.testing.CspDraft;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** HistoryReader of patches against a fold over whole maps, and the bounds that storage keeps on the way. */
class CheckpointHistoryTest {
    private final MemoryStore<Checkpoint> nodes = new MemoryStore<>();
    private final MemoryStore<String> index = new MemoryStore<>();
    private final MemoryStore<ParkedPatch> lot = new MemoryStore<>();
    private final Map<java.nio.ByteBuffer, AgentMessage> sent = new HashMap<>();
    private long patchBytes;

    /** What the page says, in the plainest way: every state as a whole map. */
    private static final class Oracle {
        private final Map<String, Map<String, String>> states = new HashMap<>(Map.of("C0", Map.of()));
        private final Map<String, Map<String, Long>> setters = new HashMap<>(Map.of("C0", Map.of()));
        private final Map<String, List<String>> ways = new HashMap<>(Map.of("C0", List.of()));
        private final Map<String, AgentMessage> makers = new HashMap<>();
        private final Set<String> ids = new HashSet<>();
        private final Set<String> parents = new HashSet<>();
        private final Map<String, Deque<AgentMessage>> waiting = new HashMap<>();
        private final List<String> log = new ArrayList<>();
        private final int limit;

        Oracle(int limit) {
            this.limit = limit;
        }

        void accept(AgentMessage message) {
            var patch = message.getCsp();
            String verdict = verdict(message);
            log.add(patch.getId() + " " + patch.getBase() + " " + patch.getTarget() + " " + verdict);
            if (verdict.equals("FORK") || verdict.equals("APPLIED")) {
                Deque<AgentMessage> free = waiting.getOrDefault(patch.getTarget(), new ArrayDeque<>());
                waiting.remove(patch.getTarget());
                free.forEach(this::accept);
            }
        }

        private String verdict(AgentMessage message) {
            var patch = message.getCsp();
            String target = patch.getTarget();
            if (states.containsKey(target)) {
                AgentMessage maker = makers.get(target);
                boolean same = maker != null
                        && maker.getCsp().getBase().equals(patch.getBase())
                        && maker.getCsp().getOperations().equals(patch.getOperations());
                return same ? "DUPLICATE" : "CONFLICT";
            }
            if (ids.contains(patch.getId())) {
                return "ID_REUSED";
            }
            Map<String, String> base = states.get(patch.getBase());
            if (base == null) {
                Deque<AgentMessage> queue = waiting.computeIfAbsent(patch.getBase(), key -> new ArrayDeque<>());
                if (queue.stream().anyMatch(other -> other.getSha256().equals(message.getSha256()))) {
                    return "PARKED_ALREADY";
                }
                if (queue.size() >= limit) {
                    return "UNKNOWN_BASE";
                }
                queue.add(message);
                return "PARKED";
            }
            Map<String, String> state = new TreeMap<>(base);
            Map<String, Long> setBy = new TreeMap<>(setters.get(patch.getBase()));
            for (CspOperation operation : patch.getOperations()) {
                if (base.containsKey(operation.getName()) == (operation.getOperator() == CspOperator.ADD)) {
                    return "MISMATCH";
                }
                if (operation.getOperator() == CspOperator.REMOVE) {
                    state.remove(operation.getName());
                    setBy.remove(operation.getName());
                } else {
                    state.put(operation.getName(), operation.getValue());
                    setBy.put(operation.getName(), (long) states.size());
                }
            }
            states.put(target, state);
            setters.put(target, setBy);
            List<String> way = new ArrayList<>(ways.get(patch.getBase()));
            way.add(0, target);
            ways.put(target, way);
            makers.put(target, message);
            ids.add(patch.getId());
            return parents.add(patch.getBase()) ? "APPLIED" : "FORK";
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 300, 1 << 20})
    void everyHistoryEndsAsAFoldOverWholeMapsEnds(long cacheBytes) {
        long seed = Long.getLong("parley.seed", System.nanoTime());
        CheckpointSettings settings = TestCheckpointSettings.of(Branching.WARN, 3, 1_000, 8L << 20, cacheBytes);
        Oracle oracle = new Oracle(3);
        assertThat(play(seed, settings, oracle)).as("parley.seed=%d", seed).isEqualTo(oracle.log);
        Checkpoints checkpoints = new Checkpoints(nodes, index, lot, settings);
        for (String id : oracle.states.keySet()) {
            assertThat(checkpoints.reader().state(key(id)))
                    .as("parley.seed=%d %s", seed, id)
                    .contains(new TreeMap<>(oracle.states.get(id)));
        }
        for (int round = 0; round < 2; round++) {
            for (String id : oracle.states.keySet()) {
                assertThat(setters(checkpoints.reader().definitions(key(id)).orElseThrow()))
                        .as("parley.seed=%d %s", seed, id)
                        .isEqualTo(oracle.setters.get(id));
            }
            // The second time from the store.
            checkpoints = new Checkpoints(nodes, index, lot, settings);
        }
        assertHistories(seed, checkpoints.reader(), oracle);
        assertBounds("parley.seed=" + seed);
    }

    private void assertHistories(long seed, CheckpointReader reader, Oracle oracle) {
        for (String id : oracle.states.keySet()) {
            String name = "N" + Math.floorMod(id.hashCode(), 40);
            assertThat(HistoryReader.of(reader, key(id), name, Integer.MAX_VALUE)
                            .changes())
                    .as("parley.seed=%d %s of %s", seed, name, id)
                    .extracting(Checkpoint::getId)
                    .isEqualTo(oracle.ways.get(id).stream()
                            .filter(step -> oracle.makers.get(step).getCsp().getOperations().stream()
                                    .anyMatch(operation -> operation.getName().equals(name)))
                            .toList());
        }
    }

    private static Map<String, Long> setters(Map<String, Definition> definitions) {
        Map<String, Long> setters = new TreeMap<>();
        definitions.forEach((name, definition) -> setters.put(name, definition.setter()));
        return setters;
    }

    /**
     * A history may be short of one row or another by chance; that of this seed is not, so all rows are reached by what
     * makes the histories.
     */
    @Test
    void theHistoriesReachEveryRow() {
        assertThat(play(1, CheckpointSettings.DEFAULT, new Oracle(CheckpointSettings.DEFAULT.parkingLimit())).stream()
                        .map(line -> line.substring(line.lastIndexOf(' ') + 1)))
                .contains("APPLIED", "FORK", "MISMATCH", "CONFLICT", "DUPLICATE", "ID_REUSED", "PARKED");
    }

    /** Plays a random history to the checkpoints and to the oracle; answers what the checkpoints said. */
    private List<String> play(long seed, CheckpointSettings settings, Oracle oracle) {
        Checkpoints checkpoints = new Checkpoints(nodes, index, lot, settings);
        Random random = new Random(seed);
        List<String> log = new ArrayList<>();
        List<AgentMessage> earlier = new ArrayList<>();
        for (int i = 0; i < 1_500; i++) {
            AgentMessage message = !earlier.isEmpty() && random.nextInt(8) == 0
                    ? earlier.get(random.nextInt(earlier.size()))
                    : randomPatch(random, i, oracle.states);
            earlier.add(message);
            oracle.accept(message);
            run(checkpoints, message, log);
            if (random.nextInt(50) == 0) {
                checkpoints = new Checkpoints(nodes, index, lot, settings);
            }
        }
        return log;
    }

    private AgentMessage randomPatch(Random random, int number, Map<String, Map<String, String>> states) {
        int base = Math.max(0, number / 2 - random.nextInt(12));
        String target = "C" + (random.nextInt(3) == 0 ? base + 1 + random.nextInt(4) : number / 2 + 1);
        Map<String, String> known = states.getOrDefault("C" + base, Map.of());
        List<CspOperation> operations = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (int i = random.nextInt(5); i > 0; i--) {
            String name = "N" + random.nextInt(40);
            if (names.add(name)) {
                boolean defined = known.containsKey(name) != (random.nextInt(60) == 0);
                String value = "v".repeat(random.nextInt(60));
                operations.add(
                        !defined
                                ? new CspOperation(CspOperator.ADD, name, value)
                                : random.nextInt(3) == 0
                                        ? new CspOperation(CspOperator.REMOVE, name, null)
                                        : new CspOperation(CspOperator.CHANGE, name, value));
            }
        }
        String id = "P" + (random.nextInt(40) == 0 ? random.nextInt(20) : number);
        AgentMessage message = CspDraft.patch(id, "C" + base, target, "")
                .operations(operations)
                .build();
        sent.put(message.getSha256(), message);
        return message;
    }

    @Test
    void aLongChainOverALargeStateKeepsItsBounds() {
        Checkpoints checkpoints = machine();
        apply(checkpoints, "C0", "C1", large(2_000));
        for (int i = 1; i < 3_000; i++) {
            apply(checkpoints, "C" + i, "C" + (i + 1), List.of(change("N" + i % 2_000, "w" + i)));
        }
        assertBounds("chain");
    }

    @Test
    void patchesWithoutOperationsDoNotMakeARunWithoutEnd() {
        Checkpoints checkpoints = machine();
        apply(checkpoints, "C0", "C1", large(10));
        for (int i = 1; i < 2_000; i++) {
            apply(checkpoints, "C" + i, "C" + (i + 1), List.of());
        }
        assertBounds("empty patches");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 30})
    void manyBranchesOfOneLargeStateShareItsSnapshot(int length) {
        Checkpoints checkpoints = machine();
        apply(checkpoints, "C0", "C1", large(1_000));
        // A run that is just short of a snapshot: from every node near its end, forks of a few small patches each.
        int last = 1;
        Checkpoint head = nodes.get(key("C1").toString()).orElseThrow();
        while (head.getDeltaBytes() + 100 <= 2 * head.getStateBytes()) {
            apply(checkpoints, "C" + last, "C" + (last + 1), List.of(change("N" + last % 1_000, "w".repeat(50))));
            last++;
            head = nodes.get(key("C" + last).toString()).orElseThrow();
        }
        assertThat(last).isGreaterThan(500);
        for (int from = last - 60; from <= last; from += 3) {
            for (int fork = 0; fork < 20; fork++) {
                String at = "C" + from;
                for (int i = 0; i < length; i++) {
                    String next = "F" + from + "-" + fork + "-" + i;
                    apply(checkpoints, at, next, List.of(change("N1", "f" + fork + i)));
                    at = next;
                }
            }
        }
        assertBounds("forks");
    }

    @Test
    void aStateThatShrinksKeepsItsBounds() {
        Checkpoints checkpoints = machine();
        apply(checkpoints, "C0", "C1", large(1_000));
        for (int i = 1; i < 1_000; i++) {
            apply(checkpoints, "C" + i, "C" + (i + 1), List.of(new CspOperation(CspOperator.REMOVE, "N" + i, null)));
        }
        assertThat(checkpoints.reader().state(key("C1000")).orElseThrow()).containsOnlyKeys("N0");
        assertBounds("shrinking");
    }

    @Test
    void applyingReadsNoMoreThanThePatchNeeds() {
        long[] reads = {0};
        SortedStore<Checkpoint> counting = new SortedStore<>() {
            @Override
            public Optional<Checkpoint> get(String key) {
                reads[0] += nodes.get(key).isPresent() ? 1 : 0;
                return nodes.get(key);
            }

            @Override
            public void put(String key, Checkpoint value) {
                nodes.put(key, value);
            }

            @Override
            public void delete(String key) {
                nodes.delete(key);
            }

            @Override
            public void scan(String prefix, java.util.function.BiPredicate<String, Checkpoint> visitor) {
                nodes.scan(prefix, visitor);
            }
        };
        Checkpoints checkpoints = new Checkpoints(counting, index, lot, CheckpointSettings.DEFAULT);
        apply(checkpoints, "C0", "C1", large(1_000));
        for (int i = 1; i < 5_000; i++) {
            apply(checkpoints, "C" + i, "C" + (i + 1), List.of(change("N" + i % 1_000, "w" + i)));
        }
        // Only placing a snapshot reads nodes: each at most about twice over the whole history.
        assertThat(reads[0]).isLessThan(2 * 5_000);
    }

    /** Storage within three times the patches; a rebuild of at most twice the state in deltas, from one snapshot. */
    private void assertBounds(String about) {
        long[] stored = {0};
        Map<String, Long> runs = new HashMap<>();
        nodes.scan("", (key, node) -> {
            stored[0] += PatchOperations.weight(node.getOperations());
            if (node.getSnapshot() != null) {
                stored[0] += bytes(node.getSnapshot());
                assertThat(bytes(node.getSnapshot())).as(about).isEqualTo(node.getStateBytes());
                assertThat(node.getDeltaBytes()).as(about).isZero();
            }
            long run = run(key, node, runs);
            assertThat(run).as("%s: run of %s", about, key).isLessThanOrEqualTo(2 * node.getStateBytes());
            assertThat(run).as("%s: run of %s", about, key).isLessThanOrEqualTo(node.getDeltaBytes());
            return true;
        });
        assertThat(stored[0]).as("%s: storage", about).isLessThanOrEqualTo(3 * patchBytes);
        assertThat(stored[0]).isPositive();
    }

    /**
     * Weight of the patches since the last snapshot, this one included, with those of its ancestors in {@code runs}.
     */
    private long run(String key, Checkpoint node, Map<String, Long> runs) {
        Deque<Map.Entry<String, Checkpoint>> way = new ArrayDeque<>();
        String parent = key;
        Checkpoint at = node;
        while (!runs.containsKey(parent) && at.getSnapshot() == null) {
            way.push(Map.entry(parent, at));
            if (at.getParent().equals("C0")) {
                break;
            }
            parent = key(at.getParent()).toString();
            at = nodes.get(parent).orElseThrow();
        }
        long run = runs.getOrDefault(parent, 0L);
        for (Map.Entry<String, Checkpoint> step : way) {
            run += PatchOperations.weight(step.getValue().getOperations());
            runs.put(step.getKey(), run);
        }
        return run;
    }

    private static long bytes(Map<String, String> state) {
        return state.entrySet().stream()
                .mapToLong(entry -> StateBytes.of(entry.getKey()) + StateBytes.of(entry.getValue()))
                .sum();
    }

    private Checkpoints machine() {
        return new Checkpoints(nodes, index, lot, CheckpointSettings.DEFAULT);
    }

    private void apply(Checkpoints checkpoints, String base, String target, List<CspOperation> operations) {
        AgentMessage message = CspDraft.patch("P" + target, base, target, "")
                .operations(operations)
                .build("");
        PatchOutcome outcome = checkpoints.apply(message, 0, Inbound::new);
        assertThat(outcome).isInstanceOf(Applied.class);
        patchBytes += PatchOperations.weight(operations);
    }

    private void run(Checkpoints checkpoints, AgentMessage message, List<String> log) {
        ReleasedPatchQueue releasedPatchQueue = new ReleasedPatchQueue(checkpoints);
        Optional<AgentMessage> next = Optional.of(message);
        while (next.isPresent()) {
            AgentMessage patch = next.get();
            PatchOutcome outcome = checkpoints.apply(
                    patch, 0, () -> new Inbound(patch.getSource(), null, patch.getRaw(), List.of(), null, null));
            log.add(patch.getCsp().getId() + " " + patch.getCsp().getBase() + " "
                    + patch.getCsp().getTarget() + " " + outcome.rule().name());
            if (outcome instanceof Applied applied) {
                patchBytes += PatchOperations.weight(patch.getCsp().getOperations());
                releasedPatchQueue.add(applied.checkpoint());
            }
            next = releasedPatchQueue.next().map(parked -> sent.get(parked.getPatchHash()));
        }
    }

    private static List<CspOperation> large(int names) {
        List<CspOperation> operations = new ArrayList<>();
        for (int i = 0; i < names; i++) {
            operations.add(new CspOperation(CspOperator.ADD, "N" + i, "v".repeat(50)));
        }
        return operations;
    }

    private static CspOperation change(String name, String value) {
        return new CspOperation(CspOperator.CHANGE, name, value);
    }

    private static CheckpointKey key(String id) {
        return new CheckpointKey("default", "ctx", id);
    }
}
