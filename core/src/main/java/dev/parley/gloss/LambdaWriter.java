package dev.parley.gloss;

import dev.parley.avro.LambdaStatement;
import dev.parley.avro.LambdaToken;
import dev.parley.avro.LambdaTokenKind;
import dev.parley.gloss.LambdaVocabulary.Entry;
import dev.parley.gloss.LambdaVocabulary.Kind;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Writes Λ statements in English, from left to right: subject, verbs, objects (Λ v0.1 §2.3, v0.2 §1), and in nouns the
 * modifier before the head. Reads at most {@link #MAX_TOKENS} tokens of a statement. For one message and one thread.
 */
final class LambdaWriter {
    private static final int MAX_TOKENS = 500;
    private static final int MAX_DEPTH = 12;
    private static final int MAX_KEY_TOKENS = 8;
    private static final Kind[] NOUNS = {Kind.THING, Kind.NOUN, Kind.WORD, Kind.DONE};
    private static final Kind[] VERBS = {Kind.MODAL, Kind.VERB};

    private final LambdaVocabulary vocabulary;
    private final Definitions definitions;
    private final boolean handshake;
    private final Sentence sentence;
    private final Set<String> expanded = new HashSet<>();

    private List<LambdaToken> tokens = List.of();
    private int at;
    private int end;
    /** Whether the next word is the first of its sentence. */
    private boolean starts;
    /** Whether the next token follows the previous one without a space, as on the wire. */
    private boolean tight;

    private boolean offers;

    LambdaWriter(LambdaVocabulary vocabulary, Definitions definitions, boolean handshake, Sentence sentence) {
        this.vocabulary = vocabulary;
        this.definitions = definitions;
        this.handshake = handshake;
        this.sentence = sentence;
    }

    void statement(LambdaStatement statement) {
        tokens = statement.getTokens();
        at = 0;
        end = Math.min(tokens.size(), MAX_TOKENS);
        starts = true;
        tight = true;
        offers = false;
        switch (statement.getKind()) {
            case ASK -> {
                question();
                sentence.add("?");
                return;
            }
            case ASSERT, UNKNOWN -> clause();
            case SUPPOSE -> {
                open("Perhaps ");
                clause();
            }
            case COMMAND -> command();
            case OFFER -> offer("I offer");
            case COUNTER -> offer("Counter-offer: I offer");
            case ACK -> acknowledge(statement, "Acknowledged");
            case ACK_URGENT -> acknowledge(statement, "Acknowledged, an urgent response follows");
            case AGREE -> acknowledge(statement, "Acknowledged, I agree");
            case DISAGREE -> acknowledge(statement, "Acknowledged, I disagree");
            case CLARIFY -> acknowledge(statement, "Acknowledged, I need clarification");
            case ERROR -> error(statement);
            case META -> {
                open("About this conversation: ");
                rest();
            }
            case REFERENCE -> {
                open("See ");
                rest();
            }
            case DATA -> {
                open("Data: ");
                rest();
            }
        }
        if (end < tokens.size()) {
            sentence.add("…");
        }
        sentence.add(".");
    }

    private void open(String words) {
        sentence.add(words);
        starts = false;
        tight = true;
    }

    private void acknowledge(LambdaStatement statement, String words) {
        String argument = statement.getArgument();
        starts = false;
        if (argument != null && argument.equals("ctx") && statement.getTokens().isEmpty()) {
            sentence.add(words.equals("Acknowledged") ? "Context accepted" : words + " on the context");
            return;
        }
        sentence.add(words);
        if (argument != null && !argument.isEmpty()) {
            sentence.add(": ");
            term(argument, NOUNS);
        }
        tight = false;
        rest();
    }

    private void error(LambdaStatement statement) {
        Entry entry = vocabulary.find(statement.getErrorCode(), Kind.ERROR);
        sentence.add("Error: ");
        if (entry == null) {
            sentence.value(statement.getErrorCode());
        } else {
            sentence.add(entry.word());
        }
        if (statement.getErrorDetail() != null) {
            sentence.add(" ");
            starts = false;
            unknown(statement.getErrorDetail());
        }
        if (entry != null && entry.words().size() > 1) {
            sentence.add("; ").add(entry.word(1, ""));
        }
        tight = false;
        rest();
    }

    private void offer(String words) {
        offers = true;
        open(words);
        tight = false;
        Entry subject = subject();
        Entry verb = verb();
        if (subject != null && verb != null && verb.word().equals("give")) {
            objects(verb);
        } else {
            sentence.add(":");
            if (subject != null) {
                word(subject.word());
            }
            if (verb != null) {
                word(form(subject, verb));
                objects(verb);
            }
        }
        rest();
    }

    private void command() {
        int start = at;
        Entry subject = subject();
        Entry verb = verb();
        if (subject == null || verb == null || !subject.word().equals("you")) {
            at = start;
            clause();
            return;
        }
        word(verb.word());
        objects(verb);
        rest();
    }

    private void question() {
        time();
        Entry subject = subject();
        if (subject == null) {
            rest();
            return;
        }
        Entry verb = verb();
        if (verb == null) {
            word(subject.word().equals("X") ? "what" : subject.word());
            about();
        } else if (verb.kind() == Kind.MODAL) {
            word(verb.word());
            word(subject.word());
            objects(verb);
        } else {
            word(hasBaseForm(subject) ? "do" : "does");
            word(subject.word());
            word(verb.word());
            objects(verb);
        }
        rest();
    }

    /** A subject, its verbs and their objects; or, without a subject, whatever there is. */
    private void clause() {
        time();
        Entry subject = subject();
        if (subject != null) {
            word(subject.word());
            Entry verb = verb();
            if (verb == null) {
                about();
            } else {
                word(form(subject, verb));
                objects(verb);
            }
        }
        rest();
    }

    /** Writes when, if a time and a subject follow. */
    private void time() {
        LambdaToken token = peek(0);
        Entry time = token != null && entity(1) != null ? vocabulary.find(token.getText(), Kind.TIME) : null;
        if (time != null && definitions.valueOf(token.getText()) == null) {
            at++;
            word(time.word());
            sentence.add(",");
        }
    }

    /** Writes what a subject without a verb is about. */
    private void about() {
        if (is(0, "/") && isTerm(1)) {
            at++;
            word("about");
            nouns(false);
        }
    }

    private static String form(Entry subject, Entry verb) {
        return verb.kind() == Kind.MODAL || hasBaseForm(subject) ? verb.word() : verb.word(1, verb.word());
    }

    /** Whether "know", not "knows", follows the subject. */
    private static boolean hasBaseForm(Entry subject) {
        return subject != null && subject.word(2, "").equals("base");
    }

    /** Reads an entity; null if there is none. The first person and everyone are "we". */
    private Entry subject() {
        Entry entity = entity(0);
        if (entity == null) {
            return null;
        }
        at++;
        if (entity.word().equals("I") && is(0, "*")) {
            at++;
            return new Entry(Kind.ENTITY, List.of("we", "us", "base"));
        }
        boolean speaker = handshake && text(-1).equals("A");
        return speaker ? new Entry(Kind.ENTITY, List.of("I", "me", "base")) : entity;
    }

    private Entry entity(int ahead) {
        LambdaToken token = peek(ahead);
        if (token == null || definitions.valueOf(token.getText()) != null) {
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
        LambdaToken token = peek(ahead);
        LambdaToken next = peek(ahead + 1);
        return token.getKind() == LambdaTokenKind.ENTITY && next != null && next.getKind() == LambdaTokenKind.NUMBER;
    }

    /** Reads a verb; null if there is none. */
    private Entry verb() {
        Entry verb = verb(0);
        if (verb != null) {
            at++;
        }
        return verb;
    }

    private Entry verb(int ahead) {
        LambdaToken token = peek(ahead);
        if (token == null || token.getKind() != LambdaTokenKind.VERB || definitions.valueOf(token.getText()) != null) {
            return null;
        }
        LambdaToken next = peek(ahead + 1);
        boolean version = next != null && next.getKind() == LambdaTokenKind.NUMBER;
        return version ? null : vocabulary.find(token.getText(), VERBS);
    }

    /** Writes what follows a verb: further verbs, persons, and an object after a slash. */
    private void objects(Entry first) {
        Entry verb = first;
        while (is(0, "/") && verb(1) != null) {
            at++;
            word(verb.kind() == Kind.MODAL ? "" : "to");
            verb = verb();
            word(verb.word());
        }
        Entry person = entity(0);
        if (person != null) {
            at++;
            word(person.word(1, person.word()));
        }
        if (is(0, "/") && at + 1 < end) {
            at++;
            Entry object = entity(0);
            boolean link = isTerm(0) || object != null && verb.kind() != Kind.MODAL;
            word(link ? verb.word(verb.kind() == Kind.MODAL ? 1 : 2, "") : "");
            if (object != null) {
                at++;
                word(object.word(1, object.word()));
            } else if (isTerm(0)) {
                nouns(true);
            }
        }
    }

    /** Writes the remaining tokens. */
    private void rest() {
        while (at < end && !sentence.isFull()) {
            token(0);
        }
    }

    private void token(int depth) {
        LambdaToken token = peek(0);
        String text = token.getText();
        switch (token.getKind()) {
            case SYMBOL -> symbol(text, depth);
            case ENTITY -> {
                Entry entity = entity(0);
                if (entity == null) {
                    raw();
                } else {
                    at++;
                    word(entity.word());
                    about();
                }
            }
            case NUMBER, STRING -> {
                at++;
                plain(token);
            }
            case VERB, EXTENDED, UNKNOWN -> nouns(false);
        }
    }

    private void symbol(String text, int depth) {
        at++;
        switch (text) {
            case " " -> tight = false;
            case "/" -> glue("/");
            case "{", "[" -> bracket(text, depth);
            case "||" -> table(depth);
            case ">" -> connect("therefore");
            case "<" -> because();
            case "&" -> connect("and");
            case "|" -> connect("or");
            case "," -> {
                sentence.add(",");
                tight = false;
            }
            case ";" -> {
                sentence.add(",");
                tight = false;
                connect("then");
            }
            case ":" -> {
                if (at > 1 && is(-2, "X")) {
                    word("is");
                } else {
                    glue(":");
                }
            }
            case "=" -> {
                LambdaToken next = peek(0);
                boolean version = handshake && next != null && next.getKind() == LambdaTokenKind.NUMBER;
                word(version ? "version" : "equals");
            }
            case "'" -> word(verb(0) == null ? "of" : "that");
            case "^" -> word("(high)");
            case "_" -> word("(low)");
            case "+" -> word("(more)");
            case "-" -> word("(less)");
            case "~" -> word("perhaps");
            case "!" -> word("not");
            case "*" -> word("everyone");
            default -> {
                unknown(text);
                tight = true;
            }
        }
    }

    private void because() {
        int start = at;
        boolean wants = offers && subject() != null && verb(0) != null;
        if (wants && verb(0).word().equals("want")) {
            // The offer of one agent in exchange for what it wants (Λ v0.6 §6.3).
            word("and want");
            objects(verb());
            return;
        }
        at = start;
        connect("because");
    }

    /** A conjunction and the clause after it. */
    private void connect(String conjunction) {
        word(conjunction);
        Entry subject = subject();
        if (subject != null) {
            word(subject.word());
            Entry verb = verb();
            if (verb != null) {
                word(form(subject, verb));
                objects(verb);
            }
        }
    }

    private void bracket(String open, int depth) {
        String close = open.equals("{") ? "}" : "]";
        if (is(0, close)) {
            at++;
            word(open.equals("{") ? "" : "nothing");
            return;
        }
        boolean apposed = open.equals("{") && depth == 0;
        if (apposed && !sentence.isEmpty() && sentence.last() != ' ') {
            sentence.add(isDone() ? "," : ":");
        }
        tight = false;
        boolean inner = true;
        while (inner && at < end && !sentence.isFull()) {
            key();
            inner = value(close, depth + 1);
        }
    }

    /** Whether a verb or a past event came before, so that fields are apposed to it. */
    private boolean isDone() {
        for (int i = 0; i < at && i < 3; i++) {
            LambdaToken token = tokens.get(i);
            boolean verb = token.getKind() == LambdaTokenKind.VERB && vocabulary.find(token.getText(), VERBS) != null;
            if (verb || vocabulary.find(token.getText(), Kind.DONE) != null) {
                return true;
            }
        }
        return false;
    }

    /** Writes the key of a field and skips its colon; nothing if there is no colon. */
    private void key() {
        StringBuilder name = new StringBuilder();
        int colon = 0;
        while (isPartOfKey(colon)) {
            name.append(text(colon));
            colon++;
        }
        if (colon == 0 || !is(colon, ":")) {
            return;
        }
        String key = name.toString();
        LambdaToken value = peek(colon + 1);
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
        at += colon + 1;
        tight = false;
        if (entry == null) {
            unknown(key);
        } else {
            word(entry.word());
        }
    }

    private boolean isPartOfKey(int ahead) {
        LambdaToken token = peek(ahead);
        return token != null
                && ahead < MAX_KEY_TOKENS
                && token.getKind() != LambdaTokenKind.STRING
                && token.getKind() != LambdaTokenKind.SYMBOL;
    }

    /** Writes a value. Returns false if it ended with the bracket, or with the statement. */
    private boolean value(String close, int depth) {
        boolean first = true;
        while (at < end && !sentence.isFull()) {
            String text = text(0);
            boolean symbol = peek(0).getKind() == LambdaTokenKind.SYMBOL;
            if (symbol && text.equals(close)) {
                at++;
                tight = false;
                return false;
            }
            if (symbol && text.equals(",")) {
                at++;
                sentence.add(is(0, "{") ? ";" : ",");
                tight = false;
                return true;
            }
            boolean last = is(1, ",") || is(1, close);
            if (symbol && first && last && (text.equals("^") || text.equals("_"))) {
                at++;
                word(text.equals("^") ? "high" : "low");
            } else if (depth > MAX_DEPTH) {
                raw();
            } else {
                tight &= !first;
                token(depth);
            }
            first = false;
        }
        return false;
    }

    /** Writes a table: cells separated by commas, rows by semicolons. */
    private void table(int depth) {
        word("table");
        tight = false;
        while (at < end && !sentence.isFull()) {
            if (is(0, "||")) {
                at++;
                if (at == end || is(0, "}") || is(0, "]") || is(0, ",")) {
                    return;
                }
                sentence.add(";");
                tight = false;
            } else if (is(0, "|")) {
                at++;
                sentence.add(",");
                tight = false;
            } else if (depth > MAX_DEPTH) {
                raw();
            } else {
                token(depth + 1);
            }
        }
    }

    /** Whether a token is a word or the start of one. */
    private boolean isTerm(int ahead) {
        LambdaToken token = peek(ahead);
        return token != null
                && switch (token.getKind()) {
                    case VERB, EXTENDED, UNKNOWN -> true;
                    case ENTITY -> entity(ahead) == null;
                    case NUMBER, STRING, SYMBOL -> false;
                };
    }

    /**
     * Writes a word, and before it what modifies it after a slash: {@code er/pa} is a parse error. Words that are not
     * known are shown as on the wire.
     */
    private void nouns(boolean isObject) {
        LambdaToken head = peek(0);
        if (entryOf(head) == null && definitions.valueOf(head.getText()) == null) {
            raw();
            return;
        }
        at++;
        if (isKind(head, Kind.DONE)) {
            word(entryOf(head).word());
            if (is(0, "/")) {
                at++;
                tight = false;
            }
            return;
        }
        if (!is(0, "/") || !isNoun(-1) || !isTerm(1) || !isNoun(1)) {
            word(article(head, isObject));
            term(head.getText(), NOUNS);
            return;
        }
        at++;
        LambdaToken modifier = peek(0);
        Entry error = head.getText().equals("er") ? vocabulary.find(modifier.getText(), Kind.ERROR) : null;
        boolean defined = definitions.valueOf(modifier.getText()) != null;
        if (error != null && !defined) {
            at++;
            word(isObject ? "the" : "");
            word(error.word());
            if (!error.word().endsWith("error")) {
                word("error");
            }
            return;
        }
        word(article(head, isObject));
        if (isVersion(0)) {
            raw();
        } else {
            at++;
            term(modifier.getText(), NOUNS);
        }
        term(head.getText(), NOUNS);
    }

    private String article(LambdaToken head, boolean isObject) {
        return isObject && isKind(head, Kind.THING) ? "the" : "";
    }

    /** Whether a word is in this class, and not defined otherwise. */
    private boolean isKind(LambdaToken token, Kind kind) {
        Entry entry = vocabulary.find(token.getText(), NOUNS);
        return entry != null && entry.kind() == kind && definitions.valueOf(token.getText()) == null;
    }

    /** Whether a word can modify another one, or be modified: a noun, and what is not in the vocabulary. */
    private boolean isNoun(int ahead) {
        LambdaToken token = peek(ahead);
        boolean isVerb = token.getKind() == LambdaTokenKind.VERB
                && !isVersion(ahead)
                && definitions.valueOf(token.getText()) == null;
        return !isVerb && !isKind(token, Kind.WORD) && !isKind(token, Kind.DONE);
    }

    /** Whether a version such as v0.7 begins there. */
    private boolean isVersion(int ahead) {
        LambdaToken number = peek(ahead + 1);
        return is(ahead, "v") && number != null && number.getKind() == LambdaTokenKind.NUMBER;
    }

    private Entry entryOf(LambdaToken token) {
        return token.getKind() == LambdaTokenKind.VERB ? verb(0) : vocabulary.find(token.getText(), NOUNS);
    }

    /** Writes an atom: its definition in force, else its word, else itself. */
    private void term(String atom, Kind... kinds) {
        String value = definitions.valueOf(atom);
        Entry entry = vocabulary.find(atom, kinds.length == 0 ? NOUNS : kinds);
        if (value != null) {
            defined(atom, value, entry);
        } else if (entry != null) {
            word(entry.word());
        } else {
            Entry verb = vocabulary.find(atom, VERBS);
            if (verb == null || kinds.length == 0) {
                unknown(atom);
            } else {
                word(verb.word());
            }
        }
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

    /** Writes tokens as on the wire, up to a space, a separator, or a bracket. */
    private void raw() {
        do {
            unknown(peek(0).getText());
            at++;
            tight = true;
        } while (at < end && !sentence.isFull() && isPartOfWord());
        tight = false;
    }

    private boolean isPartOfWord() {
        LambdaToken token = peek(0);
        return switch (token.getKind()) {
            case ENTITY, VERB, EXTENDED, UNKNOWN, NUMBER -> true;
            case SYMBOL -> token.getText().equals("/");
            case STRING -> false;
        };
    }

    /** Writes a number without its mark, or a string without its quotes. */
    private void plain(LambdaToken token) {
        String text = token.getText();
        space();
        if (token.getKind() == LambdaTokenKind.STRING && text.length() > 1) {
            sentence.value(text.substring(1, text.length() - 1));
        } else {
            sentence.value(text.charAt(0) == '$' && text.length() > 1 ? text.substring(1) : text);
        }
        starts = false;
        tight = false;
    }

    private void unknown(String text) {
        space();
        sentence.value(text);
        starts = false;
        tight = false;
    }

    private void glue(String text) {
        sentence.add(text);
        starts = false;
        tight = true;
    }

    /** Writes a word of this class or of the vocabulary, with a capital at the start; nothing for an empty one. */
    private void word(String word) {
        if (word.isEmpty()) {
            return;
        }
        space();
        sentence.add(starts ? Character.toUpperCase(word.charAt(0)) + word.substring(1) : word);
        starts = false;
        tight = false;
    }

    private void space() {
        if (!tight && !starts && sentence.last() != ' ') {
            sentence.add(" ");
        }
    }

    private boolean is(int ahead, String text) {
        LambdaToken token = peek(ahead);
        return token != null
                && token.getKind() != LambdaTokenKind.STRING
                && token.getText().equals(text);
    }

    private String text(int ahead) {
        LambdaToken token = peek(ahead);
        return token == null ? "" : token.getText();
    }

    private LambdaToken peek(int ahead) {
        int index = at + ahead;
        return index >= 0 && index < end ? tokens.get(index) : null;
    }
}
