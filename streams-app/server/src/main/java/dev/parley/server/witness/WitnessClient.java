package dev.parley.server.witness;

import dev.parley.codec.ControlCharacters;
import dev.parley.codec.Decimal;
import dev.parley.encoding.Sha256;
import dev.parley.log.LogNotes;
import dev.parley.log.tlog.ConsistencyProof;
import dev.parley.log.tlog.MerkleHasher;
import dev.parley.log.tlog.NoteSignature;
import dev.parley.log.tlog.SignedNote;
import dev.parley.log.tlog.TlogFormatException;
import dev.parley.log.tlog.TreeHead;
import dev.parley.log.tlog.Witness;
import dev.parley.server.client.LimitedBody;
import dev.parley.server.witness.WitnessSettings.Endpoint;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Calls witnesses over HTTP (C2SP tlog-witness), and verifies what they answer. A response is bounded in size and time,
 * and a redirect is an error: a witness must not make this instance call other addresses. Thread-safe.
 */
final class WitnessClient {
    /** Maximum bytes of a response: a note with 64 signatures of any type. */
    static final int RESPONSE_BYTES = 512 << 10;

    /** Maximum bytes of a head that is kept and logged; heads of Parley have no extension lines. */
    private static final int HEAD_BYTES = 16 << 10;

    /** Maximum bytes of a response in a message. */
    private static final int SHOWN = 200;

    private static final int OK = 200;
    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;

    private final HttpClient client;
    private final Duration timeout;

    /**
     * A head that a witness cosigned.
     *
     * @param note note with the cosignature; the signatures of the log are not verified
     * @param treeHead its text
     */
    record CosignedHead(SignedNote note, TreeHead treeHead) {}

    /** @param timeout maximum time for one response, including its body */
    WitnessClient(Duration timeout) {
        this.timeout = timeout;
        client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(timeout)
                .followRedirects(HttpClient.Redirect.NEVER)
                .build();
    }

    /**
     * Submits a head. An answer that the format does not allow is {@link Witness.Refused}; a cosignature is valid.
     *
     * @throws IOException if there is no response of at most {@link #RESPONSE_BYTES} in time
     */
    Witness.Answer addCheckpoint(Endpoint witness, ConsistencyProof proof, SignedNote head)
            throws IOException, InterruptedException {
        HttpResponse<byte[]> response = send(HttpRequest.newBuilder(URI.create(witness.url() + "/add-checkpoint"))
                .POST(BodyPublishers.ofByteArray(Witness.request(proof, head)))
                .build());
        return switch (response.statusCode()) {
            case OK -> cosignature(witness, head, response.body());
            case CONFLICT -> size(response);
            default -> new Witness.Refused(response.statusCode(), text(response));
        };
    }

    /** The cosignature in a response, whose other lines are ignored. */
    private static Witness.Answer cosignature(Endpoint witness, SignedNote head, byte[] body) {
        try {
            Optional<NoteSignature> valid = NoteSignature.parse(body).stream()
                    .filter(signature -> witness.key().verifies(head.text(), signature))
                    .findFirst();
            return valid.isPresent()
                    ? new Witness.Cosigned(valid.get())
                    : new Witness.Refused(
                            OK, "no line of the response is a valid cosignature of this head by " + witness.name());
        } catch (TlogFormatException e) {
            return new Witness.Refused(OK, "the response must have signature lines: " + e.getMessage());
        }
    }

    private static Witness.Answer size(HttpResponse<byte[]> response) {
        String body = new String(response.body(), StandardCharsets.UTF_8);
        long size = body.endsWith("\n")
                ? Decimal.parse(body.substring(0, body.length() - 1), MerkleHasher.MAX_SIZE)
                : Decimal.NONE;
        return size == Decimal.NONE
                ? new Witness.Refused(CONFLICT, "status 409 must have the size of a tree, but was " + text(response))
                : new Witness.Conflict(size);
    }

    /**
     * Fetches the last head of a log that a witness cosigned.
     *
     * @param origin identity of the log
     * @return empty if the witness answers that there is none
     * @throws IOException as for {@link #addCheckpoint}, or if the response is not such a head
     */
    Optional<CosignedHead> last(Endpoint witness, String origin) throws IOException, InterruptedException {
        String hash = HexFormat.of().formatHex(Sha256.of(origin.getBytes(StandardCharsets.UTF_8)));
        HttpResponse<byte[]> response =
                send(HttpRequest.newBuilder(URI.create(witness.url() + "/" + hash + "/checkpoint"))
                        .build());
        if (response.statusCode() == NOT_FOUND) {
            return Optional.empty();
        }
        if (response.statusCode() == OK && response.body().length <= HEAD_BYTES) {
            try {
                SignedNote note = SignedNote.parse(response.body());
                TreeHead treeHead = TreeHead.parse(note);
                if (treeHead.origin().equals(origin)
                        && LogNotes.timeOf(treeHead) >= 0
                        && !note.verify(List.of(witness.key())).valid().isEmpty()) {
                    return Optional.of(new CosignedHead(note, treeHead));
                }
            } catch (TlogFormatException e) {
                throw new IOException("the response is not a head: " + e.getMessage(), e);
            }
        }
        throw new IOException(
                "the response must be a head of " + origin + " that this key cosigned, but was " + text(response));
    }

    private static String text(HttpResponse<byte[]> response) {
        String body = new String(response.body(), 0, Math.min(SHOWN, response.body().length), StandardCharsets.UTF_8);
        return "status " + response.statusCode() + " " + ControlCharacters.escape(body.strip());
    }

    /** Applies the timeout to the whole response; {@link HttpClient} applies it only until the headers. */
    private HttpResponse<byte[]> send(HttpRequest request) throws IOException, InterruptedException {
        CompletableFuture<HttpResponse<byte[]>> sent = client.sendAsync(request, LimitedBody.of(RESPONSE_BYTES));
        try {
            return sent.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new IOException(
                    e.getCause().getClass().getSimpleName() + ": "
                            + e.getCause().getMessage(),
                    e);
        } catch (TimeoutException e) {
            throw new IOException("no complete response within " + timeout.toMillis() + " ms", e);
        } finally {
            sent.cancel(true);
        }
    }
}
