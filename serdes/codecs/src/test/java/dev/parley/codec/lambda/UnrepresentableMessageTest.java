package dev.parley.codec.lambda;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.parley.avro.LambdaContext;
import dev.parley.avro.LambdaEntry;
import dev.parley.avro.LambdaFloor;
import dev.parley.avro.LambdaKind;
import dev.parley.avro.LambdaMessage;
import dev.parley.avro.LambdaStatement;
import dev.parley.avro.LambdaStatementKind;
import dev.parley.avro.LambdaToken;
import dev.parley.avro.LambdaTokenKind;
import dev.parley.avro.LambdaTrust;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult.Decoded;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each row changes one field of a message with one question, so that the message has no wire form. */
class UnrepresentableMessageTest {
    private static final LambdaCodec CODEC = new LambdaCodec();

    static Stream<Arguments> invalid() {
        return Stream.of(
                row("version", m -> m.setHandshake(true)),
                row("version", m -> m.setHandshakeReply(true)),
                row("version", m -> {
                    m.setHeaderId(true);
                    m.setId("m1");
                }),
                row("version", m -> m.setVersion("")),
                row("version", m -> m.setVersion("0")),
                row("version", m -> m.setVersion("0.")),
                row("version", m -> m.setVersion(".6")),
                row("version", m -> m.setVersion("0,6")),
                row("version", m -> m.setVersion("0.6x")),
                row("handshake", m -> {
                    m.setVersion("0.6");
                    m.setHandshake(true);
                    m.setHandshakeReply(true);
                }),
                row("id", header(null)),
                row("id", header("")),
                row("id", header("a b")),
                row("id", header("-a")),
                row("id", header("a-")),
                row("id", header("a--b")),
                row("id", m -> m.setId("m1")),
                row("id", m -> {
                    m.setId("m1");
                    context(m, "id", "m2");
                }),
                row("id", m -> {
                    m.setId("m1");
                    context(m, "re", "m1");
                }),
                row("address", m -> m.setAddress(List.of("A", ""))),
                row("address", m -> m.setAddress(List.of("a"))),
                row("address", m -> m.setAddress(List.of("A-B"))),
                row("address", m -> m.setAddress(List.of("A**"))),
                row("relay", m -> m.setRelay(List.of("A"))),
                row("relay", m -> m.setRelay(List.of("A", "b"))),
                row("contexts", m -> context(m, "", "x")),
                row("encryption", m -> {
                    m.setStatements(List.of());
                    m.setEncrypted("x");
                    m.setEncryption("rot13");
                }),
                row("statements", m -> {
                    List<LambdaStatement> before = m.getStatements();
                    encrypted(m, "rot13");
                    m.setStatements(before);
                }),
                row("checksum", m -> m.setChecksum(-1)),
                row("checksum", m -> {
                    m.setStatements(List.of());
                    m.setVersion("0.6");
                    m.setChecksum(1);
                }),
                row("checksum", m -> {
                    encrypted(m, "rot13");
                    m.setChecksum(1);
                }),
                row("statements", m -> m.setStatements(List.of())),
                row("statements", headerAlone(m -> m.setAddress(List.of("A")))),
                row("statements", headerAlone(m -> m.setRelay(List.of("A", "B")))),
                row("statements", headerAlone(m -> m.setTrust(LambdaTrust.PRIVATE))),
                row("trust", m -> m.setTrust(LambdaTrust.UNKNOWN)),
                row("floor", m -> m.setFloorAfter(LambdaFloor.UNKNOWN)),
                row("statements", m -> {
                    m.setStatements(List.of());
                    m.setFloorAfter(LambdaFloor.YIELD);
                }),
                row("statements", statement(LambdaStatementKind.UNKNOWN, s -> {})),
                row("argument", statement(LambdaStatementKind.ASK, s -> s.setArgument("m1"))),
                row("argument", statement(LambdaStatementKind.ERROR, s -> {
                    s.setErrorCode("un");
                    s.setArgument("m1");
                })),
                row("tokens", statement(LambdaStatementKind.ASSERT, s -> s.setTokens(List.of()))),
                row("tokens", statement(LambdaStatementKind.ASSERT, s -> s.setTokens(List.of(token(""))))),
                row("errorCode", statement(LambdaStatementKind.ERROR, s -> {})),
                row("errorCode", statement(LambdaStatementKind.ERROR, s -> s.setErrorCode(""))),
                row("errorCode", statement(LambdaStatementKind.ERROR, s -> s.setErrorCode("u/n"))),
                row("errorCode", statement(LambdaStatementKind.ASK, s -> s.setErrorCode("un"))),
                row("errorDetail", statement(LambdaStatementKind.ASK, s -> s.setErrorDetail("why"))),
                row("errorDetail", statement(LambdaStatementKind.ERROR, s -> {
                    s.setErrorCode("un");
                    s.setErrorDetail("why");
                    s.setTokens(List.of(token("x")));
                })));
    }

    @Test
    void theUnchangedMessageIsEncoded() {
        assertThat(CODEC.encodeChecked(changed(message -> {}))).asString(UTF_8).isEqualTo("?x");
    }

    @ParameterizedTest(name = "{index}: {0}")
    @MethodSource
    void invalid(String field, Consumer<LambdaMessage> change) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CODEC.encodeChecked(changed(change)))
                .withMessageMatching("(?s)\\w+: .+");
    }

    private static Arguments row(String about, Consumer<LambdaMessage> change) {
        return Arguments.of(about, change);
    }

    private static LambdaMessage changed(Consumer<LambdaMessage> change) {
        LambdaMessage message =
                ((Decoded<LambdaMessage>) CODEC.decode("?x".getBytes(UTF_8), DecodeOptions.STRICT)).message();
        change.accept(message);
        return message;
    }

    private static Consumer<LambdaMessage> header(String id) {
        return message -> {
            message.setVersion("0.6");
            message.setHeaderId(true);
            message.setId(id);
        };
    }

    private static Consumer<LambdaMessage> headerAlone(Consumer<LambdaMessage> change) {
        return message -> {
            message.setKind(LambdaKind.CONTEXT_ONLY);
            message.setVersion("0.6");
            message.setStatements(List.of());
            change.accept(message);
        };
    }

    private static void context(LambdaMessage message, String key, String value) {
        message.setContexts(List.of(new LambdaContext(new ArrayList<>(List.of(new LambdaEntry(key, value))))));
    }

    private static void encrypted(LambdaMessage message, String method) {
        message.setKind(LambdaKind.ENCRYPTED);
        message.setStatements(List.of());
        message.setEncryption(method);
        message.setEncrypted("x");
        context(message, "enc", method);
    }

    /** A message with one statement: an acknowledgment or an error without tokens, or any other with one. */
    private static Consumer<LambdaMessage> statement(LambdaStatementKind kind, Consumer<LambdaStatement> change) {
        LambdaStatement statement = new LambdaStatement();
        statement.setKind(kind);
        boolean bare = CanonicalWriter.isAcknowledgement(kind) || kind == LambdaStatementKind.ERROR;
        statement.setTokens(bare ? List.of() : List.of(token("x")));
        change.accept(statement);
        return message -> message.setStatements(List.of(statement));
    }

    private static LambdaToken token(String text) {
        return new LambdaToken(LambdaTokenKind.VERB, text);
    }
}
