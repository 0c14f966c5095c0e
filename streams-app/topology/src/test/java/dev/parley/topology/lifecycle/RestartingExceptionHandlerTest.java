package dev.parley.topology.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.security.cert.CertificateExpiredException;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.rocksdb.RocksDBException;
import org.slf4j.LoggerFactory;

class RestartingExceptionHandlerTest {
    private final ListAppender<ILoggingEvent> events = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger(RestartingExceptionHandler.class);

    @BeforeEach
    void listen() {
        logger.setLevel(Level.INFO);
        events.start();
        logger.addAppender(events);
    }

    @AfterEach
    void listenNoLonger() {
        logger.detachAppender(events);
        logger.setLevel(null);
    }

    @Test
    void aStopEndsThePauseAndTheThreadIsNotStartedAgain() {
        assertThat(stopped(new StreamsException(new TimeoutException("brokers are slow"))))
                .isEqualTo(StreamThreadExceptionResponse.SHUTDOWN_CLIENT);
        assertThat(said()).contains("pipeline failed: TimeoutException: brokers are slow");
    }

    @Test
    void aSentenceEndsWithOnePeriod() {
        stopped(new StreamsException(new UnknownTopicOrPartitionException("This server does not host this topic.")));
        assertThat(said()).endsWith("does not host this topic. Restarting in 1 s.");
    }

    @Test
    void contentOfMessagesIsNotLoggedWithAFailure() {
        stopped(new StreamsException("at P1", new IllegalStateException("patch P1 says secret")));
        assertThat(said()).contains("IllegalStateException at dev.parley.").doesNotContain("secret", "P1");
    }

    @Test
    void aCertificateIsNamedWithItsFault() {
        stopped(new StreamsException(
                new SslAuthenticationException("handshake", new CertificateExpiredException("NotAfter: Monday"))));
        assertThat(said()).contains("CertificateExpiredException: NotAfter: Monday. Restarting");
    }

    @Test
    void damagedStateHasARemedy() {
        stopped(new ProcessorStateException("store", new RocksDBException("block checksum mismatch for P1")));
        assertThat(said())
                .contains("RocksDBException", "restart the instance, which deletes damaged state")
                .doesNotContain("P1");
    }

    @Test
    void addedPartitionsHaveARemedy() {
        stopped(new StreamsException("Existing internal topic t has invalid partitions: expected: 3; actual: 2."));
        assertThat(said())
                .contains("expected: 3; actual: 2. Partitions were added", "run parley reset --empty-outputs. Rest");
    }

    private static StreamThreadExceptionResponse stopped(Throwable failure) {
        CountDownLatch stop = new CountDownLatch(1);
        stop.countDown();
        return new RestartingExceptionHandler("pipeline", stop, new RestartLog()).handle(failure);
    }

    private String said() {
        return events.list.get(0).getFormattedMessage();
    }
}
