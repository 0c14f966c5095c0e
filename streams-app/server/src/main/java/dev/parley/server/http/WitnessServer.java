package dev.parley.server.http;

import dev.parley.log.tlog.SignedNote;
import dev.parley.log.tlog.Witness;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Serves a {@link Witness} over plain HTTP (C2SP tlog-witness, "HTTP Interface"), without tokens. */
public final class WitnessServer extends Handler.Abstract {
    /** Maximum bytes of a request's body; a tree head and its proof need at most about 8 KiB. */
    static final int BODY_BYTES = 64 << 10;

    private static final Logger LOG = LoggerFactory.getLogger(WitnessServer.class);
    private static final String ADD_CHECKPOINT = "/add-checkpoint";
    private static final String CHECKPOINT = "/checkpoint";
    private static final String TEXT = "text/plain; charset=utf-8";
    private static final int THREADS = 12;
    private static final HttpSecurity.Connections CONNECTIONS =
            new HttpSecurity.Connections(256, 64, 5_000, 5_000, 5_000, 120_000, 4 << 10);

    private final ConnectionGuard guard;
    private final HostNames hosts;
    private final Witness witness;
    private final AtomicBoolean failed = new AtomicBoolean();

    private WitnessServer(ConnectionGuard guard, HostNames hosts, Witness witness) {
        this.guard = guard;
        this.hosts = hosts;
        this.witness = witness;
    }

    /**
     * Starts listening on a bound address, which the listener releases when it stops.
     *
     * @param hosts host names by which clients may address the witness
     */
    public static HttpListener start(BoundAddress boundAddress, HostNames hosts, Witness witness) {
        return HttpListener.plain(
                "witness", boundAddress, THREADS, CONNECTIONS, guard -> new WitnessServer(guard, hosts, witness));
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        Exchange exchange = Exchange.start(request, guard);
        ExchangeResponse guarded = new ExchangeResponse(request, response, callback, exchange);
        String path = Request.getPathInContext(request);
        if (!hosts.allow(request)) {
            refuse(
                    guarded,
                    HttpStatus.MISDIRECTED_REQUEST_421,
                    "this witness has another name; use its IP address, or start it with --host-name");
        } else if (HttpMethod.POST.is(request.getMethod()) && path.equals(ADD_CHECKPOINT)) {
            if (request.getLength() > BODY_BYTES) {
                tooLarge(guarded);
            } else {
                BodyReader.read(
                        request,
                        guarded,
                        BODY_BYTES,
                        body -> body.ifPresentOrElse(read -> add(read, guarded), () -> tooLarge(guarded)));
            }
        } else if (HttpMethod.GET.is(request.getMethod())
                && !ExchangeHandler.hasBody(request)
                && path.endsWith(CHECKPOINT)
                && path.length() > CHECKPOINT.length()) {
            show(path.substring(1, path.length() - CHECKPOINT.length()), guarded);
        } else {
            refuse(
                    guarded,
                    HttpStatus.NOT_FOUND_404,
                    "a witness serves POST " + ADD_CHECKPOINT + " and GET /ORIGIN_HASH" + CHECKPOINT);
        }
        return true;
    }

    private void add(byte[] body, ExchangeResponse response) {
        Witness.Answer answer;
        try {
            answer = witness.addCheckpoint(body);
        } catch (IOException e) {
            unavailable(response, e);
            return;
        }
        if (answer instanceof Witness.Cosigned cosigned) {
            write(response, HttpStatus.OK_200, TEXT, cosigned.signature().line());
        } else if (answer instanceof Witness.Conflict conflict) {
            write(response, HttpStatus.CONFLICT_409, "text/x.tlog.size", conflict.size() + "\n");
        } else if (answer instanceof Witness.Refused refused) {
            refuse(response, refused.status(), refused.detail());
        }
    }

    private void show(String originHash, ExchangeResponse response) {
        Optional<SignedNote> note;
        try {
            note = witness.treeHead(originHash);
        } catch (IOException e) {
            unavailable(response, e);
            return;
        }
        note.ifPresentOrElse(
                found -> write(response, HttpStatus.OK_200, TEXT, found.toString()),
                () -> refuse(response, HttpStatus.NOT_FOUND_404, "no tree head of that origin was cosigned"));
    }

    /** Logs the first failure only: clients decide how often they send requests. */
    private void unavailable(ExchangeResponse response, IOException failure) {
        if (failed.compareAndSet(false, true)) {
            LOG.error("Cannot use the state of the witness; affected logs are not cosigned", failure);
        }
        refuse(response, HttpStatus.INTERNAL_SERVER_ERROR_500, "the state of the witness cannot be used");
    }

    private static void tooLarge(ExchangeResponse response) {
        response.getHeaders().put(HttpHeader.CONNECTION, "close");
        refuse(response, HttpStatus.PAYLOAD_TOO_LARGE_413, "the body must have at most " + BODY_BYTES + " bytes");
    }

    private static void refuse(ExchangeResponse response, int status, String detail) {
        write(response, status, TEXT, detail + "\n");
    }

    private static void write(ExchangeResponse response, int status, String type, String body) {
        response.setStatus(status);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, type);
        response.write(true, ByteBuffer.wrap(body.getBytes(StandardCharsets.UTF_8)), response.completion());
    }
}
