package dev.parley.tap;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Edits the configuration file of an MCP client: the members {@code command} and {@code args} of the servers in
 * {@code mcpServers} or {@code servers}. All other bytes stay. Comments and trailing commas are allowed.
 */
final class ClientConfiguration {
    private static final long MAX_BYTES = 4 << 20;
    private static final Set<String> SERVERS = Set.of("mcpServers", "servers");
    private static final List<String> PREFIX = List.of("tap", "mcp");
    private static final String SERVER = "server";
    private static final String END = "--";

    /** Before arguments of a server that had none. No formatter writes it, so unwrapping recognizes it. */
    private static final String NEW_ARGUMENTS = ", \"args\" : ";

    private static final JsonFactory JSON = JsonFactory.builder()
            .enable(JsonReadFeature.ALLOW_JAVA_COMMENTS)
            .enable(JsonReadFeature.ALLOW_TRAILING_COMMA)
            .streamReadConstraints(
                    StreamReadConstraints.builder().maxNestingDepth(100).build())
            .build();

    private final byte[] bytes;
    private final List<Edit> edits = new ArrayList<>();

    /** A value in the file: its bytes, and its text if it is a string. */
    private record Span(int from, int to, String text) {}

    /** Bytes to replace. */
    private record Edit(int from, int to, byte[] by) {}

    /** A server; without arguments, the span of their list is null. */
    private record Entry(String name, Span command, Span list, List<Span> arguments) {
        boolean isWrapped() {
            return arguments.size() > PREFIX.size()
                    && arguments.stream()
                            .limit(PREFIX.size())
                            .map(Span::text)
                            .toList()
                            .equals(PREFIX);
        }
    }

    private ClientConfiguration(byte[] bytes) {
        this.bytes = bytes;
    }

    /**
     * Puts the tap before all servers that have a command. Each has its name in the file as {@code --server}, unless
     * the options have one.
     *
     * @param command command that runs Parley
     * @param options options of the tap
     * @return names of these servers
     */
    static List<String> wrap(Path file, String command, List<String> options) throws IOException, UsageException {
        ClientConfiguration configuration = new ClientConfiguration(read(file));
        List<String> names = new ArrayList<>();
        List<Entry> entries = configuration.entries(file);
        for (Entry entry : entries) {
            if (!entry.isWrapped()) {
                configuration.wrap(entry, command, options);
                names.add(entry.name());
            }
        }
        if (names.isEmpty()) {
            throw new UsageException(
                    entries.isEmpty()
                            ? file + " has no server with a command; it must have one in mcpServers or servers"
                            : "all servers of " + file + " are wrapped already; parley tap unwrap takes the tap out");
        }
        configuration.write(file);
        return names;
    }

    /**
     * Takes the tap out again.
     *
     * @return names of the servers that had it
     */
    static List<String> unwrap(Path file) throws IOException, UsageException {
        ClientConfiguration configuration = new ClientConfiguration(read(file));
        List<String> names = new ArrayList<>();
        for (Entry entry : configuration.entries(file)) {
            if (entry.isWrapped()) {
                configuration.unwrap(entry);
                names.add(entry.name());
            }
        }
        if (names.isEmpty()) {
            throw new UsageException(file + " has no server that parley tap wraps");
        }
        configuration.write(file);
        return names;
    }

    private static byte[] read(Path file) throws IOException, UsageException {
        if (!Files.isRegularFile(file) || Files.size(file) > MAX_BYTES) {
            throw new UsageException(file + " must be a file of at most " + MAX_BYTES + " bytes");
        }
        return Files.readAllBytes(file);
    }

    private List<Entry> entries(Path file) throws IOException, UsageException {
        List<Entry> entries = new ArrayList<>();
        try (JsonParser parser = JSON.createParser(bytes)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new UsageException(file + " must be a JSON object");
            }
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                JsonToken value = parser.nextToken();
                if (name.equals("mcp") && value == JsonToken.START_OBJECT) {
                    // settings.json of VS Code
                    while (parser.nextToken() == JsonToken.FIELD_NAME) {
                        String inner = parser.currentName();
                        parser.nextToken();
                        servers(parser, inner, entries);
                    }
                } else {
                    servers(parser, name, entries);
                }
            }
        } catch (JsonProcessingException e) {
            throw new UsageException(file + " must be JSON in UTF-8, with comments at most: line "
                    + (e.getLocation() == null ? "?" : e.getLocation().getLineNr()) + ": " + e.getOriginalMessage());
        }
        return entries;
    }

    private static void servers(JsonParser parser, String member, List<Entry> entries) throws IOException {
        if (!SERVERS.contains(member) || parser.currentToken() != JsonToken.START_OBJECT) {
            parser.skipChildren();
            return;
        }
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            if (parser.nextToken() == JsonToken.START_OBJECT) {
                entry(parser, name, entries);
            } else {
                parser.skipChildren();
            }
        }
    }

    private static void entry(JsonParser parser, String server, List<Entry> entries) throws IOException {
        Span command = null;
        Span list = null;
        List<Span> arguments = new ArrayList<>();
        boolean isPlain = true;
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            JsonToken value = parser.nextToken();
            if (name.equals("command")) {
                isPlain &= command == null && value == JsonToken.VALUE_STRING;
                command = span(parser);
            } else if (name.equals("args") && value == JsonToken.START_ARRAY) {
                isPlain &= list == null;
                int from = (int) parser.currentTokenLocation().getByteOffset();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    isPlain &= parser.currentToken() == JsonToken.VALUE_STRING;
                    arguments.add(span(parser));
                }
                list = new Span(from, (int) parser.currentLocation().getByteOffset(), null);
            } else {
                isPlain &= !name.equals("args");
            }
            parser.skipChildren();
        }
        if (isPlain && command != null) {
            entries.add(new Entry(server, command, list, arguments));
        }
    }

    private static Span span(JsonParser parser) throws IOException {
        int from = (int) parser.currentTokenLocation().getByteOffset();
        // Reads the string to its end.
        String text = parser.getText();
        return new Span(from, (int) parser.currentLocation().getByteOffset(), text);
    }

    private void wrap(Entry entry, String command, List<String> options) throws UsageException {
        StringBuilder before = new StringBuilder();
        List<String> added = new ArrayList<>(PREFIX);
        added.addAll(options);
        if (new TapOptions(options, 0, Set.of()).get(SERVER) == null && TapOptions.isName(entry.name())) {
            added.addAll(List.of("--" + SERVER, entry.name()));
        }
        added.add(END);
        added.forEach(argument -> before.append(quoted(argument)).append(", "));
        before.append(raw(entry.command()));
        edits.add(new Edit(
                entry.command().from(), entry.command().to(), quoted(command).getBytes(UTF_8)));
        if (entry.list() == null) {
            insert(entry.command().to(), NEW_ARGUMENTS + "[" + before + "]");
        } else if (entry.arguments().isEmpty()) {
            insert(entry.list().from() + 1, before.toString());
        } else {
            insert(entry.arguments().get(0).from(), before + ", ");
        }
    }

    private void unwrap(Entry entry) throws UsageException {
        List<Span> arguments = entry.arguments();
        List<String> texts = arguments.stream().map(Span::text).toList();
        int command = new TapOptions(texts, PREFIX.size(), Set.of()).end();
        if (command == arguments.size()) {
            throw new UsageException("the server " + entry.name() + " has no command after " + END);
        }
        edits.add(new Edit(
                entry.command().from(),
                entry.command().to(),
                raw(arguments.get(command)).getBytes(UTF_8)));
        int from = arguments.get(0).from();
        int to = arguments.get(command).to();
        if (command + 1 < arguments.size()) {
            to = arguments.get(command + 1).from();
        } else if (raw(new Span(
                        entry.command().to(),
                        Math.max(entry.command().to(), entry.list().from()),
                        null))
                .equals(NEW_ARGUMENTS)) {
            from = entry.command().to();
            to = entry.list().to();
        }
        edits.add(new Edit(from, to, new byte[0]));
    }

    private void insert(int at, String text) {
        edits.add(new Edit(at, at, text.getBytes(UTF_8)));
    }

    private String raw(Span span) {
        return new String(bytes, span.from(), span.to() - span.from(), UTF_8);
    }

    private static String quoted(String text) {
        return '"' + new String(JsonStringEncoder.getInstance().quoteAsString(text)) + '"';
    }

    private void write(Path file) throws IOException {
        ByteArrayOutputStream edited = new ByteArrayOutputStream();
        edits.sort((a, b) -> Integer.compare(a.from(), b.from()));
        int start = 0;
        for (Edit edit : edits) {
            edited.write(bytes, start, edit.from() - start);
            edited.writeBytes(edit.by());
            start = edit.to();
        }
        edited.write(bytes, start, bytes.length - start);
        // A link stays a link, and the client never reads half a file.
        Path real = file.toRealPath();
        Path replacement = Files.createTempFile(
                real.getParent(),
                "." + real.getFileName(),
                ".new",
                PosixFilePermissions.asFileAttribute(Files.getPosixFilePermissions(real)));
        try {
            Files.write(replacement, edited.toByteArray(), StandardOpenOption.SYNC);
            Files.move(replacement, real, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(replacement);
        }
    }
}
