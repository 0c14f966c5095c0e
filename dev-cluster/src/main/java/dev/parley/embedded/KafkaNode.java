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
 * One node, KRaft controller and broker, as Kafka's own server puts it together, but that the broker waits for the end
 * of its former life.
 *
 * <p>When a node was killed, the metadata go on saying that its broker is there and leads its partitions, until the
 * broker's session ends. A broker of Kafka 4.3 that starts meanwhile believes this, and takes up the work of a
 * transaction coordinator. As its former session ends, no partition has a leader for a moment; the coordinator takes
 * that for partitions that were deleted, and lets a transaction that was about to be completed count as completed
 * without a word to any of them. Nobody can read beyond it from then on, and its consumer group waits for ever. So the
 * broker starts when the metadata say that it is not there.
 */
final class KafkaNode {
    private static final Logger LOG = LoggerFactory.getLogger(KafkaNode.class);

    private final int id;
    private final SharedServer shared;
    private final ControllerServer controller;
    private final BrokerServer broker;
    private final Metrics metrics = new Metrics();
    private final long sessionMillis;

    /** A node on a formatted directory. */
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

    /** Returns when the node takes requests. */
    void start() throws InterruptedException {
        controller.startup();
        awaitFormerSession();
        broker.startup();
    }

    /** Stops the node in order, broker first. */
    void stop() {
        broker.shutdown();
        controller.shutdown();
        broker.awaitShutdown();
        controller.awaitShutdown();
        metrics.close();
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
        // The session ends that long after there is a controller; a cluster may need a while to elect one.
        if (!absent.await(10 * sessionMillis, TimeUnit.MILLISECONDS)) {
            LOG.warn("Broker {} starts though the cluster says that it runs: is another process using its id?", id);
        }
        shared.loader().removeAndClosePublisher(watch);
    }
}
