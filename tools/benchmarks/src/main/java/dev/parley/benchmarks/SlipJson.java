package dev.parley.benchmarks;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.avro.SlipAct;
import dev.parley.avro.SlipFrame;
import dev.parley.avro.SlipMessage;
import java.io.UncheckedIOException;

/**
 * An nSLIP message: {@code
 * {"act":"REQUEST","frame":"TASK","conversation":1,"source":0,"destination":1,"turn":1,"task":1,"tag":"auth"}}.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public final class SlipJson {
    private static final ObjectMapper JSON = new ObjectMapper();

    public SlipAct act;
    public SlipFrame frame;
    public long conversation;
    public long source;
    public long destination;
    public long turn;
    public Long goal;
    public Long task;
    public Long parentTask;
    public Long result;
    public Long priority;
    public Long score;
    public Long error;
    public String status;
    public String tag;

    /** The content of the message. */
    public static SlipJson of(SlipMessage message) {
        SlipJson json = new SlipJson();
        json.act = message.getAct();
        json.frame = message.getFrame();
        json.conversation = message.getConversation();
        json.source = message.getSource();
        json.destination = message.getDestination();
        json.turn = message.getTurn();
        json.goal = message.getGoalId();
        json.task = message.getTaskId();
        json.parentTask = message.getParentTaskId();
        json.result = message.getResultId();
        json.priority = message.getPriority();
        json.score = message.getScore();
        json.error = message.getErrorCode();
        json.status = message.getStatus();
        json.tag = message.getTag();
        return json;
    }

    /** The JSON. */
    byte[] bytes() {
        try {
            return JSON.writeValueAsBytes(this);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }
}
