package dev.parley.topology.views;

import dev.parley.topology.setup.ChainPartitioner;
import java.util.List;

/** Names of the stores that {@link ViewsTopology} builds; public contract for whoever reads them. */
public final class ViewStores {

    /**
     * Conversations and their messages, from the audit topic: keys {@link ViewKeys#conversation},
     * {@link ViewKeys#message}, {@link ViewKeys#source}, {@link ViewKeys#beginning} and {@link ViewKeys#redacted}. A
     * chain lies in the partition {@link ChainPartitioner#of}.
     */
    public static final String AUDIT = "view-audit";

    /**
     * Checkpoints, from the checkpoint topic: keys {@link ViewKeys#checkpoint}, {@link ViewKeys#ordinal},
     * {@link ViewKeys#child} and {@link ViewKeys#head}. A context lies in the partition of its chain, in the same task
     * as its messages.
     */
    public static final String CHECKPOINTS = "view-checkpoints";

    /**
     * Counts of the pipeline's tasks, from the accounting topic: its keys in UTF-8. Small, and whole in every process.
     */
    public static final String ACCOUNTING = "view-accounting";

    /**
     * What the redaction topic asks for: keys {@link ViewKeys#redaction}; a value is the first such record's value in
     * the topic. Small, and whole in every process. The audit has the last word; this tells a view that is built again
     * of a redaction before its record is shown.
     */
    public static final String REDACTIONS = "view-redactions";

    /**
     * Dead letters of all stages: keys {@link ViewKeys#deadLetter} and {@link ViewKeys#deadSource}. They lie in the
     * partitions of their topics.
     */
    public static final String DEAD_LETTERS = "view-dead-letters";

    /** The stores that lie in the partitions of their topics, of which a process has a share. */
    public static final List<String> PARTITIONED = List.of(AUDIT, CHECKPOINTS, DEAD_LETTERS);

    private ViewStores() {}
}
