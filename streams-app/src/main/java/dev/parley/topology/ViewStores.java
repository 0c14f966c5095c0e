package dev.parley.topology;

import dev.parley.avro.Stage;
import java.util.List;

/** Names of the stores that {@link ViewsTopology} builds; public contract for whoever reads them. */
public final class ViewStores {

    /** Conversations and their messages, from the audit topic: keys {@link ViewKeys#conversation} and {@link ViewKeys#message}. */
    public static final String AUDIT = "view-audit";

    /** Checkpoints, from the checkpoint topic: keys {@link ViewKeys#checkpoint}, {@link ViewKeys#ordinal} and {@link ViewKeys#head}. */
    public static final String CHECKPOINTS = "view-checkpoints";

    /** Counts of the pipeline's tasks, from the accounting topic: its keys in UTF-8. */
    public static final String ACCOUNTING = "view-accounting";

    /** The stages that have a dead-letter topic, in the order of the pipeline. */
    public static final List<Stage> DEAD_LETTER_STAGES =
            List.of(Stage.DECODE, Stage.DIALOGUE, Stage.PATCH, Stage.INTERNAL);

    private ViewStores() {}

    /**
     * Dead letters of one stage: keys {@link ViewKeys#deadLetter}.
     *
     * @throws IllegalArgumentException for NONE, which has no dead letters
     */
    public static String deadLetters(Stage stage) {
        return switch (stage) {
            case DECODE -> "view-dead-letters-decode";
            case DIALOGUE -> "view-dead-letters-dialogue";
            case PATCH -> "view-dead-letters-patch";
            case INTERNAL -> "view-dead-letters-internal";
            case NONE -> throw new IllegalArgumentException("stage NONE has no dead letters");
        };
    }
}
