package dev.parley.decode;

import dev.parley.avro.Source;
import dev.parley.decode.RecordDecodeResult.Undecodable;
import java.util.function.Function;

/**
 * Where a record belongs: to the conversation of its message, or to the chain of its input partition. For the same
 * record, {@link MessageDecoder#decode} returns a message of the same conversation and sender, or an equal decode
 * error.
 */
public sealed interface RecordRoute permits RoutedMessage, Undecodable {

    /**
     * The chain that the record belongs to.
     *
     * @param source input position of the record
     */
    ConversationKey chain(Source source);

    /** Applies the function of the case that this is, and returns its result. */
    <R> R map(Function<RoutedMessage, R> message, Function<Undecodable, R> error);
}
