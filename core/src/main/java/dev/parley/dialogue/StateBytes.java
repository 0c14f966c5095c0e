package dev.parley.dialogue;

import dev.parley.avro.CspDialogue;
import dev.parley.avro.CspTask;
import dev.parley.avro.DialogueState;
import dev.parley.avro.LambdaDefined;
import dev.parley.avro.LambdaDialogue;
import dev.parley.avro.LambdaPending;
import dev.parley.avro.SubitDialogue;
import dev.parley.avro.SubitLane;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;

/**
 * Bounds what is remembered of one conversation by its size, beside its number of entries: agents choose the names of tasks and definitions, and the state is one
 * record, which must not outgrow what a broker takes. Beyond {@value #MOST} bytes of a kind the oldest entries go first, of CSP tasks the closed ones, as they do beyond the number. An entry that
 * is larger by itself is not remembered.
 */
final class StateBytes {
    /** Most bytes of names and values of the entries of one kind: tasks, lanes, pending items, definitions. */
    static final int MOST = 1 << 20;

    /** What a character may take in UTF-8. */
    private static final int BYTES_PER_CHARACTER = 3;

    private static final int HASH_BYTES = 34;

    private StateBytes() {}

    /** The state within the bound; the same instance when it is. */
    @SuppressWarnings("ReferenceEquality")
    static DialogueState bounded(DialogueState state) {
        SubitDialogue subit = bounded(state.getSubit());
        CspDialogue csp = bounded(state.getCsp());
        LambdaDialogue lambda = bounded(state.getLambda());
        if (subit == state.getSubit() && csp == state.getCsp() && lambda == state.getLambda()) {
            return state;
        }
        return Dialogues.with(state, state.getSlip(), subit, csp, lambda);
    }

    private static SubitDialogue bounded(SubitDialogue subit) {
        if (subit == null) {
            return null;
        }
        List<SubitLane> lanes = newest(subit.getLanes(), lane -> bytes(lane.getAgent()), lane -> true);
        return lanes == subit.getLanes() ? subit : new SubitDialogue(subit.getState(), subit.getAgent(), lanes);
    }

    private static CspDialogue bounded(CspDialogue csp) {
        if (csp == null) {
            return null;
        }
        List<CspTask> tasks = newest(csp.getTasks(), StateBytes::bytes, CspTasks::isAwaited);
        return tasks == csp.getTasks() ? csp : new CspDialogue(tasks);
    }

    private static LambdaDialogue bounded(LambdaDialogue lambda) {
        if (lambda == null) {
            return null;
        }
        List<LambdaPending> pending = newest(
                lambda.getPending(), item -> bytes(item.getSender()) + bytes(item.getId()) + HASH_BYTES, item -> true);
        List<LambdaDefined> definitions = newest(
                lambda.getDefinitions(),
                definition -> bytes(definition.getName()) + bytes(definition.getValue()),
                definition -> true);
        if (pending == lambda.getPending() && definitions == lambda.getDefinitions()) {
            return lambda;
        }
        return new LambdaDialogue(
                lambda.getState(),
                pending,
                lambda.getFloorHeld(),
                lambda.getFloorHolder(),
                lambda.getErrors(),
                definitions);
    }

    private static int bytes(CspTask task) {
        return bytes(task.getId())
                + bytes(task.getGiver())
                + bytes(task.getRecipient())
                + bytes(task.getOwner())
                + HASH_BYTES * task.getAccepted().size();
    }

    private static int bytes(String text) {
        return text == null ? 0 : BYTES_PER_CHARACTER * text.length();
    }

    /** As many of the last entries as fit, those that are wanted before the others; the same list when all fit. */
    private static <E> List<E> newest(List<E> entries, ToIntFunction<E> bytes, Predicate<E> wanted) {
        long sum = 0;
        for (int i = 0; i < entries.size(); i++) {
            sum += bytes.applyAsInt(entries.get(i));
        }
        if (sum <= MOST) {
            return entries;
        }
        boolean[] kept = new boolean[entries.size()];
        long room = fill(MOST, entries, bytes, wanted, kept);
        fill(room, entries, bytes, wanted.negate(), kept);
        return IntStream.range(0, kept.length)
                .filter(i -> kept[i])
                .mapToObj(entries::get)
                .toList();
    }

    /** Marks the last entries of a sort as far as they fit; answers what room is left, and none when one did not fit. */
    private static <E> long fill(
            long room, List<E> entries, ToIntFunction<E> bytes, Predicate<E> sort, boolean[] kept) {
        long left = room;
        for (int i = entries.size() - 1; i >= 0; i--) {
            int size = bytes.applyAsInt(entries.get(i));
            if (sort.test(entries.get(i)) && size <= MOST) {
                if (size > left) {
                    return 0;
                }
                left -= size;
                kept[i] = true;
            }
        }
        return left;
    }
}
