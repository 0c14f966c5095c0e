package dev.parley.tap;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.codec.json.MaskRules;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
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
import java.util.function.UnaryOperator;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Replaces values by markers before records leave the process (docs/capture.md). A marker has a keyed hash, so equal
 * values have equal markers. The header {@value #ORIGINAL} commits to the bytes of the original.
 */
final class Masking implements Receiver {
    static final String ORIGINAL = "parley-original";
    /** Names the default rules, in place of a file. */
    static final String DEFAULT = "default";

    private static final String HMAC = "HmacSHA256";
    private static final int HASH_BYTES = 12;
    private static final int KEY_BYTES = 32;
    private static final int MIN_KEY_CHARACTERS = 32;
    private static final String PARAMETER = "mcp-param-";
    private static final String ENCODED = "=?base64?";
    private static final String ENCODED_END = "?=";
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
            if (options.get("mask-key-file") != null) {
                throw new UsageException("--mask-key-file requires --mask");
            }
            return opener;
        }
        MaskRules rules = rules(mask);
        byte[] key = options.get("mask-key-file") == null
                ? generated(options.state())
                : key(Files.readString(Path.of(options.get("mask-key-file"))));
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

    /** The key of a directory, which its first user generates. */
    private static byte[] generated(Path directory) throws UsageException, IOException {
        Files.createDirectories(directory, SessionFile.OWNER_DIRECTORY);
        Path path = directory.resolve("mask.key");
        Set<StandardOpenOption> options =
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        // Others wait until the key is complete.
        try (FileChannel channel = FileChannel.open(path, options, SessionFile.OWNER_FILE)) {
            channel.lock();
            if (channel.size() == 0) {
                byte[] random = new byte[KEY_BYTES];
                new SecureRandom().nextBytes(random);
                channel.write(ByteBuffer.wrap(Captured.utf8(HexFormat.of().formatHex(random) + "\n")));
            }
        }
        return key(Files.readString(path));
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
        List<Captured> refused = new ArrayList<>();
        long grown = 0;
        for (Captured record : batch.records()) {
            Captured copy = masked(record);
            long growth = Math.max(0, copy.bytes() - record.bytes());
            if (copy.length() > Tap.MAX_MESSAGE_BYTES || grown + growth > Batch.MAX_BYTES) {
                refused.add(record);
            } else {
                grown += growth;
                masked.add(copy);
                originals.put(copy, record);
            }
        }
        if (!masked.isEmpty()) {
            receiver.deliver(new Batch(batch.name(), masked)).forEach(copy -> refused.add(originals.get(copy)));
        }
        return refused;
    }

    Captured masked(Captured record) {
        Set<String> removed = new HashSet<>();
        UnaryOperator<String> marker = value -> {
            removed.add(value);
            return marker(Captured.utf8(value));
        };
        byte[] original = record.value() == null ? new byte[0] : record.value();
        byte[] value = record.value();
        if (value != null) {
            value = rules.mask(value, marker);
            // No JSON, but it may contain a value to mask.
            value = value == null ? Captured.utf8(marker(original)) : value;
        }
        Map<String, String> headers = new LinkedHashMap<>(record.headers());
        headers.replaceAll((name, text) -> header(name, text, record.headers().get("mcp-method"), removed, marker));
        if (value == record.value() && headers.equals(record.headers())) {
            return record;
        }
        // With the inner key, one message can be proved without the key of all.
        headers.put(
                ORIGINAL, HexFormat.of().formatHex(mac(mac.doFinal(original)).doFinal(original)));
        return new Captured(record.session(), value, headers, record.time(), record.loss());
    }

    private String marker(byte[] value) {
        return "[masked:" + HexFormat.of().formatHex(Arrays.copyOf(mac.doFinal(value), HASH_BYTES)) + "]";
    }

    /** Masks the value of a header as a whole, because the rest of it may be encoded. */
    private String header(String name, String text, String method, Set<String> removed, UnaryOperator<String> marker) {
        if (name.equals("parley-http-query")) {
            StringBuilder query = new StringBuilder();
            StringTokenizer parameters = new StringTokenizer(text, "&", true);
            while (parameters.hasMoreTokens()) {
                String parameter = parameters.nextToken();
                int value = parameter.indexOf('=') + 1;
                String key = unescaped(parameter.substring(0, Math.max(0, value - 1)));
                String plain = unescaped(parameter.substring(value));
                query.append(parameter, 0, value)
                        .append(
                                isMasked(key, plain, removed, marker)
                                        ? marker.apply(plain)
                                        : parameter.substring(value));
            }
            return query.length() > Exchange.MAX_VALUE_BYTES ? marker.apply(text) : query.toString();
        }
        boolean isName = name.equals("mcp-name") && (method == null || !NAMED.contains(method));
        boolean isPath = name.equals("parley-http-path");
        if (!isName && !isPath && !name.startsWith(PARAMETER)) {
            return text;
        }
        String plain = isPath ? unescaped(text) : decoded(text);
        String key = isName || isPath ? "" : name.substring(PARAMETER.length());
        return isMasked(key, plain, removed, marker) ? marker.apply(plain) : text;
    }

    /** Whether a value is masked by its name or text, or in the body. */
    private boolean isMasked(String name, String value, Set<String> removed, UnaryOperator<String> marker) {
        return removed.contains(value) || !rules.mask(name, value, marker).equals(value);
    }

    private static String unescaped(String text) {
        try {
            return URLDecoder.decode(text, UTF_8);
        } catch (IllegalArgumentException e) {
            return text;
        }
    }

    private static String decoded(String text) {
        if (!text.startsWith(ENCODED) || text.length() < ENCODED.length() + 2 || !text.endsWith(ENCODED_END)) {
            return text;
        }
        try {
            String base64 = text.substring(ENCODED.length(), text.length() - ENCODED_END.length());
            return new String(Base64.getDecoder().decode(base64), UTF_8);
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
