package dev.parley.codec.lambda;

import dev.parley.avro.LambdaToken;
import dev.parley.avro.LambdaTokenKind;
import java.util.ArrayList;
import java.util.List;

/**
 * Cuts a body into tokens whose texts, put together, are its canonical form. The kind of a word is told by its form (Λ v0.5: an upper-case letter
 * is an entity, one lower-case letter a verb, two an extended atom), for the vocabulary changes with each version; anything longer is UNKNOWN. A
 * blank that means something is a SYMBOL.
 */
final class Tokenizer {

    private static final String[] ASCII = new String[128];

    static {
        for (int c = 0; c < ASCII.length; c++) {
            ASCII[c] = String.valueOf((char) c);
        }
    }

    private Tokenizer() {}

    static List<LambdaToken> tokens(Text text, int from, int to) {
        if (from >= to) {
            return List.of();
        }
        List<LambdaToken> tokens = new ArrayList<>(Math.min(to - from, 16));
        int at = from;
        while (at < to) {
            int end = end(text, at, to);
            tokens.add(new LambdaToken(kind(text, at, end), textOf(text, at, end)));
            at = end;
        }
        return tokens;
    }

    private static String textOf(Text text, int at, int end) {
        return end == at + 1 && text.at(at) >= 0 ? ASCII[text.at(at)] : text.slice(at, end);
    }

    private static int end(Text text, int at, int to) {
        byte[] bytes = text.bytes();
        byte first = bytes[at];
        if (first == '"') {
            return Alphabet.stringEnd(bytes, at, to);
        }
        if (startsNumber(bytes, at, to)) {
            return numberEnd(bytes, at, to);
        }
        if (first < 0 || Alphabet.isLower(first) || first == '_') {
            return wordEnd(bytes, at, to);
        }
        boolean pair =
                at + 1 < to && ((first == '|' && bytes[at + 1] == '|') || Alphabet.floorAt(bytes, at, to) != null);
        return pair ? at + 2 : at + 1;
    }

    private static boolean startsNumber(byte[] bytes, int at, int to) {
        return Alphabet.isDigit(bytes[at]) || (bytes[at] == '$' && at + 1 < to && Alphabet.isDigit(bytes[at + 1]));
    }

    /** {@code \$?\d+(\.\d+)?(%|[a-z]+)?} (PROTOCOLS L21). */
    private static int numberEnd(byte[] bytes, int from, int to) {
        int at = Alphabet.digitsEnd(bytes, from + 1, to);
        if (at + 1 < to && bytes[at] == '.' && Alphabet.isDigit(bytes[at + 1])) {
            at = Alphabet.digitsEnd(bytes, at + 1, to);
        }
        if (at < to && bytes[at] == '%') {
            return at + 1;
        }
        while (at < to && Alphabet.isLower(bytes[at])) {
            at++;
        }
        return at;
    }

    private static int wordEnd(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to && (bytes[at] < 0 || Alphabet.isLower(bytes[at]) || bytes[at] == '_')) {
            at++;
        }
        return at;
    }

    private static LambdaTokenKind kind(Text text, int at, int end) {
        byte first = text.at(at);
        if (first == '"') {
            return LambdaTokenKind.STRING;
        }
        if (Alphabet.isUpper(first)) {
            return LambdaTokenKind.ENTITY;
        }
        if (startsNumber(text.bytes(), at, end)) {
            return LambdaTokenKind.NUMBER;
        }
        if (!Alphabet.isWord(first)) {
            return LambdaTokenKind.SYMBOL;
        }
        boolean letters = Alphabet.isLower(first) && Alphabet.isLower(text.at(end - 1));
        return letters && end - at == 1
                ? LambdaTokenKind.VERB
                : letters && end - at == 2 ? LambdaTokenKind.EXTENDED : LambdaTokenKind.UNKNOWN;
    }
}
