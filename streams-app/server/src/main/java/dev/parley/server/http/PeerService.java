package dev.parley.server.http;

import dev.parley.server.auth.Caller;
import dev.parley.server.cluster.PeerAssertion.Verified;
import dev.parley.server.cluster.PeerAuthenticator;
import dev.parley.server.cluster.PeerEndpoint;
import dev.parley.server.cluster.PeerHeaders;
import dev.parley.server.cluster.PeerRequest;
import dev.parley.server.cluster.ViewQuery;
import dev.parley.server.http.RequestExecutor.Pool;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.eclipse.jetty.server.Request;

/**
 * Answers authenticated peers, with bounded threads and memory.
 *
 * @param authenticator verifies assertions
 * @param endpoint answers requests
 * @param queries finds the query of a request
 * @param executor thread pools; peers have their own
 * @param memory memory of responses
 * @param problems converts failures to problems
 */
public record PeerService(
        PeerAuthenticator authenticator,
        PeerEndpoint endpoint,
        Queries queries,
        RequestExecutor executor,
        ResponseBudget.Memory memory,
        ProblemHandler problems) {

    /** Finds the query of a request; empty if its operation is unknown. */
    public interface Queries {
        Optional<ViewQuery> find(PeerRequest request, Caller caller, ResponseBudget budget);
    }

    /** Answers a request of a peer; the future does not fail. */
    CompletableFuture<byte[]> answer(Request request, Verified peer, byte[] message) {
        ResponseBudget budget = memory.open(request);
        return executor.call(
                        Pool.PEERS,
                        () -> endpoint.answer(
                                message,
                                peer.assertion().caller(),
                                (query, caller) -> queries.find(query, caller, budget)))
                .exceptionally(failure -> {
                    ProblemException problem = problems.problem(failure, "peer", PeerHeaders.PATH);
                    return PeerEndpoint.refusal(problem.code().name(), problem.getMessage());
                });
    }
}
