package dev.parley.dialogue.mcp;

import static dev.parley.avro.CaptureDirection.CLIENT_TO_SERVER;
import static dev.parley.avro.CaptureDirection.SERVER_TO_CLIENT;
import static dev.parley.dialogue.mcp.McpMethods.INITIALIZE;

import dev.parley.avro.Capture;
import dev.parley.avro.CaptureDirection;
import dev.parley.avro.CaptureMark;
import dev.parley.avro.McpDialogue;
import dev.parley.avro.McpItem;
import dev.parley.avro.McpItemKind;
import dev.parley.avro.McpItemState;
import dev.parley.avro.McpMessage;
import dev.parley.avro.McpPhase;
import dev.parley.codec.Warnings;
import dev.parley.dialogue.OlderItems;
import dev.parley.dialogue.RememberedItems;
import dev.parley.dialogue.RememberedItems.Found;
import dev.parley.dialogue.RememberedItems.Items;
import dev.parley.dialogue.RememberedItems.Touch;
import dev.parley.dialogue.RuleContext;
import dev.parley.dialogue.RuleResult;
import dev.parley.dialogue.StoredText;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;

/**
 * A session while one message is judged: its state, what its capture allows to decide, and the rules that the message
 * breaks. Changes the state; used once.
 */
final class McpSession {
    private final McpDialogue state;
    private final boolean isNew;
    private final RememberedItems<McpItem> remembered;
    private final int maxItems;
    private final RuleContext context;
    private final Capture capture;
    private Items<McpItem> items;
    private boolean olderChanged;

    private final Warnings warnings = new Warnings();
    private McpRule violated;
    private McpRule warned;
    private String detail;

    McpSession(
            McpDialogue before,
            Capture capture,
            RuleContext context,
            RememberedItems<McpItem> remembered,
            int maxItems) {
        this.isNew = before == null;
        this.state = isNew
                ? new McpDialogue(false, McpPhase.NONE, null, List.of(), List.of(), false, false, false, List.of())
                : copy(before);
        this.context = context;
        this.remembered = remembered;
        this.maxItems = maxItems;
        this.capture = capture;
        items = new Items<>(state.getItems(), context.olderItems());
    }

    /**
     * Returns the result.
     *
     * @param otherwise the rule that decides if none is broken
     */
    RuleResult<McpDialogue> result(McpRule otherwise) {
        state.setItems(items.recent());
        OlderItems older = olderChanged ? items.older() : null;
        McpRule deciding = violated != null ? violated : warned != null ? warned : otherwise;
        return new RuleResult<>(
                violated == null ? null : violated.code(), warnings.codes(), deciding.rule(), state, older);
    }

    McpDialogue state() {
        return state;
    }

    Capture capture() {
        return capture;
    }

    /** Sequence of the message's audit record. */
    long sequence() {
        return context.sequence();
    }

    /** What the first broken rule expects; null if none is broken, or the code says it. */
    String detail() {
        return detail;
    }

    // Items

    void forget(Predicate<McpItem> forgotten) {
        Items<McpItem> after = remembered.without(items, forgotten);
        olderChanged |= after.older() != null;
        items = after.older() == null ? new Items<>(after.recent(), items.older()) : after;
    }

    static String key(CaptureDirection direction, String json) {
        return StoredText.key(direction + " " + McpJson.canonical(json));
    }

    static String requestKey(CaptureDirection direction, String exchange, String id) {
        String text = direction + " " + Objects.requireNonNullElse(exchange, "") + " " + McpJson.canonical(id);
        return "r." + StoredText.key(text);
    }

    String exchange() {
        return capture == null ? null : capture.getExchange();
    }

    /** The request with an ID: that of the exchange of this message, otherwise the latest open one, or the latest. */
    McpItem request(CaptureDirection direction, String id) {
        Found<McpItem> own = find(requestKey(direction, exchange(), id));
        if (own.item() != null || isStdio()) {
            return own.item();
        }
        String hash = key(direction, id);
        McpItem open = latest(
                item -> item.getKind() == McpItemKind.REQUEST && item.getHash().equals(hash) && isOpen(item));
        return open != null
                ? open
                : latest(item ->
                        item.getKind() == McpItemKind.REQUEST && item.getHash().equals(hash));
    }

    McpItem latest(Predicate<McpItem> wanted) {
        for (int i = items.recent().size() - 1; i >= 0; i--) {
            if (wanted.test(items.recent().get(i))) {
                return items.recent().get(i);
            }
        }
        return null;
    }

    Found<McpItem> find(String key) {
        return remembered.find(latest(item -> item.getKey().equals(key)), items.older(), () -> key);
    }

    Found<McpItem> found(McpItem item) {
        return find(item.getKey());
    }

    void change(McpItem item, McpItemState state) {
        McpItem after = copy(item);
        after.setState(state);
        touch(found(item), after);
    }

    void touch(Found<McpItem> found, McpItem item) {
        replace(remembered.touch(items, found, item, context.sequence()));
    }

    void touch(List<Touch<McpItem>> touches) {
        replace(remembered.touch(items, touches, context.sequence()));
    }

    private void replace(Items<McpItem> after) {
        olderChanged |= after.older() != null;
        items = after.older() == null ? new Items<>(after.recent(), items.older()) : after;
    }

    static McpDialogue copy(McpDialogue dialogue) {
        return new McpDialogue(
                dialogue.getComplete(),
                dialogue.getPhase(),
                dialogue.getVersion(),
                dialogue.getClient(),
                dialogue.getServer(),
                dialogue.getLegacyClient(),
                dialogue.getModernClient(),
                dialogue.getModernServer(),
                dialogue.getItems());
    }

    static McpItem copy(McpItem item) {
        return new McpItem(
                item.getKind(),
                item.getKey(),
                item.getHash(),
                item.getMethod(),
                item.getState(),
                item.getExchange(),
                item.getModern(),
                item.getToken(),
                item.getProgress(),
                item.getDetail(),
                item.getTool(),
                item.getOutputSchema(),
                item.getSequence());
    }

    static boolean isOpen(McpItem item) {
        return item.getState() == McpItemState.OPEN;
    }

    // What is known

    CaptureMark mark() {
        return capture == null ? CaptureMark.NONE : capture.getMark();
    }

    /** Whether all messages of the session were captured in their order. */
    boolean isExact() {
        return state.getComplete() && isStdio();
    }

    boolean isStdio() {
        return capture != null && capture.getDirection() != CaptureDirection.UNKNOWN && !isHttp();
    }

    boolean isHttp() {
        return capture != null
                && (capture.getExchange() != null
                        || capture.getHttpMethod() != null
                        || capture.getHttpStatus() != null);
    }

    /** Whether this message is the first one of the conversation. */
    boolean isNew() {
        return isNew;
    }

    /** Whether this message and that of the request came on one stream, so that their order is known. */
    boolean isOrdered(McpItem request) {
        return isExact() || state.getComplete() && exchange() != null && isInExchangeOf(request);
    }

    /** Whether this message is of the exchange of a request; over stdio, there is none. */
    boolean isInExchangeOf(McpItem request) {
        return Objects.equals(exchange() == null ? null : StoredText.key(exchange()), request.getExchange());
    }

    /** Whether the exchange of this message is that of a request of 2026-07-28. */
    boolean isInModernExchange() {
        String hash = exchange() == null ? null : StoredText.key(exchange());
        return hash != null && latest(item -> item.getModern() && hash.equals(item.getExchange())) != null;
    }

    boolean hasOlderItems() {
        return items.older().count() > 0;
    }

    /** Whether requests may have been forgotten. */
    boolean isFull() {
        return items.recent().size() + items.older().count() >= maxItems / 2;
    }

    boolean isAtLeast(String version) {
        return state.getVersion() != null && state.getVersion().compareTo(version) >= 0;
    }

    /** Whether a request is of 2026-07-28: by its body, or by its header of HTTP, which then lacks its counterpart. */
    boolean isModern(McpMessage message) {
        String method = message.getMessage().getMethod();
        boolean isModern = message.getProtocolVersion() != null
                || McpHeaders.MODERN.equals(versionHeader()) && !McpHeaders.MODERN.equals(state.getVersion());
        return isModern && method != null && !method.equals(INITIALIZE);
    }

    /** Whether a request carries a version that the specification does not define, such as a later one. */
    boolean isForeign(McpMessage message) {
        String version = message.getProtocolVersion();
        return isModern(message) && version != null && !version.equals(McpHeaders.MODERN);
    }

    /** The version that defines what a message of a model has; null if the specification does not define it. */
    String versionOf(boolean isModern) {
        if (isModern) {
            return McpHeaders.MODERN;
        }
        String version = state.getVersion() == null && isAnswered() ? null : McpHeaders.OLDEST;
        if (state.getComplete() && state.getVersion() != null) {
            version = state.getVersion();
        }
        // Without the header, it is of 2025-03-26 at most, and perhaps of another client with this conversation.
        String header = Objects.requireNonNullElse(versionHeader(), McpHeaders.LAST_WITHOUT_HEADER);
        return version == null || !isPost() || header.compareTo(version) >= 0 ? version : header;
    }

    boolean isPost() {
        return capture != null && "POST".equals(capture.getHttpMethod());
    }

    /** The version by the header of a POST request; null without one. */
    String versionHeader() {
        return isPost() ? McpHeaders.field(capture, "mcp-protocol-version") : null;
    }

    /** Whether other clients may have sessions in this conversation, whose handshakes were captured. */
    boolean mayBeShared() {
        return !isStdio() && state.getComplete();
    }

    boolean isAnswered() {
        return state.getPhase() == McpPhase.INITIALIZED || state.getPhase() == McpPhase.READY;
    }

    /** Whether capabilities and version are known: each handshake was captured, and nothing was missed since. */
    boolean hasHandshake() {
        return state.getComplete() && isAnswered() && state.getVersion() != null && !isInitializing();
    }

    /** Whether a request {@code initialize} is open. */
    boolean isInitializing() {
        return latest(item -> INITIALIZE.equals(item.getMethod()) && isOpen(item)) != null;
    }

    static CaptureDirection opposite(CaptureDirection direction) {
        return direction == CLIENT_TO_SERVER ? SERVER_TO_CLIENT : CLIENT_TO_SERVER;
    }

    // Findings

    void require(McpRule rule, String start, List<McpMethods.Member> required, Map<String, String> members) {
        String missing = McpMethods.missing(required, members, McpHeaders.isMasked(capture));
        if (missing != null) {
            violate(rule, start + missing + '.');
        }
    }

    void violate(McpRule rule, String expected) {
        if (violated == null) {
            violated = rule;
            detail = expected;
        }
    }

    void warn(McpRule rule) {
        warn(rule, null);
    }

    /** Notes a warning, and what is unusual if the code does not say it. */
    void warn(McpRule rule, String remark) {
        warnings.add(rule.code());
        if (warned == null) {
            warned = rule;
        }
        if (detail == null) {
            detail = remark;
        }
    }
}
