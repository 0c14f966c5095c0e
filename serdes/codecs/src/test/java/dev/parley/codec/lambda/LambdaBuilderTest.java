package dev.parley.codec.lambda;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.LambdaFloor;
import dev.parley.avro.LambdaKind;
import dev.parley.avro.LambdaMessage;
import dev.parley.avro.LambdaStatementKind;
import dev.parley.avro.LambdaTrust;
import dev.parley.codec.BuilderContract;
import dev.parley.codec.NoNulls;
import dev.parley.codec.WireCodec;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LambdaBuilderTest extends BuilderContract<LambdaBuilder, LambdaMessage> {
    private final LambdaCodec codec = new LambdaCodec();

    @Override
    protected WireCodec<LambdaMessage> codec() {
        return codec;
    }

    @Override
    protected LambdaBuilder start(Random random) {
        return random.nextInt(8) == 0 ? LambdaBuilder.encrypted(word(random), text(random)) : LambdaBuilder.message();
    }

    @Override
    protected void call(LambdaBuilder builder, Random random) {
        LambdaStatementKind[] kinds = LambdaStatementKind.values();
        switch (random.nextInt(16)) {
            case 0 -> builder.id(word(random));
            case 1 -> builder.handshake();
            case 2 -> builder.handshakeReply();
            case 3 -> builder.to(agent(random), agent(random));
            case 4 -> builder.relay(agent(random), agent(random));
            case 5 -> builder.trust(LambdaTrust.values()[random.nextInt(4)]);
            case 6 -> builder.floorBefore(LambdaFloor.values()[random.nextInt(5)]);
            case 7 -> builder.floorAfter(LambdaFloor.values()[random.nextInt(5)]);
            case 8 -> builder.context(random.nextBoolean() ? "ctx" : word(random), word(random));
            case 9 -> builder.entry(word(random), text(random));
            case 10 -> builder.define(word(random), text(random));
            case 11 -> builder.checksum();
            case 12 -> builder.ask(LambdaBuilder.quote(text(random)));
            case 13 -> builder.data(random.nextBoolean() ? "[1,a]" : "[" + text(random) + "]");
            default -> builder.statement(kinds[random.nextInt(kinds.length)], word(random));
        }
    }

    private static String agent(Random random) {
        return random.nextInt(8) == 0 ? text(random) : "A" + random.nextInt(5);
    }

    @Override
    protected LambdaBuilder completed(LambdaBuilder builder) {
        return builder;
    }

    @Override
    protected LambdaMessage build(LambdaBuilder builder) {
        return builder.build();
    }

    @Override
    protected boolean isLenientOnly(LambdaMessage message) {
        return false;
    }

    @Override
    protected boolean mayContradictItself() {
        return true;
    }

    @Test
    void everyKindOfStatementIsBuilt() {
        assertThat(wire(LambdaBuilder.message()
                        .ask("Uc/la")
                        .state("It")
                        .command("do")
                        .offer("x")
                        .ack("ctx")
                        .agree("")
                        .disagree("")
                        .error("un", "co")
                        .error("pa")
                        .statement(LambdaStatementKind.SUPPOSE, "Ab")
                        .statement(LambdaStatementKind.COUNTER, "Ig")
                        .statement(LambdaStatementKind.CLARIFY, "")
                        .statement(LambdaStatementKind.ACK_URGENT, "")
                        .statement(LambdaStatementKind.META, "m")
                        .statement(LambdaStatementKind.REFERENCE, "r")))
                .isEqualTo("?Uc/la !It .do >x <ctx <+ <- !er:un/co !er:pa ~Ab <->Ig <? <! #m @r");
        assertThat(wire(LambdaBuilder.message().data("[a,b]"))).isEqualTo("[a,b]");
    }

    @Test
    void everyFormOfMessageIsBuilt() {
        assertThat(wire(LambdaBuilder.message()
                        .id("m-1")
                        .to("A1", "B*")
                        .trust(LambdaTrust.SIGNED)
                        .floorBefore(LambdaFloor.TAKE)
                        .context("ctx", "auth")
                        .entry("ns", "x")
                        .define("th'em", "theory of \"mind\"")
                        .ask(LambdaBuilder.quote("why: {é}\\"))
                        .floorAfter(LambdaFloor.YIELD)))
                .isEqualTo("@v0.6#id:m-1 @A1,B*: sig: >> {ctx:auth,ns:x}{def:th'em=\"theory of \\\"mind\\\"\"}"
                        + "?\"why: {é}\\\\\" <<");
        assertThat(wire(LambdaBuilder.message().relay("A1", "A2").command("go").checksum()))
                .isEqualTo("A1>A2: .go[n3]");
        assertThat(kind(LambdaBuilder.message().handshake().state("Ab"))).isEqualTo(LambdaKind.HANDSHAKE);
        assertThat(kind(LambdaBuilder.message().handshakeReply())).isEqualTo(LambdaKind.HANDSHAKE_REPLY);
        assertThat(kind(LambdaBuilder.message().header())).isEqualTo(LambdaKind.CONTEXT_ONLY);
        assertThat(kind(LambdaBuilder.message().context("topic", "x"))).isEqualTo(LambdaKind.CONTEXT_ONLY);
        assertThat(kind(LambdaBuilder.message().floorBefore(LambdaFloor.CONTINUE)))
                .isEqualTo(LambdaKind.FLOOR);
        assertThat(kind(LambdaBuilder.message().data("{a:1}"))).isEqualTo(LambdaKind.DATA_ONLY);
        assertThat(wire(LambdaBuilder.encrypted("aes", "!{{x"))).isEqualTo("{enc:aes}[!{{x]");
    }

    @Test
    void theLastMarkOfAHandshakeCounts() {
        assertThat(wire(LambdaBuilder.message().handshake().handshakeReply())).isEqualTo("@v0.6#h<");
        assertThat(wire(LambdaBuilder.message().handshakeReply().handshake())).isEqualTo("@v0.6#h");
    }

    @Test
    void anEntryWithoutAContextCreatesOne() {
        assertThat(wire(LambdaBuilder.message().entry("ctx", "a").entry("ns", "b")))
                .isEqualTo("{ctx:a,ns:b}");
    }

    @Test
    void theIdAndTheDefinitionsFollowFromTheContexts() {
        LambdaMessage message = LambdaBuilder.message()
                .context("id", "m1")
                .define("a", "b")
                .ask("a")
                .build();

        assertThat(message.getId()).isEqualTo("m1");
        assertThat(message.getDefinitions()).hasSize(1);
        assertThat(message.getDefinitions().get(0).getName()).isEqualTo("a");
        assertThat(message.getDefinitions().get(0).getValue()).isEqualTo("b");
    }

    @Test
    void aRefusedPartIsReportedWithItsOtherReading() {
        requireRefused(() -> LambdaBuilder.message().ask(""), "statements", "LAMBDA_MALFORMED", "body");
        requireRefused(() -> LambdaBuilder.message().ask("ab !b"), "statements", "?ab !b", "ASK");
        requireRefused(() -> LambdaBuilder.message().ask("a[n2]"), "statements", "?a[n2]");
        requireRefused(() -> LambdaBuilder.message().ask("a--"), "statements", "?a --");
        requireRefused(() -> LambdaBuilder.message().ask("a{b"), "LAMBDA_UNBALANCED");
        requireRefused(() -> LambdaBuilder.message().ask("ab\"c"), "LAMBDA_BAD_STRING", "character 2");
        requireRefused(() -> LambdaBuilder.message().ask("aé"), "LAMBDA_NON_ASCII", "character 1");
        requireRefused(() -> LambdaBuilder.message().ask("a\uD800"), "character 1", "surrogate");
        requireRefused(() -> LambdaBuilder.message().offer(">x"), "statements");
        requireRefused(() -> LambdaBuilder.message().ack("-x"), "statements", "ACK");
        requireRefused(() -> LambdaBuilder.message().data("{ctx:x}"), "statements", "DATA");
        requireRefused(() -> LambdaBuilder.message().statement(LambdaStatementKind.UNKNOWN, "x"), "UNKNOWN");
        requireRefused(() -> LambdaBuilder.message().id("a b"), "id", "a b");
        requireRefused(() -> LambdaBuilder.message().id(""), "id");
        requireRefused(() -> LambdaBuilder.message().to("a1"), "address", "a1");
        requireRefused(() -> LambdaBuilder.message().to(), "address");
        requireRefused(() -> LambdaBuilder.message().relay("A"), "relay", "2 or more agents");
        requireRefused(() -> LambdaBuilder.message().trust(LambdaTrust.UNKNOWN), "trust");
        requireRefused(() -> LambdaBuilder.message().floorAfter(LambdaFloor.UNKNOWN), "floor");
        requireRefused(() -> LambdaBuilder.message().context("a", "b,c:d"), "contexts", "a:b,c:d");
        requireRefused(() -> LambdaBuilder.message().context("a", "b}?c{d:e"), "contexts");
        requireRefused(() -> LambdaBuilder.message().context("a:b", "c"), "contexts");
        requireRefused(() -> LambdaBuilder.encrypted("aes", "x").ask("y"), "statements");
        requireRefused(() -> LambdaBuilder.encrypted("aes", "x").checksum(), "checksum");
    }

    @Test
    void nullValuesAreRefused() {
        NoNulls.areTaken(LambdaBuilder.class, LambdaBuilder.message());
    }

    @Test
    void partsThatContradictEachOtherAreNotBuilt() {
        requireRefused(() -> LambdaBuilder.message().build(), "message");
        requireRefused(() -> LambdaBuilder.message().context("x", "y").build(), "message", "{x:y}");
        requireRefused(
                () -> LambdaBuilder.message()
                        .id("a")
                        .context("id", "b")
                        .ask("c")
                        .build(),
                "LAMBDA_ID_MISMATCH");
    }

    @Test
    void aBuiltMessageIsNotChangedByItsBuilder() {
        requireIndependent(
                LambdaBuilder.message().context("a", "b").ask("c"),
                builder -> builder.entry("d", "e").ask("f"));
    }

    private LambdaKind kind(LambdaBuilder builder) {
        LambdaMessage message = builder.build();
        requireRoundTrip(message);
        return message.getKind();
    }

    private String wire(LambdaBuilder builder) {
        LambdaMessage message = builder.build();
        requireRoundTrip(message);
        return new String(codec.encode(message), UTF_8);
    }
}
