package dev.parley.log.export;

import java.util.Iterator;

/** Successive entries of an export, not yet decoded. Any thread may decode them, independently of other batches. */
interface ExportBatch {

    /**
     * Decodes each item when it is read.
     *
     * @param verifying whether audit records are to be verified by themselves
     */
    Iterator<ExportItem> items(boolean verifying);

    /** Whether its items may need too much memory together, so that they are decoded one by one. */
    default boolean isLarge() {
        return false;
    }
}
