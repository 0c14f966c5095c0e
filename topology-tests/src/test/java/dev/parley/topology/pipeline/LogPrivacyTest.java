package dev.parley.topology.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.streams.errors.ErrorHandlerContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** The log never contains messages of agents, whatever their verdict. */
class LogPrivacyTest extends AbstractPipelineTest {
    private static final String MARKER = "XyzzyPlugh";

    private final ListAppender<ILoggingEvent> events = new ListAppender<>();
    private final Map<Logger, Level> levels = new HashMap<>();

    @BeforeEach
    void listen() {
        for (String name : List.of("dev.parley", "org.apache.kafka", "io.confluent")) {
            Logger logger = (Logger) LoggerFactory.getLogger(name);
            levels.put(logger, logger.getLevel());
            logger.setLevel(Level.INFO);
            logger.setAdditive(false);
            logger.addAppender(events);
        }
        // Threads of other tests log as well.
        events.list = new CopyOnWriteArrayList<>();
        events.start();
        start();
    }

    @AfterEach
    void listenNoLonger() {
        levels.forEach((logger, level) -> {
            logger.detachAppender(events);
            logger.setAdditive(true);
            logger.setLevel(level);
        });
    }

    @Test
    void messagesOfAgentsAreNotLogged() {
        debug("dev.parley");
        pipeline.send(InputRecord.patch("ctx", "P1", "C0", "C1", "+ DEF A = " + MARKER));
        pipeline.send(InputRecord.patch("ctx", "P1", "C0", "C1", "+ DEF A = " + MARKER));
        pipeline.send(InputRecord.patch("ctx", "P2", "C1", "C2", "- DEF " + MARKER));
        pipeline.send(InputRecord.patch("ctx", "P3", "C9", "C10", "+ DEF A = " + MARKER));
        pipeline.send(InputRecord.text(MARKER));
        pipeline.send(InputRecord.text("SLIP " + MARKER).to("parley.wire.slip"));
        pipeline.send(InputRecord.text("@CSP/1\nID P4\n" + MARKER).to("parley.wire.csp"));
        pipeline.send(InputRecord.text("Λ " + MARKER).to("parley.wire.lambda"));
        pipeline.send(InputRecord.text("{\"" + MARKER + "\":1}").to("parley.wire.subit"));
        assertThat(pipeline.audit()).hasSizeGreaterThanOrEqualTo(8);
        assertThat(text()).contains("UNDECODABLE").doesNotContain(MARKER);
    }

    @Test
    void failureThatQuotesAMessageIsLoggedWithoutIt() {
        fail();
        assertThat(text()).contains("IllegalStateException at dev.parley.").doesNotContain(MARKER);
        assertThat(events.list)
                .filteredOn(event -> event.getLoggerName().equals(DeadLetterExceptionHandler.class.getName()))
                .singleElement()
                .satisfies(event -> assertThat(event.getKeyValuePairs())
                        .extracting(pair -> pair.key + "=" + pair.value)
                        .contains("topic=parley.wire", "partition=3", "offset=17"));
    }

    @Test
    void debugLogContainsStackTraces() {
        debug("dev.parley");
        fail();
        assertThat(text()).contains(MARKER);
    }

    private void fail() {
        events.list.clear();
        ErrorHandlerContext context = (ErrorHandlerContext) Proxy.newProxyInstance(
                LogPrivacyTest.class.getClassLoader(),
                new Class<?>[] {ErrorHandlerContext.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "topic" -> "parley.wire";
                    case "partition" -> 3;
                    case "offset" -> 17L;
                    case "timestamp" -> 0L;
                    default -> null;
                });
        DeadLetterExceptionHandler handler = new DeadLetterExceptionHandler();
        handler.configure(Map.of(DeadLetterExceptionHandler.TOPIC, "parley.dlq.internal.v1"));
        handler.handleError(
                context,
                new ConsumerRecord<>("parley.wire", 3, 17, null, MARKER.getBytes(StandardCharsets.UTF_8)),
                new IllegalStateException("cannot read " + MARKER));
    }

    private void debug(String name) {
        ((Logger) LoggerFactory.getLogger(name)).setLevel(Level.DEBUG);
    }

    /** All that was logged, as the JSON encoder writes it: messages, keys and values, exceptions. */
    private String text() {
        JsonEncoder encoder = new JsonEncoder();
        encoder.setWithFormattedMessage(true);
        encoder.start();
        StringBuilder text = new StringBuilder();
        events.list.forEach(event -> text.append(new String(encoder.encode(event), StandardCharsets.UTF_8)));
        return text.toString();
    }
}
