package dev.parley.encoding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.CspDialogue;
import dev.parley.avro.CspTask;
import dev.parley.avro.CspTaskState;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Copied elements have the bytes of encoded ones. {@code -Dparley.seed=N} replays a failure. */
class CopyingOutputTest {
    private static final RecordEncoder ENCODER = RecordEncoder.of(CspDialogue.class);
    private static final int ROUNDS = 2_000;
    private static final int MAX_TASKS = 60;

    private final CopyingOutput out = new CopyingOutput(1);
    private EncodedElements last;

    @Test
    void changedListsHaveTheBytesOfTheirElements() {
        long seed = Objects.requireNonNullElseGet(Long.getLong("parley.seed"), System::nanoTime);
        Random random = new Random(seed);
        List<CspTask> tasks = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            change(tasks, random);
            CspDialogue dialogue = new CspDialogue(List.copyOf(tasks));
            assertThat(copied(dialogue))
                    .as("replay with -Dparley.seed=%d", seed)
                    .isEqualTo(encoded(dialogue));
        }
    }

    @Test
    void anElementThatIsTheSameObjectIsCopied() {
        List<CspTask> tasks = new ArrayList<>();
        for (int i = 0; i < CopyingOutput.MIN_ELEMENTS; i++) {
            tasks.add(task("task-" + i, 2));
        }
        byte[] before = copied(new CspDialogue(tasks));
        // Forbidden for users of the class; here it shows that the element was not encoded again.
        tasks.get(3).setId("a longer name");
        List<CspTask> moved = new ArrayList<>(tasks);
        moved.remove(0);
        moved.add(task("new", 1));

        byte[] after = copied(new CspDialogue(moved));

        assertThat(new String(after, StandardCharsets.UTF_8))
                .doesNotContain("a longer name", "task-0")
                .contains("task-1", "task-3", "task-15", "new");
        assertThat(before.length).isGreaterThan(CopyingOutput.MIN_ELEMENTS);
    }

    @Test
    void aShortListIsEncodedAgain() {
        copied(new CspDialogue(List.of(task("short", 0))));

        assertThat(last).isNull();
    }

    private byte[] copied(CspDialogue dialogue) {
        out.copyFrom(last);
        ENCODER.encode(dialogue, out);
        byte[] bytes = out.toBytes();
        last = out.elements(bytes);
        out.clear();
        return bytes;
    }

    private static byte[] encoded(CspDialogue dialogue) {
        ByteOutput plain = new ByteOutput(1);
        ENCODER.encode(dialogue, plain);
        return plain.toBytes();
    }

    /** Adds, removes, replaces, moves, repeats or drops tasks. */
    private static void change(List<CspTask> tasks, Random random) {
        int kind = random.nextInt(7);
        if (tasks.size() < CopyingOutput.MIN_ELEMENTS || kind == 0 && tasks.size() < MAX_TASKS) {
            tasks.add(random.nextInt(tasks.size() + 1), task("t" + random.nextInt(), random.nextInt(40)));
            return;
        }
        int index = random.nextInt(tasks.size());
        switch (kind) {
            case 1 -> tasks.remove(index);
            case 2 -> tasks.set(index, task("r" + random.nextInt(), random.nextInt(3)));
            case 3 -> tasks.add(tasks.remove(index));
            case 4 ->
                tasks.subList(index, Math.min(tasks.size(), index + random.nextInt(8)))
                        .clear();
            case 5 -> Collections.shuffle(tasks, random);
            default -> tasks.set(index, tasks.get(0));
        }
    }

    private static CspTask task(String id, int hashes) {
        return new CspTask(
                id, CspTaskState.OPEN, "a", "b", null, Collections.nCopies(hashes, ByteBuffer.wrap(new byte[32])), 1L);
    }
}
