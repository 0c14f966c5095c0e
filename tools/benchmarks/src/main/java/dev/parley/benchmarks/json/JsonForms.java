package dev.parley.benchmarks.json;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.avro.AgentMessage;
import dev.parley.avro.Protocol;
import dev.parley.codec.Symbols;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Converts messages to JSON documents. */
public final class JsonForms {
    private static final ObjectMapper JSON = new ObjectMapper();

    private JsonForms() {}

    /** The class to which a user would typically bind the JSON of a protocol. */
    public static Class<?> type(Protocol protocol) {
        return switch (protocol) {
            case SLIP -> SlipJson.class;
            case SUBIT -> SubitJson.class;
            case CSP -> CspJson.class;
            case LAMBDA -> LambdaJson.class;
            case UNKNOWN, EXTENSION -> throw new IllegalArgumentException("an unknown protocol has no JSON");
        };
    }

    /** The content of a message as typical compact JSON; a SUBIT packet already is JSON. */
    public static byte[] sameContent(AgentMessage message) {
        try {
            return switch (Symbols.PROTOCOL.of(message.getProtocol())) {
                case SLIP -> JSON.writeValueAsBytes(SlipJson.of(message.getSlip()));
                case SUBIT -> bytes(message.getRaw());
                case CSP -> JSON.writeValueAsBytes(CspJson.of(message.getCsp()));
                case LAMBDA -> JSON.writeValueAsBytes(LambdaJson.of(message.getLambda()));
                case UNKNOWN, EXTENSION -> throw new IllegalArgumentException("an unknown protocol has no JSON");
            };
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * A compact JSON document of exactly as many bytes as a message: an object whose keys and string values are the
     * message's own words, as many as fit, with the last value padded to the size. Below eight bytes, where no object
     * with a key and a string fits, it is the richest document that does.
     *
     * @param wire an ASCII message, not empty
     */
    public static byte[] sameSize(byte[] wire) {
        int size = wire.length;
        String json = size < 8 ? tiny(size) : object(words(wire), size);
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        if (bytes.length != size) {
            throw new IllegalStateException(json + " has not " + size + " bytes");
        }
        return bytes;
    }

    private static String tiny(int size) {
        return switch (size) {
            case 1 -> "1";
            case 2 -> "{}";
            case 3 -> "[1]";
            case 4 -> "[\"\"]";
            case 5 -> "[1,2]";
            case 6 -> "[\"ab\"]";
            case 7 -> "{\"a\":1}";
            default -> throw new IllegalArgumentException("a document of " + size + " bytes is not tiny");
        };
    }

    private static String object(List<String> words, int size) {
        StringBuilder json = new StringBuilder(size).append("{\"");
        json.append(shortened(words.isEmpty() ? "a" : words.get(0), size - "{\"\":\"\"}".length()))
                .append("\":\"");
        int next = 1;
        if (next < words.size()) {
            json.append(shortened(words.get(next++), size - 2 - json.length()));
        }
        while (next + 1 < words.size()) {
            String member = "\",\"" + words.get(next) + "\":\"" + words.get(next + 1);
            if (json.length() + member.length() > size - 2) {
                break;
            }
            json.append(member);
            next += 2;
        }
        json.append("x".repeat(size - 2 - json.length()));
        return json.append("\"}").toString();
    }

    private static String shortened(String word, int most) {
        return word.length() <= most ? word : word.substring(0, most);
    }

    /** Runs of letters and digits. */
    private static List<String> words(byte[] wire) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        for (byte b : wire) {
            if (b > 0 && Character.isLetterOrDigit(b)) {
                word.append((char) b);
            } else if (word.length() > 0) {
                words.add(word.toString());
                word.setLength(0);
            }
        }
        if (word.length() > 0) {
            words.add(word.toString());
        }
        return words;
    }

    private static byte[] bytes(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.duplicate().get(bytes);
        return bytes;
    }
}
