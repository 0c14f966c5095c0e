package dev.parley.query.api;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.query.http.HttpSecurity;
import dev.parley.query.http.ProblemException;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

class RedriveHandlerTest extends HttpTest {
    private static final Logger LOG = (Logger) LoggerFactory.getLogger(RedriveHandler.class);

    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final List<String> asked = new ArrayList<>();

    @Override
    HttpSecurity security() {
        return Tokens.security();
    }

    @BeforeEach
    void listen() {
        log.start();
        LOG.setLevel(Level.INFO);
        LOG.addAppender(log);
    }

    @AfterEach
    void stopListening() {
        LOG.detachAppender(log);
        LOG.setLevel(null);
    }

    @Test
    void theAnswerHasThePositionOfTheNewInput() {
        answers(new SendResult.Sent("parley.wire.csp", 2, 900));

        HttpResponse<String> response = post("parley.dlq.patch.v1/3/17");

        assertThat(response.statusCode()).as(response.body()).isEqualTo(202);
        JsonNode body = parse(response.body());
        assertThat(body.at("/sent/topic").asText()).isEqualTo("parley.wire.csp");
        assertThat(body.at("/sent/partition").asInt()).isEqualTo(2);
        assertThat(body.at("/sent/offset").asLong()).isEqualTo(900);
        assertThat(body.at("/deadLetter/offset").asLong()).isEqualTo(17);
        assertThat(asked).containsExactly("parley.dlq.patch.v1 3 17");
    }

    @Test
    void theLogNamesCallerAndDeadLetter() {
        answers(new SendResult.Sent("parley.wire", 0, 5));
        post("parley.dlq.decode.v1/0/1");

        assertThat(log.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .containsExactly("token:operator redrove parley.dlq.decode.v1-0@1 to parley.wire-0@5");
    }

    @Test
    void eachCallRedrivesAgain() {
        answers(new SendResult.Sent("parley.wire", 0, 5));
        post("parley.dlq.decode.v1/0/1");
        post("parley.dlq.decode.v1/0/1");

        assertThat(asked).hasSize(2);
    }

    @Test
    void anUnknownDeadLetterIsNotFound() {
        answers(new SendResult.Unknown("There is nothing."));
        problem(post("parley.dlq.decode.v1/0/1"), ProblemException.Code.UNKNOWN_DEAD_LETTER);
        assertThat(log.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .singleElement()
                .asString()
                .startsWith("token:operator requested a redrive of parley.dlq.decode.v1-0@1, which failed");
    }

    @Test
    void aDeadLetterWithoutItsInputPositionIsAConflict() {
        answers(new SendResult.Refused("It does not say."));
        problem(post("parley.dlq.decode.v1/0/1"), ProblemException.Code.NOT_REDRIVABLE);
    }

    @Test
    void whileBrokersAreUnavailableTheResponseHasRetryAfter() {
        answers(new SendResult.Unavailable("The brokers are unavailable."));
        HttpResponse<String> response = post("parley.dlq.decode.v1/0/1");
        problem(response, ProblemException.Code.BROKERS_UNAVAILABLE);
        assertThat(response.headers().firstValue("Retry-After")).isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {"parley.audit.v1", "parley.wire", "__consumer_offsets", "parley.dlq.v1", "x%2F..%2Fy"})
    void aTopicWithoutDeadLettersIsRejectedWithTheAllowedOnes(String topic) {
        answers(new SendResult.Sent("parley.wire", 0, 5));
        assertThat(problem(post(topic + "/0/1"), ProblemException.Code.INVALID_PARAMETER)
                        .path("detail")
                        .asText())
                .contains("parley.dlq.decode.v1", "parley.dlq.internal.v1");
        assertThat(asked).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "-1/1, partition",
        "x/1, partition",
        "2147483648/1, partition",
        "0/-1, offset",
        "0/9223372036854775808, offset"
    })
    void anInvalidPositionIsRejected(String place, String parameter) {
        assertThat(problem(post("parley.dlq.patch.v1/" + place), ProblemException.Code.INVALID_PARAMETER)
                        .path("detail")
                        .asText())
                .startsWith("Parameter " + parameter);
    }

    @Test
    void getDoesNotRedrive() {
        String path = "/v1/dead-letters/parley.dlq.patch.v1/0/1/redrive";
        HttpResponse<String> response = send("GET", path, "Authorization", "Bearer operator");
        problem(response, ProblemException.Code.METHOD_NOT_ALLOWED);
        assertThat(response.headers().firstValue("Allow")).hasValue("POST");
    }

    private void answers(SendResult sendResult) {
        redrive = (topic, partition, offset) -> {
            asked.add(topic + " " + partition + " " + offset);
            return sendResult;
        };
    }

    private HttpResponse<String> post(String place) {
        return send("POST", "/v1/dead-letters/" + place + "/redrive", "Authorization", "Bearer operator");
    }
}
