package dev.parley.tap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClientConfigurationTest {
    private static final List<String> OPTIONS = List.of("--url", "http://127.0.0.1:7080", "--client=\"C\"");

    @TempDir
    private Path directory;

    private Path file(String text) throws IOException {
        return Files.writeString(directory.resolve("mcp.json"), text);
    }

    @Test
    void theTapGoesBeforeTheCommand() throws Exception {
        Path file =
                file("{\"mcpServers\": {\"a\": {\"command\": \"npx\", \"args\": [\"-y\", \"server\"], \"env\": {}}}}");

        assertThat(ClientConfiguration.wrap(file, "/opt/parley", OPTIONS)).containsExactly("a");

        assertThat(file)
                .hasContent("{\"mcpServers\": {\"a\": {\"command\": \"/opt/parley\", \"args\": [\"tap\", \"mcp\","
                        + " \"--url\", \"http://127.0.0.1:7080\", \"--client=\\\"C\\\"\", \"--server\", \"a\", \"--\", \"npx\", \"-y\", \"server\"],"
                        + " \"env\": {}}}}");
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', textBlock = """
            a | --url http://x | "--server", "a"
            a | --url http://x --server b | "--server", "b"
            a | --url http://x --server=b | "--server=b"
            \\n | --url http://x | "http://x"
            """, delimiter = '|')
    void aServerHasTheNameOfItsOptionOtherwiseThatOfTheFile(String server, String options, String last)
            throws Exception {
        Path file = file("{\"servers\":{\"" + server + "\":{\"command\":\"c\"}}}");

        ClientConfiguration.wrap(file, "parley", List.of(options.split(" ")));

        assertThat(file).content().contains(last + ", \"--\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"mcpServers\":{\"a\":{\"command\":\"npx\",\"args\":[\"-y\",\"s\"]},\"b\":{\"url\":\"http://x\"}}}",
                "{\n\t\"servers\": {\n\t\t\"a\": {\n\t\t\t\"command\": \"c\",\n\t\t\t\"args\": [\n\t\t\t\t\"x\"\n\t\t\t]\n"
                        + "\t\t}\n\t},\n\t\"inputs\": []\n}\n",
                "{\"servers\":{\"a\":{\"command\":\"c\"}}}",
                "{\"servers\":{\"a\":{\"command\":\"c\",\"args\":[]}}}",
                "{\"servers\":{\"a\":{\"args\":[ ],\"command\":\"c\"}}}",
                "{\"servers\":{\"a\":{\"args\": [ \"x\" , \"--\", \"y\" ],\r\n\"command\" :\t\"c\"}}}",
                "// comment\n{/* c */\"servers\":{\"a\":{\"command\":\"c\", // why\n\"args\":[\"x\", /* y */],},},}",
                "{\"mcp\":{\"servers\":{\"a\":{\"command\":\"\\u00e9\\\"\\\\ \u00fc\uD83D\uDE00\",\"args\":[\"\u00e9\"]}}},\"x\":1e400}",
                "{\"servers\":{\"a\":{\"command\":\"c\"},\"b\":{\"args\":[1],\"command\":\"c\"},\"c\":7}}"
            })
    void unwrappingRestoresEachByte(String text) throws Exception {
        Path file = file(text);

        assertThat(ClientConfiguration.wrap(file, "parley", OPTIONS)).containsExactly("a");
        assertThat(Files.readString(file)).isNotEqualTo(text).contains("\"tap\", \"mcp\"");
        assertThat(ClientConfiguration.unwrap(file)).containsExactly("a");

        assertThat(Files.readString(file)).isEqualTo(text);
    }

    @Test
    void wrappingTwiceIsAClearError() throws Exception {
        Path file = file("{\"servers\":{\"a\":{\"command\":\"c\"}}}");
        ClientConfiguration.wrap(file, "parley", OPTIONS);

        assertThatThrownBy(() -> ClientConfiguration.wrap(file, "parley", OPTIONS))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("are wrapped already");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"servers\":{}}",
                "{\"servers\":[]}",
                "{\"servers\":{\"a\":{\"url\":\"http://x\"}}}",
                "{\"other\":{\"a\":{\"command\":\"c\"}}}"
            })
    void aFileWithoutACommandIsAClearErrorAndStays(String text) throws Exception {
        Path file = file(text);

        assertThatThrownBy(() -> ClientConfiguration.wrap(file, "parley", OPTIONS))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("has no server with a command");
        assertThatThrownBy(() -> ClientConfiguration.unwrap(file))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("has no server that parley tap wraps");
        assertThat(file).hasContent(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[]", "{", "{\"servers\":{\"a\":{\"command\":\"c\"}}", "\u0000"})
    void aFileThatIsNotSuchJsonIsAClearErrorAndStays(String text) throws Exception {
        Path file = file(text);

        assertThatThrownBy(() -> ClientConfiguration.wrap(file, "parley", OPTIONS))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("must be");
        assertThat(file).hasContent(text);
    }

    @Test
    void permissionsAndLinksStay() throws Exception {
        Path file = file("{\"servers\":{\"a\":{\"command\":\"c\"}}}");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        Path link = Files.createSymbolicLink(directory.resolve("link"), file);

        ClientConfiguration.wrap(link, "parley", OPTIONS);

        assertThat(link).isSymbolicLink();
        assertThat(Files.getPosixFilePermissions(file)).isEqualTo(PosixFilePermissions.fromString("rw-r-----"));
        assertThat(Files.readString(file)).contains("parley");
        assertThat(directory).isDirectoryNotContaining("glob:**.new");
    }
}
