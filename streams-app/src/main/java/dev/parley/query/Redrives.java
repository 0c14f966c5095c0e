package dev.parley.query;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.access.Caller;
import dev.parley.topology.Topics;
import io.javalin.http.Context;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers to those who want a dead letter sent again. */
final class Redrives {

    private static final Logger LOG = LoggerFactory.getLogger(Redrives.class);
    private static final List<String> TOPICS = Topics.DEAD_LETTER_STAGES.stream()
            .map(stage -> Topics.deadLetters(stage).name())
            .toList();

    private final Redrive redrive;

    Redrives(Redrive redrive) {
        this.redrive = redrive;
    }

    ObjectNode redrive(Context request) {
        Parameters.of(request);
        String topic = request.pathParam("topic");
        if (!TOPICS.contains(topic)) {
            throw Parameters.invalid("topic", "is none of " + String.join(", ", TOPICS));
        }
        int partition = (int) Parameters.number("partition", request.pathParam("partition"), 0, Integer.MAX_VALUE);
        long offset = Parameters.number("offset", request.pathParam("offset"), 0, Long.MAX_VALUE);
        Caller caller = Gate.caller(request);
        Outcome outcome = redrive.redrive(topic, partition, offset);
        if (outcome instanceof Outcome.Sent sent) {
            LOG.info(
                    "{} sent {}-{}@{} again; it is {}-{}@{} now",
                    caller.name(),
                    topic,
                    partition,
                    offset,
                    sent.topic(),
                    sent.partition(),
                    sent.offset());
            request.status(202);
            ObjectNode answer = Json.object();
            Json.putPlace(answer.putObject("deadLetter"), topic, partition, offset);
            Json.putPlace(answer.putObject("sent"), sent.topic(), sent.partition(), sent.offset());
            return answer;
        }
        Outcome.Failed failed = (Outcome.Failed) outcome;
        LOG.info("{} wanted {}-{}@{} sent again: {}", caller.name(), topic, partition, offset, failed.detail());
        throw problem(failed);
    }

    private static Problem problem(Outcome.Failed failed) {
        if (failed instanceof Outcome.Unknown) {
            return Problem.of(Problem.Code.UNKNOWN_DEAD_LETTER, failed.detail());
        }
        if (failed instanceof Outcome.Refused) {
            return Problem.of(Problem.Code.NOT_REDRIVABLE, failed.detail());
        }
        return Problem.brokersUnavailable(failed.detail());
    }
}
