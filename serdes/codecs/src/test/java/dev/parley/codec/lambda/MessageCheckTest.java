package dev.parley.codec.lambda;

import static org.assertj.core.api.Assertions.assertThatCode;
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
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests representable and unrepresentable values by field. Each row changes one field of a message with one question.
 */
class MessageCheckTest {

    static Stream<Arguments> sound() {
        return Stream.of(
                row("as it is", m -> {}),
                row("a version", m -> m.setVersion("0.6")),
                row("a longer version", m -> m.setVersion("10.12")),
                row("an id of one letter", header("h")),
                row("an id of words", header("a-b_c-3")),
                row("a handshake", m -> {
                    m.setVersion("0.6");
                    m.setHandshake(true);
                }),
                row("an id by a context", m -> {
                    m.setId("m1");
                    context(m, "id", "m1");
                }),
                row("addressees", m -> m.setAddress(List.of("A", "Bob_2*", "*"))),
                row("a relay", m -> m.setRelay(List.of("A", "B"))),
                row("a checksum of nothing", m -> m.setChecksum(0)),
                row("a context alone with a checksum", m -> {
                    m.setStatements(List.of());
                    context(m, "a", "");
                    m.setChecksum(7);
                }),
                row("a header alone", m -> {
                    m.setStatements(List.of());
                    m.setVersion("0.6");
                }),
                row("a floor mark alone", m -> {
                    m.setStatements(List.of());
                    m.setFloorBefore(LambdaFloor.TAKE);
                }),
                row("encrypted", m -> encrypted(m, "rot13")),
                row("an acknowledgement of something", statement(LambdaStatementKind.ACK, s -> s.setArgument("m1"))),
                row("an acknowledgement", statement(LambdaStatementKind.AGREE, s -> {})),
                row("an error", statement(LambdaStatementKind.ERROR, s -> s.setErrorCode("un"))),
                row("an error with a detail", statement(LambdaStatementKind.ERROR, s -> {
                    s.setErrorCode("un");
                    s.setErrorDetail("why");
                })));
    }

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
                row("errorCode", statement(LambdaStatementKind.ERROR, s -> s.setErrorCode("u"))),
                row("errorCode", statement(LambdaStatementKind.ERROR, s -> s.setErrorCode("unk"))),
                row("errorCode", statement(LambdaStatementKind.ASK, s -> s.setErrorCode("un"))),
                row("errorDetail", statement(LambdaStatementKind.ASK, s -> s.setErrorDetail("why"))),
                row("errorDetail", statement(LambdaStatementKind.ERROR, s -> {
                    s.setErrorCode("un");
                    s.setErrorDetail("why");
                    s.setTokens(List.of(token("x")));
                })));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void sound(String about, Consumer<LambdaMessage> change) {
        assertThatCode(() -> MessageCheck.require(changed(change))).doesNotThrowAnyException();
    }

    @ParameterizedTest(name = "{index}: {0}")
    @MethodSource
    void invalid(String field, Consumer<LambdaMessage> change) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MessageCheck.require(changed(change)))
                .withMessageStartingWith(field + ": ");
    }

    private static Arguments row(String about, Consumer<LambdaMessage> change) {
        return Arguments.of(about, change);
    }

    private static LambdaMessage changed(Consumer<LambdaMessage> change) {
        LambdaMessage message = new LambdaMessage();
        message.setKind(LambdaKind.STATEMENTS);
        message.setAddress(List.of());
        message.setRelay(List.of());
        message.setContexts(List.of());
        message.setDefinitions(List.of());
        statement(LambdaStatementKind.ASK, s -> {}).accept(message);
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

    private static void context(LambdaMessage message, String key, String value) {
        message.setContexts(List.of(new LambdaContext(new ArrayList<>(List.of(new LambdaEntry(key, value))))));
    }

    private static void encrypted(LambdaMessage message, String method) {
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
        return new LambdaToken(LambdaTokenKind.ENTITY, text);
    }
}
