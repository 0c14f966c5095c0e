package dev.parley.cli.offline;

import dev.parley.cli.io.ApiClient;
import dev.parley.cli.io.ConfigOptions;
import dev.parley.cli.io.Options;
import dev.parley.cli.io.Tokens;
import dev.parley.cli.io.TranscriptRun;
import dev.parley.decode.ConversationKey;
import dev.parley.decode.RecordHeaders;
import dev.parley.json.Paged;
import dev.parley.json.model.state.Blame;
import dev.parley.json.model.state.StateResults;
import dev.parley.protocol.Glosses;
import dev.parley.stage.StageSettings;
import dev.parley.state.InMemoryConversation;
import dev.parley.state.PointInTime;
import dev.parley.state.QueryBudget;
import dev.parley.state.StateQueries;
import dev.parley.topology.config.NearestNames;
import dev.parley.topology.pipeline.PipelineSettings;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * Options of the commands about states: the conversation, and its source, which is a transcript or a running Parley.
 */
final class StateQueryOptions {
    /** Maximum items of a page of a list. */
    static final int PAGE = 1_000;

    // Paragraphs of the commands' help.
    static final String MOMENTS =
            "MOMENT is latest, sequence:N, turn:N (SLIP), checkpoint:ID (CSP), time:2026-01-31T12:00:00Z, or"
                    + " offset:TOPIC/PARTITION/OFFSET. In a transcript the offset is the line number, from 1, in"
                    + " parley.wire/0.";
    static final String STATUS =
            "Exit status: 0; 1 if the conversation, checkpoint or entry is unknown; 2 if a line of the transcript is"
                    + " invalid.";

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = "URL of a running Parley, such as http://127.0.0.1:8080, instead of a transcript.")
    private URI url;

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = "File with the token for --url. Default: the environment variable PARLEY_TOKEN.")
    private Path tokenFile;

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
            description = "Its protocol: slip, subit, csp or lambda. Default: ${DEFAULT-VALUE}.")
    private String protocolName;

    @Parameters(
            arity = "1..2",
            paramLabel = "[FILE] CONVERSATION",
            hideParamSyntax = true,
            description = "The transcript, or - for standard input; omitted with --url. The conversation; for CSP the"
                    + " context.")
    private List<String> words;

    @Mixin
    private ConfigOptions config;

    private boolean whole = true;
    private StateQueries transcript;
    private Glosses glosses = Glosses.STANDARD;

    /** Sets the glosses of a transcript's messages; a running Parley has its own. */
    void use(Glosses wanted) {
        glosses = wanted;
    }

    /** The exit status, after the last query: 2 if a line of the transcript was invalid. */
    int status() {
        return whole ? 0 : 2;
    }

    ConversationKey conversation() {
        return new ConversationKey(
                namespace, Options.protocol(spec, protocolName).name(), words.get(words.size() - 1));
    }

    /** Parses the moment that an option names. */
    PointInTime moment(String option, String text) {
        try {
            return PointInTime.parse(text, conversation().symbol());
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), option + " " + e.getMessage(), e);
        }
    }

    /**
     * Queries a running Parley or a transcript.
     *
     * @param path path of the query below that of the conversation, such as "/state"
     * @param type class of the result
     */
    <R> R ask(String path, Map<String, String> parameters, Class<R> type, Function<StateQueries, R> transcript)
            throws IOException {
        ConversationKey conversation = conversation();
        if ((url == null) == (words.size() == 1)) {
            throw new ParameterException(
                    spec.commandLine(), "name a transcript and a conversation, or --url and a conversation");
        }
        if (url == null) {
            return transcript.apply(queries(conversation));
        }
        String query = parameters.entrySet().stream()
                .map(entry -> entry.getKey() + '=' + URLEncoder.encode(entry.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
        String protocol = conversation.symbol().name().toLowerCase(Locale.ROOT);
        String target = ApiClient.conversation(namespace, protocol, conversation.nameInViews()) + path;
        return new ApiClient(url, Tokens.read(spec, tokenFile))
                .get(query.isEmpty() ? target : target + '?' + query, type);
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
    <T, P extends Paged<T>> P pages(
            String path,
            Map<String, String> parameters,
            Class<P> type,
            BiFunction<StateQueries, Optional<String>, P> transcript,
            Consumer<? super T> each)
            throws IOException {
        Optional<String> cursor = Optional.empty();
        P answer;
        do {
            Optional<String> from = cursor;
            Map<String, String> ofPage = new HashMap<>(parameters);
            ofPage.put("limit", Integer.toString(PAGE));
            from.ifPresent(text -> ofPage.put("cursor", text));
            answer = ask(path, ofPage, type, queries -> transcript.apply(queries, from));
            answer.items().forEach(each);
            cursor = Optional.ofNullable(answer.next());
        } while (cursor.isPresent());
        return answer;
    }

    /**
     * The error for an entry that the state does not have and never had.
     *
     * @param at the moment, as the option names it
     */
    IllegalArgumentException unknownEntry(String entry, String at) throws IOException {
        PointInTime moment = moment("--at", at);
        Blame known = ask(
                "/blame",
                Map.of("at", at, "limit", Integer.toString(PAGE)),
                Blame.class,
                queries -> StateResults.of(
                        queries.blame(conversation(), moment, Optional.empty(), Optional.empty(), PAGE)));
        List<String> names = known.items().stream().map(Blame.Entry::entry).toList();
        return new IllegalArgumentException("unknown entry " + entry + " as of " + at
                + NearestNames.suggestion(entry, names)
                        .map(near -> "; did you mean " + near + "?")
                        .orElse("; parley blame lists the entries"));
    }

    private StateQueries queries(ConversationKey conversation) throws IOException {
        if (transcript == null) {
            InMemoryConversation records = new InMemoryConversation(conversation);
            StageSettings settings = PipelineSettings.stages(config.read(spec));
            TranscriptRun run = new TranscriptRun(spec, settings);
            whole = run.over(
                    Path.of(words.get(0)), judged -> judged.checkpoints().forEach(records::accept), records::accept);
            transcript = new StateQueries(
                    records, settings::stateModel, record -> false, QueryBudget.UNLIMITED, glosses::gloss);
        }
        return transcript;
    }
}
