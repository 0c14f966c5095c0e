package dev.parley.server.api;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.parley.audit.AuditChain;
import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.InboundHeader;
import dev.parley.avro.Source;
import dev.parley.codec.RecordHeaders;
import dev.parley.codec.Symbols;
import dev.parley.decode.ConversationKey;
import dev.parley.decode.RecordDecodeResult;
import dev.parley.decode.WireRecord;
import dev.parley.dialogue.ConversationState;
import dev.parley.gloss.Definitions;
import dev.parley.json.JsonText;
import dev.parley.json.model.Composition;
import dev.parley.json.model.VerdictDetail;
import dev.parley.protocol.Glosses;
import dev.parley.server.api.view.Parameters;
import dev.parley.server.api.view.ViewRequest;
import dev.parley.server.auth.MaskingPolicy;
import dev.parley.server.http.ApiRequest;
import dev.parley.server.http.ProblemException.Code;
import dev.parley.server.http.SecurityFilter;
import dev.parley.stage.JudgedRecord;
import dev.parley.stage.OfflinePipeline;
import dev.parley.stage.RepairPlanner;
import dev.parley.stage.StageSettings;
import dev.parley.state.Nullable;
import dev.parley.topology.views.Views;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Decodes and judges drafts: messages that were not sent. A draft is judged after the messages of its conversation that
 * the caller may see, with the settings of the pipeline.
 */
record DraftHandler(Glosses glosses, StageSettings settings) {

    private static final String DRAFT = "draft";
    private static final String DIRECTION = "direction";
    private static final String SENDER = "sender";
    private static final String REPAIR = "repair";

    /**
     * A draft and what would become of it.
     *
     * @param judged the verdict, whose keys are keys of this object; of a draft that is only decoded, without verdict
     * @param chain audit chain that would record it
     * @param decoded its message, whose keys are keys of this object; null if it does not decode
     * @param replayed number of messages before it
     * @param exact whether the verdict depends on no message that the caller may not see, or that is gone
     */
    record Draft(
            @JsonUnwrapped VerdictDetail judged,
            boolean decodes,
            String chain,
            @JsonUnwrapped @Nullable Decoded decoded,
            long replayed,
            boolean exact) {}

    /** The message of a draft. */
    record Decoded(
            @Nullable String protocol,
            @Nullable String sender,
            @Nullable String performative,
            @Nullable String gloss,
            @Nullable JsonText message) {}

    /** Decodes a draft. */
    Draft decode(ApiRequest request) {
        Parameters parameters = Parameters.of(request, DRAFT, "protocol", DIRECTION);
        Map<String, String> headers = headers(parameters);
        parameters.text("protocol").ifPresent(protocol -> headers.put(RecordHeaders.PROTOCOL, protocol));
        // Of a draft that names none.
        headers.put(RecordHeaders.CONVERSATION, DRAFT);
        WireRecord record = record(parameters, headers);
        return settings.decoder()
                .decode(record)
                .map(this::draft, error -> judge(new OfflinePipeline(settings), record, headers, 0, true));
    }

    private Draft draft(RecordDecodeResult.Message decoded) {
        List<VerdictDetail.Warning> warnings = decoded.warnings().stream()
                .map(code -> Verdicts.warning(code.name()))
                .toList();
        VerdictDetail judged = new VerdictDetail(null, decoded.remark(), warnings);
        return draft(judged, decoded.conversation().toString(), decoded.message(), 0, true);
    }

    /** Judges a draft on the instance that owns its conversation. */
    Draft judge(ViewRequest request, Views views) {
        Parameters parameters = Parameters.of(request, DRAFT, DIRECTION, SENDER);
        return request.budget().addAnswer(judge(request, parameters, replay(request, views, record -> {})));
    }

    private Draft judge(ViewRequest request, Parameters parameters, Replayed replayed) {
        Map<String, String> headers = headers(request, parameters);
        Draft draft =
                judge(replayed.pipeline(), record(parameters, headers), headers, replayed.next(), replayed.exact());
        if (draft.decodes()
                && !draft.chain().equals(StateHandler.conversation(request).toString())) {
            throw Parameters.invalid("conversation", "must be that of the draft, " + draft.chain());
        }
        return draft;
    }

    /** Returns what can be sent next, and the verdict on a draft, on the instance that owns the conversation. */
    Composition compose(ViewRequest request, Views views) {
        Parameters parameters = Parameters.of(request, DRAFT, SENDER, REPAIR);
        long repaired = parameters
                .text(REPAIR)
                .map(text -> Parameters.number(REPAIR, text, 0, Long.MAX_VALUE))
                .orElse(-1L);
        AuditRecord[] shown = new AuditRecord[2];
        Replayed replayed = replay(request, views, record -> {
            shown[0] = record.getMessage() == null ? shown[0] : record;
            shown[1] = record.getSequence() == repaired ? record : shown[1];
        });
        String chain = StateHandler.conversation(request).toString();
        if (replayed.next() == 0) {
            throw Code.UNKNOWN_CONVERSATION.problem("No conversation " + chain + '.');
        }
        ConversationState state = replayed.pipeline().state(chain);
        RepairPlanner planner = new RepairPlanner(settings);
        Instant now = Instant.ofEpochMilli(System.currentTimeMillis());
        String omitted = reason(repaired < 0 ? shown[0] : shown[1]);
        List<Composition.Template> repair = List.of();
        if (omitted == null && repaired >= 0) {
            AuditRecord failed = shown[1];
            repair = templates(planner.repair(failed.getCode(), failed.getMessage(), state, now));
            omitted = repair.isEmpty() ? "The remedy of " + failed.getCode() + " names no message to send." : null;
        }
        List<Composition.Template> templates =
                reason(shown[0]) == null ? templates(planner.next(shown[0].getMessage(), state, now)) : List.of();
        Composition.Draft draft = null;
        if (parameters.text(DRAFT).isPresent()) {
            Draft judged = judge(request, parameters, replayed);
            draft = new Composition.Draft(
                    judged.judged(),
                    judged.decodes() ? judged.decoded().sender() : null,
                    judged.decodes() ? judged.decoded().gloss() : null,
                    freeTurn(planner, record(parameters, headers(request, parameters)), state, now));
        }
        return request.budget()
                .addAnswer(new Composition(
                        replayed.next(),
                        replayed.exact(),
                        draft,
                        repair,
                        templates,
                        omitted,
                        RepairPlanner.turnWarning(state, repair.size())));
    }

    /** The draft with the next free turn; null if it does not decode, or no turn is free. */
    private String freeTurn(RepairPlanner planner, WireRecord draft, ConversationState state, Instant now) {
        return settings.decoder()
                .decode(draft)
                .<Optional<RepairPlanner.Step>>map(
                        decoded -> planner.withFreeTurn(decoded.message(), state, now), error -> Optional.empty())
                .map(step -> new String(step.wire(), StandardCharsets.UTF_8))
                .orElse(null);
    }

    /** The query of a composition: that of its request, with the body as draft. */
    static Map<String, String> parameters(ApiRequest request) {
        Parameters.of(request, REPAIR, SENDER);
        Map<String, String> parameters = new LinkedHashMap<>(Parameters.values(request));
        parameters.put(DRAFT, new String(SecurityFilter.body(request), StandardCharsets.UTF_8));
        return parameters;
    }

    private static Map<String, String> headers(ViewRequest request, Parameters parameters) {
        ConversationKey conversation = StateHandler.conversation(request);
        Map<String, String> headers = headers(parameters);
        headers.put(RecordHeaders.NAMESPACE, request.pathParam("namespace"));
        headers.put(RecordHeaders.PROTOCOL, conversation.protocol());
        headers.put(RecordHeaders.CONVERSATION, conversation.conversation());
        return headers;
    }

    /**
     * Why a record is no template; null if it can be one.
     *
     * @param record null if the caller may not see all of it
     */
    private static String reason(AuditRecord record) {
        if (record == null || record.getMessage() == null) {
            return "There is no message whose content you may see.";
        }
        return record.getMessage().getMcp() == null
                ? null
                : "MCP messages are recorded where client and server exchange them; one that is sent here reaches"
                        + " neither.";
    }

    private static List<Composition.Template> templates(List<RepairPlanner.Step> steps) {
        return steps.stream()
                .map(step -> new Composition.Template(
                        step.act(),
                        step.sender(),
                        new String(step.wire(), StandardCharsets.UTF_8),
                        step.judgement().code() == null
                                ? null
                                : step.judgement().code().name()))
                .toList();
    }

    /**
     * A conversation that was replayed.
     *
     * @param next number of its messages
     */
    private record Replayed(OfflinePipeline pipeline, long next, boolean exact) {}

    /**
     * Replays what the caller may see.
     *
     * @param visitor consumer of the records without hidden parts
     */
    private Replayed replay(ViewRequest request, Views views, Consumer<AuditRecord> visitor) {
        String chain = StateHandler.conversation(request).toString();
        OfflinePipeline pipeline = new OfflinePipeline(settings);
        long next = 0;
        long bytes = 0;
        boolean exact = true;
        Iterator<AuditRecord> records = views.records(chain, next, Long.MAX_VALUE);
        while (records.hasNext()) {
            AuditRecord record = records.next();
            AuditRecord visible = request.masking().visible(record);
            exact &= record.getSequence() == next
                    && visible == record
                    && (record.getMessage() != null || record.getRedaction() != null);
            next = record.getSequence() + 1;
            if (visible != null) {
                pipeline.replay(visible);
            }
            if (visible == record) {
                visitor.accept(record);
            }
            ByteBuffer raw = AuditChain.raw(record);
            bytes += raw == null ? 0 : raw.remaining();
            if (next > DialogueStates.MAX_FOLDED || bytes > request.budget().maxItemBytes()) {
                throw Code.ANSWER_TOO_LARGE.problem(
                        "A draft is judged in conversations of at most " + DialogueStates.MAX_FOLDED + " messages and "
                                + request.budget().maxItemBytes() + " bytes.");
            }
            request.budget().retain(bytes);
        }
        return new Replayed(pipeline, next, exact);
    }

    private Draft judge(
            OfflinePipeline pipeline, WireRecord record, Map<String, String> headers, long replayed, boolean exact) {
        List<JudgedRecord> judged = new ArrayList<>();
        List<AuditRecord> audited = new ArrayList<>();
        List<InboundHeader> inbound = new ArrayList<>();
        headers.forEach((name, value) ->
                inbound.add(new InboundHeader(name, ByteBuffer.wrap(value.getBytes(StandardCharsets.UTF_8)))));
        pipeline.accept(record, inbound, judged::add, audited::add);
        return audited.stream()
                .filter(audit -> audit.getSource().equals(record.source()))
                .findFirst()
                .map(audit -> draft(
                        Verdicts.of(audit, MaskingPolicy.NONE), audit.getChain(), audit.getMessage(), replayed, exact))
                .orElseGet(() -> draft(
                        new VerdictDetail("PARKED", "The patch would wait for its base.", List.of()),
                        judged.get(0).chain(),
                        judged.get(0).message(),
                        replayed,
                        exact));
    }

    private Draft draft(VerdictDetail judged, String chain, AgentMessage message, long replayed, boolean exact) {
        Decoded decoded = message == null
                ? null
                : new Decoded(
                        Symbols.PROTOCOL.of(message.getProtocol()).name(),
                        message.getSender(),
                        Symbols.PERFORMATIVE.of(message.getPerformative()).name(),
                        glosses.gloss(message, Definitions.NONE),
                        ConversationHandler.decoded(message));
        return new Draft(judged, decoded != null, chain, decoded, replayed, exact);
    }

    private static Map<String, String> headers(Parameters parameters) {
        Map<String, String> headers = new LinkedHashMap<>();
        parameters.text(DIRECTION).ifPresent(direction -> headers.put("parley-direction", direction));
        parameters.text(SENDER).ifPresent(sender -> headers.put(RecordHeaders.SENDER, sender));
        return headers;
    }

    private static WireRecord record(Parameters parameters, Map<String, String> headers) {
        Source source = new Source(DRAFT, 0, 0L, Instant.ofEpochMilli(System.currentTimeMillis()), null);
        return new WireRecord(
                source,
                null,
                parameters.required(DRAFT, "the message").getBytes(StandardCharsets.UTF_8),
                RecordHeaders.ofText(headers));
    }
}
