package dev.parley.query.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.access.Caller;
import dev.parley.query.http.Json;
import dev.parley.query.http.ProblemException;
import dev.parley.query.http.ProblemException.Code;
import dev.parley.query.http.SecurityFilter;
import dev.parley.topology.setup.Topics;
import io.javalin.http.Context;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Handles requests to redrive a dead letter. */
final class RedriveHandler {

    private static final Logger LOG = LoggerFactory.getLogger(RedriveHandler.class);
    private static final List<String> TOPICS = Topics.DEAD_LETTER_STAGES.stream()
            .map(stage -> Topics.deadLetters(stage).name())
            .toList();

    private final Redriver redriver;

    RedriveHandler(Redriver redriver) {
        this.redriver = redriver;
    }

    ObjectNode redrive(Context request) {
        Parameters.of(request);
        String topic = request.pathParam("topic");
        if (!TOPICS.contains(topic)) {
            throw Parameters.invalid("topic", "must be one of " + String.join(", ", TOPICS));
        }
        int partition = (int) Parameters.number("partition", request.pathParam("partition"), 0, Integer.MAX_VALUE);
        long offset = Parameters.number("offset", request.pathParam("offset"), 0, Long.MAX_VALUE);
        Caller caller = SecurityFilter.caller(request);
        SendResult sendResult = redriver.redrive(topic, partition, offset);
        if (sendResult instanceof SendResult.Sent sent) {
            LOG.info(
                    "{} redrove {}-{}@{} to {}-{}@{}",
                    caller.name(),
                    topic,
                    partition,
                    offset,
                    sent.topic(),
                    sent.partition(),
                    sent.offset());
            request.status(202);
            ObjectNode answer = Json.object();
            Json.putPosition(answer.putObject("deadLetter"), topic, partition, offset);
            Json.putPosition(answer.putObject("sent"), sent.topic(), sent.partition(), sent.offset());
            return answer;
        }
        SendResult.Failed failed = (SendResult.Failed) sendResult;
        LOG.info(
                "{} requested a redrive of {}-{}@{}, which failed: {}",
                caller.name(),
                topic,
                partition,
                offset,
                failed.detail());
        throw problem(failed);
    }

    private static ProblemException problem(SendResult.Failed failed) {
        if (failed instanceof SendResult.Unknown) {
            return ProblemException.of(Code.UNKNOWN_DEAD_LETTER, failed.detail());
        }
        if (failed instanceof SendResult.Refused) {
            return ProblemException.of(Code.NOT_REDRIVABLE, failed.detail());
        }
        return ProblemException.brokersUnavailable(failed.detail());
    }
}
