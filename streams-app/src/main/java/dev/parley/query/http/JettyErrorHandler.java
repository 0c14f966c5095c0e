package dev.parley.query.http;

import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;

/**
 * Answers what the server refuses before any route sees it, such as a path that is not percent-encoded, like any other
 * problem.
 */
final class JettyErrorHandler extends ErrorHandler {

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        ProblemException problem = problem(response.getStatus());
        response.setStatus(problem.code().status());
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/problem+json");
        problem.headers().forEach(response.getHeaders()::put);
        String path = request.getHttpURI() == null || request.getHttpURI().getPath() == null
                ? "/"
                : request.getHttpURI().getPath();
        response.write(true, ByteBuffer.wrap(Json.bytes(ProblemHandler.body(problem, path))), callback);
        return true;
    }

    private static ProblemException problem(int status) {
        return switch (status) {
            case 414 ->
                ProblemException.of(
                        ProblemException.Code.URI_TOO_LONG,
                        "The request's line is longer than http.limits.header.bytes.");
            case 431 ->
                ProblemException.of(
                        ProblemException.Code.HEADERS_TOO_LARGE,
                        "The request's line and headers are larger than http.limits.header.bytes.");
            case 503 ->
                ProblemException.unavailable(
                        ProblemException.Code.TOO_BUSY,
                        "Too many requests at the same time (http.limits.requests), or Parley stops.");
            default ->
                status >= 500
                        ? ProblemException.of(ProblemException.Code.INTERNAL, "The request could not be answered.")
                        : ProblemException.of(
                                ProblemException.Code.INVALID_REQUEST,
                                "The request is not valid HTTP, or its path is not valid.");
        };
    }
}
