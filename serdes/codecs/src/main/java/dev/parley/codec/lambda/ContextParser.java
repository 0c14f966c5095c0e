package dev.parley.codec.lambda;

import dev.parley.avro.LambdaContext;
import dev.parley.avro.LambdaDefinition;
import dev.parley.avro.LambdaEntry;
import dev.parley.avro.LambdaMessage;
import dev.parley.codec.Code;
import dev.parley.codec.Diagnostics;
import dev.parley.codec.Excerpt;
import dev.parley.codec.Placeholder;
import java.util.ArrayList;
import java.util.List;

/**
 * Parses context blocks {@code {key:value,...}} (Λ v0.6 §1.3). A part without a colon belongs to the previous value, so
 * {@code {def:a=1,b=2}} contains two definitions.
 */
final class ContextParser {

    /** The keys that make a brace a context (docs/protocols.md L11), which are also the most frequent ones. */
    private static final String[] RESERVED = {"def", "ctx", "id", "v", "ns", "enc", "auth", "grp", "mbr", "topic"};

    private final NormalizedText text;
    private final LambdaMessage message;
    private final Diagnostics diagnostics;
    private final List<LambdaContext> contexts = new ArrayList<>(1);
    private List<LambdaDefinition> definitions = List.of();
    private List<LambdaEntry> entries;
    private String key;
    private int valueStart;

    /**
     * @param message receives the contexts, their definitions, the first ID if the header has none, and the algorithm
     *     of a payload
     */
    ContextParser(NormalizedText text, LambdaMessage message, Diagnostics diagnostics) {
        this.text = text;
        this.message = message;
        this.diagnostics = diagnostics;
    }

    /** Whether the first key of a brace makes it a context even without a statement (docs/protocols.md L11). */
    static boolean isReserved(NormalizedText text, int open) {
        int colon = open + 1;
        if (colon >= text.marks() || text.markKind(colon) != NormalizedText.COLON) {
            return false;
        }
        return reserved(text, text.markAt(open) + 1, text.markAt(colon)) != null;
    }

    /** The reserved key in a range, as a shared string; null if there is none. */
    private static String reserved(NormalizedText text, int from, int to) {
        for (String key : RESERVED) {
            if (text.isAt(key, from, to)) {
                return key;
            }
        }
        return null;
    }

    private String key(int from, int to) {
        String reserved = reserved(text, from, to);
        return reserved != null ? reserved : text.slice(from, to);
    }

    /** Parses the block that a mark opens. */
    void read(int open) {
        entries = new ArrayList<>(2);
        key = null;
        int partStart = text.markAt(open) + 1;
        int colon = -1;
        for (int mark = open + 1; ; mark++) {
            int at = text.markAt(mark);
            switch (text.markKind(mark)) {
                case NormalizedText.COLON -> colon = at;
                case NormalizedText.COMMA -> {
                    part(partStart, colon, at);
                    partStart = at + 1;
                    colon = -1;
                }
                case NormalizedText.CLOSE -> {
                    if (at - 1 > text.markAt(open) + 1) {
                        part(partStart, colon, at - 1);
                    }
                    endEntry(at - 1);
                    contexts.add(new LambdaContext(entries));
                    message.setContexts(contexts);
                    return;
                }
                default -> throw new IllegalStateException("unexpected mark in a brace: " + text.markKind(mark));
            }
        }
    }

    private void part(int start, int colon, int end) {
        if (start == end) {
            error(end, "An entry is missing here. Remove the comma, or write key:value.");
        } else if (colon < 0 && key == null) {
            error(start, "An entry of a context must be key:value, but has no colon.");
        } else if (colon == start) {
            error(start, "An entry of a context must be key:value, but has no key.");
        } else if (colon > 0) {
            endEntry(start - 1);
            key = key(start, colon);
            valueStart = colon + 1;
        }
        if ("def".equals(key) && start < end) {
            definition(Math.max(start, valueStart), end);
        }
    }

    private void endEntry(int end) {
        if (key == null) {
            return;
        }
        String value = text.slice(valueStart, end);
        entries.add(new LambdaEntry(key, value));
        // One brace is a nested value.
        if (Placeholder.is(value) && (value.charAt(0) != '{' || value.charAt(1) == '{')) {
            error(valueStart, Placeholder.DETAIL);
        }
        switch (key) {
            case "id" -> messageId(Quoted.plain(value));
            case "v" -> {
                if (!Quoted.plain(value).equals("0.6")) {
                    diagnostics.value(
                            Code.LAMBDA_VERSION,
                            text.offset(valueStart),
                            "The version must be 0.6, but the context names " + Excerpt.of(value) + ".");
                }
            }
            case "enc" -> message.setEncryption(text.payload() != null ? Quoted.plain(value) : null);
            default -> {
                // The entry is kept unchanged.
            }
        }
    }

    private void messageId(String other) {
        String id = message.getId();
        if (id == null) {
            message.setId(other);
        } else if (!id.equals(other)) {
            diagnostics.value(
                    Code.LAMBDA_ID_MISMATCH,
                    text.offset(valueStart),
                    "The message must have one ID, but has " + Excerpt.of(id) + " and " + Excerpt.of(other) + ".");
        }
    }

    private void definition(int start, int end) {
        int equals = start;
        while (equals < end && text.at(equals) != '=') {
            equals++;
        }
        if (equals > start && equals < end) {
            String name = text.slice(start, equals);
            if (Placeholder.is(name)) {
                error(start, Placeholder.DETAIL);
            }
            if (definitions.isEmpty()) {
                definitions = new ArrayList<>(1);
                message.setDefinitions(definitions);
            }
            definitions.add(new LambdaDefinition(name, Quoted.plain(text.slice(equals + 1, end))));
        }
    }

    private void error(int at, String detail) {
        diagnostics.value(Code.LAMBDA_MALFORMED, text.offset(at), detail);
    }
}
