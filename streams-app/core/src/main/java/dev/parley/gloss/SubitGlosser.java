package dev.parley.gloss;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.SubitMessage;
import java.util.List;

/** Glosses of SUBIT-Agent: what an agent does with which forms, each by its number and its bits. */
public final class SubitGlosser implements Glosser {
    /** Maximum number of forms of a sequence; of a longer one, all but the last of them and the final form. */
    private static final int MAX_FORMS = 6;

    @Override
    public void write(AgentMessage message, Definitions definitions, Sentence sentence) {
        SubitMessage subit = message.getSubit();
        // A sender of null means that the agent is not set, such as JSON null.
        String agent = message.getSender() == null && !subit.getJsonMeta().contains("agent")
                ? subit.getAgent()
                : message.getSender();
        if (agent == null || agent.isEmpty()) {
            sentence.add("An agent");
        } else {
            sentence.add("Agent ").value(agent);
        }
        List<Integer> forms = subit.getForms();
        switch (subit.getType()) {
            case STATE -> sentence.add(" is in ");
            case INTENT -> sentence.add(" intends ");
            case ACTION -> sentence.add(" carries out ");
            case PLAN -> sentence.add(" plans ");
            case TRACE -> sentence.add(" explains ");
            case ERROR -> sentence.add(" reports an error, ");
            case UNKNOWN -> sentence.add(" sends ");
        }
        switch (forms.size()) {
            case 0 -> sentence.add("no form");
            case 1 -> sentence.add("form ").add(form(forms.get(0)));
            case 2 ->
                sentence.add("the transition from form ")
                        .add(form(forms.get(0)))
                        .add(" to form ")
                        .add(form(forms.get(1)));
            default -> sequence(forms, sentence);
        }
    }

    private static void sequence(List<Integer> forms, Sentence sentence) {
        sentence.add((forms.size() - 1) + " transitions, from form ").add(form(forms.get(0)));
        boolean cut = forms.size() > MAX_FORMS;
        int shown = cut ? MAX_FORMS - 1 : forms.size();
        for (int i = 1; i < shown; i++) {
            sentence.add(" to ").add(form(forms.get(i)));
        }
        if (cut) {
            sentence.add(" … to ").add(form(forms.get(forms.size() - 1)));
        }
    }

    /** Number and bits, the most significant bit first. */
    private static String form(int form) {
        return form + " (" + Integer.toBinaryString(64 | form & 63).substring(1) + ")";
    }
}
