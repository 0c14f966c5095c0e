package dev.parley.topology.views.store;

import dev.parley.topology.topics.ChainPartitioner;
import dev.parley.topology.topics.ClosureKey;
import java.util.List;

/**
 * Names of the stores of the views, a public contract, and the kinds of keys of the views that share a store. A key
 * begins with its kind, see {@link ViewKeys#of(int)}.
 */
public final class ViewStores {

    /**
     * What the audit topic contains: conversations (kinds 1, 6 to 8, 15, 17 and 18; 0 only in cursors), their messages
     * (2 to 5), agents (14), claims (16), changed definitions and their approvals (20 and 21), and the search index (11
     * to 13 and 19). A chain is in the partition {@link ChainPartitioner#partition}.
     */
    public static final String AUDIT = "view-audit";

    /**
     * The audit log of every pipeline task, from the head and tile topics. A log is in the partition of its key, {@link
     * dev.parley.log.LogNotes#key}.
     */
    public static final String LOG = "view-log";

    /**
     * Checkpoints (kinds 1 to 4), from the checkpoint topic, and parked patches (5 and 6), from their topic. A context
     * is in the partition of its chain, in the same task as its messages.
     */
    public static final String CHECKPOINTS = "view-checkpoints";

    /**
     * Counts of the pipeline's tasks, from the accounting topic, with its keys in UTF-8. Small; every instance has all
     * of it.
     */
    public static final String ACCOUNTING = "view-accounting";

    /**
     * Redaction requests. Small; every instance has all of it. The audit decides; with this store, a rebuilt view knows
     * of a redaction before it reads the record.
     */
    public static final String REDACTIONS = "view-redactions";

    /**
     * Redrives and closed dead letters, from the redrive topic, with its keys: the input positions of failed records,
     * and {@link ClosureKey}. Every instance has all of it.
     */
    public static final String REDRIVES = "view-redrives";

    /** Dead letters of all stages, partitioned as their topics. */
    public static final String DEAD_LETTERS = "view-dead-letters";

    /**
     * Rows of the analytics topics, for a while (kind 1), and the open items (2 and 3), partitioned as their topics.
     */
    public static final String STATISTICS = "view-statistics";

    /** Stores that are partitioned as their topics, so that an instance has a share of each. */
    public static final List<String> PARTITIONED = List.of(AUDIT, LOG, CHECKPOINTS, DEAD_LETTERS, STATISTICS);

    private ViewStores() {}
}
