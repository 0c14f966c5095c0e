package dev.parley.codec.jsonrpc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.Capture;
import dev.parley.avro.CaptureDirection;
import dev.parley.codec.RecordHeaders;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CaptureHeadersTest {
    private static Capture read(Map<String, String> headers) {
        return CaptureHeaders.read(RecordHeaders.ofText(headers)).capture();
    }

    @ParameterizedTest
    @CsvSource({
        "parley-direction, true, false",
        "parley-http-status, true, false",
        "mcp-session-id, true, false",
        "mcp-param-region, true, false",
        "mcp-param-, true, false",
        "mcp-paramregion, false, false",
        "parley-sender, false, false",
        "authorization, false, false",
        "parley-caller, true, true",
        "parley-caller-proof, true, true",
        "parley-delegation, true, true"
    })
    void headersOfACaptureHaveNamesAndSomeStateCallers(String name, boolean isNamed, boolean isCaller) {
        assertThat(CaptureHeaders.isNamed(name)).isEqualTo(isNamed);
        assertThat(CaptureHeaders.isCaller(name)).isEqualTo(isCaller);
    }

    @Test
    void aMarkARequestOrAResponseOfHttpMayHaveNoBody() {
        assertThat(CaptureHeaders.allowNoBody(Set.of("parley-capture"))).isTrue();
        assertThat(CaptureHeaders.allowNoBody(Set.of("parley-http-method"))).isTrue();
        assertThat(CaptureHeaders.allowNoBody(Set.of("parley-http-status"))).isTrue();
        assertThat(CaptureHeaders.allowNoBody(Set.of("parley-direction", "parley-http-path")))
                .isFalse();
    }

    @Test
    void aHeaderMayRepeatAParameterOfTheBody() {
        assertThat(CaptureHeaders.parameter("mcp-name")).isEqualTo("name");
        assertThat(CaptureHeaders.parameter("mcp-param-region")).isEqualTo("region");
        assertThat(CaptureHeaders.parameter("mcp-method")).isNull();
    }

    @ParameterizedTest
    @CsvSource({"0, true", "9, true", "a, true", "f, true", "/, false", ":, false", "`, false", "g, false", "A, false"})
    void onlyLowerCaseHexadecimalDigitsAreAHash(String digit, boolean isHash) {
        for (String session : new String[] {digit.repeat(64), digit + "0".repeat(63), "0".repeat(63) + digit}) {
            String stored =
                    read(Map.of("mcp-session-id", session)).getFields().get(0).getValue();
            assertThat(stored.equals(session)).isEqualTo(isHash);
            assertThat(stored).hasSize(64);
        }
    }

    @Test
    void aHashHas64Digits() {
        for (String session : new String[] {"", "a".repeat(63), "a".repeat(65)}) {
            assertThat(read(Map.of("mcp-session-id", session))
                            .getFields()
                            .get(0)
                            .getValue())
                    .hasSize(64)
                    .isNotEqualTo("a".repeat(64));
        }
    }

    @Test
    void absentValuesAreIgnored() {
        Map<String, byte[]> headers = new LinkedHashMap<>();
        headers.put("parley-direction", null);
        headers.put("mcp-method", null);
        headers.put("parley-capture", new byte[0]);
        headers.put("parley-caller", new byte[0]);
        headers.put("exchange", "7".getBytes(UTF_8));
        headers.put("parley-other", "7".getBytes(UTF_8));
        CaptureHeaders read = CaptureHeaders.read(RecordHeaders.of(headers));
        assertThat(read.capture()).isNull();
        assertThat((Object) read.error()).isNull();
        headers.put("mcp-method", new byte[0]);
        Capture capture = CaptureHeaders.read(RecordHeaders.of(headers)).capture();
        assertThat(CaptureHeaders.headers(capture)).isEqualTo(Map.of("mcp-method", ""));
    }

    @Test
    void theFirstInvalidHeaderIsNamed() {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("parley-http-status", "x".repeat(8_193));
        headers.put("parley-capture", "middle");
        headers.put("parley-direction", "client-to-server");
        CaptureHeaders read = CaptureHeaders.read(RecordHeaders.ofText(headers));
        assertThat(read.error().detail()).isEqualTo("header parley-http-status must be a number from 100 to 599");
        assertThat(read.capture().getDirection()).isEqualTo(CaptureDirection.CLIENT_TO_SERVER);
    }

    @ParameterizedTest
    @CsvSource({"100, 100", "599, 599"})
    void aStatusIsKept(String status, int number) {
        assertThat(read(Map.of("parley-http-status", status)).getHttpStatus()).isEqualTo(number);
    }

    @Test
    void aNameOfMoreThan256CharactersIsAnotherHeader() {
        String name = "mcp-param-" + "x".repeat(246);
        assertThat(read(Map.of(name, "1")).getFields()).hasSize(1);
        assertThat(read(Map.of(name + "x", "1"))).isNull();
    }
}
