package dev.parley.benchmarks;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A compact JSON document of exactly as many bytes as a message: an object whose keys and string values are the
 * message's own words, as many as fit, with the last value padded to the size. Below eight bytes, where no object with
 * a key and a string fits, it is the richest document that does.
 */
final class SameSizeJson {
    private static final String[] TINY = {"1", "{}", "[1]", "[\"\"]", "[1,2]", "[\"ab\"]", "{\"a\":1}"};

    private SameSizeJson() {}

    /** Returns the document for a message, which is ASCII and not empty. */
    static byte[] of(byte[] wire) {
        int size = wire.length;
        return (size <= TINY.length ? TINY[size - 1] : object(words(wire), size - "\"}".length()))
                .getBytes(StandardCharsets.US_ASCII);
    }

    private static String object(Deque<String> words, int end) {
        StringBuilder json = new StringBuilder("{\"");
        append(json, words, end - "\":\"".length());
        json.append("\":\"");
        append(json, words, end);
        while (words.size() > 1) {
            String member = "\",\"" + words.remove() + "\":\"" + words.remove();
            if (json.length() + member.length() > end) {
                break;
            }
            json.append(member);
        }
        return json.append("x".repeat(end - json.length())).append("\"}").toString();
    }

    /** Appends the next word, as far as it fits. */
    private static void append(StringBuilder json, Deque<String> words, int end) {
        String word = words.isEmpty() ? "a" : words.remove();
        json.append(word, 0, Math.min(word.length(), end - json.length()));
    }

    /** Runs of letters and digits. */
    private static Deque<String> words(byte[] wire) {
        return Stream.of(new String(wire, StandardCharsets.US_ASCII).split("[^A-Za-z0-9]+", -1))
                .filter(word -> !word.isEmpty())
                .collect(Collectors.toCollection(ArrayDeque::new));
    }
}
