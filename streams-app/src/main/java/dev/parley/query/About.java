package dev.parley.query;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.avro.Protocol;
import dev.parley.avro.Stage;
import dev.parley.topology.ChainPartitions;
import dev.parley.topology.ViewKeys;
import dev.parley.topology.ViewStores;
import io.javalin.http.Context;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apache.kafka.common.utils.Bytes;

/**
 * What a route is about, which says who of several processes answers it. A new route says it in the table of {@link Routes}:
 *
 * <ul>
 *   <li>{@link #CONVERSATION} when its path has {@code {namespace}/{protocol}/{conversation}}, {@link #CONTEXT} when it has
 *       {@code {namespace}/{context}}: the owner of that chain answers, and its {@link Views} have all partitions of it;
 *   <li>a {@link Listed} when it lists a store page by page: every process answers for what it has, and the pages are merged;
 *   <li>{@link #FOUND} when some process may have it, nobody knowing who: each is asked, and all but one answer with a {@link Problem} of status 404;
 *   <li>{@link #WHOLE} when every process has all of it.
 * </ul>
 */
sealed interface About {

    /** A conversation, by its path. */
    About CONVERSATION = new Chain(request -> ChainPartitions.chainOf(
            request.pathParam("namespace"),
            Parameters.oneOf("protocol", request.pathParam("protocol"), List.of(Protocol.values())),
            request.pathParam("conversation")));

    /** A CSP context, by its path. */
    About CONTEXT = new Chain(
            request -> ChainPartitions.chainOfContext(request.pathParam("namespace"), request.pathParam("context")));

    /** Something that stands in the partition of some chain. */
    About FOUND = new Found();

    /** A store that is not partitioned. */
    About WHOLE = new Whole();

    /** The list of conversations. */
    About CONVERSATIONS = new Listed(
            ViewStores.AUDIT,
            item -> ViewKeys.conversation(
                    item.path("namespace").asText(),
                    Protocol.valueOf(item.path("protocol").asText()),
                    item.path("conversation").asText()));

    /** The list of dead letters. */
    About DEAD_LETTERS = new Listed(
            ViewStores.DEAD_LETTERS,
            item -> ViewKeys.deadLetter(
                    Stage.valueOf(item.path("stage").asText()),
                    Optional.ofNullable(item.path("code").textValue()).orElse(""),
                    item.at("/deadLetter/partition").intValue(),
                    item.at("/deadLetter/offset").longValue()));

    /**
     * One chain.
     *
     * @param chain of a request
     */
    record Chain(Function<Context, String> chain) implements About {}

    /**
     * A list in the order of its store's keys, as {@link Scan} pages it: members {@code items} and {@code next}, parameters {@code limit} and {@code cursor}.
     *
     * @param store the store
     * @param key the store's key of an item
     */
    record Listed(String store, Function<JsonNode, Bytes> key) implements About {}

    /** See {@link #FOUND}. */
    record Found() implements About {}

    /** See {@link #WHOLE}. */
    record Whole() implements About {}
}
