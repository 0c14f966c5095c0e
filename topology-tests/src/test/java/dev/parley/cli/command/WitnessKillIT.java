package dev.parley.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.cli.environment.ChildProcess;
import dev.parley.encoding.Sha256;
import dev.parley.log.KeyFiles;
import dev.parley.log.tlog.ConsistencyProof;
import dev.parley.log.tlog.Frontier;
import dev.parley.log.tlog.MerkleHasher;
import dev.parley.log.tlog.NoteSigner;
import dev.parley.log.tlog.SignedNote;
import dev.parley.log.tlog.TreeHead;
import dev.parley.log.tlog.VerifierKey;
import dev.parley.log.tlog.Witness;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills a witness with SIGKILL at random moments while a dishonest log submits heads of two histories. {@code
 * -Dparley.kills=N} sets the number of kills; a failure prints the seed, which {@code -Dparley.seed} repeats.
 */
@Tag("long")
class WitnessKillIT {
    private static final int KILLS = Integer.getInteger("parley.kills", 3);
    private static final long SEED = Long.getLong("parley.seed", System.nanoTime());
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final String ORIGIN = "example.com/audit/0";
    private static final String READY = " at http://127.0.0.1:";

    /** The histories have a common beginning, and fit into one tile. */
    private static final int COMMON = 5;

    private static final int MAX_SIZE = 255;

    private static final int MAX_MICROS = 400_000;

    @TempDir
    private Path directory;

    private final Random random = new Random(SEED);
    private final HttpClient client = HttpClient.newHttpClient();
    private final NoteSigner log = NoteSigner.of("example.com/audit", KeyFiles.newPair());
    private final KeyPair witnessKeys = KeyFiles.newPair();
    private final VerifierKey witness = NoteSigner.cosigner("w", witnessKeys).verifierKey();
    private final History[] histories = {new History(1), new History(2)};

    /** The history whose heads the witness has cosigned beyond the common beginning; null before the first. */
    private History cosigned;

    /** Size of the last head with a cosignature that was received. */
    private long received;

    /** Old size with which the log submits its next head. */
    private long oldSize;

    /** The leaves of a log. */
    private static final class History {
        private final byte[][] leaves = new byte[MAX_SIZE][];

        History(int number) {
            MerkleHasher hasher = new MerkleHasher();
            for (int i = 0; i < MAX_SIZE; i++) {
                leaves[i] = hasher.leaf(ByteBuffer.allocate(Integer.BYTES * 2)
                        .putInt(i)
                        .putInt(i < COMMON ? 0 : number)
                        .array());
            }
        }

        byte[] root(long size) {
            Frontier tree = new Frontier();
            for (int i = 0; i < size; i++) {
                tree.append(leaves[i]);
            }
            return tree.root();
        }

        byte[] proof(long oldSize, int size, SignedNote note) throws IOException {
            ByteArrayOutputStream tile = new ByteArrayOutputStream();
            for (byte[] leaf : leaves) {
                tile.write(leaf);
            }
            ConsistencyProof proof = ConsistencyProof.of(
                    oldSize, size, wanted -> Arrays.copyOf(tile.toByteArray(), wanted.width() * MerkleHasher.BYTES));
            return Witness.request(proof, note);
        }
    }

    @Test
    void noHistoryIsLeftAndNoHeadMovesBackHoweverOftenTheWitnessIsKilled() throws Exception {
        Files.writeString(directory.resolve("w.key"), KeyFiles.privatePem(witnessKeys));
        Files.writeString(directory.resolve("audit.vkey"), log.verifierKey() + "\n");
        for (int kill = 0; kill < KILLS; kill++) {
            try (ChildProcess process = start()) {
                URI uri = uri(process);
                compare(uri, kill);
                ScheduledExecutorService killer = Executors.newSingleThreadScheduledExecutor();
                int moment = random.nextInt(MAX_MICROS);
                // The moment begins with the first response, because the process starts slowly.
                submit(
                        uri,
                        () -> killer.schedule(
                                () -> process.process().destroyForcibly(), moment, TimeUnit.MICROSECONDS));
                killer.shutdown();
                process.kill();
            }
        }
        try (ChildProcess process = start()) {
            compare(uri(process), KILLS);
            assertThat(received).as("seed %d", SEED).isPositive();
        }
    }

    private ChildProcess start() throws IOException {
        return ChildProcess.start(
                directory,
                List.of(
                        "witness",
                        "--key",
                        directory.resolve("w.key").toString(),
                        "--name",
                        "w",
                        "--state",
                        directory.resolve("state").toString(),
                        "--log",
                        directory.resolve("audit.vkey").toString(),
                        "--port",
                        "0"));
    }

    private static URI uri(ChildProcess process) {
        await().atMost(TIMEOUT)
                .until(() -> process.hasSaid(READY) && process.said().endsWith("\n"));
        String said = process.said();
        return URI.create("http://127.0.0.1:"
                + said.substring(said.indexOf(READY) + READY.length())
                        .lines()
                        .findFirst()
                        .orElseThrow());
    }

    /** Submits heads of both histories until the witness is gone. */
    private void submit(URI uri, Runnable afterFirst) throws Exception {
        for (int request = 0; ; request++) {
            if (request == 1) {
                afterFirst.run();
            }
            History history = histories[random.nextInt(2)];
            long old = random.nextInt(10) == 0 ? random.nextInt(MAX_SIZE) : oldSize;
            int size = (int) Math.min(MAX_SIZE, old + random.nextInt(3));
            SignedNote note = note(history, size);
            HttpResponse<String> response;
            try {
                response = client.send(
                        HttpRequest.newBuilder(uri.resolve("/add-checkpoint"))
                                .timeout(TIMEOUT)
                                .POST(BodyPublishers.ofByteArray(history.proof(old, size, note)))
                                .build(),
                        BodyHandlers.ofString());
            } catch (IOException e) {
                // Killed, perhaps between the write to disk and the response.
                return;
            }
            if (response.statusCode() == 200) {
                byte[] joined = (note + response.body()).getBytes(StandardCharsets.UTF_8);
                assertThat(SignedNote.parse(joined).verify(List.of(witness)).valid())
                        .as("seed %d", SEED)
                        .hasSize(1);
                recordCosigned(history, size);
            } else if (response.statusCode() == 409) {
                oldSize = Long.parseLong(response.body().strip());
                assertThat(oldSize).as("seed %d", SEED).isGreaterThanOrEqualTo(received);
            } else {
                assertThat(response.statusCode())
                        .as("%s, seed %d", response.body(), SEED)
                        .isEqualTo(422);
            }
        }
    }

    /** Notes that a head is cosigned, which must continue all heads that were. */
    private void recordCosigned(History history, long size) {
        assertThat(size).as("seed %d", SEED).isGreaterThanOrEqualTo(received);
        if (size > COMMON) {
            assertThat(cosigned).as("two histories; seed %d", SEED).isIn(null, history);
            cosigned = history;
        }
        received = size;
        oldSize = size;
    }

    /** The witness shows the last head that it cosigned, whose response may have been lost. */
    private void compare(URI uri, int kill) throws Exception {
        String hash = HexFormat.of().formatHex(Sha256.of(ORIGIN.getBytes(StandardCharsets.UTF_8)));
        HttpResponse<String> shown = client.send(
                HttpRequest.newBuilder(uri.resolve("/" + hash + "/checkpoint")).build(), BodyHandlers.ofString());
        if (received == 0 && shown.statusCode() == 404) {
            return;
        }
        assertThat(shown.statusCode()).as("kill %d, seed %d", kill, SEED).isEqualTo(200);
        SignedNote note = SignedNote.parse(shown.body().getBytes(StandardCharsets.UTF_8));
        assertThat(note.verify(List.of(witness, log.verifierKey())).valid()).hasSize(2);
        TreeHead treeHead = TreeHead.parse(note);
        History history = Arrays.stream(histories)
                .filter(each -> Arrays.equals(each.root(treeHead.size()), treeHead.root()))
                .findFirst()
                .orElseThrow();
        recordCosigned(treeHead.size() <= COMMON && cosigned != null ? cosigned : history, treeHead.size());
    }

    private SignedNote note(History history, int size) {
        String text = new TreeHead(ORIGIN, size, history.root(size)).text();
        return SignedNote.of(text).with(log.sign(text));
    }
}
