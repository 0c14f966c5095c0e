package dev.parley.topology.views.store;

import dev.parley.topology.topics.ChainPartitioner;
import dev.parley.topology.views.ViewsTopology;
import dev.parley.topology.views.search.SearchKeys;
import java.util.List;

/** Names of the stores of {@link ViewsTopology}, a public contract. */
public final class ViewStores {

    /**
     * Conversations and their messages, from the audit topic: keys {@link ViewKeys#conversation}, {@link
     * ViewKeys#message}, {@link ViewKeys#source}, {@link ViewKeys#chainStart} and {@link ViewKeys#redacted}, and the
     * indexes of the conversations, {@link ViewKeys#byProtocol}, {@link ViewKeys#byVerdict}, {@link ViewKeys#byCode},
     * {@link ViewKeys#byAgent} and {@link ViewKeys#latest}, with their {@link ViewKeys#total}; the conversations that
     * undecodable records claim, {@link ViewKeys#claim}; and the search index, {@link SearchKeys}. A
     * chain is in the partition {@link ChainPartitioner#partition}.
     */
    public static final String AUDIT = "view-audit";

    /**
     * The audit log of every pipeline task, from the head and tile topics: keys {@link ViewKeys#logHead} and {@link
     * ViewKeys#logTile}. A log is in the partition of its key, {@link dev.parley.audit.LogNotes#key}.
     */
    public static final String LOG = "view-log";

    /**
     * Checkpoints, from the checkpoint topic: keys {@link ViewKeys#checkpoint}, {@link ViewKeys#ordinal}, {@link
     * ViewKeys#child} and {@link ViewKeys#head}; and parked patches, from their topic: keys {@link ViewKeys#parked} and
     * {@link ViewKeys#parkedSince}. A context is in the partition of its chain, in the same task as its
     * messages.
     */
    public static final String CHECKPOINTS = "view-checkpoints";

    /**
     * Counts of the pipeline's tasks, from the accounting topic, with its keys in UTF-8. Small; every instance has all
     * of it.
     */
    public static final String ACCOUNTING = "view-accounting";

    /**
     * Redaction requests: keys {@link ViewKeys#redaction}. Small; every instance has all of it. The audit decides; with
     * this store, a rebuilt view knows of a redaction before it reads the record.
     */
    public static final String REDACTIONS = "view-redactions";

    /**
     * Redrives, from the redrive topic, with its keys: the input positions of failed records. Every instance has all of
     * it.
     */
    public static final String REDRIVES = "view-redrives";

    /**
     * Dead letters of all stages: keys {@link ViewKeys#deadLetter}, {@link ViewKeys#deadLetterTime} and {@link
     * ViewKeys#deadLetterSource}. They are partitioned as their topics.
     */
    public static final String DEAD_LETTERS = "view-dead-letters";

    /**
     * Rows of the analytics topics, for a while: keys {@link ViewKeys#statistic}; and the open items: keys {@link
     * ViewKeys#openItem} and {@link ViewKeys#openItemSince}. They are partitioned as their topics.
     */
    public static final String STATISTICS = "view-statistics";

    /** Stores that are partitioned as their topics, so that an instance has a share of each. */
    public static final List<String> PARTITIONED = List.of(AUDIT, LOG, CHECKPOINTS, DEAD_LETTERS, STATISTICS);

    private ViewStores() {}
}
