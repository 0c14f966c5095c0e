package dev.parley.topology;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.CspIntent;
import dev.parley.avro.InboundHeader;
import dev.parley.avro.Source;
import dev.parley.avro.Stage;
import dev.parley.avro.Verdict;
import dev.parley.cli.verify.Exports;
import dev.parley.codec.RecordHeaders;
import dev.parley.decode.WireRecord;
import dev.parley.dialogue.Judgement;
import dev.parley.protocol.TopicNames;
import dev.parley.server.api.QueryServer;
import dev.parley.server.api.Tokens;
import dev.parley.server.api.view.Paths;
import dev.parley.server.metrics.Metrics;
import dev.parley.stage.JudgedRecord;
import dev.parley.stage.OfflinePipeline;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.pipeline.InputRecord;
import dev.parley.topology.pipeline.PipelineDriver;
import dev.parley.topology.pipeline.PipelineSettings;
import dev.parley.topology.views.AuditRecords;
import dev.parley.topology.views.ViewsDriver;
import dev.parley.topology.views.store.ViewStores;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToIntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/**
 * Searches for redacted words. The conversations are the vectors of the conformance kit. In each, a marker replaces one
 * word of a single message if that changes no verdict. After the redaction of that message, the rest of the
 * conversation follows; then the marker may appear only in earlier output.
 */
@Tag("long")
class RedactedContentTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern WORD = Pattern.compile("[A-Za-z0-9_]+");
    /** Six bytes or more, because random hashes contain any four bytes now and then. */
    private static final Pattern MARKER = Pattern.compile("ZQVW[0-9]+X");
    /** The same in the hexadecimal digits of an export's bytes. */
    private static final Pattern HEX_MARKER = Pattern.compile("5a515657((?:3[0-9])+)58");

    private static final int WORDS_PER_MESSAGE = 2;

    @TempDir
    private Path directory;

    private record Said(String wire, String key, Map<String, String> headers, String topic, long time) {}

    private record Case(String id, List<Said> messages) {}

    /** A case with a marker in one of its messages. */
    private record Marked(Case marked, int at, String marker) {}

    /** What is found of markers: by code, in the record's own sentences, or in those of a later record. */
    private record Quotes(Set<String> own, Set<String> later) {}

    private static List<Case> cases(Map<String, String> settings) throws IOException {
        List<Case> cases = new ArrayList<>();
        for (String file : List.of("checkpoints", "common", "csp", "lambda", "slip", "subit")) {
            for (JsonNode node : lines("conformance/dialogue/" + file + ".jsonl")) {
                Map<String, String> own = new HashMap<>();
                node.path("settings")
                        .properties()
                        .forEach(setting ->
                                own.put(setting.getKey(), setting.getValue().asText()));
                List<Said> messages = new ArrayList<>();
                node.get("messages").forEach(line -> said(line).ifPresent(messages::add));
                if (own.equals(settings)
                        && messages.size() == node.get("messages").size()) {
                    cases.add(new Case(node.get("id").asText(), messages));
                }
            }
        }
        if (settings.isEmpty() || settings.containsKey(ParleyConfig.PROFILE)) {
            for (String file : List.of("csp", "lambda", "slip", "subit")) {
                for (JsonNode node : lines("conformance/decode/" + file + ".jsonl")) {
                    if (node.path("wire").isTextual()) {
                        cases.add(new Case(
                                node.get("id").asText(),
                                List.of(new Said(
                                        node.get("wire").asText(),
                                        "talk",
                                        Map.of("parley-protocol", file),
                                        TopicNames.DEFAULT.wire(),
                                        0))));
                    }
                }
            }
        }
        return cases;
    }

    private static Optional<Said> said(JsonNode line) {
        if (!line.path("wire").isTextual() || line.path("key").isObject()) {
            return Optional.empty();
        }
        Map<String, String> headers = new TreeMap<>();
        for (Map.Entry<String, JsonNode> header : line.path("headers").properties()) {
            if (!header.getValue().isTextual()) {
                return Optional.empty();
            }
            headers.put(header.getKey(), header.getValue().asText());
        }
        return headers.containsKey("parley-namespace")
                ? Optional.empty()
                : Optional.of(new Said(
                        line.get("wire").asText(),
                        line.path("key").asText(null),
                        headers,
                        line.path("topic").asText(TopicNames.DEFAULT.wire()),
                        line.path("timestamp").asLong()));
    }

    private static List<JsonNode> lines(String resource) throws IOException {
        List<JsonNode> nodes = new ArrayList<>();
        try (InputStream in = RedactedContentTest.class.getClassLoader().getResourceAsStream(resource)) {
            for (String line : new String(in.readAllBytes(), UTF_8).lines().toList()) {
                if (!line.isBlank()) {
                    nodes.add(JSON.readTree(line));
                }
            }
        }
        return nodes;
    }

    /**
     * Every way to put a marker into a case that changes no verdict, those first whose marker a sentence quotes; and
     * what quotes them.
     */
    private static List<Marked> marked(List<Case> cases, PipelineSettings config, Quotes quotes) {
        List<Marked> all = new ArrayList<>();
        for (Case one : cases) {
            List<JudgedRecord> plain = judged(one, config);
            for (int at = 0; at < one.messages().size(); at++) {
                List<Marked> quoted = new ArrayList<>();
                List<Marked> others = new ArrayList<>();
                for (String word : words(one, at)) {
                    String marker = "ZQVW" + (all.size() + quoted.size() + others.size()) + "X";
                    Marked marked = new Marked(with(one, at, word, marker), at, marker);
                    List<JudgedRecord> judged = judged(marked.marked(), config);
                    if (sameVerdicts(plain, judged)) {
                        (isQuoted(judged, marked, quotes) ? quoted : others).add(marked);
                    }
                }
                quoted.addAll(others);
                all.addAll(
                        quoted.subList(0, Math.min(one.messages().size() == 1 ? 1 : WORDS_PER_MESSAGE, quoted.size())));
            }
        }
        // Markers of cases that were left out may have been given twice.
        List<Marked> numbered = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            Marked marked = all.get(i);
            String marker = "ZQVW" + i + "X";
            List<Said> messages = new ArrayList<>(marked.marked().messages());
            Said said = messages.get(marked.at());
            messages.set(
                    marked.at(),
                    new Said(
                            said.wire().replace(marked.marker(), marker),
                            said.key(),
                            said.headers(),
                            said.topic(),
                            said.time()));
            numbered.add(new Marked(new Case(marked.marked().id(), messages), marked.at(), marker));
        }
        return numbered;
    }

    private static Set<String> words(Case one, int at) {
        Set<String> words = new TreeSet<>();
        String wire = one.messages().get(at).wire();
        Matcher found = WORD.matcher(wire);
        while (found.find()) {
            words.add(found.group());
        }
        // The dialogue state keeps the last turn of a SLIP conversation, and later details name it (docs/audit.md).
        words.removeIf(word -> wire.contains("|" + word + "|") && word.startsWith("T"));
        for (int i = 0; i < one.messages().size(); i++) {
            Said other = one.messages().get(i);
            words.removeIf(word -> (other != one.messages().get(at) && has(other.wire(), word))
                    || word.equals(other.key())
                    || other.headers().containsValue(word));
        }
        return words;
    }

    private static boolean has(String text, String word) {
        Matcher found = WORD.matcher(text);
        while (found.find()) {
            if (found.group().equals(word)) {
                return true;
            }
        }
        return false;
    }

    private static Case with(Case one, int at, String word, String marker) {
        List<Said> messages = new ArrayList<>(one.messages());
        Said said = messages.get(at);
        String wire = Pattern.compile("\\b" + word + "\\b").matcher(said.wire()).replaceAll(word + marker);
        messages.set(at, new Said(wire, said.key(), said.headers(), said.topic(), said.time()));
        return new Case(one.id(), messages);
    }

    private static List<JudgedRecord> judged(Case one, PipelineSettings settings) {
        OfflinePipeline pipeline = new OfflinePipeline(settings.stages());
        List<JudgedRecord> judged = new ArrayList<>();
        for (int i = 0; i < one.messages().size(); i++) {
            Said said = one.messages().get(i);
            List<InboundHeader> headers = new ArrayList<>();
            said.headers().forEach((name, value) -> headers.add(new InboundHeader(name, bytes(value))));
            Source source = Source.newBuilder()
                    .setTopic(said.topic())
                    .setPartition(0)
                    .setOffset(i)
                    .setTimestamp(Instant.ofEpochMilli(said.time()))
                    .build();
            pipeline.accept(
                    new WireRecord(
                            source,
                            said.key() == null ? null : said.key().getBytes(UTF_8),
                            said.wire().getBytes(UTF_8),
                            RecordHeaders.ofText(said.headers())),
                    headers,
                    judged::add);
        }
        return judged;
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(UTF_8));
    }

    private static boolean sameVerdicts(List<JudgedRecord> one, List<JudgedRecord> other) {
        if (one.size() != other.size()) {
            return false;
        }
        for (int i = 0; i < one.size(); i++) {
            Judgement first = one.get(i).judgement();
            Judgement second = other.get(i).judgement();
            if (first.verdict() != second.verdict()
                    || first.code() != second.code()
                    || !first.warnings().equals(second.warnings())) {
                return false;
            }
        }
        return true;
    }

    private static boolean isQuoted(List<JudgedRecord> judged, Marked marked, Quotes quotes) {
        boolean found = false;
        for (JudgedRecord one : judged) {
            Judgement judgement = one.judgement();
            String sentences = judgement.detail() + " " + judgement.rule();
            if (sentences.contains(marked.marker())) {
                found = true;
                boolean own = one.inbound().getSource().getOffset() == marked.at();
                (own ? quotes.own() : quotes.later())
                        .add(
                                judgement.code() != null
                                        ? judgement.code().name()
                                        : judgement.warnings().toString());
            }
        }
        return found;
    }

    private static PipelineSettings config(Path directory, Map<String, String> settings) {
        Map<String, Object> values = new HashMap<>(settings);
        values.put(ParleyConfig.BOOTSTRAP_SERVERS, "unused:1");
        values.put(ParleyConfig.REGISTRY_URL, "mock://redacted");
        values.put(ParleyConfig.STATE_DIR, directory.toString());
        return PipelineSettings.of(new ParleyConfig(values));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "dialogue.mode=observe", "csp.branching=reject", "csp.parking.max=1", "decode.profile=strict"
            })
    void noDetailQuotesAnEarlierMessage(String settings) throws Exception {
        Map<String, String> changes = parse(settings);
        Quotes quotes = new Quotes(new TreeSet<>(), new TreeSet<>());
        List<Marked> all = marked(cases(changes), config(directory, changes), quotes);
        assertThat(all).isNotEmpty();
        assertThat(quotes.later())
                .as("codes of records that quote an earlier message: only its ID or its agents (docs/audit.md)")
                .isSubsetOf("CSP_RESULT_WITHOUT_TASK", "CSP_WRONG_RESPONDER", "SLIP_TURN_REGRESSION");
        if (changes.isEmpty()) {
            assertThat(quotes.own())
                    .as("codes of records that quote their own message, as the kit shows them")
                    .contains("CSP_CHANGE_MISSING", "CSP_REMOVE_MISSING");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "csp.branching=reject", "decode.profile=strict"})
    void redactedWordAppearsOnlyInEarlierRecords(String settings) throws Exception {
        Map<String, String> changes = parse(settings);
        Quotes quotes = new Quotes(new TreeSet<>(), new TreeSet<>());
        List<Marked> all = marked(cases(changes), config(directory.resolve("offline"), changes), quotes);
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        Logger root = (Logger) LoggerFactory.getLogger("dev.parley");
        Level level = root.getLevel();
        root.setLevel(Level.DEBUG);
        root.setAdditive(false);
        root.addAppender(log);
        log.start();
        try (PipelineDriver pipeline = PipelineDriver.in(directory.resolve("pipeline"), changes)) {
            Play play = new Play(pipeline, log);
            all.forEach(play::play);
            assertThat(play.redacted.size()).isGreaterThan(all.size() / 2);
            Map<String, String> found = new TreeMap<>();
            play.searchOutputs(found);
            play.searchStores(found);
            for (boolean requests : List.of(true, false)) {
                try (ViewsDriver views = ViewsDriver.in(directory.resolve("views-" + requests))) {
                    play.show(views, requests);
                    play.searchViews(views, requests, found);
                    play.searchApi(views, requests, found);
                }
            }
            play.searchExports(found);
            assertThat(found).isEmpty();
        } finally {
            root.detachAppender(log);
            root.setLevel(level);
            root.setAdditive(true);
        }
    }

    private static Map<String, String> parse(String settings) {
        int equals = settings.indexOf('=');
        return equals < 0 ? Map.of() : Map.of(settings.substring(0, equals), settings.substring(equals + 1));
    }

    /** The marked conversations through a pipeline, each in a namespace of its own, and what came of it. */
    private static final class Play {
        private final PipelineDriver pipeline;
        private final ListAppender<ILoggingEvent> log;
        private final Map<String, Redacted> redacted = new HashMap<>();
        private int seen;
        private int conversations;

        /** A message that was redacted, and how long the outputs were then. */
        private record Redacted(
                AuditRecord record, int audit, int messages, int checkpoints, List<Integer> letters, int lines) {

            /** The operations of a patch that was applied are in the checkpoints, as docs/audit.md says. */
            boolean wasApplied() {
                AgentMessage message = record.getMessage();
                return message != null
                        && !record.getVerdict().equals(Verdict.REJECTED.name())
                        && message.getCsp() != null
                        && message.getCsp().getIntent() == CspIntent.PATCH;
            }
        }

        Play(PipelineDriver pipeline, ListAppender<ILoggingEvent> log) {
            this.pipeline = pipeline;
            this.log = log;
        }

        void play(Marked marked) {
            String namespace = "n" + conversations++;
            Instant start = PipelineDriver.START.plusSeconds(conversations);
            List<Said> messages = marked.marked().messages();
            Source source = null;
            for (int i = 0; i < messages.size(); i++) {
                Source sent = send(messages.get(i), namespace, start);
                source = i == marked.at() ? sent : source;
                if (i >= marked.at()) {
                    redact(source, marked.marker());
                }
            }
        }

        private Source send(Said said, String namespace, Instant start) {
            InputRecord wire = InputRecord.text(said.wire())
                    .to(said.topic())
                    .header("parley-namespace", namespace)
                    .at(start.plusMillis(said.time()));
            wire = said.key() == null ? wire : wire.key(said.key());
            for (Map.Entry<String, String> header : said.headers().entrySet()) {
                wire = wire.header(header.getKey(), header.getValue());
            }
            return pipeline.send(wire);
        }

        /** Redacts the record of this input once it is there: a patch that waits has none. */
        private void redact(Source source, String marker) {
            if (redacted.containsKey(marker)) {
                return;
            }
            List<TestRecord<String, AuditRecord>> audit = pipeline.auditRecords();
            for (int i = Math.max(0, audit.size() - 20); i < audit.size(); i++) {
                AuditRecord record = audit.get(i).value();
                if (record.getSource().equals(source) && !record.getChain().contains(marker)) {
                    pipeline.redact(AuditRecords.redaction(record));
                    redacted.put(
                            marker,
                            new Redacted(
                                    record,
                                    pipeline.auditRecords().size(),
                                    pipeline.messages().size(),
                                    pipeline.checkpoints().size(),
                                    TopicNames.DEAD_LETTER_STAGES.stream()
                                            .map(stage ->
                                                    pipeline.deadLetters(stage).size())
                                            .toList(),
                                    log.list.size()));
                    return;
                }
            }
        }

        void searchOutputs(Map<String, String> found) {
            search(pipeline.auditRecords(), found, "audit topic", Redacted::audit);
            search(pipeline.messages(), found, "message topic", Redacted::messages);
            search(pipeline.checkpoints(), found, "checkpoint topic", Redacted::checkpoints);
            for (int i = 0; i < TopicNames.DEAD_LETTER_STAGES.size(); i++) {
                int stage = i;
                search(
                        pipeline.deadLetters(TopicNames.DEAD_LETTER_STAGES.get(i)),
                        found,
                        "dead letters " + i,
                        redaction -> redaction.letters().get(stage));
            }
            search(pipeline.heads(), found, "heads", redaction -> 0);
            search(pipeline.accounting(), found, "accounting", redaction -> 0);
            for (int i = 0; i < log.list.size(); i++) {
                ILoggingEvent event = log.list.get(i);
                search(
                        event.getFormattedMessage() + event.getKeyValuePairs(),
                        found,
                        "log of " + event.getLoggerName(),
                        i,
                        Redacted::lines);
            }
        }

        private <K, V> void search(
                List<TestRecord<K, V>> records, Map<String, String> found, String where, ToIntFunction<Redacted> from) {
            for (int i = 0; i < records.size(); i++) {
                TestRecord<K, V> record = records.get(i);
                StringBuilder text = new StringBuilder(text(record.key())).append(text(record.value()));
                record.headers().forEach(header -> text.append(text(header.value())));
                search(text.toString(), found, where, i, from);
            }
        }

        private void search(
                String text, Map<String, String> found, String where, int at, ToIntFunction<Redacted> from) {
            Matcher marker = MARKER.matcher(text);
            while (marker.find()) {
                Redacted redaction = redacted.get(marker.group());
                if (redaction != null
                        && at >= from.applyAsInt(redaction)
                        && !(redaction.wasApplied() && where.contains("checkpoint"))) {
                    found.putIfAbsent(
                            where + ", " + redaction.record().getCode() + " "
                                    + redaction.record().getWarnings(),
                            redaction.record().getChain() + ": "
                                    + text.substring(
                                                    Math.max(0, marker.start() - 100),
                                                    Math.min(text.length(), marker.end() + 100))
                                            .replaceAll("[^ -~]", "."));
                }
            }
        }

        private static String text(Object value) {
            return value instanceof byte[] bytes ? new String(bytes, ISO_8859_1) : String.valueOf(value);
        }

        void searchStores(Map<String, String> found) {
            for (String store : pipeline.storeNames()) {
                searchStore(pipeline.bytesOf(store), "pipeline store " + store, found);
            }
        }

        private void searchStore(KeyValueStore<Bytes, byte[]> store, String name, Map<String, String> found) {
            try (KeyValueIterator<Bytes, byte[]> all = store.all()) {
                while (all.hasNext()) {
                    KeyValue<Bytes, byte[]> entry = all.next();
                    search(text(entry.key.get()) + text(entry.value), found, name, Integer.MAX_VALUE, redaction -> 0);
                }
            }
        }

        /** Fills views from the topics, with or without the requests of the redaction topic. */
        void show(ViewsDriver views, boolean requests) {
            if (requests) {
                pipeline.audit().stream()
                        .filter(record -> record.getRedaction() != null)
                        .forEach(record -> views.redaction(record.getRedaction()));
            }
            pipeline.audit().forEach(views::audit);
            pipeline.checkpoints().forEach(record -> views.checkpoint(record.value()));
            for (Stage stage : TopicNames.DEAD_LETTER_STAGES) {
                pipeline.deadLetters(stage)
                        .forEach(letter -> views.deadLetter(
                                stage, letter.key(), letter.value(), letter.headers(), letter.getRecordTime()));
            }
            views.pass(Duration.ofMinutes(5));
        }

        /**
         * All paths, or the dead letters alone where the rest is as with requests: the stores are searched. Without
         * them, the store of the dead letters has no word of the redactions; the API asks the audit then.
         */
        void searchViews(ViewsDriver views, boolean requests, Map<String, String> found) {
            List<String> stores = new ArrayList<>(ViewStores.PARTITIONED);
            stores.add(ViewStores.REDACTIONS);
            if (!requests) {
                stores.remove(ViewStores.DEAD_LETTERS);
            }
            for (String store : stores) {
                searchStore(views.store(store), "store " + store, found);
            }
        }

        void searchApi(ViewsDriver views, boolean requests, Map<String, String> found) throws Exception {
            Metrics metrics = new Metrics(Optional.empty(), false);
            HttpClient client = HttpClient.newHttpClient();
            try (QueryServer server = views.serve(Tokens.security(), metrics)) {
                for (String path : requests ? paths() : Set.<String>of()) {
                    String body = client.send(
                                    HttpRequest.newBuilder(URI.create(server.uri() + path))
                                            .header("Authorization", "Bearer auditor")
                                            .build(),
                                    BodyHandlers.ofString())
                            .body();
                    search(body, found, "GET " + kind(path), Integer.MAX_VALUE, redaction -> 0);
                }
                String next = "";
                do {
                    JsonNode page = JSON.readTree(client.send(
                                    HttpRequest.newBuilder(
                                                    URI.create(server.uri() + "/v1/dead-letters?limit=200" + next))
                                            .header("Authorization", "Bearer auditor")
                                            .build(),
                                    BodyHandlers.ofString())
                            .body());
                    assertThat(page.path("items").isArray()).as(page.toString()).isTrue();
                    search(page.toString(), found, "GET dead letters", Integer.MAX_VALUE, redaction -> 0);
                    next = page.path("next").isTextual()
                            ? "&cursor=" + page.path("next").asText()
                            : "";
                } while (!next.isEmpty());
            } finally {
                metrics.close();
            }
        }

        private static String kind(String path) {
            if (path.contains("/CSP/") && path.contains("/state?")) {
                return "state at a checkpoint";
            }
            String last = path.substring(path.lastIndexOf('/') + 1);
            int query = last.indexOf('?');
            return query < 0 ? last : last.substring(0, query);
        }

        private Set<String> paths() {
            Set<String> paths = new TreeSet<>();
            for (Redacted redaction : redacted.values()) {
                AgentMessage message = redaction.record().getMessage();
                if (message == null) {
                    paths.add("/v1/conversations/-/unknown/" + TopicNames.DEFAULT.wire() + "-0/messages/"
                            + redaction.record().getSequence());
                    continue;
                }
                String conversation =
                        Paths.conversation(message.getNamespace(), message.getProtocol(), message.getConversation());
                paths.add(conversation);
                paths.add(conversation + "/messages?limit=200");
                paths.add(conversation + "/messages/" + redaction.record().getSequence());
                paths.add(conversation + "/state?at=sequence:"
                        + redaction.record().getSequence());
                paths.add(conversation + "/state?at=latest");
                paths.add(conversation + "/blame?at=latest");
                paths.add(conversation + "/diff?from=sequence:0&to=latest");
                if (message.getCsp() != null) {
                    paths.removeIf(path -> path.startsWith(conversation + "/") && !path.contains("/messages"));
                    paths.add(conversation + "/checkpoints");
                    paths.add(conversation + "/state?at=latest");
                }
            }
            return paths;
        }

        void searchExports(Map<String, String> found) throws IOException {
            String lines = new String(Exports.of(pipeline.audit()), UTF_8);
            String readable = HEX_MARKER
                    .matcher(lines)
                    .replaceAll(hex -> "ZQVW" + new String(HexFormat.of().parseHex(hex.group(1)), UTF_8) + "X");
            search(readable, found, "export", Integer.MAX_VALUE, redaction -> 0);
        }
    }
}
