package dev.parley.server.tail;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.Claims;
import dev.parley.avro.Protocol;
import dev.parley.avro.Verdict;
import dev.parley.codec.Symbols;
import dev.parley.decode.ConversationKey;
import dev.parley.server.auth.MaskingPolicy;
import dev.parley.topology.topics.ChainNames;
import dev.parley.topology.views.Views;
import dev.parley.topology.views.read.NamespaceScope;
import java.util.Optional;

/**
 * Selects audit records; an empty part matches all. Of an undecodable record, the names that it claims match, too.
 *
 * @param namespace namespace as in the views
 * @param conversation ID of the conversation as in the views
 * @param sender sender of the message
 * @param masking decides which claims the caller may see
 * @param scope namespaces whose records the caller may see
 */
public record TailFilter(
        Optional<String> namespace,
        Optional<Protocol> protocol,
        Optional<String> conversation,
        Optional<String> sender,
        Optional<Verdict> verdict,
        Optional<String> code,
        MaskingPolicy masking,
        NamespaceScope scope) {

    /** Whether it selects records of a single conversation. */
    public boolean isOneConversation() {
        return namespace.isPresent() && protocol.isPresent() && conversation.isPresent();
    }

    /** Whether a record is selected. */
    public boolean matches(AuditRecord record) {
        return scope.includesChain(record.getChain())
                && Views.selects(verdict, Symbols.VERDICT.of(record.getVerdict()))
                && Views.selects(code, record.getCode())
                && (matchesNames(record) || matchesClaims(masking.claims(record)));
    }

    private boolean matchesNames(AuditRecord record) {
        ChainNames names = ChainNames.of(record.getChain());
        return Views.selects(namespace, names.namespace())
                && Views.selects(protocol, names.protocol())
                && Views.selects(conversation, names.conversation())
                && Views.selects(
                        sender,
                        record.getMessage() == null ? null : record.getMessage().getSender());
    }

    private boolean matchesClaims(Claims claims) {
        return claims != null
                && Views.selects(namespace, claims.getNamespace())
                && Views.selects(protocol, ConversationKey.symbolOf(claims.getProtocol()))
                && Views.selects(conversation, claims.getConversation())
                && Views.selects(sender, claims.getSender());
    }
}
