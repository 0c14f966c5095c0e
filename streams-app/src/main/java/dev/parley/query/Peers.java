package dev.parley.query;

import dev.parley.access.Caller;
import dev.parley.audit.InputPosition;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.streams.state.HostInfo;

/** The other processes, asked over HTTP. A process that is asked answers for itself and asks nobody. */
public interface Peers {

    /**
     * A question.
     *
     * @param target path and query, as they came, without the parameters that {@link Routing} takes
     * @param caller who asks, so that the same may be seen there
     * @param copies the partitions that may be read from copies; empty for none, so that only the owner answers
     * @param atLeast what must be shown
     */
    record Question(String target, Caller caller, SortedSet<Integer> copies, Set<InputPosition> atLeast) {}

    /**
     * An answer.
     *
     * @param status of HTTP
     * @param headers of HTTP that the caller is to see
     * @param body as it came
     * @param partitions which partitions it is of
     * @param lags of those that were read from copies: how many changes they lacked
     * @param shown what is shown there of what must be
     */
    record Reply(
            int status,
            Map<String, String> headers,
            byte[] body,
            SortedSet<Integer> partitions,
            SortedMap<Integer, Long> lags,
            Set<InputPosition> shown) {}

    /** Asks; the future fails, within a time of the implementation's, when there is no answer. */
    CompletableFuture<Reply> ask(HostInfo peer, Question question);

    /** Nobody else is there. */
    static Peers none() {
        return (peer, question) -> CompletableFuture.failedFuture(
                new IllegalStateException("this process is alone, and was to ask " + peer));
    }
}
