package dev.parley.codec.slip;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.SlipAct;
import dev.parley.avro.SlipFrame;
import dev.parley.avro.SlipMessage;
import dev.parley.codec.BuilderContract;
import dev.parley.codec.NoNulls;
import dev.parley.codec.WireCodec;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

class SlipBuilderTest extends BuilderContract<SlipBuilder, SlipMessage> {
    private final SlipCodec codec = new SlipCodec();

    @Override
    protected WireCodec<SlipMessage> codec() {
        return codec;
    }

    @Override
    protected SlipBuilder start(Random random) {
        SlipAct[] acts = SlipAct.values();
        SlipFrame[] frames = SlipFrame.values();
        return SlipBuilder.of(
                acts[random.nextInt(acts.length)],
                frames[random.nextInt(frames.length)],
                Math.abs(number(random)),
                Math.abs(number(random)),
                random.nextInt(4),
                number(random));
    }

    @Override
    protected void call(SlipBuilder builder, Random random) {
        switch (random.nextInt(10)) {
            case 0 -> builder.goalId(number(random));
            case 1 -> builder.taskId(number(random));
            case 2 -> builder.parentTaskId(number(random));
            case 3 -> builder.resultId(number(random));
            case 4 -> builder.priority(number(random));
            case 5 -> builder.score(number(random));
            case 6 -> builder.errorCode(number(random));
            case 7 -> builder.status(text(random));
            case 8 -> builder.tag(text(random));
            default -> builder.unknownField(random.nextBoolean() ? "x" + random.nextInt(9) : text(random));
        }
    }

    @Override
    protected SlipBuilder completed(SlipBuilder builder) {
        return builder;
    }

    @Override
    protected SlipMessage build(SlipBuilder builder) {
        return builder.build();
    }

    @Override
    protected boolean isLenientOnly(SlipMessage message) {
        return !message.getUnknownFields().isEmpty();
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "UNKNOWN")
    void everyActIsBuiltWithEveryFrame(SlipAct act) {
        for (SlipFrame frame : SlipFrame.values()) {
            if (frame != SlipFrame.UNKNOWN) {
                SlipMessage message = SlipBuilder.of(act, frame, 1, 2, 3, 4).build();
                assertThat(message.getAct()).isEqualTo(act);
                assertThat(message.getFrame()).isEqualTo(frame);
                requireRoundTrip(message);
            }
        }
    }

    @Test
    void slotsKeepTheOrderOfTheCalls() {
        SlipMessage message = SlipBuilder.of(SlipAct.REQUEST, SlipFrame.TASK, 3, 0, 1, 62)
                .tag("a|\"b\"")
                .status("")
                .errorCode(7)
                .score(10)
                .priority(3)
                .resultId(6)
                .parentTaskId(5)
                .taskId(4)
                .goalId(3)
                .unknownField("y\"z\"")
                .build();

        assertThat(new String(codec.encode(message), UTF_8))
                .isEqualTo("@a3|f0|c3|S0|d1|T10|t\"a|\\\"b\\\"\"|u\"\"|e7|sA|q3|r6|p5|k4|g3|y\"z\"#");
    }

    @Test
    void aSecondCallReplacesTheValueInPlace() {
        SlipMessage message = request().taskId(1).priority(1).taskId(2).build();

        assertThat(message.getTaskId()).isEqualTo(2);
        assertThat(message.getSlotOrder()).isEqualTo("kq");
    }

    @Test
    void aRefusedValueIsReportedWithItsFieldAndReason() {
        requireRefused(() -> request().taskId(-1), "TASK_ID", "must be >= 0, but was -1");
        requireRefused(() -> request().priority(4), "PRIORITY", "4");
        requireRefused(() -> request().score(11), "SCORE", "11");
        requireRefused(() -> request().tag("ab\uD800"), "TAG", "character 2");
        requireRefused(() -> request().status("é".repeat(129)), "STATUS", "258 bytes");
        requireRefused(() -> request().unknownField("k7"), "unknownFields");
        requireRefused(() -> request().unknownField("x|y"), "unknownFields");
        requireRefused(() -> SlipBuilder.of(SlipAct.UNKNOWN, SlipFrame.TASK, 1, 0, 1, 1), "act");
        requireRefused(() -> SlipBuilder.of(SlipAct.ASK, SlipFrame.UNKNOWN, 1, 0, 1, 1), "frame");
        requireRefused(() -> SlipBuilder.of(SlipAct.ASK, SlipFrame.TASK, -1, 0, 1, 1), "CONVERSATION");
    }

    @Test
    void nullValuesAreRefused() {
        NoNulls.areTaken(SlipBuilder.class, request());
    }

    @Test
    void aMessageBeyondTheLimitsIsNotBuilt() {
        SlipBuilder builder = request();
        for (int i = 0; i < 1_001; i++) {
            builder.unknownField("x" + i);
        }

        requireRefused(builder::build, "TOO_MANY_FIELDS");
    }

    @Test
    void aBuiltMessageIsNotChangedByItsBuilder() {
        requireIndependent(request().unknownField("x1"), builder -> builder.unknownField("x2"));
    }

    private static SlipBuilder request() {
        return SlipBuilder.of(SlipAct.REQUEST, SlipFrame.TASK, 1, 0, 1, 1);
    }
}
