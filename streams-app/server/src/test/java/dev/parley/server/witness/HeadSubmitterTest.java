package dev.parley.server.witness;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import dev.parley.avro.AuditHead;
import dev.parley.codec.TrustedRecords;
import dev.parley.json.model.Status;
import dev.parley.log.KeyFiles;
import dev.parley.log.LogNotes;
import dev.parley.log.TrustedLogs;
import dev.parley.log.tlog.NoteSigner;
import dev.parley.log.tlog.SignedNote;
import dev.parley.log.tlog.TlogFormatException;
import dev.parley.log.tlog.TreeHead;
import dev.parley.log.tlog.VerifierKey;
import dev.parley.log.tlog.Witness;
import dev.parley.log.tlog.WitnessState;
import dev.parley.server.api.FakeViews;
import dev.parley.server.api.LogOf;
import dev.parley.server.api.Samples;
import dev.parley.server.http.BoundAddress;
import dev.parley.server.http.HostNames;
import dev.parley.server.http.HttpListener;
import dev.parley.server.http.WitnessServer;
import dev.parley.server.witness.WitnessSettings.Endpoint;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

/** Heads are submitted to witnesses, whatever these answer. */
class HeadSubmitterTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Duration SHORT = Duration.ofMillis(300);
    private static final int PARTITION = 3;

    @TempDir
    private Path directory;

    private final List<AutoCloseable> open = new ArrayList<>();
    private final Deployment deployment = new Deployment("a.example/audit");
    private final ListAppender<ILoggingEvent> logged = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger(WitnessLog.class);
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    /** A deployment with one log: its key, its views, and the heads that it has written. */
    private final class Deployment {
        private final NoteSigner key;
        private final LogNotes notes;
        private final FakeViews views = new FakeViews();
        private final Map<Integer, AuditHead> written = new HashMap<>();
        private final List<AuditHead> all = new ArrayList<>();
        private LogOf log;
        private byte[] root;
        private HeadSubmitter submitter;
        private List<Endpoint> witnesses = List.of();

        Deployment(String origin) {
            this(origin, NoteSigner.of(origin, KeyFiles.newPair()));
        }

        Deployment(String origin, NoteSigner key) {
            this.key = key;
            notes = new LogNotes(origin, List.of(key));
            log = new LogOf(PARTITION, notes);
        }

        /** Appends records and publishes the head. */
        Deployment grow(int records) {
            log.others(records).tiles().forEach(tile -> {
                views.tiles.removeIf(
                        before -> before.getLevel() == tile.getLevel() && before.getIndex() == tile.getIndex());
                views.tiles.add(tile);
            });
            views.heads.clear();
            AuditHead head = log.head();
            root = root(head);
            views.heads.add(head);
            views.heads.add(notes.statement(4, Collections.emptySortedMap(), Instant.EPOCH));
            return this;
        }

        Deployment start(int quorum, Duration timeout, Endpoint... endpoints) {
            witnesses = List.of(endpoints);
            submitter = new HeadSubmitter(
                    new WitnessSettings(witnesses, quorum, notes.origin()),
                    new WitnessClient(timeout),
                    views::views,
                    partition -> Optional.ofNullable(written.get(partition)),
                    head -> {
                        written.put(head.getPartition(), head);
                        all.add(head);
                    },
                    () -> now);
            return this;
        }

        /** One round with each witness. */
        void round() throws InterruptedException {
            for (Endpoint witness : witnesses) {
                round(witness);
            }
        }

        /** One round with a witness. */
        void round(Endpoint witness) throws InterruptedException {
            submitter.round(witness);
            submitter.write();
        }

        /** Names of the witnesses that cosigned the last written head, which has a size. */
        List<String> cosigners(long size) throws Exception {
            AuditHead head = written.get(PARTITION);
            assertThat(head.getSize()).isEqualTo(size);
            SignedNote note = LogNotes.parse(head.getNote());
            assertThat(TreeHead.parse(note).size()).isEqualTo(size);
            assertThat(note.verify(List.of(key.verifierKey())).valid()).hasSize(1);
            return note.verify(witnesses.stream().map(Endpoint::key).toList()).valid().stream()
                    .map(signed -> signed.key().name())
                    .toList();
        }

        /** Text of the last head. */
        String text() throws Exception {
            return LogNotes.parse(log.head().getNote()).text();
        }

        Status.Witness status(int witness) {
            return submitter.status().get(witness);
        }
    }

    private static byte[] root(AuditHead head) {
        try {
            return TreeHead.parse(LogNotes.parse(head.getNote())).root();
        } catch (TlogFormatException e) {
            throw new AssertionError(head.getNote(), e);
        }
    }

    /** A witness that trusts a deployment. */
    private Endpoint witness(String name, VerifierKey... trusted) throws IOException {
        NoteSigner cosigner = NoteSigner.cosigner(name, KeyFiles.newPair());
        WitnessState state = WitnessState.open(directory.resolve(name.replace('/', '-')));
        HttpListener server = WitnessServer.start(
                BoundAddress.bind("127.0.0.1", 0),
                HostNames.of(List.of()),
                new Witness(cosigner, new TrustedLogs(List.of(trusted)), state, Clock.systemUTC(), view -> {}));
        open.add(server);
        open.add(state);
        return new Endpoint(cosigner.verifierKey(), "http://127.0.0.1:" + server.port());
    }

    private Endpoint good(String name) throws IOException {
        return witness(name, deployment.key.verifierKey());
    }

    /** A server with a handler for every path. */
    private String http(HttpHandler handler) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/", handler);
        server.start();
        open.add(() -> server.stop(0));
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    @BeforeEach
    void listen() {
        TrustedRecords.trust();
        logged.start();
        logger.addAppender(logged);
    }

    @AfterEach
    void close() throws Exception {
        logger.detachAppender(logged);
        for (AutoCloseable each : open) {
            each.close();
        }
    }

    @Test
    void everyHeadOfAGrowingLogIsCosignedOnce() throws Exception {
        deployment.grow(1).start(1, TIMEOUT, good("w1"));
        for (int more : new int[] {0, 254, 1, 1, 300, 66_000}) {
            deployment.grow(more).round();
            deployment.round();
            assertThat(deployment.cosigners(deployment.log.head().getSize())).containsExactly("w1");
        }
        assertThat(deployment.all).hasSize(6);
        assertThat(deployment.status(0)).isEqualTo(new Status.Witness("w1", 1, List.of(), List.of(), 0, null));
    }

    @Test
    void anInstanceThatRestartsLearnsWhatTheWitnessKnows() throws Exception {
        Endpoint w1 = good("w1");
        deployment.grow(300).start(1, TIMEOUT, w1).round();
        deployment.written.clear();
        deployment.start(1, TIMEOUT, w1).round();
        assertThat(deployment.cosigners(300)).containsExactly("w1");

        deployment.grow(200).start(1, TIMEOUT, w1).round();
        assertThat(deployment.cosigners(500)).containsExactly("w1");
    }

    @Test
    void aHeadThatWasCosignedBeforeARestartIsNotSubmittedAgain() throws Exception {
        Endpoint w1 = good("w1");
        deployment.grow(5).start(1, TIMEOUT, w1).round();
        AtomicInteger requests = new AtomicInteger();
        Endpoint counting = new Endpoint(w1.key(), http(exchange -> {
            requests.incrementAndGet();
            exchange.sendResponseHeaders(500, -1);
        }));

        deployment.start(1, TIMEOUT, counting).round();

        assertThat(requests).hasValue(0);
        assertThat(deployment.all).hasSize(1);
    }

    @Test
    void twoDeploymentsWitnessEachOther() throws Exception {
        Deployment other = new Deployment("b.example/audit");
        Endpoint ofA = witness("a.example/witness", other.key.verifierKey());
        Endpoint ofB = witness("b.example/witness", deployment.key.verifierKey());
        deployment.start(1, TIMEOUT, ofB);
        other.start(1, TIMEOUT, ofA);
        for (int round = 1; round <= 3; round++) {
            deployment.grow(100).round();
            other.grow(70).round();
            assertThat(deployment.cosigners(100 * round)).containsExactly("b.example/witness");
            assertThat(other.cosigners(70 * round)).containsExactly("a.example/witness");
        }
        // Neither cosigns a log of its own key, or of a stranger.
        other.start(1, TIMEOUT, ofB).grow(1).round();
        assertThat(other.status(0).detail()).startsWith("REFUSED: status 404");
    }

    @Test
    void aHeadIsWrittenWithTheQuorumAndAgainWithFurtherCosignatures() throws Exception {
        Endpoint w1 = good("w1");
        Endpoint w2 = good("w2");
        Endpoint away = new Endpoint(good("w3").key(), "http://127.0.0.1:1");
        deployment.grow(5).start(2, TIMEOUT, w1, away, w2);

        deployment.round(w1);
        assertThat(deployment.all).isEmpty();
        deployment.round(away);
        deployment.round(w2);
        assertThat(deployment.cosigners(5)).containsExactly("w1", "w2");

        now = now.plusSeconds(700);
        assertThat(deployment.status(1)).satisfies(status -> {
            assertThat(status.behind()).containsExactly(PARTITION);
            assertThat(status.behindSeconds()).isEqualTo(700);
            assertThat(status.detail()).startsWith("UNAVAILABLE: ConnectException");
        });
        assertThat(deployment.status(0).behind()).isEmpty();
        deployment.grow(5).round();
        assertThat(deployment.cosigners(10)).containsExactly("w1", "w2");
    }

    /** Otherwise witnesses that answer at different times would never cosign one head. */
    @Test
    void allWitnessesGetOneHeadUntilItHasTheQuorumHoweverTheLogGrows() throws Exception {
        Endpoint w1 = good("w1");
        Endpoint w2 = good("w2");
        deployment.grow(5).start(2, TIMEOUT, w1, w2);
        deployment.round(w1);
        deployment.grow(5);
        deployment.round(w2);
        assertThat(deployment.cosigners(5)).containsExactly("w1", "w2");
        deployment.round();
        deployment.round();
        assertThat(deployment.cosigners(10)).containsExactly("w1", "w2");
    }

    @Test
    void aHeadThatAWitnessHasPassedIsReplacedByALaterOne() throws Exception {
        Endpoint w1 = good("w1");
        Endpoint w2 = good("w2");
        FakeViews late = new FakeViews();
        deployment.grow(5);
        late.heads.addAll(deployment.views.heads);
        late.tiles.addAll(deployment.views.tiles);
        deployment.grow(5).start(1, TIMEOUT, w1).round();
        // A new owner of the log, whose views are behind.
        List<AuditHead> heads = List.copyOf(deployment.views.heads);
        deployment.views.heads.clear();
        deployment.views.heads.addAll(late.heads);
        deployment.written.clear();
        deployment.start(2, TIMEOUT, w1, w2).round();
        assertThat(deployment.status(0).detail()).isEqualTo("AHEAD: it has cosigned a head of 10 records");
        assertThat(deployment.written).isEmpty();

        deployment.views.heads.clear();
        deployment.views.heads.addAll(heads);
        now = now.plusSeconds(60);
        deployment.round();
        assertThat(deployment.cosigners(10)).containsExactly("w1", "w2");
    }

    @Test
    void anotherHistoryIsReportedLoudlyWithBothNotes() throws Exception {
        Endpoint w1 = good("w1");
        deployment.grow(20).start(1, TIMEOUT, w1).round();
        String cosigned =
                LogNotes.parse(deployment.written.get(PARTITION).getNote()).text();
        // The log was restored from a backup, and has grown differently.
        deployment.log = new LogOf(PARTITION, deployment.notes).others(10);
        deployment.log.append(Samples.slip("7", 0));
        deployment.written.clear();
        for (int more : new int[] {9, 5}) {
            deployment.views.tiles.clear();
            deployment.grow(more).start(1, TIMEOUT, w1).round();
            now = now.plusSeconds(60);
            deployment.round();

            assertThat(deployment.written).isEmpty();
            assertThat(deployment.status(0).splitViews()).containsExactly(PARTITION);
            assertThat(logged.list)
                    .filteredOn(event -> event.getLevel() == Level.ERROR)
                    .singleElement()
                    .satisfies(event -> assertThat(event.getFormattedMessage())
                            .startsWith("SPLIT VIEW: witness w1")
                            .contains(cosigned, deployment.log.head().getNote()));
            logged.list.clear();
        }
    }

    @Test
    void aHeadBeyondTheLogIsReportedWhenTheLogHasItsSizeThoughTheWitnessIsAwayByThen() throws Exception {
        Endpoint w1 = good("w1");
        Deployment first = otherHistory().grow(19).start(1, TIMEOUT, w1);
        first.round();
        deployment.grow(14).start(1, TIMEOUT, w1).round();
        assertThat(deployment.status(0).detail()).isEqualTo("AHEAD: it has cosigned a head of 20 records");
        for (AutoCloseable each : open) {
            each.close();
        }
        now = now.plusSeconds(60);
        deployment.grow(5).round();
        assertThat(deployment.status(0).splitViews()).isEmpty();
        assertThat(reports()).isEmpty();

        deployment.grow(1);
        for (int again = 0; again < 3; again++) {
            now = now.plusSeconds(60);
            deployment.round();
            assertThat(deployment.status(0).splitViews()).containsExactly(PARTITION);
            assertThat(deployment.status(0).detail())
                    .isEqualTo("SPLIT_VIEW: it has cosigned another history of 20 records");
            assertThat(reports())
                    .singleElement()
                    .asString()
                    .contains(
                            first.text() + "\n\u2014 ",
                            "\u2014 w1 ",
                            deployment.log.head().getNote());
        }
    }

    @Test
    void anotherHistoryThatIsAlwaysAheadIsReported() throws Exception {
        Endpoint w1 = good("w1");
        Deployment first = otherHistory().grow(19).start(1, TIMEOUT, w1);
        first.round();
        String cosigned = first.text();
        deployment.grow(14).start(1, TIMEOUT, w1).round();
        for (int round = 0; round < 3; round++) {
            first.grow(10).round();
            now = now.plusSeconds(60);
            deployment.grow(4).round();
        }
        assertThat(first.cosigners(50)).containsExactly("w1");
        assertThat(deployment.status(0).splitViews()).containsExactly(PARTITION);
        assertThat(reports()).singleElement().asString().contains(cosigned);
    }

    @Test
    void aHeadBeyondTheLogThatItContinuesIsNoSplitView() throws Exception {
        Endpoint w1 = good("w1");
        Deployment other =
                new Deployment("a.example/audit", deployment.key).grow(20).start(1, TIMEOUT, w1);
        other.round();
        deployment.grow(14).start(1, TIMEOUT, w1).round();
        now = now.plusSeconds(60);
        deployment.grow(10).round();
        assertThat(deployment.cosigners(24)).containsExactly("w1");
        assertThat(deployment.status(0).splitViews()).isEmpty();
        assertThat(reports()).isEmpty();
    }

    /** Another log of the same origin and key, from the first record on. */
    private Deployment otherHistory() {
        Deployment other = new Deployment("a.example/audit", deployment.key);
        other.log.append(Samples.slip("7", 0));
        return other;
    }

    private List<String> reports() {
        return logged.list.stream()
                .filter(event -> event.getLevel() == Level.ERROR)
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    @Test
    void anUnsignedLogIsReportedAndSubmittedOnceItIsSigned() throws Exception {
        deployment.log = new LogOf(PARTITION, new LogNotes("a.example/audit", List.of()));
        deployment.grow(4).start(0, TIMEOUT, good("w1")).round();
        assertThat(deployment.status(0).detail())
                .isEqualTo("UNSIGNED: the log has no key; set audit.heads.key.files where the pipeline runs");
        assertThat(deployment.all).isEmpty();

        deployment.log = new LogOf(PARTITION, deployment.notes);
        now = now.plusSeconds(60);
        deployment.grow(4).round();
        assertThat(deployment.cosigners(4)).containsExactly("w1");
    }

    /** What a hostile witness answers. */
    private enum Attack {
        GARBAGE,
        NOTHING,
        ENDLESS_BODY,
        SLOW_BODY,
        NO_ANSWER,
        REDIRECT,
        HEAD_OF_ANOTHER_LOG,
        KEY_OF_THE_SAME_NAME,
        KEY_OF_THE_LOG,
        COPY_OF_A_COSIGNATURE_OF_ANOTHER_HEAD,
        SIZE_OF_GARBAGE,
        SIZE_BEYOND_THE_LOG,
        SIZE_BEYOND_ALL_NUMBERS,
        ALWAYS_ANOTHER_SIZE,
        UNPROCESSABLE_WITH_A_FORGED_HEAD,
        SERVER_ERROR,
    }

    @Test
    void aWitnessIsAskedAgainAfterTheClockWasSetBack() throws Exception {
        NoteSigner cosigner = NoteSigner.cosigner("w1", KeyFiles.newPair());
        AtomicInteger requests = new AtomicInteger();
        Endpoint unavailable = new Endpoint(cosigner.verifierKey(), http(exchange -> {
            requests.incrementAndGet();
            exchange.sendResponseHeaders(503, -1);
            exchange.close();
        }));
        deployment.grow(5).start(1, TIMEOUT, unavailable).round();
        int first = requests.get();
        deployment.round();
        assertThat(requests).as("within the pause").hasValue(first);
        now = now.minusSeconds(7_200);
        deployment.round();
        assertThat(requests).hasValueGreaterThan(first);
    }

    @ParameterizedTest
    @EnumSource(Attack.class)
    void aHostileAnswerCosignsNothingAndOtherWitnessesDo(Attack attack) throws Exception {
        NoteSigner cosigner = NoteSigner.cosigner("evil", KeyFiles.newPair());
        AtomicInteger internal = new AtomicInteger();
        String redirected = http(exchange -> internal.incrementAndGet());
        CountDownLatch end = new CountDownLatch(1);
        AtomicInteger requests = new AtomicInteger();
        Endpoint evil = new Endpoint(cosigner.verifierKey(), http(exchange -> {
            exchange.getRequestBody().readAllBytes();
            requests.incrementAndGet();
            answer(attack, exchange, cosigner, redirected, end);
        }));
        deployment.grow(300).start(1, SHORT, evil, good("w1"));

        deployment.round();
        deployment.round();
        end.countDown();

        assertThat(deployment.cosigners(300)).containsExactly("w1");
        assertThat(internal).hasValue(0);
        // After a failure, it has a pause: two requests with different old sizes, and one for its head.
        assertThat(requests.get()).isBetween(1, 3);
        assertThat(deployment.status(0)).satisfies(status -> {
            assertThat(status.cosigned()).isZero();
            assertThat(status.behind()).containsExactly(PARTITION);
            assertThat(status.detail()).hasSizeLessThan(500);
        });
    }

    private void answer(Attack attack, HttpExchange exchange, NoteSigner evil, String redirected, CountDownLatch end)
            throws IOException {
        String mine = new TreeHead("a.example/audit/3", 300, new byte[32]).text();
        String other = new TreeHead("a.example/audit/4", 300, new byte[32]).text();
        String head = new TreeHead("a.example/audit/3", 300, deployment.root).text();
        switch (attack) {
            case GARBAGE -> respond(exchange, 200, "\u0000\u0007 not a signature\r\n");
            case NOTHING -> respond(exchange, 200, "");
            case ENDLESS_BODY -> {
                exchange.sendResponseHeaders(200, 0);
                byte[] part = new byte[1 << 16];
                Arrays.fill(part, (byte) 'x');
                for (int sent = 0; sent < 4 * WitnessClient.RESPONSE_BYTES; sent += part.length) {
                    exchange.getResponseBody().write(part);
                }
                exchange.close();
            }
            case SLOW_BODY -> {
                exchange.sendResponseHeaders(200, 0);
                exchange.getResponseBody().write('x');
                exchange.getResponseBody().flush();
                await(end);
            }
            case NO_ANSWER -> await(end);
            case REDIRECT -> {
                exchange.getResponseHeaders().add("Location", redirected + "/latest/meta-data");
                exchange.sendResponseHeaders(307, -1);
            }
            case HEAD_OF_ANOTHER_LOG ->
                respond(exchange, 200, evil.cosign(other, 1).line());
            case KEY_OF_THE_SAME_NAME ->
                respond(
                        exchange,
                        200,
                        NoteSigner.cosigner("evil", KeyFiles.newPair())
                                .cosign(head, 1)
                                .line());
            case KEY_OF_THE_LOG ->
                respond(exchange, 200, deployment.key.sign(head).line());
            case COPY_OF_A_COSIGNATURE_OF_ANOTHER_HEAD ->
                respond(exchange, 200, evil.cosign(mine, 1).line());
            case SIZE_OF_GARBAGE -> respond(exchange, 409, "-1\n");
            case SIZE_BEYOND_THE_LOG -> respond(exchange, 409, "301\n");
            case SIZE_BEYOND_ALL_NUMBERS -> respond(exchange, 409, "9".repeat(100_000) + "\n");
            case ALWAYS_ANOTHER_SIZE -> respond(exchange, 409, "7\n");
            case UNPROCESSABLE_WITH_A_FORGED_HEAD ->
                respond(
                        exchange,
                        exchange.getRequestMethod().equals("GET") ? 200 : 422,
                        mine + "\n"
                                + NoteSigner.cosigner("evil", KeyFiles.newPair())
                                        .cosign(mine, 1)
                                        .line());
            case SERVER_ERROR -> respond(exchange, 500, "x".repeat(10_000));
        }
    }

    private static void respond(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        if (bytes.length > 0) {
            exchange.getResponseBody().write(bytes);
        }
        exchange.close();
    }

    private static void await(CountDownLatch end) {
        try {
            end.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
