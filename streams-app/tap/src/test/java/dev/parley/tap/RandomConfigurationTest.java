package dev.parley.tap;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Configuration files in any layout: the wrapped one runs the same commands, and unwrapping restores each byte. */
class RandomConfigurationTest {
    private static final List<String> TEXTS = List.of(
            "\"c\"",
            "\"\"",
            "\"--\"",
            "\"--url\"",
            "\"tap\"",
            "\"a b\"",
            "\"\\\"q\\\"\"",
            "\"C:\\\\x\\\\\"",
            "\"\\u00e9\\uD83D\\uDE00\"",
            "\"\u00e9\uD83D\uDE00\"",
            "\"//\"",
            "\"/*\"",
            "\"${input:k}\"",
            "\"\\/\"");
    private static final List<String> SPACES =
            List.of("", " ", "\n", "\r\n\t", "  ", "/* \u00fc */", "// x\n", "\n  // \"args\": [\n");
    private static final JsonFactory JSON = JsonFactory.builder()
            .enable(JsonReadFeature.ALLOW_JAVA_COMMENTS)
            .enable(JsonReadFeature.ALLOW_TRAILING_COMMA)
            .build();

    @TempDir
    private Path directory;

    private Random random;

    private String one(List<String> of) {
        return of.get(random.nextInt(of.size()));
    }

    private String space() {
        return random.nextInt(3) == 0 ? one(SPACES) : "";
    }

    private String member(String name, String value) {
        return space() + '"' + name + '"' + space() + ':' + space() + value + space();
    }

    private String joined(List<String> members) {
        return String.join(",", members) + (random.nextInt(6) == 0 && !members.isEmpty() ? "," + space() : "");
    }

    /** A server with a command; the name tells its place. */
    private String server(int number) {
        List<String> members = new ArrayList<>();
        members.add(member("command", one(TEXTS)));
        if (random.nextInt(4) > 0) {
            List<String> arguments = new ArrayList<>();
            for (int i = random.nextInt(4); i > 0; i--) {
                arguments.add(space() + one(TEXTS) + space());
            }
            members.add(random.nextInt(members.size() + 1), member("args", '[' + joined(arguments) + space() + ']'));
        }
        for (String other : List.of("env", "cwd", "type")) {
            if (random.nextInt(3) == 0) {
                String value = other.equals("env") ? "{" + member("args", "[1,\"x\"]") + "}" : one(TEXTS);
                members.add(random.nextInt(members.size() + 1), member(other, value));
            }
        }
        return member("s" + number, '{' + joined(members) + '}');
    }

    private String file() {
        List<String> servers = new ArrayList<>();
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            servers.add(server(i));
        }
        List<String> members = new ArrayList<>();
        String name = random.nextBoolean() ? "servers" : "mcpServers";
        members.add(member(name, '{' + joined(servers) + '}'));
        if (random.nextBoolean()) {
            members.add(random.nextInt(2), member("other", "[{\"command\":1e5},null]"));
        }
        return (random.nextInt(5) == 0 ? "\uFEFF" : "") + space() + '{' + joined(members) + '}' + space();
    }

    /** Command and arguments of each server, after the tap's if it has them. */
    private static List<List<String>> commands(String json) throws Exception {
        List<List<String>> commands = new ArrayList<>();
        try (JsonParser parser = JSON.createParser(json.startsWith("\uFEFF") ? json.substring(1) : json)) {
            while (parser.nextToken() != null) {
                boolean isServer = parser.currentToken() == JsonToken.START_OBJECT
                        && String.valueOf(parser.currentName()).matches("s\\d");
                if (isServer) {
                    commands.add(command(parser));
                }
            }
        }
        return commands;
    }

    private static List<String> command(JsonParser parser) throws Exception {
        List<String> command = new ArrayList<>();
        List<String> arguments = new ArrayList<>();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            parser.nextToken();
            if (name.equals("command")) {
                command.add(parser.getText());
            } else if (name.equals("args")) {
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    arguments.add(parser.getText());
                }
            }
            parser.skipChildren();
        }
        command.addAll(arguments);
        boolean isWrapped = command.get(0).equals("/opt/parley");
        return isWrapped ? command.subList(command.indexOf("--") + 1, command.size()) : command;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void aWrappedFileRunsTheSameAndUnwrappingRestoresIt(long seed) throws Exception {
        random = new Random(seed);
        Path file = directory.resolve("mcp.json");
        for (int i = 0; i < 200; i++) {
            String text = file();
            Files.writeString(file, text);

            List<String> names =
                    ClientConfiguration.wrap(file, "/opt/parley", List.of("--url", "http://127.0.0.1:7080"));
            String wrapped = Files.readString(file);
            assertThat(commands(wrapped)).as("seed %s: %s", seed, text).isEqualTo(commands(text));
            assertThat(ClientConfiguration.unwrap(file)).isEqualTo(names);

            assertThat(Files.readString(file)).as("seed %s: %s", seed, wrapped).isEqualTo(text);
        }
    }
}
