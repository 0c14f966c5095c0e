package dev.parley.benchmarks.json;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.parley.avro.CspField;
import dev.parley.avro.CspIntent;
import dev.parley.avro.CspMessage;
import dev.parley.avro.CspOperation;
import dev.parley.avro.CspOperator;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A CSP/1 message: {@code {"from":"MAIN","to":"CODER","ctx":"C1","intent":"TASK","id":"T001","req":"find
 * callers","in":"SRC","out":"CALL_SITES"}}.
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public final class CspJson {
    public String from;
    public String to;
    public String ctx;
    public CspIntent intent;
    public String id;
    public String req;
    public String in;
    public String out;
    public String owner;
    public String priority;
    public String status;
    public String produced;
    public String data;
    public String at;
    public String cause;
    public String next;
    public String base;
    public List<Operation> operations = new ArrayList<>();
    public String apply;
    public String operation;
    public String path;
    public String content;
    public Map<String, String> fields = new LinkedHashMap<>();

    /** One operation of a patch. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public static final class Operation {
        public CspOperator op;
        public String name;
        public String value;
    }

    /** The content of the message. */
    public static CspJson of(CspMessage message) {
        CspJson json = new CspJson();
        json.from = message.getSender();
        json.to = message.getRecipient();
        json.ctx = message.getCtx();
        json.intent = message.getIntent();
        json.id = message.getId();
        json.req = message.getRequest();
        json.in = message.getScope();
        json.out = message.getOutput();
        json.owner = message.getOwner();
        json.priority = message.getPriority();
        json.status = message.getStatus();
        json.produced = message.getProduced();
        json.data = message.getData();
        json.at = message.getErrorAt();
        json.cause = message.getCause();
        json.next = message.getNextAction();
        json.base = message.getBase();
        for (CspOperation operation : message.getOperations()) {
            Operation one = new Operation();
            one.op = operation.getOperator();
            one.name = operation.getName();
            one.value = operation.getValue();
            json.operations.add(one);
        }
        json.apply = message.getTarget();
        json.operation = message.getFileOperation();
        json.path = message.getPath();
        json.content = message.getContent();
        for (CspField field : message.getFields()) {
            json.fields.put(field.getKey(), field.getValue());
        }
        return json;
    }
}
