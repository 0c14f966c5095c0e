package dev.parley.topology.views.search;

/**
 * A term for which a search looks in the index: an attribute, a word, or all words with a beginning.
 *
 * @param visible its hash as a term that every reader may find
 * @param hidden its hash as a term of private content; that of {@code visible} for those who may not find it
 * @param isPrefix whether it stands for all words with its beginning
 */
record TermPattern(long visible, long hidden, boolean isPrefix) {

    /** Pattern for an attribute, see {@link SearchTerms#attributes}. */
    static TermPattern attribute(String attribute, boolean seesPrivate) {
        long visible = SearchKeys.hash(attribute);
        return new TermPattern(
                visible, seesPrivate ? SearchKeys.hash(SearchTerms.claimed(attribute, true)) : visible, false);
    }

    /** Pattern for a term of a {@link FoldedText}. */
    static TermPattern word(String term, boolean isPrefix, boolean seesPrivate) {
        long visible = SearchKeys.word(SearchTerms.WORD, term);
        return new TermPattern(
                visible, seesPrivate ? SearchKeys.word(SearchTerms.PRIVATE_WORD, term) : visible, isPrefix);
    }

    /** Whether it is among the terms of a document, by their hashes. */
    boolean isIn(long[] terms) {
        for (long term : terms) {
            if (isPrefix
                    ? SearchKeys.hasPrefix(term, visible) || SearchKeys.hasPrefix(term, hidden)
                    : term == visible || term == hidden) {
                return true;
            }
        }
        return false;
    }

    /** Whether a document of a granule with this filter may have it. */
    boolean mayBeIn(byte[] filter) {
        return TermFilter.mayHave(filter, visible, isPrefix) || TermFilter.mayHave(filter, hidden, isPrefix);
    }
}
