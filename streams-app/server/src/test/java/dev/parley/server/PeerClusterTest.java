package dev.parley.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.ConversationSummary;
import dev.parley.avro.DeadLetterSummary;
import dev.parley.avro.Protocol;
import dev.parley.avro.Stage;
import dev.parley.encoding.ByteBuffers;
import dev.parley.log.KeyFiles;
import dev.parley.log.LogNotes;
import dev.parley.log.tlog.MerkleHasher;
import dev.parley.log.tlog.NoteSigner;
import dev.parley.log.tlog.TlogProof;
import dev.parley.protocol.TopicNames;
import dev.parley.server.api.HttpLimits;
import dev.parley.server.api.HttpTest;
import dev.parley.server.api.LogOf;
import dev.parley.server.api.PeerCluster;
import dev.parley.server.api.Samples;
import dev.parley.server.api.Tokens;
import dev.parley.server.http.ProblemException;
import dev.parley.topology.topics.ChainPartitioner;
import dev.parley.topology.views.StoredViews;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.apache.kafka.common.utils.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Any instance answers any query: from the owner, declared stale from a standby, or with 503. */
class PeerClusterTest {
    private static final Duration RETRY_TIMEOUT = Duration.ofMillis(300);
    private static final int CONVERSATIONS = 40;
    private static final String CHAIN = "default|SLIP|7";
    private static final String ONE = "/v1/conversations/default/slip/7";

    private final HttpClient client = HttpClient.newHttpClient();
    private PeerCluster peerCluster;

    @BeforeEach
    void open() {
        peerCluster = new PeerCluster(3, RETRY_TIMEOUT);
        for (int i = 0; i < CONVERSATIONS; i++) {
            String name = Integer.toString(i);
            peerCluster.put(Samples.conversation("default", Protocol.SLIP, name, 2));
            for (int sequence = 0; sequence < 2; sequence++) {
                var record = Samples.slip(name, sequence);
                record.setSource(Samples.source(2L * i + sequence));
                peerCluster.put(record);
            }
        }
    }

    @AfterEach
    void close() {
        peerCluster.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ONE,
                ONE + "/messages?from=1&limit=1",
                ONE + "/messages/1",
                ONE + "/state?at=sequence:0",
                ONE + "/blame",
                "/v1/positions/parley.wire/3/15"
            })
    void everyInstanceReturnsTheSameConversation(String path) {
        HttpResponse<String> owned = get(peerCluster.ownerOf(CHAIN), path);
        JsonNode expected = good(owned);
        assertThat(owned.headers().firstValue("Parley-Staleness")).isEmpty();
        for (PeerCluster.Node node : peerCluster.nodes) {
            assertThat(good(get(node, path))).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 13, 39, 40, 41, 1_000})
    void aListIsMergedPageByPageInOneOrder(int limit) {
        List<String> expected = new ArrayList<>(new TreeSet<>(
                IntStream.range(0, CONVERSATIONS).mapToObj(Integer::toString).toList()));
        assertThat(walk(limit, page -> {})).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5, 1_000})
    void conversationsAreLatestFirstAndThenInTheOrderOfStoreKeysNotOfJson(int limit) {
        peerCluster.close();
        peerCluster = new PeerCluster(3, RETRY_TIMEOUT);
        // The last two have the opposite order in UTF-16; JSON escapes, case and digits sort differently too.
        List<String> names = List.of(
                "9",
                "10",
                "010",
                "a",
                "A",
                "\"",
                "\\",
                "\\u0041",
                "/",
                "\n",
                "\u0001",
                "a\u0000b",
                "ab",
                "{\"a\":1}",
                "null",
                "é",
                "e\u0301",
                "中",
                "\u2028",
                "\uff00",
                "😀");
        Map<Bytes, String> expected = new TreeMap<>();
        for (String namespace : List.of("é", "z", "\"")) {
            for (String name : names) {
                ConversationSummary summary = Samples.conversation(namespace, Protocol.SLIP, name, 1);
                summary.setChain(ChainPartitioner.chainOf(namespace, Protocol.SLIP, name));
                summary.setLastTime(summary.getLastTime().plusSeconds(expected.size() % 5));
                peerCluster.put(summary);
                expected.put(StoredViews.listed(summary), namespace + name);
            }
        }

        Function<JsonNode, String> name = item ->
                item.path("namespace").asText() + item.path("conversation").asText();
        assertThat(walk("/v1/conversations", limit, name)).containsExactlyElementsOf(expected.values());
        List<String> backwards = new ArrayList<>(expected.values());
        Collections.reverse(backwards);
        assertThat(walk("/v1/conversations?order=asc", limit, name)).isEqualTo(backwards);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5, 1_000})
    void deadLettersAreLatestFirst(int limit) {
        peerCluster.close();
        peerCluster = new PeerCluster(3, RETRY_TIMEOUT);
        Map<Bytes, String> expected = new TreeMap<>();
        int partition = 0;
        for (Stage stage : TopicNames.DEAD_LETTER_STAGES) {
            for (String code : List.of("", "B", "a", "é")) {
                for (long offset : new long[] {0, 9, 10, 200, Integer.MAX_VALUE, Long.MAX_VALUE}) {
                    DeadLetterSummary letter = Samples.deadLetter(stage, code, offset, "x");
                    letter.setSourceTopic(null);
                    letter.setTimestamp(letter.getTimestamp().plusSeconds(partition % 5));
                    peerCluster.put(letter, partition++ % PeerCluster.PARTITIONS);
                    expected.put(StoredViews.listed(letter), stage + code + offset);
                }
            }
        }

        assertThat(walk(
                        "/v1/dead-letters",
                        limit,
                        item -> item.path("stage").asText()
                                + (item.path("code").isNull()
                                        ? ""
                                        : item.path("code").asText())
                                + item.at("/deadLetter/offset").asLong()))
                .containsExactlyElementsOf(expected.values());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 1_000})
    void knowledgeOfAnAgentIsMergedInOneOrderAlsoIfAConversationNeedsTwoPages(int limit) {
        List<String> expected = new ArrayList<>();
        for (int i = 100; i < 106; i++) {
            String name = Integer.toString(i);
            peerCluster.put(Samples.conversation("default", Protocol.SLIP, name, 2));
            for (int sequence = 0; sequence < 2; sequence++) {
                var record = Samples.slip(name, sequence);
                record.getMessage().setRecipients(List.of("agent"));
                record.getMessage().getSlip().setTaskId((long) sequence);
                // An even conversation has 5 MB, and a page 4 MiB.
                record.getMessage().getSlip().setTag("x".repeat(i % 2 == 0 ? 2_500_000 : 10));
                peerCluster.put(record);
                expected.add(name + " task/" + sequence + "/tag");
            }
        }

        List<String> entries = new ArrayList<>();
        walk("/v1/agents/default/agent/state", limit, item -> {
            item.path("entries")
                    .forEach(entry -> entries.add(item.path("conversation").asText()
                            + ' '
                            + entry.path("entry").asText()));
            return "";
        });

        assertThat(entries).isEqualTo(expected);
    }

    @Test
    void aResponseLargerThanItsReaderAllowsIsRejected() {
        PeerCluster.Node strict = peerCluster
        .new Node(RETRY_TIMEOUT, java.util.Optional.empty(), Tokens.PEERS, java.util.Optional.empty(), 1 << 16);
        try {
            peerCluster.nodes.get(0).knownOwners.forEach(strict.knownOwners::put);
            good(get(strict, "/v1/conversations?limit=5"));
            for (int i = 0; i < 120; i++) {
                peerCluster.put(Samples.conversation("default", Protocol.SLIP, "z".repeat(12_000) + i, 1));
            }
            problem(get(strict, "/v1/conversations?limit=1000"), ProblemException.Code.VIEWS_UNAVAILABLE);
            good(get(peerCluster.nodes.get(0), "/v1/conversations?limit=1000"));
        } finally {
            strict.stop();
        }
    }

    @Test
    void partitionsMayMoveBetweenTwoPages() {
        AtomicInteger page = new AtomicInteger();
        List<String> all = walk(
                3,
                next -> peerCluster.move(
                        page.get() % PeerCluster.PARTITIONS,
                        peerCluster.nodes.get(page.getAndIncrement() % peerCluster.nodes.size())));
        assertThat(all).hasSize(CONVERSATIONS).doesNotHaveDuplicates();
    }

    @Test
    void mergedPagesOfLargeItemsAreLimitedByBytes() {
        for (int i = 0; i < 120; i++) {
            peerCluster.put(Samples.conversation("default", Protocol.SLIP, "z".repeat(12_000) + i, 1));
        }

        List<String> all = walk(
                1_000,
                page -> assertThat(page.toString().getBytes(StandardCharsets.UTF_8).length)
                        .isLessThanOrEqualTo(4 << 20));

        assertThat(all).hasSize(CONVERSATIONS + 120).doesNotHaveDuplicates();
    }

    @Test
    void noInstanceFindsAnUnknownResource() {
        for (PeerCluster.Node node : peerCluster.nodes) {
            problem(get(node, "/v1/conversations/default/slip/nobody"), ProblemException.Code.UNKNOWN_CONVERSATION);
            problem(get(node, "/v1/positions/parley.wire/3/4711"), ProblemException.Code.UNKNOWN_POSITION);
            problem(get(node, ONE + "/messages?limit=0"), ProblemException.Code.INVALID_PARAMETER);
            problem(get(node, "/v1/conversations?limit=0"), ProblemException.Code.INVALID_PARAMETER);
        }
    }

    @Test
    void metricsHaveTheLagOfViewsAndTheResponsesOfPeers() {
        int partition = peerCluster.partitionOf(CHAIN);
        PeerCluster.Node owner = peerCluster.ownerOf(CHAIN);
        PeerCluster.Node other = peerCluster.nodes.stream()
                .filter(node -> node != owner)
                .findFirst()
                .orElseThrow();
        other.standbys.put(partition, 4L);
        good(get(other, ONE));
        owner.stop();
        problem(get(other, ONE), ProblemException.Code.VIEWS_UNAVAILABLE);

        assertThat(get(other, "/metrics").body())
                .contains("parley_peers_seconds_count{code=\"NONE\"} 1")
                .contains("parley_peers_seconds_count{code=\"NO_RESPONSE\"} ")
                .contains("parley_views_lag{partition=\"" + partition + "\",store=\"view-audit\"} 4.0")
                .contains("parley_views_lag{partition=\""
                        + other.owned.iterator().next() + "\",store=\"view-checkpoints\"} 0.0");
    }

    @Test
    void withoutItsOwnerAStandbyAnswersAndReportsItsLag() {
        peerCluster.ownerOf(CHAIN).stop();
        int partition = peerCluster.partitionOf(CHAIN);
        for (PeerCluster.Node node : peerCluster.nodes) {
            if (node != peerCluster.ownerOf(CHAIN)) {
                HttpResponse<String> refused = get(node, ONE);
                problem(refused, ProblemException.Code.VIEWS_UNAVAILABLE);
                assertThat(refused.headers().firstValue("Retry-After")).isPresent();

                HttpResponse<String> stale = get(node, ONE + "?stale=ok");
                JsonNode answer = good(stale);
                assertThat(answer.path("conversation").asText()).isEqualTo("7");
                assertThat(stale.headers().firstValue("Parley-Staleness")).hasValue(Integer.toString(partition));
            }
        }
    }

    @Test
    void aStandbyReportsItsLagWithAnUnknownResource() {
        peerCluster.ownerOf(CHAIN).stop();
        int partition = peerCluster.partitionOf(CHAIN);
        String gone = IntStream.range(CONVERSATIONS, 10 * CONVERSATIONS)
                .mapToObj(Integer::toString)
                .filter(name -> peerCluster.partitionOf("default|SLIP|" + name) == partition)
                .findFirst()
                .orElseThrow();
        for (PeerCluster.Node node : peerCluster.nodes) {
            if (node != peerCluster.ownerOf(CHAIN)) {
                for (String path : List.of(
                        "/v1/conversations/default/slip/" + gone + "?stale=ok",
                        "/v1/positions/parley.wire/3/4711?stale=ok")) {
                    HttpResponse<String> missing = get(node, path);
                    assertThat(missing.statusCode()).as(missing.body()).isEqualTo(404);
                    assertThat(missing.headers().firstValue("Parley-Staleness"))
                            .as(path)
                            .isPresent();
                }
            }
        }
    }

    @Test
    void aListNeedsEveryOwnerOrStaleReads() {
        peerCluster.nodes.get(1).stop();
        for (int i : new int[] {0, 2}) {
            PeerCluster.Node node = peerCluster.nodes.get(i);
            problem(get(node, "/v1/conversations"), ProblemException.Code.VIEWS_UNAVAILABLE);
            HttpResponse<String> page = get(node, "/v1/conversations?stale=ok&limit=1000");
            assertThat(good(page).path("items")).hasSize(CONVERSATIONS);
            assertThat(page.headers().firstValue("Parley-Staleness")).hasValue("1");
        }
    }

    @Test
    void aPartitionWithoutInstancesIsUnavailableForStaleReadsToo() {
        int partition = peerCluster.partitionOf(CHAIN);
        for (PeerCluster.Node node : peerCluster.nodes) {
            node.owned.remove(partition);
            node.standbys.remove(partition);
            node.knownOwners.remove(partition);
        }
        for (PeerCluster.Node node : peerCluster.nodes) {
            problem(get(node, ONE), ProblemException.Code.VIEWS_UNAVAILABLE);
            problem(get(node, ONE + "?stale=ok"), ProblemException.Code.VIEWS_UNAVAILABLE);
            problem(get(node, "/v1/conversations?stale=ok"), ProblemException.Code.VIEWS_UNAVAILABLE);
        }
    }

    @Test
    void queriesAreRetriedWhilePartitionsMove() {
        peerCluster.close();
        peerCluster = new PeerCluster(2, Duration.ofSeconds(20));
        peerCluster.put(Samples.conversation("default", Protocol.SLIP, "7", 2));
        int partition = peerCluster.partitionOf(CHAIN);
        PeerCluster.Node owner = peerCluster.ownerOf(CHAIN);
        PeerCluster.Node next = peerCluster.notOwnerOf(CHAIN);
        AtomicInteger refusals = new AtomicInteger();
        // The owner has lost the partition, and no metadata shows it yet; the next owner has it after three attempts.
        owner.readable = (store, asked) -> {
            if (asked == partition && refusals.incrementAndGet() == 3) {
                peerCluster.move(partition, next);
            }
            return asked != partition;
        };

        assertThat(good(get(next, ONE)).path("conversation").asText()).isEqualTo("7");
        assertThat(refusals).hasValue(3);
        assertThat(good(get(owner, "/v1/conversations")).path("items")).hasSize(1);
    }

    @Test
    void requestsDoNotCirculateOnStaleMetadata() {
        peerCluster.nodes.get(0).knownOwners.put(peerCluster.partitionOf(CHAIN), peerCluster.nodes.get(1));
        peerCluster.nodes.get(1).knownOwners.put(peerCluster.partitionOf(CHAIN), peerCluster.nodes.get(0));
        peerCluster.nodes.forEach(node -> node.owned.remove(peerCluster.partitionOf(CHAIN)));
        problem(get(peerCluster.nodes.get(0), ONE), ProblemException.Code.VIEWS_UNAVAILABLE);
        problem(get(peerCluster.nodes.get(1), ONE), ProblemException.Code.VIEWS_UNAVAILABLE);
    }

    /** Of the first two instances, which advertise one address, Kafka Streams knows the partitions of only one. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void instancesThatAdvertiseOneAddressGiveNoPartOfAList(int known) {
        peerCluster.close();
        peerCluster = new PeerCluster(3, Duration.ofMillis(10));
        List<String> names = IntStream.range(0, 12).mapToObj(Integer::toString).toList();
        names.forEach(name -> peerCluster.put(Samples.conversation("default", Protocol.SLIP, name, 1)));
        PeerCluster.Node first = peerCluster.nodes.get(0);
        for (int partition = 0; partition < PeerCluster.PARTITIONS; partition++) {
            PeerCluster.Node owner = first.knownOwners.get(partition);
            int number = peerCluster.nodes.indexOf(owner);
            for (PeerCluster.Node node : peerCluster.nodes) {
                if (number == known) {
                    node.knownOwners.put(partition, first);
                } else if (number < 2) {
                    node.knownOwners.remove(partition);
                }
            }
        }

        for (PeerCluster.Node node : List.of(first, peerCluster.nodes.get(2))) {
            problem(get(node, "/v1/conversations"), ProblemException.Code.VIEWS_UNAVAILABLE);
            problem(get(node, "/v1/conversations/total"), ProblemException.Code.VIEWS_UNAVAILABLE);
            for (String name : names) {
                HttpResponse<String> response = get(node, "/v1/conversations/default/slip/" + name);
                if (peerCluster.partitionOf("default|SLIP|" + name) == 2) {
                    good(response);
                } else if (response.statusCode() != 200) {
                    problem(response, ProblemException.Code.VIEWS_UNAVAILABLE);
                }
            }
        }
    }

    @Test
    void namesWithSeparatorsAreOthersOnEveryInstance() {
        Map<String, String> conversations = Map.of("a", "b|SLIP|c", "a|SLIP|b", "c", "a|b", "c");
        conversations.forEach((namespace, name) -> {
            ConversationSummary summary = Samples.conversation(namespace, Protocol.SLIP, name, 1);
            summary.setChain(ChainPartitioner.chainOf(namespace, Protocol.SLIP, name));
            peerCluster.put(summary);
        });

        for (PeerCluster.Node node : peerCluster.nodes) {
            conversations.forEach((namespace, name) -> {
                String path = "/v1/conversations/" + escaped(namespace) + "/slip/" + escaped(name);
                assertThat(good(get(node, path)).path("namespace").asText()).isEqualTo(namespace);
                good(send(node, "GET", path, "reader:" + namespace, ""));
                for (String bound : List.of("b", "a|", "SLIP", "c", "a%7Cb")) {
                    problem(send(node, "GET", path, "reader:" + bound, ""), ProblemException.Code.UNKNOWN_CONVERSATION);
                }
                assertThat(good(send(node, "GET", "/v1/conversations", "reader:" + namespace, ""))
                                .path("items"))
                        .hasSize(1);
            });
        }
    }

    private static String escaped(String name) {
        return name.replace("|", "%7C");
    }

    /** An insider who can write to the changelogs copies entries to all partitions, on one instance and on others. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 1_000})
    void entriesInSeveralPartitionsAreListedOnce(int limit) {
        List<String> latestFirst = new ArrayList<>();
        for (long offset = 0; offset < 9; offset++) {
            DeadLetterSummary letter = Samples.deadLetter(Stage.DECODE, "A", offset, "x");
            letter.setSourceTopic(null);
            letter.setTimestamp(letter.getTimestamp().plusSeconds(offset));
            for (int partition = 0; partition < PeerCluster.PARTITIONS; partition++) {
                peerCluster.put(letter, partition);
            }
            latestFirst.add(0, Long.toString(offset));
        }
        assertThat(walk(
                        "/v1/dead-letters",
                        limit,
                        item -> item.at("/deadLetter/offset").asText()))
                .isEqualTo(latestFirst);
    }

    @Test
    void theTotalAddsUpTheConversationsOfAllInstances() {
        for (PeerCluster.Node node : peerCluster.nodes) {
            assertThat(good(get(node, "/v1/conversations/total"))
                            .path("conversations")
                            .asLong())
                    .isEqualTo(CONVERSATIONS);
        }
        assertThat(good(get(peerCluster.nodes.get(0), "/v1/conversations/total?protocol=csp"))
                        .path("conversations")
                        .asLong())
                .isZero();
    }

    @Test
    void aPartitionWithTwoOwnersFailsAList() {
        peerCluster.nodes.forEach(node -> node.owned.add(0));
        problem(get(peerCluster.nodes.get(0), "/v1/conversations"), ProblemException.Code.VIEWS_UNAVAILABLE);
    }

    @Test
    void aRequiredPositionIsVisibleOrReported() {
        // Offset 14 is in this chain; offset 2 in that of conversation 1.
        String there = "?at-least=parley.wire-3@14&at-least=parley.wire-3@2";
        for (PeerCluster.Node node : peerCluster.nodes) {
            good(get(node, ONE + there));
            good(get(node, "/v1/conversations" + there));
            problem(get(node, ONE + "?at-least=parley.wire-3@4711"), ProblemException.Code.POSITION_NOT_SHOWN);
            problem(
                    get(node, "/v1/conversations?at-least=parley.wire-3@4711"),
                    ProblemException.Code.POSITION_NOT_SHOWN);
            problem(get(node, ONE + "?at-least=nonsense"), ProblemException.Code.INVALID_PARAMETER);
        }
    }

    @Test
    void aStaleReadFindsARequiredPositionInAnotherPartition() {
        PeerCluster.Node stopped = peerCluster.ownerOf(CHAIN);
        int elsewhere = IntStream.range(0, CONVERSATIONS)
                .filter(name -> peerCluster.ownerOf("default|SLIP|" + name) != stopped)
                .findFirst()
                .orElseThrow();
        stopped.stop();
        String required = "?stale=ok&at-least=parley.wire-3@14&at-least=parley.wire-3@" + 2 * elsewhere;
        for (PeerCluster.Node node : peerCluster.nodes) {
            if (node != stopped) {
                HttpResponse<String> stale = get(node, ONE + required);
                good(stale);
                assertThat(stale.headers().firstValue("Parley-Staleness")).isPresent();
            }
        }
    }

    @Test
    void aRequestWaitsUntilItsRequiredPositionIsVisible() {
        peerCluster.close();
        peerCluster = new PeerCluster(2, Duration.ofSeconds(20));
        peerCluster.put(Samples.conversation("default", Protocol.SLIP, "7", 1));
        AtomicInteger asked = new AtomicInteger();
        PeerCluster.Node owner = peerCluster.ownerOf(CHAIN);
        owner.readable = (store, partition) -> {
            if (asked.incrementAndGet() == 10) {
                peerCluster.put(Samples.slip("7", 0));
            }
            return true;
        };
        JsonNode answer = good(get(peerCluster.notOwnerOf(CHAIN), ONE + "/messages?at-least=parley.wire-3@0"));
        assertThat(answer.path("items")).hasSize(1);
        assertThat(asked.get()).isGreaterThanOrEqualTo(10);
    }

    @Test
    void aPeerWithAnotherSecretIsRejected() {
        PeerCluster.Node stranger = peerCluster
        .new Node(RETRY_TIMEOUT, java.util.Optional.empty(), "something else, which is as long and random");
        try {
            peerCluster.nodes.get(0).knownOwners.forEach(stranger.knownOwners::put);
            stranger.owned.add(0);
            HttpResponse<String> refused = get(stranger, "/v1/conversations");
            problem(refused, ProblemException.Code.VIEWS_UNAVAILABLE);
            assertThat(refused.body()).contains("http.peers.secret");
        } finally {
            stranger.stop();
        }
    }

    @Test
    void instancesWithTheNextSecretAndThoseWithTheOldOneAnswerEachOtherDuringARotation() {
        for (int partition = 0; partition < 2; partition++) {
            PeerCluster.Node rotated = peerCluster
            .new Node(
                    RETRY_TIMEOUT,
                    java.util.Optional.empty(),
                    "the next secret 0123456789 abcdefghij",
                    java.util.Optional.of(Tokens.PEERS),
                    HttpLimits.DEFAULT.responseBytes());
            peerCluster.nodes.get(0).knownOwners.forEach(rotated.knownOwners::put);
            peerCluster.nodes.add(rotated);
            peerCluster.move(partition, rotated);
            for (PeerCluster.Node node : peerCluster.nodes) {
                assertThat(good(get(node, "/v1/conversations?limit=1000")).path("items"))
                        .hasSize(CONVERSATIONS);
            }
        }
    }

    @Test
    void aCallerHasTheSameRoleAtAPeer() {
        for (PeerCluster.Node node : peerCluster.nodes) {
            problem(send(node, "GET", ONE, "nobody", ""), ProblemException.Code.TOKEN_INVALID);
            problem(send(node, "POST", ONE + "/messages/0/redact", "reader", ""), ProblemException.Code.ROLE_MISSING);
        }
    }

    @Test
    void rolesAndMaskingAreTheSameThroughAPeer() {
        var secret = Samples.slip("7", 2);
        secret.setSource(Samples.source(99));
        secret.setMessage(null);
        secret.setRaw(java.nio.ByteBuffer.wrap("prv:secret".getBytes(java.nio.charset.StandardCharsets.UTF_8)));
        peerCluster.put(secret);
        for (String role : List.of("reader", "auditor", "operator")) {
            for (String path : List.of(ONE + "/messages/2", ONE + "/messages")) {
                JsonNode direct = good(send(peerCluster.ownerOf(CHAIN), "GET", path, role, ""));
                for (PeerCluster.Node node : peerCluster.nodes) {
                    assertThat(good(send(node, "GET", path, role, ""))).isEqualTo(direct);
                }
            }
            JsonNode message = good(send(peerCluster.notOwnerOf(CHAIN), "GET", ONE + "/messages/2", role, ""));
            assertThat(message.path("redacted").asBoolean()).as(role).isEqualTo(role.equals("reader"));
        }
    }

    @Test
    void withoutASecretPeersAreNotAskedAndTheErrorTellsWhy() {
        PeerCluster.Node alone = peerCluster.new Node(RETRY_TIMEOUT, java.util.Optional.empty(), "");
        try {
            peerCluster.nodes.get(0).knownOwners.forEach(alone.knownOwners::put);
            alone.owned.add(0);
            HttpResponse<String> refused = get(alone, "/v1/conversations");
            problem(refused, ProblemException.Code.VIEWS_UNAVAILABLE);
            assertThat(refused.body()).contains("http.peers.secret");
        } finally {
            alone.stop();
        }
    }

    @Test
    void aRedactionReadsTheMessageFromItsOwner() {
        for (PeerCluster.Node node : peerCluster.nodes) {
            HttpResponse<String> response =
                    send(node, "POST", ONE + "/messages/1/redact", "operator", "{\"reason\":\"why\"}");
            assertThat(response.statusCode()).as(response.body()).isEqualTo(202);
            assertThat(node.redactions).hasSize(1);
            assertThat(node.redactions.get(0).getChain()).isEqualTo(CHAIN);
            assertThat(node.redactions.get(0).getSource()).isEqualTo(Samples.source(15));
            problem(
                    send(node, "POST", ONE + "/messages/2/redact", "operator", "{\"reason\":\"why\"}"),
                    ProblemException.Code.UNKNOWN_MESSAGE);
        }
    }

    /** The log of a partition may be on any instance, whatever has its conversations. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5})
    void everyInstanceProvesAMessageWhoseLogIsOnAnother(int partition) throws Exception {
        LogNotes notes = new LogNotes("parley/audit", List.of(NoteSigner.of("parley/audit", KeyFiles.newPair())));
        LogOf log = new LogOf(partition, notes).others(300);
        AuditRecord record = Samples.slip("7", 1);
        record.setSource(Samples.source(15));
        AuditRecord sealed = log.append(record);
        peerCluster.put(sealed);
        peerCluster.put(log, partition);

        for (PeerCluster.Node node : peerCluster.nodes) {
            HttpResponse<String> response = get(node, ONE + "/messages/1/proof");
            assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
            TlogProof proof = TlogProof.parse(response.body().getBytes(StandardCharsets.UTF_8));
            assertThat(proof.index()).isEqualTo(300);
            assertThat(proof.includes(new MerkleHasher().leaf(ByteBuffers.of(sealed.getHash()))))
                    .isTrue();
            assertThat(get(node, "/v1/log/" + partition + "/checkpoint").body())
                    .isEqualTo(proof.note().toString());
            assertThat(good(get(node, "/v1/log")).path("heads")).hasSize(1);
            assertThat(get(node, "/v1/log/" + partition + "/tile/0/000").statusCode())
                    .isEqualTo(200);
        }
    }

    private List<String> walk(int limit, java.util.function.Consumer<JsonNode> each) {
        List<String> names = new ArrayList<>();
        String cursor = "";
        for (int page = 0; cursor != null; page++) {
            JsonNode answer = good(get(
                    peerCluster.nodes.get(page % peerCluster.nodes.size()),
                    "/v1/conversations?limit=" + limit + "&cursor=" + cursor));
            answer.path("items")
                    .forEach(item -> names.add(item.path("conversation").asText()));
            assertThat(answer.path("items").size()).isLessThanOrEqualTo(limit);
            cursor = answer.path("next").textValue();
            each.accept(answer);
        }
        return names;
    }

    private List<String> walk(String path, int limit, Function<JsonNode, String> name) {
        List<String> names = new ArrayList<>();
        String cursor = "";
        for (int page = 0; cursor != null; page++) {
            JsonNode answer = good(get(
                    peerCluster.nodes.get(page % peerCluster.nodes.size()),
                    path + (path.contains("?") ? "&" : "?") + "limit=" + limit + "&cursor=" + cursor));
            answer.path("items").forEach(item -> names.add(name.apply(item)));
            cursor = answer.path("next").textValue();
        }
        return names;
    }

    @Test
    void noInstanceShowsABoundCallerAnotherNamespace() {
        for (int i = 0; i < CONVERSATIONS; i++) {
            peerCluster.put(Samples.conversation("bravo", Protocol.SLIP, Integer.toString(i), 1));
        }
        AuditRecord other = Samples.slip("7", 0);
        other.setChain("bravo|SLIP|7");
        other.setSource(Samples.source(1_000));
        peerCluster.put(other);
        String token = "reader:default";
        List<String> found = new ArrayList<>();
        String cursor = "";
        for (int page = 0; cursor != null; page++) {
            HttpResponse<String> response = send(
                    peerCluster.nodes.get(page % peerCluster.nodes.size()),
                    "GET",
                    "/v1/conversations?limit=7&cursor=" + cursor,
                    token,
                    "");
            JsonNode answer = good(response);
            assertThat(response.body()).doesNotContain("bravo");
            answer.path("items")
                    .forEach(item -> found.add(item.path("conversation").asText()));
            cursor = answer.path("next").textValue();
        }
        assertThat(found)
                .containsExactlyInAnyOrderElementsOf(IntStream.range(0, CONVERSATIONS)
                        .mapToObj(Integer::toString)
                        .toList());
        for (PeerCluster.Node node : peerCluster.nodes) {
            assertThat(good(send(node, "GET", "/v1/conversations/total", token, ""))
                            .path("conversations")
                            .asInt())
                    .isEqualTo(CONVERSATIONS);
            assertThat(good(get(node, "/v1/conversations/total"))
                            .path("conversations")
                            .asInt())
                    .isEqualTo(2 * CONVERSATIONS);
            for (String path : List.of("", "/messages", "/messages/0", "/state")) {
                problem(
                        send(node, "GET", "/v1/conversations/bravo/slip/7" + path, token, ""),
                        ProblemException.Code.UNKNOWN_CONVERSATION);
            }
            good(get(node, "/v1/positions/parley.wire/3/1000"));
            problem(
                    send(node, "GET", "/v1/positions/parley.wire/3/1000", token, ""),
                    ProblemException.Code.UNKNOWN_POSITION);
            good(get(node, ONE + "?at-least=parley.wire-3@1000"));
            problem(
                    send(node, "GET", ONE + "?at-least=parley.wire-3@1000", token, ""),
                    ProblemException.Code.POSITION_NOT_SHOWN);
        }
    }

    private HttpResponse<String> get(PeerCluster.Node node, String path) {
        return send(node, "GET", path, "reader", "");
    }

    private HttpResponse<String> send(PeerCluster.Node node, String method, String path, String token, String body) {
        try {
            return client.send(
                    HttpRequest.newBuilder(URI.create(node.uri() + path))
                            .header("Authorization", "Bearer " + token)
                            .method(method, BodyPublishers.ofString(body))
                            .build(),
                    BodyHandlers.ofString());
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    private static JsonNode good(HttpResponse<String> response) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return HttpTest.parse(response.body());
    }

    private static void problem(HttpResponse<String> response, ProblemException.Code code) {
        HttpTest.problem(response, code);
    }
}
