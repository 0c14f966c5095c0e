package dev.parley.codec.lambda;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.avro.LambdaContext;
import dev.parley.avro.LambdaEntry;
import dev.parley.avro.LambdaMessage;
import dev.parley.avro.LambdaStatement;
import dev.parley.avro.LambdaStatementKind;
import dev.parley.avro.LambdaToken;
import java.util.List;

/** Refuses records that Λ cannot represent, naming the field. */
final class MessageCheck {

    private MessageCheck() {}

    /**
     * Checks a record before encoding.
     *
     * @throws IllegalArgumentException if a field has no wire form
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
                require(!entry.getKey().isEmpty(), "contexts: a key must not be empty");
            }
        }
        for (LambdaStatement statement : message.getStatements()) {
            statement(statement);
        }
        boolean encrypted = message.getEncrypted() != null;
        require(
                !encrypted || hasEntry(message, "enc", message.getEncryption()),
                "encryption: a context must contain it");
        require(!encrypted || message.getStatements().isEmpty(), "statements: must be absent in an encrypted message");
        boolean bare =
                message.getStatements().isEmpty() && message.getContexts().isEmpty();
        require(
                message.getChecksum() == null || (message.getChecksum() >= 0 && !bare && !encrypted),
                "checksum: must be >= 0 and follow a context or statement");
        require(
                !bare || MessageParser.mayBeBare(message),
                "statements: the message must have a context, statement or floor mark, or a header alone");
    }

    private static void header(LambdaMessage message) {
        String version = message.getVersion();
        if (version == null) {
            require(
                    !message.getHeaderId() && !message.getHandshake() && !message.getHandshakeReply(),
                    "version: must be set with an ID or a handshake");
        } else {
            byte[] bytes = version.getBytes(UTF_8);
            require(Alphabet.versionEnd(bytes, 0, bytes.length) == bytes.length, "version: " + version);
        }
        require(
                !message.getHandshake() || !message.getHandshakeReply(),
                "handshake: must not be both a handshake and a reply");
        String id = message.getId();
        if (message.getHeaderId()) {
            require(id != null, "id: must be set in a header with an ID");
            requireId(id);
        } else {
            require(id == null || hasEntry(message, "id", id), "id: must be in the header or a context");
        }
    }

    /** Refuses an invalid message ID. */
    static void requireId(String id) {
        byte[] bytes = id.getBytes(UTF_8);
        int end = Alphabet.idEnd(bytes, 0, bytes.length);
        require(
                bytes.length > 0 && end == bytes.length,
                "id: must be a message ID, but was '" + id + "', which ends at character "
                        + new String(bytes, 0, end, UTF_8).length());
    }

    /** Refuses an invalid list of addressees. */
    static void requireAddress(List<String> agents) {
        require(!agents.isEmpty(), "address: must not be empty");
        agents(agents, "address");
    }

    /** Refuses an invalid relay path. */
    static void requireRelay(List<String> agents) {
        require(agents.size() > 1, "relay: must have two or more agents");
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
        require(kind != LambdaStatementKind.UNKNOWN, "statements: the kind must not be UNKNOWN");
        require(
                acknowledges || statement.getArgument() == null,
                "argument: must be absent unless the statement is an acknowledgment");
        require(
                acknowledges || error || !statement.getTokens().isEmpty(),
                "tokens: must not be empty in a statement of kind " + kind);
        require(error == (statement.getErrorCode() != null), "errorCode: must be set exactly for an ERROR");
        require(!error || statement.getErrorCode().length() == 2, "errorCode: " + statement.getErrorCode());
        require(
                statement.getErrorDetail() == null
                        || (error && statement.getTokens().isEmpty()),
                "errorDetail: must be set only for an ERROR, instead of tokens");
        for (LambdaToken token : statement.getTokens()) {
            require(!token.getText().isEmpty(), "tokens: a token must not be empty");
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
