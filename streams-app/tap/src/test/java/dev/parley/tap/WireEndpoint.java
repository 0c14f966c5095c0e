package dev.parley.tap;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;

/** {@code POST /v1/wire} of Parley for tests: takes each idempotency key once. */
final class WireEndpoint implements AutoCloseable {
    private final HttpServer server;
    private final Set<String> keys = new HashSet<>();
    final List<Captured> records = new CopyOnWriteArrayList<>();
    final List<String> tokens = new CopyOnWriteArrayList<>();
    volatile int status = 202;
    /** Answers instead of the one to a batch that was taken; null for none. */
    volatile String answer;

    WireEndpoint() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/v1/wire", this::take);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private void take(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        tokens.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
        int code = status;
        if (code == 202 || code == 207) {
            synchronized (this) {
                if (keys.add(exchange.getRequestHeaders().getFirst("Idempotency-Key"))) {
                    records.addAll(read(body));
                }
            }
        }
        byte[] text = (answer == null ? "{}" : answer).getBytes();
        exchange.sendResponseHeaders(code, text.length);
        exchange.getResponseBody().write(text);
        exchange.close();
    }

    private static List<Captured> read(byte[] body) throws IOException {
        List<Captured> read = new ArrayList<>();
        try (JsonParser parser = new JsonFactory().createParser(body)) {
            while (parser.nextToken() == JsonToken.START_OBJECT) {
                Map<String, String> headers = new LinkedHashMap<>();
                String key = null;
                byte[] value = null;
                long time = 0;
                while (parser.nextToken() == JsonToken.FIELD_NAME) {
                    String name = parser.currentName();
                    JsonToken token = parser.nextToken();
                    switch (name) {
                        case "key" -> key = parser.getText();
                        case "timestamp" -> time = parser.getLongValue();
                        case "wire" -> value = token == JsonToken.VALUE_NULL ? null : Captured.utf8(parser.getText());
                        case "wireBase64" -> value = parser.getBinaryValue();
                        default -> {
                            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                                headers.put(parser.currentName(), parser.nextTextValue());
                            }
                        }
                    }
                }
                read.add(new Captured(key, value, headers, time, null));
            }
        }
        return read;
    }

    /** Values of the records of a direction that have one. */
    List<byte[]> values(Direction direction) {
        return records.stream()
                .filter(record -> record.value() != null)
                .filter(record -> record.headers().get("parley-direction").equals(direction.toString()))
                .map(Captured::value)
                .toList();
    }

    /** The marks of all records; empty without one. */
    List<String> marks() {
        return records.stream()
                .map(record -> record.headers().getOrDefault("parley-capture", ""))
                .toList();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
