package dev.parley.cli.offline;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.avro.Profile;
import dev.parley.cli.io.ApiClient;
import dev.parley.cli.io.Options;
import dev.parley.cli.io.TranscriptRun;
import dev.parley.decode.ConversationKey;
import dev.parley.decode.RecordHeaders;
import dev.parley.dialogue.DialogueSettings;
import dev.parley.json.StateJson;
import dev.parley.protocol.Glosses;
import dev.parley.protocol.Protocols;
import dev.parley.state.InMemoryConversation;
import dev.parley.state.Moment;
import dev.parley.state.QueryBudget;
import dev.parley.state.StateAnswer;
import dev.parley.state.StateQueries;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
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
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * What the commands about states have in common: which conversation, and who is asked: a running Parley, or a
 * transcript.
 */
final class StateQueryOptions {
    /** How much a page of a list is to have. */
    static final int PAGE = 1_000;

    // Lines of the commands' help.
    static final String MOMENTS =
            "A moment is latest, sequence:N, turn:N (SLIP), checkpoint:ID (CSP), time:2026-01-31T12:00:00Z, or";
    static final String OFFSETS =
            "offset:TOPIC/PARTITION/OFFSET; in a transcript the offset is the number of the line, from 1, in"
                    + " parley.wire/0.";
    static final String STATUS =
            "Exit status: 0; 1 when there is no such conversation or checkpoint; 2 when a line of the transcript is"
                    + " invalid.";

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = "A running Parley, for example http://127.0.0.1:8080, in place of a transcript.")
    private URI url;

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = "A file with the token for --url. Else the environment's PARLEY_TOKEN, if set.")
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
            description =
                    "The transcript, - for standard input; none with --url. The conversation: for CSP the context.")
    private List<String> words;

    private boolean whole = true;
    private Glosses glosses = Glosses.STANDARD;

    /** Sets the glosses of a transcript's messages; a running Parley has its own. */
    void use(Glosses wanted) {
        glosses = wanted;
    }

    /** Whether the transcript was read whole; to be asked last. */
    int status() {
        return whole ? 0 : 2;
    }

    ConversationKey conversation() {
        return new ConversationKey(
                namespace, Options.protocol(spec, protocolName).name(), words.get(words.size() - 1));
    }

    /** Parses the moment that an option names. */
    Moment moment(String option, String text) {
        try {
            return Moment.parse(text, conversation().symbol());
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), option + " " + e.getMessage(), e);
        }
    }

    /**
     * Asks a running Parley, or a transcript.
     *
     * @param path path of the query under that of the conversation, for example "/state"
     * @param parameters query parameters
     * @param transcript the same query to a transcript
     */
    JsonNode ask(String path, Map<String, String> parameters, Function<StateQueries, StateAnswer> transcript)
            throws IOException {
        ConversationKey conversation = conversation();
        if ((url == null) == (words.size() == 1)) {
            throw new ParameterException(
                    spec.commandLine(), "name a transcript and a conversation, or --url and a conversation");
        }
        if (url == null) {
            return StateJson.of(transcript.apply(queries(conversation)));
        }
        String query = parameters.entrySet().stream()
                .map(entry -> entry.getKey() + '=' + URLEncoder.encode(entry.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
        String protocol = conversation.symbol().name().toLowerCase(Locale.ROOT);
        String target = ApiClient.conversation(namespace, protocol, conversation.nameInViews()) + path;
        return new ApiClient(url, token()).get(query.isEmpty() ? target : target + '?' + query);
    }

    /**
     * Asks for a list, page by page.
     *
     * @param path as in {@link #ask}
     * @param parameters query parameters other than limit and cursor
     * @param transcript the same query to a transcript, from a cursor on
     * @param each takes the items
     * @return the last page
     */
    JsonNode pages(
            String path,
            Map<String, String> parameters,
            BiFunction<StateQueries, Optional<String>, StateAnswer> transcript,
            Consumer<JsonNode> each)
            throws IOException {
        Optional<String> cursor = Optional.empty();
        JsonNode answer;
        do {
            Optional<String> from = cursor;
            Map<String, String> ofPage = new HashMap<>(parameters);
            ofPage.put("limit", Integer.toString(PAGE));
            from.ifPresent(text -> ofPage.put("cursor", text));
            answer = ask(path, ofPage, queries -> transcript.apply(queries, from));
            answer.path("items").forEach(each);
            cursor = Optional.ofNullable(answer.path("next").textValue());
        } while (cursor.isPresent());
        return answer;
    }

    private StateQueries transcript;

    private StateQueries queries(ConversationKey conversation) throws IOException {
        if (transcript == null) {
            InMemoryConversation records = new InMemoryConversation(conversation);
            TranscriptRun run = new TranscriptRun(spec, Profile.LENIENT, DialogueSettings.DEFAULT);
            whole = run.over(
                    Path.of(words.get(0)),
                    judged -> judged.outcome().checkpoints().forEach(records::accept),
                    records::accept);
            transcript = new StateQueries(
                    records, Protocols.STANDARD::stateModel, record -> false, QueryBudget.UNLIMITED, glosses::gloss);
        }
        return transcript;
    }

    private Optional<String> token() throws IOException {
        if (tokenFile != null) {
            return Optional.of(Files.readString(tokenFile).strip());
        }
        return Optional.ofNullable(System.getenv("PARLEY_TOKEN"));
    }
}
