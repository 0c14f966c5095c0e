package dev.parley.server.tail;

import dev.parley.avro.Protocol;
import dev.parley.decode.ConversationKey;
import dev.parley.topology.topics.ChainPartitioner;

/**
 * The names of a chain as in the views.
 *
 * @param conversation the conversation; the input partition for undecodable records
 */
public record ChainNames(String namespace, Protocol protocol, String conversation) {

    /** The names of a chain; those of undecodable records for any other text. */
    public static ChainNames of(String chain) {
        try {
            ConversationKey key = ConversationKey.parse(chain);
            return new ChainNames(
                    key.namespace().isEmpty() ? ChainPartitioner.NO_NAMESPACE : key.namespace(),
                    key.symbol(),
                    key.nameInViews());
        } catch (IllegalArgumentException e) {
            return new ChainNames(ChainPartitioner.NO_NAMESPACE, Protocol.UNKNOWN, chain);
        }
    }
}
