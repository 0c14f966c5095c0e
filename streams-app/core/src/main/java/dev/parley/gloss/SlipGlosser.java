package dev.parley.gloss;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.SlipFrame;
import dev.parley.avro.SlipMessage;

/**
 * Glosses of SLIP: who does which speech act to whom, about which task. Agents 0 to 3 have the roles that the document
 * of nSLIP gives them by convention.
 */
public final class SlipGlosser implements Glosser {
    private static final String[] ROLES = {"coordinator", "planner", "executor", "critic"};

    @Override
    public void write(AgentMessage message, Definitions definitions, Sentence sentence) {
        SlipMessage slip = message.getSlip();
        String to = agent(slip.getDestination());
        sentence.add("Agent ").add(role(slip.getSource())).add(" ").add(act(slip, to));
        detail(sentence, ", part of task ", slip.getParentTaskId());
        detail(sentence, ", result ", slip.getResultId());
        detail(sentence, ", error ", slip.getErrorCode());
        detail(sentence, ", priority ", slip.getPriority());
        detail(sentence, ", score ", slip.getScore());
        detail(sentence, ", status ", slip.getStatus());
        detail(sentence, ": ", slip.getTag());
    }

    private static void detail(Sentence sentence, String before, Object value) {
        if (value != null) {
            sentence.add(before).value(value.toString());
        }
    }

    private static String act(SlipMessage slip, String to) {
        String subject = subject(slip);
        boolean isTask = slip.getFrame() == SlipFrame.TASK;
        return switch (slip.getAct()) {
            case OBSERVE ->
                "reports to " + to + " "
                        + (slip.getFrame() == SlipFrame.OBSERVATION ? "" : "what it observed about ")
                        + subject;
            case INFORM -> "informs " + to + " about " + subject;
            case ASK -> "asks " + to + " about " + subject;
            case REQUEST -> isTask ? "asks " + to + " to do " + subject : "asks " + to + " for " + subject;
            case PROPOSE -> "proposes " + subject + " to " + to;
            case COMMIT -> "commits itself to " + to + " to " + (isTask ? "do " : "carry out ") + subject;
            case ACCEPT -> "tells " + to + " that it accepts " + subject;
            case REJECT -> "tells " + to + " that it rejects " + subject;
            case EVAL ->
                "gives " + to + " " + (slip.getFrame() == SlipFrame.EVALUATION ? "" : "an evaluation of ") + subject;
            case ERROR -> "reports an error to " + to + " about " + subject;
            case META -> "tells " + to + " about the protocol or its capabilities";
            case UNKNOWN -> "sends " + to + " a message about " + subject;
        };
    }

    /** What the message is about: its frame and the task. */
    private static String subject(SlipMessage slip) {
        String task = (slip.getTaskId() == null ? "a task" : "task " + slip.getTaskId())
                + (slip.getGoalId() == null ? "" : " of goal " + slip.getGoalId());
        boolean bare = slip.getTaskId() == null && slip.getGoalId() == null;
        return switch (slip.getFrame()) {
            case TASK, UNKNOWN -> task;
            case PLAN -> bare ? "a plan" : "the plan for " + task;
            case OBSERVATION -> bare ? "an observation" : "the observation of " + task;
            case EVALUATION -> bare ? "an evaluation" : "the evaluation of " + task;
            case CONTROL -> bare ? "the protocol" : "the control of " + task;
        };
    }

    private static String agent(long id) {
        return "agent " + role(id);
    }

    private static String role(long id) {
        return id >= 0 && id < ROLES.length ? id + " (" + ROLES[(int) id] + ")" : Long.toString(id);
    }
}
