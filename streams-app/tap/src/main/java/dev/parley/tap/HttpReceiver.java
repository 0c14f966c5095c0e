package dev.parley.tap;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URL;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * {@code POST /v1/wire} of Parley. A batch that is delivered again has the same idempotency key, so it enters once.
 */
final class HttpReceiver implements Receiver {
    private static final int CONNECT_MS = 5_000;
    private static final int READ_MS = 30_000;
    private static final int MAX_ANSWER_BYTES = 4 << 20;
    private static final int ACCEPTED = 202;
    private static final int MULTI_STATUS = 207;
    private static final int BAD_REQUEST = 400;
    private static final int FORBIDDEN = 403;
    private static final int SERVER_ERROR = 500;
    /** Token, role, address and rate. */
    private static final Set<Integer> TEMPORARY = Set.of(401, FORBIDDEN, 404, 429);

    private final URL url;
    private final Path token;
    private final JsonFactory json = JsonFactory.builder()
            .streamReadConstraints(
                    StreamReadConstraints.builder().maxNestingDepth(100).build())
            .build();

    /**
     * Creates it; it connects for each batch.
     *
     * @param url the address of {@code /v1/wire}
     * @param token file with the token; null without one
     */
    HttpReceiver(URL url, Path token) {
        this.url = url;
        this.token = token;
    }

    @Override
    public List<Captured> deliver(Batch named) throws IOException {
        List<Captured> batch = named.records();
        byte[] body = body(batch);
        HttpURLConnection connection = (HttpURLConnection) url.openConnection();
        connection.setConnectTimeout(CONNECT_MS);
        connection.setReadTimeout(READ_MS);
        // The token is for this address only.
        connection.setInstanceFollowRedirects(false);
        connection.setRequestMethod("POST");
        connection.setRequestProperty("Content-Type", "application/x-ndjson");
        connection.setRequestProperty("Idempotency-Key", named.name());
        if (token != null) {
            connection.setRequestProperty("Authorization", "Bearer " + token());
        }
        connection.setDoOutput(true);
        connection.setFixedLengthStreamingMode(body.length);
        connection.getOutputStream().write(body);
        int status = connection.getResponseCode();
        byte[] answer = answer(connection, status);
        if (status == ACCEPTED) {
            return List.of();
        }
        if (status == MULTI_STATUS) {
            return refused(batch, answer);
        }
        if (isTemporary(status)) {
            throw away(status, "");
        }
        return batch;
    }

    private IOException away(int status, String part) {
        return new IOException(url + " answered " + status + part
                + (status == FORBIDDEN ? "; the token needs the role recorder" : ""));
    }

    /** Whether the same request may succeed later: the operator can correct a token or an address meanwhile. */
    private static boolean isTemporary(int status) {
        return status < BAD_REQUEST || status >= SERVER_ERROR || TEMPORARY.contains(status);
    }

    /** Reads the file for each request, because tokens expire. */
    private String token() throws IOException {
        String text = Files.readString(token, UTF_8).strip();
        if (text.isEmpty() || text.chars().anyMatch(c -> c <= ' ' || c > '~')) {
            throw new IOException(token + " must have one token of printable ASCII");
        }
        return text;
    }

    private static byte[] answer(HttpURLConnection connection, int status) throws IOException {
        try (InputStream in = status >= BAD_REQUEST ? connection.getErrorStream() : connection.getInputStream()) {
            return in == null ? new byte[0] : in.readNBytes(MAX_ANSWER_BYTES);
        }
    }

    private byte[] body(List<Captured> batch) throws IOException {
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        for (Captured record : batch) {
            // The generator does not close the stream of a byte array with an effect.
            try (JsonGenerator line = json.createGenerator(lines)) {
                line.writeStartObject();
                line.writeStringField("key", record.session());
                line.writeNumberField("timestamp", record.time());
                line.writeObjectFieldStart("headers");
                for (Map.Entry<String, String> header : record.headers().entrySet()) {
                    line.writeStringField(header.getKey(), header.getValue());
                }
                line.writeEndObject();
                String text = text(record.value());
                if (text != null || record.value() == null) {
                    line.writeStringField("wire", text);
                } else {
                    line.writeFieldName("wireBase64");
                    line.writeBinary(record.value());
                }
                line.writeEndObject();
            }
            lines.write('\n');
        }
        return lines.toByteArray();
    }

    /** The bytes as text; null if they are not UTF-8, or have control characters, whose escapes are long. */
    private static String text(byte[] value) {
        if (value == null) {
            return null;
        }
        for (byte b : value) {
            if (b >= 0 && b < ' ' && b != '\t' && b != '\r' && b != '\n') {
                return null;
            }
        }
        try {
            return UTF_8.newDecoder().decode(ByteBuffer.wrap(value)).toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }

    /** The records that an answer with a status for each refuses; a temporary failure of one fails the batch. */
    private List<Captured> refused(List<Captured> batch, byte[] answer) throws IOException {
        List<Captured> refused = new ArrayList<>();
        try (JsonParser parser = json.createParser(new ByteArrayInputStream(answer))) {
            int depth = 0;
            int index = -1;
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
                // {"items":[{"index":0,"status":202,...},...],...}
                if (depth != 3 || token != JsonToken.FIELD_NAME) {
                    continue;
                }
                String name = parser.currentName();
                JsonToken value = parser.nextToken();
                depth += value.isStructStart() ? 1 : 0;
                if (name.equals("index")) {
                    index = parser.getIntValue();
                } else if (name.equals("status") && parser.getIntValue() != ACCEPTED) {
                    if (isTemporary(parser.getIntValue())) {
                        throw away(parser.getIntValue(), " for a record");
                    }
                    refused.add(batch.get(index));
                }
            }
        } catch (IndexOutOfBoundsException e) {
            throw new IOException(url + " answered with an index that no record has", e);
        }
        return refused;
    }

    @Override
    public void close() {
        // Connections are the JDK's.
    }
}
