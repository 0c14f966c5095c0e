package dev.parley.topology.views.search;

import java.util.Arrays;

/** Hashes of terms, for tests of other packages. */
public final class SearchHashes {
    private SearchHashes() {}

    /** The hash of a word that every reader may find. */
    public static long word(String word) {
        return SearchKeys.word(SearchTerms.WORD, word);
    }

    /** Whether a document has a term, by its hash. */
    public static boolean has(byte[] document, long term) {
        return Arrays.stream(SearchDocument.terms(document)).anyMatch(own -> own == term);
    }
}
