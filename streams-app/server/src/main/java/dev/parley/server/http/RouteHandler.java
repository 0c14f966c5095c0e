package dev.parley.server.http;

import dev.parley.json.ApiJson;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.zip.GZIPOutputStream;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** The last handler of a request: files of the console, its sign-in, or {@link SecurityFilter} and then the route. */
public final class RouteHandler extends Handler.Abstract {

    /** Smaller bodies are not compressed. */
    private static final int MIN_COMPRESSED_BYTES = 1_500;

    private static final String ATTRIBUTE = RouteHandler.class.getName();

    private final RouteTable routes;
    private final Optional<ConsoleFiles> console;
    private final Optional<Sessions> sessions;
    private final SecurityFilter security;
    private final ResponseBudget.Memory memory;
    private final ProblemHandler problems;

    /**
     * @param console files that need no token; empty to serve none
     * @param sessions sign-in of the console; empty if there is none
     */
    public RouteHandler(
            List<Route> routes,
            Optional<ConsoleFiles> console,
            Optional<Sessions> sessions,
            SecurityFilter security,
            ResponseBudget.Memory memory,
            ProblemHandler problems) {
        this.routes = new RouteTable(routes);
        this.console = console;
        this.sessions = sessions;
        this.security = security;
        this.memory = memory;
        this.problems = problems;
    }

    @Override
    public boolean handle(Request jetty, Response response, Callback callback) {
        ApiRequest request = new ApiRequest(jetty, response);
        try {
            // A browser has no token yet when it loads the console.
            Optional<ConsoleFiles> files = console.filter(known -> known.serves(request));
            if (files.isPresent()) {
                security.admitPublic(request);
                answer(request, files.get().answer(request), callback);
                return true;
            }
            Optional<Sessions> signIn = sessions.filter(known -> known.serves(request));
            if (signIn.isPresent()) {
                security.admitPublic(request);
                answer(request, signIn.get().answer(request), callback);
                return true;
            }
            security.filter(request);
            memory.open(request);
            request.attribute(ATTRIBUTE, this);
            security.start(route(request), request).whenComplete((body, failure) -> {
                if (!Exchange.of(jetty).hasEnded()) {
                    complete(request, body, failure, callback);
                }
            });
        } catch (Exception e) {
            problems.answer(request, e, callback);
        }
        return true;
    }

    /**
     * Runs a route as part of a request, with the permissions of its caller and an entry in the access log.
     *
     * @param inner from {@link ApiRequest#inner}
     * @return the body of the response; fails only with a {@link ProblemException}
     */
    public static CompletableFuture<Object> call(Route route, ApiRequest inner) {
        RouteHandler handler = inner.attribute(ATTRIBUTE);
        CompletableFuture<?> answer;
        try {
            answer = handler.security.start(route, inner);
        } catch (Exception e) {
            answer = CompletableFuture.failedFuture(e);
        }
        return answer.handle((body, failure) -> {
            if (failure != null) {
                throw handler.problems.problem(failure, route.method().name(), route.path());
            }
            return body;
        });
    }

    /** Sends the response. If that throws, the request must end all the same, with its memory and its limits. */
    private void complete(ApiRequest request, Object body, Throwable failure, Callback callback) {
        try {
            if (failure == null) {
                answer(request, body, callback);
            } else {
                problems.answer(request, failure, callback);
            }
        } catch (RuntimeException | Error e) {
            callback.failed(e);
            throw e;
        }
    }

    private Route route(ApiRequest request) {
        List<RouteTable.Match> matches = routes.matches(request.path());
        // Jetty sends the headers of the response to a HEAD alone.
        String method = HttpMethod.HEAD.is(request.method()) ? "GET" : request.method();
        for (RouteTable.Match match : matches) {
            if (match.route().method().is(method)) {
                request.pathParams(match.pathParams());
                return match.route();
            }
        }
        if (matches.isEmpty()) {
            throw problems.unknownPath(request);
        }
        throw ProblemHandler.methodNotAllowed(
                request, matches.get(0).route().method() == HttpMethod.POST ? "POST" : "GET, HEAD");
    }

    private void answer(ApiRequest request, Object body, Callback callback) {
        ResponseStream stream = Exchange.of(request).stream();
        if (stream != null) {
            stream.start(request.response(), callback);
            return;
        }
        byte[] bytes;
        try {
            bytes = bytes(request, body);
        } catch (RuntimeException e) {
            problems.answer(request, e, callback);
            return;
        }
        request.response().write(true, ByteBuffer.wrap(bytes), callback);
    }

    /** The body of the response to what a route returned. Sets its type. */
    private static byte[] bytes(ApiRequest request, Object body) {
        if (body == null) {
            return new byte[0];
        }
        if (body instanceof Route.Content content) {
            request.contentType(content.type());
            return content.type().equals(Route.Content.BINARY) ? content.bytes() : compressed(request, content.bytes());
        }
        byte[] json = ApiJson.bytes(body);
        request.contentType("application/json");
        return compressed(request, json);
    }

    /** Compresses large text for a client that accepts that. */
    private static byte[] compressed(ApiRequest request, byte[] text) {
        if (text.length < MIN_COMPRESSED_BYTES || !request.acceptsGzip()) {
            return text;
        }
        ByteArrayOutputStream compressed = new ByteArrayOutputStream(text.length / 4);
        try (GZIPOutputStream out = new GZIPOutputStream(compressed)) {
            out.write(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        request.addHeader("Vary", "Accept-Encoding");
        request.header("Content-Encoding", "gzip");
        return compressed.toByteArray();
    }
}
