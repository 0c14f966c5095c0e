package dev.parley.gloss;

import dev.parley.avro.LambdaToken;
import dev.parley.avro.LambdaTokenKind;
import dev.parley.gloss.LambdaVocabulary.Entry;
import java.util.HashSet;
import java.util.Set;

/**
 * Writes the words of Λ statements to a sentence: with a space before a word, and a capital at the start of each
 * statement. Of a defined atom, it adds the definition once. For one message and one thread.
 */
final class LambdaWords {
    private final LambdaVocabulary vocabulary;
    private final Definitions definitions;
    private final Sentence sentence;
    private final Set<String> expanded = new HashSet<>();

    /** Whether the next word is the first of its statement. */
    private boolean starts;
    /** Whether the next word follows without a space. */
    private boolean tight;

    LambdaWords(LambdaVocabulary vocabulary, Definitions definitions, Sentence sentence) {
        this.vocabulary = vocabulary;
        this.definitions = definitions;
        this.sentence = sentence;
    }

    boolean isFull() {
        return sentence.isFull();
    }

    /** Whether a word or a punctuation mark is the last character, not a space. */
    boolean endsInWord() {
        return sentence.last() != ' ';
    }

    void start() {
        starts = true;
        tight = true;
    }

    /** Puts a space before the next word. */
    void spaceNext() {
        tight = false;
    }

    /** Puts no space before the next word. */
    void joinNext() {
        tight = true;
    }

    /** Writes a text as it is; the next word follows without a space. */
    void join(String text) {
        sentence.add(text);
        starts = false;
        tight = true;
    }

    /** Writes a mark after a word, without a space before it. */
    void punctuate(String mark) {
        sentence.add(mark);
        tight = false;
    }

    /** Writes a word, with a capital at the start; nothing for an empty one. */
    void word(String word) {
        if (word.isEmpty()) {
            return;
        }
        space();
        sentence.add(starts ? Character.toUpperCase(word.charAt(0)) + word.substring(1) : word);
        starts = false;
        tight = false;
    }

    /** Writes an atom as on the wire. */
    void unknown(String text) {
        space();
        sentence.value(text);
        starts = false;
        tight = false;
    }

    /** Writes a number without its mark, or a string without its quotes. */
    void plain(LambdaToken token) {
        String text = token.getText();
        boolean isString = token.getKind() == LambdaTokenKind.STRING;
        boolean isMarked = isString || text.charAt(0) == '$';
        unknown(isMarked && text.length() > 1 ? text.substring(1, text.length() - (isString ? 1 : 0)) : text);
    }

    /** Writes the word of an atom, or without one the atom as on the wire. */
    void wordOf(Entry entry, String atom) {
        if (entry == null) {
            unknown(atom);
        } else {
            word(entry.word());
        }
    }

    /** Writes an atom: its definition in force, else its word, else itself. */
    void term(String atom) {
        String value = definitions.valueOf(atom);
        Entry noun = vocabulary.noun(atom);
        if (value != null) {
            defined(atom, value, noun);
            return;
        }
        wordOf(noun == null ? vocabulary.verb(atom) : noun, atom);
    }

    private void defined(String atom, String value, Entry entry) {
        if (entry != null && entry.word().equalsIgnoreCase(value)) {
            word(entry.word());
            return;
        }
        unknown(atom);
        if (expanded.add(atom)) {
            sentence.add(" (").value(value).add(")");
        }
    }

    private void space() {
        if (!tight && !starts && sentence.last() != ' ') {
            sentence.add(" ");
        }
    }
}
