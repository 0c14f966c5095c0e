package dev.parley.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.access.RateLimit;
import dev.parley.avro.Protocol;
import java.net.http.HttpResponse;
import java.util.Optional;
import org.apache.kafka.common.config.types.Password;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who says to be another process of the deployment proves it, gets the caller's rights and no more, and is not counted. */
class PeersAtTheGateTest extends HttpTest {

    @Override
    Doors doors() {
        Doors tokens = Tokens.doors(new RateLimit(1, 3, 10, () -> 0), Doors.Limits.DEFAULT);
        return new Doors(
                tokens.tls(),
                tokens.authentication(),
                tokens.rate(),
                tokens.limits(),
                Optional.of(new Password("between us")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-", "between", "between us ,", "BETWEEN US"})
    void whoeverDoesNotKnowTheSecretIsRefused(String secret) {
        problem(
                send("GET", "/v1/conversations", "Parley-Peer", secret, "Authorization", "Bearer operator"),
                Problem.Code.PEER_REFUSED);
    }

    @Test
    void aPeerIsNotCountedAndItsCallerIs() {
        for (int time = 0; time < 10; time++) {
            assertThat(ask("Bearer reader").statusCode()).isEqualTo(200);
        }
        for (int time = 0; time < 3; time++) {
            assertThat(send("GET", "/v1/conversations", "Authorization", "Bearer reader")
                            .statusCode())
                    .isEqualTo(200);
        }
        problem(send("GET", "/v1/conversations", "Authorization", "Bearer reader"), Problem.Code.RATE_LIMITED);
    }

    @Test
    void theSecretGivesNoRole() {
        problem(send("GET", "/v1/conversations", "Parley-Peer", "between us"), Problem.Code.TOKEN_MISSING);
        problem(ask("Bearer nobody"), Problem.Code.TOKEN_INVALID);
    }

    @Test
    void aPeerHearsOfWhichPartitionsThePageIs() {
        views.conversations.add(Samples.conversation("default", Protocol.SLIP, "7", 1));

        assertThat(ask("Bearer reader").headers().firstValue("Parley-Peer-Partitions"))
                .hasValue("0");
    }

    private HttpResponse<String> ask(String authorization) {
        return send("GET", "/v1/conversations", "Parley-Peer", "between us", "Authorization", authorization);
    }
}
