package dev.parley.query;

import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;

/** Answers what the server refuses before any route sees it, such as a path that is not percent-encoded, like any other problem. */
final class UnreadableRequests extends ErrorHandler {

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        int status = response.getStatus();
        Problem problem = status >= 500
                ? Problem.of(Problem.Code.INTERNAL, "The request could not be answered.")
                : Problem.of(Problem.Code.INVALID_REQUEST, "The request is not valid HTTP, or its path is not valid.");
        response.setStatus(problem.code().status());
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/problem+json");
        String path = request.getHttpURI() == null || request.getHttpURI().getPath() == null
                ? "/"
                : request.getHttpURI().getPath();
        response.write(true, ByteBuffer.wrap(Json.bytes(QueryServer.body(problem, path))), callback);
        return true;
    }
}
