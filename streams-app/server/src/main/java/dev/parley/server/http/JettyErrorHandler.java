package dev.parley.server.http;

import dev.parley.server.http.ProblemException.Code;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;

/** Responds with a problem to requests that Jetty rejects before any route, such as an invalid path. */
final class JettyErrorHandler extends ErrorHandler {

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        ProblemHandler.write(request, response, callback, problem(response.getStatus()));
        return true;
    }

    private static ProblemException problem(int status) {
        return switch (status) {
            case 414 ->
                ProblemException.of(Code.URI_TOO_LONG, "The request's line is longer than http.limits.header.bytes.");
            case 431 ->
                ProblemException.of(
                        Code.HEADERS_TOO_LARGE,
                        "The request's line and headers are larger than http.limits.header.bytes.");
            case 503 -> ProblemException.tooBusy();
            case 500 -> ProblemException.of(Code.INTERNAL, "The request could not be answered.");
            // Also 501 and 505: a transfer coding or a version of HTTP that is not supported.
            default ->
                ProblemException.of(
                        Code.INVALID_REQUEST, "The request is not valid HTTP/1.1, or its path is not valid.");
        };
    }
}
