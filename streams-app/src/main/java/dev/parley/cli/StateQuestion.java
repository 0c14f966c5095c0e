package dev.parley.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.avro.Profile;
import dev.parley.decode.ConversationKey;
import dev.parley.decode.RecordHeaders;
import dev.parley.dialogue.DialogueSettings;
import dev.parley.query.MemoryViews;
import dev.parley.query.Paths;
import dev.parley.query.Redaction;
import dev.parley.query.States;
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

/** What the commands about states have in common: which conversation, and who is asked: a running Parley, or a transcript. */
final class StateQuestion {
    /** How much a page of a list is to have. */
    static final int PAGE = 1_000;

    // Lines of the commands' help.
    static final String MOMENTS =
            "A moment is latest, sequence:N, turn:N (SLIP), checkpoint:ID (CSP), time:2026-01-31T12:00:00Z, or";
    static final String OFFSETS =
            "offset:TOPIC/PARTITION/OFFSET; in a transcript the offset is the number of the line, from 1, in parley.wire/0.";
    static final String STATUS =
            "Exit status: 0; 1 when there is no such conversation or moment; 2 when a line is no part of a transcript.";

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

    /** Whether the transcript was read whole; to be asked last. */
    int status() {
        return whole ? 0 : 2;
    }

    String namespace() {
        return namespace;
    }

    String conversation() {
        return words.get(words.size() - 1);
    }

    private ConversationKey key() {
        return new ConversationKey(
                namespace, Options.protocol(spec, protocolName).name(), conversation());
    }

    States.Talk talk() {
        ConversationKey key = key();
        return new States.Talk(namespace, key.symbol(), key.nameInViews(), Redaction.NONE);
    }

    /**
     * Asks.
     *
     * @param path of the question behind that of the conversation, for example "/state"
     * @param parameters its parameters
     * @param transcript the same question to a transcript
     */
    JsonNode ask(String path, Map<String, String> parameters, Function<States, JsonNode> transcript)
            throws IOException {
        return askAt(conversationPath() + path, parameters, transcript);
    }

    /**
     * Asks for a list, page by page.
     *
     * @param path as in {@link #ask}
     * @param parameters likewise, without those of the page
     * @param transcript the same question to a transcript, from a cursor on
     * @param each takes the items
     * @return the last page
     */
    JsonNode pages(
            String path,
            Map<String, String> parameters,
            BiFunction<States, Optional<String>, JsonNode> transcript,
            Consumer<JsonNode> each)
            throws IOException {
        return pagesAt(conversationPath() + path, parameters, transcript, each);
    }

    /** Asks for the checkpoints of a context, page by page; see {@link #pages}. */
    void treePages(BiFunction<States, Optional<String>, JsonNode> transcript, Consumer<JsonNode> each)
            throws IOException {
        pagesAt(Paths.context(namespace, conversation()) + "/checkpoints", Map.of(), transcript, each);
    }

    private String conversationPath() {
        ConversationKey key = key();
        return Paths.conversation(namespace, key.symbol().name().toLowerCase(Locale.ROOT), key.nameInViews());
    }

    private JsonNode pagesAt(
            String path,
            Map<String, String> parameters,
            BiFunction<States, Optional<String>, JsonNode> transcript,
            Consumer<JsonNode> each)
            throws IOException {
        Optional<String> cursor = Optional.empty();
        JsonNode answer;
        do {
            Optional<String> from = cursor;
            Map<String, String> ofPage = new HashMap<>(parameters);
            ofPage.put("limit", Integer.toString(PAGE));
            from.ifPresent(text -> ofPage.put("cursor", text));
            answer = askAt(path, ofPage, states -> transcript.apply(states, from));
            answer.path("items").forEach(each);
            cursor = Optional.ofNullable(answer.path("next").textValue());
        } while (cursor.isPresent());
        return answer;
    }

    private JsonNode askAt(String path, Map<String, String> parameters, Function<States, JsonNode> transcript)
            throws IOException {
        key();
        if ((url == null) == (words.size() == 1)) {
            throw new ParameterException(
                    spec.commandLine(), "name a transcript and a conversation, or --url and a conversation");
        }
        if (url == null) {
            return transcript.apply(states());
        }
        String query = parameters.entrySet().stream()
                .map(entry -> entry.getKey() + '=' + URLEncoder.encode(entry.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
        return new Api(url, token()).get(query.isEmpty() ? path : path + '?' + query);
    }

    private States transcript;

    private States states() throws IOException {
        if (transcript == null) {
            MemoryViews views = new MemoryViews(key());
            TranscriptRun run = new TranscriptRun(spec, Profile.LENIENT, DialogueSettings.DEFAULT);
            whole = run.over(
                    Path.of(words.get(0)), judged -> judged.checkpoints().forEach(views::accept), views::accept);
            transcript = new States(views);
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
