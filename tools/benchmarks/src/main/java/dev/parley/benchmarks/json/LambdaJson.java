package dev.parley.benchmarks.json;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.parley.avro.LambdaContext;
import dev.parley.avro.LambdaEntry;
import dev.parley.avro.LambdaFloor;
import dev.parley.avro.LambdaKind;
import dev.parley.avro.LambdaMessage;
import dev.parley.avro.LambdaStatement;
import dev.parley.avro.LambdaStatementKind;
import dev.parley.avro.LambdaToken;
import dev.parley.avro.LambdaTrust;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A Λ message: {@code {"kind":"STATEMENTS","statements":[{"kind":"ASSERT","tokens":["I","k","/","co"]}]}}. */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public final class LambdaJson {
    public LambdaKind kind;
    public String version;
    public String id;
    public List<String> address = new ArrayList<>();
    public List<String> relay = new ArrayList<>();
    public LambdaTrust trust;
    public LambdaFloor floorBefore;
    public LambdaFloor floorAfter;
    public String label;
    public List<Map<String, String>> contexts = new ArrayList<>();
    public List<Statement> statements = new ArrayList<>();
    public String encryption;
    public String encrypted;
    public Integer checksum;

    /** One statement. */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public static final class Statement {
        public LambdaStatementKind kind;
        public String argument;
        public String error;
        public String detail;
        public List<String> tokens = new ArrayList<>();
    }

    /** The content of the message. */
    public static LambdaJson of(LambdaMessage message) {
        LambdaJson json = new LambdaJson();
        json.kind = message.getKind();
        json.version = message.getVersion();
        json.id = message.getId();
        json.address.addAll(message.getAddress());
        json.relay.addAll(message.getRelay());
        json.trust = message.getTrust();
        json.floorBefore = message.getFloorBefore();
        json.floorAfter = message.getFloorAfter();
        json.label = message.getLabel();
        for (LambdaContext context : message.getContexts()) {
            Map<String, String> entries = new LinkedHashMap<>();
            for (LambdaEntry entry : context.getEntries()) {
                entries.put(entry.getKey(), entry.getValue());
            }
            json.contexts.add(entries);
        }
        for (LambdaStatement statement : message.getStatements()) {
            Statement one = new Statement();
            one.kind = statement.getKind();
            one.argument = statement.getArgument();
            one.error = statement.getErrorCode();
            one.detail = statement.getErrorDetail();
            for (LambdaToken token : statement.getTokens()) {
                one.tokens.add(token.getText());
            }
            json.statements.add(one);
        }
        json.encryption = message.getEncryption();
        json.encrypted = message.getEncrypted();
        json.checksum = message.getChecksum();
        return json;
    }
}
