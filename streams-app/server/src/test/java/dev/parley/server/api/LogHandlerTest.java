package dev.parley.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.audit.AuditChain;
import dev.parley.audit.Redactions;
import dev.parley.avro.AuditHead;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Protocol;
import dev.parley.avro.Redaction;
import dev.parley.encoding.ByteBuffers;
import dev.parley.json.AvroJsonReader;
import dev.parley.json.model.Status;
import dev.parley.log.KeyFiles;
import dev.parley.log.LogNotes;
import dev.parley.log.tlog.Frontier;
import dev.parley.log.tlog.MerkleHasher;
import dev.parley.log.tlog.NoteSigner;
import dev.parley.log.tlog.TlogFormatException;
import dev.parley.log.tlog.TlogProof;
import dev.parley.server.api.view.Paths;
import dev.parley.server.feature.CosignedHeads;
import dev.parley.server.feature.RunningFeature;
import dev.parley.server.http.HttpSecurity;
import dev.parley.server.http.ProblemException.Code;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Heads, tiles and proofs of the audit log. */
class LogHandlerTest extends HttpTest {
    private static final String PROOF = "/v1/conversations/default/slip/7/messages/0/proof";
    private static final String PRIVATE = "/v1/conversations/default/lambda/p/messages/0/proof";
    private static final int PARTITION = 3;
    private static final String TILES = "/v1/log/3/tile/";

    private final NoteSigner signer = NoteSigner.of("parley/audit", KeyFiles.newPair());
    private final LogNotes notes = new LogNotes("parley/audit", List.of(signer));
    private final HttpClient client = HttpClient.newHttpClient();

    private final Map<Integer, AuditHead> cosigned = new HashMap<>();
    private final CosignedHeads cosignedHeads = new CosignedHeads() {
        @Override
        public Optional<AuditHead> head(int partition) {
            return Optional.ofNullable(cosigned.get(partition));
        }

        @Override
        public int quorum() {
            return quorum;
        }
    };
    private int quorum;

    @Override
    protected List<RunningFeature> features() {
        List<RunningFeature> features = new ArrayList<>(super.features());
        features.add((context, contributions) -> contributions
                .cosignedHeads(cosignedHeads)
                .statusLine(
                        "witnesses",
                        () -> List.of(new Status.Witness("w1", 0, List.of(3), List.of(), 7, "UNAVAILABLE: away"))));
        return features;
    }

    @Override
    protected HttpSecurity security() {
        return Tokens.security();
    }

    @Override
    protected HttpResponse<String> send(String method, String path, String... headers) {
        return headers.length == 0
                ? super.send(method, path, "Authorization", "Bearer reader")
                : super.send(method, path, headers);
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "1, 0", "0, 1", "255, 0", "255, 1", "300, 66000", "66000, 300"})
    void aProofLeadsFromTheRecordToASignedHead(int before, int after) throws Exception {
        LogOf log = new LogOf(PARTITION, notes).others(before);
        AuditRecord record = conversation(log.append(Samples.slip("7", 0)));
        publish(log.others(after));

        HttpResponse<String> response = get(PROOF);

        assertThat(response.headers().firstValue("Content-Type")).hasValue("text/plain;charset=utf-8");
        TlogProof proof = proof(response);
        assertThat(proof.index()).isEqualTo(before);
        assertThat(proof.treeHead().origin()).isEqualTo("parley/audit/3");
        assertThat(proof.treeHead().size()).isEqualTo(before + after + 1);
        assertThat(extra(proof)).isEqualTo(record);
    }

    @Test
    void aReaderGetsAProofOfThePrivateMessageWithoutItsContent() throws Exception {
        LogOf log = new LogOf(PARTITION, notes).others(5);
        views.conversations.add(Samples.conversation("default", Protocol.LAMBDA, "p", 1));
        AuditRecord record = log.append(Samples.privateLambda("p"));
        views.messages.add(record);
        publish(log);

        TlogProof masked = proof(get(PRIVATE));
        TlogProof whole = proof(super.send("GET", PRIVATE, "Authorization", "Bearer auditor"));

        assertThat(extra(masked)).isEqualTo(Redactions.redact(record, null));
        assertThat(new String(masked.extra().orElseThrow(), StandardCharsets.UTF_8))
                .doesNotContain("secret", "salt", "payloadHash");
        assertThat(extra(whole)).isEqualTo(record);
    }

    @ParameterizedTest
    @ValueSource(strings = {"survey-3/terms", "..", "~p", "100%", "a;b"})
    void aConversationWhoseNameNeedsBase64HasProofs(String name) throws Exception {
        LogOf log = new LogOf(PARTITION, notes);
        views.conversations.add(Samples.conversation("default", Protocol.LAMBDA, name, 1));
        AuditRecord record = log.append(Samples.privateLambda(name));
        views.messages.add(record);
        publish(log);

        TlogProof proof = proof(get(Paths.conversation("default", "lambda", name) + "/messages/0/proof"));

        assertThat(extra(proof)).isEqualTo(Redactions.redact(record, null));
    }

    @Test
    void aRedactedMessageProvesItsMetadata() throws Exception {
        LogOf log = new LogOf(PARTITION, notes);
        AuditRecord record = log.append(Samples.slip("7", 0));
        Redaction because = new Redaction(
                record.getChain(), 0L, record.getSource(), record.getHash(), "privacy", "mia", Samples.NOON, false);
        conversation(Redactions.redact(record, because));
        publish(log);

        assertThat(extra(proof(get(PROOF)))).isEqualTo(Redactions.redact(record, because));
    }

    @Test
    void metadataAloneAreProvenOnRequest() throws Exception {
        LogOf log = new LogOf(PARTITION, notes);
        AuditRecord record = conversation(log.append(Samples.slip("7", 0)));
        publish(log);

        assertThat(extra(proof(get(PROOF + "?metadata=true")))).isEqualTo(Redactions.redact(record, null));
        problem(PROOF + "?metadata=maybe", Code.INVALID_PARAMETER);
    }

    @Test
    void aProofWaitsForAHeadThatContainsTheRecord() throws Exception {
        LogOf log = new LogOf(PARTITION, notes).others(1);
        AuditRecord record = log.append(Samples.slip("7", 0));
        conversation(record);
        assertThat(problem(PROOF, Code.PROOF_PENDING).path("detail").asText()).contains("audit.heads.interval.ms");
        assertThat(get(PROOF).headers().firstValue("Retry-After")).isPresent();

        publish(new LogOf(PARTITION, notes).others(1));
        problem(PROOF, Code.PROOF_PENDING);

        publish(log);
        assertThat(proof(get(PROOF)).index()).isOne();
    }

    @Test
    void anUnsignedLogHasTilesButProvesNothing() {
        LogOf log = new LogOf(PARTITION, new LogNotes("parley/audit", List.of()));
        conversation(log.append(Samples.slip("7", 0)));
        publish(log);

        problem(PROOF, Code.LOG_NOT_SIGNED);
        problem("/v1/log/3/checkpoint", Code.LOG_NOT_SIGNED);
        assertThat(get(TILES + "0/000.p/1").statusCode()).isEqualTo(200);
        assertThat(json("/v1/log").at("/heads/0/keys")).isEmpty();
    }

    @Test
    void aProofOfMoreThanAMebibyteIsRefusedWithoutItsContentOffered() throws Exception {
        LogOf log = new LogOf(PARTITION, notes);
        AuditRecord record = Samples.slip("7", 0);
        record.getMessage().setRaw(ByteBuffer.allocate(500_000));
        conversation(log.append(record));
        publish(log);

        assertThat(problem(PROOF, Code.ANSWER_TOO_LARGE).path("detail").asText())
                .contains("metadata=true");
        assertThat(proof(get(PROOF + "?metadata=true")).index()).isZero();
    }

    @Test
    void missingMessagesHaveNoProof() {
        problem(PROOF, Code.UNKNOWN_CONVERSATION);
        conversation(new LogOf(PARTITION, notes).append(Samples.slip("7", 0)));
        problem("/v1/conversations/default/slip/7/messages/1/proof", Code.UNKNOWN_MESSAGE);
    }

    @Test
    void aCheckpointIsTheSignedNoteAndCachedForSeconds() {
        publish(new LogOf(PARTITION, notes).others(300));

        HttpResponse<String> response = get("/v1/log/3/checkpoint");

        assertThat(response.body()).isEqualTo(views.heads.get(0).getNote()).startsWith("parley/audit/3\n300\n");
        assertThat(response.headers().firstValue("Content-Type")).hasValue("text/plain;charset=utf-8");
        assertThat(response.headers().firstValue("Cache-Control")).hasValue("max-age=5");
    }

    /** The head of a log with a cosignature. */
    private AuditHead cosigned(LogOf log) {
        NoteSigner witness = NoteSigner.cosigner("w1", KeyFiles.newPair());
        AuditHead head = log.head();
        String note = head.getNote();
        String text = note.substring(0, note.indexOf("\n\n") + 1);
        head.setNote(note + witness.cosign(text, 1).line());
        cosigned.put(PARTITION, head);
        return head;
    }

    @Test
    void withAQuorumCheckpointAndProofUseTheLastCosignedHead() throws Exception {
        quorum = 1;
        LogOf log = new LogOf(PARTITION, notes).others(299);
        conversation(log.append(Samples.slip("7", 0)));
        publish(log);
        assertThat(problem("/v1/log/3/checkpoint", Code.PROOF_PENDING)
                        .path("detail")
                        .asText())
                .contains("1 witnesses yet");
        problem(PROOF, Code.PROOF_PENDING);

        AuditHead head = cosigned(log);
        publish(log.others(200));

        assertThat(get("/v1/log/3/checkpoint").body()).isEqualTo(head.getNote()).contains("\u2014 w1 ");
        TlogProof proof = proof(get(PROOF));
        assertThat(proof.treeHead().size()).isEqualTo(300);
        assertThat(proof.note().signatures()).hasSize(2);
        // Tiles of the whole log stay available: a monitor reads ahead.
        assertThat(tile("0/001.p/244")).hasSize(244 * 32);
    }

    @Test
    void aRecordAfterTheLastCosignedHeadHasNoProofYet() {
        quorum = 1;
        LogOf log = new LogOf(PARTITION, notes).others(3);
        cosigned(log);
        conversation(log.append(Samples.slip("7", 0)));
        publish(log);

        assertThat(problem(PROOF, Code.PROOF_PENDING).path("detail").asText()).contains("cosigned by witnesses");
    }

    @Test
    void withoutAQuorumTheLastHeadIsServedWithTheCosignaturesThatItHas() throws Exception {
        LogOf log = new LogOf(PARTITION, notes).others(3);
        conversation(log.append(Samples.slip("7", 0)));
        publish(log);
        assertThat(proof(get(PROOF)).note().signatures()).hasSize(1);
        AuditHead head = cosigned(log);
        assertThat(proof(get(PROOF)).note().signatures()).hasSize(2);
        assertThat(get("/v1/log/3/checkpoint").body()).isEqualTo(head.getNote());

        publish(log.others(1));
        assertThat(proof(get(PROOF)).treeHead().size()).isEqualTo(5);
        assertThat(get("/v1/log/3/checkpoint").body())
                .startsWith("parley/audit/3\n5\n")
                .doesNotContain("\u2014 w1 ");
    }

    @Test
    void theStatusNamesWitnessesThatAreAway() {
        assertThat(json("/v1/status").at("/features/witnesses"))
                .hasToString("[{\"name\":\"w1\",\"cosigned\":0,\"behind\":[3],\"splitViews\":[],\"behindSeconds\":7,"
                        + "\"detail\":\"UNAVAILABLE: away\"}]");
    }

    @Test
    void tilesAreTheHashesOfTheLogAndNeverChange() {
        LogOf log = new LogOf(PARTITION, notes).others(300);
        publish(log);
        byte[] full = tile("0/000");
        byte[] partial = tile("0/001.p/44");
        byte[] shorter = tile("0/001.p/7");
        publish(log.others(70_000));

        assertThat(full).hasSize(256 * 32).isEqualTo(tile("0/000"));
        assertThat(partial).hasSize(44 * 32).isEqualTo(tile("0/001.p/44"));
        assertThat(shorter).isEqualTo(Arrays.copyOf(partial, 7 * 32));
        assertThat(tile("0/001")).startsWith(partial);
        assertThat(tile("2/000.p/1")).hasSize(32);
        assertThat(tile("1/000")).startsWith(root(full));
    }

    @Test
    void aTileMayBeCachedButNotByASharedCacheForOtherCallers() {
        publish(new LogOf(PARTITION, notes).others(300));

        HttpResponse<String> response = get(TILES + "0/000");

        assertThat(response.headers().firstValue("Content-Type")).hasValue("application/octet-stream");
        assertThat(response.headers().firstValue("Cache-Control"))
                .hasValue("max-age=31536000, immutable")
                .get()
                .asString()
                .doesNotContain("public");
        assertThat(get(TILES + "0/002").headers().firstValue("Cache-Control")).hasValue("no-store");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0/001",
                "0/001.p/45",
                "0/001.p/0",
                "0/001.p/00",
                "0/001.p/256",
                "0/001.p/-1",
                "0/001.p/",
                "0/001.p",
                "0/000.p/256",
                "0/002.p/1",
                "1/000",
                "1/000.p/2",
                "2/000.p/1",
                "8/000",
                "63/000.p/1",
                "64/000",
                "-1/000",
                "00/000",
                "0/0",
                "0/0000",
                "0/x000/000",
                "0/x999/x999/x999/x999/x999/x999/999",
                "0/x999/x999/x999/x999/x999/x999/x999/x999/x999/x999/x999/x999/x999/x999/x999/x999/x999/x999/999",
                "0/+00",
                "entries/000",
                "entries/000.p/1",
                "checkpoint",
                "data/000",
                "0%2E000",
                "0/%F0%9D%9F%8E00",
            })
    void pathsOfNoTileOfTheLastHeadAreUnknown(String path) {
        publish(new LogOf(PARTITION, notes).others(300));
        assertThat(get(TILES + "0/001.p/44").statusCode()).isEqualTo(200);

        problem(TILES + path, Code.UNKNOWN_TILE);
    }

    /** A URL library resolves these paths before it sends them; the server must too. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "../../../../health/live",
                "..%2F..%2Fcheckpoint",
                "0/../../checkpoint",
                "0//000",
                "0/./000",
                "0/000;x=1",
                "0/000%00",
                "",
            })
    void pathsThatResolveToOthersReachNoTile(String path) throws Exception {
        publish(new LogOf(PARTITION, notes).others(300));

        HttpResponse<String> response = client.send(
                HttpRequest.newBuilder(URI.create(server().uri() + TILES + path))
                        .header("Authorization", "Bearer reader")
                        .build(),
                HttpResponse.BodyHandlers.ofString());

        assertThat(response.statusCode()).as(response.body()).isIn(400, 404);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0%2F000", "0/000/", "%30/000", "0/001%2ep%2f44", "0/%30%30%31.p/44"})
    void anotherSpellingOfAPathIsNoTile(String path) {
        publish(new LogOf(PARTITION, notes).others(300));

        problem(TILES + path, Code.UNKNOWN_TILE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0%d", "%%3%d", "00%d"})
    void anotherSpellingOfAPartitionIsNoLog(String spelling) {
        publish(new LogOf(PARTITION, notes).others(300));
        assertThat(get("/v1/log/" + PARTITION + "/checkpoint").statusCode()).isEqualTo(200);

        problem("/v1/log/" + spelling.formatted(PARTITION) + "/checkpoint", Code.UNKNOWN_LOG);
    }

    @ParameterizedTest
    @CsvSource({
        "4, UNKNOWN_LOG",
        "2147483647, UNKNOWN_LOG",
        "-1, INVALID_PARAMETER",
        "2147483648, INVALID_PARAMETER",
        "99999999999999999999999999, INVALID_PARAMETER",
        "3x, INVALID_PARAMETER",
        "%20, INVALID_PARAMETER"
    })
    void otherPartitionsHaveNoLog(String partition, Code code) {
        publish(new LogOf(PARTITION, notes).others(300));
        views.heads.add(notes.statement(4, Collections.emptySortedMap(), Samples.NOON));

        problem("/v1/log/" + partition + "/checkpoint", code);
        problem("/v1/log/" + partition + "/tile/0/000", code);
    }

    /** Heads and tiles are in different topics. */
    @Test
    void aTileThatTheViewsDoNotHaveYetIsUnavailable() {
        LogOf log = new LogOf(PARTITION, notes).others(300);
        AuditRecord record = log.append(Samples.slip("7", 0));
        conversation(record);
        publish(log);
        views.tiles.removeIf(tile -> tile.getLevel() == 0 && tile.getIndex() == 1);

        problem(TILES + "0/001.p/45", Code.VIEWS_UNAVAILABLE);
        problem(PROOF, Code.VIEWS_UNAVAILABLE);
    }

    @Test
    void theStatementAndAllHeadsAreListedByPartition() {
        AuditHead statement = notes.statement(12, Collections.emptySortedMap(), Samples.NOON);
        views.heads.add(statement);
        for (int partition = 11; partition >= 0; partition--) {
            views.heads.add(new LogOf(partition, notes).others(partition).head());
        }

        JsonNode log = json("/v1/log");

        assertThat(log.at("/statement/partitions").asInt()).isEqualTo(12);
        assertThat(log.at("/statement/note").asText()).isEqualTo(statement.getNote());
        assertThat(log.path("heads"))
                .extracting(head -> head.path("partition").asInt())
                .containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
        assertThat(log.at("/heads/7/size").asInt()).isEqualTo(7);
        assertThat(log.at("/heads/7/origin").asText()).isEqualTo("parley/audit/7");
        assertThat(signer.verifierKey().toString())
                .startsWith(log.at("/heads/7/keys/0").asText());
    }

    @Test
    void withoutHeadsTheListIsEmpty() {
        assertThat(json("/v1/log")).hasToString("{\"statement\":null,\"heads\":[]}");
    }

    /** Adds the conversation of one record. */
    private AuditRecord conversation(AuditRecord record) {
        views.conversations.add(Samples.conversation("default", Protocol.SLIP, "7", 1));
        views.messages.add(record);
        return record;
    }

    /** Makes the tiles and the head of a log visible. */
    private void publish(LogOf log) {
        log.tiles().forEach(tile -> {
            views.tiles.removeIf(before -> before.getPartition() == tile.getPartition()
                    && before.getLevel() == tile.getLevel()
                    && before.getIndex() == tile.getIndex());
            views.tiles.add(tile);
        });
        views.heads.removeIf(head -> head.getPartition() == PARTITION);
        views.heads.add(log.head());
    }

    /** Root of the tree over the hashes of a tile. */
    private static byte[] root(byte[] tile) {
        Frontier tree = new Frontier();
        for (int i = 0; i < tile.length; i += MerkleHasher.BYTES) {
            tree.append(Arrays.copyOfRange(tile, i, i + MerkleHasher.BYTES));
        }
        return tree.root();
    }

    private byte[] tile(String path) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(server().uri() + TILES + path))
                .header("Authorization", "Bearer reader")
                .build();
        try {
            HttpResponse<byte[]> response = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
            assertThat(response.statusCode()).as(path).isEqualTo(200);
            return response.body();
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /** Reads a proof whose head is signed, and whose record is in the log. */
    private TlogProof proof(HttpResponse<String> response) throws IOException, TlogFormatException {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        TlogProof proof = TlogProof.parse(response.body().getBytes(StandardCharsets.UTF_8));
        assertThat(proof.note().verify(List.of(signer.verifierKey())).isSigned())
                .isTrue();
        ByteBuffer hash = new AuditChain().hash(extra(proof));
        assertThat(proof.includes(new MerkleHasher().leaf(ByteBuffers.of(hash))))
                .isTrue();
        return proof;
    }

    private static AuditRecord extra(TlogProof proof) throws IOException {
        return (AuditRecord) AvroJsonReader.read(
                new ObjectMapper().readTree(proof.extra().orElseThrow()), AuditRecord.getClassSchema());
    }
}
