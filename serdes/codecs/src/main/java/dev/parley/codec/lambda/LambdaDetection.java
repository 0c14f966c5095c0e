package dev.parley.codec.lambda;

import dev.parley.codec.Ascii;

/**
 * Decides whether a text has the structure and the vocabulary of Λ, and does not merely start with its punctuation.
 * Bodies are compact: entities in upper case, verbs and atoms of one or two letters, and longer words only between
 * symbols. A long word between spaces, a JSON key, a tag or the punctuation of prose and code is evidence against Λ.
 * Reads each byte a few times.
 */
public final class LambdaDetection {
    /** The detail of a trust prefix in another form: the message would not be masked. */
    public static final String TRUST = "A trust prefix must be pub:, prv: or sig:, in lower case.";

    /** The detail of agents in another form: the message would have no recipient. */
    public static final String AGENT = "Agents must be written @A1: or @A1,A2: or A1>A2:, with upper-case letters.";

    /** The lower-case letters that a word of a body may have in a row, unless it is an abbreviation of consonants. */
    private static final int MAX_ATOM = 2;

    private static final int MAX_ABBREVIATION = 3;

    /** English words of two letters. No text of Λ consists of them alone. */
    private static final String ENGLISH = "am an as at be by do go he if in is it me my no of on or so to up us we ";

    /** What separates a remark from the message before it, with white space around it. */
    private static final String SEPARATORS = "-=>/*#;|";

    /** The marks that end a clause of prose. */
    private static final String CLAUSE_ENDS = ".,:;!?";

    /** The bytes that are evidence of nothing, wherever they are in a body. */
    private static final boolean[] NEUTRAL = new boolean[256];

    static {
        for (char c = 0; c < 0x80; c++) {
            NEUTRAL[c] = " \n\r\t\"{}[]@()`;\\<#,.-:|*&".indexOf(c) < 0;
        }
    }

    private final byte[] wire;
    private final int end;
    private boolean headed;
    private boolean handshake;
    private boolean reference;
    private boolean table;
    /** Index after the prefix. */
    private int body;
    /** Whether braces are those of Λ; null until a colon asks. */
    private Boolean ownBraces;

    private LambdaDetection(byte[] wire, int end) {
        this.wire = wire;
        this.end = end;
    }

    /** Whether the bytes from an index on have a header, whatever follows it, or are probably a message. */
    static boolean detects(byte[] wire, int from) {
        int end = Ascii.trimEnd(wire, from, wire.length);
        return from < end && new LambdaDetection(wire, end).matches(from, true);
    }

    /** Whether the bytes from an index on are probably a message. */
    public static boolean isMessage(byte[] wire, int from) {
        int end = Ascii.trimEnd(wire, from, wire.length);
        return from < end && new LambdaDetection(wire, end).matches(from, false);
    }

    private boolean matches(int from, boolean byHeader) {
        int at = afterPrefix(from);
        if (byHeader && headed) {
            return true;
        }
        // An encrypted payload may have any form, and no other text starts like this.
        if (at < 0 || at == end || Ascii.startsWith(wire, at, "{enc:")) {
            return at >= 0;
        }
        table = wire[at] == '|';
        return (opens(at) || headed && wire[at] == '[')
                && !("?!.~#@".indexOf(wire[end - 1]) >= 0 && wire[end - 2] != '<')
                && foreignAt(at) == end
                && !isEnglish(at + 1);
    }

    /**
     * Index after the text before a translation or another remark on its line, such as {@code ?Uc/la (Can you?)},
     * {@code !Ik/la // I know}, or a full stop. Between them are only white space and a separator.
     *
     * @param from index of the first byte of what is perhaps a message
     * @param to index after the last byte of the line
     * @return {@code from} if no remark is separate
     */
    public static int remarkStart(byte[] wire, int from, int to) {
        LambdaDetection line = new LambdaDetection(wire, Ascii.trimEnd(wire, from, to));
        int body = line.afterPrefix(from);
        return body < 0 || body == line.end ? from : line.remarkAfter(body, from);
    }

    private int remarkAfter(int body, int none) {
        int foreign = foreignAt(body);
        if (foreign == end) {
            int message = withoutClauseEnd(body, end);
            return message < end ? message : none;
        }
        // A remark starts at the white space before it, or at the mark after the message.
        for (int at = Ascii.isSpace(byteAt(foreign + 1)) ? foreign + 1 : foreign; at > body; at--) {
            if (Ascii.isSpace(wire[at])) {
                int before = Ascii.trimEnd(wire, body, at);
                int remark = withoutClauseEnd(body, before);
                if (remark < before || separates(at + 1)) {
                    return isRemark(at + 1) || opens(at + 1) ? remark : none;
                }
                // Of a run of white space, only the last byte can precede a remark.
                at = before;
            } else if ("/{}[]".indexOf(wire[at]) >= 0 && !Ascii.isSpace(wire[at - 1])) {
                return none;
            }
        }
        return none;
    }

    /** Whether a parenthesis or comment is here, or the rest of the line has no symbol that joins words. */
    private boolean isRemark(int at) {
        return "(/#".indexOf(byteAt(at)) >= 0 || Ascii.skip(wire, at, end, b -> "/{[".indexOf(b) < 0) == end;
    }

    private int withoutClauseEnd(int from, int to) {
        int at = to;
        // "<?" and "<!" are acknowledgments.
        while (at > from + 1 && CLAUSE_ENDS.indexOf(wire[at - 1]) >= 0 && wire[at - 2] != '<') {
            at--;
        }
        return at;
    }

    /** Whether a parenthesis, a character beyond ASCII, or a separator and white space is here. */
    private boolean separates(int at) {
        byte first = byteAt(at);
        int after = Ascii.skip(wire, at, end, b -> SEPARATORS.indexOf(b) >= 0);
        return first == '(' || first < 0 || after > at && (after - at > 1 || Ascii.isSpace(byteAt(after)));
    }

    /** Index after label, header, address or relay, trust prefix and floor mark; -1 if one of them is incomplete. */
    public static int prefixEnd(byte[] wire, int from) {
        return new LambdaDetection(wire, Ascii.trimEnd(wire, from, wire.length)).afterPrefix(from);
    }

    /** Index after label, header, address or relay, trust prefix and floor mark; -1 if one of them is incomplete. */
    private int afterPrefix(int from) {
        int at = from;
        boolean more = true;
        boolean complete = false;
        while (more && at < end) {
            int next = afterPart(at, at == from);
            more = next > at;
            if (more) {
                complete = handshake || Alphabet.isHeader(wire, at, end) || Alphabet.floorAt(wire, at, end) != null;
                at = Ascii.skipSpaces(wire, next, end);
            }
        }
        return at < end || complete ? at : -1;
    }

    private int afterPart(int at, boolean first) {
        byte b = wire[at];
        return switch (b) {
            case '@' -> Alphabet.isHeader(wire, at, end) ? afterHeader(at) : afterAgents(at + 1, ',');
            case '>', '<', '-' -> afterFloor(at);
            case 'p', 's' -> Alphabet.isTrust(wire, at) ? at + 4 : -1;
            default -> Alphabet.isUpper(b) || b == '*' ? afterSender(at, first) : -1;
        };
    }

    /** Index after a header with its marks; the same index without one. */
    public static int headerEnd(byte[] wire, int from) {
        return Alphabet.isHeader(wire, from, wire.length)
                ? new LambdaDetection(wire, wire.length).afterHeader(from)
                : from;
    }

    /** Index after a header with its message ID and its mark of a handshake. */
    private int afterHeader(int from) {
        headed = true;
        int at = Alphabet.versionEnd(wire, from + 2, end);
        int next = afterMark(at);
        while (next > at) {
            at = next;
            next = afterMark(at);
        }
        return at;
    }

    private int afterMark(int at) {
        if (Ascii.startsWith(wire, at, "#id:")) {
            return Alphabet.idEnd(wire, at + 4, end);
        }
        if (byteAt(at) != '#' || byteAt(at + 1) != 'h' || Alphabet.isWord(byteAt(at + 2))) {
            return at;
        }
        handshake = true;
        return byteAt(at + 2) == '<' ? at + 3 : at + 2;
    }

    /** Index after a transcript's label or a relay. */
    private int afterSender(int at, boolean first) {
        int colon = Alphabet.agentEnd(wire, at, end);
        boolean label = byteAt(colon) == ':';
        return !label ? afterAgents(at, '>') : first && isLabel(at, colon) ? colon + 1 : -1;
    }

    private int afterFloor(int at) {
        int next = at + Alphabet.FLOOR_LENGTH;
        boolean floor = Alphabet.floorAt(wire, at, end) != null;
        return floor && (next == end || wire[next] != wire[at]) ? next : -1;
    }

    /** A transcript's label "A: ". A word of a natural language on a line of its own, such as "Sure:", is none. */
    private boolean isLabel(int at, int colon) {
        return Ascii.isSpace(byteAt(colon + 1)) && wire[colon - 1] != '*' && !(endsLine(colon + 1) && isProse(at));
    }

    private boolean endsLine(int from) {
        return byteAt(Ascii.skip(wire, from, end, b -> b != '\n' && Ascii.isSpace(b))) == '\n';
    }

    /** Index after the colon after agents with separators between them; -1 without it. */
    private int afterAgents(int from, char separator) {
        int colon = Alphabet.agentsColon(wire, from, separator, end);
        return colon < 0 ? -1 : colon + 1;
    }

    /** Whether a statement, a structure or a table may start here. */
    private boolean opens(int at) {
        return switch (wire[at]) {
            case '{' -> isBrace(at);
            case '[' -> isList(at);
            case '|' -> isTable(at);
            case '<' -> isAcknowledgement(at);
            case '?' -> isBody(at + 1, true) && !isQuery(at + 1);
            case '!', '~', '>' -> isBody(at + 1, true);
            case '.' -> isBody(at + 1, false) && !isRule(at + 1);
            case '#' -> isMeta(at + 1);
            case '@' -> isReference(at + 1);
            default -> false;
        };
    }

    /** A brace with a key that needs no quotes. */
    private boolean isBrace(int at) {
        int key = Ascii.skipSpaces(wire, at + 1, end);
        int word = Ascii.skip(wire, key, end, b -> Ascii.isAlphanumeric(b) || b == '_');
        return word > key && byteAt(Ascii.skipSpaces(wire, word, end)) == ':' && !isPayloadOfBits(word);
    }

    /** Whether a key "payload" with bits follows a brace: a SUBIT packet without quotes around its keys. */
    private boolean isPayloadOfBits(int from) {
        for (int at = from; at + 9 < end && wire[at] != '}'; at++) {
            if (Ascii.startsWith(wire, at, "payload:\"") && (wire[at + 9] == '0' || wire[at + 9] == '1')) {
                return true;
            }
        }
        return false;
    }

    /** A list of several elements, the first of which is a word or a structure. */
    private boolean isList(int at) {
        byte first = byteAt(at + 1);
        if (first == '{') {
            return isBrace(at + 1);
        }
        if (first == '[' ? !Alphabet.isLetter(byteAt(at + 2)) : !Alphabet.isLetter(first) || isLiteral(at + 1)) {
            return false;
        }
        int to = Ascii.skip(wire, at + 2, end, b -> b != ']' && b != ',');
        return byteAt(to) == ',';
    }

    /** A word of JSON. */
    private boolean isLiteral(int at) {
        return Ascii.startsWith(wire, at, "true")
                || Ascii.startsWith(wire, at, "false")
                || Ascii.startsWith(wire, at, "null");
    }

    /** A table of at least two rows. */
    private boolean isTable(int at) {
        int bars = 0;
        for (int i = at; i < end - 1; i++) {
            if (wire[i] == '|' && wire[i + 1] == '|') {
                bars++;
                i++;
            }
        }
        return byteAt(at + 1) == '|' && bars > 2;
    }

    /** An acknowledgment, with a type and an argument that may be missing; not a tag. */
    private boolean isAcknowledgement(int at) {
        if (wire[end - 1] == '>') {
            return false;
        }
        int from = at + 1;
        if (byteAt(from) == '-' && byteAt(from + 1) == '>') {
            return isBody(from + 2, true);
        }
        if ("+-?!".indexOf(byteAt(from)) >= 0) {
            from++;
        }
        int to = Alphabet.lettersEnd(wire, from, end);
        byte next = byteAt(to);
        return to == end || "/[{".indexOf(next) >= 0 || Ascii.isSpace(next) && isVocabulary(from, to);
    }

    /** A name of one letter, or a key with a value. */
    private boolean isMeta(int at) {
        return Alphabet.isLetter(byteAt(at)) && (!Alphabet.isWord(byteAt(at + 1)) || Ascii.startsWith(wire, at, "id:"));
    }

    /** A short name, perhaps with a number, but not a version such as v1; or the switch of domains {@code @* }. */
    private boolean isReference(int at) {
        if (byteAt(at) == '*') {
            return Ascii.isSpace(byteAt(at + 1));
        }
        int letters = Alphabet.lettersEnd(wire, at, end);
        int to = Alphabet.digitsEnd(wire, letters, end);
        boolean version = byteAt(at) == 'v' && to > letters;
        return letters > at
                && letters - at <= MAX_ATOM
                && !version
                && (to == end || Ascii.isSpace(wire[to]) || "/[{".indexOf(wire[to]) >= 0);
    }

    /** Whether a body starts here: with words of the vocabulary, or a symbol that is not the next type. */
    private boolean isBody(int at, boolean structured) {
        byte first = byteAt(at);
        int to = Alphabet.lettersEnd(wire, at, end);
        return to > at
                ? isVocabulary(at, to)
                : first == '*' || first == '$' || structured && (first == '{' || first == '"');
    }

    /** Whether a name in lower case with a value, and another one after an ampersand, are here: a query of a URL. */
    private boolean isQuery(int at) {
        int to = lettersEnd(at);
        if (!Alphabet.isLower(byteAt(at)) || byteAt(to) != '=') {
            return false;
        }
        to = Ascii.skip(wire, to, end, b -> b != '&' && !Ascii.isSpace(b));
        return byteAt(to) == '&' && byteAt(lettersEnd(to + 1)) == '=';
    }

    /** Whether a name in lower case, and a brace with a longer word before a colon, are here: a rule of CSS. */
    private boolean isRule(int at) {
        int brace = lettersEnd(at);
        int key = Ascii.skipSpaces(wire, brace + 1, end);
        int to = lettersEnd(key);
        return Alphabet.isLower(byteAt(at)) && byteAt(brace) == '{' && byteAt(to) == ':' && !isVocabulary(key, to);
    }

    /** Whether the text has several words, all of which are English, such as "Is it". */
    private boolean isEnglish(int from) {
        int words = 0;
        int at = from;
        while (at < end) {
            int to = lettersEnd(at);
            boolean isWord = to == end || Ascii.isSpace(wire[to]);
            boolean isPronoun = to - at == 1 && wire[at] == 'I';
            if (!isWord || !isPronoun && !isEnglishPair(at, to)) {
                return false;
            }
            words++;
            at = Ascii.skipSpaces(wire, to, end);
        }
        return words > 1;
    }

    private boolean isEnglishPair(int at, int to) {
        return to - at == 2 && ENGLISH.contains("" + (char) (wire[at] | 0x20) + (char) wire[at + 1] + ' ');
    }

    /** Whether letters are entities, verbs and atoms: never many of one case in a row. */
    private boolean isVocabulary(int from, int to) {
        int lower = 0;
        int upper = 0;
        for (int at = from; at < to; at++) {
            boolean isLower = Alphabet.isLower(wire[at]);
            lower = isLower ? lower + 1 : 0;
            upper = isLower ? 0 : upper + 1;
            if (upper > MAX_ATOM || lower > MAX_ATOM && (lower > MAX_ABBREVIATION || hasVowel(at - MAX_ATOM, at))) {
                return false;
            }
        }
        return true;
    }

    private boolean hasVowel(int first, int last) {
        return Ascii.skip(wire, first, last + 1, b -> "aeiouy".indexOf(b) < 0) <= last;
    }

    /** Index of the first evidence of prose, JSON, markup or code; the end without any. */
    private int foreignAt(int from) {
        body = from;
        int depth = 0;
        int at = skipNeutral(from);
        while (at < end) {
            byte b = wire[at];
            int next = at + 1;
            if (Ascii.isSpace(b)) {
                if (isProse(next) && !(depth > 0 && isAlone(next)) || isArgument(next)) {
                    return at;
                }
            } else if (b == '"') {
                next = Ascii.afterString(wire, at, end);
            } else if (b == '{' || b == '[') {
                if (b == '{' && isQuote(Ascii.skipSpaces(wire, next, end)) || b == '[' && byteAt(next) == '/') {
                    return at;
                }
                depth++;
            } else if (b == '}' || b == ']') {
                depth--;
            } else if (b == '@') {
                reference = true;
            } else if (isForeign(at, depth)) {
                return at;
            }
            at = skipNeutral(next);
        }
        return end;
    }

    private int skipNeutral(int from) {
        int at = from;
        while (at < end && NEUTRAL[wire[at] & 0xFF]) {
            at++;
        }
        return at;
    }

    private boolean isQuote(int at) {
        byte b = byteAt(at);
        return b == '"' || b == '\'' || b == '{' || b == '%';
    }

    private int lettersEnd(int from) {
        return Ascii.skip(wire, from, end, b -> Alphabet.isLetter(b) || b == '\'');
    }

    /** Whether a word of a natural language starts here. */
    private boolean isProse(int from) {
        int to = lettersEnd(from);
        if (to - from < MAX_ABBREVIATION) {
            return false;
        }
        int after = Ascii.skip(wire, to, end, b -> CLAUSE_ENDS.indexOf(b) >= 0);
        return (after == end || Ascii.isSpace(wire[after])) && !isVocabulary(from, to);
    }

    /** Whether a word in braces is a whole key or value, with white space around it. */
    private boolean isAlone(int from) {
        byte after = byteAt(Ascii.skipSpaces(wire, lettersEnd(from), end));
        return after == ':' || after == '=' || after == ',' || after == '}';
    }

    /** Whether a symbol has a place only in prose, JSON, markup or code. */
    private boolean isForeign(int at, int depth) {
        byte b = wire[at];
        return switch (b) {
            case '(', ')', '`', ';', '\\' -> true;
            // In a body, '<' is "because"; at the end of a line, '>' has nothing to the right.
            case '<' -> byteAt(at + 1) == '/' || byteAt(at + 1) == '|' || Ascii.isLastTag(wire, at, end);
            case '*', '&' -> byteAt(at + 1) == b;
            case '#' -> Ascii.isSpace(byteAt(at + 1));
            case ',' -> depth == 0 && reference;
            case '.' -> depth == 0 && Alphabet.isLetter(byteAt(at - 1)) && lettersEnd(at + 1) - at > MAX_ABBREVIATION;
            case '-' -> byteAt(at + 1) == '-' && byteAt(at + 2) == '-';
            case ':' ->
                Ascii.isSpace(byteAt(at + 1))
                        && (depth > 0 ? !Ascii.isSpace(byteAt(at - 1)) && !isOwnBrace() : !isPrefixBefore(at));
            case '|' -> !table && isForeignBar(at);
            default -> b < 0;
        };
    }

    /** Whether an option or a path of a command, or a comment of code, starts here. */
    private boolean isArgument(int at) {
        byte mark = byteAt(at);
        int name = mark == '-' && byteAt(at + 1) == '-' ? at + 2 : at + 1;
        return (mark == '-' || mark == '/') && Alphabet.isLetter(byteAt(name))
                || mark == '/' && (byteAt(name) == '/' || byteAt(name) == '*');
    }

    /**
     * Whether no other language has braces like these: they follow a type other than those of CSS, or a statement with
     * a slash follows the last one.
     */
    private boolean isOwnBrace() {
        if (ownBraces == null) {
            int at = Ascii.skipSpaces(wire, Ascii.skipBack(wire, 0, end, b -> b != '}'), end);
            ownBraces = "!?~>".indexOf(wire[body]) >= 0 && Alphabet.isLetter(byteAt(body + 1))
                    || wire[body] == '.' && Alphabet.isUpper(byteAt(body + 1))
                    || at < end
                            && Alphabet.isType(wire[at])
                            && opens(at)
                            && Ascii.skip(wire, at, end, b -> b != '/') < end;
        }
        return ownBraces;
    }

    /** Whether an agent or a trust prefix precedes a colon. */
    private boolean isPrefixBefore(int colon) {
        int at = Ascii.skipBack(wire, 0, colon, b -> Ascii.isAlphanumeric(b) || b == '*');
        return at < colon && (Alphabet.isUpper(wire[at]) || wire[at] == '*' || Alphabet.isTrust(wire, at));
    }

    /** A single bar is "or" between words, or separates cells; bars separate the fields of nSLIP. */
    private boolean isForeignBar(int at) {
        boolean doubled = byteAt(at + 1) == '|' || byteAt(at - 1) == '|';
        return !doubled
                && (reference || !Ascii.isAlphanumeric(byteAt(at + 1)) || !Ascii.isAlphanumeric(byteAt(at - 1)));
    }

    private byte byteAt(int at) {
        return at >= 0 && at < end ? wire[at] : 0;
    }
}
