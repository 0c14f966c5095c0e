package dev.parley.log.evidence;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Redaction;
import dev.parley.avro.Rule;
import dev.parley.codec.ControlCharacters;
import dev.parley.codec.Excerpt;
import dev.parley.encoding.ByteBuffers;
import dev.parley.protocol.Glosses;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The report of an evidence for a person: one static HTML page without scripts. Agents choose most of its texts, so all
 * of them are bounded and escaped, and none changes the direction of another.
 */
record EvidenceReport(Writer out) {
    /** Maximum characters of one text. */
    private static final int MAX_TEXT = 2_000;

    private static final String HEAD = """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
            <title>Audit evidence</title>
            <style>
            body{font:14px/1.4 sans-serif;margin:2em;max-width:100em}
            table{border-collapse:collapse;width:100%}
            th,td{border:1px solid #bbb;padding:.3em .5em;text-align:left;vertical-align:top;overflow-wrap:anywhere}
            th{background:#eee}
            pre{white-space:pre-wrap}
            .accepted{background:#e6f4e6}.rejected{background:#fbe3e3}.flagged{background:#fdf3d8}
            </style></head><body>
            """;

    /** Duties to log, where this evidence answers them, and what it lacks. */
    private static final List<List<String>> DUTIES = List.of(
            List.of(
                    "Article 12(1): high-risk systems allow the automatic recording of events",
                    "the export: one audit record per judged message, written by the pipeline, not by the agents",
                    "Events outside the audited topics: model calls, tools, human actions. That all agents use the"
                            + " topics."),
            List.of(
                    "Article 12(2)(a): events that help to identify risks and substantial modifications",
                    "Timeline: verdict, code, rule, states. Version of the rules.",
                    "Which events are risks. Versions of models, prompts and tools."),
            List.of(
                    "Article 12(2)(b) and (c): post-market monitoring, and monitoring of operation",
                    "accounting.json: counts by verdict and input. Timeline.",
                    "The monitoring plan, thresholds, and who acts on them."),
            List.of(
                    "Article 12(3): remote biometric identification: periods of use, reference database, matches,"
                            + " verifying persons",
                    "Not addressed",
                    "All of it, if the article applies."),
            List.of(
                    "Article 19(1): providers keep logs under their control at least six months",
                    "Times of the records; heads and proofs show that they are unchanged",
                    "Retention of the topics and of this directory. Longer periods in other law, such as on personal"
                            + " data."),
            List.of(
                    "Article 26(5): deployers monitor operation, and inform providers and authorities",
                    "Timeline: rejected and flagged messages",
                    "Human oversight, decisions, and notifications."),
            List.of(
                    "Article 26(6): deployers keep logs under their control at least six months",
                    "As for article 19(1)",
                    "As for article 19(1)."));

    /**
     * Writes the part before the timeline.
     *
     * @param summary what was verified, in lines
     * @param facts names and values
     * @param redactions records of redactions and approvals, the first ones
     */
    void begin(String summary, List<List<String>> facts, List<AuditRecord> redactions) throws IOException {
        out.write(HEAD);
        out.write(
                "<h1>Audit evidence</h1>\n<p>A reading aid, which is not proven: the export and the proofs are the evidence."
                        + " README.txt says how to check them, and what they do not prove.</p>\n<pre>");
        out.write(xml(ControlCharacters.escapeLines(summary)));
        out.write("</pre>\n");
        table(List.of("Fact", "Value"), facts);
        out.write("<h2>Redactions and approvals</h2>\n");
        table(
                List.of("Decision", "Chain", "Sequence", "By", "Time", "Reason"),
                redactions.stream()
                        .map(AuditRecord::getRedaction)
                        .map(redaction -> List.of(
                                decision(redaction),
                                redaction.getChain(),
                                Long.toString(redaction.getSequence()),
                                redaction.getBy(),
                                redaction.getTime().toString(),
                                redaction.getReason()))
                        .toList());
        out.write(
                "<h2>Timeline</h2>\n<p>Times are those of the broker, in UTC. A state is that of the rule, if the rule is"
                        + " a cell of a dialogue table. Senders are names that messages claim.</p>\n<table>\n");
        row("th", "", List.of("Time", "Chain", "Sender", "Message", "Verdict", "Rule", "State", "Detail", "Proof"));
    }

    /** Writes a record of the timeline. */
    void record(AuditRecord record, String proof) throws IOException {
        AgentMessage message = record.getMessage();
        Rule rule = record.getRule();
        row(
                "td",
                switch (record.getVerdict()) {
                    case "ACCEPTED" -> "accepted";
                    case "FLAGGED" -> "flagged";
                    default -> "rejected";
                },
                Stream.of(
                                record.getSource().getTimestamp().toString(),
                                record.getChain() + "#" + record.getSequence(),
                                message == null
                                        ? ""
                                        : (message.getSender() == null ? "unknown" : message.getSender())
                                                + (message.getRecipients().isEmpty()
                                                        ? ""
                                                        : " to " + String.join(", ", message.getRecipients())),
                                text(record),
                                Stream.concat(
                                                Stream.of(record.getVerdict(), Objects.toString(record.getCode(), "")),
                                                record.getWarnings().stream().map(code -> "warning " + code))
                                        .filter(each -> !each.isEmpty())
                                        .collect(Collectors.joining(", ")),
                                rule == null
                                        ? ""
                                        : rule.getSection() + " (" + rule.getProvenance() + "): " + rule.getText(),
                                rule == null || rule.getBefore() == null
                                        ? ""
                                        : rule.getBefore() + " \u2192 "
                                                + (rule.getAfter() == null ? "illegal" : rule.getAfter()),
                                Objects.toString(record.getDetail(), ""),
                                proof)
                        .toList());
    }

    /** Writes the part after the timeline, and flushes. */
    void end(String note) throws IOException {
        out.write("</table>\n<p>" + xml(note)
                + "</p>\n<h2>Logging duties</h2>\n<p>Where this evidence may help with duties of Regulation (EU)"
                + " 2024/1689 (AI Act), for systems to which they apply. This is no legal advice, and no statement of"
                + " conformity.</p>\n");
        table(List.of("Duty, in short", "In this evidence", "To be added"), DUTIES);
        out.write("</body></html>\n");
        out.flush();
    }

    private static String decision(Redaction redaction) {
        return redaction.getApproves() ? "Approval" : "Redaction";
    }

    /** What a record says: its gloss, its bytes if they do not decode, or why it has no content. */
    private static String text(AuditRecord record) {
        Redaction redacted = record.getRedacted();
        if (redacted != null) {
            return "Content removed by " + redacted.getBy() + " at " + redacted.getTime() + ": " + redacted.getReason();
        }
        if (record.getRedaction() != null) {
            return decision(record.getRedaction()) + " of "
                    + record.getRedaction().getChain() + "#"
                    + record.getRedaction().getSequence();
        }
        AgentMessage message = record.getMessage();
        byte[] raw = ByteBuffers.of(message == null ? record.getRaw() : message.getRaw());
        if (raw == null) {
            return "";
        }
        // From the bytes, which decode for certain: an export can have a message that no decoder makes.
        return Optional.ofNullable(message)
                .flatMap(decoded -> Glosses.STANDARD.gloss(decoded.getProtocol(), raw, decoded.getSender()))
                .orElseGet(() -> new String(raw, 0, Math.min(raw.length, MAX_TEXT), StandardCharsets.UTF_8));
    }

    /** Escapes a text without control characters for elements and attributes. */
    private static String xml(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&apos;");
    }

    private void table(List<String> columns, List<List<String>> rows) throws IOException {
        out.write("<table>\n");
        row("th", "", columns);
        for (List<String> cells : rows) {
            row("td", "", cells);
        }
        out.write("</table>\n");
        if (rows.isEmpty()) {
            out.write("<p>None.</p>\n");
        }
    }

    /**
     * Writes a row.
     *
     * @param style name of a style, or empty
     */
    private void row(String element, String style, List<String> cells) throws IOException {
        out.write(style.isEmpty() ? "<tr>" : "<tr class=\"" + style + "\">");
        for (String cell : cells) {
            String text = ControlCharacters.escape(Excerpt.cut(cell, MAX_TEXT));
            out.write("<" + element + "><bdi>" + xml(text) + "</bdi></" + element + ">");
        }
        out.write("</tr>\n");
    }
}
