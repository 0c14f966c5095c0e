package dev.parley.demo;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.audit.AuditFault;
import dev.parley.cli.export.Exporter;
import dev.parley.cli.io.ApiClient;
import dev.parley.cli.io.Pages;
import dev.parley.codec.Code;
import dev.parley.conformance.CodeGuide;
import dev.parley.json.model.Conversation;
import dev.parley.json.model.ItemPage;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Reports the results of the sample traffic in six parts. All content comes from the HTTP API or from the verification
 * of an export. Only the choice of examples is fixed; if one is absent, the report shows another one.
 */
final class Story {
    private static final String CONTEXT = "/v1/conversations/default/csp/auth-refactor";
    private static final String BEFORE = "checkpoint:C2";
    private static final String AFTER = "checkpoint:C3";
    private static final String VIOLATION = "SLIP_PROPOSE_AFTER_ACCEPT";
    private static final String CONFLICT = "CSP_ADD_EXISTS";
    private static final int MAX_VALUE = 30;
    /** One message of each protocol. */
    private static final List<String> EXAMPLES = List.of(
            CONTEXT + "/messages/2",
            "/v1/conversations/default/slip/1/messages/0",
            "/v1/conversations/default/subit/line-4/messages/1",
            "/v1/conversations/default/lambda/survey-3/messages/0");

    private final ApiClient api;
    private final StoryPrinter page;
    private final CodeGuide codes;

    Story(ApiClient api, StoryPrinter page, CodeGuide codes) {
        this.api = api;
        this.page = page;
        this.codes = codes;
    }

    /**
     * A message that did not become part of its conversation.
     *
     * @param letter its dead letter
     * @param position where it is in its audit chain
     * @param conversation path of its conversation
     */
    record Rejected(JsonNode letter, JsonNode position, String conversation, JsonNode message) {
        String code() {
            return letter.path("code").asText();
        }

        String chain() {
            return position.path("chain").asText();
        }

        long sequence() {
            return position.path("sequence").asLong();
        }
    }

    /** Part 1: the traffic. */
    void traffic() {
        page.heading("1. Agents talk");
        Map<String, Long> protocols = new TreeMap<>();
        long conversations = 0;
        for (ItemPage<Conversation> page : new Pages<>(api, "/v1/conversations?limit=1000", Conversation.class)) {
            for (Conversation row : page.items()) {
                if (!row.protocol().equals("UNKNOWN")) {
                    conversations++;
                    protocols.merge(row.protocol(), row.messages(), Long::sum);
                }
            }
        }
        JsonNode total = api.get("/v1/accounting").path("total");
        page.paragraph(number(total, "inputs") + " messages in " + conversations + " conversations and "
                + protocols.size() + " protocols, for example:");
        for (String path : EXAMPLES) {
            api.find(path)
                    .ifPresent(message -> page.sentence(
                            String.format(
                                    "%-7s",
                                    message.path("message").path("protocol").asText()),
                            sentence(message)));
        }
        page.paragraph("Verdicts: " + verdicts(total, ", "));
    }

    /** Part 2: a message against the rules; returns it. */
    Optional<Rejected> violation() {
        Optional<Rejected> found = rejected("dialogue", VIOLATION);
        if (found.isEmpty()) {
            page.heading("2. No message breaks a rule");
            return found;
        }
        Rejected rejected = found.get();
        page.heading("2. A message breaks a rule, in conversation " + rejected.chain());
        acceptedBefore(rejected)
                .ifPresent(before -> page.sentence(
                        messageNumber(before.path("sequence").asLong()) + " ACCEPTED  ", sentence(before)));
        page.sentence(messageNumber(rejected.sequence()) + " REJECTED  ", sentence(rejected.message()));
        JsonNode rule = rejected.message().path("rule");
        if (rule.hasNonNull("before")) {
            page.labeled(
                    "State before  ", "dialogue state " + rule.path("before").asText());
        }
        page.labeled(
                "Rule          ",
                rule.path("section").asText() + ": " + rule.path("text").asText());
        explanation(rejected);
        return found;
    }

    /** Part 3: a patch that contradicts its base. */
    Optional<Rejected> conflict() {
        Optional<Rejected> found = rejected("patch", CONFLICT);
        if (found.isEmpty()) {
            page.heading("3. No patch conflicts with its base");
            return found;
        }
        Rejected rejected = found.get();
        page.heading("3. A patch conflicts with its base, in conversation " + rejected.chain());
        JsonNode patch = rejected.message().path("message").path("csp");
        page.sentence(messageNumber(rejected.sequence()) + " REJECTED  ", sentence(rejected.message()));
        String base = patch.path("base").asText();
        JsonNode state = api.get(rejected.conversation() + "/blame?limit=1000&at=checkpoint:" + encoded(base));
        for (JsonNode entry : state.path("items")) {
            for (JsonNode operation : patch.path("operations")) {
                if (operation.path("name").equals(entry.path("entry"))) {
                    page.labeled("State before  ", base + " has " + assignment(entry));
                }
            }
        }
        page.labeled("Reason        ", rejected.letter().path("detail").asText());
        explanation(rejected);
        return found;
    }

    /** Part 4: a state at two points in time. */
    void timeTravel() {
        page.heading("4. What did they know, and who said so?");
        Optional<JsonNode> found = api.find(CONTEXT + "/diff?from=" + BEFORE + "&to=" + AFTER);
        if (found.isEmpty()) {
            page.paragraph("The context with a state to rebuild is not in this run.");
            return;
        }
        JsonNode difference = found.get();
        Map<String, JsonNode> before = blame(BEFORE);
        Map<String, JsonNode> after = blame(AFTER);
        page.paragraph("Context " + difference.path("conversation").asText() + ", rebuilt from its patches at "
                + difference.path("fromAsOf").path("id").asText() + " ("
                + before.size() + " entries) and "
                + difference.path("toAsOf").path("id").asText()
                + " (" + after.size() + "):");
        difference.path("added").forEach(row -> page.labeled("+ ", assignment(after.get(name(row)))));
        difference.path("removed").forEach(row -> page.labeled("- ", assignment(before.get(name(row)))));
        difference.path("changed").forEach(row -> {
            page.labeled("~ ", "before: " + assignment(before.get(name(row))));
            page.labeled("  ", "after:  " + assignment(after.get(name(row))));
        });
    }

    /**
     * Part 5: a forged record.
     *
     * @param files the export and the copy to forge
     * @param rejected the record to forge
     */
    void tampering(TamperedCopy files, Exporter.Written written, Optional<Rejected> rejected) throws IOException {
        page.heading("5. A record is forged");
        List<AuditFault> original = TamperedCopy.verify(files.export());
        page.paragraph(written.records() + " audit records in " + written.chains()
                + " hash chains are exported: verify finds " + faults(original) + ".");
        Optional<Long> line = rejected.isEmpty()
                ? Optional.empty()
                : files.forge(rejected.get().chain(), rejected.get().sequence());
        if (line.isEmpty()) {
            page.paragraph("No rejected record to forge in this run.");
            return;
        }
        List<AuditFault> forged = TamperedCopy.verify(files.copy());
        page.paragraph("In a copy, " + messageNumber(rejected.get().sequence()) + " of "
                + rejected.get().chain() + " (line " + line.get() + ") is changed to ACCEPTED: verify finds "
                + faults(forged) + ".");
        forged.forEach(fault -> page.labeled(
                "  " + fault.code() + " at ",
                fault.location() + ", chain " + fault.chain() + ", sequence " + fault.sequence()));
    }

    /** Part 6: the accounting. */
    void accounting() {
        page.heading("6. Nothing is lost");
        JsonNode accounting = api.get("/v1/accounting");
        JsonNode total = accounting.path("total");
        page.paragraph(number(total, "inputs") + " inputs = " + verdicts(total, " + ") + ": "
                + (accounting.path("balanced").asBoolean() ? "balanced" : "NOT BALANCED"));
        for (JsonNode partition : accounting.path("partitions")) {
            if (!partition.path("balanced").asBoolean()) {
                page.paragraph(partition.path("topic").asText() + "-" + partition.path("partition") + ": pending "
                        + partition.path("pending") + ", lag " + partition.path("lag") + ", stalled since "
                        + partition.path("stalledSince").asText());
            }
        }
    }

    private void explanation(Rejected rejected) {
        CodeGuide.Entry entry = codes.entry(Code.of(rejected.code()));
        page.labeled("Meaning       ", rejected.code() + ": " + entry.code().meaning());
        page.labeled("What to do    ", entry.remedy() + " (docs/protocols.md, " + entry.section() + ")");
    }

    /** The dead letter of that code, else the first of the stage. */
    private Optional<Rejected> rejected(String stage, String code) {
        JsonNode items = api.get("/v1/dead-letters?limit=1&stage=" + stage + "&code=" + code)
                .path("items");
        if (items.isEmpty()) {
            items = api.get("/v1/dead-letters?limit=1&stage=" + stage).path("items");
        }
        if (items.isEmpty()) {
            return Optional.empty();
        }
        JsonNode letter = items.get(0);
        JsonNode source = letter.path("source");
        JsonNode position = api.get("/v1/positions/"
                + encoded(source.path("topic").asText()) + "/"
                + source.path("partition").asInt() + "/" + source.path("offset").asLong());
        String conversation = position.path("links").path("conversation").asText();
        JsonNode message =
                api.get(conversation + "/messages/" + position.path("sequence").asLong());
        return Optional.of(new Rejected(letter, position, conversation, message));
    }

    /** The last accepted message before a rejected one. */
    private Optional<JsonNode> acceptedBefore(Rejected rejected) {
        for (long sequence = rejected.sequence() - 1; sequence >= 0; sequence--) {
            JsonNode message = api.get(rejected.conversation() + "/messages/" + sequence);
            if (message.path("verdict").asText().equals("ACCEPTED")) {
                return Optional.of(message);
            }
        }
        return Optional.empty();
    }

    private Map<String, JsonNode> blame(String moment) {
        Map<String, JsonNode> entries = new TreeMap<>();
        api.get(CONTEXT + "/blame?limit=1000&at=" + moment)
                .path("items")
                .forEach(entry -> entries.put(name(entry), entry));
        return entries;
    }

    private static String assignment(JsonNode entry) {
        JsonNode by = entry.path("by");
        return name(entry) + " = " + StoryPrinter.fit(entry.path("value").asText(), MAX_VALUE) + " (set by "
                + by.path("sender").asText() + " in patch " + by.path("patch").asText() + ")";
    }

    private static String name(JsonNode row) {
        return row.path("entry").asText();
    }

    /** The gloss of a message or, without one, the message itself on one line. */
    private static String sentence(JsonNode message) {
        if (message.path("gloss").isTextual()) {
            return message.path("gloss").textValue();
        }
        return message.path("raw").isTextual()
                ? message.path("raw").textValue().replace("\n\n", "\n").replace("\n", "; ")
                : "(redacted)";
    }

    private static String messageNumber(long sequence) {
        return "message " + sequence;
    }

    private static String faults(List<AuditFault> found) {
        return found.isEmpty() ? "no faults" : found.size() == 1 ? "1 fault" : found.size() + " faults";
    }

    private static String verdicts(JsonNode total, String separator) {
        return Stream.of("accepted", "rejected", "flagged", "undecodable", "parked")
                .map(verdict -> number(total, verdict) + " " + verdict)
                .collect(Collectors.joining(separator));
    }

    private static String number(JsonNode total, String name) {
        return total.path(name).asText();
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
