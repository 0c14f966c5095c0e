package dev.parley.embedded;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import kafka.server.BrokerServer;
import kafka.server.ControllerServer;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import kafka.server.SharedServer;
import kafka.server.StandardFaultHandlerFactory;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.loader.LoaderManifest;
import org.apache.kafka.image.publisher.MetadataPublisher;
import org.apache.kafka.metadata.BrokerRegistration;
import org.apache.kafka.metadata.bootstrap.BootstrapMetadata;
import org.apache.kafka.metadata.properties.MetaPropertiesEnsemble;
import org.apache.kafka.raft.QuorumConfig;
import org.apache.kafka.server.ServerSocketFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Tuple2;

/**
 * One node: a KRaft controller and a broker, composed as in Kafka's own server, except that the broker waits until its
 * previous session has ended.
 *
 * <p>After a kill, the metadata list the broker as the leader of its partitions until its session ends. If a broker of
 * Kafka 4.3 starts before that, it resumes its work as transaction coordinator. When the previous session ends, the
 * partitions have no leader for a moment. The coordinator treats them as deleted, and marks a transaction in completion
 * as complete without writing its markers. Consumers of committed records can then never read past it, and the consumer
 * group hangs. Therefore, the broker starts only when the metadata no longer list it as running.
 */
final class KafkaNode {
    private static final Logger LOG = LoggerFactory.getLogger(KafkaNode.class);

    private final int id;
    private final SharedServer shared;
    private final ControllerServer controller;
    private final BrokerServer broker;
    private final Metrics metrics = new Metrics();
    private final long sessionMillis;

    /** Creates a node on a formatted directory. */
    KafkaNode(KafkaConfig config) {
        id = config.nodeId();
        sessionMillis = config.brokerSessionTimeoutMs();
        Tuple2<MetaPropertiesEnsemble, BootstrapMetadata> directories =
                KafkaRaftServer.initializeLogDirs(config, LOG, "[node " + id + "] ");
        QuorumConfig quorum = config.quorumConfig();
        shared = new SharedServer(
                config,
                directories._1(),
                Time.SYSTEM,
                metrics,
                CompletableFuture.completedFuture(QuorumConfig.parseVoterConnections(quorum.voters())),
                QuorumConfig.parseBootstrapServers(quorum.bootstrapServers()),
                new StandardFaultHandlerFactory(),
                ServerSocketFactory.INSTANCE);
        broker = new BrokerServer(shared);
        controller = new ControllerServer(shared, KafkaRaftServer.configSchema(), directories._2());
    }

    /** Starts the node, and returns when it accepts requests. */
    void start() throws InterruptedException {
        controller.startup();
        awaitFormerSession();
        broker.startup();
    }

    /** Stops the node gracefully, the broker first, which needs the controller; idempotent. */
    void stop() {
        try {
            broker.shutdown();
            broker.awaitShutdown();
        } finally {
            controller.shutdown();
            controller.awaitShutdown();
            metrics.close();
        }
    }

    private void awaitFormerSession() throws InterruptedException {
        CountDownLatch absent = new CountDownLatch(1);
        MetadataPublisher watch = new MetadataPublisher() {
            @Override
            public String name() {
                return "former-session-" + id;
            }

            @Override
            public void onMetadataUpdate(MetadataDelta delta, MetadataImage image, LoaderManifest manifest) {
                BrokerRegistration former = image.cluster().broker(id);
                if (former == null || former.fenced()) {
                    absent.countDown();
                }
            }
        };
        shared.loader().installPublishers(List.of(watch));
        // The session ends sessionMillis after the election of a controller, which may take a while.
        if (!absent.await(10 * sessionMillis, TimeUnit.MILLISECONDS)) {
            LOG.warn(
                    "Starting broker {} although its previous session has not ended. Does another process use its ID?",
                    id);
        }
        shared.loader().removeAndClosePublisher(watch);
    }
}
