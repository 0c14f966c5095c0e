package dev.parley.demo;

import dev.parley.avro.Rule;
import dev.parley.cli.api.ApiClient;
import dev.parley.cli.api.ApiQuery;
import dev.parley.cli.api.Pages;
import dev.parley.cli.io.Counts;
import dev.parley.codec.Code;
import dev.parley.codec.Excerpt;
import dev.parley.conformance.CodeGuide;
import dev.parley.json.model.AccountingReport;
import dev.parley.json.model.Codes;
import dev.parley.json.model.Conversation;
import dev.parley.json.model.DeadLetter;
import dev.parley.json.model.InputRecord;
import dev.parley.json.model.ItemPage;
import dev.parley.json.model.Message;
import dev.parley.log.AuditFault;
import dev.parley.log.export.Exporter;
import dev.parley.log.tlog.VerifierKey;
import dev.parley.server.api.view.Paths;
import dev.parley.state.ChangeOrigin;
import dev.parley.state.CheckpointSummary;
import dev.parley.state.EntryChange;
import dev.parley.state.StateAnswer;
import dev.parley.state.StateAnswer.Diff;
import dev.parley.state.StateEntry;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * Reports the results of the sample traffic in six parts. All content comes from the HTTP API or from the verification
 * of an export. Only the choice of examples is fixed; if one is absent, the report shows another one.
 */
record Story(ApiClient api, StoryPrinter page, CodeGuide codes) {
    private static final String CONTEXT = "/v1/conversations/default/csp/auth-refactor";
    private static final String SESSION = "/v1/conversations/default/mcp/tickets-1";
    private static final String TOOL = "refund";
    private static final String BEFORE = "checkpoint:C2";
    private static final String AFTER = "checkpoint:C3";
    private static final String VIOLATION = "MCP_CAPABILITY";
    private static final String CONFLICT = "CSP_ADD_EXISTS";
    private static final int MAX_VALUE = 30;
    /** One message of each protocol. */
    private static final List<Map.Entry<String, String>> EXAMPLES = List.of(
            Map.entry("MCP", SESSION + "/messages/5"),
            Map.entry("CSP", CONTEXT + "/messages/2"),
            Map.entry("SLIP", "/v1/conversations/default/slip/1/messages/0"),
            Map.entry("SUBIT", "/v1/conversations/default/subit/line-4/messages/1"),
            Map.entry("LAMBDA", "/v1/conversations/default/lambda/survey-3/messages/0"));

    /**
     * A message that did not become part of its conversation.
     *
     * @param letter its dead letter
     * @param position where it is in its audit chain
     */
    record Rejected(DeadLetter letter, InputRecord position, Message message) {
        String chain() {
            return position.chain();
        }

        long sequence() {
            return position.sequence();
        }

        /** Path of its conversation. */
        String conversation() {
            return position.links().conversation();
        }
    }

    /** Part 1: the traffic. */
    void traffic() {
        page.heading("1. Agents talk");
        Map<String, Long> protocols = new TreeMap<>();
        long conversations = 0;
        for (ItemPage<Conversation> page :
                new Pages<>(api, new ApiQuery("/v1/conversations?limit=1000"), Conversation.class)) {
            for (Conversation row : page.items()) {
                if (!row.protocol().equals("UNKNOWN")) {
                    conversations++;
                    protocols.merge(row.protocol(), row.messages(), Long::sum);
                }
            }
        }
        AccountingReport.Counts total =
                api.get("/v1/accounting", AccountingReport.class).total();
        page.paragraph(total.inputs() + " inputs in " + conversations + " conversations and " + protocols.size()
                + " protocols, for example:");
        EXAMPLES.forEach(example -> api.find(example.getValue(), Message.class)
                .ifPresent(message -> page.sentence(String.format("%-7s", example.getKey()), sentence(message))));
        page.paragraph("Verdicts: " + verdicts(total, ", "));
    }

    /** Part 2: a message against the rules; returns it. */
    Optional<Rejected> violation() {
        Optional<Rejected> found = rejected("judge", VIOLATION);
        if (found.isEmpty()) {
            page.heading("2. No message breaks a rule");
            return found;
        }
        Rejected rejected = found.get();
        page.heading("2. A message breaks a rule, in conversation " + rejected.chain());
        acceptedBefore(rejected)
                .ifPresent(before -> page.sentence("message " + before.sequence() + " ACCEPTED  ", sentence(before)));
        page.sentence("message " + rejected.sequence() + " REJECTED  ", sentence(rejected.message()));
        Rule rule = rejected.message().rule();
        // A redaction removes it.
        if (rule != null) {
            if (rule.getBefore() != null) {
                page.labeled("State before  ", "dialogue state " + rule.getBefore());
            }
            page.labeled("Rule          ", rule.getSection() + ": " + rule.getText());
        }
        explanation(rejected);
        return found;
    }

    /** Part 3: a patch that contradicts its base. */
    Optional<Rejected> conflict() {
        Optional<Rejected> found = rejected("apply", CONFLICT);
        if (found.isEmpty()) {
            page.heading("3. No patch conflicts with its base");
            return found;
        }
        Rejected rejected = found.get();
        page.heading("3. A patch conflicts with its base, in conversation " + rejected.chain());
        page.sentence("message " + rejected.sequence() + " REJECTED  ", sentence(rejected.message()));
        if (rejected.letter().detail() != null) {
            page.labeled("Reason        ", rejected.letter().detail());
        }
        explanation(rejected);
        return found;
    }

    /** Part 4: a state at two points in time. */
    void timeTravel() {
        page.heading("4. What did they know, and who said so?");
        Optional<Diff> found = api.find(CONTEXT + "/diff?from=" + BEFORE + "&to=" + AFTER, Diff.class);
        if (found.isEmpty()) {
            page.paragraph("The context with a state to rebuild is not in this run.");
            return;
        }
        Diff difference = found.get();
        Map<String, StateEntry> before = blame(BEFORE);
        Map<String, StateEntry> after = blame(AFTER);
        page.paragraph("Context " + difference.about().conversation() + ", rebuilt from its patches at "
                + ((CheckpointSummary) difference.fromAsOf()).id() + " (" + before.size() + " entries) and "
                + ((CheckpointSummary) difference.toAsOf()).id() + " (" + after.size() + "):");
        difference.added().forEach(row -> page.labeled("+ ", assignment(after.get(row.entry()))));
        difference.removed().forEach(row -> page.labeled("- ", assignment(before.get(row.entry()))));
        difference.changed().forEach(row -> {
            page.labeled("~ ", "before: " + assignment(before.get(row.entry())));
            page.labeled("  ", "after:  " + assignment(after.get(row.entry())));
        });
        changedTool();
    }

    /** The last change of the definition of a tool, from the first character that differs. */
    private void changedTool() {
        List<EntryChange> changes = api.find(
                        new ApiQuery(SESSION + "/history")
                                .with("entry", "tool/" + TOOL)
                                .path(),
                        StateAnswer.History.class)
                .map(StateAnswer.History::items)
                .orElse(List.of());
        if (changes.size() < 2) {
            return;
        }
        String after = changes.get(0).value();
        String before = changes.get(1).value();
        int same = 0;
        while (same < before.length() && same < after.length() && before.charAt(same) == after.charAt(same)) {
            same++;
        }
        page.paragraph("MCP session tickets-1, where " + changes.get(0).by().sender() + " declared tool " + TOOL
                + " a second time:");
        page.labeled("~ ", "before: …" + Excerpt.cut(before.substring(same), MAX_VALUE));
        page.labeled("  ", "after:  …" + Excerpt.cut(after.substring(same), 3 * MAX_VALUE));
    }

    /**
     * Part 5: a forged record.
     *
     * @param files the export and the copy to forge
     * @param rejected the record to forge
     * @param keys verifier keys of the audit log
     * @return whether export and proof verify, and their forgeries do not
     */
    boolean tampering(TamperedCopy files, Exporter.Written written, Optional<Rejected> rejected, List<VerifierKey> keys)
            throws IOException, InterruptedException {
        page.heading("5. A record is forged");
        List<AuditFault> original = files.verify(files.export());
        page.paragraph("An export has " + written.records() + " records, " + written.chains()
                + " chains and signed heads: verify finds " + faults(original) + ".");
        Optional<Long> line = rejected.isEmpty()
                ? Optional.empty()
                : files.forge(rejected.get().chain(), rejected.get().sequence());
        if (line.isEmpty()) {
            page.paragraph("No rejected record to forge in this run.");
            return original.isEmpty();
        }
        List<AuditFault> forged = files.verify(files.copy());
        page.paragraph("In a copy, line " + line.get() + " says ACCEPTED instead of REJECTED: verify finds "
                + faults(forged) + ".");
        forged.forEach(fault -> page.labeled(
                "  " + fault.code() + " at ",
                fault.location() + ", chain " + fault.chain() + ", sequence " + fault.sequence()));
        return proof(rejected.get(), keys) && original.isEmpty() && !forged.isEmpty();
    }

    /**
     * Proves one message, and forges the proof as the export. Returns whether the first verifies, and not the second.
     */
    private boolean proof(Rejected rejected, List<VerifierKey> keys) throws InterruptedException {
        MessageProof proof = MessageProof.fetch(api, MessageProof.path(rejected.conversation(), rejected.sequence()));
        Optional<String> refusal = proof.refusal(keys);
        Optional<String> forged = proof.with(TamperedCopy.TRUE_VERDICT, TamperedCopy.FORGED_VERDICT)
                .refusal(keys);
        page.paragraph("That message alone has a proof, which the public key "
                + refusal.map(why -> "does not verify: " + why).orElse("verifies") + ". Forged, it "
                + forged.map(why -> "fails: " + why).orElse("verifies, too") + ".");
        return refusal.isEmpty() && forged.isPresent();
    }

    /**
     * Part 6: the accounting.
     *
     * @param accounted whether all inputs of the start are accounted for; later ones may be pending
     */
    void accounting(boolean accounted) {
        page.heading("6. Nothing is lost");
        AccountingReport accounting = api.get("/v1/accounting", AccountingReport.class);
        page.paragraph(accounting.total().inputs() + " inputs = " + verdicts(accounting.total(), " + ") + ": "
                + (accounting.balanced() ? "balanced" : accounted ? "more inputs are arriving" : "NOT BALANCED"));
        for (AccountingReport.Partition partition : accounting.partitions()) {
            AccountingReport.Counts counts = partition.counts();
            if (!counts.balanced()) {
                page.paragraph(partition.topic() + "-" + partition.partition() + ": pending " + counts.pending()
                        + ", lag " + counts.lag()
                        + (partition.stalledSince() == null ? "" : ", stalled since " + partition.stalledSince()));
            }
        }
    }

    private void explanation(Rejected rejected) {
        Codes.Description entry = codes.entry(Code.of(rejected.letter().code()));
        page.labeled("Meaning       ", rejected.letter().code() + ": " + entry.meaning());
        page.labeled("What to do    ", entry.remedy() + " (docs/protocols.md, " + entry.section() + ")");
    }

    /** The dead letter of that code, else the first of the stage. */
    private Optional<Rejected> rejected(String stage, String code) {
        ApiQuery letters = new ApiQuery("/v1/dead-letters").with("limit", 1).with("stage", stage);
        return first(letters.with("code", code)).or(() -> first(letters)).map(letter -> {
            DeadLetter.RecordPosition source = letter.source();
            InputRecord position = api.get(
                    "/v1/positions/" + Paths.segment(source.topic()) + "/" + source.partition() + "/" + source.offset(),
                    InputRecord.class);
            return new Rejected(letter, position, message(position.links().conversation(), position.sequence()));
        });
    }

    private Optional<DeadLetter> first(ApiQuery letters) {
        return new Pages<>(api, letters, DeadLetter.class)
                .iterator().next().items().stream().findFirst();
    }

    private Message message(String conversation, long sequence) {
        return api.get(conversation + "/messages/" + sequence, Message.class);
    }

    /** The last accepted message before a rejected one. */
    private Optional<Message> acceptedBefore(Rejected rejected) {
        return LongStream.iterate(rejected.sequence() - 1, sequence -> sequence >= 0, sequence -> sequence - 1)
                .mapToObj(sequence -> message(rejected.conversation(), sequence))
                .filter(message -> message.verdict().equals("ACCEPTED"))
                .findFirst();
    }

    private Map<String, StateEntry> blame(String moment) {
        ApiQuery query = new ApiQuery(CONTEXT + "/blame").with("limit", 1000).with("at", moment);
        return api.get(query.path(), StateAnswer.Blame.class).items().stream()
                .collect(Collectors.toMap(StateEntry::entry, entry -> entry, (one, other) -> one, TreeMap::new));
    }

    private static String assignment(StateEntry entry) {
        return entry.entry() + " = " + Excerpt.cut(entry.value(), MAX_VALUE) + " (set by "
                + entry.by().sender() + " in patch " + ((ChangeOrigin.Patch) entry.by()).patch() + ")";
    }

    /** The gloss of a message or, without one, the message itself on one line. */
    private static String sentence(Message message) {
        if (message.gloss() != null) {
            return message.gloss();
        }
        return message.raw() != null ? message.raw().replace("\n\n", "\n").replace("\n", "; ") : "(redacted)";
    }

    private static String faults(List<AuditFault> found) {
        return found.isEmpty() ? "no faults" : Counts.of(found.size(), "fault");
    }

    private static String verdicts(AccountingReport.Counts total, String separator) {
        return String.join(
                separator,
                total.accepted() + " accepted",
                total.rejected() + " rejected",
                total.flagged() + " flagged",
                total.undecodable() + " undecodable",
                total.parked() + " parked");
    }
}
