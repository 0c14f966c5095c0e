package dev.parley.codec.lambda;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.avro.LambdaToken;
import dev.parley.avro.LambdaTokenKind;
import dev.parley.codec.Ascii;
import java.util.ArrayList;
import java.util.List;

/**
 * Splits a body into tokens whose concatenated texts are its canonical form. The form of a word determines its kind (Λ
 * v0.5: an upper-case letter is an entity, one lower-case letter a verb, two an extended atom), because the vocabulary
 * changes with each version; a longer word is UNKNOWN. A significant space is a SYMBOL.
 */
final class Tokenizer {

    private static final int LETTERS = 26;

    /** Interned texts of the most frequent tokens: one ASCII character, or two lower-case letters. */
    private static final String[] ASCII = new String[128];

    private static final String[] PAIRS = new String[LETTERS * LETTERS];

    /** Kinds of the characters that are one token whatever follows; null for all other bytes. */
    private static final LambdaTokenKind[] ALONE = new LambdaTokenKind[256];

    static {
        for (int c = 0; c < ASCII.length; c++) {
            ASCII[c] = String.valueOf((char) c);
            ALONE[c] = kindAlone((byte) c);
        }
        for (int pair = 0; pair < PAIRS.length; pair++) {
            PAIRS[pair] = "" + (char) ('a' + pair / LETTERS) + (char) ('a' + pair % LETTERS);
        }
    }

    private Tokenizer() {}

    static List<LambdaToken> tokens(NormalizedText text, int from, int to) {
        if (from >= to) {
            return List.of();
        }
        byte[] bytes = text.bytes();
        List<LambdaToken> tokens = new ArrayList<>(Math.min(to - from, 16));
        int at = from;
        while (at < to) {
            byte first = bytes[at];
            int end = at + 1;
            LambdaTokenKind kind = ALONE[first & 0xFF];
            if (kind == null) {
                if (Alphabet.isAtom(first)) {
                    end = wordEnd(bytes, at, to);
                    kind = kindOfWord(bytes, at, end);
                } else if (first == '"') {
                    end = Ascii.afterString(bytes, at, to);
                    kind = LambdaTokenKind.STRING;
                } else if (startsNumber(bytes, at, to)) {
                    end = numberEnd(bytes, at, to);
                    kind = LambdaTokenKind.NUMBER;
                } else {
                    end = symbolEnd(bytes, at, to);
                    kind = LambdaTokenKind.SYMBOL;
                }
            }
            tokens.add(new LambdaToken(kind, textOf(bytes, at, end, kind)));
            at = end;
        }
        return tokens;
    }

    private static LambdaTokenKind kindAlone(byte b) {
        if (Alphabet.isUpper(b)) {
            return LambdaTokenKind.ENTITY;
        }
        boolean alone = !Alphabet.isAtom(b) && !Alphabet.isDigit(b) && "\"$|<>-".indexOf(b) < 0;
        return alone ? LambdaTokenKind.SYMBOL : null;
    }

    private static String textOf(byte[] bytes, int at, int end, LambdaTokenKind kind) {
        if (end == at + 1) {
            return ASCII[bytes[at]];
        }
        if (kind == LambdaTokenKind.EXTENDED) {
            return PAIRS[(bytes[at] - 'a') * LETTERS + bytes[at + 1] - 'a'];
        }
        return new String(bytes, at, end - at, UTF_8);
    }

    private static int wordEnd(byte[] bytes, int from, int to) {
        int at = from + 1;
        while (at < to && Alphabet.isAtom(bytes[at])) {
            at++;
        }
        return at;
    }

    private static LambdaTokenKind kindOfWord(byte[] bytes, int at, int end) {
        boolean letters = Alphabet.isLower(bytes[at]) && Alphabet.isLower(bytes[end - 1]);
        return letters && end - at == 1
                ? LambdaTokenKind.VERB
                : letters && end - at == 2 ? LambdaTokenKind.EXTENDED : LambdaTokenKind.UNKNOWN;
    }

    private static boolean startsNumber(byte[] bytes, int at, int to) {
        return Alphabet.isDigit(bytes[at]) || (bytes[at] == '$' && at + 1 < to && Alphabet.isDigit(bytes[at + 1]));
    }

    /** {@code \$?\d+(\.\d+)?(%|[a-z]+)?} (docs/protocols.md L21). */
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

    private static int symbolEnd(byte[] bytes, int at, int to) {
        boolean pair =
                at + 1 < to && ((bytes[at] == '|' && bytes[at + 1] == '|') || Alphabet.floorAt(bytes, at, to) != null);
        return pair ? at + 2 : at + 1;
    }
}
