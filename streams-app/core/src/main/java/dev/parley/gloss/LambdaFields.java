package dev.parley.gloss;

import dev.parley.avro.LambdaToken;
import dev.parley.avro.LambdaTokenKind;
import dev.parley.gloss.LambdaVocabulary.Entry;
import dev.parley.gloss.LambdaVocabulary.Kind;

/** Writes the brackets and tables of one Λ statement: keys, values and cells, up to a maximum depth. */
final class LambdaFields {
    private static final int MAX_DEPTH = 12;

    private final LambdaVocabulary vocabulary;
    private final LambdaTokens tokens;
    private final LambdaWords words;
    private final LambdaWriter writer;

    /** @param writer writes what a bracket or table contains */
    LambdaFields(LambdaVocabulary vocabulary, LambdaTokens tokens, LambdaWords words, LambdaWriter writer) {
        this.vocabulary = vocabulary;
        this.tokens = tokens;
        this.words = words;
        this.writer = writer;
    }

    /** Writes the content of a bracket, which was the last token. */
    void bracket(String open, int depth) {
        String close = open.equals("{") ? "}" : "]";
        if (tokens.is(0, close)) {
            tokens.skip();
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
        LambdaToken value = tokens.peek(colon + 1);
        boolean isString = value != null && value.getKind() == LambdaTokenKind.STRING;
        boolean isPercent = value != null
                && value.getKind() == LambdaTokenKind.NUMBER
                && value.getText().endsWith("%");
        Entry entry = null;
        if (isPercent) {
            entry = vocabulary.find(key, Kind.PERCENT);
        } else if (isString) {
            entry = vocabulary.find(key, Kind.LABEL);
        }
        if (entry == null) {
            entry = vocabulary.find(key, Kind.KEY, Kind.THING, Kind.NOUN);
        }
        tokens.skip(colon + 1);
        words.spaceNext();
        if (entry == null) {
            words.unknown(key);
        } else {
            words.word(entry.word());
        }
    }

    /** Writes a value. Returns false if it ended with the bracket, or with the statement. */
    private boolean value(String close, int depth) {
        boolean first = true;
        while (writer.hasMore()) {
            String text = tokens.text(0);
            boolean symbol = tokens.peek(0).getKind() == LambdaTokenKind.SYMBOL;
            if (symbol && text.equals(close)) {
                tokens.skip();
                words.spaceNext();
                return false;
            }
            if (symbol && text.equals(",")) {
                tokens.skip();
                words.punctuate(tokens.is(0, "{") ? ";" : ",");
                return true;
            }
            boolean last = tokens.is(1, ",") || tokens.is(1, close);
            if (symbol && first && last && (text.equals("^") || text.equals("_"))) {
                tokens.skip();
                words.word(text.equals("^") ? "high" : "low");
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
            if (tokens.is(0, "||")) {
                tokens.skip();
                if (!tokens.hasNext() || tokens.is(0, "}") || tokens.is(0, "]") || tokens.is(0, ",")) {
                    return;
                }
                words.punctuate(";");
            } else if (tokens.is(0, "|")) {
                tokens.skip();
                words.punctuate(",");
            } else if (depth > MAX_DEPTH) {
                writer.raw();
            } else {
                writer.token(depth + 1);
            }
        }
    }
}
