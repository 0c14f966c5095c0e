package dev.parley.server.tail;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.Protocol;
import dev.parley.avro.Verdict;
import dev.parley.codec.Symbols;
import dev.parley.topology.topics.ChainNames;
import java.util.Optional;

/**
 * Selects audit records; an empty part matches all.
 *
 * @param namespace namespace as in the views
 * @param conversation ID of the conversation as in the views
 * @param sender sender of the message
 */
public record TailFilter(
        Optional<String> namespace,
        Optional<Protocol> protocol,
        Optional<String> conversation,
        Optional<String> sender,
        Optional<Verdict> verdict,
        Optional<String> code) {

    /** Matches every record. */
    public static final TailFilter ALL = new TailFilter(
            Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

    /** Whether it selects records of a single conversation. */
    public boolean isOneConversation() {
        return namespace.isPresent() && protocol.isPresent() && conversation.isPresent();
    }

    /** Whether a record is selected. */
    public boolean matches(AuditRecord record) {
        ChainNames names = ChainNames.of(record.getChain());
        return matches(namespace, names.namespace())
                && matches(protocol, names.protocol())
                && matches(conversation, names.conversation())
                && matches(
                        sender,
                        record.getMessage() == null ? null : record.getMessage().getSender())
                && matches(verdict, Symbols.VERDICT.of(record.getVerdict()))
                && matches(code, record.getCode());
    }

    private static <T> boolean matches(Optional<T> wanted, T value) {
        return wanted.filter(text -> !text.equals(value)).isEmpty();
    }
}
