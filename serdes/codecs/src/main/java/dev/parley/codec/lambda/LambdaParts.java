package dev.parley.codec.lambda;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.avro.LambdaContext;
import dev.parley.avro.LambdaEntry;
import dev.parley.avro.LambdaMessage;
import dev.parley.avro.LambdaStatement;
import dev.parley.avro.LambdaStatementKind;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult;
import dev.parley.codec.Utf8;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.apache.avro.Schema;

/** Validates the parts of a message under construction with the decoder, so that both have the same rules. */
final class LambdaParts {
    private static final LambdaCodec CODEC = new LambdaCodec();

    /** Fields that follow from others; the ID only if a context has it. */
    private static final Set<String> DERIVED = Set.of("kind", "id", "definitions", "encryption");

    /** The version that the builder writes. */
    static final String VERSION = "0.6";

    private static final LambdaStatement ANY = statement(LambdaStatementKind.ASK, "x");

    private LambdaParts() {}

    /** Refuses an invalid message ID. */
    static void requireId(String id) {
        byte[] bytes = id.getBytes(UTF_8);
        if (bytes.length == 0 || Alphabet.idEnd(bytes, 0, bytes.length) < bytes.length) {
            throw refused("id: must be a message ID, but was '" + id + "'");
        }
    }

    /** Validates agents, and their minimum number. */
    static List<String> agents(String field, int min, String... agents) {
        for (String agent : agents) {
            byte[] bytes = agent.getBytes(UTF_8);
            if (Alphabet.agentEnd(bytes, 0, bytes.length) < bytes.length) {
                throw refused(field + ": must be agents, but one was '" + agent + "'");
            }
        }
        if (agents.length < min) {
            throw refused(field + ": must have " + min + " or more agents");
        }
        return List.of(agents);
    }

    /** Parses a statement from the symbol of its kind and a body. */
    static LambdaStatement statement(LambdaStatementKind kind, String body) {
        LambdaMessage read = read("statements", CanonicalWriter.symbol(kind), body, "");
        LambdaMessage alone = MessageParser.empty();
        alone.setStatements(read.getStatements());
        List<LambdaStatement> statements = read.getStatements();
        if (statements.size() != 1 || statements.get(0).getKind() != kind || !isRead(alone, read)) {
            throw refused("statements: must be one statement of kind " + kind + ", but would decode as "
                    + CanonicalWriter.write(read));
        }
        return statements.get(0);
    }

    /** Parses one entry of a context block from a key and a value. */
    static LambdaEntry entry(String key, String value) {
        LambdaMessage read = read("contexts", "{" + key + ":", value, "}?x");
        LambdaMessage alone = MessageParser.empty();
        alone.setContexts(read.getContexts());
        alone.setStatements(List.of(ANY));
        List<LambdaEntry> entries = read.getContexts().isEmpty()
                ? List.of()
                : read.getContexts().get(0).getEntries();
        if (entries.size() != 1 || !entries.get(0).getKey().equals(key) || !isRead(alone, read)) {
            throw refused("contexts: must be a single entry, but was '" + key + ":" + value + "'");
        }
        return entries.get(0);
    }

    /** Validates a payload after contexts, one of which contains the encryption algorithm. */
    static String payload(List<LambdaContext> contexts, String payload) {
        LambdaMessage alone = MessageParser.empty();
        alone.setContexts(contexts);
        LambdaMessage read = read("encrypted", CanonicalWriter.write(alone) + '[', payload, "]");
        alone.setEncrypted(payload);
        if (!isRead(alone, read)) {
            throw refused("encrypted: the payload would decode as something else");
        }
        return payload;
    }

    /** Combines parts into a message. */
    static LambdaMessage together(LambdaMessage parts) {
        LambdaMessage read = read("message", "", CanonicalWriter.write(parts), "");
        if (!isRead(parts, read)) {
            throw refused(
                    "message: its parts decode differently together than each alone: " + CanonicalWriter.write(parts));
        }
        return read;
    }

    static IllegalArgumentException refused(String what) {
        return new IllegalArgumentException("Λ cannot represent this: " + what);
    }

    /** Whether a message has exactly the given parts; derived fields count as given. */
    private static boolean isRead(LambdaMessage parts, LambdaMessage read) {
        for (Schema.Field field : read.getSchema().getFields()) {
            if (!DERIVED.contains(field.name()) && !Objects.equals(parts.get(field.pos()), read.get(field.pos()))) {
                return false;
            }
        }
        return !parts.getHeaderId() || parts.getId().equals(read.getId());
    }

    private static LambdaMessage read(String field, String before, String value, String after) {
        int bad = Utf8.firstLoneSurrogate(value);
        if (bad >= 0) {
            throw refused(field + ": unpaired surrogate at character " + bad);
        }
        byte[] wire = (before + value + after).getBytes(UTF_8);
        DecodeResult<LambdaMessage> result = CODEC.decode(wire, DecodeOptions.STRICT);
        if (result instanceof DecodeResult.Malformed<LambdaMessage> error) {
            int at = new String(wire, 0, error.offset(), UTF_8).length() - before.length();
            throw refused(field + ": " + error.code() + " at character " + Math.max(0, Math.min(at, value.length()))
                    + ": " + error.detail());
        }
        DecodeResult.Decoded<LambdaMessage> decoded = (DecodeResult.Decoded<LambdaMessage>) result;
        if (!decoded.violations().isEmpty()) {
            throw refused(field + ": " + decoded.violations().get(0) + ": "
                    + decoded.violations().get(0).meaning());
        }
        return decoded.message();
    }
}
