package dev.parley.gloss;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.Capture;
import dev.parley.avro.CaptureMark;
import dev.parley.avro.HttpField;
import dev.parley.avro.JsonRpcMessage;
import dev.parley.avro.McpMessage;
import dev.parley.dialogue.mcp.McpJson;
import java.util.Map;

/** Glosses of MCP: who calls, answers or notifies, with the names and arguments of the message. */
public final class McpGlosser implements Glosser {
    private static final String NOTIFICATIONS = "notifications/";

    @Override
    public void write(AgentMessage envelope, Definitions definitions, Sentence sentence) {
        McpMessage message = envelope.getMcp();
        JsonRpcMessage rpc = message.getMessage();
        if (envelope.getSender() == null) {
            sentence.add("An agent");
        } else {
            sentence.value(envelope.getSender());
        }
        switch (rpc.getKind()) {
            case REQUEST -> request(message, sentence);
            case NOTIFICATION -> notification(message, sentence);
            case RESULT -> {
                sentence.add(" answers request ").value(rpc.getId());
                if (Boolean.TRUE.equals(message.getIsError())) {
                    sentence.add(", which has failed");
                }
                sentence.add(": ").value(rpc.getResult());
            }
            case ERROR -> {
                sentence.add(rpc.getId() == null ? " reports" : " answers request ")
                        .value(rpc.getId());
                sentence.add(rpc.getId() == null ? " error " : " with error ")
                        .add(String.valueOf(rpc.getErrorCode()))
                        .add(": ")
                        .value(McpJson.string(McpJson.members(rpc.getError()).get("message")));
            }
            case BATCH -> sentence.add(" sends a batch of " + rpc.getBatch().size() + " messages");
            case NONE, OTHER -> transport(message.getCapture(), sentence);
            case UNKNOWN -> sentence.add(" sends a message");
        }
    }

    private static void request(McpMessage message, Sentence sentence) {
        JsonRpcMessage rpc = message.getMessage();
        switch (rpc.getMethod()) {
            case "initialize" -> {
                sentence.add(" starts a session of version ").value(message.getProtocolVersion());
            }
            case "tools/call" -> call(" calls tool ", message, sentence);
            case "prompts/get" -> call(" asks for prompt ", message, sentence);
            case "resources/read" -> sentence.add(" reads ").value(message.getUri());
            case "resources/subscribe" -> sentence.add(" subscribes to ").value(message.getUri());
            default -> sentence.add(" requests ").value(rpc.getMethod());
        }
    }

    private static void call(String verb, McpMessage message, Sentence sentence) {
        Map<String, String> params = McpJson.members(message.getMessage().getParams());
        sentence.add(verb).value(message.getName());
        if (params.get("arguments") != null) {
            sentence.add(" with ").value(params.get("arguments"));
        }
    }

    private static void notification(McpMessage message, Sentence sentence) {
        switch (message.getMessage().getMethod()) {
            case "notifications/initialized" -> sentence.add(" ends the initialization");
            case "notifications/cancelled" -> sentence.add(" cancels request ").value(message.getRequestId());
            case "notifications/progress" -> {
                Map<String, String> params =
                        McpJson.members(message.getMessage().getParams());
                sentence.add(" reports progress ").value(params.get("progress"));
                sentence.add(" of ").value(message.getProgressToken());
            }
            default -> notifies(message.getMessage().getMethod(), sentence);
        }
    }

    private static void notifies(String method, Sentence sentence) {
        sentence.add(" notifies of ")
                .value(method.startsWith(NOTIFICATIONS) ? method.substring(NOTIFICATIONS.length()) : method);
    }

    private static void transport(Capture capture, Sentence sentence) {
        if (capture == null) {
            sentence.add(" sends no message");
        } else if (capture.getHttpStatus() != null) {
            sentence.add(" answers with HTTP status " + capture.getHttpStatus());
        } else if (capture.getHttpMethod() != null) {
            sentence.add(" sends HTTP ").value(capture.getHttpMethod());
        } else if (capture.getMark() == CaptureMark.GAP) {
            sentence.add(" continues after lost messages");
            for (HttpField field : capture.getFields()) {
                if (field.getName().equals("parley-loss")) {
                    sentence.add(": ").value(field.getValue());
                }
            }
        } else {
            sentence.add(" ends the session");
        }
    }
}
