package dev.parley.server.http;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.UrlEncoded;

/** A request to a route, and its response, which is sent when the route has answered. */
public final class ApiRequest {

    private final Request request;
    private final Response response;
    private Map<String, String> pathParams = Map.of();
    /** Null until they are decoded. */
    private Map<String, List<String>> queryParams;
    /** Null for the target of the HTTP request. */
    private String innerTarget;

    ApiRequest(Request request, Response response) {
        this.request = request;
        this.response = response;
    }

    /**
     * A request of the same caller to another route, as part of this one.
     *
     * @param target path and query, for the access log
     */
    public ApiRequest inner(String target, Map<String, String> path, Map<String, String> query) {
        ApiRequest inner = new ApiRequest(request, response);
        inner.innerTarget = target;
        inner.pathParams = path;
        inner.queryParams = new LinkedHashMap<>();
        query.forEach((name, value) -> inner.queryParams.put(name, List.of(value)));
        return inner;
    }

    Request jetty() {
        return request;
    }

    Response response() {
        return response;
    }

    /** The method, in upper case for those that routes have. */
    public String method() {
        return request.getMethod();
    }

    /** The path as sent, without the prefix of a reverse proxy. */
    public String path() {
        String path = request.getHttpURI().getPath();
        // A CONNECT has none.
        return path == null ? "" : path;
    }

    /** Path and query as sent. */
    String target() {
        if (innerTarget != null) {
            return innerTarget;
        }
        String target = request.getHttpURI().getPathQuery();
        // A CONNECT has none.
        return target == null ? "" : target;
    }

    void pathParams(Map<String, String> values) {
        pathParams = values;
    }

    /** The decoded parameters in the path, by name. */
    public Map<String, String> pathParams() {
        return pathParams;
    }

    /** A decoded parameter in the path, which the route has. */
    public String pathParam(String name) {
        return pathParams.get(name);
    }

    /** The decoded parameters of the query with their values, in the order of the query. */
    public Map<String, List<String>> queryParams() {
        String query = request.getHttpURI().getQuery();
        if (queryParams == null) {
            queryParams = new LinkedHashMap<>();
            if (query != null) {
                UrlEncoded.decodeUtf8To(
                        query,
                        0,
                        query.length(),
                        (name, value) -> queryParams
                                .computeIfAbsent(name, added -> new ArrayList<>())
                                .add(value));
            }
        }
        return queryParams;
    }

    /** The values of a parameter of the query. */
    public List<String> queryParams(String name) {
        return queryParams().getOrDefault(name, List.of());
    }

    /** The first value of a header; null if it is missing. */
    public String header(String name) {
        return request.getHeaders().get(name);
    }

    /** The values of a header. */
    public List<String> headers(String name) {
        return request.getHeaders().getValuesList(name);
    }

    /** The names of the headers, each once. */
    public Iterable<String> headerNames() {
        return request.getHeaders().getFieldNamesCollection();
    }

    /** Address of the client, or of a proxy. */
    String ip() {
        return Request.getRemoteAddr(request);
    }

    /** An attribute of the request; null if it is missing. */
    @SuppressWarnings("unchecked") // Each name has values of one type.
    <T> T attribute(String name) {
        return (T) request.getAttribute(name);
    }

    void attribute(String name, Object value) {
        request.setAttribute(name, value);
    }

    /** Sets a header of the response. */
    public ApiRequest header(String name, String value) {
        response.getHeaders().put(name, value);
        return this;
    }

    /** Adds a value of a header of the response. */
    void addHeader(String name, String value) {
        response.getHeaders().add(name, value);
    }

    /** Whether the client accepts a compressed response. */
    boolean acceptsGzip() {
        return request.getHeaders().getQualityCSV(HttpHeader.ACCEPT_ENCODING).contains("gzip");
    }

    /** Sets the status of the response. */
    public ApiRequest status(int status) {
        response.setStatus(status);
        return this;
    }

    /** Sets the media type of the response. */
    public ApiRequest contentType(String type) {
        return header(HttpHeader.CONTENT_TYPE.asString(), type);
    }
}
