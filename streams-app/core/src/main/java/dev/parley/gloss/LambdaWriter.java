package dev.parley.gloss;

import dev.parley.avro.LambdaStatement;
import dev.parley.avro.LambdaStatementKind;
import dev.parley.avro.LambdaToken;
import dev.parley.gloss.LambdaVocabulary.Entry;
import dev.parley.gloss.LambdaVocabulary.Kind;
import java.util.List;

/**
 * Writes Λ statements in English, from left to right: subject, verbs, objects (Λ v0.1 §2.3, v0.2 §1), and in nouns the
 * modifier before the head. For one message and one thread.
 */
final class LambdaWriter {
    private final LambdaVocabulary vocabulary;
    private final Definitions definitions;
    private final boolean handshake;
    private final LambdaWords words;

    private LambdaTokens tokens;
    private LambdaFields fields;
    private boolean offers;
    /** The words in force: none after a switch to a domain of another version. */
    private LambdaVocabulary inForce;

    LambdaWriter(LambdaVocabulary vocabulary, Definitions definitions, boolean handshake, Sentence sentence) {
        this.vocabulary = vocabulary;
        this.definitions = definitions;
        this.handshake = handshake;
        this.inForce = vocabulary;
        this.words = new LambdaWords(vocabulary, definitions, sentence);
    }

    void statement(LambdaStatement statement) {
        boolean isSwitch = statement.getKind() == LambdaStatementKind.REFERENCE
                && new LambdaTokens(statement, vocabulary, definitions).switchesDomain();
        if (isSwitch) {
            inForce = statement.getTokens().get(0).getText().equals("*") ? vocabulary : LambdaVocabulary.NONE;
        }
        tokens = new LambdaTokens(statement, inForce, definitions);
        fields = new LambdaFields(inForce, tokens, words, this);
        words.start();
        offers = false;
        switch (statement.getKind()) {
            case ASK -> {
                question();
                words.punctuate("?");
                return;
            }
            case ASSERT, UNKNOWN -> clause();
            case SUPPOSE -> {
                words.join("Perhaps ");
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
            case META -> rest("About this conversation: ");
            case REFERENCE -> {
                words.join(isSwitch ? '@' + tokens.text(0) : "See ");
                tokens.skip(isSwitch ? 1 : 0);
                rest();
            }
            case DATA -> rest("Data: ");
        }
        if (tokens.isCut()) {
            words.punctuate("…");
        }
        words.punctuate(".");
    }

    private void acknowledge(LambdaStatement statement, String text) {
        String argument = statement.getArgument();
        if (argument != null && argument.equals("ctx") && statement.getTokens().isEmpty()) {
            words.join(text.equals("Acknowledged") ? "Context accepted" : text + " on the context");
            return;
        }
        words.join(text);
        if (argument != null && !argument.isEmpty()) {
            words.join(": ");
            words.term(argument);
        }
        words.spaceNext();
        rest();
    }

    private void error(LambdaStatement statement) {
        Entry entry = vocabulary.find(statement.getErrorCode(), Kind.ERROR);
        words.join("Error: ");
        words.wordOf(entry, statement.getErrorCode());
        if (statement.getErrorDetail() != null) {
            words.unknown(statement.getErrorDetail());
        }
        if (entry != null && entry.words().size() > 1) {
            words.join("; " + entry.word(1, ""));
        }
        words.spaceNext();
        rest();
    }

    private void offer(String text) {
        offers = true;
        words.join(text);
        words.spaceNext();
        Entry subject = subject();
        Entry verb = verb();
        if (subject != null && verb != null && verb.word().equals("give")) {
            objects(verb);
        } else {
            words.punctuate(":");
            if (subject != null) {
                words.word(subject.word());
            }
            predicate(subject, verb);
        }
        rest();
    }

    private void command() {
        int start = tokens.index();
        Entry subject = subject();
        Entry verb = verb();
        if (subject == null || verb == null || !subject.word().equals("you")) {
            tokens.returnTo(start);
            clause();
            return;
        }
        words.word(verb.word());
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
            words.word(subject.word().equals("X") ? "what" : subject.word());
            about();
        } else {
            boolean isModal = verb.kind() == Kind.MODAL;
            words.word(isModal ? verb.word() : hasBaseForm(subject) ? "do" : "does");
            words.word(subject.word());
            words.word(isModal ? "" : verb.word());
            objects(verb);
        }
        rest();
    }

    /** A subject, its verbs and their objects; or, without a subject, whatever there is. */
    private void clause() {
        time();
        Entry subject = subject();
        if (subject != null) {
            words.word(subject.word());
            Entry verb = verb();
            if (verb == null) {
                about();
            }
            predicate(subject, verb);
        }
        rest();
    }

    /** Writes a verb in the form of its subject, and its objects; nothing without a verb. */
    private void predicate(Entry subject, Entry verb) {
        if (verb != null) {
            words.word(form(subject, verb));
            objects(verb);
        }
    }

    /** Writes when, if a time and a subject follow. */
    private void time() {
        LambdaToken token = tokens.peek(0);
        Entry time = token != null && tokens.entity(1) != null ? vocabulary.find(token.getText(), Kind.TIME) : null;
        if (time != null && !tokens.isDefined(token)) {
            tokens.skip();
            words.word(time.word());
            words.punctuate(",");
        }
    }

    /** Writes what a subject without a verb is about. */
    private void about() {
        if (tokens.is(0, "/") && tokens.isTerm(1)) {
            tokens.skip();
            words.word("about");
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
        Entry entity = tokens.entity(0);
        if (entity == null) {
            return null;
        }
        tokens.skip();
        if (entity.word().equals("I") && tokens.take("*")) {
            return new Entry(Kind.ENTITY, List.of("we", "us", "base"));
        }
        boolean speaker = handshake && tokens.text(-1).equals("A");
        return speaker ? new Entry(Kind.ENTITY, List.of("I", "me", "base")) : entity;
    }

    /** Reads a verb; null if there is none. */
    private Entry verb() {
        Entry verb = tokens.verb(0);
        if (verb != null) {
            tokens.skip();
        }
        return verb;
    }

    /** Writes what follows a verb: further verbs, persons, and an object after a slash. */
    private void objects(Entry first) {
        Entry verb = first;
        while (tokens.is(0, "/") && tokens.verb(1) != null) {
            tokens.skip();
            words.word(verb.kind() == Kind.MODAL ? "" : "to");
            verb = verb();
            words.word(verb.word());
        }
        Entry person = tokens.entity(0);
        if (person != null) {
            tokens.skip();
            words.word(person.word(1, person.word()));
        }
        if (tokens.is(0, "/") && tokens.peek(1) != null) {
            tokens.skip();
            Entry object = tokens.entity(0);
            boolean link = tokens.isTerm(0) || object != null && verb.kind() != Kind.MODAL;
            words.word(link ? verb.word(verb.kind() == Kind.MODAL ? 1 : 2, "") : "");
            if (object != null) {
                tokens.skip();
                words.word(object.word(1, object.word()));
            } else if (tokens.isTerm(0)) {
                nouns(true);
            }
        }
    }

    boolean hasMore() {
        return tokens.hasNext() && !words.isFull();
    }

    private void rest(String introduction) {
        words.join(introduction);
        rest();
    }

    /** Writes the remaining tokens. */
    private void rest() {
        while (hasMore()) {
            token(0);
        }
    }

    /** Writes the next token; a bracket or table with all that it contains. */
    void token(int depth) {
        LambdaToken token = tokens.peek(0);
        String text = token.getText();
        switch (token.getKind()) {
            case SYMBOL -> symbol(text, depth);
            case ENTITY -> {
                Entry entity = tokens.entity(0);
                if (entity == null) {
                    raw();
                } else {
                    tokens.skip();
                    words.word(entity.word());
                    about();
                }
            }
            case NUMBER, STRING -> {
                tokens.skip();
                words.plain(token);
            }
            case VERB, EXTENDED, UNKNOWN -> nouns(false);
        }
    }

    private void symbol(String text, int depth) {
        tokens.skip();
        switch (text) {
            case " " -> words.spaceNext();
            case "/" -> words.join("/");
            case "{", "[" -> fields.bracket(text, depth);
            case "||" -> fields.table(depth);
            case ">" -> connect("therefore");
            case "<" -> because();
            case "&" -> connect("and");
            case "|" -> connect("or");
            case "," -> words.punctuate(",");
            case ";" -> {
                words.punctuate(",");
                connect("then");
            }
            case ":" -> {
                if (tokens.is(-2, "X")) {
                    words.word("is");
                } else {
                    words.join(":");
                }
            }
            case "=" -> words.word(handshake && tokens.isNumber(0) ? "version" : "equals");
            case "'" -> words.word(tokens.verb(0) == null ? "of" : "that");
            case "^" -> words.word("(high)");
            case "_" -> words.word("(low)");
            case "+" -> words.word("(more)");
            case "-" -> words.word("(less)");
            case "~" -> words.word("perhaps");
            case "!" -> words.word("not");
            case "*" -> words.word("everyone");
            default -> {
                words.unknown(text);
                words.joinNext();
            }
        }
    }

    private void because() {
        int start = tokens.index();
        boolean wants = offers && subject() != null && tokens.verb(0) != null;
        if (wants && tokens.verb(0).word().equals("want")) {
            // The offer of one agent in exchange for what it wants (Λ v0.6 §6.3).
            words.word("and want");
            objects(verb());
            return;
        }
        tokens.returnTo(start);
        connect("because");
    }

    /** A conjunction and the clause after it. */
    private void connect(String conjunction) {
        words.word(conjunction);
        Entry subject = subject();
        if (subject != null) {
            words.word(subject.word());
            predicate(subject, verb());
        }
    }

    /**
     * Writes a word, and before it what modifies it after a slash: {@code er/pa} is a parse error. Words that are not
     * known are shown as on the wire.
     */
    private void nouns(boolean isObject) {
        LambdaToken head = tokens.peek(0);
        if (tokens.isDomain(0) || tokens.entryOf(head) == null && !tokens.isDefined(head)) {
            raw();
            return;
        }
        tokens.skip();
        if (tokens.isKind(head, Kind.DONE)) {
            words.word(vocabulary.noun(head.getText()).word());
            if (tokens.take("/")) {
                words.spaceNext();
            }
            return;
        }
        if (!tokens.is(0, "/") || !tokens.isNoun(-1) || !tokens.isTerm(1) || !tokens.isNoun(1)) {
            words.word(article(head, isObject));
            words.term(head.getText());
            return;
        }
        tokens.skip();
        LambdaToken modifier = tokens.peek(0);
        Entry error = head.getText().equals("er") ? vocabulary.find(modifier.getText(), Kind.ERROR) : null;
        boolean defined = tokens.isDefined(modifier);
        if (error != null && !defined) {
            tokens.skip();
            words.word(isObject ? "the" : "");
            words.word(error.word());
            if (!error.word().endsWith("error")) {
                words.word("error");
            }
            return;
        }
        words.word(article(head, isObject));
        if (tokens.isVersion(0)) {
            raw();
        } else {
            tokens.skip();
            words.term(modifier.getText());
        }
        words.term(head.getText());
    }

    private String article(LambdaToken head, boolean isObject) {
        return isObject && tokens.isKind(head, Kind.THING) ? "the" : "";
    }

    /** Writes tokens as on the wire, up to a space, a separator, or a bracket. */
    void raw() {
        do {
            words.unknown(tokens.peek(0).getText());
            tokens.skip();
            words.joinNext();
        } while (hasMore() && tokens.isPartOfWord());
        words.spaceNext();
    }
}
