package dev.parley.codec.lambda;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.avro.LambdaContext;
import dev.parley.avro.LambdaEntry;
import dev.parley.avro.LambdaFloor;
import dev.parley.avro.LambdaMessage;
import dev.parley.avro.LambdaStatement;
import dev.parley.avro.LambdaStatementKind;
import dev.parley.avro.LambdaToken;
import dev.parley.avro.LambdaTrust;
import java.util.List;

/**
 * Writes the canonical form: header, address, relay, trust and floor mark, each followed by a space; contexts;
 * statements separated by a space; a floor mark after a space; checksum (docs/protocols.md 5, canonical forms).
 */
final class CanonicalWriter {

    private final StringBuilder out = new StringBuilder(64);

    /** The canonical form of a message. Its kinds, trust and floor marks must not be UNKNOWN. */
    static String write(LambdaMessage message) {
        CanonicalWriter writer = new CanonicalWriter();
        writer.header(message);
        writer.agents("@", message.getAddress(), ",");
        writer.agents("", message.getRelay(), ">");
        if (message.getTrust() != null) {
            writer.word(symbol(message.getTrust()));
        }
        if (message.getFloorBefore() != null) {
            writer.word(symbol(message.getFloorBefore()));
        }
        writer.contexts(message.getContexts());
        if (message.getEncrypted() != null) {
            writer.out.append('[').append(message.getEncrypted()).append(']');
        }
        writer.body(message);
        if (message.getFloorAfter() != null) {
            writer.word(symbol(message.getFloorAfter()));
        }
        if (message.getChecksum() != null) {
            writer.out.append("[n").append(message.getChecksum().intValue()).append(']');
        }
        return writer.out.toString();
    }

    private void statements(List<LambdaStatement> statements) {
        for (int i = 0; i < statements.size(); i++) {
            if (i > 0) {
                out.append(' ');
            }
            statement(statements.get(i));
        }
    }

    /** The number of characters of statements that the checksum covers. */
    static int characters(List<LambdaStatement> statements) {
        CanonicalWriter writer = new CanonicalWriter();
        writer.statements(statements);
        return writer.out.codePointCount(0, writer.out.length());
    }

    /** The wire symbol of a statement type; empty for data. */
    static String symbol(LambdaStatementKind kind) {
        return switch (kind) {
            case ASK -> "?";
            case ASSERT, ERROR -> "!";
            case SUPPOSE -> "~";
            case COMMAND -> ".";
            case OFFER -> ">";
            case ACK -> "<";
            case ACK_URGENT -> "<!";
            case AGREE -> "<+";
            case DISAGREE -> "<-";
            case COUNTER -> "<->";
            case CLARIFY -> "<?";
            case META -> "#";
            case REFERENCE -> "@";
            case DATA -> "";
            case UNKNOWN -> throw new IllegalArgumentException("statements: the kind must not be UNKNOWN");
        };
    }

    static String symbol(LambdaTrust trust) {
        return switch (trust) {
            case PUBLIC -> "pub:";
            case PRIVATE -> "prv:";
            case SIGNED -> "sig:";
            case UNKNOWN -> throw new IllegalArgumentException("trust: must not be UNKNOWN");
        };
    }

    static String symbol(LambdaFloor floor) {
        return switch (floor) {
            case TAKE -> ">>";
            case YIELD -> "<<";
            case INTERJECT -> "><";
            case CONTINUE -> "--";
            case UNKNOWN -> throw new IllegalArgumentException("floor: must not be UNKNOWN");
        };
    }

    private void header(LambdaMessage message) {
        if (message.getVersion() == null) {
            return;
        }
        out.append("@v").append(message.getVersion());
        if (message.getHeaderId()) {
            out.append("#id:").append(message.getId());
        }
        if (message.getHandshakeReply()) {
            out.append("#h<");
        } else if (message.getHandshake()) {
            out.append("#h");
        }
    }

    private void agents(String opening, List<String> agents, String separator) {
        if (agents.isEmpty()) {
            return;
        }
        word(opening);
        out.append(String.join(separator, agents)).append(':');
    }

    /** Appends a word, separated by a space from preceding text. */
    private void word(String word) {
        if (out.length() > 0) {
            out.append(' ');
        }
        out.append(word);
    }

    private void contexts(List<LambdaContext> contexts) {
        if (contexts.isEmpty()) {
            return;
        }
        word("");
        for (LambdaContext context : contexts) {
            out.append('{');
            boolean first = true;
            for (LambdaEntry entry : context.getEntries()) {
                if (!first) {
                    out.append(',');
                }
                first = false;
                out.append(entry.getKey()).append(':').append(entry.getValue());
            }
            out.append('}');
        }
    }

    private void body(LambdaMessage message) {
        if (message.getStatements().isEmpty()) {
            return;
        }
        if (message.getContexts().isEmpty()) {
            word("");
        }
        int start = out.length();
        statements(message.getStatements());
        boolean last = message.getFloorAfter() == null && message.getChecksum() == null;
        if (last && !message.getContexts().isEmpty() && out.charAt(start) == '[' && isNumberList(start)) {
            // Without the space, this list would decode as a checksum.
            out.insert(start, ' ');
        }
    }

    private boolean isNumberList(int start) {
        byte[] list = out.substring(start).getBytes(UTF_8);
        return Tail.isNumberList(list, 0, list.length);
    }

    private void statement(LambdaStatement statement) {
        out.append(symbol(statement.getKind()));
        if (statement.getKind() == LambdaStatementKind.ERROR) {
            out.append("er:").append(statement.getErrorCode());
            if (statement.getErrorDetail() != null) {
                out.append('/').append(statement.getErrorDetail());
            }
        } else if (isAcknowledgement(statement.getKind())) {
            if (statement.getArgument() != null) {
                out.append(statement.getArgument());
            }
            if (!statement.getTokens().isEmpty()) {
                out.append(' ');
            }
        }
        for (LambdaToken token : statement.getTokens()) {
            out.append(token.getText());
        }
    }

    /** Whether a kind has an argument directly after its symbol. */
    static boolean isAcknowledgement(LambdaStatementKind kind) {
        return switch (kind) {
            case ACK, ACK_URGENT, AGREE, DISAGREE, CLARIFY -> true;
            default -> false;
        };
    }
}
