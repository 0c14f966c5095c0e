package dev.parley.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.parley.audit.InputPosition;
import dev.parley.json.model.Conversation;
import dev.parley.logging.LogThrottle;
import dev.parley.server.api.Clusters;
import dev.parley.server.api.HttpTest;
import dev.parley.server.api.Loopback;
import dev.parley.server.api.QueryServer;
import dev.parley.server.api.Samples;
import dev.parley.server.auth.Caller;
import dev.parley.server.cluster.PeerResponse.Failure;
import dev.parley.server.cluster.PeerResponse.Success;
import dev.parley.server.cluster.ViewAnswer.Absent;
import dev.parley.server.cluster.ViewAnswer.Content;
import dev.parley.server.cluster.ViewAnswer.Page;
import dev.parley.server.cluster.ViewAnswer.Refusal;
import dev.parley.server.http.ProblemException;
import dev.parley.topology.views.store.ViewsUnavailableException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.HostInfo;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

/** Responses to callers if a peer does not answer as expected. */
class PeerClientTest extends HttpTest {
    private static final HostInfo PEER = new HostInfo("peer.example", 8080);
    private static final String ONE = "/v1/conversations/default/slip/7";
    private static final String LIST = "/v1/conversations";

    private CompletableFuture<PeerResponse> response;

    @BeforeEach
    void ownNothing() {
        views.failure = new ViewsUnavailableException("Nothing can be read here.", null);
    }

    @Override
    public QueryServer.Components api() {
        QueryServer.Components components = super.api();
        return Loopback.components(
                Optional.of(new DistributedViews(
                        views.views(),
                        Clusters.of(() -> new HostInfo("127.0.0.1", server().port()), () -> PEER),
                        (peer, request, caller, result) -> request.operation().equals("position")
                                ? success(new Absent("", "It is not here."))
                                : response,
                        Duration.ofMillis(300))),
                components.readiness(),
                components.metrics(),
                components.features());
    }

    @ParameterizedTest
    @EnumSource(
            value = PeerResponse.Error.class,
            names = {"POSITION_NOT_VISIBLE"},
            mode = EnumSource.Mode.EXCLUDE)
    void anErrorOfAPeerMakesViewsUnavailableAndNamesThePeer(PeerResponse.Error error) {
        response = CompletableFuture.completedFuture(new Failure(error, "Why."));
        HttpResponse<String> answer = get(ONE);
        problem(answer, ProblemException.Code.VIEWS_UNAVAILABLE);
        assertThat(answer.headers().firstValue("Retry-After")).isPresent();
        assertThat(answer.body()).contains("peer.example:8080");
        if (error != PeerResponse.Error.VIEWS_UNAVAILABLE) {
            assertThat(answer.body()).contains(error.name(), "Why.");
        }
    }

    @Test
    void manyEqualFailuresOfAPeerAreOneLineInTheLog() {
        response = CompletableFuture.completedFuture(new Failure(PeerResponse.Error.FORBIDDEN, "Why."));
        List<String> lines = logged(() -> {
            for (int i = 0; i < 5; i++) {
                problem(get(ONE), ProblemException.Code.VIEWS_UNAVAILABLE);
            }
        });
        assertThat(lines).singleElement().asString().contains("FORBIDDEN", "Why.", "(0 more");
    }

    @Test
    void theNextLineAfterAMinuteCountsTheFailuresBefore() {
        long[] nanos = new long[1];
        response = CompletableFuture.completedFuture(new Failure(PeerResponse.Error.FORBIDDEN, "Why."));
        PeerClient client = new PeerClient(api().views().orElseThrow(), new LogThrottle(() -> nanos[0], 1));
        List<String> lines = logged(() -> {
            for (int i = 0; i < 28; i++) {
                fail(client);
            }
            nanos[0] += Duration.ofMinutes(1).toNanos();
            fail(client);
        });
        assertThat(lines).hasSize(2);
        assertThat(lines.get(1)).contains("(27 more such failures");
    }

    private static void fail(PeerClient client) {
        assertThatThrownBy(() -> PeerClient.join(client.send(
                        PEER, PeerRequest.of("conversation", Map.of()), Caller.ANONYMOUS, Conversation.class)))
                .isInstanceOf(ViewsUnavailableException.class);
    }

    private static List<String> logged(Runnable action) {
        Logger log = (Logger) LoggerFactory.getLogger(PeerClient.class);
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        log.addAppender(lines);
        try {
            action.run();
        } finally {
            log.detachAppender(lines);
        }
        return lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    @Test
    void anUnreadableResponseMakesViewsUnavailable() {
        response = CompletableFuture.failedFuture(
                new PeerProtocolException("Cannot read the response of the peer at peer.example:8080."));
        assertThat(problem(ONE, ProblemException.Code.VIEWS_UNAVAILABLE)
                        .path("detail")
                        .asText())
                .contains("Cannot read the response of the peer at peer.example:8080.");
    }

    @Test
    void aPositionNotVisibleAtThePeerIsNamed() {
        response = CompletableFuture.completedFuture(new Failure(
                PeerResponse.Error.POSITION_NOT_VISIBLE, "Why.", Set.of(new InputPosition("parley.wire", 0, 1))));
        assertThat(problem(
                                get(ONE + "?at-least=parley.wire-0@1&at-least=parley.wire-0@2"),
                                ProblemException.Code.POSITION_NOT_SHOWN)
                        .path("detail")
                        .asText())
                .contains("parley.wire-0@2")
                .doesNotContain("parley.wire-0@1");
    }

    @Test
    void anAnswerOfAnotherKindIsRejected() {
        response = success(new Content(Samples.result()));
        problem(LIST, ProblemException.Code.VIEWS_UNAVAILABLE);
        response = success(new Page(List.of(), Optional.empty()));
        problem("/v1/positions/parley.wire/0/1", ProblemException.Code.VIEWS_UNAVAILABLE);
        problem(ONE, ProblemException.Code.VIEWS_UNAVAILABLE);
        response = success(new Content(null));
        problem(ONE, ProblemException.Code.VIEWS_UNAVAILABLE);
    }

    @Test
    void theResponseOfABuildWithOtherFieldsIsReturnedToTheCaller() throws Exception {
        byte[] encoded = PeerJson.bytes(success(new Content(Samples.result())).join());
        for (byte[] message : List.of(
                encoded,
                OtherBuild.withMoreFields(encoded),
                OtherBuild.without(encoded, "/response", "lags"),
                OtherBuild.without(encoded, "/response/answer/result/Conversation", "lastCode"))) {
            response = CompletableFuture.completedFuture(PeerJson.response(message, Conversation.class));
            assertThat(json(ONE).path("conversation").asText()).isEqualTo("7");
        }
    }

    @Test
    void aProblemOfAPeerIsReturnedToTheCaller() {
        response = success(new Refusal("UNKNOWN_CONVERSATION", "There is none."));
        assertThat(problem(ONE, ProblemException.Code.UNKNOWN_CONVERSATION)
                        .path("detail")
                        .asText())
                .isEqualTo("There is none.");
        response = success(new Refusal("TOO_BUSY", "Later."));
        HttpResponse<String> busy = get(LIST);
        problem(busy, ProblemException.Code.TOO_BUSY);
        assertThat(busy.headers().firstValue("Retry-After")).isPresent();
        response = success(new Refusal("OF_THE_FUTURE", "Nobody knows."));
        problem(ONE, ProblemException.Code.VIEWS_UNAVAILABLE);
    }

    @Test
    void anAttemptReleasesTheMemoryOfThePreviousOne() {
        // Each attempt reserves a twentieth of the heap; all responses together may use an eighth.
        ViewAnswer.Item item = new ViewAnswer.Item(Bytes.wrap(new byte[] {1}), "x".repeat(1 << 20));
        int items = (int) (Runtime.getRuntime().maxMemory() / 20 >> 20);
        response = CompletableFuture.completedFuture(new Success(new ViewResponse(
                new Page(Collections.nCopies(items, item), Optional.empty()),
                new TreeSet<>(),
                new TreeMap<>(),
                Set.of())));
        problem(LIST, ProblemException.Code.VIEWS_UNAVAILABLE);
    }

    private static CompletableFuture<PeerResponse> success(ViewAnswer answer) {
        return CompletableFuture.completedFuture(
                new Success(new ViewResponse(answer, new TreeSet<>(Set.of(0)), new TreeMap<>(), Set.of())));
    }
}
