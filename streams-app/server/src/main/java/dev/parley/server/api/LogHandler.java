package dev.parley.server.api;

import dev.parley.avro.AuditHead;
import dev.parley.avro.AuditRecord;
import dev.parley.json.model.AuditLogs;
import dev.parley.json.model.AuditLogs.PublishedHead;
import dev.parley.json.model.AuditLogs.Statement;
import dev.parley.log.LogNotes;
import dev.parley.log.tlog.InclusionProof;
import dev.parley.log.tlog.MerkleHasher;
import dev.parley.log.tlog.SignedNote;
import dev.parley.log.tlog.Tile;
import dev.parley.log.tlog.TlogFormatException;
import dev.parley.log.tlog.TlogProof;
import dev.parley.log.tlog.TreeHead;
import dev.parley.log.verify.ProofRecord;
import dev.parley.server.api.view.KeyedItems;
import dev.parley.server.api.view.Parameters;
import dev.parley.server.api.view.Paths;
import dev.parley.server.api.view.ViewApi;
import dev.parley.server.api.view.ViewRequest;
import dev.parley.server.api.view.ViewRoute;
import dev.parley.server.feature.CosignedHeads;
import dev.parley.server.http.ApiRequest;
import dev.parley.server.http.ProblemException.Code;
import dev.parley.server.http.ResponseBudget;
import dev.parley.server.http.Route;
import dev.parley.topology.views.LogView;
import dev.parley.topology.views.Views;
import dev.parley.topology.views.store.ViewStores;
import dev.parley.topology.views.store.ViewsUnavailableException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import org.apache.kafka.common.utils.Bytes;

/**
 * Answers requests about the audit log (docs/audit.md): heads, tiles in the form of C2SP tlog-tiles, and proofs of
 * messages in the form of C2SP tlog-proof. The log of a partition may be on another instance than a conversation.
 */
final class LogHandler {

    static final String LOG = "/v1/log";
    static final String CHECKPOINT = LOG + "/{partition}/checkpoint";
    static final String TILE = LOG + "/{partition}/tile/{path}";

    private static final String PARTITION = "partition";
    private static final String PATH = "path";
    private static final String INDEX = "index";

    private static final String TEXT = "text/plain;charset=utf-8";
    private static final String CACHE_CONTROL = "Cache-Control";

    /**
     * A tile never changes. Without "public", a shared cache does not store the response to a request with a token.
     */
    private static final String FOREVER = "max-age=31536000, immutable";

    private static final String SHORT = "max-age=5";

    private final ViewApi api;
    private final Optional<CosignedHeads> cosigned;
    private final ViewRoute<AuditHead> notes;
    private final ViewRoute<AuditHead> head;
    private final ViewRoute<Hashes> tile;
    private final ViewRoute<Proof> proof;
    private final ViewRoute<AuditRecord> evidence;

    LogHandler(ViewApi api, Optional<CosignedHeads> cosigned) {
        this.api = api;
        this.cosigned = cosigned;
        notes = api.add(ViewRoute.list("log", AuditHead.class, ViewStores.LOG, LogHandler::notes));
        head = add("log/checkpoint", AuditHead.class, this::head);
        tile = add("log/tile", Hashes.class, LogHandler::tile);
        proof = add("log/proof", Proof.class, this::proof);
        evidence = api.add(ViewRoute.of(
                "conversation/evidence", AuditRecord.class, ViewRoute::conversation, ConversationHandler::evidence));
    }

    private <R> ViewRoute<R> add(String operation, Class<R> result, BiFunction<ViewRequest, Views, R> handler) {
        return api.add(ViewRoute.of(operation, result, request -> ViewRoute.log(partition(request)), handler));
    }

    /**
     * Hashes of a tile.
     *
     * @param bytes 32 bytes for each
     */
    record Hashes(Bytes bytes) {}

    /**
     * An inclusion proof.
     *
     * @param hashes siblings of the path from the leaf upward
     * @param note the signed head
     */
    record Proof(List<Bytes> hashes, String note) {}

    /** The last heads of the logs of an instance, and the statement. */
    private static KeyedItems notes(ViewRequest request, Views views) {
        KeyedItems items = new KeyedItems(request.budget());
        NavigableMap<Bytes, AuditHead> notes = new TreeMap<>();
        views.log().heads().forEach(note -> notes.put(LogView.headKey(note.getPartition()), note));
        for (Map.Entry<Bytes, AuditHead> note : request.after()
                .map(after -> notes.tailMap(after, false))
                .orElse(notes)
                .entrySet()) {
            if (items.size() == request.limit() || !items.add(note.getKey(), note.getValue())) {
                return items.endAt(items.lastKey());
            }
        }
        return items.endAt(Optional.empty());
    }

    private static int partition(ViewRequest request) {
        return (int) Parameters.number(PARTITION, request.pathParam(PARTITION), 0, Integer.MAX_VALUE);
    }

    private static AuditHead find(ViewRequest request, Views views) {
        int partition = partition(request);
        return views.log()
                .head(partition)
                .orElseThrow(() -> Code.UNKNOWN_LOG.problem(
                        "The audit log has no partition " + partition + ", or its head is not published yet."));
    }

    private static AuditHead signed(AuditHead head) {
        if (LogNotes.signersOf(head).isEmpty()) {
            throw Code.LOG_NOT_SIGNED.problem("The last head of " + head.getOrigin()
                    + " has no signature, so it proves nothing to others. Set audit.heads.key.files.");
        }
        return head;
    }

    private AuditHead head(ViewRequest request, Views views) {
        AuditHead last = signed(find(request, views));
        return request.budget()
                .addAnswer(cosigned(last)
                        .orElseThrow(() -> Code.PROOF_PENDING.problem(
                                "No head of " + last.getOrigin() + " has the cosignatures of "
                                        + cosigned.orElseThrow().quorum() + " witnesses yet.")));
    }

    /** The last head with the quorum; if none is required, the last head, with its cosignatures if it has some. */
    private Optional<AuditHead> cosigned(AuditHead last) {
        Optional<AuditHead> found = cosigned.flatMap(heads -> heads.head(last.getPartition()));
        return cosigned.isPresent() && cosigned.get().quorum() > 0
                ? found
                : found.filter(head -> head.getSize() >= last.getSize()).or(() -> Optional.of(last));
    }

    private static Hashes tile(ViewRequest request, Views views) {
        String path = "tile/" + request.pathParam(PATH);
        AuditHead head = find(request, views);
        Tile tile = Tile.parse(path)
                .filter(found -> found.isIn(head.getSize()))
                .orElseThrow(() -> Code.UNKNOWN_TILE.problem(
                        "The log of partition " + head.getPartition() + " with " + head.getSize()
                                + " records has no such tile. Paths are those of C2SP tlog-tiles; there are no entry"
                                + " bundles."));
        return request.budget().addAnswer(new Hashes(Bytes.wrap(views.log().hashes(head.getPartition(), tile))));
    }

    private Proof proof(ViewRequest request, Views views) {
        long index = Parameters.number(INDEX, request.pathParam(INDEX), 0, MerkleHasher.MAX_SIZE);
        int partition = partition(request);
        AuditHead head = views.log()
                .head(partition)
                .flatMap(this::cosigned)
                .filter(found -> found.getSize() > index)
                .orElseThrow(() -> Code.PROOF_PENDING.problem(
                        "No published head of the log of partition " + partition + " contains record " + index
                                + " yet. Heads are published every audit.heads.interval.ms"
                                + (cosigned.isPresent() ? ", and then cosigned by witnesses." : ".")));
        String note = signed(head).getNote();
        try {
            InclusionProof path =
                    InclusionProof.of(index, head.getSize(), tile -> views.log().hashes(partition, tile));
            return request.budget()
                    .addAnswer(new Proof(path.hashes().stream().map(Bytes::wrap).toList(), note));
        } catch (IOException e) {
            throw new ViewsUnavailableException("The tiles of the log do not form a tree: " + e.getMessage(), e);
        }
    }

    CompletableFuture<AuditLogs> log(ApiRequest request) {
        Parameters.of(request);
        return published(request).thenApply(all -> {
            Statement statement = null;
            List<PublishedHead> heads = new ArrayList<>();
            for (AuditHead head : all) {
                List<String> signers = LogNotes.signersOf(head);
                String origin = head.getOrigin();
                int partition = head.getPartition();
                if (partition >= 0) {
                    heads.add(new PublishedHead(
                            origin, partition, head.getSize(), head.getTime(), signers, head.getNote()));
                } else if (statement == null) {
                    statement = new Statement(origin, head.getSize(), head.getTime(), signers, head.getNote());
                }
            }
            heads.sort(Comparator.comparingInt(PublishedHead::partition));
            return ResponseBudget.of(request).addAnswer(new AuditLogs(statement, heads));
        });
    }

    /** The last heads of all logs, and the statement, of all instances. */
    CompletableFuture<List<AuditHead>> published(ApiRequest request) {
        return published(request, Optional.empty(), new ArrayList<>());
    }

    private CompletableFuture<List<AuditHead>> published(
            ApiRequest request, Optional<Bytes> after, List<AuditHead> found) {
        return api.items(request, notes, Map.of(), after).thenCompose(page -> {
            found.addAll(page.results());
            return page.end().isEmpty()
                    ? CompletableFuture.completedFuture(found)
                    : published(request, page.end(), found);
        });
    }

    /** Refuses other spellings of a path: each resource of a log has one, which caches keep. */
    private static void requireCanonical(ApiRequest request, String file, Code code) {
        long partition = Parameters.number(PARTITION, request.pathParam(PARTITION), 0, Integer.MAX_VALUE);
        if (!request.path().equals(LOG + '/' + partition + file)) {
            throw code.problem(
                    "The path of a log must have no percent-encoding, no leading zeros of the partition, and no slash"
                            + " at its end.");
        }
    }

    CompletableFuture<Route.Content> checkpoint(ApiRequest request) {
        Parameters.of(request);
        requireCanonical(request, "/checkpoint", Code.UNKNOWN_LOG);
        return api.read(request, head, request.pathParams()).thenApply(found -> {
            request.header(CACHE_CONTROL, SHORT);
            return new Route.Content(TEXT, found.getNote().getBytes(StandardCharsets.UTF_8));
        });
    }

    CompletableFuture<Route.Content> tile(ApiRequest request) {
        Parameters.of(request);
        requireCanonical(request, "/tile/" + request.pathParam(PATH), Code.UNKNOWN_TILE);
        return api.read(request, tile, request.pathParams()).thenApply(found -> {
            request.header(CACHE_CONTROL, FOREVER);
            return new Route.Content(Route.Content.BINARY, found.bytes().get());
        });
    }

    /** Proves a message: its record comes from the owner of the conversation, the path from the owner of the log. */
    CompletableFuture<Route.Content> prove(ApiRequest request) {
        Parameters.of(request, ConversationHandler.METADATA);
        return api.read(request, evidence, Paths.names(request.pathParams()), Parameters.values(request))
                .thenCompose(record -> {
                    String partition = Integer.toString(record.getLog().getPartition());
                    String index = Long.toString(record.getLog().getIndex());
                    return api.read(request, proof, Map.of(PARTITION, partition, INDEX, index))
                            .thenApply(path -> content(request, record, path));
                });
    }

    private static Route.Content content(ApiRequest request, AuditRecord record, Proof path) {
        byte[] extra = ProofRecord.of(record);
        if (extra.length > ProofRecord.MAX_BYTES) {
            throw Code.ANSWER_TOO_LARGE.problem("A proof has at most " + SignedNote.MAX_BYTES
                    + " bytes, and this record is larger. Add metadata=true for a proof without its content.");
        }
        ResponseBudget.of(request).reserve(ProofRecord.proofBytes(extra.length));
        try {
            SignedNote note = SignedNote.parse(path.note().getBytes(StandardCharsets.UTF_8));
            TlogProof text = new TlogProof(
                    Optional.of(extra),
                    record.getLog().getIndex(),
                    path.hashes().stream().map(Bytes::get).toList(),
                    note,
                    TreeHead.parse(note));
            return new Route.Content(TEXT, text.toBytes());
        } catch (TlogFormatException e) {
            throw new ViewsUnavailableException("The head of the log is malformed: " + e.getMessage(), e);
        }
    }
}
