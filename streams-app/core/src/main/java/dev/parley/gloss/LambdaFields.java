package dev.parley.gloss;

import dev.parley.avro.LambdaTokenKind;
import dev.parley.gloss.LambdaVocabulary.Entry;
import dev.parley.gloss.LambdaVocabulary.Kind;

/**
 * Writes the brackets and tables of one Λ statement: keys, values and cells, up to a maximum depth.
 *
 * @param writer writes what a bracket or table contains
 */
record LambdaFields(LambdaVocabulary vocabulary, LambdaTokens tokens, LambdaWords words, LambdaWriter writer) {
    private static final int MAX_DEPTH = 12;

    /** Writes the content of a bracket, which was the last token. */
    void bracket(String open, int depth) {
        String close = open.equals("{") ? "}" : "]";
        if (tokens.take(close)) {
            words.word(open.equals("{") ? "" : "nothing");
            return;
        }
        boolean apposed = open.equals("{") && depth == 0;
        if (apposed && words.endsInWord()) {
            words.punctuate(tokens.isDone() ? "," : ":");
        }
        words.spaceNext();
        boolean inner = true;
        while (inner && writer.hasMore()) {
            key();
            inner = value(close, depth + 1);
        }
    }

    /** Writes the key of a field and skips its colon; nothing if there is no colon. */
    private void key() {
        StringBuilder name = new StringBuilder();
        int colon = 0;
        while (tokens.isPartOfKey(colon)) {
            name.append(tokens.text(colon));
            colon++;
        }
        if (colon == 0 || !tokens.is(colon, ":")) {
            return;
        }
        String key = name.toString();
        LambdaTokenKind value = tokens.kind(colon + 1);
        Entry entry = null;
        if (value == LambdaTokenKind.NUMBER && tokens.text(colon + 1).endsWith("%")) {
            entry = vocabulary.find(key, Kind.PERCENT);
        } else if (value == LambdaTokenKind.STRING) {
            entry = vocabulary.find(key, Kind.LABEL);
        }
        if (entry == null) {
            entry = vocabulary.find(key, Kind.KEY, Kind.THING, Kind.NOUN);
        }
        tokens.skip(colon + 1);
        words.spaceNext();
        words.wordOf(entry, key);
    }

    /** Writes a value. Returns false if it ended with the bracket, or with the statement. */
    private boolean value(String close, int depth) {
        boolean first = true;
        while (writer.hasMore()) {
            if (tokens.take(close)) {
                words.spaceNext();
                return false;
            }
            if (tokens.take(",")) {
                words.punctuate(tokens.is(0, "{") ? ";" : ",");
                return true;
            }
            boolean last = tokens.is(1, ",") || tokens.is(1, close);
            boolean isSymbol = tokens.kind(0) == LambdaTokenKind.SYMBOL;
            if (first && last && isSymbol && (tokens.is(0, "^") || tokens.is(0, "_"))) {
                words.word(tokens.is(0, "^") ? "high" : "low");
                tokens.skip();
            } else if (depth > MAX_DEPTH) {
                writer.raw();
            } else {
                if (first) {
                    words.spaceNext();
                }
                writer.token(depth);
            }
            first = false;
        }
        return false;
    }

    /** Writes a table: cells separated by commas, rows by semicolons. */
    void table(int depth) {
        words.word("table");
        words.spaceNext();
        while (writer.hasMore()) {
            if (tokens.take("||")) {
                if (!tokens.hasNext() || tokens.is(0, "}") || tokens.is(0, "]") || tokens.is(0, ",")) {
                    return;
                }
                words.punctuate(";");
            } else if (tokens.take("|")) {
                words.punctuate(",");
            } else if (depth > MAX_DEPTH) {
                writer.raw();
            } else {
                writer.token(depth + 1);
            }
        }
    }
}
