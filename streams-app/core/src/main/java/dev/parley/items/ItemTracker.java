package dev.parley.items;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.TrackedItem;
import dev.parley.avro.TrackedItems;
import dev.parley.avro.Verdict;
import dev.parley.codec.Symbols;
import dev.parley.dialogue.Judge;
import dev.parley.dialogue.StoredText;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Follows the open items of a conversation through its audit records, in their order. Only accepted messages open and
 * close items, unless the protocol includes violations. Items close without a result when their dialogue or task has
 * been idle, as in the dialogue rules. Pure and thread-safe.
 *
 * @param rules rules of the protocol of a message
 * @param idleMs idle time after which an item closes, in milliseconds: that of the dialogue rules
 */
public record ItemTracker(Function<AgentMessage, ItemRules> rules, long idleMs) {
    /** Maximum number of open items of one conversation; beyond it, the oldest is dropped. */
    public static final int MAX_ITEMS = 100;

    /** Maximum length of an ID or name; of a longer one, only the hash is kept. */
    public static final int MAX_TEXT = 256;

    /** Returns whether a record may open an item, so that it matters to a conversation without any. */
    public boolean mayOpen(AuditRecord audit) {
        ItemRules protocol = audit.getMessage() == null ? ItemRules.NONE : rules.apply(audit.getMessage());
        return protocol != ItemRules.NONE
                && (protocol.includesViolations() && !Judge.isUnapplied(audit)
                        || Symbols.VERDICT.of(audit.getVerdict()) == Verdict.ACCEPTED);
    }

    /**
     * Follows one audit record with a message.
     *
     * @param before items of its conversation before it; null if none are open; may be changed
     * @param time time of the record, in milliseconds since the epoch
     * @return items after it; null if none are open
     */
    public TrackedItems follow(TrackedItems before, AuditRecord audit, long time, ItemListener listener) {
        ItemRules protocol = rules.apply(audit.getMessage());
        OpenItems items = new OpenItems(before == null ? List.of() : before.getItems(), audit, time, listener);
        long lastActivity = before == null ? time : before.getLastActivity();
        String state = before == null ? null : before.getState();
        boolean isIdle = lastActivity < time - idleMs;
        items.endIf(item -> isIdle || protocol.areIdleAlone() && item.getLastActivity() < time - idleMs);
        if (mayOpen(audit)) {
            state = protocol.follow(items, audit, isIdle ? null : state);
        }
        return items.all().isEmpty() ? null : new TrackedItems(Math.max(lastActivity, time), state, items.all());
    }

    /** Replaces all texts by their hashes, after a redaction in the conversation. */
    public static TrackedItems redacted(TrackedItems before) {
        List<TrackedItem> items = new ArrayList<>(before.getItems().size());
        for (TrackedItem item : before.getItems()) {
            items.add(TrackedItem.newBuilder(item)
                    .setItem(StoredText.hash(item.getItem()))
                    .setName(StoredText.hash(item.getName()))
                    .setAgent(StoredText.hash(item.getAgent()))
                    .setRequester(StoredText.hash(item.getRequester()))
                    .build());
        }
        return new TrackedItems(before.getLastActivity(), before.getState(), items);
    }

    /** Returns a stored text for a row; null if only its hash is kept. */
    public static String shown(String stored) {
        return StoredText.isHash(stored) ? null : stored;
    }

    /** Returns the recipients of a message, separated by commas; null if it names none. */
    static String recipients(AgentMessage message) {
        if (message.getRecipients().isEmpty()) {
            return null;
        }
        StringBuilder names = new StringBuilder();
        for (String recipient : message.getRecipients()) {
            names.append(names.isEmpty() ? "" : ",").append(recipient);
            if (names.length() > MAX_TEXT) {
                break;
            }
        }
        return names.toString();
    }
}
