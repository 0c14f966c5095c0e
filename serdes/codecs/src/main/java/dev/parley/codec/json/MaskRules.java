package dev.parley.codec.json;

import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.parley.codec.Code;
import dev.parley.codec.Limits;
import dev.parley.codec.Utf8;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Rules that replace values of JSON messages by markers (docs/security.md). Masking takes linear time in the bytes, for
 * any bytes and patterns. Immutable; for any number of threads.
 *
 * <p>{@code key:NAME} masks the values of members with this name at any depth. Only letters and digits count, in any
 * case and width, so {@code apiKey} and {@code API_KEY} are one name. {@code path:$.a.*['b.c'][*]} masks the values at
 * a path; {@code $} is the message, or each message of a batch. {@code pattern:REGEX} masks what the regular expression
 * (RE2) matches in strings, numbers and names. {@code default} is {@link #DEFAULT}. {@code keep:PATH} leaves the name
 * and the value at a path as they are, except the members and elements in it.
 *
 * <p>A string that contains JSON is read as JSON. In any other string, the rest of the line after a masked name and a
 * colon, equals sign or closing angle bracket is masked.
 */
public final class MaskRules {
    /** The default rules: credentials and e-mail addresses. */
    public static final String DEFAULT = "key:password key:passwd key:pwd key:passphrase key:secret key:clientsecret"
            + " key:token key:accesstoken key:refreshtoken key:idtoken key:authtoken key:apitoken key:sessiontoken"
            + " key:bearertoken key:apikey key:xapikey key:accesskey key:secretkey key:secretaccesskey key:privatekey"
            + " key:awssecretaccesskey key:awssessiontoken key:dbpassword key:pgpassword key:mysqlpassword key:userpassword"
            + " key:newpassword key:oldpassword key:currentpassword"
            + " key:authorization key:proxyauthorization key:cookie key:setcookie key:credential key:credentials"
            + " pattern:[^\\s@\"'<>(),;:]+@(?:[\\pL\\pN-]+\\.)+\\pL[\\pL\\pN-]+"
            + " pattern:(?i)\\b(?:bearer|basic)\\s+[a-z0-9._~+/=-]{16,}"
            + " pattern:eyJ[\\w-]+\\.[\\w-]+(?:\\.[\\w-]*)*"
            + " pattern:(?s)-----BEGIN\\s[A-Z\\s]*PRIVATE\\sKEY-----.*?(?:-----END|\\z)"
            + " pattern:\\b(?:sk-[\\w-]{16,}|gh[opsur]_\\w{20,}|github_pat_\\w{20,}|glpat-[\\w-]{16,}|xox[abeprs]-[\\w-]{8,}"
            + "|AKIA[A-Z0-9]{16}|AIza[\\w-]{35})"
            + " pattern:://[^\\s/:@]*:[^\\s/@]+@";

    private static final Pattern RULE = Pattern.compile("\\S+");
    private static final Pattern STEP = Pattern.compile("\\.([^.\\[]+)|\\['([^']+)'\\]|\\[(\\*)\\]");
    private static final Pattern ESCAPE = Pattern.compile("\\\\u([0-9A-Fa-f]{4})");

    /** No rules. */
    public static final MaskRules NONE = new MaskRules("");

    private static final JsonCodes CODES =
            new JsonCodes(Code.EVENT_MALFORMED, Code.EVENT_MALFORMED, Code.EVENT_MALFORMED, Code.EVENT_MALFORMED);

    /** Strings around JSON that is read. */
    private static final int MAX_STRINGS = 4;

    /** Matches in one text, each of which may read the rest of it. */
    private static final int MAX_MATCHES = 100;

    private static final List<Charset> CHARSETS = List.of(UTF_8, UTF_16LE, UTF_16BE);
    private static final int MAX_NAME = 128;
    private static final String ANY = "*";
    private static final int FIRST_FULL_WIDTH = 0xFF01;
    private static final int LAST_FULL_WIDTH = 0xFF5E;

    private final String text;
    private final Set<String> keys = new HashSet<>();
    private final List<Path> paths = new ArrayList<>();

    private final List<String> regexes = new ArrayList<>();
    /** All regular expressions; null if there are none. */
    private final Pattern pattern;

    /**
     * Values that are masked, or kept.
     *
     * @param names names of members from here on, or {@link #ANY}
     */
    private record Path(boolean isKept, List<String> names) {
        /** Whether the values are those at a place with these paths. */
        static boolean isHere(List<Path> paths, boolean isKept) {
            return paths.stream().anyMatch(path -> path.isKept == isKept && path.names.isEmpty());
        }

        boolean goesOn(String name) {
            return !names.isEmpty() && (names.get(0).equals(ANY) || names.get(0).equals(name));
        }

        Path next() {
            return new Path(isKept, names.subList(1, names.size()));
        }
    }

    /** A part of a text to mask. */
    private record Part(int from, int to) {}

    private MaskRules(String text) {
        this.text = text;
        add(text);
        pattern = regexes.isEmpty() ? null : Pattern.compile("(?:" + String.join(")|(?:", regexes) + ")");
    }

    /**
     * Parses rules that are separated by white space.
     *
     * @throws IllegalArgumentException if a rule is invalid; names its position
     */
    public static MaskRules parse(String rules) {
        return new MaskRules(rules);
    }

    /** Whether there are no rules. */
    public boolean isEmpty() {
        return keys.isEmpty() && paths.stream().allMatch(Path::isKept) && pattern == null;
    }

    /** The rules as they were parsed. */
    @Override
    public String toString() {
        return text;
    }

    /**
     * Masks a message.
     *
     * @param json bytes of the message; not changed
     * @param marker returns the marker for a value: for a string, its text without escapes; for any other value, its
     *     compact JSON
     * @return the same array if nothing is masked; null if the bytes are not JSON and may contain a masked value
     */
    public byte[] mask(byte[] json, UnaryOperator<String> marker) {
        if (isEmpty()) {
            return json;
        }
        Pass pass = new Pass(json, marker, 0);
        if (pass.read(paths)) {
            return pass.result();
        }
        return mayContain(json) ? null : json;
    }

    /**
     * Masks a text with a name, such as a header.
     *
     * @return the same text if nothing is masked
     */
    public String mask(String name, String value, UnaryOperator<String> marker) {
        return keys.contains(folded(name)) ? marker.apply(value) : string(value, List.of(), 0, marker);
    }

    private void add(String rules) {
        Matcher rule = RULE.matcher(rules);
        while (rule.find()) {
            addRule(rule.group(), rule.start());
        }
    }

    private void addRule(String rule, int at) {
        int colon = rule.indexOf(':') + 1;
        String argument = rule.substring(colon);
        switch (rule.substring(0, colon)) {
            case "key:" -> {
                require(!folded(argument).isEmpty(), at + colon, "a name must have a letter or digit");
                keys.add(folded(argument));
            }
            case "path:", "keep:" -> paths.add(new Path(rule.startsWith("keep"), path(argument, at + colon)));
            case "pattern:" -> regexes.add(regex(argument, at + colon));
            default -> {
                require(
                        rule.equals("default"),
                        at,
                        "a rule must be default, key:NAME, path:$.NAME, pattern:REGEX or keep:$.NAME, but was '" + rule
                                + "'");
                add(DEFAULT);
            }
        }
    }

    private static List<String> path(String path, int at) {
        List<String> names = new ArrayList<>();
        int next = path.startsWith("$") ? 1 : 0;
        Matcher step = STEP.matcher(path);
        while (step.find() && step.start() == next) {
            names.add(Stream.of(1, 2, 3)
                    .map(step::group)
                    .filter(Objects::nonNull)
                    .findFirst()
                    .orElseThrow());
            next = step.end();
        }
        require(
                path.startsWith("$") && !names.isEmpty() && next == path.length(),
                at + next,
                "a path must be $ and then .NAME, ['NAME'], .* or [*]");
        return List.copyOf(names);
    }

    private static String regex(String regex, int at) {
        try {
            require(!Pattern.compile(regex).matches(""), at, "a pattern must not match the empty string");
            return regex;
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException(
                    "at character " + (at + 1) + ": a pattern must be a regular expression of RE2: " + e.getMessage(),
                    e);
        }
    }

    private static void require(boolean isValid, int at, String rule) {
        if (!isValid) {
            throw new IllegalArgumentException("at character " + (at + 1) + ": " + rule);
        }
    }

    /** What is left of the paths that begin with a name. */
    private static List<Path> after(List<Path> paths, String name) {
        return paths.isEmpty()
                ? paths
                : paths.stream()
                        .filter(path -> path.goesOn(name))
                        .map(Path::next)
                        .toList();
    }

    /** Masks a string inside a number of other strings. */
    private String string(String value, List<Path> paths, int strings, UnaryOperator<String> marker) {
        String json = value.strip();
        if (!json.isEmpty() && "{[\"".indexOf(json.charAt(0)) >= 0) {
            if (strings == MAX_STRINGS) {
                return marker.apply(value);
            }
            Pass pass = new Pass(value.getBytes(UTF_8), marker, strings + 1);
            if (pass.read(paths)) {
                return new String(pass.result(), UTF_8);
            }
        }
        String shown = text(value, marker);
        boolean isEscaped = readings(shown)
                .skip(1)
                .anyMatch(reading -> !text(reading, marker).equals(reading));
        return isEscaped ? marker.apply(value) : shown;
    }

    private String text(String value, UnaryOperator<String> marker) {
        List<Part> parts = assignments(value);
        parts.addAll(matches(value));
        return replaced(value, parts, marker);
    }

    /** The rest of each line after a masked name and a colon, an equals sign or a closing angle bracket. */
    private List<Part> assignments(String text) {
        List<Part> parts = new ArrayList<>();
        for (int at = 0; at < text.length() && !keys.isEmpty(); at++) {
            if (":=>".indexOf(text.charAt(at)) >= 0 && keys.contains(nameBefore(text, at))) {
                int line = text.indexOf('\n', at);
                int end = line < 0 ? text.length() : line;
                if (end > at + 1) {
                    parts.add(new Part(at + 1, end));
                }
                at = end;
            }
        }
        return parts;
    }

    /** The folded name before an index, without quotes, spaces and brackets between. */
    private static String nameBefore(String text, int at) {
        int end = at;
        while (end > 0 && "\"'\\ \t]".indexOf(text.charAt(end - 1)) >= 0) {
            end--;
        }
        int start = end;
        while (start > 0
                && end - start < MAX_NAME
                && (Character.isLetterOrDigit(text.charAt(start - 1)) || "-_".indexOf(text.charAt(start - 1)) >= 0)) {
            start--;
        }
        return folded(text.substring(start, end));
    }

    /** What the patterns match; the whole text if they match very often. */
    private List<Part> matches(String text) {
        List<Part> parts = new ArrayList<>();
        if (pattern != null) {
            Matcher matcher = pattern.matcher(text);
            while (matcher.find()) {
                if (parts.size() == MAX_MATCHES) {
                    return List.of(new Part(0, text.length()));
                }
                parts.add(new Part(matcher.start(), matcher.end()));
            }
        }
        return parts;
    }

    /** Masks parts of a text. Those that overlap have one marker. */
    private static String replaced(String text, List<Part> parts, UnaryOperator<String> marker) {
        List<Part> sorted =
                parts.stream().sorted(Comparator.comparingInt(Part::from)).toList();
        StringBuilder shown = new StringBuilder();
        int copied = 0;
        for (int i = 0; i < sorted.size(); ) {
            int from = sorted.get(i).from();
            int to = sorted.get(i).to();
            for (i++; i < sorted.size() && sorted.get(i).from() < to; i++) {
                to = Math.max(to, sorted.get(i).to());
            }
            shown.append(text, copied, from).append(marker.apply(text.substring(from, to)));
            copied = to;
        }
        return copied == 0 ? text : shown.append(text, copied, text.length()).toString();
    }

    /** Whether bytes that are not JSON may contain a masked value, in UTF-8 or UTF-16, and in any escapes. */
    private boolean mayContain(byte[] bytes) {
        return CHARSETS.stream()
                .flatMap(charset -> readings(new String(bytes, charset).replace("\0", "")))
                .anyMatch(this::mayContain);
    }

    private boolean mayContain(String text) {
        String folded = folded(text);
        return keys.stream().anyMatch(folded::contains)
                || paths.stream()
                        .filter(path -> !path.isKept)
                        .anyMatch(path -> folded.contains(folded(path.names.get(path.names.size() - 1))))
                || pattern != null && pattern.matcher(text).find();
    }

    /** A text as it is, and with the escapes of characters in it resolved, once for each string that may contain it. */
    private static Stream<String> readings(String text) {
        return Stream.iterate(text, Objects::nonNull, MaskRules::unescaped).limit(MAX_STRINGS + 1L);
    }

    /** A text with the escapes of characters in it resolved; null if it has none. */
    private static String unescaped(String text) {
        Matcher escape = ESCAPE.matcher(text);
        StringBuilder plain = new StringBuilder();
        int copied = 0;
        while (escape.find()) {
            plain.append(text, copied, escape.start()).append((char) Integer.parseInt(escape.group(1), 16));
            copied = escape.end();
        }
        return copied == 0 ? null : plain.append(text, copied, text.length()).toString();
    }

    /** Letters and digits of a name in lower case; full-width ones as those of ASCII. */
    private static String folded(String name) {
        return name.codePoints()
                .map(c -> c >= FIRST_FULL_WIDTH && c <= LAST_FULL_WIDTH ? c - FIRST_FULL_WIDTH + '!' : c)
                .filter(Character::isLetterOrDigit)
                .map(c -> Character.toLowerCase(Character.toUpperCase(c)))
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    /** One pass over one JSON text. */
    private final class Pass extends JsonScanner {
        private final UnaryOperator<String> marker;
        /** Number of strings around the text. */
        private final int strings;

        private JsonWriter out;
        private int copied;

        Pass(byte[] json, UnaryOperator<String> marker, int strings) {
            super(json, Utf8.startsWithMark(json) ? Utf8.MARK_LENGTH : 0, Limits.NONE, CODES);
            this.marker = marker;
            this.strings = strings;
            opaque(true);
        }

        /**
         * Reads the text.
         *
         * @param paths what is left of the paths that lead to a value in it
         * @return whether it is JSON
         */
        boolean read(List<Path> paths) {
            boolean isBatch = strings == 0 && peek() == '[';
            return (isBatch ? array(paths) : value(paths)) && ends();
        }

        byte[] result() {
            if (out == null) {
                return wire;
            }
            out.raw(wire, copied, wire.length - copied);
            return out.toBytes();
        }

        private boolean value(List<Path> paths) {
            byte first = peek();
            if (first == '{' || first == '[') {
                return first == '{' ? object(paths) : array(after(paths, ANY));
            }
            int from = position();
            if (first == '"' ? !string() : !word()) {
                return false;
            }
            String value = JsonMembers.text(wire, from, position());
            replace(
                    from,
                    position(),
                    value,
                    first == '"'
                            ? MaskRules.this.string(value, paths, strings, marker)
                            : replaced(value, matches(value), marker));
            return true;
        }

        private boolean object(List<Path> paths) {
            if (!open()) {
                return false;
            }
            for (boolean first = true; !closes('}'); first = false) {
                if (!key(first)) {
                    return false;
                }
                String name = text();
                List<Path> here = after(paths, name);
                if (!Path.isHere(here, true)) {
                    replace(stringStart() - 1, stringEnd() + 1, name, replaced(name, matches(name), marker));
                }
                if (!member(keys.contains(folded(name)), here)) {
                    return false;
                }
            }
            return true;
        }

        private boolean array(List<Path> paths) {
            if (!open()) {
                return false;
            }
            for (boolean first = true; !closes(']'); first = false) {
                if (!first && !comma() || !member(false, paths)) {
                    return false;
                }
            }
            return true;
        }

        private boolean member(boolean isMasked, List<Path> paths) {
            byte first = peek();
            boolean isKept = Path.isHere(paths, true);
            if (isKept && first != '{' && first != '[') {
                return JsonValues.skip(this);
            }
            if (isKept || !isMasked && !Path.isHere(paths, false)) {
                return value(paths);
            }
            int from = position();
            if (!JsonValues.skip(this)) {
                return false;
            }
            String value = wire[from] == '"'
                    ? JsonMembers.text(wire, from, position())
                    : JsonWriter.compacted(wire, from, position());
            replace(from, position(), null, marker.apply(value));
            return true;
        }

        /** Replaces a value, or the name of a member, unless its text stays the same. */
        private void replace(int from, int to, String before, String text) {
            if (text.equals(before)) {
                return;
            }
            out = out == null ? new JsonWriter(wire.length + text.length()) : out;
            out.raw(wire, copied, from - copied);
            out.string(text);
            copied = to;
        }
    }
}
