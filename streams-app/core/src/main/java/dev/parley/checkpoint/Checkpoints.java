package dev.parley.checkpoint;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.Checkpoint;
import dev.parley.avro.CspIntent;
import dev.parley.avro.CspMessage;
import dev.parley.avro.CspOperation;
import dev.parley.avro.Inbound;
import dev.parley.avro.ParkedPatch;
import dev.parley.avro.Source;
import dev.parley.checkpoint.CheckpointSettings.Branching;
import dev.parley.codec.Code;
import dev.parley.codec.Excerpt;
import dev.parley.dialogue.CspNames;
import dev.parley.dialogue.ResendHash;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Applies patches to the checkpoints of CSP contexts (docs/protocols.md 3.3b and 5). A patch is applied completely or
 * not at all; one with an unknown base is parked. The content of a checkpoint never changes. The cost depends on the
 * size of the patch, not of the state. Not thread-safe.
 *
 * <p>The caller judges and records the patches that an applied patch releases: see {@link ReleasedPatchQueue}.
 *
 * <p>Index keys: {@code patch|} and a patch's key to the checkpoint that it made; {@code last|namespace|context|} to
 * the ordinal of the checkpoint that was applied last, the bytes left for snapshots, and its ID; {@code head|} and the
 * key of each other branch head. Every other checkpoint has a child. {@link ParkingLot} and {@link ReleasedPatchQueue}
 * have the keys of parked and released patches.
 */
public final class Checkpoints {
    static final String LAST = "last|";

    private final SortedStore<Checkpoint> nodes;
    private final SortedStore<String> index;
    private final ParkingLot lot;
    private final Branching branching;
    private final long stateBytes;
    private final CheckpointReader reader;
    private final SnapshotPolicy policy;
    private final Optional<CheckpointPruner> retention;

    /**
     * Creates checkpoints over their stores, which contain all of the state.
     *
     * @param nodes checkpoints by the string form of their {@link CheckpointKey}
     * @param index small strings
     * @param settings policy and bounds
     */
    public Checkpoints(
            SortedStore<Checkpoint> nodes,
            SortedStore<String> index,
            SortedStore<ParkedPatch> parked,
            CheckpointSettings settings) {
        this(nodes, index, parked, settings, System::currentTimeMillis);
    }

    Checkpoints(
            SortedStore<Checkpoint> nodes,
            SortedStore<String> index,
            SortedStore<ParkedPatch> parked,
            CheckpointSettings settings,
            LongSupplier clock) {
        this.nodes = nodes;
        this.index = index;
        this.lot = new ParkingLot(
                index, parked, settings.parkingLimit(), settings.parkingTotal(), settings.parkingMillis());
        this.branching = settings.branching();
        this.stateBytes = settings.stateBytes();
        this.reader = new CheckpointReader(nodes::get, settings);
        this.policy = new SnapshotPolicy(reader, stateBytes);
        this.retention = settings.prunes()
                ? Optional.of(new CheckpointPruner(nodes, index, reader, settings.retentionMillis(), clock))
                : Optional.empty();
    }

    public static boolean isPatch(AgentMessage message) {
        return message.getCsp() != null && message.getCsp().getIntent() == CspIntent.PATCH;
    }

    /**
     * Applies a patch that was not parked before.
     *
     * @param message a CSP message with the intent PATCH; not changed
     * @param now record time in milliseconds since the epoch; the parking time starts here
     * @param inbound supplies the input record; called only if the patch is parked
     */
    public PatchOutcome apply(AgentMessage message, long now, Supplier<Inbound> inbound) {
        return apply(message, now, inbound, null);
    }

    /**
     * Applies a patch.
     *
     * @param message as in {@link #apply(AgentMessage, long, Supplier)}
     * @param now likewise
     * @param inbound likewise
     * @param releasedBy input record whose patch released this one; null if it was not parked
     */
    public PatchOutcome apply(AgentMessage message, long now, Supplier<Inbound> inbound, Source releasedBy) {
        CspMessage patch = message.getCsp();
        String repeated = CspNames.repeatedName(patch.getOperations());
        if (repeated != null) {
            return PatchRule.NAME_TWICE.rejected(
                    Code.CSP_PATCH_NAME_TWICE,
                    "'" + Excerpt.of(repeated) + "' appears in two operations of patch " + Excerpt.of(patch.getId()));
        }
        if (patch.getBase().equals(patch.getTarget())) {
            return PatchRule.SELF_APPLY.rejected(
                    Code.CSP_SELF_APPLY,
                    "patch " + Excerpt.of(patch.getId()) + " has " + Excerpt.of(patch.getBase())
                            + " as base and as target");
        }
        CheckpointKey target = new CheckpointKey(message.getNamespace(), message.getConversation(), patch.getTarget());
        Optional<Checkpoint> existing = reader.checkpoint(target);
        if (existing.isPresent()) {
            return repeated(message, existing.get());
        }
        String claim = claim(target, patch);
        Optional<String> claimed = index.get(claim);
        if (claimed.isPresent()) {
            return PatchRule.ID_REUSED.rejected(
                    Code.CSP_PATCH_ID_REUSED,
                    "patch " + Excerpt.of(patch.getId()) + " was applied already: "
                            + positionOf(target.sibling(claimed.get())));
        }
        CheckpointKey base = target.sibling(patch.getBase());
        Optional<CachedState> state = reader.cached(base);
        if (state.isEmpty()) {
            return withoutBase(message, base, now, inbound);
        }
        PatchOperations.Mismatch mismatch =
                PatchOperations.mismatch(patch.getOperations(), state.get().state());
        if (mismatch != null) {
            return PatchRule.MISMATCH.rejected(
                    mismatch.code(), mismatch.detail() + " (" + Excerpt.of(patch.getBase()) + ")");
        }
        long grown = state.get().stateBytes()
                + PatchOperations.growth(patch.getOperations(), state.get().state());
        if (grown > stateBytes) {
            return PatchRule.STATE_TOO_LARGE.rejected(
                    Code.CSP_STATE_TOO_LARGE,
                    "the state of " + Excerpt.of(patch.getTarget()) + " would have " + grown + " bytes; the limit is "
                            + stateBytes);
        }
        return fitting(message, target, claim, base, state.get(), grown, now, releasedBy);
    }

    /**
     * Returns index entries of patches whose parking time has expired, longest first. Each gets the violation
     * CSP_UNKNOWN_BASE by the rule {@link PatchRule#UNKNOWN_BASE}, unless a stored cascade has released it; therefore
     * continue cascades first. Costs nothing while nothing is due.
     *
     * @param now record time, milliseconds since the epoch
     * @param limit maximum number of entries
     */
    public List<String> due(long now, int limit) {
        return lot.due(now, limit);
    }

    /**
     * Removes a due entry and its patch from the parking lot. {@link #save} must follow in the same transaction.
     *
     * @return the patch; empty if it is unreadable, or if another client wrote the entry
     */
    public Optional<ParkedPatch> expire(String entry) {
        return lot.removeDue(entry);
    }

    /** Writes the counts that {@link #expire} changed. */
    public void save() {
        lot.save();
    }

    /** Bytes of a parked patch under the limits. */
    public static long bytes(ParkedPatch patch) {
        return ParkingLot.bytes(patch.getInbound());
    }

    SortedStore<String> index() {
        return index;
    }

    ParkingLot parking() {
        return lot;
    }

    /** Returns a reader that shares the cache. */
    public CheckpointReader reader() {
        return reader;
    }

    private static PatchOutcome repeated(AgentMessage message, Checkpoint existing) {
        CspMessage patch = message.getCsp();
        // A pruned checkpoint has only the hash of its patch.
        boolean same = existing.getPrunedAt() == null
                ? patch.getBase().equals(existing.getParent())
                        && patch.getOperations().equals(existing.getOperations())
                : ResendHash.of(message).equals(existing.getPatchHash());
        if (same) {
            return new PatchOutcome.Duplicate(PatchRule.DUPLICATE);
        }
        String maker = existing.getParent() == null
                ? "is the root of its context"
                : "was made by another patch, " + positionOf(existing);
        return PatchRule.CONFLICT.rejected(
                Code.CSP_CHECKPOINT_CONFLICT,
                Excerpt.of(existing.getId()) + " exists and " + maker
                        + "; a checkpoint is frozen, so the target needs a new id");
    }

    private PatchOutcome withoutBase(AgentMessage message, CheckpointKey base, long now, Supplier<Inbound> inbound) {
        Optional<Checkpoint> stub = reader.checkpoint(base);
        return stub.isPresent()
                ? PatchRule.UNKNOWN_BASE.rejected(
                        Code.CSP_UNKNOWN_BASE,
                        "base " + Excerpt.of(base.id()) + " was pruned at "
                                + stub.get().getPrunedAt())
                : park(message, base, now, inbound);
    }

    private PatchOutcome park(AgentMessage message, CheckpointKey base, long now, Supplier<Inbound> inbound) {
        ParkingLot.Result answer = lot.park(base, ResendHash.of(message), now, inbound);
        return switch (answer) {
            case PARKED -> new PatchOutcome.Parked();
            case ALREADY -> new PatchOutcome.Duplicate(PatchRule.PARKED_ALREADY);
            default ->
                PatchRule.UNKNOWN_BASE.rejected(
                        Code.CSP_UNKNOWN_BASE,
                        "base " + Excerpt.of(base.id()) + " is unknown, and the patch cannot be parked: "
                                + answer.bound() + " is reached" + similar(base));
        };
    }

    /** A clause that names a checkpoint with a similar ID as an unknown base; empty if there is none. */
    public String similar(CheckpointKey base) {
        return CspNames.similar(base.id()).stream()
                .filter(id -> reader.checkpoint(base.sibling(id)).isPresent())
                .findFirst()
                .map(id -> "; the similar '" + Excerpt.of(id) + "' exists")
                .orElse("");
    }

    private PatchOutcome fitting(
            AgentMessage message,
            CheckpointKey target,
            String claim,
            CheckpointKey base,
            CachedState cachedState,
            long grown,
            long now,
            Source releasedBy) {
        List<CspOperation> operations = message.getCsp().getOperations();
        String last = LAST + CheckpointKey.prefix(base.namespace(), base.context());
        String before = index.get(last).orElse("0|0|" + CheckpointKey.ROOT);
        int bar = before.indexOf('|');
        int second = before.indexOf('|', bar + 1);
        String lastId = before.substring(second + 1);
        boolean isLast = base.id().equals(lastId);
        String head = head(base);
        boolean forks = !isLast && index.get(head).isEmpty();
        List<Code> warnings = new ArrayList<>(2);
        if (forks && branching == Branching.WARN) {
            warnings.add(Code.CSP_FORK);
        }
        if (PatchOperations.isFullRewrite(operations, cachedState.state())) {
            warnings.add(Code.CSP_FULL_REWRITE);
        }
        if (forks && branching == Branching.REJECT) {
            String detail = "base " + Excerpt.of(base.id()) + " has a child already, and forks are rejected";
            return new PatchOutcome.Rejected(Code.CSP_FORK, detail, warnings, PatchRule.FORK_REJECTED);
        }
        long ordinal = Long.parseLong(before, 0, bar, 10) + 1;
        Checkpoint bare = bare(message, cachedState, ordinal, grown, releasedBy);
        long room = Long.parseLong(before, bar + 1, second, 10) + SnapshotPolicy.weight(bare);
        List<Checkpoint> written = new ArrayList<>(2);
        CachedState made = policy.place(bare, base, cachedState, room, written);
        for (Checkpoint checkpoint : written) {
            nodes.put(target.sibling(checkpoint.getId()).toString(), checkpoint);
            room -= checkpoint.getSnapshot() == null ? 0 : checkpoint.getStateBytes();
        }
        index.put(last, ordinal + "|" + room + "|" + target.id());
        index.put(claim, target.id());
        if (!isLast) {
            if (!forks) {
                index.delete(head);
            }
            index.put(head(base.sibling(lastId)), lastId);
        }
        reader.put(target, made);
        if (retention.isPresent()) {
            written = pruned(retention.get(), written, base, forks, now);
        }
        return new PatchOutcome.Applied(written, warnings, forks ? PatchRule.FORK : PatchRule.APPLIED);
    }

    /** Returns the written checkpoints, including those of pruning: each once, in its stored form, the new one last. */
    private static List<Checkpoint> pruned(
            CheckpointPruner pruner, List<Checkpoint> written, CheckpointKey base, boolean forked, long now) {
        CheckpointKey made = base.sibling(written.get(written.size() - 1).getId());
        if (forked) {
            pruner.forked(base, made.id());
        } else {
            pruner.superseded(base, made.id(), now);
        }
        Map<String, Checkpoint> latest = new LinkedHashMap<>();
        written.forEach(checkpoint -> latest.put(checkpoint.getId(), checkpoint));
        for (Checkpoint checkpoint : pruner.prune(made, now)) {
            latest.remove(checkpoint.getId());
            latest.put(checkpoint.getId(), checkpoint);
        }
        Checkpoint last = latest.remove(made.id());
        List<Checkpoint> all = new ArrayList<>(latest.values());
        all.add(last);
        return all;
    }

    private static Checkpoint bare(
            AgentMessage message, CachedState cachedState, long ordinal, long grown, Source releasedBy) {
        CspMessage patch = message.getCsp();
        List<CspOperation> operations = List.copyOf(patch.getOperations());
        Checkpoint checkpoint = new Checkpoint();
        checkpoint.setNamespace(message.getNamespace());
        checkpoint.setContext(message.getConversation());
        checkpoint.setId(patch.getTarget());
        checkpoint.setParent(patch.getBase());
        checkpoint.setPatch(patch.getId());
        checkpoint.setPatchHash(ResendHash.of(message).duplicate());
        checkpoint.setSender(patch.getSender());
        checkpoint.setOperations(operations);
        checkpoint.setSource(message.getSource());
        checkpoint.setOrdinal(ordinal);
        checkpoint.setDepth(cachedState.depth() + 1);
        checkpoint.setHash(PatchOperations.hash(cachedState.hash(), patch.getTarget(), patch.getId(), operations));
        checkpoint.setStateBytes(grown);
        checkpoint.setReleasedBy(releasedBy);
        return checkpoint;
    }

    private String positionOf(CheckpointKey key) {
        return reader.checkpoint(key).map(Checkpoints::positionOf).orElse("a patch that is not stored");
    }

    /**
     * The input position of the patch that made a checkpoint. A later verdict must not quote an earlier message, which
     * may be redacted.
     */
    private static String positionOf(Checkpoint node) {
        Source source = node.getSource();
        return "the record " + source.getTopic() + "-" + source.getPartition() + "@" + source.getOffset();
    }

    private static String claim(CheckpointKey target, CspMessage patch) {
        return "patch|" + target.sibling(patch.getId());
    }

    private static String head(CheckpointKey key) {
        return "head|" + key;
    }
}
