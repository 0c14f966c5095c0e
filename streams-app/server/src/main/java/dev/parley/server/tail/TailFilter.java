package dev.parley.server.tail;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.Claims;
import dev.parley.avro.Protocol;
import dev.parley.avro.Verdict;
import dev.parley.codec.Symbols;
import dev.parley.decode.ConversationKey;
import dev.parley.server.auth.MaskingPolicy;
import dev.parley.topology.topics.ChainNames;
import java.util.Optional;

/**
 * Selects audit records; an empty part matches all. Of an undecodable record, the names that it claims match, too.
 *
 * @param namespace namespace as in the views
 * @param conversation ID of the conversation as in the views
 * @param sender sender of the message
 * @param masking decides which claims the caller may see
 */
public record TailFilter(
        Optional<String> namespace,
        Optional<Protocol> protocol,
        Optional<String> conversation,
        Optional<String> sender,
        Optional<Verdict> verdict,
        Optional<String> code,
        MaskingPolicy masking) {

    /** Whether it selects records of a single conversation. */
    public boolean isOneConversation() {
        return namespace.isPresent() && protocol.isPresent() && conversation.isPresent();
    }

    /** Whether a record is selected. */
    public boolean matches(AuditRecord record) {
        return matches(verdict, Symbols.VERDICT.of(record.getVerdict()))
                && matches(code, record.getCode())
                && (matchesNames(record) || matchesClaims(masking.claims(record)));
    }

    private boolean matchesNames(AuditRecord record) {
        ChainNames names = ChainNames.of(record.getChain());
        return matches(namespace, names.namespace())
                && matches(protocol, names.protocol())
                && matches(conversation, names.conversation())
                && matches(
                        sender,
                        record.getMessage() == null ? null : record.getMessage().getSender());
    }

    private boolean matchesClaims(Claims claims) {
        return claims != null
                && matches(namespace, claims.getNamespace())
                && matches(protocol, ConversationKey.symbolOf(claims.getProtocol()))
                && matches(conversation, claims.getConversation())
                && matches(sender, claims.getSender());
    }

    private static <T> boolean matches(Optional<T> wanted, T value) {
        return wanted.isEmpty() || wanted.get().equals(value);
    }
}
