package dev.parley.logging;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.OutputStreamAppender;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URL;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;

/** Over each format of the shipped configuration. */
class LogLimiterTest {

    private static final int FLOOD = 10_000;

    private final LoggerContext context = new LoggerContext();
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private final PrintStream standardError = System.err;

    @AfterEach
    void stop() {
        context.stop();
        System.setErr(standardError);
    }

    @ParameterizedTest
    @ValueSource(strings = {"text", "json"})
    void aFloodOfOneLoggerIsCountedAndOthersAreLogged(String format) throws Exception {
        configure(format);
        Logger library = context.getLogger("org.eclipse.jetty.server.Server");
        for (int i = 0; i < FLOOD; i++) {
            library.warn("Invalid host {}", "x".repeat(100));
            library.atWarn().addKeyValue("offset", i).log("Invalid host");
            context.getLogger("dev.parley.Example").error("Request failed");
        }
        library.error("Another level");
        context.getLogger("dev.parley.Other").info("Once");

        assertThat(count("Invalid host")).isEqualTo(LogLimiter.MAX_EVENTS);
        assertThat(count("Request failed")).isEqualTo(LogLimiter.MAX_EVENTS);
        assertThat(count("Another level")).isOne();
        assertThat(count("Once")).isOne();
        await("a notice at once").until(() -> count("more than 30 events in a minute") == 2);

        limiter().endInterval();
        assertThat(written.toString(UTF_8))
                .contains("WARN of org.eclipse.jetty.server.Server: suppressed 19970 events")
                .contains("ERROR of dev.parley.Example: suppressed 9970 events");

        library.warn("Invalid host");
        assertThat(count("Invalid host")).as("the next interval").isEqualTo(LogLimiter.MAX_EVENTS + 1);
        limiter().endInterval();
        assertThat(count("suppressed")).as("nothing more").isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"text", "json"})
    void informationIsLimitedWhereClientsCauseIt(String format) throws Exception {
        configure(format);
        for (int i = 0; i < 100; i++) {
            context.getLogger("dev.parley.Example").info("Started");
            context.getLogger("dev.parley.server.Example").info("Redriven");
        }
        assertThat(count("Started")).isEqualTo(100);
        assertThat(count("Redriven")).isEqualTo(LogLimiter.MAX_EVENTS);

        limiter().endInterval();
        assertThat(written.toString(UTF_8)).contains("INFO of dev.parley.server.Example: suppressed 70 events");
    }

    @ParameterizedTest
    @ValueSource(strings = {"text", "json"})
    void aTextIsTruncatedAtAWholeCharacter(String format) throws Exception {
        configure(format);
        for (String unit : List.of("x", "\"", "\\", "\u0001", "\u2028", "\uD83D\uDE80")) {
            for (String before : List.of("", "a", "ab", "abc", "abcd", "abcde")) {
                written.reset();
                String text = before + unit.repeat(60_000 / unit.length());
                IllegalStateException failure = new IllegalStateException(text, new IOException(text));
                failure.setStackTrace(new StackTraceElement[0]);
                failure.getCause().setStackTrace(new StackTraceElement[0]);
                context.getLogger("dev.parley.Example")
                        .atInfo()
                        .addKeyValue("name", text)
                        .setCause(failure)
                        .log(text);
                String line = written.toString(UTF_8);
                assertThat(line)
                        .hasSizeLessThan(4 * LogText.MAX_CHARACTERS + 1_000)
                        .contains(" characters omitted)")
                        .doesNotContain("\uFFFD", "?");
                if (format.equals("json")) {
                    assertThat(new ObjectMapper()
                                    .readTree(line)
                                    .path("formattedMessage")
                                    .asText())
                            .startsWith(text.substring(0, 500))
                            .endsWith(" characters omitted)");
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"text", "json"})
    void invalidRequestsAreNotLogged(String format) throws Exception {
        configure(format);
        context.getLogger("org.eclipse.jetty.http.HttpParser").warn("Multiple Host headers: {}", "x");
        context.getLogger("org.eclipse.jetty.util.HostPort").warn("Bad Authority: {}", "x");
        assertThat(written.toString(UTF_8)).isEmpty();
    }

    private void configure(String format) throws Exception {
        System.setErr(new PrintStream(written, true, UTF_8));
        context.setMDCAdapter(new LogbackMDCAdapter());
        context.putProperty("PARLEY_LOG_FORMAT", format);
        JoranConfigurator configurator = new JoranConfigurator();
        configurator.setContext(context);
        URL shipped = LogLimiter.class.getResource("/logback.xml");
        configurator.doConfigure(shipped);
    }

    private LogLimiter limiter() {
        OutputStreamAppender<?> appender = (OutputStreamAppender<?>)
                context.getLogger(Logger.ROOT_LOGGER_NAME).getAppender("STDERR");
        return (LogLimiter) appender.getCopyOfAttachedFiltersList().get(0);
    }

    private long count(String text) {
        return Pattern.compile(text, Pattern.LITERAL)
                .matcher(written.toString(UTF_8))
                .results()
                .count();
    }
}
