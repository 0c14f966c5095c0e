package dev.parley.codec.slip;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.avro.SlipAct;
import dev.parley.avro.SlipFrame;
import dev.parley.avro.SlipMessage;
import dev.parley.codec.DecodeOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Builds nSLIP messages.
 *
 * <pre>{@code
 * SlipMessage request = SlipBuilder.of(SlipAct.REQUEST, SlipFrame.TASK, 1, 0, 1, 1).taskId(1).tag("auth").build();
 * }</pre>
 *
 * <p>Slots are in the order of their first call; a second call replaces the value. A value that SLIP v0.1 cannot
 * represent causes an {@link IllegalArgumentException} in the call with it, which names the field and the rule. Null
 * causes a {@link NullPointerException}. A built message decodes to an equal message without warnings under the strict
 * profile or, with {@link #unknownField}, under the lenient one. A builder can build any number of messages and is not
 * thread-safe.
 */
public final class SlipBuilder {
    private static final SlipCodec CODEC = new SlipCodec();

    private final SlipMessage message = new SlipMessage();
    private final StringBuilder slots = new StringBuilder();
    private final List<String> unknownFields = new ArrayList<>();

    private SlipBuilder() {}

    /**
     * Starts a message with its six required header fields, in wire order.
     *
     * @param act speech act; not UNKNOWN
     * @param frame frame type; not UNKNOWN
     * @param conversation conversation ID, 0 or more
     * @param source agent ID of the sender, 0 or more
     * @param destination agent ID of the addressee, 0 or more
     * @param turn turn number in the conversation, 0 or more; the dialogue rules require increasing numbers
     */
    public static SlipBuilder of(
            SlipAct act, SlipFrame frame, long conversation, long source, long destination, long turn) {
        SlipBuilder builder = new SlipBuilder();
        SlipWriter.requireAct(Objects.requireNonNull(act, "act"));
        SlipWriter.requireFrame(Objects.requireNonNull(frame, "frame"));
        builder.message.setAct(act);
        builder.message.setFrame(frame);
        builder.set(SlipField.CONVERSATION, conversation);
        builder.set(SlipField.SOURCE, source);
        builder.set(SlipField.DESTINATION, destination);
        builder.set(SlipField.TURN, turn);
        return builder;
    }

    /** GOAL_ID, slot g: 0 or more. */
    public SlipBuilder goalId(long goalId) {
        return slot(SlipField.GOAL_ID, goalId);
    }

    /** TASK_ID, slot k: 0 or more. */
    public SlipBuilder taskId(long taskId) {
        return slot(SlipField.TASK_ID, taskId);
    }

    /** PARENT_TASK_ID, slot p: 0 or more. */
    public SlipBuilder parentTaskId(long parentTaskId) {
        return slot(SlipField.PARENT_TASK_ID, parentTaskId);
    }

    /** RESULT_ID, slot r: 0 or more. */
    public SlipBuilder resultId(long resultId) {
        return slot(SlipField.RESULT_ID, resultId);
    }

    /** PRIORITY, slot q: 1 to 3. */
    public SlipBuilder priority(long priority) {
        return slot(SlipField.PRIORITY, priority);
    }

    /** SCORE, slot s: 0 to 10. */
    public SlipBuilder score(long score) {
        return slot(SlipField.SCORE, score);
    }

    /** ERROR_CODE, slot e: 0 or more. */
    public SlipBuilder errorCode(long errorCode) {
        return slot(SlipField.ERROR_CODE, errorCode);
    }

    /** STATUS, slot u: at most 256 bytes in UTF-8, without quotes and escapes. */
    public SlipBuilder status(String status) {
        return slot(SlipField.STATUS, status);
    }

    /** TAG, slot t: at most 256 bytes in UTF-8, without quotes and escapes. */
    public SlipBuilder tag(String tag) {
        return slot(SlipField.TAG, tag);
    }

    /**
     * Adds a slot that v0.1 does not define. The strict profile refuses it.
     *
     * @param field prefix and value in wire form, such as {@code x7} or {@code y"text"}
     */
    public SlipBuilder unknownField(String field) {
        SlipWriter.requireUnknownField(field);
        unknownFields.add(field);
        slots.append('?');
        return this;
    }

    /**
     * Builds the message.
     *
     * @throws IllegalArgumentException if it exceeds {@link dev.parley.codec.Limits#DEFAULT}
     */
    public SlipMessage build() {
        message.setSlotOrder(slots.toString());
        message.setUnknownFields(unknownFields);
        return CODEC.verify(message, unknownFields.isEmpty() ? DecodeOptions.STRICT : DecodeOptions.LENIENT);
    }

    private SlipBuilder slot(SlipField field, long number) {
        set(field, number);
        return takesPlace(field);
    }

    private void set(SlipField field, long number) {
        SlipWriter.requireNumber(field, number);
        if (!SlipNumbers.isSpecified(field, number)) {
            throw new IllegalArgumentException(field + ": " + number + " is outside the range of SLIP v0.1");
        }
        SlipNumbers.set(message, field, number);
    }

    private SlipBuilder slot(SlipField field, String text) {
        SlipWriter.requireString(field, text);
        int length = text.getBytes(UTF_8).length;
        if (length > SlipReader.MAX_STRING_BYTES) {
            throw new IllegalArgumentException(
                    field + ": " + length + " bytes; SLIP v0.1 allows at most " + SlipReader.MAX_STRING_BYTES);
        }
        field.set(message, text);
        return takesPlace(field);
    }

    private SlipBuilder takesPlace(SlipField field) {
        if (slots.indexOf(String.valueOf(field.prefix())) < 0) {
            slots.append(field.prefix());
        }
        return this;
    }
}
