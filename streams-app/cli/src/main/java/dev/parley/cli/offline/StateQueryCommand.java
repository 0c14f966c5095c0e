package dev.parley.cli.offline;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.Checkpoint;
import dev.parley.checkpoint.CheckpointKey;
import dev.parley.cli.api.ApiClient;
import dev.parley.cli.api.ApiException;
import dev.parley.cli.api.ApiOptions;
import dev.parley.cli.api.ApiQuery;
import dev.parley.cli.api.Pages;
import dev.parley.cli.io.ConfigCommand;
import dev.parley.cli.io.OutputOptions;
import dev.parley.cli.io.UsageException;
import dev.parley.cli.transcript.TranscriptRun;
import dev.parley.codec.RecordHeaders;
import dev.parley.decode.ConversationKey;
import dev.parley.decode.WireProtocol;
import dev.parley.json.model.ItemPage;
import dev.parley.protocol.Glosses;
import dev.parley.stage.StageSettings;
import dev.parley.state.InMemoryConversation;
import dev.parley.state.PointInTime;
import dev.parley.state.QueryBudget;
import dev.parley.state.StateAnswer;
import dev.parley.state.StateEntry;
import dev.parley.state.StateQueries;
import dev.parley.state.StateQueryException;
import dev.parley.topology.config.NearestNames;
import dev.parley.topology.pipeline.PipelineSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A command about the state of a conversation, in a transcript or in a running Parley. */
abstract class StateQueryCommand extends ConfigCommand {
    /** Maximum items of a page of a list. */
    static final int PAGE = 1_000;

    // Paragraphs of the commands' help.
    static final String MOMENTS = "MOMENT is latest, sequence:N, turn:N (SLIP), C2 or checkpoint:ID (CSP), a TIME, or"
            + " offset:TOPIC/PARTITION/OFFSET. In a transcript the offset is the line number, from 1, in"
            + " parley.wire/0. TIME is 2026-01-31T12:00:00Z, 2026-01-31 (its beginning), 14:00 (today), -15m, -1h"
            + " or -2d, in the time zone of this machine; milliseconds since the epoch are time:N.";
    static final String STATUS =
            "Exit status: 0; 1 if the conversation, checkpoint or entry is unknown; 2 if a line of the transcript is"
                    + " invalid.";

    @Mixin
    private ApiOptions api;

    @Option(
            names = "--namespace",
            paramLabel = "N",
            defaultValue = RecordHeaders.DEFAULT_NAMESPACE,
            description = "Agent system of the conversation. Default: ${DEFAULT-VALUE}.")
    private String namespace;

    @Option(
            names = "--protocol",
            paramLabel = "P",
            defaultValue = "csp",
            description = "Its protocol: mcp, slip, subit, csp or lambda. Default: ${DEFAULT-VALUE}.")
    private WireProtocol<?> protocol;

    @Parameters(
            arity = "0..2",
            paramLabel = "[FILE] CONVERSATION",
            hideParamSyntax = true,
            description =
                    "A transcript, or - for standard input; without one, a running Parley is asked. The conversation;"
                            + " for CSP the context. Its chain, as parley tail prints it, also names namespace and"
                            + " protocol.")
    private List<String> words = List.of();

    @Mixin
    private OutputOptions output;

    private boolean whole = true;
    private boolean hasMoment;
    private StateQueries transcript;
    private Glosses glosses = Glosses.STANDARD;

    /** Sets the glosses of a transcript's messages; a running Parley has its own. */
    final void use(Glosses wanted) {
        glosses = wanted;
    }

    /** The exit status, after the last query: 2 if a line of the transcript was invalid. */
    final int status() {
        return whole ? 0 : 2;
    }

    @Override
    public int failedStatus() {
        return whole ? super.failedStatus() : status();
    }

    /** Adds how to find the right name of an unknown conversation or checkpoint. */
    @Override
    public String describe(Throwable failure) {
        String code = failure instanceof StateQueryException exception
                ? exception.code().name()
                : failure instanceof ApiException exception ? exception.code() : null;
        String message = super.describe(failure);
        if (StateQueryException.Code.UNKNOWN_CONVERSATION.name().equals(code)) {
            return message + " Check --namespace and --protocol; "
                    + (words.size() == 2
                            ? "parley judge " + words.get(0)
                            : "GET " + api.client().uri("/v1/conversations"))
                    + " lists the conversations.";
        }
        return StateQueryException.Code.UNKNOWN_CHECKPOINT.name().equals(code) && hasMoment
                ? message + " MOMENT must be " + PointInTime.FORMS + "; parley tree lists the checkpoints."
                : message;
    }

    final OutputOptions output() {
        return output;
    }

    final ConversationKey conversation() {
        isTranscript(1);
        String word = words.get(words.size() - 1);
        return ConversationKey.find(word).orElseGet(() -> new ConversationKey(namespace, protocol.name(), word));
    }

    /**
     * Whether the command line names a transcript.
     *
     * @param names number of the names after it: 1 for a conversation, 0 for an agent
     */
    private boolean isTranscript(int names) {
        boolean transcript = words.size() == names + 1;
        if (transcript ? api.isGiven() : words.size() != names) {
            throw new UsageException(
                    names == 0
                            ? "with --agent, name at most a transcript, and no conversation"
                            : "name a transcript and a conversation, or only a conversation of a running Parley");
        }
        if (!transcript && names == 1 && !api.isGiven() && isFile(words.get(0))) {
            throw new UsageException("name the conversation after the transcript " + words.get(0));
        }
        return transcript;
    }

    private static boolean isFile(String word) {
        return word.equals("-") || Files.isRegularFile(Path.of(word));
    }

    /** Parses the moment that an option names. */
    final PointInTime moment(String option, String text) {
        hasMoment = true;
        try {
            PointInTime moment = PointInTime.parse(text, conversation().symbol(), Clock.systemDefaultZone());
            if (moment instanceof PointInTime.AtTime at) {
                noteFuture(option, at.time());
            }
            return moment;
        } catch (IllegalArgumentException e) {
            throw new UsageException(option + " " + e.getMessage(), e);
        }
    }

    private void noteFuture(String option, Instant time) {
        if (time.isAfter(Instant.now()) && !time.equals(Instant.MAX)) {
            report(option + " is in the future (" + time + "), so later messages can still change the result");
        }
    }

    /**
     * Queries a running Parley or a transcript.
     *
     * @param path path of the query below that of the conversation, such as "/state"
     * @param type class of the result
     */
    final <R> R ask(String path, Map<String, String> parameters, Class<R> type, Function<StateQueries, R> transcript)
            throws IOException {
        ConversationKey conversation = conversation();
        if (isTranscript(1)) {
            return transcript.apply(queries(conversation));
        }
        ApiQuery query = new ApiQuery(ApiClient.conversation(conversation) + path).with(parameters);
        return api.client().get(query.path(), type);
    }

    /**
     * Queries a list, page by page.
     *
     * @param path as in {@link #ask}
     * @param parameters query parameters other than limit and cursor
     * @param transcript the same query of a transcript, from a cursor on
     * @param each takes the items
     * @return the last page
     */
    final <T, P extends StateAnswer.Page<T>> P pages(
            String path,
            Map<String, String> parameters,
            Class<P> type,
            BiFunction<StateQueries, Optional<String>, P> transcript,
            Consumer<? super T> each)
            throws IOException {
        Map<String, String> ofPage = new HashMap<>(parameters);
        ofPage.put("limit", Integer.toString(PAGE));
        P answer;
        do {
            Optional<String> cursor = Optional.ofNullable(ofPage.get("cursor"));
            answer = ask(path, ofPage, type, queries -> transcript.apply(queries, cursor));
            answer.items().forEach(each);
            ofPage.put("cursor", answer.next());
        } while (answer.next() != null);
        return answer;
    }

    /**
     * The error for an entry that the state does not have and never had.
     *
     * @param at the moment of the state
     */
    final IllegalArgumentException unknownEntry(String entry, PointInTime at) throws IOException {
        StateAnswer.Blame known = ask(
                "/blame",
                Map.of("at", at.toString(), "limit", Integer.toString(PAGE)),
                StateAnswer.Blame.class,
                queries -> queries.blame(conversation(), at, any -> true, Optional.empty(), PAGE));
        List<String> names = known.items().stream().map(StateEntry::entry).toList();
        return new IllegalArgumentException("unknown entry " + entry + " as of " + at
                + NearestNames.didYouMean(entry, names, "; parley blame lists the entries"));
    }

    private StateQueries queries(ConversationKey conversation) throws IOException {
        if (transcript == null) {
            InMemoryConversation records = new InMemoryConversation(conversation);
            read(records::accept, records::accept);
            transcript = queries(records);
        }
        return transcript;
    }

    private StateQueries queries(InMemoryConversation records) {
        StageSettings stages = PipelineSettings.stages(settings());
        return new StateQueries(records, stages::stateModel, record -> record, QueryBudget.UNLIMITED, glosses::gloss);
    }

    private void read(Consumer<Checkpoint> checkpoints, Consumer<AuditRecord> records) throws IOException {
        whole = new TranscriptRun(err(), PipelineSettings.stages(settings()))
                .over(
                        Path.of(words.get(0)),
                        (number, line) -> {},
                        judged -> judged.checkpoints().forEach(checkpoints),
                        records);
    }

    /**
     * Queries what the conversations of the namespace had shown an agent.
     *
     * @param at {@code latest} or a time, as {@link PointInTime#until} reads it
     * @param each takes the conversations; a large one may come in parts
     */
    final void knowledge(String agent, String at, Consumer<? super StateAnswer.Knowledge> each) throws IOException {
        boolean transcript = isTranscript(0);
        Instant until;
        try {
            until = PointInTime.until(at, Clock.systemDefaultZone());
        } catch (IllegalArgumentException e) {
            throw new UsageException("--at " + e.getMessage(), e);
        }
        noteFuture("--at", until);
        if (transcript) {
            for (Map.Entry<ConversationKey, InMemoryConversation> entry :
                    conversations().entrySet()) {
                StateAnswer.Knowledge knowledge = queries(entry.getValue()).knowledge(entry.getKey(), agent, until);
                if (knowledge.hasContent()) {
                    each.accept(knowledge);
                }
            }
            return;
        }
        ApiQuery query = new ApiQuery(ApiClient.agentState(namespace, agent))
                .with("at", until.equals(Instant.MAX) ? at : until)
                .with("limit", PAGE);
        for (ItemPage<StateAnswer.Knowledge> page : new Pages<>(api.client(), query, StateAnswer.Knowledge.class)) {
            page.items().forEach(each);
        }
    }

    /** The conversations of the namespace with messages, in the order of the API. */
    private Map<ConversationKey, InMemoryConversation> conversations() throws IOException {
        Map<ConversationKey, InMemoryConversation> conversations = new TreeMap<>(
                Comparator.comparing((ConversationKey key) -> key.symbol().name())
                        .thenComparing(ConversationKey::nameInViews));
        Function<ConversationKey, InMemoryConversation> of =
                key -> conversations.computeIfAbsent(key, InMemoryConversation::new);
        read(
                checkpoint -> {
                    if (checkpoint.getNamespace().equals(namespace)) {
                        of.apply(CheckpointKey.chain(namespace, checkpoint.getContext()))
                                .accept(checkpoint);
                    }
                },
                record -> {
                    if (record.getMessage() != null
                            && record.getMessage().getNamespace().equals(namespace)) {
                        of.apply(ConversationKey.parse(record.getChain())).accept(record);
                    }
                });
        return conversations;
    }
}
