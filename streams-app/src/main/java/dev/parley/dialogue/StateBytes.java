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
import java.util.function.ToIntFunction;

/**
 * Bounds what is remembered of one conversation by its size, beside its number of entries: agents choose the names of tasks and definitions, and the state is one
 * record, which must not outgrow what a broker takes. Beyond {@value #MOST} bytes of a kind the oldest entries go first, as they do beyond the number.
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
        List<SubitLane> lanes = newest(subit.getLanes(), lane -> bytes(lane.getAgent()));
        return lanes == subit.getLanes() ? subit : new SubitDialogue(subit.getState(), subit.getAgent(), lanes);
    }

    private static CspDialogue bounded(CspDialogue csp) {
        if (csp == null) {
            return null;
        }
        List<CspTask> tasks = newest(csp.getTasks(), StateBytes::bytes);
        return tasks == csp.getTasks() ? csp : new CspDialogue(tasks);
    }

    private static LambdaDialogue bounded(LambdaDialogue lambda) {
        if (lambda == null) {
            return null;
        }
        List<LambdaPending> pending =
                newest(lambda.getPending(), item -> bytes(item.getSender()) + bytes(item.getId()) + HASH_BYTES);
        List<LambdaDefined> definitions = newest(
                lambda.getDefinitions(), definition -> bytes(definition.getName()) + bytes(definition.getValue()));
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

    /** As many of the last entries as fit; the same list when all do. */
    private static <E> List<E> newest(List<E> entries, ToIntFunction<E> bytes) {
        long sum = 0;
        for (int i = entries.size() - 1; i >= 0; i--) {
            sum += bytes.applyAsInt(entries.get(i));
            if (sum > MOST) {
                return List.copyOf(entries.subList(i + 1, entries.size()));
            }
        }
        return entries;
    }
}
