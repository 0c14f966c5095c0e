package dev.parley.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.server.http.RequestExecutor.Pool;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RequestExecutorTest {

    /** A reader may hold many requests, which must not keep out the redrives of operators, nor peers and probes. */
    @ParameterizedTest
    @EnumSource
    void requestsOfOneKindThatFillTheirQueueKeepOutNoOtherKind(Pool full) throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        List<CompletableFuture<Void>> waiting = new ArrayList<>();
        try (RequestExecutor executor = new RequestExecutor(1, 1)) {
            CompletableFuture<Void> last;
            do {
                last = executor.call(full, () -> {
                    end.await();
                    return null;
                });
                waiting.add(last);
            } while (!last.isCompletedExceptionally() && waiting.size() < 1_000);

            assertThatThrownBy(last::join).hasCauseInstanceOf(ProblemException.class);
            for (Pool other : Pool.values()) {
                if (other != full) {
                    assertThat(executor.call(other, () -> "done").get()).isEqualTo("done");
                }
            }
            end.countDown();
        }
    }
}
