package dev.parley.gloss;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.LambdaContext;
import dev.parley.avro.LambdaDefinition;
import dev.parley.avro.LambdaEntry;
import dev.parley.avro.LambdaFloor;
import dev.parley.avro.LambdaMessage;
import dev.parley.avro.LambdaStatement;
import dev.parley.avro.LambdaTrust;
import dev.parley.gloss.LambdaVocabulary.Entry;
import dev.parley.gloss.LambdaVocabulary.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Glosses of Λ, in the first person of its sender: one short sentence for each context and statement. Atoms have the
 * words of a {@link LambdaVocabulary} unless the conversation or the message defines them; unknown atoms are shown as
 * they are.
 */
public record LambdaGlosser(LambdaVocabulary vocabulary) implements Glosser {
    private static final int MAX_DEFINITIONS = 4;

    /** A glosser with the core vocabulary. */
    public LambdaGlosser() {
        this(LambdaVocabulary.CORE);
    }

    @Override
    public void write(AgentMessage envelope, Definitions before, Sentence sentence) {
        LambdaMessage message = envelope.getLambda();
        prefix(message, sentence);
        floor(message.getFloorBefore(), message.getStatements().isEmpty(), sentence);
        if (message.getEncrypted() != null) {
            sentence.add("Encrypted message");
            if (message.getEncryption() != null) {
                sentence.add(" (").value(message.getEncryption()).add(")");
            }
            sentence.add(".");
        } else {
            contexts(message, sentence);
            boolean handshake = message.getHandshake() || message.getHandshakeReply();
            if (handshake && message.getStatements().isEmpty()) {
                next(sentence, message.getHandshakeReply() ? "Handshake reply." : "Handshake.");
            }
            LambdaWriter writer = new LambdaWriter(vocabulary, inForce(message, before), handshake, sentence);
            for (LambdaStatement statement : message.getStatements()) {
                if (sentence.isFull()) {
                    break;
                }
                space(sentence);
                writer.statement(statement);
            }
        }
        if (message.getFloorAfter() != null) {
            space(sentence);
            floor(message.getFloorAfter(), true, sentence);
        }
        if (sentence.isEmpty() && message.getId() != null) {
            sentence.add("Message ").value(message.getId()).add(".");
        }
    }

    private static Definitions inForce(LambdaMessage message, Definitions before) {
        if (message.getDefinitions().isEmpty()) {
            return before;
        }
        Map<String, String> own = new HashMap<>();
        for (LambdaDefinition definition : message.getDefinitions()) {
            own.put(definition.getName(), definition.getValue());
        }
        return name -> {
            String value = own.get(name);
            return value == null ? before.valueOf(name) : value;
        };
    }

    private static void prefix(LambdaMessage message, Sentence sentence) {
        List<String> address = message.getAddress();
        if (address.size() == 1
                && (address.get(0).equals("A*") || address.get(0).equals("*"))) {
            sentence.add("To all: ");
        } else if (!address.isEmpty()) {
            sentence.add("To ").values(address).add(": ");
        }
        List<String> relay = message.getRelay();
        if (!relay.isEmpty()) {
            sentence.add("From ").value(relay.get(0));
            if (relay.size() > 2) {
                sentence.add(" via ").values(relay.subList(1, relay.size() - 1));
            }
            sentence.add(" to ").value(relay.get(relay.size() - 1)).add(": ");
        }
        LambdaTrust trust = message.getTrust();
        if (trust != null) {
            sentence.add(
                    switch (trust) {
                        case PUBLIC -> "Public: ";
                        case PRIVATE -> "Private: ";
                        case SIGNED -> "Signed: ";
                        case UNKNOWN -> "";
                    });
        }
    }

    private static void floor(LambdaFloor floor, boolean alone, Sentence sentence) {
        if (floor != null) {
            sentence.add(
                    switch (floor) {
                        case TAKE -> "I take the floor";
                        case YIELD -> "I yield the floor";
                        case INTERJECT -> "A brief interjection";
                        case CONTINUE -> "I continue";
                        case UNKNOWN -> "A floor mark";
                    });
            sentence.add(alone ? "." : ": ");
        }
    }

    private void contexts(LambdaMessage message, Sentence sentence) {
        List<LambdaDefinition> definitions = message.getDefinitions();
        for (int i = 0; i < definitions.size() && i < MAX_DEFINITIONS; i++) {
            LambdaDefinition definition = definitions.get(i);
            if (i == 0) {
                next(sentence, "I define ");
            } else {
                sentence.add(", ");
            }
            sentence.value(definition.getName())
                    .add(" as \"")
                    .value(definition.getValue())
                    .add("\"");
        }
        if (!definitions.isEmpty()) {
            int more = definitions.size() - MAX_DEFINITIONS;
            sentence.add(more > 0 ? " and " + more + " more." : ".");
        }
        boolean first = true;
        for (LambdaEntry entry : entries(message)) {
            if (sentence.isFull()) {
                return;
            }
            if (first) {
                next(sentence, "Context: ");
            } else {
                sentence.add(", ");
            }
            first = false;
            Entry word = vocabulary.find(entry.getKey(), Kind.CONTEXT, Kind.KEY, Kind.THING, Kind.NOUN);
            if (word == null) {
                sentence.value(entry.getKey());
            } else {
                sentence.add(word.word());
            }
            sentence.add(" ");
            value(entry.getValue(), sentence);
        }
        if (!first) {
            sentence.add(".");
        }
    }

    /** The entries of all contexts, except definitions, which are written apart. */
    private static List<LambdaEntry> entries(LambdaMessage message) {
        boolean defines = !message.getDefinitions().isEmpty();
        List<LambdaEntry> entries = new ArrayList<>();
        for (LambdaContext context : message.getContexts()) {
            for (LambdaEntry entry : context.getEntries()) {
                if (!(defines && entry.getKey().equals("def"))) {
                    entries.add(entry);
                }
            }
        }
        return entries;
    }

    /** A value: a string without its quotes, a list with spaces, another as it is. */
    private static void value(String value, Sentence sentence) {
        int end = value.length() - 1;
        if (end > 0 && value.charAt(0) == '"' && value.charAt(end) == '"') {
            sentence.value(value.substring(1, end));
        } else if (end > 0 && value.charAt(0) == '[' && value.charAt(end) == ']') {
            String shown = value.substring(1, Math.min(end, Sentence.MAX_CODE_POINTS));
            sentence.value(shown.replace(",", ", ")).add(shown.length() < end - 1 ? "…" : "");
        } else {
            sentence.value(value);
        }
    }

    private static void next(Sentence sentence, String words) {
        space(sentence);
        sentence.add(words);
    }

    private static void space(Sentence sentence) {
        if (sentence.last() != ' ') {
            sentence.add(" ");
        }
    }
}
