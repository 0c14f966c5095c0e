package dev.parley.gloss;

import dev.parley.avro.LambdaStatement;
import dev.parley.avro.LambdaToken;
import dev.parley.avro.LambdaTokenKind;
import dev.parley.codec.lambda.Alphabet;
import dev.parley.gloss.LambdaVocabulary.Entry;
import dev.parley.gloss.LambdaVocabulary.Kind;
import java.util.List;

/**
 * Reads the tokens of a Λ statement from left to right, and finds their words in the vocabulary. An atom that the
 * conversation defines is no word. Positions are relative to the next token, which has 0.
 */
final class LambdaTokens {
    private static final int MAX_TOKENS = 500;
    private static final int MAX_KEY_TOKENS = 8;

    private final LambdaVocabulary vocabulary;
    private final Definitions definitions;
    private final List<LambdaToken> tokens;
    private final int end;
    private int at;

    LambdaTokens(LambdaStatement statement, LambdaVocabulary vocabulary, Definitions definitions) {
        this.vocabulary = vocabulary;
        this.definitions = definitions;
        this.tokens = statement.getTokens();
        this.end = Math.min(tokens.size(), MAX_TOKENS);
    }

    boolean hasNext() {
        return at < end;
    }

    /** Whether the statement has more tokens than are read. */
    boolean isCut() {
        return end < tokens.size();
    }

    void skip() {
        at++;
    }

    void skip(int count) {
        at += count;
    }

    /** Skips the next token if it is this one. Returns whether it was. */
    boolean take(String text) {
        boolean found = is(0, text);
        at += found ? 1 : 0;
        return found;
    }

    /** Index of the next token, for {@link #returnTo}. */
    int index() {
        return at;
    }

    void returnTo(int index) {
        at = index;
    }

    /** The token at a position; null if there is none. */
    LambdaToken peek(int ahead) {
        int index = at + ahead;
        return index >= 0 && index < end ? tokens.get(index) : null;
    }

    boolean is(int ahead, String text) {
        LambdaToken token = peek(ahead);
        return token != null
                && token.getKind() != LambdaTokenKind.STRING
                && token.getText().equals(text);
    }

    String text(int ahead) {
        LambdaToken token = peek(ahead);
        return token == null ? "" : token.getText();
    }

    /** The kind of the token at a position; null if there is none. */
    LambdaTokenKind kind(int ahead) {
        LambdaToken token = peek(ahead);
        return token == null ? null : token.getKind();
    }

    boolean isDefined(LambdaToken token) {
        return definitions.valueOf(token.getText()) != null;
    }

    /** The entity at a position; null if there is none. */
    Entry entity(int ahead) {
        LambdaToken token = peek(ahead);
        if (token == null || isDefined(token)) {
            return null;
        }
        boolean canBe = token.getKind() == LambdaTokenKind.ENTITY
                || token.getText().equals("*")
                || token.getText().equals("0");
        // A1 is the name of an agent, not an entity.
        return canBe && !isName(ahead) ? vocabulary.find(token.getText(), Kind.ENTITY) : null;
    }

    /** Whether an upper-case letter begins a longer name, such as A1. */
    private boolean isName(int ahead) {
        return kind(ahead) == LambdaTokenKind.ENTITY && isNumber(ahead + 1);
    }

    /** The verb at a position; null if there is none. */
    Entry verb(int ahead) {
        LambdaToken token = peek(ahead);
        // A letter before a number is a version; before a colon, a domain.
        boolean isVerb =
                kind(ahead) == LambdaTokenKind.VERB && !isDefined(token) && !isNumber(ahead + 1) && !isDomain(ahead);
        return isVerb ? vocabulary.verb(token.getText()) : null;
    }

    /** Whether a token is a word or the start of one. */
    boolean isTerm(int ahead) {
        LambdaToken token = peek(ahead);
        return token != null
                && switch (token.getKind()) {
                    case VERB, EXTENDED, UNKNOWN -> true;
                    case ENTITY -> entity(ahead) == null;
                    case NUMBER, STRING, SYMBOL -> false;
                };
    }

    /** Whether a word is in this class, and not defined otherwise. */
    boolean isKind(LambdaToken token, Kind kind) {
        Entry entry = vocabulary.noun(token.getText());
        return entry != null && entry.kind() == kind && !isDefined(token);
    }

    /** Whether a word can modify another one, or be modified: a noun, and what is not in the vocabulary. */
    boolean isNoun(int ahead) {
        LambdaToken token = peek(ahead);
        boolean isVerb = token.getKind() == LambdaTokenKind.VERB && !isVersion(ahead) && !isDefined(token);
        return !isVerb && !isKind(token, Kind.WORD) && !isKind(token, Kind.DONE);
    }

    /** Whether a version such as v0.7 begins there. */
    boolean isVersion(int ahead) {
        return is(ahead, "v") && isNumber(ahead + 1);
    }

    /** Whether an atom of another version's domain, such as c:fn, begins there. */
    boolean isDomain(int ahead) {
        return kind(ahead) == LambdaTokenKind.VERB
                && is(ahead + 1, ":")
                && isTerm(ahead + 2)
                && !isWordOrNumber(ahead - 1);
    }

    /** Whether the next token, after '@', switches to a domain of another version, or back. */
    boolean switchesDomain() {
        return text(0).length() == 1 && Alphabet.isSwitch(text(0).charAt(0)) && !isWordOrNumber(1);
    }

    /** Whether the token at a position is a number. */
    boolean isNumber(int ahead) {
        return kind(ahead) == LambdaTokenKind.NUMBER;
    }

    Entry entryOf(LambdaToken token) {
        return token.getKind() == LambdaTokenKind.VERB ? verb(0) : vocabulary.noun(token.getText());
    }

    boolean isPartOfKey(int ahead) {
        return ahead < MAX_KEY_TOKENS && isWordOrNumber(ahead);
    }

    boolean isPartOfWord() {
        return isWordOrNumber(0) || is(0, "/") || isDomain(-1);
    }

    private boolean isWordOrNumber(int ahead) {
        LambdaTokenKind kind = kind(ahead);
        return kind != null && kind != LambdaTokenKind.STRING && kind != LambdaTokenKind.SYMBOL;
    }

    /** Whether a verb or a past event came before, so that fields are apposed to it. */
    boolean isDone() {
        for (int i = 0; i < at && i < 3; i++) {
            LambdaToken token = tokens.get(i);
            boolean verb = token.getKind() == LambdaTokenKind.VERB && vocabulary.verb(token.getText()) != null;
            if (verb || vocabulary.find(token.getText(), Kind.DONE) != null) {
                return true;
            }
        }
        return false;
    }
}
