package dev.parley.logging;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.joran.spi.JoranException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.codec.ControlCharacters;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks with the shipped configuration that no name and no exception message can forge a log line. */
class LogInjectionTest {

    private static final String FORGED = "12:00:00.000 INFO  dev.parley - forged";
    private static final String FORGED_JSON = "{\"level\":\"INFO\",\"formattedMessage\":\"forged\"}";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a\n" + FORGED,
                "a\r\n" + FORGED,
                "a\r" + FORGED,
                "a\u0085" + FORGED,
                "a\u2028" + FORGED,
                "a\u2029" + FORGED,
                "a\u000B" + FORGED,
                "a\f" + FORGED,
                "a\u001b[2K\u001b[1A" + FORGED,
                "a\u009b2K" + FORGED,
                "a\b\b\b\u0000\u007f" + FORGED,
                "a\u202e\u2066\u200f\u00ad\ufeff" + FORGED,
                "a\n" + FORGED_JSON,
                "a\"}\n" + FORGED_JSON
            })
    void aHostileNameIsOneLineInPlainAndJsonLogs(String name) throws IOException {
        String text = logged("text", name);

        assertThat(unsafe(text)).isEmpty();
        List<String> lines = text.lines().toList();
        assertThat(lines.get(0)).contains("conversation a").endsWith("\"");
        assertThat(lines.subList(1, lines.size()))
                .allMatch(line -> line.startsWith("\t")
                        || line.startsWith("java.lang.IllegalStateException: a")
                        || line.startsWith("Caused by: java.io.IOException: a"));
        assertThat(text).contains("Suppressed: java.io.IOException: a");

        String json = logged("json", name);
        assertThat(unsafe(json)).isEmpty();
        assertThat(json.lines()).hasSize(1);
        JsonNode event = new ObjectMapper().readTree(json);
        assertThat(event.path("formattedMessage").asText()).isEqualTo("conversation " + name);
        assertThat(event.at("/throwable/message").asText()).isEqualTo(name);
    }

    @Test
    void otherStringsAreLoggedUnchanged() {
        String text = "Λ: „größer“ 语言 \uD83D\uDE80 \\n {\"a\":1}";
        assertThat(ControlCharacters.escape(text)).isSameAs(text);
        assertThat(ControlCharacters.escapeLines("a\n\tb\r\n")).isEqualTo("a\n\tb\\u000d\n");
    }

    @Test
    void namesThatLookEqualAreTold() {
        assertThat(ControlCharacters.escape("A\u3164")).isEqualTo("A\\u3164");
        assertThat(ControlCharacters.escape("A\u2800B\udb40\udc41")).isEqualTo("A\\u2800B\\udb40\\udc41");
        String emoji = "\uD83E\uDDD1\u200D\uD83D\uDE80 \u2764\uFE0F";
        assertThat(ControlCharacters.escape(emoji)).isSameAs(emoji);
        assertThat(ControlCharacters.escapeLines("a\n\u3164\tb")).isEqualTo("a\n\\u3164\tb");
    }

    /** Unsafe characters of the output, without the line feeds and tabs of the layout. */
    private static List<Integer> unsafe(String output) {
        return output.chars()
                .filter(c -> c != '\n' && c != '\t')
                .filter(c -> Character.isISOControl(c)
                        || List.of((int) Character.LINE_SEPARATOR, (int) Character.PARAGRAPH_SEPARATOR, (int)
                                        Character.FORMAT)
                                .contains(Character.getType(c)))
                .boxed()
                .toList();
    }

    /** The output of the shipped configuration. */
    private static String logged(String format, String name) {
        PrintStream before = System.err;
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        LoggerContext context = new LoggerContext();
        context.setMDCAdapter(new LogbackMDCAdapter());
        try {
            System.setErr(new PrintStream(output, true, UTF_8));
            context.putProperty("PARLEY_LOG_FORMAT", format);
            JoranConfigurator configurator = new JoranConfigurator();
            configurator.setContext(context);
            configurator.doConfigure(LogInjectionTest.class.getResource("/logback.xml"));
            Logger logger = context.getLogger("dev.parley.Test");
            IllegalStateException failure = new IllegalStateException(name, new IOException(name));
            failure.addSuppressed(new IOException(name));
            logger.atInfo().addKeyValue("sender", name).setCause(failure).log("conversation {}", name);
        } catch (JoranException e) {
            throw new AssertionError(e);
        } finally {
            context.stop();
            System.setErr(before);
        }
        return output.toString(UTF_8);
    }
}
