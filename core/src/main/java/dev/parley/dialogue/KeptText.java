package dev.parley.dialogue;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.avro.CspDialogue;
import dev.parley.avro.CspTask;
import dev.parley.avro.DialogueState;
import dev.parley.avro.LambdaDefined;
import dev.parley.avro.LambdaDialogue;
import dev.parley.avro.LambdaPending;
import dev.parley.avro.SubitDialogue;
import dev.parley.avro.SubitLane;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/**
 * A text of a message, to be compared with what dialogue state keeps of earlier messages. The rules never need such a text but for comparison, so the state of a conversation
 * in which something was redacted keeps hashes instead of texts, and every later verdict is the same. A text that looks like such a hash is kept as its own hash, so that no
 * agent can pass for another.
 */
final class KeptText {
    private static final String MARK = "\0sha256:";

    private final String text;
    private String sealed;

    /**
     * A text of the message at hand.
     *
     * @param text the text; null matches null alone
     */
    KeptText(String text) {
        this.text = text;
    }

    /** The text as state keeps it. */
    static String keep(String text) {
        return isSealed(text) ? hash(text) : text;
    }

    /** A comma-separated list as state keeps it. */
    static String keepList(String list) {
        return isSealed(list) ? hashEach(list) : list;
    }

    /** Whether state keeps this text. */
    boolean matches(String kept) {
        if (!isSealed(kept)) {
            return text == null ? kept == null : text.equals(kept);
        }
        return text != null && kept.equals(sealed());
    }

    /** Whether a comma-separated list that state keeps has this text as a member. */
    boolean isIn(String keptList) {
        return CspNames.lists(keptList, isSealed(keptList) ? sealed() : text);
    }

    /** Whether a comma-separated list of the message at hand has a member that state keeps. */
    static boolean lists(String list, String kept) {
        return CspNames.lists(isSealed(kept) ? hashEach(list) : list, kept);
    }

    /** The text's hash, in the form in which state keeps it. */
    private String sealed() {
        if (sealed == null) {
            sealed = hash(text);
        }
        return sealed;
    }

    /** The key of this text in a map by kept texts: as a hash where only the hash is there. */
    String keyIn(Map<String, ?> byKept, boolean anySealed) {
        String plain = keep(text);
        return anySealed && !byKept.containsKey(plain) && byKept.containsKey(sealed()) ? sealed() : plain;
    }

    static boolean isSealed(String kept) {
        return kept != null && kept.startsWith(MARK);
    }

    /** The state with hashes in place of every text that came from a message; verdicts on later messages are the same. */
    static DialogueState sealed(DialogueState state) {
        return Dialogues.with(
                state, state.getSlip(), sealed(state.getSubit()), sealed(state.getCsp()), sealed(state.getLambda()));
    }

    private static SubitDialogue sealed(SubitDialogue subit) {
        return subit == null
                ? null
                : new SubitDialogue(
                        subit.getState(),
                        seal(subit.getAgent()),
                        subit.getLanes().stream()
                                .map(lane -> new SubitLane(seal(lane.getAgent()), lane.getOpen()))
                                .toList());
    }

    private static CspDialogue sealed(CspDialogue csp) {
        return csp == null
                ? null
                : new CspDialogue(csp.getTasks().stream().map(KeptText::sealed).toList());
    }

    private static CspTask sealed(CspTask task) {
        return new CspTask(
                seal(task.getId()),
                task.getState(),
                seal(task.getGiver()),
                isSealed(task.getRecipient()) ? task.getRecipient() : hashEach(task.getRecipient()),
                seal(task.getOwner()),
                task.getAccepted(),
                task.getLastActivity());
    }

    private static LambdaDialogue sealed(LambdaDialogue lambda) {
        if (lambda == null) {
            return null;
        }
        List<LambdaPending> pending = lambda.getPending().stream()
                .map(item -> new LambdaPending(
                        seal(item.getSender()), item.getOpened(), seal(item.getId()), item.getRelayed()))
                .toList();
        List<LambdaDefined> definitions = lambda.getDefinitions().stream()
                .map(defined ->
                        new LambdaDefined(seal(defined.getName()), seal(defined.getValue()), defined.getSequence()))
                .toList();
        return new LambdaDialogue(
                lambda.getState(),
                pending,
                lambda.getFloorHeld(),
                seal(lambda.getFloorHolder()),
                lambda.getErrors(),
                definitions);
    }

    private static String seal(String kept) {
        return kept == null || isSealed(kept) ? kept : hash(kept);
    }

    /** Each member of a comma-separated list as its hash, without the blanks around it. */
    private static String hashEach(String list) {
        StringBuilder hashes = new StringBuilder();
        int start = 0;
        while (start <= list.length()) {
            int end = CspNames.endOfMember(list, start);
            int from = CspNames.skipBlanks(list, start, end);
            int to = CspNames.dropBlanks(list, from, end);
            hashes.append(start == 0 ? "" : ",").append(hash(list.substring(from, to)));
            start = end + 1;
        }
        return hashes.toString();
    }

    private static String hash(String text) {
        try {
            MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
            return MARK + HexFormat.of().formatHex(sha256.digest(text.getBytes(UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
