package dev.parley.topology.analytics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.CspDialogue;
import dev.parley.avro.CspTask;
import dev.parley.avro.LambdaDialogue;
import dev.parley.avro.LambdaState;
import dev.parley.avro.LambdaStatement;
import dev.parley.avro.OpenItem;
import dev.parley.avro.SlipDialogue;
import dev.parley.avro.SlipTask;
import dev.parley.avro.SubitDialogue;
import dev.parley.avro.SubitLane;
import dev.parley.avro.Verdict;
import dev.parley.dialogue.ContextView;
import dev.parley.dialogue.ConversationState;
import dev.parley.dialogue.DialogueSettings;
import dev.parley.dialogue.Judge;
import dev.parley.dialogue.Judgement;
import dev.parley.dialogue.lambda.LambdaEvent;
import dev.parley.dialogue.lambda.LambdaSteps;
import dev.parley.protocol.Protocols;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.apache.avro.specific.SpecificRecord;

/**
 * An independent account of open items: judges every message again with {@link Judge}, and compares the dialogue states
 * before and after it. It follows the state of Λ with {@link LambdaSteps}. Tests of the core check both; this oracle
 * uses nothing of {@code dev.parley.items}, which it checks.
 */
final class ItemOracle {
    private static final ContextView NO_CHECKPOINTS = new ContextView() {
        @Override
        public boolean knows(String checkpoint) {
            return true;
        }

        @Override
        public Predicate<String> names(String checkpoint) {
            return name -> false;
        }
    };

    private final Judge judge = Protocols.STANDARD.judge(DialogueSettings.DEFAULT);
    private final Map<String, ConversationState> states = new HashMap<>();
    private final Map<String, Map<String, OpenItem>> open = new HashMap<>();
    private final Map<String, CallOracle> calls = new HashMap<>();

    /** Bytes of all messages by chain and sequence. */
    private final Map<String, Long> bytes = new HashMap<>();

    /** An item that ended with an outcome; its answer has 0 bytes if there is none. */
    record Closed(
            OpenItem item, String outcome, String agent, Duration turnaround, long requestBytes, long responseBytes) {}

    /** The open items by key of their rows. */
    Map<String, OpenItem> open() {
        Map<String, OpenItem> all = new TreeMap<>();
        open.forEach((chain, items) -> items.values().forEach(item -> all.put(chain + "|" + item.getSequence(), item)));
        calls.forEach((chain, open) -> open.open().forEach(item -> all.put(chain + "|" + item.getSequence(), item)));
        return all;
    }

    /** Judges the message of a record again; returns the items that it answers. */
    List<Closed> add(AuditRecord audit) {
        AgentMessage message = audit.getMessage();
        if (message == null) {
            return List.of();
        }
        String chain = audit.getChain();
        if (message.getMcp() != null) {
            return calls.computeIfAbsent(chain, any -> new CallOracle()).add(audit);
        }
        bytes.put(chain + "|" + audit.getSequence(), (long) message.getRaw().remaining());
        ConversationState before = states.getOrDefault(chain, ConversationState.NEW);
        Judgement judgement = judge.judge(before, message, List.of(), List.of(), NO_CHECKPOINTS);
        boolean accepted = audit.getVerdict().equals("ACCEPTED");
        // What the decoder or the checkpoints rejected does not change the dialogue.
        boolean judged = accepted || judgement.verdict() != Verdict.ACCEPTED;
        ConversationState after = judged ? judgement.next() : before;
        assertThat(judgement.verdict() == Verdict.ACCEPTED || !accepted)
                .as("%s is legal again", message.getMessageId())
                .isTrue();
        states.put(chain, after);
        Map<String, OpenItem> items = open.computeIfAbsent(chain, key -> new LinkedHashMap<>());
        List<Closed> closed = new ArrayList<>();
        if (accepted) {
            SpecificRecord from = before.dialogue().state();
            SpecificRecord to = after.dialogue().state();
            if (message.getSlip() != null) {
                slip((SlipDialogue) from, (SlipDialogue) to, audit, items, closed);
            } else if (message.getSubit() != null) {
                subit((SubitDialogue) to, audit, items, closed);
            } else if (message.getCsp() != null) {
                csp((CspDialogue) from, (CspDialogue) to, audit, items, closed);
            } else {
                lambda((LambdaDialogue) from, audit, items, closed);
            }
        }
        return closed;
    }

    private void slip(
            SlipDialogue from, SlipDialogue to, AuditRecord audit, Map<String, OpenItem> items, List<Closed> closed) {
        Map<String, String> before = new HashMap<>();
        if (from != null) {
            for (SlipTask task : from.getTasks()) {
                before.put(String.valueOf(task.getTask()), task.getState().name());
            }
        }
        for (SlipTask task : to.getTasks()) {
            String id = String.valueOf(task.getTask());
            String now = task.getState().name();
            if (now.equals(before.get(id))) {
                continue;
            }
            String outcome = Map.of("REPORTED", "RESULT", "REJECTED", "REFUSED", "ERRORED", "FAILED")
                    .get(now);
            if (outcome != null) {
                close(id, outcome, audit, items, closed);
            } else if (now.equals("REQUESTED")) {
                AgentMessage message = audit.getMessage();
                open(id, "TASK", task.getTask() == null ? null : id, recipients(message), audit, items);
            }
        }
    }

    private void csp(
            CspDialogue from, CspDialogue to, AuditRecord audit, Map<String, OpenItem> items, List<Closed> closed) {
        Map<String, String> before = new HashMap<>();
        if (from != null) {
            for (CspTask task : from.getTasks()) {
                before.put(task.getId(), task.getState().name());
            }
        }
        for (CspTask task : to == null ? List.<CspTask>of() : to.getTasks()) {
            String now = task.getState().name();
            if (now.equals(before.get(task.getId()))) {
                continue;
            }
            String outcome = Map.of("DONE", "RESULT", "FAILED", "FAILED", "ERRORED", "FAILED")
                    .get(now);
            if (outcome != null) {
                close(task.getId(), outcome, audit, items, closed);
            } else if (now.equals("OPEN")) {
                String agent = task.getOwner() == null ? task.getRecipient() : task.getOwner();
                String kind = audit.getMessage().getPerformative().equals("ASK") ? "QUERY" : "TASK";
                open(task.getId(), kind, task.getId(), agent, audit, items);
            }
        }
    }

    private void subit(SubitDialogue to, AuditRecord audit, Map<String, OpenItem> items, List<Closed> closed) {
        Set<String> lanes = new java.util.HashSet<>();
        for (SubitLane lane : to.getLanes()) {
            lanes.add(String.valueOf(lane.getAgent()));
            if (!items.containsKey(String.valueOf(lane.getAgent()))) {
                String agent = lane.getAgent();
                items.put(String.valueOf(agent), item("CYCLE", null, agent, null, audit));
            }
        }
        String type = audit.getMessage().getSubit().getType().name();
        String sender = String.valueOf(audit.getMessage().getSender());
        for (String agent : List.copyOf(items.keySet())) {
            if (!lanes.contains(agent)) {
                if (type.equals("ACTION")) {
                    close(agent, "RESULT", audit, items, closed);
                } else if (type.equals("ERROR") && agent.equals(sender)) {
                    close(agent, "FAILED", audit, items, closed);
                } else {
                    items.remove(agent);
                }
            }
        }
    }

    private void lambda(LambdaDialogue from, AuditRecord audit, Map<String, OpenItem> items, List<Closed> closed) {
        LambdaState state = from == null ? LambdaState.IDLE : from.getState();
        AgentMessage message = audit.getMessage();
        String sender = String.valueOf(message.getSender());
        for (LambdaStatement statement : message.getLambda().getStatements()) {
            List<String> others = new ArrayList<>(items.keySet());
            others.remove(sender);
            String pending = null;
            for (String other : others) {
                boolean isOffer = items.get(other).getKind().equals("OFFER");
                if (isOffer ? state != LambdaState.Q_PEND : state == LambdaState.Q_PEND) {
                    pending = other;
                }
            }
            boolean answers = state == LambdaState.OFF_PEND || state == LambdaState.Q_PEND;
            boolean clarified = state == LambdaState.CLARIFY || state == LambdaState.CTX_PEND;
            String outcome = switch (statement.getKind()) {
                case AGREE -> state == LambdaState.OFF_PEND || clarified ? "RESULT" : null;
                case ACK, ACK_URGENT -> state == LambdaState.OFF_PEND ? "RESULT" : null;
                case DISAGREE, COUNTER -> answers ? "REFUSED" : null;
                case ERROR -> answers ? "FAILED" : null;
                default -> null;
            };
            if (outcome != null && pending != null) {
                close(pending, outcome, audit, items, closed);
            }
            switch (statement.getKind()) {
                case ASSERT, SUPPOSE -> {
                    for (String other : others) {
                        if (items.get(other).getKind().equals("QUESTION")) {
                            close(other, "RESULT", audit, items, closed);
                        }
                    }
                }
                case ASK, OFFER, COUNTER -> {
                    items.remove(sender);
                    String kind = statement.getKind().name().equals("ASK") ? "QUESTION" : "OFFER";
                    items.put(sender, item(kind, message.getLambda().getId(), recipients(message), sender, audit));
                }
                default -> {
                    // Neither opens nor answers.
                }
            }
            LambdaEvent event = switch (statement.getKind()) {
                case ASK -> LambdaEvent.Q;
                case ASSERT, SUPPOSE -> LambdaEvent.A;
                case COMMAND -> LambdaEvent.C;
                case OFFER -> LambdaEvent.OFF;
                case ACK, ACK_URGENT -> LambdaEvent.ACK;
                case AGREE -> LambdaEvent.AGR;
                case DISAGREE -> LambdaEvent.DIS;
                case COUNTER -> LambdaEvent.CNT;
                case CLARIFY -> LambdaEvent.CLR;
                case ERROR -> LambdaEvent.ERR;
                default -> null;
            };
            state = event == null ? state : LambdaSteps.after(state, event);
            if (event != null && state == LambdaState.IDLE) {
                items.values().removeIf(item -> item.getKind().equals("OFFER"));
            }
        }
    }

    private static void open(
            String key, String kind, String id, String agent, AuditRecord audit, Map<String, OpenItem> items) {
        items.computeIfAbsent(
                key, absent -> item(kind, id, agent, audit.getMessage().getSender(), audit));
    }

    static OpenItem item(String kind, String id, String agent, String requester, AuditRecord audit) {
        AgentMessage message = audit.getMessage();
        return new OpenItem(
                message.getNamespace(),
                message.getProtocol(),
                message.getConversation(),
                audit.getSequence(),
                kind,
                id,
                null,
                agent,
                Objects.equals(requester, "null") ? null : requester,
                audit.getSource().getTimestamp());
    }

    private void close(
            String key, String outcome, AuditRecord audit, Map<String, OpenItem> items, List<Closed> closed) {
        OpenItem item = items.remove(key);
        if (item != null) {
            Instant now = audit.getSource().getTimestamp();
            closed.add(new Closed(
                    item,
                    outcome,
                    audit.getMessage().getSender(),
                    Duration.between(item.getSince(), now),
                    bytes.get(audit.getChain() + "|" + item.getSequence()),
                    audit.getMessage().getRaw().remaining()));
        }
    }

    private static String recipients(AgentMessage message) {
        return message.getRecipients().isEmpty() ? null : String.join(",", message.getRecipients());
    }
}
