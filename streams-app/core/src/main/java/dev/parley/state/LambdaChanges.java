package dev.parley.state;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.LambdaDefinition;
import dev.parley.avro.LambdaMessage;
import dev.parley.avro.LambdaStatement;
import dev.parley.avro.LambdaStatementKind;
import dev.parley.codec.lambda.LambdaCodec;
import dev.parley.dialogue.DialogueSettings;
import dev.parley.dialogue.StoredText;
import dev.parley.dialogue.lambda.LambdaAgreements;
import dev.parley.gloss.Definitions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/**
 * Terms of a Λ conversation: definitions (docs/protocols.md L26), and agreements, which are offers and counter-offers
 * that the other side accepted. Entries are {@code definition/NAME}, and {@code agreement/ID} with the message ID of
 * the offer, or {@code agreement/#N} with its sequence if it has no ID. The value is the offer as written. Only another
 * agreement with the same ID replaces an agreement.
 */
public final class LambdaChanges implements StateReducer {
    private static final StateKind TERMS = new StateKind("terms", LambdaChanges::terms);

    private static final String DEFINITION = "definition/";
    private static final String AGREEMENT = "agreement/";

    private final LambdaAgreements agreements;
    /** The last offer of each sender. The dialogue rules track only one per sender, too. */
    private final Map<String, Change> offers = new HashMap<>();

    private long offerBytes;

    LambdaChanges(DialogueSettings settings) {
        agreements = new LambdaAgreements(settings);
    }

    /** Returns the model of definitions and agreements. */
    public static StateModel.Folded model(DialogueSettings settings) {
        return new StateModel.Folded(TERMS, () -> new LambdaChanges(settings), LambdaChanges::definitions);
    }

    @Override
    public List<Change> of(AuditRecord record) {
        AgentMessage envelope = record.getMessage();
        LambdaMessage message = envelope.getLambda();
        List<Change> changes = new ArrayList<>();
        for (LambdaDefinition definition : message.getDefinitions()) {
            changes.add(Change.set(DEFINITION + definition.getName(), definition.getValue()));
        }
        for (String sender : agreements.accept(envelope)) {
            Change offer = offers.remove(sender);
            if (offer != null) {
                offerBytes -= weight(sender, offer);
                changes.add(offer);
            }
        }
        for (LambdaStatement statement : message.getStatements()) {
            if (statement.getKind() == LambdaStatementKind.OFFER
                    || statement.getKind() == LambdaStatementKind.COUNTER) {
                String id = message.getId() == null ? "#" + record.getSequence() : message.getId();
                Change offer = Change.set(AGREEMENT + id, LambdaCodec.text(statement));
                String sender = StoredText.bounded(envelope.getSender());
                Change before = offers.put(sender, offer);
                offerBytes += weight(sender, offer);
                offerBytes -= before == null ? 0 : weight(sender, before);
            }
        }
        return changes;
    }

    @Override
    public long bytes() {
        return offerBytes;
    }

    private static long weight(String sender, Change offer) {
        return (sender == null ? 0 : sender.length())
                + offer.entry().length()
                + offer.value().map(String::length).orElse(0);
    }

    private static Definitions definitions(Map<String, StateEntry> entries) {
        return name -> {
            StateEntry entry = entries.get(DEFINITION + name);
            return entry == null ? null : entry.value();
        };
    }

    private static Map<String, Object> terms(SortedMap<String, String> entries) {
        Map<String, Object> terms = new LinkedHashMap<>();
        terms.put("definitions", named(DEFINITION, entries));
        terms.put("agreements", named(AGREEMENT, entries));
        return terms;
    }

    private static Map<String, String> named(String prefix, SortedMap<String, String> entries) {
        Map<String, String> named = new LinkedHashMap<>();
        entries.forEach((name, value) -> {
            if (name.startsWith(prefix)) {
                named.put(name.substring(prefix.length()), value);
            }
        });
        return named;
    }
}
