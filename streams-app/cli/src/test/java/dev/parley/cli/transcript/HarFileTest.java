package dev.parley.cli.transcript;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.CommandRun;
import dev.parley.cli.transcript.Transcript.Line;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** HAR files, with entries as Chromium, Playwright and mitmproxy write them. */
class HarFileTest {
    private static final int LIMIT = 4_000;
    private static final int ROUNDS = 3_000;
    private static final long STARTED =
            Instant.parse("2026-11-30T12:41:23.817Z").toEpochMilli();
    private static final String ID = "1868a90c-10e7-4e09-9ccf-a3c4ea71e7b7";
    private static final String SENT =
            header("Mcp-Session-Id", ID) + "," + header("mcp-protocol-version", "2025-11-25");
    private static final String STREAM = "text/event-stream";

    private static final String INITIALIZE = entry(
            "POST",
            header("Content-Type", "application/json"),
            "{\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},"
                    + "\"clientInfo\":{\"name\":\"c\",\"version\":\"1\"}},\"jsonrpc\":\"2.0\",\"id\":0}",
            200,
            header("mcp-session-id", ID),
            content(
                    STREAM,
                    "id: 1\ndata: \n\nevent: message\ndata: {\"result\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":"
                            + "{\"tools\":{}},\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"}},\"jsonrpc\":\"2.0\",\"id\":0}\n\n"));
    private static final String INITIALIZED = entry(
            "POST", SENT, "{\"method\":\"notifications/initialized\",\"jsonrpc\":\"2.0\"}", 202, "", content("", ""));
    private static final String CALL = entry(
            "POST",
            SENT,
            "{\"method\":\"tools/call\",\"params\":{\"name\":\"t\",\"_meta\":{\"progressToken\":1}},\"jsonrpc\":\"2.0\",\"id\":1}",
            200,
            "",
            content(
                    STREAM,
                    "data: {\"method\":\"notifications/progress\",\"params\":{\"progressToken\":1,\"progress\":1},"
                            + "\"jsonrpc\":\"2.0\"}\n\ndata: {\"method\":\"notifications/progress\",\"params\":"
                            + "{\"progressToken\":1,\"progress\":2},\"jsonrpc\":\"2.0\"}\n\n"
                            + "data: {\"result\":{\"content\":[]},\"jsonrpc\":\"2.0\",\"id\":1}\n\n"));

    @TempDir
    private Path directory;

    /** The result of reading a file. */
    private record Read(boolean whole, String err, List<Line> lines) {
        List<String> wires() {
            return lines.stream()
                    .map(line -> line.wire() == null ? null : new String(line.wire(), UTF_8))
                    .toList();
        }

        List<String> headers(String name) {
            return lines.stream().map(line -> line.headers().get(name)).toList();
        }

        List<String> keys() {
            return lines.stream().map(line -> new String(line.key(), UTF_8)).toList();
        }
    }

    @Test
    void anEntryIsTheRequestAndEachMessageOfTheResponse() {
        Read read = read(har(entry(
                "POST",
                SENT + "," + header("Mcp-Method", "ping") + "," + header("Mcp-Param-X", "é"),
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}",
                200,
                header("Mcp-Session-Id", ID),
                content("application/json", "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}"))));
        assertThat(read.err()).isEmpty();
        assertThat(read.whole()).isTrue();
        assertThat(read.wires())
                .containsExactly(
                        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}",
                        "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}");
        String hash = read.lines().get(1).headers().get("mcp-session-id");
        assertThat(hash).matches("[0-9a-f]{64}").isNotEqualTo(ID);
        assertThat(read.lines().get(0).headers())
                .isEqualTo(Map.ofEntries(
                        Map.entry("parley-protocol", "mcp"),
                        Map.entry("parley-direction", "client-to-server"),
                        Map.entry("parley-exchange", "1"),
                        Map.entry("parley-http-method", "POST"),
                        Map.entry("parley-http-path", "/mcp"),
                        Map.entry("mcp-session-id", hash),
                        Map.entry("mcp-protocol-version", "2025-11-25"),
                        Map.entry("mcp-method", "ping"),
                        Map.entry("mcp-param-x", "é")));
        assertThat(read.lines().get(1).headers())
                .isEqualTo(Map.of(
                        "parley-protocol",
                        "mcp",
                        "parley-direction",
                        "server-to-client",
                        "parley-exchange",
                        "1",
                        "parley-http-status",
                        "200",
                        "mcp-session-id",
                        hash));
        assertThat(read.keys()).containsOnly("example.com:3000-" + hash.substring(0, 16));
        assertThat(read.lines()).extracting(Line::timestamp).containsExactly(STARTED, STARTED + 8);
        assertThat(read.lines()).extracting(Line::topic).containsOnlyNulls();
    }

    @Test
    void theInitializeOfASessionBelongsToItAndIsItsStart() {
        Read read = read(har(INITIALIZE, INITIALIZED, CALL));
        assertThat(read.headers("parley-capture")).containsExactly("start", null, null, null, null, null, null, null);
        assertThat(read.headers("parley-exchange")).containsExactly("1", "1", "2", "2", "3", "3", "3", "3");
        assertThat(read.keys().stream().distinct()).hasSize(1);
    }

    @Test
    void aSessionWithoutAnIdOrWithEarlierRecordsHasNoStart() {
        String stateless = INITIALIZE.replace("mcp-session-id", "x-other");
        assertThat(read(har(stateless)).headers("parley-capture")).containsOnlyNulls();
        assertThat(read(har(stateless)).keys()).containsOnly("example.com:3000");
        assertThat(read(har(INITIALIZED, INITIALIZE)).headers("parley-capture")).containsOnlyNulls();
        String unanswered = INITIALIZE
                .replace("\\\"result\\\":", "\\\"resul\\\":")
                .replace("\\\"jsonrpc\\\":\\\"2.0\\\",\\\"id\\\":0}\\n", "\\\"id\\\":0}\\n");
        assertThat(read(har(unanswered)).headers("parley-capture")).containsOnlyNulls();
    }

    /** A file may be filtered, so the start of a session must not cause a violation by what the file lacks. */
    @Test
    void noSelectionOfEntriesCausesAViolation() {
        String get = entry("GET", SENT, null, 200, "", content(STREAM, """
                data: {"jsonrpc":"2.0","id":7,"method":"ping"}

                data: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}

                """));
        String pong = entry("POST", SENT, "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{}}", 202, "", content("", ""));
        String list = entry(
                "POST",
                SENT,
                "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\"}",
                200,
                "",
                content("application/json", "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"tools\":[]}}"));
        String cancel = entry(
                "POST",
                SENT,
                "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}",
                202,
                "",
                content("", ""));
        List<String> session = List.of(INITIALIZE, INITIALIZED, get, CALL, pong, cancel, list);
        for (int chosen = 1; chosen < 1 << session.size(); chosen++) {
            List<String> entries = new ArrayList<>();
            for (int i = 0; i < session.size(); i++) {
                if ((chosen >> i & 1) == 1) {
                    entries.add(session.get(i));
                }
            }
            CommandRun run = CommandRun.fed(har(entries.toArray(String[]::new)), "judge", "-");
            assertThat(run.json())
                    .as(entries.toString())
                    .isNotEmpty()
                    .allMatch(line -> line.get("verdict").textValue().equals("ACCEPTED"));
        }
    }

    @Test
    void aViolationOfTheSessionIsFound() {
        String sampling = entry(
                "GET",
                SENT,
                null,
                200,
                "",
                content(
                        STREAM,
                        "data: {\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"sampling/createMessage\",\"params\":{\"messages\":[],\"maxTokens\":1}}\n\n"));
        CommandRun run = CommandRun.fed(har(INITIALIZE, INITIALIZED, sampling), "judge", "-");
        assertThat(run.exit()).isZero();
        assertThat(run.json().get(5).get("code").textValue()).isEqualTo("MCP_CAPABILITY");
        assertThat(run.json().get(5).get("line").intValue()).isEqualTo(6);
    }

    /** HTTP+SSE of 2024-11-05: the stream of one GET request has the answers to all requests. */
    @Test
    void theOldTransportCausesNoViolation() {
        String stream = entry("GET", "", null, 200, "", content(STREAM, """
                event: endpoint
                data: /messages?sessionId=1

                event: message
                data: {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2024-11-05","capabilities":{},"serverInfo":{}}}

                event: message
                data: {"jsonrpc":"2.0","id":1,"result":{"tools":[]}}

                """));
        String list = entry(
                "POST",
                header("Host", "h"),
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}",
                202,
                "",
                content("text/plain", "Accepted"));
        String first =
                INITIALIZE.replace("mcp-session-id", "x-other").replaceAll("\"content\":\\{.*", "\"content\":{}}}");
        CommandRun run = CommandRun.fed(har(stream, first, list), "judge", "-");
        assertThat(run.json())
                .hasSize(7)
                .filteredOn(line -> !line.get("verdict").textValue().equals("ACCEPTED"))
                .isEmpty();
    }

    @Test
    void credentialsAreNotRead() {
        Read read = read(har(entry(
                        "POST",
                        header("Authorization", "Bearer SECRET") + "," + header("Cookie", "a=SECRET") + ","
                                + header("X-Api-Key", "SECRET") + "," + header("Mcp-Session-Id", "SECRET"),
                        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}",
                        200,
                        header("Set-Cookie", "a=SECRET") + "," + header("Mcp-Session-Id", "SECRET"),
                        content("", ""))
                .replace(
                        "http://example.com:3000/mcp",
                        "https://user:SECRET@Example.com/a/b?sessionId=SECRET&v=1&access_token=SECRET&SID=SECRET&SECRET&%6bey=SECRET"
                                + "&Key=SECRET&w=2#SECRET")));
        assertThat(read.lines()).hasSize(2);
        for (Line line : read.lines()) {
            assertThat(line.headers().toString() + new String(line.key(), UTF_8))
                    .doesNotContain("SECRET");
            assertThat(new String(line.key(), UTF_8)).matches("example\\.com-[0-9a-f]{16}");
        }
        assertThat(read.lines().get(0).headers())
                .containsEntry("parley-http-path", "/a/b")
                .containsEntry("parley-http-query", "v=1&w=2");
    }

    @ParameterizedTest
    @CsvSource({
        "http://h,h,/,",
        "HTTP://H:1?a=b,h:1,/,a=b",
        "mcp://server.py/tools/call,server.py,/tools/call,",
        "h/x?,h,/x,",
        "#a://b,'',/,",
        "'',   '',/,",
        "http://[::1]:3/%41?x={|}&token=1,[::1]:3,/%41,x={|}"
    })
    void aUrlMayHaveAnyForm(String url, String host, String path, String query) {
        Read read = read(har(CALL.replace("http://example.com:3000/mcp", url)));
        assertThat(read.err()).isEmpty();
        assertThat(read.keys().get(0)).startsWith(host + "-");
        assertThat(read.headers("parley-http-path").get(0)).isEqualTo(path);
        assertThat(read.headers("parley-http-query").get(0)).isEqualTo(query);
    }

    @Test
    void entriesThatAreNotMcpAreSkippedAndCounted() {
        String page = entry("GET", "", null, 200, "", content("text/html", "<p>\"jsonrpc\"</p>"));
        String token = entry(
                "POST",
                "",
                "grant_type=authorization_code&code=1",
                200,
                "",
                content("application/json", "{\"access_token\":\"1\"}"));
        String preflight = entry("OPTIONS", "", null, 204, header("mcp-session-id", "1"), content("", ""));
        String metadata = entry("GET", SENT, null, 200, "", content("application/json", "{\"issuer\":\"x\"}"))
                .replace("/mcp", "/.well-known/oauth-authorization-server");
        Read read = read(har(page, token, preflight, metadata, INITIALIZED));
        assertThat(read.whole()).isTrue();
        assertThat(read.err()).isEqualTo("f: skipped 4 of 5 entries, which are not MCP\n");
        assertThat(read.headers("parley-exchange")).containsExactly("5", "5");
        assertThat(read(har()).err()).isEqualTo("f: the file has no entries\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "data: A\\n\\n;A",
                "data:A\\r\\n\\r\\ndata:B\\r\\n\\r\\n;A,B",
                "data:A\\r\\rdata: B\\r\\r;A,B",
                "\\uFEFFdata: A\\n\\n;A",
                ": comment\\nid: 1\\nretry: 5\\nevent: message\\ndata: A\\n\\n;A",
                "data: {\\ndata:  1}\\n\\n;'{\n 1}'",
                "event: ping\\ndata: A\\n\\ndata: B\\n\\n;B",
                "event: ping\\nevent: message\\ndata: A\\n\\n;A",
                "event:\\ndata: A\\n\\n;A",
                "data\\n\\ndata:\\n\\ndata: \\n\\n;",
                "data: A\\n\\ndata: B\\n;A",
                "data: A\\n\\ndata: B;A",
                "dataA: x\\ndata : y\\n\\n;",
                "data: a:b\\n\\n;a:b",
                "data: ä€😀\\n\\n;ä€😀"
            })
    void aStreamIsSplitIntoItsMessages(String stream, String events) {
        for (String type : List.of("text/event-stream", "Text/Event-Stream;charset=utf-8")) {
            Read read = read(
                    har(entry("GET", SENT, null, 200, "", content(type, "@").replace("@", stream))));
            assertThat(String.join(",", read.wires().subList(1, read.wires().size())))
                    .isEqualTo(events == null ? "" : events);
        }
    }

    @Test
    void bytesComeInBase64() {
        byte[] bytes = "data: {\"jsonrpc\":\"2.0\",\"x\":\"\u00E9\"}\n\n".getBytes(ISO_8859_1);
        String base64 = "\",\"encoding\":\"base64\"";
        String text = Base64.getEncoder().encodeToString(bytes) + base64;
        Read read =
                read(har(entry("GET", "", null, 200, "", content(STREAM, "@").replace("@\"", text))));
        assertThat(read.lines().get(1).wire()).isEqualTo(Arrays.copyOfRange(bytes, 6, bytes.length - 2));

        // Chromium writes the encoding also without a body.
        Read empty = read(har(
                entry("DELETE", SENT, null, 202, "", content("x-unknown", "@").replace("@\"", base64))));
        assertThat(empty.wires()).containsExactly(null, null);
    }

    /** mitmproxy decodes a body without a charset as ISO 8859-1, although an event stream is always UTF-8. */
    @Test
    void streamsOfMitmproxyAreUtf8() {
        String written = new String("ü€".getBytes(UTF_8), ISO_8859_1);
        for (String type : List.of(STREAM, STREAM + "; charset=utf-8")) {
            String text = type.equals(STREAM) ? written : "ü€";
            String har = har(entry("GET", SENT, null, 200, "", content(type, "data: " + text + "\\n\\n")));
            assertThat(read(har.replace("WebInspector", "mitmproxy har_dump"))
                            .wires()
                            .get(1))
                    .isEqualTo("ü€");
            assertThat(read(har).wires().get(1)).isEqualTo(text);
        }
    }

    @Test
    void theTraceOfARequestIsThatOfAllRecordsOfItsEntry() {
        String trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
        String other = header("traceparent", trace.replace('4', '5'));
        String call = CALL.replaceFirst("\"headers\":\\[", "\"headers\":[" + header("TraceParent", trace) + ",")
                .replace("\"status\":200,\"headers\":[", "\"status\":200,\"headers\":[" + other);
        assertThat(read(har(call)).headers("traceparent")).containsExactly(trace, trace, trace, trace);
        assertThat(read(har(CALL)).headers("traceparent")).containsOnlyNulls();
        String page = entry("GET", other, null, 200, other, content("text/html", "<p>"));
        assertThat(read(har(page)).err()).isEqualTo("f: skipped 1 of 1 entries, which are not MCP\n");
    }

    /** As Playwright writes it with {@code content: 'attach'}: names are hashes of the content. */
    private static String attached(String request, String response, String type) {
        return entry("POST", "", "@", 200, "", "{\"size\":99,\"mimeType\":\"" + type + "\",\"_file\":" + response + "}")
                .replace("\"text\":\"@\"", "\"text\":\"\",\"params\":[],\"_file\":" + request);
    }

    private Read readFile(String har) throws IOException {
        Path file = Files.writeString(directory.resolve("x.har"), har);
        StringWriter err = new StringWriter();
        List<Line> lines = new ArrayList<>();
        try (InputStream in = Files.newInputStream(file)) {
            boolean whole =
                    Transcript.read(in, file, LIMIT, "f:", new PrintWriter(err), (number, line) -> lines.add(line));
            return new Read(whole, err.toString(), lines);
        }
    }

    @Test
    void aBodyMayBeAFileNextToTheArchive() throws IOException {
        String ping = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";
        Files.writeString(directory.resolve("0a.json"), ping);
        Files.writeString(directory.resolve("0b.dat"), "data: {\"jsonrpc\":\"2.0\",\"x\":\"é\"}\n\n");
        Read read = readFile(har(
                attached("\"0a.json\"", "\"0b.dat\"", STREAM), attached("\"0a.json\"", "\"gone.png\"", "image/png")));
        assertThat(read.err()).isEmpty();
        assertThat(read.wires()).containsExactly(ping, "{\"jsonrpc\":\"2.0\",\"x\":\"é\"}", ping, null);
        assertThat(read.headers("parley-capture")).containsExactly(null, null, null, "gap");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "../secret.json",
                "ABSOLUTE",
                "sub/secret.json",
                "sub/../own.json",
                "./own.json",
                "link.json",
                "linked/secret.json",
                "sub",
                "missing.json",
                "large.json",
                "..",
                ".",
                "\\u0000",
                ""
            })
    void nothingOutsideOfTheDirectoryOfTheArchiveIsRead(String name) throws IOException {
        directory = Files.createDirectory(directory.resolve("har"));
        Path secret = Files.writeString(
                directory.resolveSibling("secret.json"), "{\"jsonrpc\":\"2.0\",\"method\":\"secret\"}");
        Files.copy(secret, directory.resolve("own.json"));
        Files.copy(secret, Files.createDirectory(directory.resolve("sub")).resolve("secret.json"));
        Files.createSymbolicLink(directory.resolve("link.json"), secret);
        Files.createSymbolicLink(directory.resolve("linked"), directory.getParent());
        Files.writeString(directory.resolve("large.json"), " ".repeat(LIMIT + 1));
        String file = name.equals("ABSOLUTE") ? secret.toString() : name;
        for (String entry : List.of(
                attached("\"own.json\"", "\"" + file + "\"", "application/json"),
                attached("\"" + file + "\"", "\"own.json\"", "application/json"))) {
            Read read = readFile(har(entry, CALL));
            assertThat(read.whole()).isFalse();
            assertThat(read.err())
                    .startsWith("f: entry 1: ")
                    .containsAnyOf("_file must be the name", "_file cannot be read");
            assertThat(read.wires()).hasSize(4).noneMatch(wire -> wire.contains("secret"));
        }
    }

    @Test
    void aFileFromStandardInputHasNoDirectory() {
        CommandRun run = CommandRun.fed(har(attached("\"a.json\"", "\"b.json\"", "application/json")), "judge", "-");
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains("a body is in the file 'a.json'; give the HAR file by its path");
    }

    @Test
    void aBodyThatWasNotSavedIsAGap() {
        String call = CALL.replace("\"bodySize\":0", "\"bodySize\":5");
        String request = call.replaceAll("\"postData\":\\{[^@]*?\\},\"headers\"", "\"headers\"");
        String response =
                CALL.replaceAll("\"content\":\\{.*", "\"content\":{\"size\":99,\"mimeType\":\"application/json\"}}}");
        String stream =
                CALL.replaceAll("\"content\":\\{.*", "\"content\":{\"size\":0,\"mimeType\":\"text/event-stream\"}}}");
        assertThat(read(har(request)).headers("parley-capture")).containsExactly("gap", null, null, null);
        assertThat(read(har(response)).headers("parley-capture")).containsExactly(null, "gap");
        assertThat(read(har(stream)).headers("parley-capture")).containsExactly(null, "gap");
        assertThat(read(har(entry("GET", SENT, null, 200, "", content(STREAM, ""))))
                        .headers("parley-capture"))
                .containsOnlyNulls();
    }

    @Test
    void aRequestWithoutAResponseIsOneRecord() {
        for (String response : List.of(
                "\"response\":{\"status\":0,\"headers\":[],\"content\":{},\"_error\":null}}",
                "\"response\":{\"status\":-1,\"headers\":null}}",
                "\"response\":null}",
                "\"comment\":\"\"}")) {
            Read read = read(har(CALL.replaceAll("\"response\":.*", response)));
            assertThat(read.whole()).as(response).isTrue();
            assertThat(read.headers("parley-direction")).containsExactly("client-to-server");
        }
    }

    /** The method would say that the headers of MCP were absent, which is a violation in 2026-07-28. */
    @Test
    void aMessageWithoutAnyHeaderHasNoMethod() {
        Read read = read(har(CALL.replaceFirst("\"headers\":\\[[^\\]]*\\]", "\"headers\":[]")));
        assertThat(read.headers("parley-http-method").get(0)).isNull();
        assertThat(read.headers("parley-http-path").get(0)).isEqualTo("/mcp");
        assertThat(read(har(CALL)).headers("parley-http-method").get(0)).isEqualTo("POST");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "{\"log\";f: entry 1: not JSON: Unexpected end-of-input",
                "{\"log\":[]};f: the file has no entries",
                "{\"log\":{\"entries\":{}}};f: the file has no entries",
                "{\"log\":{\"pages\":[{\"entries\":[1]}]}};f: the file has no entries",
                "{\"log\":{\"entries\":[;f: entry 1: not JSON: Unexpected end-of-input",
                "{\"log\":{\"entries\":[1]}};f: entry 1: the entry must have the types of HAR 1.2",
                "{\"log\":{\"entries\":[null]}};f: entry 1: the entry must have a request with a url",
                "{\"log\":{\"entries\":[{}]}};f: entry 1: the entry must have a request with a url",
                "{\"log\":{\"entries\":[{\"request\":{\"url\":[]}}]}};f: entry 1: the entry must have the types",
                "{\"log\":{\"entries\":[{\"time\":1e999x}]}};f: entry 1: not JSON",
                "{\"log\":{\"entries\":[{\"response\":{\"status\":99999999999}}]}};f: entry 1: not JSON",
                "{\"log\":{\"entries\":[{\"response\":{\"status\":\"a\"}}]}};f: entry 1: the entry must have the types",
                "{\"log\":{\"entries\":[{\"request\":{},\"request\":{}}]}};f: entry 1: not JSON: Duplicate field",
                "{\"log\":{\"entries\":[]}}};f: entry 1: not JSON",
                "{\"log\":{\"entries\":[{\"x\":\"\u00FF\"}]}};f: entry 1: not JSON: Invalid UTF-8"
            })
    void aFileThatIsNoneSaysWhereAndWhy(String file, String says) {
        Read read = read(file.getBytes(file.contains("\u00FF") ? ISO_8859_1 : UTF_8), LIMIT);
        assertThat(read.err()).startsWith(says).doesNotContain("[Source", "dev.parley");
        assertThat(read.err().lines().filter(line -> !line.endsWith("no entries")))
                .hasSizeLessThan(2);
        assertThat(read.lines()).isEmpty();
        assertThat(read.whole()).isEqualTo(says.endsWith("no entries"));
    }

    @Test
    void anErrorInAFileOfSeveralLinesHasItsLine() {
        assertThat(read("{\n  \"log\": {\n    \"entries\": [\n" + CALL + ",\n      x")
                        .err())
                .startsWith("f: entry 1: not JSON: Unrecognized token 'x'")
                .contains(", at line 5, character ")
                .endsWith("; nothing after this place was read\n");
    }

    @Test
    void aWrongEntryDoesNotHideTheOthers() {
        String date = INITIALIZED.replace("2026-11-30T13:41:23.817+01:00", "2026-11-30T13:41:23");
        String base64 = entry(
                "GET", SENT, null, 200, "", content(STREAM, "@").replace("@\"", "**A=\",\"encoding\":\"base64\""));
        String surrogate = INITIALIZED.replace("jsonrpc", "\\ud800");
        Read read = read(har(date, base64, surrogate, INITIALIZED));
        assertThat(read.whole()).isFalse();
        assertThat(read.err().lines())
                .containsExactly(
                        "f: entry 1: startedDateTime must be ISO 8601 with a zone (2026-01-31T12:00:00Z) or milliseconds"
                                + " since 1970, but was '2026-11-30T13:41:23'",
                        "f: entry 2: text must be Base64: Illegal base64 character 2a",
                        "f: entry 3: text must have no unpaired surrogate");
        assertThat(read.headers("parley-exchange")).containsExactly("4", "4");

        CommandRun run = CommandRun.fed(har(date, INITIALIZED), "judge", "-");
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.json()).extracting(line -> line.get("line").intValue()).containsExactly(1, 2);
    }

    @Test
    void anEntryIsBoundedAndTheFileIsNot() {
        String[] entries = new String[100];
        Arrays.fill(entries, CALL);
        assertThat(har(entries).length()).isGreaterThan(10 * LIMIT);
        assertThat(read(har(entries)).lines()).hasSize(400);

        for (String large : List.of(
                CALL.replace("notifications", "n".repeat(20_000)),
                CALL.replace("\"headers\":[", "\"headers\":[" + "{},".repeat(9_000)),
                CALL.replace("\"time\"", "\"x\":" + "[".repeat(900) + " ".repeat(20_000)))) {
            Read read = read(har(CALL, large, CALL));
            assertThat(read.whole()).isFalse();
            assertThat(read.err())
                    .isEqualTo("f: entry 2: an entry must have at most 4000 bytes; remove it; nothing after"
                            + " this place was read\n");
            assertThat(read.lines()).hasSize(4);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\uFEFF", " \r\n\t"})
    void whiteSpaceAndAByteOrderMarkMayPrecedeTheFile(String before) {
        assertThat(read(before + "{ \n \"log\" :" + har(CALL).substring("{\"log\":".length()))
                        .lines())
                .hasSize(4);
    }

    @Test
    void anyFileIsReadOrRefused() {
        long seed = Long.getLong("parley.seed", System.nanoTime());
        Random random = new Random(seed);
        byte[] bits = "{}[]\":,\\u0d8 nulltrue-1.5e9\0".getBytes(UTF_8);
        for (int round = 0; round < ROUNDS; round++) {
            byte[] file = har(INITIALIZE, CALL).getBytes(UTF_8);
            file = random.nextInt(8) == 0 ? Arrays.copyOf(file, random.nextInt(file.length)) : file;
            for (int i = random.nextInt(4); i > 0 && file.length > 8; i--) {
                file[8 + random.nextInt(file.length - 8)] =
                        random.nextBoolean() ? bits[random.nextInt(bits.length)] : (byte) random.nextInt(256);
            }
            Read read;
            try {
                read = read(file, LIMIT);
            } catch (RuntimeException e) {
                throw new AssertionError("parley.seed=" + seed + " file " + new String(file, ISO_8859_1), e);
            }
            assertThat(read.whole() || !read.err().isEmpty())
                    .as("parley.seed=" + seed)
                    .isTrue();
        }
    }

    private static String har(String... entries) {
        return "{\"log\":{\"version\":\"1.2\",\"creator\":{\"name\":\"WebInspector\",\"version\":\"537.36\"},\"pages\":[],"
                + "\"entries\":[" + String.join(",", entries) + "]}}";
    }

    private static String entry(String method, String sent, String body, int status, String received, String content) {
        return "{\"startedDateTime\":\"2026-11-30T13:41:23.817+01:00\",\"time\":8.283,\"_initiator\":{\"type\":\"script\"},"
                + "\"cache\":{},\"timings\":{\"send\":0,\"wait\":8},\"request\":{\"method\":\"" + method
                + "\",\"url\":\"http://example.com:3000/mcp\",\"httpVersion\":\"HTTP/1.1\",\"cookies\":[],\"bodySize\":0,"
                + (body == null ? "" : "\"postData\":" + content("application/json", body) + ",") + "\"headers\":["
                + sent + "]},\"response\":{\"status\":" + status + ",\"headers\":[" + received + "],\"content\":"
                + content
                + "}}";
    }

    private static String content(String type, String text) {
        String escaped = text.replace("\"", "\\\"").replace("\n", "\\n");
        return "{\"size\":0,\"mimeType\":\"" + type + "\",\"text\":\"" + escaped + "\"}";
    }

    private static String header(String name, String value) {
        return "{\"name\":\"" + name + "\",\"value\":\"" + value + "\"}";
    }

    private static Read read(String file) {
        return read(file.getBytes(UTF_8), LIMIT);
    }

    private static Read read(byte[] file, int limit) {
        StringWriter err = new StringWriter();
        List<Line> lines = new ArrayList<>();
        try {
            boolean whole = Transcript.read(
                    new ByteArrayInputStream(file), null, limit, "f:", new PrintWriter(err), (number, line) -> {
                        lines.add(line);
                        assertThat(number).isEqualTo(lines.size());
                    });
            return new Read(whole, err.toString(), lines);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
