package dev.parley.log.export;

import java.util.Iterator;
import java.util.List;

/** Successive entries of an export, not yet decoded. Any thread may decode them, independently of other batches. */
public interface ExportBatch {

    /**
     * Starts decoding.
     *
     * @param decoder the decoder of the calling thread; belongs to the items until they are read
     * @throws TooLargeException if the entries are larger than the decoder accepts
     */
    Items open(EntryDecoder decoder) throws TooLargeException;

    /** The items of a batch in order. */
    interface Items {
        /** Decodes the next item; null after the last. */
        ExportItem next();

        static Items of(List<ExportItem> items) {
            Iterator<ExportItem> rest = items.iterator();
            return () -> rest.hasNext() ? rest.next() : null;
        }
    }

    /** A batch that is larger than a decoder accepts. */
    final class TooLargeException extends Exception {
        private static final long serialVersionUID = 1L;

        TooLargeException(long maxBytes) {
            super("they have more than " + maxBytes + " bytes, a quarter of the heap. Raise it with PARLEY_OPTS=-Xmx");
        }
    }
}
