package dev.parley.tap;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import dev.parley.codec.Utf8;
import dev.parley.codec.json.JsonWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

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
    private static final String NEW_ARGUMENTS = ",  \"args\" :  ";

    private static final JsonFactory JSON = JsonFactory.builder()
            .enable(JsonReadFeature.ALLOW_JAVA_COMMENTS)
            .enable(JsonReadFeature.ALLOW_TRAILING_COMMA)
            .streamReadConstraints(
                    StreamReadConstraints.builder().maxNestingDepth(100).build())
            .build();

    private final Path file;
    private final byte[] bytes;
    private final List<Entry> entries = new ArrayList<>();
    private final List<Edit> edits = new ArrayList<>();

    /** A value in the file: its bytes, and its text if it is a string. */
    private record Span(int from, int to, String text) {}

    /** Bytes to replace. */
    private record Edit(int from, int to, String by) {}

    /** A server; without arguments, the span of their list is null. */
    private record Entry(String name, Span command, Span list, List<Span> arguments) {
        boolean isWrapped() {
            return texts().size() > PREFIX.size()
                    && texts().subList(0, PREFIX.size()).equals(PREFIX);
        }

        List<String> texts() {
            return arguments.stream().map(Span::text).toList();
        }
    }

    private ClientConfiguration(Path file) throws IOException, UsageException {
        if (!Files.isRegularFile(file) || Files.size(file) > MAX_BYTES) {
            throw new UsageException(file + " must be an existing file of at most " + MAX_BYTES + " bytes");
        }
        this.file = file;
        this.bytes = Files.readAllBytes(file);
        if (Utf8.firstInvalid(bytes, 0, bytes.length) >= 0
                || raw(0, bytes.length).indexOf('\0') >= 0) {
            throw new UsageException(file + " must be JSON in UTF-8");
        }
        try (JsonParser parser = JSON.createParser(bytes)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new UsageException(file + " must be a JSON object");
            }
            members(parser);
        } catch (JsonProcessingException e) {
            throw new UsageException(file + " must be JSON in UTF-8, with comments at most: line "
                    + (e.getLocation() == null ? "?" : e.getLocation().getLineNr()) + ": "
                    + e.getOriginalMessage().replaceFirst("(?s) \\(start marker.*", ""));
        }
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
        ClientConfiguration configuration = new ClientConfiguration(file);
        for (Entry entry : configuration.entries) {
            if (!entry.isWrapped()) {
                configuration.wrap(entry, command, options);
            }
        }
        return configuration.write(
                false,
                configuration.entries.isEmpty()
                        ? " has no server with a command; it must have one in mcpServers or servers"
                        : " has only servers that are wrapped already; parley tap unwrap takes the tap out");
    }

    /**
     * Takes the tap out again.
     *
     * @return names of the servers that had it
     */
    static List<String> unwrap(Path file) throws IOException, UsageException {
        ClientConfiguration configuration = new ClientConfiguration(file);
        for (Entry entry : configuration.entries) {
            if (entry.isWrapped()) {
                configuration.unwrap(entry);
            }
        }
        return configuration.write(true, " has no server that parley tap wraps");
    }

    private void members(JsonParser parser) throws IOException {
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            boolean isObject = parser.nextToken() == JsonToken.START_OBJECT;
            if (isObject && SERVERS.contains(name)) {
                servers(parser);
            } else if (isObject && name.equals("mcp")) {
                // settings.json of VS Code
                members(parser);
            } else {
                parser.skipChildren();
            }
        }
    }

    private void servers(JsonParser parser) throws IOException {
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            if (parser.nextToken() == JsonToken.START_OBJECT) {
                entry(parser, name);
            } else {
                parser.skipChildren();
            }
        }
    }

    private void entry(JsonParser parser, String server) throws IOException {
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
        List<String> added = new ArrayList<>(PREFIX);
        added.addAll(options);
        if (new TapOptions(options, 0, Set.of()).get(SERVER) == null && TapOptions.isName(entry.name())) {
            added.addAll(List.of("--" + SERVER, entry.name()));
        }
        added.add(END);
        String before = added.stream().map(JsonWriter::quoted).collect(Collectors.joining(", ", "", ", "))
                + raw(entry.command().from(), entry.command().to());
        replace(entry.command().from(), entry.command().to(), JsonWriter.quoted(command));
        if (entry.list() == null) {
            replace(entry.command().to(), entry.command().to(), NEW_ARGUMENTS + "[" + before + "]");
        } else {
            boolean isFirst = entry.arguments().isEmpty();
            int at =
                    isFirst ? entry.list().from() + 1 : entry.arguments().get(0).from();
            replace(at, at, before + (isFirst ? "" : ", "));
        }
    }

    private void unwrap(Entry entry) throws UsageException {
        List<Span> arguments = entry.arguments();
        int index = entry.texts().indexOf(END) + 1;
        if (index == 0 || index == arguments.size()) {
            throw new UsageException("the server " + entry.name() + " has no command after " + END);
        }
        Span command = arguments.get(index);
        replace(entry.command().from(), entry.command().to(), raw(command.from(), command.to()));
        int afterCommand = entry.command().to();
        if (index + 1 < arguments.size()) {
            replace(arguments.get(0).from(), arguments.get(index + 1).from(), "");
        } else if (entry.list().from() > afterCommand
                && raw(afterCommand, entry.list().from()).equals(NEW_ARGUMENTS)) {
            replace(afterCommand, entry.list().to(), "");
        } else {
            replace(arguments.get(0).from(), command.to(), "");
        }
    }

    private void replace(int from, int to, String text) {
        edits.add(new Edit(from, to, text));
    }

    private String raw(int from, int to) {
        return new String(bytes, from, to - from, UTF_8);
    }

    /** Writes the file, and returns the names of the servers that were edited; without one, an error says why. */
    private List<String> write(boolean areWrapped, String none) throws IOException, UsageException {
        if (edits.isEmpty()) {
            throw new UsageException(file + none);
        }
        ByteArrayOutputStream edited = new ByteArrayOutputStream();
        edits.sort(Comparator.comparing(Edit::from));
        int start = 0;
        for (Edit edit : edits) {
            edited.write(bytes, start, edit.from() - start);
            edited.writeBytes(edit.by().getBytes(UTF_8));
            start = edit.to();
        }
        edited.write(bytes, start, bytes.length - start);
        // A link stays a link, and the client never reads half a file.
        Path real = file.toRealPath();
        Path replacement = Files.createTempFile(real.getParent(), "." + real.getFileName(), ".new");
        try {
            Files.setPosixFilePermissions(replacement, Files.getPosixFilePermissions(real));
            Files.write(replacement, edited.toByteArray(), StandardOpenOption.SYNC);
            Files.move(replacement, real, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(replacement);
        }
        return entries.stream()
                .filter(entry -> entry.isWrapped() == areWrapped)
                .map(Entry::name)
                .toList();
    }
}
