package dev.parley.codec.lambda;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.avro.LambdaContext;
import dev.parley.avro.LambdaEntry;
import dev.parley.avro.LambdaMessage;
import dev.parley.avro.LambdaStatement;
import dev.parley.avro.LambdaStatementKind;
import dev.parley.avro.LambdaToken;
import java.util.List;

/** Refuses records that no Λ message can say, naming the field. */
final class MessageCheck {

    private MessageCheck() {}

    /**
     * Checks a record before it is written.
     *
     * @throws IllegalArgumentException when a field holds what cannot stand on the wire
     */
    static void require(LambdaMessage message) {
        header(message);
        if (!message.getAddress().isEmpty()) {
            requireAddress(message.getAddress());
        }
        if (!message.getRelay().isEmpty()) {
            requireRelay(message.getRelay());
        }
        for (LambdaContext context : message.getContexts()) {
            for (LambdaEntry entry : context.getEntries()) {
                require(!entry.getKey().isEmpty(), "contexts: a key is empty");
            }
        }
        for (LambdaStatement statement : message.getStatements()) {
            statement(statement);
        }
        boolean encrypted = message.getEncrypted() != null;
        require(!encrypted || hasEntry(message, "enc", message.getEncryption()), "encryption: no context names it");
        require(!encrypted || message.getStatements().isEmpty(), "statements: an encrypted message has none");
        boolean bare =
                message.getStatements().isEmpty() && message.getContexts().isEmpty();
        require(
                message.getChecksum() == null || (message.getChecksum() >= 0 && !bare && !encrypted),
                "checksum: it is negative, or nothing stands before it");
        require(
                !bare || message.getVersion() != null || message.getFloorBefore() != null,
                "statements: the message has no header, context, statement or floor mark");
    }

    private static void header(LambdaMessage message) {
        String version = message.getVersion();
        if (version == null) {
            require(
                    !message.getHeaderId() && !message.getHandshake() && !message.getHandshakeReply(),
                    "version: without one there is no header for an id or a handshake");
        } else {
            byte[] bytes = version.getBytes(UTF_8);
            require(Alphabet.versionEnd(bytes, 0, bytes.length) == bytes.length, "version: " + version);
        }
        require(!message.getHandshake() || !message.getHandshakeReply(), "handshake: it is a reply already");
        String id = message.getId();
        if (message.getHeaderId()) {
            byte[] bytes = id == null ? new byte[0] : id.getBytes(UTF_8);
            require(bytes.length > 0 && Alphabet.idEnd(bytes, 0, bytes.length) == bytes.length, "id: " + id);
        } else {
            require(id == null || hasEntry(message, "id", id), "id: neither header nor context gives it");
        }
    }

    /** Refuses what is no list of addressees. */
    static void requireAddress(List<String> agents) {
        require(!agents.isEmpty(), "address: it names nobody");
        agents(agents, "address");
    }

    /** Refuses what is no path of a relay. */
    static void requireRelay(List<String> agents) {
        require(agents.size() > 1, "relay: a relay has two agents or more");
        agents(agents, "relay");
    }

    private static void agents(List<String> agents, String field) {
        for (String agent : agents) {
            byte[] bytes = agent.getBytes(UTF_8);
            require(Alphabet.agentEnd(bytes, 0, bytes.length) == bytes.length, field + ": " + agent);
        }
    }

    private static void statement(LambdaStatement statement) {
        LambdaStatementKind kind = statement.getKind();
        boolean acknowledges = CanonicalWriter.isAcknowledgement(kind);
        boolean error = kind == LambdaStatementKind.ERROR;
        require(kind != LambdaStatementKind.UNKNOWN, "statements: a statement has kind UNKNOWN");
        require(acknowledges || statement.getArgument() == null, "argument: only an acknowledgement has one");
        require(
                acknowledges || error || !statement.getTokens().isEmpty(),
                "tokens: a statement of kind " + kind + " has a body");
        require(error == (statement.getErrorCode() != null), "errorCode: an ERROR has one, and nothing else");
        require(!error || statement.getErrorCode().length() == 2, "errorCode: " + statement.getErrorCode());
        require(
                statement.getErrorDetail() == null
                        || (error && statement.getTokens().isEmpty()),
                "errorDetail: an ERROR has it, in place of tokens");
        for (LambdaToken token : statement.getTokens()) {
            require(!token.getText().isEmpty(), "tokens: a token is empty");
        }
    }

    private static boolean hasEntry(LambdaMessage message, String key, String value) {
        for (LambdaContext context : message.getContexts()) {
            for (LambdaEntry entry : context.getEntries()) {
                if (entry.getKey().equals(key) && Quoted.plain(entry.getValue()).equals(value)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static void require(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }
}
