package dev.parley.state;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.SubitMessage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/**
 * Current form of each agent of a SUBIT session: STATE sets it, ACTION sets it to the second form, ERROR clears it.
 * Entries are {@code agent/NAME}, and {@code agent/-} for messages without a known sender; the value is the number of a
 * form, 0 to 63.
 */
public final class SubitChanges implements StateReducer {
    /** The form of each agent as a number, as bits, and by its name in SUBIT-Lingua. */
    public static final StateModel.Folded MODEL =
            new StateModel.Folded(new StateKind("forms", SubitChanges::forms), SubitChanges::new);

    private static final String PREFIX = "agent/";
    private static final String UNKNOWN_AGENT = "-";

    @Override
    public List<Change> of(AuditRecord record) {
        SubitMessage subit = record.getMessage().getSubit();
        String sender = record.getMessage().getSender();
        String agent = PREFIX + (sender == null ? UNKNOWN_AGENT : sender);
        return switch (subit.getType()) {
            case STATE -> List.of(Change.set(agent, subit.getForms().get(0).toString()));
            case ACTION -> List.of(Change.set(agent, subit.getForms().get(1).toString()));
            case ERROR -> List.of(Change.clear(agent));
            case INTENT, PLAN, TRACE, UNKNOWN -> List.of();
        };
    }

    private static Map<String, Object> forms(SortedMap<String, String> entries) {
        List<Object> agents = new ArrayList<>();
        entries.forEach((name, value) -> {
            String agent = name.substring(PREFIX.length());
            int form = Integer.parseInt(value);
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("agent", agent.equals(UNKNOWN_AGENT) ? null : agent);
            fields.put("form", (long) form);
            fields.put("bits", Integer.toBinaryString(64 + form).substring(1));
            fields.put("name", syllable('K', form >> 4) + '-' + syllable('T', form >> 2) + '-' + syllable('M', form));
            agents.add(fields);
        });
        return Map.of("agents", agents);
    }

    private static String syllable(char consonant, int bits) {
        return "" + consonant + "AEOU".charAt(bits & 3);
    }
}
