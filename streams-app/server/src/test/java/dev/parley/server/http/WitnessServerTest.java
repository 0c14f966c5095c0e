package dev.parley.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.log.KeyFiles;
import dev.parley.log.TrustedLogs;
import dev.parley.log.tlog.ConsistencyProof;
import dev.parley.log.tlog.MerkleHasher;
import dev.parley.log.tlog.NoteSigner;
import dev.parley.log.tlog.SignedNote;
import dev.parley.log.tlog.TreeHead;
import dev.parley.log.tlog.VerifierKey;
import dev.parley.log.tlog.Witness;
import dev.parley.log.tlog.WitnessState;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A witness speaks C2SP tlog-witness over HTTP, whatever clients send. */
class WitnessServerTest {
    private static final String DEPLOYMENT = "example.com/audit";
    private static final byte[] ROOT = new MerkleHasher().leaf(new byte[] {1});
    private static final byte[] OTHER = new MerkleHasher().leaf(new byte[] {2});

    private final NoteSigner log = NoteSigner.of(DEPLOYMENT, KeyFiles.newPair());
    private final NoteSigner cosigner = NoteSigner.cosigner("witness.example/w", KeyFiles.newPair());
    private final List<Witness.SplitView> splitViews = new ArrayList<>();
    private final HttpClient client = HttpClient.newHttpClient();

    @TempDir
    private Path directory;

    private WitnessState state;
    private HttpListener server;

    @BeforeEach
    void start() throws IOException {
        state = WitnessState.open(directory);
        server = WitnessServer.start(
                BoundAddress.bind("127.0.0.1", 0),
                HostNames.of(List.of("witness.example")),
                new Witness(
                        cosigner,
                        new TrustedLogs(List.of(log.verifierKey())),
                        state,
                        Clock.systemUTC(),
                        splitViews::add));
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
        state.close();
    }

    @Test
    void aPageOfAnotherNameReadsNoHeads() throws Exception {
        String path = "/" + hash(DEPLOYMENT + "/7") + "/checkpoint";
        assertThat(HostNamesTest.get(server.port(), path, "rebound.attacker.example"))
                .startsWith("HTTP/1.1 421 ")
                .contains("--host-name");
        assertThat(HostNamesTest.get(server.port(), path, "witness.example")).startsWith("HTTP/1.1 404 ");
    }

    @Test
    void aHeadIsCosignedAndShownToMonitors() throws Exception {
        SignedNote note = note(DEPLOYMENT + "/7", ROOT);
        List<VerifierKey> keys = List.of(log.verifierKey(), cosigner.verifierKey());

        HttpResponse<String> cosigned = add(request(note));

        assertThat(cosigned.statusCode()).isEqualTo(200);
        byte[] joined = (note + cosigned.body()).getBytes(StandardCharsets.UTF_8);
        assertThat(SignedNote.parse(joined).verify(keys).valid()).hasSize(2);
        HttpResponse<String> shown = get("/" + hash(DEPLOYMENT + "/7") + "/checkpoint");
        assertThat(shown.statusCode()).isEqualTo(200);
        assertThat(shown.body()).isEqualTo(note + cosigned.body());
        assertThat(get("/" + hash(DEPLOYMENT + "/8") + "/checkpoint").statusCode())
                .isEqualTo(404);
    }

    @Test
    void aSecondHistoryGetsTheSizeOrIsUnprocessableAndBothNotesAreReported() throws Exception {
        SignedNote first = note(DEPLOYMENT + "/0", ROOT);
        SignedNote second = note(DEPLOYMENT + "/0", OTHER);
        add(request(first));

        HttpResponse<String> conflict = add(request(second));

        assertThat(conflict.statusCode()).isEqualTo(409);
        assertThat(conflict.headers().firstValue("Content-Type")).contains("text/x.tlog.size");
        assertThat(conflict.body()).isEqualTo("1\n");
        assertThat(add(Witness.request(new ConsistencyProof(1, 1, List.of()), second))
                        .statusCode())
                .isEqualTo(422);
        assertThat(splitViews).singleElement().satisfies(view -> {
            assertThat(view.cosigned().text()).isEqualTo(first.text());
            assertThat(view.refused().toString()).isEqualTo(second.toString());
        });
    }

    @ParameterizedTest
    @CsvSource({
        "example.com/audit/00, 404",
        "example.com/audit/10000, 404",
        "example.com/audit/-1, 404",
        "example.com/audit/, 404",
        "example.com/audit, 404",
        "example.com/audit/0/0, 404",
        "example.org/audit/0, 404",
        "example.com/audit/9999, 200"
    })
    void onlyPartitionsOfTrustedDeploymentsAreLogs(String origin, int status) throws Exception {
        assertThat(add(request(note(origin, ROOT))).statusCode()).isEqualTo(status);
    }

    @Test
    void aForgedHeadIsForbidden() throws Exception {
        NoteSigner forger = NoteSigner.of(DEPLOYMENT, KeyFiles.newPair());
        String text = new TreeHead(DEPLOYMENT + "/0", 1, ROOT).text();

        assertThat(add(request(SignedNote.of(text).with(forger.sign(text)))).statusCode())
                .isEqualTo(403);
    }

    @Test
    void anOldSizeBeyondTheHeadAndBrokenBase64AreInvalid() throws Exception {
        SignedNote note = note(DEPLOYMENT + "/0", ROOT);

        for (String body : List.of("", "old 2\n\n" + note, "old 0\n%%%\n\n" + note, "old 0\n\n" + note + "x")) {
            assertThat(add(body.getBytes(StandardCharsets.UTF_8)).statusCode())
                    .as(body)
                    .isEqualTo(400);
        }
    }

    @Test
    void aHugeBodyIsRefusedWithAndWithoutALength() throws Exception {
        byte[] huge = new byte[4 * WitnessServer.BODY_BYTES];

        assertThat(add(huge).statusCode()).isEqualTo(413);
        assertThat(add(BodyPublishers.fromPublisher(BodyPublishers.ofByteArray(huge)))
                        .statusCode())
                .isEqualTo(413);
        assertThat(add(request(note(DEPLOYMENT + "/0", ROOT))).statusCode()).isEqualTo(200);
    }

    @Test
    void otherPathsReachNoFile() throws Exception {
        for (String path : List.of("/", "/checkpoint", "/lock/checkpoint", "/%2e%2e%2flock/checkpoint", "/x")) {
            assertThat(get(path).statusCode()).as(path).isBetween(400, 404);
        }
        assertThat(get("/add-checkpoint").statusCode()).isEqualTo(404);
    }

    private HttpResponse<String> add(byte[] body) throws Exception {
        return add(BodyPublishers.ofByteArray(body));
    }

    private HttpResponse<String> add(BodyPublisher body) throws Exception {
        return client.send(
                HttpRequest.newBuilder(uri("/add-checkpoint")).POST(body).build(), BodyHandlers.ofString());
    }

    private HttpResponse<String> get(String path) throws Exception {
        return client.send(HttpRequest.newBuilder(uri(path)).build(), BodyHandlers.ofString());
    }

    private URI uri(String path) {
        return URI.create("http://127.0.0.1:" + server.port() + path);
    }

    private static byte[] request(SignedNote note) {
        return Witness.request(new ConsistencyProof(0, 1, List.of()), note);
    }

    private SignedNote note(String origin, byte[] root) {
        String text = new TreeHead(origin, 1, root).text();
        return SignedNote.of(text).with(log.sign(text));
    }

    private static String hash(String origin) throws Exception {
        return HexFormat.of()
                .formatHex(MessageDigest.getInstance("SHA-256").digest(origin.getBytes(StandardCharsets.UTF_8)));
    }
}
