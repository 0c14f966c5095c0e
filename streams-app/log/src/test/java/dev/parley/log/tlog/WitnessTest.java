package dev.parley.log.tlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A witness answers as C2SP tlog-witness requires, and never cosigns two histories. */
class WitnessTest {
    private static final String ORIGIN = "example.com/log";
    private static final Clock CLOCK = Clock.fixed(Instant.ofEpochSecond(1_700_000_000), ZoneOffset.UTC);

    private final NoteSigner logKey = NoteSigner.of(ORIGIN, pair());
    private final NoteSigner cosigner = NoteSigner.cosigner("witness.example/w", pair());
    private final TestLog log = TestLog.of(300);
    /** Differs from the log from record 100 on. */
    private final TestLog fork = fork(100, 300);

    @TempDir
    private Path directory;

    private final List<Witness.SplitView> splitViews = new ArrayList<>();
    private WitnessState state;
    private Witness witness;

    @BeforeEach
    void open() throws IOException {
        state = WitnessState.open(directory.resolve("state"));
        witness = new Witness(
                cosigner,
                origin -> origin.equals(ORIGIN) ? List.of(logKey.verifierKey()) : List.of(),
                state,
                CLOCK,
                splitViews::add);
    }

    @AfterEach
    void close() throws IOException {
        state.close();
    }

    @Test
    void aGrowingLogIsCosigned() throws Exception {
        int old = 0;
        for (int size : new int[] {0, 1, 100, 100, 256, 300}) {
            Witness.Answer answer = witness.addCheckpoint(request(log, old, size, logKey));

            assertThat(answer)
                    .isInstanceOfSatisfying(
                            Witness.Cosigned.class,
                            cosigned -> assertThat(parse(note(log, size, logKey)
                                                    + cosigned.signature().line())
                                            .verify(List.of(cosigner.verifierKey()))
                                            .valid())
                                    .hasSize(1));
            old = size;
        }
    }

    @Test
    void aSecondHistoryIsRefusedWhateverItsOldSize() throws Exception {
        cosign(log, 0, 150);

        assertThat(witness.addCheckpoint(request(fork, 150, 200, logKey)))
                .isInstanceOfSatisfying(
                        Witness.Refused.class,
                        refused -> assertThat(refused.status()).isEqualTo(422));
        assertThat(witness.addCheckpoint(request(fork, 150, 150, logKey)))
                .isInstanceOfSatisfying(
                        Witness.Refused.class,
                        refused -> assertThat(refused.status()).isEqualTo(422));
        for (int old : new int[] {0, 99, 151}) {
            assertThat(witness.addCheckpoint(request(fork, old, 200, logKey))).isEqualTo(new Witness.Conflict(150));
        }
        cosign(log, 150, 300);
    }

    @Test
    void twoHeadsOfOneSizeAreReportedOnceAsEvidenceWhateverTheOldSize() throws Exception {
        cosign(log, 0, 150);

        witness.addCheckpoint(request(fork, 0, 150, logKey));
        witness.addCheckpoint(request(fork, 150, 150, logKey));
        witness.addCheckpoint(request(log, 0, 150, logKey));

        assertThat(splitViews).hasSize(1);
        Witness.SplitView view = splitViews.get(0);
        assertThat(view.cosigned().text()).isEqualTo(note(log, 150, logKey).text());
        assertThat(view.refused().text()).isEqualTo(note(fork, 150, logKey).text());
        assertThat(view.cosigned().verify(List.of(logKey.verifierKey())).valid())
                .hasSize(1);
        assertThat(view.refused().verify(List.of(logKey.verifierKey())).valid()).hasSize(1);
    }

    @Test
    void monitorsGetTheLastCosignedCheckpoint() throws Exception {
        cosign(log, 0, 150);
        cosign(log, 150, 200);
        String hash = java.util.HexFormat.of()
                .formatHex(java.security.MessageDigest.getInstance("SHA-256")
                        .digest(ORIGIN.getBytes(StandardCharsets.UTF_8)));

        SignedNote shown = witness.treeHead(hash).orElseThrow();

        assertThat(shown.text()).isEqualTo(note(log, 200, logKey).text());
        assertThat(shown.verify(List.of(logKey.verifierKey(), cosigner.verifierKey()))
                        .valid())
                .hasSize(2);
        for (String other : List.of("", "lock", "../state/" + hash, hash + ".new", "0".repeat(64))) {
            assertThat(witness.treeHead(other)).as(other).isEmpty();
        }
    }

    @Test
    void aCrashBeforeTheAnswerLosesNothing() throws Exception {
        cosign(log, 0, 150);
        // The state is on disk, and the answer is lost.
        witness.addCheckpoint(request(log, 150, 200, logKey));
        close();
        open();

        assertThat(witness.addCheckpoint(request(log, 150, 200, logKey))).isEqualTo(new Witness.Conflict(200));
        assertThat(witness.addCheckpoint(request(fork, 150, 200, logKey))).isEqualTo(new Witness.Conflict(200));
        cosign(log, 200, 200);
    }

    @Test
    void requestsThatCannotBeCosignedHaveTheStatusOfTheFormat() throws Exception {
        NoteSigner other = NoteSigner.of(ORIGIN, pair());
        NoteSigner unknown = NoteSigner.of("example.com/other", pair());
        SignedNote forged = SignedNote.of(note(log, 5, logKey).text())
                .with(new NoteSignature(
                        ORIGIN,
                        logKey.verifierKey().keyId(),
                        other.sign(note(log, 5, logKey).text()).bytes()));
        TreeHead notEmpty = new TreeHead(ORIGIN, 0, log.root(1));
        Map<String, Integer> statuses = Map.of(
                "",
                400,
                "old 1\n\n",
                400,
                "new 0\n\n" + note(log, 5, logKey),
                400,
                "old 00\n\n" + note(log, 5, logKey),
                400,
                "old 6\n\n" + note(log, 5, logKey),
                400,
                "old 0\n\n" + note(log, 5, other),
                403,
                "old 0\n\n" + forged,
                403,
                "old 0\n\n" + signed(new TreeHead("example.com/other", 5, log.root(5)), unknown),
                404,
                "old 0\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n\n" + note(log, 5, logKey),
                422,
                "old 0\n\n" + signed(notEmpty, logKey),
                422);
        for (Map.Entry<String, Integer> request : statuses.entrySet()) {
            assertThat(witness.addCheckpoint(request.getKey().getBytes(StandardCharsets.UTF_8)))
                    .as(request.getKey())
                    .isInstanceOfSatisfying(
                            Witness.Refused.class,
                            refused -> assertThat(refused.status()).isEqualTo(request.getValue()));
        }
        cosign(log, 0, 5);
    }

    @Test
    void anEndlessOrHostileRequestIsRefusedBeforeItIsRead() throws Exception {
        String proof = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n".repeat(64);
        for (byte[] request : List.of(
                new byte[2 << 20],
                ("old 0\n" + proof + "\n" + note(log, 5, logKey)).getBytes(StandardCharsets.UTF_8),
                new byte[] {'o', 'l', 'd', ' ', (byte) 0xFF, '\n'})) {
            assertThat(witness.addCheckpoint(request))
                    .isInstanceOfSatisfying(
                            Witness.Refused.class,
                            refused -> assertThat(refused.status()).isEqualTo(400));
        }
    }

    @Test
    void theStateSurvivesARestartAndWhatACrashLeft() throws Exception {
        cosign(log, 0, 150);
        close();
        try (Stream<Path> files = Files.list(directory.resolve("state"))) {
            Path file = files.filter(path -> path.getFileName().toString().length() == 64)
                    .findFirst()
                    .orElseThrow();
            // A crash after half of the next tree head was written, and before the move.
            Files.writeString(file.resolveSibling(file.getFileName() + ".new"), ORIGIN + "\n3");
        }
        open();

        assertThat(witness.addCheckpoint(request(fork, 0, 200, logKey))).isEqualTo(new Witness.Conflict(150));
        cosign(log, 150, 200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "example.com/log\n",
                "example.com/log\n99\nAAAA\n",
                "example.com/other\n0\n%s\n\n\u2014 w AAAAAAE=\n"
            })
    void aDamagedStateCosignsNothing(String damage) throws Exception {
        cosign(log, 0, 150);
        try (Stream<Path> files = Files.list(directory.resolve("state"))) {
            Path file = files.filter(path -> path.getFileName().toString().length() == 64)
                    .findFirst()
                    .orElseThrow();
            Files.writeString(file, damage.replace("%s", Lines.base64(MerkleHasher.emptyRoot())));
        }

        assertThatThrownBy(() -> witness.addCheckpoint(request(fork, 0, 200, logKey)))
                .isInstanceOf(IOException.class);
    }

    @Test
    void nothingIsCosignedThatIsNotStored() throws Exception {
        cosign(log, 0, 150);
        try (Stream<Path> files = Files.list(directory.resolve("state"))) {
            Path file = files.filter(path -> path.getFileName().toString().length() == 64)
                    .findFirst()
                    .orElseThrow();
            // The next tree head cannot replace a directory with a file.
            Files.createDirectories(
                    file.resolveSibling(file.getFileName() + ".new").resolve("full"));
        }

        assertThatThrownBy(() -> witness.addCheckpoint(request(log, 150, 200, logKey)))
                .isInstanceOf(IOException.class);
        assertThat(witness.addCheckpoint(request(log, 200, 300, logKey))).isEqualTo(new Witness.Conflict(150));
    }

    @Test
    void plantedLinksAreNotFollowed() throws Exception {
        cosign(log, 0, 150);
        Path victim = Files.writeString(directory.resolve("victim"), "precious");
        Path draft;
        try (Stream<Path> files = Files.list(directory.resolve("state"))) {
            Path file = files.filter(each -> !each.endsWith("lock")).findFirst().orElseThrow();
            draft = Files.createSymbolicLink(file.resolveSibling(file.getFileName() + ".new"), victim);
        }
        cosign(log, 150, 200);
        assertThat(draft).doesNotExist();

        Path other = Files.createDirectory(directory.resolve("other"));
        Files.createSymbolicLink(other.resolve("lock"), victim);
        assertThatThrownBy(() -> WitnessState.open(other).close()).isInstanceOf(FileSystemException.class);
        assertThat(victim).hasContent("precious");
    }

    @Test
    void onlyTheOwnerCanUseTheState() throws Exception {
        cosign(log, 0, 150);
        assertThat(permissions(directory.resolve("state"))).isEqualTo("rwx------");
        try (Stream<Path> files = Files.list(directory.resolve("state"))) {
            assertThat(files)
                    .hasSize(2)
                    .allSatisfy(file -> assertThat(permissions(file)).isEqualTo("rw-------"));
        }
    }

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    @Test
    void aDirectoryHasOneWitness() {
        assertThatThrownBy(() -> WitnessState.open(directory.resolve("state")).close())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("in use");
    }

    @Test
    void concurrentRequestsOfTwoHistoriesCosignOne() throws Exception {
        long seed = Long.getLong("parley.seed", System.nanoTime());
        Random random = new Random(seed);
        List<Callable<Boolean>> requests = new ArrayList<>();
        List<Boolean> forked = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            TestLog one = random.nextBoolean() ? log : fork;
            int size = 101 + random.nextInt(199);
            byte[] request = request(one, 0, size, logKey);
            forked.add(one == fork);
            requests.add(() -> witness.addCheckpoint(request) instanceof Witness.Cosigned);
        }
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<Boolean> histories = new ArrayList<>();
            List<Future<Boolean>> answers = threads.invokeAll(requests);
            for (int i = 0; i < answers.size(); i++) {
                if (answers.get(i).get()) {
                    histories.add(forked.get(i));
                }
            }
            assertThat(histories).as("seed %d", seed).hasSize(1);
        } finally {
            threads.shutdownNow();
        }
    }

    private void cosign(TestLog from, int old, int size) throws IOException {
        assertThat(witness.addCheckpoint(request(from, old, size, logKey))).isInstanceOf(Witness.Cosigned.class);
    }

    private static byte[] request(TestLog from, int old, int size, NoteSigner signer) throws IOException {
        ConsistencyProof proof = ConsistencyProof.of(old, size, from);
        return Witness.request(proof, note(from, size, signer));
    }

    private static SignedNote note(TestLog from, int size, NoteSigner signer) {
        return signed(new TreeHead(ORIGIN, size, from.root(size)), signer);
    }

    private static SignedNote signed(TreeHead treeHead, NoteSigner signer) {
        return SignedNote.of(treeHead.text()).with(signer.sign(treeHead.text()));
    }

    private static SignedNote parse(String note) {
        try {
            return SignedNote.parse(note.getBytes(StandardCharsets.UTF_8));
        } catch (TlogFormatException e) {
            throw new AssertionError(note, e);
        }
    }

    private static TestLog fork(int from, int size) {
        TestLog fork = new TestLog();
        for (int i = 0; i < size; i++) {
            fork.add(new MerkleHasher().leaf(TestLog.data(i < from ? i : -i)));
        }
        return fork;
    }

    private static KeyPair pair() {
        try {
            return KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
        } catch (java.security.NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }
}
