package dev.parley.gloss;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringTokenizer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The words of Λ atoms, for glosses. The core vocabulary is a resource, {@code lambda-core.txt}, which names its source
 * and version and describes the format; a file in the same format adds to it. Immutable; for any number of threads.
 */
public final class LambdaVocabulary {
    /** Maximum size of a file in bytes. */
    public static final int MAX_FILE_BYTES = 1 << 20;

    /** The core vocabulary of Λ v0.6. */
    public static final LambdaVocabulary CORE = core();

    /** The vocabulary of an unknown domain: no words. */
    static final LambdaVocabulary NONE = new LambdaVocabulary(Map.of());

    private static final int MAX_ATOM_LENGTH = 40;
    private static final Kind[] NOUNS = {Kind.THING, Kind.NOUN, Kind.WORD, Kind.DONE};
    private static final Kind[] VERBS = {Kind.MODAL, Kind.VERB};

    private final Map<Kind, Map<String, Entry>> entries;

    private LambdaVocabulary(Map<Kind, Map<String, Entry>> entries) {
        this.entries = entries;
    }

    /** Class of an entry. An atom can have one entry of each. */
    enum Kind {
        ENTITY,
        VERB,
        MODAL,
        DONE,
        THING,
        NOUN,
        WORD,
        KEY,
        PERCENT,
        LABEL,
        TIME,
        CONTEXT,
        ERROR;

        /** Its name in files. */
        private String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** The words of an atom in one class. */
    record Entry(Kind kind, List<String> words) {
        /** The first word. */
        String word() {
            return words.get(0);
        }

        /** A word by its index; another one if it is missing. */
        String word(int index, String otherwise) {
            return index < words.size() ? words.get(index) : otherwise;
        }
    }

    /**
     * This vocabulary with the entries of a file, which replace entries of the same atom and class.
     *
     * @throws IOException if the file cannot be read
     * @throws IllegalArgumentException if the file is too large, or a line is not an entry; names file and line
     */
    public LambdaVocabulary with(Path file) throws IOException {
        if (Files.size(file) > MAX_FILE_BYTES) {
            throw new IllegalArgumentException(
                    file + " must have at most " + MAX_FILE_BYTES + " bytes, but has " + Files.size(file));
        }
        try (Reader reader = Files.newBufferedReader(file, UTF_8)) {
            return with(reader, file.toString());
        }
    }

    /**
     * This vocabulary with the entries of a text.
     *
     * @param name name of the text, for errors
     * @throws IllegalArgumentException if a line is not an entry
     */
    LambdaVocabulary with(Reader text, String name) throws IOException {
        Map<Kind, Map<String, Entry>> all = new EnumMap<>(Kind.class);
        entries.forEach((kind, words) -> all.put(kind, new HashMap<>(words)));
        BufferedReader lines = new BufferedReader(text);
        int number = 0;
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            number++;
            String entry = line.strip();
            if (!entry.isEmpty() && entry.charAt(0) != '#') {
                add(all, entry, name + ":" + number);
            }
        }
        return new LambdaVocabulary(all);
    }

    /** The entry of an atom in the first of these classes that has one; null if none has. */
    Entry find(String atom, Kind... kinds) {
        for (Kind kind : kinds) {
            Map<String, Entry> words = entries.get(kind);
            Entry entry = words == null ? null : words.get(atom);
            if (entry != null) {
                return entry;
            }
        }
        return null;
    }

    /** The entry of an atom that is not a verb; null if there is none. */
    Entry noun(String atom) {
        return find(atom, NOUNS);
    }

    Entry verb(String atom) {
        return find(atom, VERBS);
    }

    private static void add(Map<Kind, Map<String, Entry>> all, String line, String place) {
        StringTokenizer parts = new StringTokenizer(line);
        String atom = parts.nextToken();
        Kind kind = kind(parts.hasMoreTokens() ? parts.nextToken() : "", place);
        List<String> words = new ArrayList<>();
        while (parts.hasMoreTokens()) {
            String word = parts.nextToken(",").strip();
            if (!word.isEmpty()) {
                words.add(word);
            }
        }
        if (words.isEmpty() || atom.length() > MAX_ATOM_LENGTH) {
            throw new IllegalArgumentException(place
                    + ": an entry must be an atom of at most " + MAX_ATOM_LENGTH
                    + " characters, a class, and words separated by commas");
        }
        if (isLetter(kind) && atom.length() > 1) {
            throw new IllegalArgumentException(
                    place + ": an atom of the class " + kind.label() + " has one letter, but was '" + atom + "'");
        }
        all.computeIfAbsent(kind, ignored -> new HashMap<>()).put(atom, new Entry(kind, List.copyOf(words)));
    }

    /** Whether the atoms of a class are single letters (Λ v0.1 §2). */
    private static boolean isLetter(Kind kind) {
        return kind == Kind.ENTITY || kind == Kind.VERB || kind == Kind.MODAL;
    }

    private static Kind kind(String name, String place) {
        return Stream.of(Kind.values())
                .filter(kind -> kind.label().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(place + ": the class must be one of "
                        + Stream.of(Kind.values()).map(Kind::label).collect(Collectors.joining(", ")) + ", but was '"
                        + name + "'"));
    }

    private static LambdaVocabulary core() {
        String name = "lambda-core.txt";
        try (InputStream in = LambdaVocabulary.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("The resource " + name + " is missing.");
            }
            return new LambdaVocabulary(Map.of()).with(new InputStreamReader(in, UTF_8), name);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
