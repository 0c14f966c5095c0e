package dev.parley.tap;

import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Configuration files as editors, other versions and people leave them. */
class OddConfigurationTest {
    private static final List<String> OPTIONS = List.of("--url", "http://127.0.0.1:7080");

    @TempDir
    private Path directory;

    private Path file(String text) throws Exception {
        return Files.writeString(directory.resolve("mcp.json"), text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\uFEFF{\"servers\":{\"a\":{\"command\":\"c\",\"args\":[\"x\"]}}}",
                "\uFEFF// \u00fc\r\n{\r\n\"servers\": {\r\n\"a\": {\r\n\"command\": \"c\"\r\n}\r\n}\r\n}\r\n",
                "{\"servers\":{\"a\":{\"\\u0063ommand\":\"c\",\"\\u0061rgs\":[\"x\"]}}}",
                "{\"servers\":{\"a\":{\"type\":\"stdio\",\"command\":\"C:\\\\Program Files\\\\x.exe\",\"cwd\":\"${workspaceFolder}\","
                        + "\"env\":{\"command\":\"not this\",\"args\":[1]},\"args\":[\"${input:key}\",\"a b\",\"\\\"q\\\"\",\"\"]}}}",
                "{\"servers\":{\"a\":{\"command\":\"c\",\"args\":[ /* none */ ]}}}",
                "{\"servers\":{\"a\":{\"command\":\"c\",\"args\":[\"x\",]}}}",
                "{\"servers\":{\"a\":{\"command\":\"c\" , \"args\" : []}}}",
                "{\"servers\":{\"a\":{\"command\":\"c\",\"args\" : []}}}",
                "{\"servers\":{\"a\":{\"command\":\"c\", \"args\" : []}}}",
                "{\"servers\":{\"a\":{\"command\":\"c\", \"args\" : [ ]}}}",
                "{\"servers\":{\"a\":{\"command\":\"c\",\"args\":[\"--\",\"--url\",\"x\"]}}}",
                "{\"servers\":{\"a\":{\"command\":\"--\",\"args\":[\"--\"]}}}",
                "{\"servers\":{\"a\":{\"command\":\"\"}}}",
                "{\"mcpServers\":{\"a\":{\"command\":\"c\"}},\"mcpServers\":{\"b\":{\"url\":\"c\"}}}",
            })
    void unwrappingRestoresEachByte(String text) throws Exception {
        Path file = file(text);

        assertThat(ClientConfiguration.wrap(file, "parley", OPTIONS)).containsExactly("a");
        assertThat(Files.readString(file)).isNotEqualTo(text);
        assertThat(ClientConfiguration.unwrap(file)).containsExactly("a");

        assertThat(Files.readString(file)).isEqualTo(text);
    }

    @Test
    void aFileInUtf16IsAClearErrorAndStays() throws Exception {
        String text = "\uFEFF{\"servers\":{\"a\":{\"command\":\"c\"}}}";
        for (Charset charset : List.of(UTF_16LE, UTF_16BE)) {
            byte[] bytes = text.getBytes(charset);
            Path file = Files.write(directory.resolve("mcp.json"), bytes);

            assertThatThrownBy(() -> ClientConfiguration.wrap(file, "parley", OPTIONS))
                    .isInstanceOf(UsageException.class)
                    .hasMessageContaining("must be JSON in UTF-8");
            assertThat(file).hasBinaryContent(bytes);
        }
    }

    /** A version may have options that another one has not. */
    @Test
    void aServerThatAnotherVersionHasWrappedIsUnwrapped() throws Exception {
        Path file =
                file("{\"servers\":{\"a\":{\"command\":\"/old/bin/parley\",\"args\":[\"tap\",\"mcp\",\"--later\",\"x\","
                        + "\"--url=http://x\",\"--\",\"npx\",\"-y\",\"--\",\"s\"]}}}");

        assertThat(ClientConfiguration.unwrap(file)).containsExactly("a");

        assertThat(file).hasContent("{\"servers\":{\"a\":{\"command\":\"npx\",\"args\":[\"-y\",\"--\",\"s\"]}}}");
    }

    @Test
    void oneServerThatCannotBeUnwrappedLeavesTheFileAsItIs() throws Exception {
        String text =
                "{\"servers\":{\"a\":{\"command\":\"parley\",\"args\":[\"tap\",\"mcp\",\"--url\",\"x\",\"--\",\"c\"]},"
                        + "\"b\":{\"command\":\"parley\",\"args\":[\"tap\",\"mcp\",\"--url\",\"x\",\"--\"]}}}";
        Path file = file(text);

        assertThatThrownBy(() -> ClientConfiguration.unwrap(file))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("b has no command");
        assertThat(file).hasContent(text);
    }

    @Test
    void permissionsStayWhateverTheMaskOfTheProcess() throws Exception {
        Path file = file("{\"servers\":{\"a\":{\"command\":\"c\"}}}");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));

        ClientConfiguration.wrap(file, "parley", OPTIONS);

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-rw-rw-");
    }

    @Test
    void namesAndOptionsAreQuoted() throws Exception {
        Path file = file("{\"servers\":{\"a \\\"b\\\" \\\\ \\u00e9 --\":{\"command\":\"c\"}}}");

        ClientConfiguration.wrap(file, "/opt/a b/\"parley\"", List.of("--client", "C:\\\"x\""));
        String wrapped = Files.readString(file, UTF_8);

        assertThat(wrapped)
                .contains("\"command\":\"/opt/a b/\\\"parley\\\"\"")
                .contains("\"C:\\\\\\\"x\\\"\"")
                .contains("\"--server\", \"a \\\"b\\\" \\\\ \u00e9 --\", \"--\", \"c\"");
    }
}
