package dev.parley.tap;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MaskedRecordsTest {
    private static final byte[] KEY = "0123456789abcdef0123456789abcdef".getBytes(UTF_8);

    @TempDir
    private Path directory;

    private final ListReceiver receiver = new ListReceiver();

    private Captured masked(String rules, String json, Map<String, String> headers) throws Exception {
        return masked(KEY, rules, json == null ? null : json.getBytes(UTF_8), headers);
    }

    private Captured masked(byte[] key, String rules, byte[] value, Map<String, String> headers) throws Exception {
        Path file = Files.writeString(directory.resolve("rules"), rules);
        return new Masking(receiver, Masking.rules(file.toString()), key)
                .masked(new Captured("s", value, headers, 1, null));
    }

    private String text(String rules, String json) throws Exception {
        return new String(masked(rules, json, Map.of()).value(), UTF_8);
    }

    private static byte[] hmac(byte[] key, byte[] bytes) throws Exception {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        return mac.doFinal(bytes);
    }

    private static String marker(String value) throws Exception {
        return "[masked:"
                + HexFormat.of().formatHex(hmac(KEY, value.getBytes(UTF_8))).substring(0, 24) + "]";
    }

    @Test
    void equalValuesHaveEqualMarkersUnderOneKey() throws Exception {
        String json = "{\"id\":1,\"params\":{\"token\":\"t\",\"x\":{\"token\":\"t\"},\"y\":{\"token\":\"u\"}}}";

        assertThat(text("default", json))
                .isEqualTo(json.replace("\"t\"", '"' + marker("t") + '"').replace("\"u\"", '"' + marker("u") + '"'));
        assertThat(masked("another key, of 32 characters ..".getBytes(UTF_8), "default", json.getBytes(UTF_8), Map.of())
                        .value())
                .asString(UTF_8)
                .doesNotContain(marker("t"), marker("u"))
                .contains("[masked:");
    }

    @Test
    void theHeaderCommitsToTheBytesOfTheOriginal() throws Exception {
        byte[] original = "{\"params\": {\"password\":\"p\"}}".getBytes(UTF_8);
        Captured masked = masked(KEY, "default", original, Map.of());

        byte[] opening = hmac(KEY, original);
        assertThat(masked.headers())
                .containsEntry("parley-original", HexFormat.of().formatHex(hmac(opening, original)));
        Captured whole = masked("default", "{\"params\":{\"card\":\"p\"}}", Map.of());
        assertThat(whole.headers()).isEmpty();
    }

    @Test
    void whatTheRulesOfMcpReadStays() throws Exception {
        String json = "{\"jsonrpc\":\"2.0\",\"id\":12345,\"method\":\"m12345\",\"params\":{\"name\":\"n12345\","
                + "\"_meta\":{\"progressToken\":12345},\"requestId\":12345,\"arguments\":{\"a\":12345}},"
                + "\"result\":{\"tools\":[{\"name\":\"n12345\"}]},\"error\":{\"code\":-32600,\"message\":\"12345\"}}";

        assertThat(text("pattern:\\d{5} key:id key:method key:params key:result key:error key:meta", json))
                .isEqualTo(json.replace("{\"a\":12345}", "{\"a\":\"" + marker("12345") + "\"}")
                        .replace("\"message\":\"12345\"", "\"message\":\"" + marker("12345") + "\""));
    }

    @Test
    void aMarkerThatAnAgentWritesIsMasked() throws Exception {
        String forged = "[masked:0123456789abcdef01234567]";

        assertThat(text("default", "{\"params\":{\"a\":\"" + forged + "\"}}"))
                .isEqualTo("{\"params\":{\"a\":\"" + marker("[masked:") + forged.substring(8) + "\"}}");
    }

    @Test
    void aLineThatIsNoJsonIsReplacedWholeIfItMayContainASecret() throws Exception {
        assertThat(text("default", "{\"password\":\"p")).isEqualTo(marker("{\"password\":\"p"));
        assertThat(text("default", "{\"x\":\"p")).isEqualTo("{\"x\":\"p");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "parley-http-query | a=1&mail=x%40example.org&&b | a=1&mail=#x@example.org#&&b",
                "parley-http-query | pass%77ord=1%&a | pass%77ord=#1%#&a",
                "parley-http-path | /users/x@example.org | #/users/x@example.org#",
                "mcp-param-password | zq | #zq#",
                "mcp-param-to | =?base64?eEBleGFtcGxlLm9yZw==?= | #x@example.org#",
                "mcp-param-to | =?base64?? | =?base64??",
                "mcp-param-region | eu | eu",
                "mcp-name | file://x@example.org | #file://x@example.org#",
                "mcp-session-id | x@example.org | x@example.org",
                "parley-caller | x@example.org | x@example.org"
            })
    void copiesOfHeadersAndTheQueryAreMaskedWhereARuleHits(String name, String value, String expected)
            throws Exception {
        Captured masked = masked("default", null, Map.of(name, value));

        int from = expected.indexOf('#');
        int to = expected.lastIndexOf('#');
        String text = from < 0
                ? expected
                : expected.substring(0, from) + marker(expected.substring(from + 1, to)) + expected.substring(to + 1);
        assertThat(masked.headers()).containsEntry(name, text);
        assertThat(masked.headers().containsKey("parley-original")).isEqualTo(from >= 0);
        assertThat(masked.value()).isNull();
    }

    @Test
    void aQueryThatGrowsBeyondTheLimitIsMaskedWhole() throws Exception {
        String query = "m=a@b.cd&".repeat(900);

        assertThat(masked("default", null, Map.of("parley-http-query", query)).headers())
                .containsEntry("parley-http-query", marker(query));
    }

    @Test
    void aHeaderThatRepeatsAMaskedValueIsMaskedToo() throws Exception {
        String base64 = "=?base64?" + Base64.getEncoder().encodeToString("4111".getBytes(UTF_8)) + "?=";
        Captured masked = masked(
                "path:$.params.arguments.card",
                "{\"params\":{\"name\":\"pay\",\"arguments\":{\"card\":\"4111\"}}}",
                Map.of("mcp-method", "tools/call", "mcp-name", "pay", "mcp-param-card", base64, "mcp-param-x", "4"));

        assertThat(masked.headers())
                .containsEntry("mcp-param-card", marker("4111"))
                .containsEntry("mcp-param-x", "4")
                .containsEntry("mcp-name", "pay");
    }

    @Test
    void anEmptyOrShortMaskedValueMasksNoNameThatContainsIt() throws Exception {
        Map<String, String> headers = Map.of(
                "mcp-method", "tools/call", "mcp-name", "read_file", "mcp-param-x", "", "parley-http-query", "a&b=");

        assertThat(masked("default", "{\"params\":{\"password\":\"\",\"token\":{\"r\":\"e\"}}}", headers)
                        .headers())
                .containsAllEntriesOf(headers);
    }

    @Test
    void aMessageThatGrowsBeyondTheLimitIsAGap() throws Exception {
        StringBuilder json = new StringBuilder("{\"params\":[{\"token\":1}");
        for (int i = 0; i < 60_000; i++) {
            json.append(",{\"token\":1}");
        }
        Captured grown = new Captured("s", json.append("]}").toString().getBytes(UTF_8), Map.of(), 1, null);
        Captured small =
                new Captured("s", "{}".getBytes(UTF_8), Map.of("parley-direction", "server-to-client"), 2, null);
        Path file = Files.writeString(directory.resolve("rules"), "default");
        Masking masking = new Masking(receiver, Masking.rules(file.toString()), KEY);

        assertThat(masking.deliver(new Batch("b", List.of(grown, small)))).isEmpty();
        assertThat(receiver.lines()).containsExactly("<gap", "< {}");
        assertThat(receiver.records.get(0).headers().get(Loss.HEADER))
                .startsWith("records=1 bytes=" + grown.length() + " ");
    }

    @Test
    void aBatchOfDenseMessagesGrowsByABoundAndTheOthersPass() throws Exception {
        List<Captured> batch = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            String json = "{\"params\":[" + "{\"token\":1},".repeat(4_000) + "0]}";
            batch.add(new Captured("dense", json.getBytes(UTF_8), Map.of(), i, null));
            batch.add(new Captured("plain", "{}".getBytes(UTF_8), Map.of(), i, null));
        }
        Path file = Files.writeString(directory.resolve("rules"), "default");
        Masking masking = new Masking(receiver, Masking.rules(file.toString()), KEY);

        assertThat(masking.deliver(new Batch("b", batch))).isEmpty();

        assertThat(receiver.records).hasSize(40);
        assertThat(receiver.records)
                .filteredOn(record -> record.headers().containsKey(Loss.HEADER))
                .isNotEmpty()
                .allMatch(record -> record.session().equals("dense"));
        assertThat(receiver.records.stream().mapToLong(Captured::bytes).sum()
                        - batch.stream().mapToLong(Captured::bytes).sum())
                .isLessThan(Batch.MAX_BYTES);
    }

    /** JSON in strings in JSON: the reader recurs for each level. */
    @Test
    void deepMessagesDoNotEndTheThreadOfTheOutbox() throws Exception {
        String json = "\"x\"";
        for (int strings = 0; strings < 5; strings++) {
            json = "[".repeat(99) + json + "]".repeat(99);
            json = '"' + json.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
        }
        Path rules = Files.writeString(directory.resolve("rules"), "default");
        Masking masking = new Masking(receiver, Masking.rules(rules.toString()), KEY);
        SessionFile file = SessionFile.create(directory.resolve("state"), "tap-test");
        Outbox outbox = new Outbox(() -> masking, Map.of(), Map.of(), file, 4 << 20, false);

        for (String value : List.of("{\"a\":" + json + "}", "[".repeat(500_000), "{}")) {
            outbox.offer("s", Direction.CLIENT_TO_SERVER, value.getBytes(UTF_8), Map::of);
        }
        outbox.close(Duration.ofSeconds(60));

        assertThat(receiver.records).hasSize(3);
    }

    private Receiver opened(String... arguments) throws Exception {
        List<String> all =
                new ArrayList<>(List.of("--state", directory.resolve("state").toString()));
        all.addAll(List.of(arguments));
        return Masking.of(new TapOptions(all, 0, Set.of()), () -> receiver).open();
    }

    @Test
    void theKeyIsGeneratedOnceForItsOwner() throws Exception {
        Captured record = new Captured("s", "{\"token\":\"t\"}".getBytes(UTF_8), Map.of(), 1, null);
        byte[] first = ((Masking) opened("--mask", "default")).masked(record).value();
        byte[] second = ((Masking) opened("--mask", "default")).masked(record).value();

        assertThat(second).isEqualTo(first);
        Path key = directory.resolve("state").resolve("mask.key");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(key)))
                .isEqualTo("rw-------");
        assertThat(Files.readString(key)).matches("[0-9a-f]{64}\n");
        byte[] third = ((Masking) opened("--mask=default", "--mask-key-file=" + key))
                .masked(record)
                .value();
        assertThat(third).isEqualTo(first);
    }

    @Test
    void theOptionsOfAWrappedServerNameFilesFromAnywhere() throws Exception {
        List<String> options = List.of("--mask=default", "--mask-key-file=k", "--spool=s", "--spool-size=16");
        List<String> file = List.of("--mask", "rules");

        assertThat(new TapOptions(options, 0, Set.of()).absolute())
                .containsExactly(
                        "--mask",
                        "default",
                        "--mask-key-file",
                        Path.of("k").toAbsolutePath().toString(),
                        "--spool",
                        Path.of("s").toAbsolutePath().toString(),
                        "--spool-size",
                        "16");
        assertThat(new TapOptions(file, 0, Set.of()).absolute().get(1))
                .isEqualTo(Path.of("rules").toAbsolutePath().toString());
    }

    @Test
    void wrongRulesAndKeysAreClearErrors() throws IOException {
        String empty = Files.writeString(directory.resolve("empty"), " ").toString();
        String wrong =
                Files.writeString(directory.resolve("wrong"), "default\nkeys:x").toString();

        assertThatThrownBy(() -> opened("--mask", empty)).hasMessageEndingWith("empty has no rules");
        assertThatThrownBy(() -> opened("--mask", wrong)).hasMessageContaining("wrong: at character 9: a rule must be");
        assertThatThrownBy(() -> opened("--mask", "/none")).hasMessageContaining("--mask /none cannot be read");
        assertThatThrownBy(() -> opened("--mask=default", "--mask-key-file=" + empty))
                .hasMessageContaining("must have at least 32 characters");
        assertThatThrownBy(() -> new TapOptions(List.of("--mask-key-file", empty), 0, Set.of()).check())
                .hasMessage("--mask-key-file requires --mask");
    }
}
