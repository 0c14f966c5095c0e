package dev.parley.topology.views;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.ConversationSummary;
import dev.parley.avro.Protocol;
import dev.parley.avro.Verdict;
import dev.parley.topology.views.ViewPages.Page;
import dev.parley.topology.views.read.InvalidCursorException;
import dev.parley.topology.views.store.ViewKeys;
import dev.parley.topology.views.store.ViewStores;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Filtered lists of conversations over real stores. */
class ConversationViewTest {
    private static final List<String> NAMESPACES = List.of("a", "a\0", "b", "z");
    private static final List<Protocol> PROTOCOLS = List.of(Protocol.SLIP, Protocol.CSP, Protocol.LAMBDA);
    private static final List<Verdict> VERDICTS = List.of(Verdict.ACCEPTED, Verdict.REJECTED, Verdict.FLAGGED);
    private static final List<String> CODES = List.of("CODE_1", "CODE_2");

    @TempDir
    private Path directory;

    private ViewsDriver driver;
    private final Map<String, Long> sequences = new HashMap<>();

    /** What the messages of each conversation have: verdicts, codes, and pairs of both. */
    private final Map<String, Set<String>> expected = new LinkedHashMap<>();

    /** The conversations by the time of their latest message. */
    private final Map<String, Instant> latest = new HashMap<>();

    private final List<AuditRecord> said = new ArrayList<>();

    @BeforeEach
    void open() {
        driver = ViewsDriver.in(directory);
    }

    @AfterEach
    void close() throws IOException {
        driver.close();
    }

    private void say(String namespace, Protocol protocol, String conversation, Verdict verdict, String code) {
        say(namespace, protocol, conversation, verdict, code, AuditRecords.NOON);
    }

    private void say(
            String namespace, Protocol protocol, String conversation, Verdict verdict, String code, Instant time) {
        String name = namespace + '|' + protocol + '|' + conversation;
        long sequence = sequences.merge(name, 1L, Long::sum) - 1;
        AuditRecord audit =
                AuditRecords.accepted(namespace, protocol, conversation, sequence, "agent-" + sequence, time);
        audit.setVerdict(verdict.name());
        audit.setCode(verdict == Verdict.ACCEPTED ? null : code);
        driver.audit(audit);
        said.add(audit);
        latest.merge(name, time, (a, b) -> a.isAfter(b) ? a : b);
        Set<String> has = expected.computeIfAbsent(name, any -> new HashSet<>());
        has.add(verdict.name());
        if (verdict != Verdict.ACCEPTED) {
            has.addAll(List.of(code, verdict + code));
        }
    }

    private void sayAnything(Random random, int messages) {
        for (int i = 0; i < messages; i++) {
            say(
                    any(random, NAMESPACES),
                    any(random, PROTOCOLS),
                    Integer.toString(random.nextInt(10)),
                    any(random, VERDICTS),
                    any(random, CODES),
                    // Many are equal, and they are not in order.
                    AuditRecords.NOON.plusMillis(300 * random.nextInt(20)));
        }
    }

    private static <T> T any(Random random, List<T> from) {
        return from.get(random.nextInt(from.size()));
    }

    /** Every combination of filters, also those that match nothing. */
    private static List<ConversationView.Filter> filters() {
        List<ConversationView.Filter> filters = new ArrayList<>();
        for (Optional<String> namespace : options(Stream.of("a", "none"))) {
            for (Optional<Protocol> protocol : options(Stream.of(Protocol.CSP, Protocol.SUBIT))) {
                for (Optional<Verdict> verdict : options(Stream.of(Verdict.REJECTED, Verdict.UNDECODABLE))) {
                    for (Optional<String> code : options(Stream.of("CODE_1", "NONE"))) {
                        filters.add(new ConversationView.Filter(namespace, protocol, verdict, code));
                    }
                }
            }
        }
        return filters;
    }

    private static <T> List<Optional<T>> options(Stream<T> values) {
        return Stream.concat(Stream.of(Optional.<T>empty()), values.map(Optional::of))
                .toList();
    }

    private void assertFilters(int limit) {
        for (ConversationView.Filter filter : filters()) {
            List<String> matching = expected.entrySet().stream()
                    .filter(conversation -> matches(filter, conversation.getKey(), conversation.getValue()))
                    .map(Map.Entry::getKey)
                    .toList();
            List<String> listed = walk(filter, limit, page -> {});
            assertThat(listed)
                    .as("%s", filter)
                    .doesNotHaveDuplicates()
                    .containsExactlyInAnyOrderElementsOf(matching)
                    .isSortedAccordingTo(Comparator.comparing(
                                    (String name) -> latest.get(name).getEpochSecond())
                            .reversed());
            assertThat(driver.views().conversations().total(filter))
                    .as("%s", filter)
                    .isEqualTo(matching.size());
        }
    }

    private static boolean matches(ConversationView.Filter filter, String name, Set<String> has) {
        return filter.namespace().stream().allMatch(namespace -> name.startsWith(namespace + '|'))
                && filter.protocol().stream().allMatch(protocol -> name.contains("|" + protocol + '|'))
                && filter.verdict().stream().allMatch(verdict -> has.contains(verdict.name()))
                && filter.code().stream().allMatch(has::contains)
                && (filter.verdict().isEmpty()
                        || filter.code().isEmpty()
                        || has.contains(filter.verdict().get() + filter.code().get()));
    }

    private List<String> walk(ConversationView.Filter filter, int limit, Consumer<Page<ConversationSummary>> between) {
        return walk(filter, ConversationOrder.LATEST, limit, between);
    }

    private List<String> walk(
            ConversationView.Filter filter,
            ConversationOrder order,
            int limit,
            Consumer<Page<ConversationSummary>> between) {
        List<String> all = new ArrayList<>();
        Optional<String> cursor = Optional.empty();
        do {
            Page<ConversationSummary> page = ViewPages.conversations(driver.views(), filter, order, cursor, limit);
            page.items()
                    .forEach(item ->
                            all.add(item.getNamespace() + '|' + item.getProtocol() + '|' + item.getConversation()));
            between.accept(page);
            cursor = page.next();
        } while (cursor.isPresent());
        return all;
    }

    @Test
    void everyCombinationOfFiltersListsExactlyItsConversations() {
        sayAnything(new Random(1), 300);

        assertFilters(1_000);
        assertFilters(7);
    }

    @Test
    void aFilteredListIsInTheOrderOfTheWholeListAndTakesItsCursors() {
        sayAnything(new Random(2), 300);
        ConversationView.Filter rejected = new ConversationView.Filter(
                Optional.empty(), Optional.empty(), Optional.of(Verdict.REJECTED), Optional.empty());

        List<String> whole = walk(ConversationView.Filter.NONE, 1_000, page -> {});
        List<String> filtered = walk(rejected, 1_000, page -> {});
        assertThat(filtered).isEqualTo(whole.stream().filter(filtered::contains).toList());

        Optional<String> cursor = ViewPages.conversations(
                        driver.views(), ConversationView.Filter.NONE, Optional.empty(), whole.size() / 2)
                .next();
        assertThat(ViewPages.conversations(driver.views(), rejected, cursor, 1_000)
                        .items())
                .hasSize((int) whole.subList(whole.size() / 2, whole.size()).stream()
                        .filter(filtered::contains)
                        .count());
    }

    @Test
    void pagesRepeatNothingAndLoseOnlyWhatMovesToTheStart() {
        sayAnything(new Random(3), 200);
        int later = 100;
        for (ConversationView.Filter filter : filters()) {
            List<String> present = walk(filter, 1_000, page -> {});
            Random random = new Random(4);
            Set<String> moved = new HashSet<>();
            int[] now = {later++};

            List<String> walked = walk(filter, 3, page -> {
                Map<String, Instant> before = new HashMap<>(latest);
                for (int i = 0; i < 5; i++) {
                    say(
                            any(random, NAMESPACES),
                            any(random, PROTOCOLS),
                            Integer.toString(random.nextInt(10)),
                            any(random, VERDICTS),
                            any(random, CODES),
                            AuditRecords.NOON.plusSeconds(now[0]++));
                }
                latest.forEach((name, time) -> {
                    if (!time.equals(before.get(name))) {
                        moved.add(name);
                    }
                });
            });

            later = now[0];
            assertThat(walked)
                    .as("%s", filter)
                    .doesNotHaveDuplicates()
                    .containsAll(present.stream()
                            .filter(name -> !moved.contains(name))
                            .toList());
        }
    }

    @Test
    void aRecordWithAnEarlierTimeDoesNotMoveItsConversation() {
        say("a", Protocol.SLIP, "old", Verdict.ACCEPTED, null, AuditRecords.NOON);
        say("a", Protocol.SLIP, "new", Verdict.ACCEPTED, null, AuditRecords.NOON.plusSeconds(2));
        say("a", Protocol.SLIP, "old", Verdict.ACCEPTED, null, AuditRecords.NOON.minusSeconds(9));
        assertThat(walk(ConversationView.Filter.NONE, 1, page -> {})).containsExactly("a|SLIP|new", "a|SLIP|old");
        say("a", Protocol.SLIP, "old", Verdict.REJECTED, "CODE_1", AuditRecords.NOON.plusSeconds(3));
        assertThat(walk(ConversationView.Filter.NONE, 1, page -> {})).containsExactly("a|SLIP|old", "a|SLIP|new");
    }

    /** At least once: records are processed again, and the last changes of some keys are lost. */
    @Test
    void recordsThatAreProcessedAgainAreCountedOnceAndFindLostCounts() {
        sayAnything(new Random(5), 300);
        List<AuditRecord> again = List.copyOf(said);

        again.forEach(driver::audit);
        assertFilters(1_000);

        Bytes totals = Bytes.wrap(new byte[] {
            ConversationView.totalKey(ConversationView.index(Protocol.SLIP, null, null), Optional.empty())
                    .get()[0]
        });
        KeyValueStore<Bytes, byte[]> store = driver.store(ViewStores.AUDIT);
        List<Bytes> lost = keys(store, totals);
        assertThat(lost).isNotEmpty();
        lost.forEach(store::delete);
        again.forEach(driver::audit);
        assertFilters(1_000);
    }

    @Test
    void aHostileConversationAddsFewEntriesWhateverItsAgentsAndVerdicts() {
        int messages = 500;
        for (int i = 0; i < messages; i++) {
            say(
                    "a",
                    Protocol.SLIP,
                    "1",
                    VERDICTS.get(i % VERDICTS.size()),
                    CODES.get(i / 2 % CODES.size()),
                    AuditRecords.NOON.plusMillis(i));
        }

        assertThat(indexEntries())
                .as("its time, the protocol, three verdicts, two codes, and each of them with two verdicts")
                .hasSizeLessThanOrEqualTo(1 + 1 + VERDICTS.size() + CODES.size() + CODES.size() * 2);
    }

    /**
     * Pages of every order against a sort of all conversations, after messages, redactions, and a restore from a
     * changelog that ends anywhere, after which records are processed again.
     */
    @Test
    void everyOrderIsThatOfAllConversationsAlsoAfterRedactionsAndRestores() throws IOException {
        long seed = Long.getLong("parley.seed", System.nanoTime());
        System.out.println("ConversationViewTest: -Dparley.seed=" + seed);
        Random random = new Random(seed);
        String registry = "mock://" + UUID.randomUUID();
        driver.close();
        driver = ViewsDriver.in(directory.resolve("first"), registry);
        List<KeyValue<Bytes, byte[]>> changes = new ArrayList<>();
        for (int round = 0; round < 4; round++) {
            sayAnything(random, 60);
            redact(any(random, said));
            assertOrders(random);
            changes.addAll(driver.changes(ViewStores.AUDIT));
        }
        driver.close();
        driver = ViewsDriver.in(directory.resolve("second"), registry);
        KeyValueStore<Bytes, byte[]> restored = driver.store(ViewStores.AUDIT);
        changes.subList(0, random.nextInt(changes.size())).forEach(change -> restored.put(change.key, change.value));
        List.copyOf(said).forEach(driver::audit);
        assertOrders(random);
        sayAnything(random, 60);
        assertOrders(random);
    }

    @Test
    void longNumbersAreSortedByTheirFirstThreeDigitsSoThatAConversationHasFewPlaces() {
        int messages = 1_205;
        for (int i = 0; i < messages; i++) {
            say("a", Protocol.SLIP, "1", Verdict.REJECTED, "CODE_1");
            if (i < 1_201) {
                say("b", Protocol.SLIP, "1", Verdict.REJECTED, "CODE_1");
            }
        }
        assertOrders(new Random(1));

        Set<Bytes> places = driver.changes(ViewStores.AUDIT).stream()
                .map(change -> change.key)
                .filter(key -> ViewKeys.startsWith(key, ConversationOrder.By.MESSAGES.prefix()))
                .collect(Collectors.toSet());
        assertThat(places).as("up to 1,000 exactly, then in tens, of two").hasSize(2 * (1_000 + 20));
        assertThat(keys(driver.store(ViewStores.AUDIT), ConversationOrder.By.MESSAGES.prefix()))
                .hasSize(2);
    }

    @Test
    void aCursorOfOneOrderDoesNotContinueAnother() {
        say("a", Protocol.SLIP, "1", Verdict.ACCEPTED, null);
        say("a", Protocol.SLIP, "2", Verdict.ACCEPTED, null);
        Optional<String> cursor = ViewPages.conversations(
                        driver.views(), ConversationView.Filter.NONE, ConversationOrder.LATEST, Optional.empty(), 1)
                .next();
        assertThat(cursor).isPresent();
        for (ConversationOrder order : orders()) {
            if (!order.equals(ConversationOrder.LATEST)) {
                assertThatThrownBy(() ->
                                ViewPages.conversations(driver.views(), ConversationView.Filter.NONE, order, cursor, 1))
                        .isInstanceOf(InvalidCursorException.class);
            }
        }
    }

    private void redact(AuditRecord record) {
        if (record.getRedaction() != null) {
            return;
        }
        AuditRecord event = AuditRecords.redacting(
                AuditRecords.redaction(record), sequences.merge(record.getChain(), 1L, Long::sum) - 1);
        driver.audit(event);
        said.add(event);
        latest.merge(record.getChain(), AuditRecords.NOON, (a, b) -> a.isAfter(b) ? a : b);
        expected.get(record.getChain()).add(Verdict.ACCEPTED.name());
    }

    private static List<ConversationOrder> orders() {
        return Arrays.stream(ConversationOrder.By.values())
                .flatMap(by -> Stream.of(new ConversationOrder(by, false), new ConversationOrder(by, true)))
                .toList();
    }

    private void assertOrders(Random random) {
        for (ConversationOrder order : orders()) {
            for (ConversationView.Filter filter : filters()) {
                List<String> matching = expected.entrySet().stream()
                        .filter(conversation -> matches(filter, conversation.getKey(), conversation.getValue()))
                        .map(Map.Entry::getKey)
                        .sorted(comparator(order))
                        .toList();
                assertThat(walk(filter, order, 1 + random.nextInt(20), page -> {}))
                        .as("%s of %s", order, filter)
                        .isEqualTo(matching);
            }
        }
    }

    private Comparator<String> comparator(ConversationOrder order) {
        Comparator<String> descending = Comparator.comparing((String name) -> -number(order.by(), name))
                .thenComparing(name -> {
                    String[] names = name.split("\\|", -1);
                    return ConversationView.key(names[0], Protocol.valueOf(names[1]), names[2]);
                });
        return order.ascending() ? descending.reversed() : descending;
    }

    private long number(ConversationOrder.By by, String name) {
        List<AuditRecord> records =
                said.stream().filter(record -> record.getChain().equals(name)).toList();
        long errors = records.stream()
                .filter(record -> !record.getVerdict().equals(Verdict.ACCEPTED.name()))
                .count();
        return switch (by) {
            case LAST -> latest.get(name).getEpochSecond();
            case FIRST -> records.get(0).getSource().getTimestamp().getEpochSecond();
            case MESSAGES -> threeDigits(records.size());
            case ERRORS -> threeDigits(errors);
            case RATE -> errors * 1_000 / records.size();
        };
    }

    private static long threeDigits(long number) {
        String digits = Long.toString(number);
        return digits.length() <= 3 ? number : Long.parseLong(digits.substring(0, 3) + "0".repeat(digits.length() - 3));
    }

    @Test
    void aBusyConversationMovesOnceASecond() {
        int seconds = 3;
        say("a", Protocol.SLIP, "1", Verdict.ACCEPTED, null);
        driver.changes(ViewStores.AUDIT);
        for (int i = 0; i < 100 * seconds; i++) {
            say("a", Protocol.SLIP, "1", Verdict.ACCEPTED, null, AuditRecords.NOON.plusMillis(10L * i));
        }

        assertThat(driver.changes(ViewStores.AUDIT).stream()
                        .filter(change -> ViewKeys.startsWith(change.key, ConversationOrder.By.LAST.prefix())))
                .as("an entry and a deletion for each second but the first")
                .hasSize(2 * (seconds - 1));
    }

    private Set<Bytes> indexEntries() {
        Set<Bytes> entries = new HashSet<>();
        KeyValueStore<Bytes, byte[]> store = driver.store(ViewStores.AUDIT);
        entries.addAll(keys(store, ConversationOrder.By.LAST.prefix()));
        for (Protocol protocol : Protocol.values()) {
            entries.addAll(keys(store, ConversationView.index(protocol, null, null)));
            CODES.forEach(code -> entries.addAll(keys(store, ConversationView.index(protocol, null, code))));
            for (Verdict verdict : Verdict.values()) {
                entries.addAll(keys(store, ConversationView.index(protocol, verdict, null)));
                for (String code : CODES) {
                    entries.addAll(keys(store, ConversationView.index(protocol, verdict, code)));
                }
            }
        }
        return entries;
    }

    private static List<Bytes> keys(KeyValueStore<Bytes, byte[]> store, Bytes prefix) {
        List<Bytes> keys = new ArrayList<>();
        try (KeyValueIterator<Bytes, byte[]> range = store.range(prefix, ViewKeys.after(prefix))) {
            while (range.hasNext() && ViewKeys.startsWith(range.peekNextKey(), prefix)) {
                keys.add(range.next().key);
            }
        }
        return keys;
    }
}
