package dev.parley.codec.csp;

import dev.parley.avro.CspIntent;
import dev.parley.avro.CspMessage;
import dev.parley.avro.Performative;
import dev.parley.avro.Reference;
import dev.parley.codec.Traits;
import java.util.ArrayList;
import java.util.List;

/** Extracts the shared properties of a CSP/1 message. */
final class CspTraits {

    private CspTraits() {}

    static Traits of(CspMessage message) {
        return new Traits(
                null,
                message.getSender(),
                null,
                agents(message.getRecipient()),
                performative(message.getIntent()),
                replyTo(message),
                references(message));
    }

    private static Performative performative(CspIntent intent) {
        return switch (intent) {
            case PLAN -> Performative.PROPOSE;
            case TASK -> Performative.REQUEST;
            case RESULT -> Performative.RESULT;
            case ERROR -> Performative.FAILURE;
            case QUERY -> Performative.ASK;
            case PATCH, FILE, MEM -> Performative.PATCH;
            case UNKNOWN -> Performative.UNSPECIFIED;
        };
    }

    /** The agents of a comma-separated list, without surrounding spaces; empty items are skipped. */
    static List<String> agents(String list) {
        if (list.indexOf(',') < 0) {
            return List.of(list);
        }
        List<String> agents = new ArrayList<>(4);
        int start = 0;
        while (start <= list.length()) {
            int comma = list.indexOf(',', start);
            int end = comma < 0 ? list.length() : comma;
            String agent = list.substring(start, end).strip();
            if (!agent.isEmpty()) {
                agents.add(agent);
            }
            start = end + 1;
        }
        return agents;
    }

    private static String replyTo(CspMessage message) {
        return switch (message.getIntent()) {
            case RESULT -> message.getId();
            case ERROR -> emptyAsNull(message.getErrorAt());
            default -> null;
        };
    }

    private static List<Reference> references(CspMessage message) {
        List<Reference> references = new ArrayList<>(4);
        add(references, "state", message.getCtx());
        switch (message.getIntent()) {
            case TASK, QUERY, RESULT -> add(references, "task", message.getId());
            case ERROR -> add(references, "error", message.getId());
            case PATCH -> {
                add(references, "patch", message.getId());
                add(references, "base", message.getBase());
                add(references, "target", message.getTarget());
            }
            default -> {}
        }
        return references;
    }

    private static void add(List<Reference> references, String kind, String id) {
        if (emptyAsNull(id) != null) {
            references.add(new Reference(kind, id));
        }
    }

    private static String emptyAsNull(String text) {
        return text == null || text.isEmpty() ? null : text;
    }
}
