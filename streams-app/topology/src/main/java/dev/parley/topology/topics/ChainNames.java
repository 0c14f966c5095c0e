package dev.parley.topology.topics;

import dev.parley.avro.Protocol;
import dev.parley.decode.ConversationKey;

/**
 * The names of a chain as in the views and in the paths of the API.
 *
 * @param conversation the conversation; the input partition for undecodable records
 */
public record ChainNames(String namespace, Protocol protocol, String conversation) {

    /** The names of a chain; those of undecodable records for any other text, such as one of a later version. */
    public static ChainNames of(String chain) {
        return ConversationKey.find(chain)
                .map(key -> new ChainNames(
                        key.namespace().isEmpty() ? ChainPartitioner.NO_NAMESPACE : key.namespace(),
                        key.symbol(),
                        key.nameInViews()))
                .orElseGet(() -> new ChainNames(ChainPartitioner.NO_NAMESPACE, Protocol.UNKNOWN, chain));
    }
}
