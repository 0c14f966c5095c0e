package dev.parley.tap;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.parley.codec.json.MaskRules;
import dev.parley.codec.jsonrpc.CaptureHeaders;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringTokenizer;
import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Replaces values by markers before records leave the process (docs/capture.md). A marker has a keyed hash, so equal
 * values have equal markers. The header {@value CaptureHeaders#ORIGINAL} commits to the bytes of the original.
 */
final class Masking implements Receiver {
    /** Names the default rules, in place of a file. */
    static final String DEFAULT = "default";

    private static final JsonFactory JSON = new JsonFactory();
    private static final String HMAC = "HmacSHA256";
    private static final int HASH_BYTES = 12;
    private static final int KEY_BYTES = 32;
    private static final int MIN_KEY_CHARACTERS = 32;
    /** Characters of a masked value that hides a name with it: shorter ones are in many names. */
    private static final int MIN_PART = 4;

    private static final String PARAMETER = "mcp-param-";
    private static final String ENCODED = "=?base64?";
    private static final String ENCODED_END = "?=";
    private static final Pattern INVALID_ESCAPE = Pattern.compile("%(?![0-9A-Fa-f]{2})");
    /** Headers of all records of a tap. */
    private static final Set<String> OF_ALL = Set.of("parley-protocol", "parley-namespace");

    private static final Set<String> NAMED = Set.of("tools/call", "prompts/get");

    /** What the rules of MCP read: forms, IDs, versions and names. A marker that an agent writes is masked itself. */
    private static final String ALWAYS =
            " keep:$.jsonrpc keep:$.id keep:$.method keep:$.params keep:$.result keep:$.error"
                    + " keep:$.error.code keep:$.params.name keep:$.params.protocolVersion keep:$.params.capabilities"
                    + " keep:$.params.requestId keep:$.params.progressToken keep:$.params.progress keep:$.params._meta"
                    + " keep:$.params._meta.progressToken keep:$.params._meta['io.modelcontextprotocol/protocolVersion']"
                    + " keep:$.params._meta['io.modelcontextprotocol/clientCapabilities'] keep:$.result.protocolVersion"
                    + " keep:$.result.capabilities keep:$.result.resultType keep:$.result.isError keep:$.result.tools[*].name"
                    + " keep:$.result.prompts[*].name pattern:\\[masked:";

    private final Receiver receiver;
    private final MaskRules rules;
    private final Mac mac;

    Masking(Receiver receiver, MaskRules rules, byte[] key) {
        this.receiver = receiver;
        this.rules = rules;
        this.mac = mac(key);
    }

    /** Adds masking to a receiver, if the options ask for it. */
    static Receiver.Opener of(TapOptions options, Receiver.Opener opener) throws UsageException, IOException {
        String mask = options.get("mask");
        if (mask == null) {
            return opener;
        }
        MaskRules rules = rules(mask);
        Path file = options.path("mask-key-file");
        byte[] key = key(Files.readString(file == null ? generated(options.state()) : file));
        return () -> new Masking(opener.open(), rules, key);
    }

    static MaskRules rules(String mask) throws UsageException {
        try {
            String text = mask.equals(DEFAULT) ? mask : Files.readString(Path.of(mask));
            if (MaskRules.parse(text).isEmpty()) {
                throw new UsageException("--mask " + mask + " has no rules");
            }
            return MaskRules.parse(text + ALWAYS);
        } catch (IllegalArgumentException e) {
            throw new UsageException("--mask " + mask + ": " + e.getMessage());
        } catch (IOException e) {
            throw new UsageException("--mask " + mask + " cannot be read: " + Console.reason(e));
        }
    }

    /** The file with the key of a directory, which its first user generates. */
    private static Path generated(Path directory) throws IOException {
        SessionFile.createDirectory(directory);
        Path path = directory.resolve("mask.key");
        Set<StandardOpenOption> options =
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        // Others wait until the key is complete.
        try (FileChannel channel = FileChannel.open(path, options, SessionFile.OWNER_FILE)) {
            channel.lock();
            if (channel.size() == 0) {
                channel.write(ByteBuffer.wrap(Captured.utf8(Tap.random(KEY_BYTES) + "\n")));
            }
        }
        return path;
    }

    private static byte[] key(String text) throws UsageException {
        if (text.strip().length() < MIN_KEY_CHARACTERS) {
            throw new UsageException("the key of --mask must have at least " + MIN_KEY_CHARACTERS
                    + " characters, such as those of openssl rand -hex 32");
        }
        return Captured.utf8(text.strip());
    }

    @Override
    public List<Captured> deliver(Batch batch) throws IOException, InterruptedException {
        Map<Captured, Captured> originals = new IdentityHashMap<>();
        List<Captured> masked = new ArrayList<>();
        long grown = 0;
        for (Captured record : batch.records()) {
            Captured copy = masked(record);
            long growth = Math.max(0, copy.bytes() - record.bytes());
            if (copy.length() > Tap.MAX_MESSAGE_BYTES || grown + growth > Batch.MAX_BYTES) {
                // In its place, so that what follows is judged after it, and without the headers of the message.
                Map<String, String> headers = new LinkedHashMap<>(record.headers());
                headers.keySet().retainAll(OF_ALL);
                copy = Captured.gap(record.session(), headers, Loss.of(record));
            } else {
                grown += growth;
            }
            masked.add(copy);
            originals.put(copy, record);
        }
        return receiver.deliver(new Batch(batch.name(), masked)).stream()
                .map(originals::get)
                .toList();
    }

    Captured masked(Captured record) {
        Set<String> removed = new HashSet<>();
        UnaryOperator<String> marker = value -> {
            add(value, removed);
            return marker(Captured.utf8(value));
        };
        byte[] original = record.value() == null ? new byte[0] : record.value();
        byte[] value = record.value() == null ? null : rules.mask(original, marker);
        if (value == null && record.value() != null) {
            // No JSON, but it may contain a value to mask.
            value = Captured.utf8(marker(original));
        }
        // By its name or text, or because the body has it; a text without a name if the body has a part of it.
        BinaryOperator<String> mask = (name, text) -> {
            boolean isMasked = name == null
                    ? removed.stream().anyMatch(part -> part.length() >= MIN_PART && text.contains(part))
                    : !text.isEmpty() && removed.contains(text)
                            || !rules.mask(name, text, marker).equals(text);
            return isMasked ? marker.apply(text) : null;
        };
        Map<String, String> headers = new LinkedHashMap<>(record.headers());
        headers.replaceAll((name, text) -> {
            String masked = header(name, text, headers.get("mcp-method"), mask);
            return masked == null ? text : masked.length() > CaptureHeaders.MAX_VALUE ? marker.apply(text) : masked;
        });
        if (value == record.value() && headers.equals(record.headers())) {
            return record;
        }
        // With the inner key, one message can be proved without the key of all.
        headers.put(
                CaptureHeaders.ORIGINAL,
                HexFormat.of().formatHex(mac(mac.doFinal(original)).doFinal(original)));
        return new Captured(record.session(), value, headers, record.time(), record.loss());
    }

    /** Adds a masked value, and those in it: headers may repeat them. */
    private static void add(String value, Set<String> removed) {
        removed.add(value);
        if (value.startsWith("{") || value.startsWith("[")) {
            try (JsonParser json = JSON.createParser(value)) {
                for (JsonToken token = json.nextToken(); token != null; token = json.nextToken()) {
                    removed.add(token.isScalarValue() ? json.getText() : value);
                }
            } catch (IOException e) {
                // It is a text.
            }
        }
    }

    private String marker(byte[] value) {
        return "[masked:" + HexFormat.of().formatHex(Arrays.copyOf(mac.doFinal(value), HASH_BYTES)) + "]";
    }

    /** Masks the value of a header as a whole, because the rest of it may be encoded; null if it stays. */
    private static String header(String name, String text, String method, BinaryOperator<String> mask) {
        return switch (name) {
            case "parley-http-query" -> query(text, mask);
            case "parley-http-path" -> mask.apply("", unescaped(text));
            case "mcp-name" -> mask.apply(method != null && NAMED.contains(method) ? null : "", decoded(text));
            default ->
                name.startsWith(PARAMETER) ? mask.apply(name.substring(PARAMETER.length()), decoded(text)) : null;
        };
    }

    /** Masks the values of the parameters. */
    private static String query(String text, BinaryOperator<String> mask) {
        StringBuilder query = new StringBuilder();
        StringTokenizer parameters = new StringTokenizer(text, "&", true);
        while (parameters.hasMoreTokens()) {
            String parameter = parameters.nextToken();
            int value = parameter.indexOf('=') + 1;
            String name = unescaped(parameter.substring(0, Math.max(0, value - 1)));
            String maskedName = mask.apply("", name);
            String masked = mask.apply(name, unescaped(parameter.substring(value)));
            query.append(maskedName == null ? parameter.substring(0, value) : maskedName + "=")
                    .append(masked == null ? parameter.substring(value) : masked);
        }
        return query.toString();
    }

    /** Decodes also before and after an escape that is not valid, as lenient servers do. */
    private static String unescaped(String text) {
        return URLDecoder.decode(INVALID_ESCAPE.matcher(text).replaceAll("%25"), UTF_8);
    }

    private static String decoded(String text) {
        int end = text.length() - ENCODED_END.length();
        if (!text.startsWith(ENCODED) || end < ENCODED.length() || !text.endsWith(ENCODED_END)) {
            return text;
        }
        try {
            return new String(Base64.getDecoder().decode(text.substring(ENCODED.length(), end)), UTF_8);
        } catch (IllegalArgumentException e) {
            return text;
        }
    }

    private static Mac mac(byte[] key) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(new SecretKeySpec(key, HMAC));
            return mac;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("each Java has " + HMAC, e);
        }
    }

    @Override
    public void close() {
        receiver.close();
    }
}
