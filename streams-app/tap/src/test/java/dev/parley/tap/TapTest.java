package dev.parley.tap;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TapTest {
    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "record|unknown command record",
                "mcp -- cat|the receiver must be --bootstrap-servers HOST:PORT or --url URL",
                "mcp --url http://h --bootstrap-servers h:1 -- cat|the receiver must be",
                "mcp --url http://h|the command of the server is missing",
                "mcp --url http://u:p@h -- cat|--url must be http://HOST",
                "mcp --url http://h --url http://h -- cat|--url must be given once",
                "mcp --url http://h --topic t -- cat|--topic requires --bootstrap-servers",
                "mcp --url http://h --on-outage wait -- cat|--on-outage must be pass or block, but was wait",
                "mcp --url http://h --buffer 1 -- cat|--buffer must be an integer from 4 to 1024, but was 1",
                "mcp --url http://h --token-file /none -- cat|--token-file /none is not a readable file",
                "mcp --verbose -- cat|unknown option --verbose",
                "http --url http://h --to http://h|--listen HOST:PORT is missing",
                "http --url http://h --listen 127.0.0.1:99999 --to http://h|--listen must be HOST:PORT",
                "http --url http://h --listen 127.0.0.1:0 --to http://h --tls-key k|--tls-key requires"
                        + " --tls-certificate",
                "http --url http://h --listen 127.0.0.1:0 --to http://h --tls-client-ca c|--tls-client-ca"
                        + " requires --tls-certificate",
                "http --url http://h --listen 127.0.0.1:0 --to http://h --ca /none|--ca cannot be read",
                "http --url http://h --listen 127.0.0.1:0 --to http://h --ca pom.xml|--ca certificates, in PEM",
                "http --url http://h --listen 127.0.0.1:0 --to http://h --oidc-issuer i|--oidc-issuer requires"
                        + " --oidc-audience",
                "http --url http://h --listen 127.0.0.1:0 --to http://h --oidc-issuer i --oidc-audience a"
                        + " --oidc-jwks-url http://192.0.2.1/k|--oidc-jwks-url must be https, or http on a loopback"
                        + " address",
                "mcp --url http://h --ca c -- cat|unknown option --ca",
                "wrap|the file is missing"
            })
    void aWrongCommandLineIsAClearError(String arguments, String error) throws Exception {
        Path errors = directory.resolve("errors");
        String state = arguments.contains("--url") && !arguments.contains("wrap") ? " --state " + directory : "";
        String line = arguments.replaceFirst(" --url", state + " --url");

        assertThat(TapProcess.start(errors, line.split(" ")).waitFor()).isEqualTo(2);
        assertThat(Files.readString(errors)).contains("parley tap: " + error).contains("see parley tap --help");
    }

    @Test
    void filesInAClientsConfigurationAreAbsolute() throws Exception {
        Path token = Files.writeString(directory.resolve("token"), "t");
        Path relative = Path.of("").toAbsolutePath().relativize(token.toAbsolutePath());
        Path file = Files.writeString(directory.resolve("mcp.json"), "{\"servers\":{\"a\":{\"command\":\"c\"}}}");

        Process wrap = TapProcess.start(
                directory.resolve("errors"),
                "wrap",
                file.toString(),
                "--url=http://h",
                "--token-file",
                relative.toString(),
                "--state=state");

        assertThat(wrap.waitFor()).isZero();
        assertThat(relative).isRelative();
        assertThat(Files.readString(file))
                .contains(
                        "\"--token-file\", \"" + relative.toAbsolutePath() + "\"",
                        "\"--state\", \"" + Path.of("state").toAbsolutePath() + "\"",
                        "\"--url\", \"http://h\"");
    }
}
