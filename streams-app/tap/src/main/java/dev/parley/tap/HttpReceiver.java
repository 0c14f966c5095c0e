package dev.parley.tap;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URL;
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
    private static final int TOO_LARGE = 413;
    /** Answers about the records. The operator can correct what causes the others, such as a token or an address. */
    private static final Set<Integer> REFUSALS = Set.of(BAD_REQUEST, 409, TOO_LARGE, 422);
    /** Objects and arrays around the members of an item of the answer. */
    private static final int DEPTH = 3;

    private static final JsonFactory JSON = new JsonFactoryBuilder()
            .rootValueSeparator("\n")
            .streamReadConstraints(
                    StreamReadConstraints.builder().maxNestingDepth(100).build())
            .build();

    private final URL url;
    private final Path token;

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
        if (status == TOO_LARGE && batch.size() > 1) {
            // A proxy may allow less than Parley.
            int half = batch.size() / 2;
            List<Captured> refused = new ArrayList<>(deliver(new Batch(named.name() + "a", batch.subList(0, half))));
            refused.addAll(deliver(new Batch(named.name() + "b", batch.subList(half, batch.size()))));
            return refused;
        }
        if (!REFUSALS.contains(status)) {
            throw away(status, "");
        }
        return batch;
    }

    private IOException away(int status, String part) {
        return new IOException(url + " answered " + status + part
                + (status == FORBIDDEN ? "; the token needs the role recorder" : ""));
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

    /** A line for each record, with its bytes in Base64: JSON as a string of JSON is hardly shorter. */
    private static byte[] body(List<Captured> batch) throws IOException {
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        try (JsonGenerator json = JSON.createGenerator(lines)) {
            for (Captured record : batch) {
                json.writeStartObject();
                json.writeStringField("key", record.session());
                json.writeNumberField("timestamp", record.time());
                json.writeObjectFieldStart("headers");
                for (Map.Entry<String, String> header : record.headers().entrySet()) {
                    json.writeStringField(header.getKey(), header.getValue());
                }
                json.writeEndObject();
                if (record.value() == null) {
                    json.writeNullField("wire");
                } else {
                    json.writeBinaryField("wireBase64", record.value());
                }
                json.writeEndObject();
            }
        }
        lines.write('\n');
        return lines.toByteArray();
    }

    /** The records that an answer with a status for each refuses; a temporary failure of one fails the batch. */
    private List<Captured> refused(List<Captured> batch, byte[] answer) throws IOException {
        int[] statuses = new int[batch.size()];
        try (JsonParser parser = JSON.createParser(answer)) {
            int index = -1;
            while (parser.nextToken() != null) {
                // {"items":[{"index":0,"status":202,...},...],...}
                if (parser.currentToken() != JsonToken.VALUE_NUMBER_INT
                        || parser.getParsingContext().getNestingDepth() != DEPTH) {
                    continue;
                }
                if ("index".equals(parser.currentName())) {
                    index = parser.getIntValue();
                } else if ("status".equals(parser.currentName())) {
                    statuses[index] = parser.getIntValue();
                }
            }
        } catch (IndexOutOfBoundsException e) {
            throw new IOException(url + " answered with an index that no record has", e);
        }
        List<Captured> refused = new ArrayList<>();
        for (int i = 0; i < statuses.length; i++) {
            if (REFUSALS.contains(statuses[i])) {
                refused.add(batch.get(i));
            } else if (statuses[i] != ACCEPTED) {
                throw away(statuses[i], " for a record");
            }
        }
        return refused;
    }
}
