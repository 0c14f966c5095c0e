package dev.parley.topology.views;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.Claims;
import dev.parley.avro.LambdaKind;
import dev.parley.avro.LambdaMessage;
import dev.parley.avro.LambdaTrust;
import dev.parley.avro.LogPosition;
import dev.parley.avro.Protocol;
import dev.parley.avro.Redaction;
import dev.parley.avro.Reference;
import dev.parley.avro.Verdict;
import dev.parley.codec.json.MaskRules;
import dev.parley.topology.topics.PublicContent;
import dev.parley.topology.views.read.NamespaceScope;
import dev.parley.topology.views.search.SearchDocument;
import dev.parley.topology.views.search.SearchHashes;
import dev.parley.topology.views.search.SearchIndex;
import dev.parley.topology.views.search.SearchIndexBuilder;
import dev.parley.topology.views.search.SearchKeys;
import dev.parley.topology.views.search.SearchQuery;
import dev.parley.topology.views.search.SearchTerms;
import dev.parley.topology.views.search.SearchText;
import dev.parley.topology.views.store.ChainPosition;
import dev.parley.topology.views.store.ViewKeys;
import dev.parley.topology.views.store.ViewStores;
import dev.parley.topology.views.store.ViewsUnavailableException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The search index over real stores. */
class SearchTest {
    private static final Instant NOON = AuditRecords.NOON;

    @TempDir
    private Path directory;

    private ViewsDriver driver;
    private final Map<String, Long> sequences = new HashMap<>();
    private final List<AuditRecord> said = new ArrayList<>();

    @AfterEach
    void close() throws IOException {
        if (driver != null) {
            driver.close();
        }
    }

    private void open() {
        driver = ViewsDriver.in(directory);
    }

    private AuditRecord say(Protocol protocol, String conversation, String sender, String text) {
        String name = protocol + conversation;
        long sequence = sequences.merge(name, 1L, Long::sum) - 1;
        AuditRecord record = AuditRecords.accepted(
                "default", protocol, conversation, sequence, sender, NOON.plusSeconds(said.size()));
        ByteBuffer raw = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
        record.getMessage().setRaw(raw);
        record.setHash(hash(said.size()));
        record.setLog(new LogPosition(0, (long) said.size()));
        record.getSource().setOffset(said.size());
        if (protocol == Protocol.LAMBDA) {
            record.getMessage()
                    .setLambda(LambdaMessage.newBuilder()
                            .setKind(LambdaKind.STATEMENTS)
                            .setTrust(text.startsWith("prv:") ? LambdaTrust.PRIVATE : LambdaTrust.UNKNOWN)
                            .build());
        }
        said.add(record);
        return record;
    }

    private void audit(AuditRecord record) {
        driver.audit(record);
    }

    private static ByteBuffer hash(long number) {
        return ByteBuffer.allocate(32)
                .putLong(Long.reverse(number * 0x9E3779B97F4A7C15L))
                .rewind();
    }

    private static SearchQuery words(boolean seesPrivate, String... words) {
        return query(List.of(words), Optional.empty(), Optional.empty(), Optional.empty(), seesPrivate);
    }

    private static Optional<PublicContent> visible(boolean seesPrivate) {
        return seesPrivate ? Optional.empty() : Optional.of(PublicContent.WITHOUT_RULES);
    }

    private static SearchQuery searching(
            List<String> words,
            Optional<String> code,
            Optional<String> sender,
            Optional<String> recipient,
            Optional<String> reference,
            Optional<Verdict> verdict,
            Optional<Protocol> protocol,
            Optional<String> namespace,
            Optional<Instant> from,
            Optional<Instant> to,
            Optional<PublicContent> visible) {
        SearchText text = words.isEmpty() ? SearchText.ALL : SearchText.parse(String.join(" ", words));
        List<String> attributes = Stream.of(
                        code.map(SearchTerms::code),
                        sender.map(SearchTerms::sender),
                        recipient.map(SearchTerms::recipient),
                        reference.map(SearchTerms::reference),
                        verdict.map(SearchTerms::verdict),
                        protocol.map(SearchTerms::protocol),
                        namespace.map(SearchTerms::namespace))
                .flatMap(Optional::stream)
                .toList();
        return new SearchQuery(text.and(attributes), from, to, visible);
    }

    /** A query without verdict, protocol, namespace and times. */
    static SearchQuery query(
            List<String> words,
            Optional<String> code,
            Optional<String> sender,
            Optional<String> recipient,
            boolean seesPrivate) {
        return searching(
                words,
                code,
                sender,
                recipient,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                visible(seesPrivate));
    }

    /** All hits, as chain and sequence, in pages. */
    private List<String> search(SearchQuery query, int limit) {
        List<String> hits = new ArrayList<>();
        Optional<Bytes> after = Optional.empty();
        int pages = 0;
        do {
            List<String> page = new ArrayList<>();
            after = driver.views()
                    .search()
                    .list(
                            query,
                            after,
                            limit,
                            (key, record) -> page.add(record.getChain() + "#" + record.getSequence()));
            assertThat(page).hasSizeLessThanOrEqualTo(limit);
            hits.addAll(page);
            assertThat(++pages).isLessThan(10_000);
        } while (after.isPresent());
        return hits;
    }

    @Test
    void findsRecordsByWordsInAnyCaseLatestFirst() {
        open();
        audit(say(Protocol.SLIP, "1", "a", "release_2 of the Backend"));
        audit(say(Protocol.SLIP, "1", "a", "nothing here"));
        audit(say(Protocol.CSP, "2", "b", "BACKEND tests"));

        assertThat(search(words(false, "backend"), 10)).containsExactly("default|CSP|2#0", "default|SLIP|1#0");
        assertThat(search(words(false, "backend", "release"), 10)).containsExactly("default|SLIP|1#0");
        assertThat(search(words(false, "back"), 10)).isEmpty();
        assertThat(search(words(false), 10)).hasSize(3);
    }

    /** As many arrive in a burst. */
    @Test
    void recordsOfOneMillisecondAreFoundLatestFirst() {
        open();
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            AuditRecord record = say(Protocol.SLIP, "c" + i % 7, "a", "burst");
            record.getSource().setTimestamp(NOON);
            audit(record);
            expected.add(0, record.getChain() + "#" + record.getSequence());
        }
        assertThat(search(words(false, "burst"), 40)).isEqualTo(expected);
    }

    @Test
    void findsNamesOfConversationsAndAgents() {
        open();
        audit(say(Protocol.CSP, "auth-refactor", "planner", "x1"));

        assertThat(search(words(false, "refactor"), 10)).hasSize(1);
        assertThat(search(words(false, "planner", "auth"), 10)).hasSize(1);
    }

    /** Against a plain loop over all records: any filters, any page size. */
    @Test
    void everySearchFindsExactlyTheMatchingRecords() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        open();
        for (int i = 0; i < 600; i++) {
            String text = IntStream.range(0, 1 + random.nextInt(5))
                    .mapToObj(n -> "word" + random.nextInt(12))
                    .collect(Collectors.joining(" "));
            AuditRecord record = say(
                    random.nextBoolean() ? Protocol.SLIP : Protocol.CSP,
                    "c" + random.nextInt(7),
                    "agent" + random.nextInt(4),
                    text);
            record.getMessage().setRecipients(List.of("agent" + random.nextInt(4), "agent" + random.nextInt(4)));
            record.getMessage().setReferences(List.of(new Reference("task", "" + random.nextInt(3))));
            if (random.nextInt(4) == 0) {
                record.setVerdict(Verdict.REJECTED.name());
                record.setCode("CODE_" + random.nextInt(3));
            }
            audit(record);
        }
        for (int i = 0; i < 60; i++) {
            List<String> words = IntStream.range(0, random.nextInt(3))
                    .mapToObj(n -> "word" + random.nextInt(13))
                    .distinct()
                    .toList();
            SearchQuery query = searching(
                    words,
                    maybe(random, "CODE_" + random.nextInt(3)),
                    maybe(random, "agent" + random.nextInt(4)),
                    maybe(random, "agent" + random.nextInt(4)),
                    maybe(random, "task:" + random.nextInt(3)),
                    maybe(random, Verdict.REJECTED),
                    maybe(random, Protocol.CSP),
                    maybe(random, "default"),
                    maybe(random, NOON.plusSeconds(random.nextInt(600))),
                    maybe(random, NOON.plusSeconds(random.nextInt(600))),
                    visible(random.nextBoolean()));
            List<String> expected = new ArrayList<>();
            for (int n = said.size() - 1; n >= 0; n--) {
                if (query.matches(said.get(n))) {
                    expected.add(said.get(n).getChain() + "#" + said.get(n).getSequence());
                }
            }
            assertThat(search(query, 1 + random.nextInt(50)))
                    .as("seed %s, %s", seed, query)
                    .isEqualTo(expected);
        }
    }

    private static <T> Optional<T> maybe(Random random, T value) {
        return random.nextInt(3) == 0 ? Optional.of(value) : Optional.empty();
    }

    @Test
    void findsTheMessagesBetweenTwoAgents() {
        open();
        AuditRecord both = say(Protocol.SLIP, "1", "a", "x1");
        both.getMessage().setRecipients(List.of("other", "b"));
        AuditRecord back = say(Protocol.SLIP, "2", "b", "x1");
        back.getMessage().setRecipients(List.of("a"));
        audit(both);
        audit(back);

        assertThat(search(between("a", "b"), 10)).containsExactly("default|SLIP|1#0");
        assertThat(search(between("b", "a"), 10)).containsExactly("default|SLIP|2#0");
        assertThat(search(between("a", "a"), 10)).isEmpty();
    }

    @Test
    void aStoryHasTheMessagesOfAllProtocolsThatNameItsTrace() {
        open();
        audit(naming(say(Protocol.LAMBDA, "talk", "a", "!Ik"), "trace", "t1"));
        audit(naming(say(Protocol.SLIP, "7", "a", "other"), "trace", "t2"));
        audit(naming(say(Protocol.MCP, "session", "b", "call"), "trace", "t1"));

        assertThat(search(naming("trace:t1", false), 1))
                .containsExactly("default|MCP|session#0", "default|LAMBDA|talk#0");
        assertThat(search(naming("trace:t", false), 10)).isEmpty();
        assertThat(search(naming("task:t1", false), 10)).isEmpty();
    }

    @Test
    void aClaimedCallerIsNotFoundAsAProvenOne() {
        open();
        audit(naming(say(Protocol.MCP, "session", "a", "mine"), "caller", "alice"));
        audit(naming(say(Protocol.MCP, "session", "b", "forged"), "claimed-caller", "alice"));

        assertThat(search(naming("caller:alice", true), 10)).containsExactly("default|MCP|session#0");
        assertThat(search(naming("claimed-caller:alice", true), 10)).containsExactly("default|MCP|session#1");
    }

    @Test
    void privateMessagesArePartOfAStoryForThoseWhoMaySeeThem() {
        open();
        audit(naming(say(Protocol.LAMBDA, "talk", "a", "prv: !takeover"), "trace", "t1"));
        audit(naming(say(Protocol.SLIP, "7", "a", "open"), "trace", "t1"));

        assertThat(search(naming("trace:t1", false), 10)).containsExactly("default|SLIP|7#0");
        assertThat(search(naming("trace:t1", true), 10)).containsExactly("default|SLIP|7#0", "default|LAMBDA|talk#0");
        assertThat(driver.views().search().list(naming("trace:t2", false), Optional.empty(), 1, (key, record) -> true))
                .isEmpty();
    }

    @Test
    void aRedactedMessageLeavesItsStory() {
        open();
        AuditRecord record = naming(say(Protocol.SLIP, "7", "a", "open"), "trace", "t1");
        audit(record);
        AuditRecord event = AuditRecords.redacting(AuditRecords.redaction(record), 1);
        event.setHash(hash(99));
        audit(event);

        assertThat(search(naming("trace:t1", true), 10)).isEmpty();
        assertThat(isIndexed(SearchKeys.hash(SearchTerms.reference("trace:t1"))))
                .isFalse();
    }

    @Test
    void aStoryThatAStrangerFloodsIsReadInPages() {
        open();
        audit(naming(say(Protocol.SLIP, "7", "a", "honest"), "trace", "t1"));
        for (int i = 0; i < 1_000; i++) {
            audit(naming(say(Protocol.LAMBDA, "flood" + i % 5, "b", "!Ik"), "trace", "t1"));
        }
        List<String> page = new ArrayList<>();

        assertThat(driver.views()
                        .search()
                        .list(
                                naming("trace:t1", false),
                                Optional.empty(),
                                10,
                                (key, record) -> page.add(record.getChain())))
                .as("cursor")
                .isPresent();
        assertThat(page).hasSize(10);
        assertThat(search(naming("trace:t1", false), 100)).hasSize(1_001).endsWith("default|SLIP|7#0");
    }

    private static AuditRecord naming(AuditRecord record, String kind, String id) {
        record.getMessage().setReferences(List.of(new Reference(kind, id)));
        return record;
    }

    private static SearchQuery naming(String reference, boolean seesPrivate) {
        return searching(
                List.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.of(reference),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                visible(seesPrivate));
    }

    private static SearchQuery between(String sender, String recipient) {
        return query(List.of(), Optional.empty(), Optional.of(sender), Optional.of(recipient), false);
    }

    @Test
    void privateContentDoesNotExistForThoseWhoMayNotSeeIt() {
        open();
        audit(say(Protocol.LAMBDA, "talk", "a", "prv: !takeover"));
        audit(say(Protocol.LAMBDA, "talk", "a", "!takeaway"));

        assertThat(search(words(false, "takeover"), 10)).isEmpty();
        assertThat(search(words(true, "takeover"), 10)).containsExactly("default|LAMBDA|talk#0");
        assertThat(search(words(true, "takeover", "talk"), 10)).containsExactly("default|LAMBDA|talk#0");
        assertThat(search(words(false, "talk"), 10)).hasSize(2);
        assertThat(search(words(true, "talk"), 10)).hasSize(2);
        // Not even a cursor tells: the search ends at once, as for a word that is in no message.
        assertThat(driver.views().search().list(words(false, "takeover"), Optional.empty(), 1, (key, record) -> true))
                .isEmpty();
        assertThat(isIndexed(SearchHashes.word("takeover"))).isFalse();
    }

    @Test
    void acceptedMessagesAreFoundByTheirWarnings() {
        open();
        AuditRecord warned = say(Protocol.SLIP, "9", "a", "warned");
        warned.setWarnings(List.of("SLIP_UNEXPECTED", "SLIP_TURN_GAP"));
        audit(warned);
        audit(say(Protocol.SLIP, "9", "a", "without"));

        for (String warning : warned.getWarnings()) {
            assertThat(search(query(List.of(), Optional.of(warning), Optional.empty(), Optional.empty(), false), 10))
                    .as(warning)
                    .containsExactly("default|SLIP|9#0");
        }
        assertThat(search(
                        query(
                                List.of("warned"),
                                Optional.of("SLIP_DUPLICATE"),
                                Optional.empty(),
                                Optional.empty(),
                                false),
                        10))
                .isEmpty();
    }

    @Test
    void undecodableRecordsAreFoundByTheirClaims() {
        open();
        AuditRecord record = claim(0, "@a3|f9|S7");
        AuditRecord secret = claim(1, "@a3|prv:");
        audit(record);
        audit(secret);
        String shown = "|UNKNOWN|parley.wire-0#0";
        String hidden = "|UNKNOWN|parley.wire-0#1";

        for (SearchQuery query : claims(false)) {
            assertThat(search(query, 10)).as("%s", query).containsExactly(shown);
        }
        for (SearchQuery query : claims(true)) {
            assertThat(search(query, 10)).as("%s", query).containsExactlyInAnyOrder(hidden, shown);
        }
        audit(AuditRecords.redacting(AuditRecords.redaction(record), 2));
        for (SearchQuery query : claims(true)) {
            assertThat(search(query, 10)).as("redacted: %s", query).containsExactly(hidden);
        }
        assertThat(isIndexed(SearchKeys.hash(SearchTerms.namespace("mine")))).isFalse();
        assertThat(isIndexed(SearchKeys.hash(SearchTerms.sender("seven")))).isFalse();
    }

    @Test
    void aScopeFindsOnlyRecordsOfItsNamespacesWhateverOthersClaim() {
        open();
        for (String namespace : List.of("mine", "lab", "plant")) {
            AuditRecord record = AuditRecords.accepted(namespace, Protocol.SLIP, "order", 0, "seven", NOON);
            record.setHash(hash(namespace.length()));
            record.setLog(new LogPosition(0, (long) namespace.length()));
            record.getSource().setOffset(namespace.length());
            audit(record);
        }
        audit(claim(0, "order of another agent"));
        SearchQuery all = words(true, "order");
        Optional<String> none = Optional.empty();
        SearchQuery mine = searching(
                List.of("order"),
                none,
                none,
                none,
                none,
                Optional.empty(),
                Optional.empty(),
                Optional.of("mine"),
                Optional.empty(),
                Optional.empty(),
                visible(true));

        assertThat(search(all, NamespaceScope.ALL)).hasSize(4);
        assertThat(search(mine, NamespaceScope.ALL)).hasSize(2);
        NamespaceScope some = new NamespaceScope(Optional.of(Set.of("mine", "lab", "-", "missing")));
        assertThat(search(all, some)).containsExactlyInAnyOrder("mine|SLIP|order#0", "lab|SLIP|order#0");
        assertThat(search(mine, some)).containsExactly("mine|SLIP|order#0");
        assertThat(search(mine, new NamespaceScope(Optional.of(Set.of("lab"))))).isEmpty();
        assertThat(search(all, new NamespaceScope(Optional.of(Set.of())))).isEmpty();
    }

    private List<String> search(SearchQuery query, NamespaceScope scope) {
        List<String> hits = new ArrayList<>();
        driver.views()
                .within(scope)
                .search()
                .list(
                        query,
                        Optional.empty(),
                        10,
                        (key, record) -> hits.add(record.getChain() + "#" + record.getSequence()));
        return hits;
    }

    private static AuditRecord claim(long sequence, String raw) {
        AuditRecord record = AuditRecords.undecodable(0, sequence);
        record.setRaw(ByteBuffer.wrap(raw.getBytes(StandardCharsets.UTF_8)));
        record.setClaims(new Claims("SLIP", "mine", "order", "seven"));
        record.setHash(hash(sequence + 50));
        return record;
    }

    /** Every part of the query and combinations of them. */
    private static List<SearchQuery> claims(boolean seesPrivate) {
        Optional<String> none = Optional.empty();
        Optional<String> mine = Optional.of("mine");
        Optional<String> seven = Optional.of("seven");
        return List.of(
                claims(List.of(), none, mine, seesPrivate),
                claims(List.of(), seven, none, seesPrivate),
                claims(List.of(), seven, mine, seesPrivate),
                claims(List.of("order"), none, none, seesPrivate),
                claims(List.of("a3", "order"), seven, none, seesPrivate),
                claims(List.of("a3"), seven, Optional.of("-"), seesPrivate));
    }

    private static SearchQuery claims(
            List<String> words, Optional<String> sender, Optional<String> namespace, boolean seesPrivate) {
        return searching(
                words,
                Optional.empty(),
                sender,
                Optional.empty(),
                Optional.empty(),
                Optional.of(Verdict.UNDECODABLE),
                Optional.of(Protocol.SLIP),
                namespace,
                Optional.empty(),
                Optional.empty(),
                visible(seesPrivate));
    }

    @Test
    void aRedactedRecordIsFoundByItsAttributesOnly() {
        open();
        AuditRecord record = say(Protocol.SLIP, "7", "alice", "the customer Erika");
        audit(record);
        Redaction redaction = AuditRecords.redaction(record);
        AuditRecord event = AuditRecords.redacting(redaction, 1);
        event.setHash(hash(99));
        event.setRaw(ByteBuffer.wrap("avro".getBytes(StandardCharsets.UTF_8)));
        audit(event);

        assertThat(search(words(false, "names", "customer"), 10))
                .as("reason of the redaction")
                .containsExactly("default|SLIP|7#1");
        for (String word : List.of("avro", "erika", "the")) {
            assertThat(search(words(true, word), 10)).as(word).isEmpty();
            assertThat(isIndexed(SearchHashes.word(word))).as(word).isFalse();
        }
        assertThat(search(words(true, "alice"), 10)).isEmpty();
        assertThat(isIndexed(SearchKeys.hash(SearchTerms.sender("alice")))).isFalse();
        assertThat(search(words(false), 10)).contains("default|SLIP|7#0");
        // The record arrives again, as after a crash.
        audit(record);
        assertThat(search(words(true, "erika"), 10)).isEmpty();
        assertThat(isIndexed(SearchHashes.word("erika"))).isFalse();
    }

    /** A changelog that ends in between has no words of a record that the view shows without content. */
    @Test
    void theIndexForgetsARedactedRecordBeforeTheViewDoes() {
        open();
        AuditRecord record = say(Protocol.SLIP, "7", "alice", "the customer Erika");
        audit(record);
        driver.changes(ViewStores.AUDIT);
        AuditRecord event = AuditRecords.redacting(AuditRecords.redaction(record), 1);
        event.setHash(hash(99));
        audit(event);

        List<Bytes> keys = driver.changes(ViewStores.AUDIT).stream()
                .map(change -> change.key)
                .toList();
        Bytes document = SearchKeys.document(SearchKeys.document(record));
        assertThat(keys)
                .containsSubsequence(document, MessageView.key(record.getChain(), 0))
                .doesNotHaveDuplicates();
    }

    /** The changelog has one record for a message and one for its document, whatever the number of words. */
    @Test
    void anotherMessageAddsOneDocument() {
        open();
        audit(say(Protocol.SLIP, "1", "a", "one two three four five six seven"));
        driver.changes(ViewStores.AUDIT);
        audit(say(Protocol.SLIP, "1", "a", "eight nine ten eleven twelve thirteen"));

        assertThat(driver.changes(ViewStores.AUDIT).stream().map(change -> change.key))
                .as("message, document, input position, summary, and entries by time and messages, there and before")
                .hasSize(8)
                .contains(SearchKeys.document(SearchKeys.document(said.get(1))));
        assertThat(isIndexed(SearchHashes.word("thirteen"))).isTrue();
    }

    @Test
    void aRecordWhoseRedactionIsKnownAlreadyIsNeverIndexed() {
        open();
        AuditRecord record = say(Protocol.SLIP, "7", "alice", "the customer Erika");
        driver.redaction(AuditRecords.redaction(record));
        audit(record);

        assertThat(search(words(true, "erika"), 10)).isEmpty();
        assertThat(isIndexed(SearchHashes.word("erika"))).isFalse();
    }

    @Test
    void prunedRecordsLeaveTheIndex() {
        driver = ViewsDriver.forgetting(directory, Duration.ofHours(1), NOON.plus(Duration.ofDays(1)));
        audit(say(Protocol.SLIP, "old", "a", "forgotten"));
        AuditRecord late = say(Protocol.SLIP, "late", "a", "kept");
        late.getSource().setTimestamp(NOON.plus(Duration.ofHours(2)));
        audit(late);
        driver.pass(Duration.ofSeconds(10));

        assertThat(search(words(true), 10)).containsExactly("default|SLIP|late#0");
        assertThat(isIndexed(SearchHashes.word("forgotten"))).isFalse();
        assertThat(isIndexed(SearchHashes.word("kept"))).isTrue();
    }

    @Test
    void aMessageOfAnySizeAddsABoundedNumberOfTerms() {
        open();
        String words = IntStream.range(0, 100_000).mapToObj(i -> "w" + i).collect(Collectors.joining(" "));
        audit(say(Protocol.SLIP, "long-" + "n".repeat(3_000), "s".repeat(5_000), words));
        audit(say(Protocol.SLIP, "one", "a", "y".repeat(1_000_000)));
        AuditRecord broadcast = say(Protocol.SLIP, "all", "a", "hello");
        broadcast
                .getMessage()
                .setRecipients(
                        IntStream.range(0, 10_000).mapToObj(i -> "agent" + i).toList());
        audit(broadcast);
        AuditRecord many = say(Protocol.LAMBDA, "errors", "a", "hello");
        many.getMessage()
                .setReferences(IntStream.range(0, 10_000)
                        .mapToObj(i -> new Reference("error", "e" + i))
                        .toList());
        audit(many);

        for (AuditRecord record : said) {
            byte[] document = driver.store(ViewStores.AUDIT).get(SearchKeys.document(SearchKeys.document(record)));
            assertThat(SearchDocument.terms(document)).hasSizeLessThan(256 + 32 + 40);
        }
        assertThat(count(SearchKeys.granules())).isOne();
        assertThat(search(words(false, "w0"), 10)).hasSize(1);
        assertThat(search(words(false, "w99999"), 10)).isEmpty();
    }

    /** A frequent word must not slow down a search for a rare one, and a page of hits that do not exist ends. */
    @Test
    void twoFrequentWordsThatNeverMeetAreSearchedInBoundedPages() {
        open();
        for (int i = 0; i < 3_000; i++) {
            audit(say(Protocol.SLIP, "c" + i % 5, "a", i % 2 == 0 ? "ping" : "pong"));
        }
        long one = Long.MAX_VALUE;
        long both = Long.MAX_VALUE;
        // Other load on the machine only adds to a time.
        for (int round = 0; round < 5; round++) {
            long start = System.nanoTime();
            assertThat(search(words(false, "ping"), 1_000)).hasSize(1_500);
            long between = System.nanoTime();
            assertThat(search(words(false, "ping", "pong"), 10)).isEmpty();
            one = Math.min(one, between - start);
            both = Math.min(both, System.nanoTime() - between);
        }
        assertThat(both).isLessThan(10 * one);
    }

    @Test
    void anIndexThatWasOffIsDeletedAndBuiltAgainFromTheMessages() {
        open();
        audit(say(Protocol.SLIP, "1", "a", "before"));
        audit(say(Protocol.SLIP, "1", "a", "and after"));
        build(false);
        assertThat(isIndexed(SearchHashes.word("before"))).isFalse();
        assertThat(count(SearchKeys.documents())).isZero();
        assertThatThrownBy(() -> search(words(true, "before"), 10)).isInstanceOf(ViewsUnavailableException.class);
        // A document of a message that was redacted while nothing maintained the index.
        driver.store(ViewStores.AUDIT)
                .put(
                        SearchKeys.document(new byte[SearchKeys.DOCUMENT_BYTES]),
                        SearchDocument.encode(
                                new ChainPosition("default|SLIP|1", 0), new long[] {SearchHashes.word("erika")}));
        // A key of another length, which another client wrote to the changelog.
        driver.store(ViewStores.AUDIT).put(SearchKeys.documents(), new byte[] {1});

        build(true);

        assertThat(search(words(true, "before"), 10)).containsExactly("default|SLIP|1#0");
        assertThat(search(words(true, "after"), 10)).containsExactly("default|SLIP|1#1");
        assertThat(isIndexed(SearchHashes.word("erika"))).isFalse();
        assertThat(count(SearchKeys.documents())).isEqualTo(2);
        assertThat(build(true)).as("a complete index").isZero();
    }

    @Test
    void otherRulesBuildTheIndexAgainWithTheWordsOfMaskedValuesAsOtherTerms() {
        open();
        audit(say(
                Protocol.MCP,
                "s",
                "a",
                "{\"jsonrpc\":\"2.0\",\"method\":\"x\",\"params\":{\"password\":\"takeover\",\"note\":\"backend\"}}"));
        assertThat(isIndexed(SearchHashes.word("takeover"))).isTrue();
        PublicContent readers = new PublicContent(MaskRules.parse("key:password"));

        assertThat(build(Optional.of(readers))).isPositive();

        assertThat(build(Optional.of(readers))).as("a complete index").isZero();
        assertThat(isIndexed(SearchHashes.word("takeover"))).isFalse();
        assertThat(search(words(Optional.of(readers), "takeover"), 10)).isEmpty();
        assertThat(search(words(Optional.of(readers), "takeover", "backend"), 10))
                .isEmpty();
        assertThat(search(words(Optional.of(readers), "backend"), 10)).hasSize(1);
        for (List<String> words : List.of(List.of("takeover"), List.of("takeover", "backend"), List.of("backend"))) {
            assertThat(search(words(Optional.empty(), words.toArray(String[]::new)), 10))
                    .as("%s", words)
                    .hasSize(1);
        }
        // An index that was built without the rules shows no more.
        build(true);
        assertThat(search(words(Optional.of(readers), "takeover"), 10)).isEmpty();
    }

    private static SearchQuery words(Optional<PublicContent> visible, String... words) {
        Optional<String> none = Optional.empty();
        return searching(
                List.of(words),
                none,
                none,
                none,
                none,
                Optional.empty(),
                Optional.empty(),
                none,
                Optional.empty(),
                Optional.empty(),
                visible);
    }

    /** Runs the builder of a partition to its end; returns the number of its slices. */
    private int build(boolean enabled) {
        return build(Optional.of(PublicContent.WITHOUT_RULES).filter(content -> enabled));
    }

    private int build(Optional<PublicContent> readers) {
        MockProcessorContext<Void, Void> context = new MockProcessorContext<>();
        SearchIndexBuilder.schedule(
                context,
                driver.store(ViewStores.AUDIT),
                new SearchIndex(driver.store(ViewStores.AUDIT), readers),
                driver.topics().audit(),
                MessageView.all());
        int slices = 0;
        for (MockProcessorContext.CapturedPunctuator builder : context.scheduledPunctuators()) {
            while (!builder.cancelled()) {
                builder.getPunctuator().punctuate(0);
                slices++;
            }
        }
        return slices;
    }

    /** Whether a document of the index has a term. */
    private boolean isIndexed(long term) {
        boolean found = false;
        try (KeyValueIterator<Bytes, byte[]> documents =
                driver.store(ViewStores.AUDIT).range(SearchKeys.documents(), SearchKeys.granules())) {
            while (documents.hasNext()) {
                found |= SearchHashes.has(documents.next().value, term);
            }
        }
        return found;
    }

    private int count(Bytes prefix) {
        int count = 0;
        try (KeyValueIterator<Bytes, byte[]> all =
                driver.store(ViewStores.AUDIT).range(prefix, ViewKeys.after(prefix))) {
            while (all.hasNext()) {
                count += ViewKeys.startsWith(all.next().key, prefix) ? 1 : 0;
            }
        }
        return count;
    }
}
