package dev.parley.codec.subit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.SubitMessage;
import dev.parley.codec.BuilderContract;
import dev.parley.codec.NoNulls;
import dev.parley.codec.WireCodec;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SubitBuilderTest extends BuilderContract<SubitBuilder, SubitMessage> {
    private final SubitCodec codec = new SubitCodec();

    @Override
    protected WireCodec<SubitMessage> codec() {
        return codec;
    }

    @Override
    protected SubitBuilder start(Random random) {
        int[] forms = random.ints(random.nextInt(12), -1, random.nextInt(8) == 0 ? 66 : 64)
                .map(form -> random.nextInt(9) == 0 ? form : Math.max(form, 0))
                .toArray();
        int first = forms.length == 0 ? 64 : forms[0];
        return switch (random.nextInt(6)) {
            case 0 -> SubitBuilder.state(first);
            case 1 -> SubitBuilder.intent(forms);
            case 2 -> SubitBuilder.action(first, 0);
            case 3 -> SubitBuilder.plan(forms);
            case 4 -> SubitBuilder.trace(forms);
            default -> SubitBuilder.error(forms);
        };
    }

    @Override
    protected void call(SubitBuilder builder, Random random) {
        switch (random.nextInt(7)) {
            case 0 -> builder.agent(text(random));
            case 1 -> builder.session(text(random));
            case 2 -> builder.timestamp(random.nextBoolean() ? "2026-03-01T10:00:00Z" : text(random));
            case 3 -> builder.meta(word(random), text(random));
            case 4 -> builder.metaJson(word(random), json(random));
            case 5 -> builder.extra(word(random), text(random));
            default -> builder.extraJson(word(random), json(random));
        }
    }

    private static String json(Random random) {
        return switch (random.nextInt(5)) {
            case 0 -> "{\"a\":[1,null,\"" + text(random) + "\"]}";
            case 1 -> "[" + random.nextInt(9) + "]";
            case 2 -> "{\"a\":1,\"a\":2}";
            case 3 -> Long.toString(random.nextLong());
            default -> text(random);
        };
    }

    @Override
    protected SubitBuilder completed(SubitBuilder builder) {
        return builder;
    }

    @Override
    protected SubitMessage build(SubitBuilder builder) {
        return builder.build();
    }

    @Override
    protected boolean isLenientOnly(SubitMessage message) {
        return !message.getExtras().isEmpty();
    }

    @Test
    void everyTypeIsBuilt() {
        assertThat(wire(SubitBuilder.state(6))).isEqualTo("{\"type\":\"STATE\",\"payload\":\"000110\"}");
        assertThat(wire(SubitBuilder.intent(6, 49))).isEqualTo("{\"type\":\"INTENT\",\"payload\":\"000110110001\"}");
        assertThat(wire(SubitBuilder.action(6, 49))).isEqualTo("{\"type\":\"ACTION\",\"payload\":\"000110110001\"}");
        assertThat(wire(SubitBuilder.plan(0, 63, 1)))
                .isEqualTo("{\"type\":\"PLAN\",\"payload\":\"000000111111000001\"}");
        assertThat(wire(SubitBuilder.trace(1, 2))).isEqualTo("{\"type\":\"TRACE\",\"payload\":\"000001000010\"}");
        assertThat(wire(SubitBuilder.error(5))).isEqualTo("{\"type\":\"ERROR\",\"payload\":\"000101\"}");
    }

    @Test
    void metaAndExtraKeysKeepTheirOrder() {
        assertThat(wire(SubitBuilder.state(0)
                        .extraJson("n", "[1,2]")
                        .metaJson("load", "0.5")
                        .meta("zone", "\"b\"")
                        .session("crew")
                        .timestamp(Instant.EPOCH)
                        .agent("scout")
                        .extra("x", "y")))
                .isEqualTo("{\"type\":\"STATE\",\"payload\":\"000000\",\"meta\":{\"agent\":\"scout\","
                        + "\"timestamp\":\"1970-01-01T00:00:00Z\",\"session\":\"crew\",\"load\":0.5,"
                        + "\"zone\":\"\\\"b\\\"\"},\"n\":[1,2],\"x\":\"y\"}");
    }

    @Test
    void aRefusedValueIsReportedWithItsFieldAndReason() {
        requireRefused(() -> SubitBuilder.state(64), "forms", "must be 0 to 63, but was 64");
        requireRefused(() -> SubitBuilder.intent(1), "forms", "at least two");
        requireRefused(() -> SubitBuilder.plan(1, 2), "forms", "three forms");
        requireRefused(() -> SubitBuilder.error(1, 2, 3), "forms", "one or two");
        requireRefused(() -> state().agent("a\uDC00"), "agent", "character 1");
        requireRefused(() -> state().agent("<agent>"), "agent", "must be filled in");
        requireRefused(() -> state().session("{{session}}"), "session", "must be filled in");
        requireRefused(() -> state().timestamp("yesterday"), "timestamp", "yesterday");
        requireRefused(() -> state().meta("agent", "x"), "meta", "agent");
        requireRefused(() -> state().meta("a", "x").metaJson("a", "1"), "meta", "the key a");
        requireRefused(() -> state().extra("payload", "x"), "extras", "payload");
        requireRefused(() -> state().metaJson("a", "\"x\""), "meta", "plain text");
        requireRefused(() -> state().metaJson("a", "[1, 2]"), "meta", "compact", "[1,2]");
        requireRefused(() -> state().metaJson("a", "[é,1]"), "meta", "character 1");
        requireRefused(() -> state().extraJson("a", "{\"b\":1,\"b\":2}"), "extras", "repeated", "character 7");
    }

    @Test
    void nullValuesAreRefused() {
        NoNulls.areTaken(SubitBuilder.class, state());
    }

    @Test
    void aPacketBeyondTheLimitsIsNotBuilt() {
        requireRefused(state().metaJson("a", "[".repeat(20) + "]".repeat(20))::build, "TOO_DEEP");
        requireRefused(SubitBuilder.trace(new int[200_000])::build, "MESSAGE_TOO_LARGE");
    }

    @Test
    void aBuiltMessageIsNotChangedByItsBuilder() {
        requireIndependent(state().meta("a", "1"), builder -> builder.meta("b", "2"));
    }

    private String wire(SubitBuilder builder) {
        SubitMessage message = builder.build();
        requireRoundTrip(message);
        return new String(codec.encode(message), UTF_8);
    }

    private static SubitBuilder state() {
        return SubitBuilder.state(0);
    }
}
