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
 * Builds nSLIP messages that can be written and read back.
 *
 * <pre>{@code
 * SlipMessage request = SlipBuilder.of(SlipAct.REQUEST, SlipFrame.TASK, 1, 0, 1, 1).taskId(1).tag("auth").build();
 * }</pre>
 *
 * <p>Slots stand in the message in the order of their first call; a second call replaces the value. A value that SLIP v0.1 cannot say is refused
 * where it is given, by an {@link IllegalArgumentException} that names the field and the rule; null by a {@link NullPointerException}. What is
 * built decodes to an equal message under the strict profile, without warnings; with {@link #unknownField}, under the lenient one. A builder can
 * build any number of messages; it is for one thread.
 */
public final class SlipBuilder {
    private static final SlipCodec CODEC = new SlipCodec();

    private final SlipMessage message = new SlipMessage();
    private final StringBuilder slots = new StringBuilder();
    private final List<String> unknownFields = new ArrayList<>();

    private SlipBuilder() {}

    /**
     * A message with its six header fields, which every message has, in the order of the wire.
     *
     * @param act what is said; not UNKNOWN
     * @param frame what it is about; not UNKNOWN
     * @param conversation conversation id, 0 or more
     * @param source agent id of the sender, 0 or more
     * @param destination agent id of the addressee, 0 or more
     * @param turn turn number within the conversation, 0 or more; the judge wants each to be larger than the one before
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

    /** STATUS, slot u: any text of at most 256 bytes in UTF-8, without quotes or escapes around it. */
    public SlipBuilder status(String status) {
        requireShort(SlipField.STATUS, status);
        message.setStatus(status);
        return takesPlace(SlipField.STATUS);
    }

    /** TAG, slot t: any text of at most 256 bytes in UTF-8, without quotes or escapes around it. */
    public SlipBuilder tag(String tag) {
        requireShort(SlipField.TAG, tag);
        message.setTag(tag);
        return takesPlace(SlipField.TAG);
    }

    /**
     * A slot that v0.1 does not define. Readers under the strict profile refuse it.
     *
     * @param field prefix and value as they stand on the wire, such as {@code x7} or {@code y"text"}
     */
    public SlipBuilder unknownField(String field) {
        SlipWriter.requireUnknownField(field);
        unknownFields.add(field);
        slots.append('?');
        return this;
    }

    /**
     * The message.
     *
     * @throws IllegalArgumentException when it is larger than {@link dev.parley.codec.Limits#DEFAULT} allows
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
            throw new IllegalArgumentException(field + ": " + number + " is outside of what SLIP v0.1 specifies");
        }
        SlipNumbers.set(message, field, number);
    }

    private static void requireShort(SlipField field, String text) {
        SlipWriter.requireString(field, text);
        int length = text.getBytes(UTF_8).length;
        if (length > SlipReader.LONGEST_STRING) {
            throw new IllegalArgumentException(field + ": " + length
                    + " bytes; SLIP v0.1 has short strings, of at most " + SlipReader.LONGEST_STRING);
        }
    }

    private SlipBuilder takesPlace(SlipField field) {
        if (slots.indexOf(String.valueOf(field.prefix())) < 0) {
            slots.append(field.prefix());
        }
        return this;
    }
}
