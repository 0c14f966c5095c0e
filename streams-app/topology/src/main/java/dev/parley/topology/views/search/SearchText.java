package dev.parley.topology.views.search;

import dev.parley.avro.Protocol;
import dev.parley.avro.Verdict;
import dev.parley.codec.Excerpt;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The conditions of a search, and the text that callers write for them (docs/api.md#search).
 *
 * @param clauses conditions, which all must be satisfied: by one of their alternatives
 * @param excluded parts that a record must not satisfy
 * @param ignored the parts of the text that are ignored, each with the reason
 */
public record SearchText(List<List<Part>> clauses, List<Part> excluded, List<String> ignored) {

    /** The search for all records. */
    public static final SearchText ALL = new SearchText(List.of(), List.of(), List.of());

    /** Maximum parts of a text, with those that are ignored. */
    static final int MAX_PARTS = 32;

    private static final int MAX_PART = 200;
    private static final int MAX_PATTERNS = 8;
    private static final int MAX_QUOTED = 40;
    private static final String QUOTES = "\"“”„＂";
    private static final List<String> FIELDS =
            List.of("code", "conversation", "namespace", "protocol", "recipient", "reference", "sender", "verdict");

    /** Copies the lists. */
    public SearchText {
        clauses = List.copyOf(clauses);
        excluded = List.copyOf(excluded);
        ignored = List.copyOf(ignored);
    }

    /**
     * A condition on one record.
     *
     * @param value an attribute, or what a {@link FoldedText} must contain
     * @param isAttribute whether it is an attribute
     * @param inConversation whether the name of the conversation must contain it
     */
    public record Part(String value, boolean isAttribute, boolean inConversation) {

        /**
         * What a document must have if its record satisfies this: some terms, because only the record itself decides.
         * Empty if the index cannot tell.
         */
        List<TermPattern> patterns(boolean seesPrivate) {
            if (isAttribute) {
                return List.of(TermPattern.attribute(value, seesPrivate));
            }
            Set<String> terms = new LinkedHashSet<>();
            SearchTerms.addTerms(' ' + value.strip() + ' ', MAX_PATTERNS, terms);
            List<TermPattern> patterns = new ArrayList<>();
            for (String term : terms) {
                int length = term.codePointCount(0, term.length());
                boolean isUnspaced = FoldedText.isUnspaced(term.codePointAt(0));
                // What follows the last character of a run, or a word without a space at its end, may be anything.
                boolean isPrefix = isUnspaced ? length == 1 : value.endsWith(term);
                if (isUnspaced || !isPrefix || length >= SearchTerms.MIN_PREFIX) {
                    patterns.add(TermPattern.word(term, isPrefix, seesPrivate));
                }
            }
            return patterns;
        }

        /** The part in a text; an asterisk follows the beginning of a word. */
        private Stream<String> words() {
            return Stream.of(value.strip().split(" ", -1))
                    .map(run -> value.endsWith(run) && !FoldedText.isUnspaced(run.codePointAt(0)) ? run + '*' : run);
        }
    }

    /** Whether a record satisfies this, which satisfies some parts. */
    boolean matches(Predicate<Part> has) {
        return clauses.stream().allMatch(clause -> clause.stream().anyMatch(has))
                && excluded.stream().noneMatch(has);
    }

    /** This with other conditions. */
    public SearchText and(List<String> attributes) {
        List<List<Part>> all = new ArrayList<>(clauses);
        attributes.forEach(attribute -> all.add(List.of(new Part(attribute, true, false))));
        return new SearchText(all, excluded, ignored);
    }

    /** The words to find in texts, folded, each at most once; an asterisk follows the beginning of a word. */
    public List<String> words() {
        return texts().flatMap(Part::words).distinct().toList();
    }

    /** The index of the first part that a text contains; 0 without one. */
    public int find(String text) {
        FoldedText folded = new FoldedText(text);
        String whole = folded.toString();
        return texts().map(part -> whole.indexOf(part.value()) + (part.value().startsWith(" ") ? 1 : 0))
                .filter(index -> index > 0)
                .min(Integer::compare)
                .map(folded::origin)
                .orElse(0);
    }

    private Stream<Part> texts() {
        return clauses.stream().flatMap(List::stream).filter(part -> !part.isAttribute());
    }

    /**
     * Parses a text.
     *
     * @throws IllegalArgumentException with the requirement that the text does not meet
     */
    public static SearchText parse(String text) {
        SearchText parsed = new Parser(text).parse();
        if (parsed.clauses.isEmpty() && parsed.excluded.isEmpty()) {
            throw new IllegalArgumentException("must have a word, phrase or field to find"
                    + parsed.ignored.stream()
                            .findFirst()
                            .map(reason -> ": " + reason)
                            .orElse(""));
        }
        return parsed;
    }

    private static final class Parser {
        private final String text;
        private final List<List<Part>> clauses = new ArrayList<>();
        private final List<Part> excluded = new ArrayList<>();
        private final List<String> ignored = new ArrayList<>();
        private int at;
        /** Whether the next part is an alternative to the last one. */
        private boolean isAlternative;

        Parser(String text) {
            this.text = text;
        }

        SearchText parse() {
            for (int parts = 0; parts < MAX_PARTS && hasNext(); parts++) {
                next();
            }
            if (hasNext()) {
                ignore(text.substring(at), "a search has at most " + MAX_PARTS + " parts");
            }
            if (isAlternative) {
                ignore("OR", "it needs a part on each side");
            }
            return new SearchText(clauses, excluded, ignored);
        }

        private boolean hasNext() {
            while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
                at++;
            }
            return at < text.length();
        }

        private void next() {
            boolean isExcluded =
                    text.charAt(at) == '-' && at + 1 < text.length() && !Character.isWhitespace(text.charAt(at + 1));
            at += isExcluded ? 1 : 0;
            String word = word();
            if (word.equals("AND") && !isExcluded) {
                ignore(word, "all parts must match anyway");
            } else if (word.equals("OR") && !isExcluded) {
                isAlternative = !clauses.isEmpty();
                if (!isAlternative) {
                    ignore(word, "it needs a part on each side");
                }
            } else {
                part(word).ifPresent(part -> add(part, isExcluded));
                isAlternative = false;
            }
        }

        private void add(Part part, boolean isExcluded) {
            if (isExcluded) {
                excluded.add(part);
                if (isAlternative) {
                    ignore("OR", "an exclusion cannot be an alternative");
                }
            } else if (isAlternative) {
                clauses.get(clauses.size() - 1).add(part);
            } else {
                clauses.add(new ArrayList<>(List.of(part)));
            }
        }

        private boolean isAtQuote() {
            return at < text.length() && QUOTES.indexOf(text.charAt(at)) >= 0;
        }

        /** Reads up to a space or quotation mark. */
        private String word() {
            int start = at;
            while (at < text.length() && !Character.isWhitespace(text.charAt(at)) && !isAtQuote()) {
                at++;
            }
            return text.substring(start, at);
        }

        /** Reads a phrase, whose second mark may be missing. */
        private String phrase() {
            int start = ++at;
            while (at < text.length() && !isAtQuote()) {
                at++;
            }
            int end = at++;
            return text.substring(start, end);
        }

        private Optional<Part> part(String word) {
            int colon = word.indexOf(':');
            String name = colon > 0 ? word.substring(0, colon).toLowerCase(Locale.ROOT) : "";
            if (FIELDS.contains(name)) {
                String value = colon + 1 == word.length() && isAtQuote() ? phrase() : word.substring(colon + 1);
                return value.isEmpty() ? ignored(word, "a value must follow the colon") : field(name, value);
            }
            if (word.isEmpty()) {
                return contained(phrase(), false, false);
            }
            if (!name.isEmpty() && name.chars().allMatch(Character::isLetter)) {
                ignore(name + ':', "the fields are " + String.join(", ", FIELDS));
            }
            if (word.indexOf('*') >= 0 && word.indexOf('*') < word.length() - 1) {
                ignore("*", "it must end a word");
            }
            if (word.charAt(0) == '(') {
                ignore("(", "parentheses do not group");
            }
            return contained(word, word.endsWith("*"), false);
        }

        private Optional<Part> field(String name, String value) {
            return switch (name) {
                case "code" -> attribute(SearchTerms.code(value.toUpperCase(Locale.ROOT)));
                case "conversation" -> contained(value, value.endsWith("*"), true);
                case "namespace" -> attribute(SearchTerms.namespace(value));
                case "protocol" -> attribute(SearchTerms.protocol(symbol(name, value, EnumSet.allOf(Protocol.class))));
                case "recipient" -> attribute(SearchTerms.recipient(value));
                case "reference" -> attribute(SearchTerms.reference(value));
                case "sender" -> attribute(SearchTerms.sender(value));
                default ->
                    attribute(SearchTerms.verdict(
                            symbol(name, value, EnumSet.range(Verdict.ACCEPTED, Verdict.UNDECODABLE))));
            };
        }

        private static <E extends Enum<E>> E symbol(String name, String value, Set<E> allowed) {
            return allowed.stream()
                    .filter(symbol -> symbol.name().equalsIgnoreCase(value))
                    .findFirst()
                    .orElseThrow(
                            () -> new IllegalArgumentException("must have one of " + allowed + " after " + name + ':'));
        }

        private static Optional<Part> attribute(String attribute) {
            return Optional.of(new Part(attribute, true, false));
        }

        private Optional<Part> contained(String words, boolean isPrefix, boolean inConversation) {
            boolean isCut = words.length() > MAX_PART;
            if (isCut) {
                ignore(words, "only its first " + MAX_PART + " characters are searched");
            }
            String folded = FoldedText.of(Excerpt.cut(words, MAX_PART));
            if (folded.isBlank()) {
                return ignored(words, "it has no letter, digit or symbol to find");
            }
            int start = FoldedText.isUnspaced(folded.codePointAt(1)) ? 1 : 0;
            int last = folded.lastIndexOf(' ', folded.length() - 2) + 1;
            boolean isOpen = isPrefix || isCut || FoldedText.isUnspaced(folded.codePointAt(last));
            Part part = new Part(folded.substring(start, folded.length() - (isOpen ? 1 : 0)), false, inConversation);
            return part.patterns(false).isEmpty()
                    ? ignored(words, "a beginning needs " + SearchTerms.MIN_PREFIX + " characters")
                    : Optional.of(part);
        }

        private Optional<Part> ignored(String part, String reason) {
            ignore(part, reason);
            return Optional.empty();
        }

        private void ignore(String part, String reason) {
            ignored.add(Excerpt.of(part, MAX_QUOTED) + " (" + reason + ")");
        }
    }
}
