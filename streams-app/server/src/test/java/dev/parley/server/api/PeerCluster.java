package dev.parley.server.api;

import dev.parley.audit.InputPosition;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.ConversationSummary;
import dev.parley.avro.DeadLetterSummary;
import dev.parley.log.LogNotes;
import dev.parley.protocol.TopicNames;
import dev.parley.serde.AvroSerdes;
import dev.parley.server.cluster.DistributedViews;
import dev.parley.server.cluster.HttpPeers;
import dev.parley.server.cluster.PartitionMetadata;
import dev.parley.server.cluster.PeerKeys;
import dev.parley.server.http.HttpSecurity;
import dev.parley.server.http.TimedPeers;
import dev.parley.server.metrics.Metrics;
import dev.parley.server.redaction.RedactionFeature;
import dev.parley.topology.topics.ChainPartitioner;
import dev.parley.topology.topics.Topics;
import dev.parley.topology.views.StoredViews;
import dev.parley.topology.views.Views;
import dev.parley.topology.views.read.LocalStores;
import dev.parley.topology.views.read.MemoryPartition;
import dev.parley.topology.views.store.ViewStores;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.BiPredicate;
import javax.net.ssl.SSLContext;
import org.apache.kafka.common.config.types.Password;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.state.HostInfo;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/**
 * Several instances over one set of partitions in memory. They send each other requests over HTTP, as in production. A
 * test decides which instance owns a partition, and the metadata that each has.
 */
public final class PeerCluster implements AutoCloseable {
    public static final int PARTITIONS = 4;

    public final List<Node> nodes = new ArrayList<>();
    private final AvroSerdes serdes =
            AvroSerdes.fromConfig(Map.of("schema.registry.url", "mock://" + UUID.randomUUID()));
    private final Topics topics = new Topics(TopicNames.DEFAULT, serdes);
    private final List<MemoryPartition> data = new ArrayList<>();

    /** Creates instances that own the partitions in turn; the one after the owner has a standby. */
    public PeerCluster(int count, Duration retryTimeout) {
        this(count, retryTimeout, Optional.empty());
    }

    PeerCluster(int count, Duration retryTimeout, Optional<SSLContext> tls) {
        for (int partition = 0; partition < PARTITIONS; partition++) {
            data.add(new MemoryPartition());
        }
        for (int i = 0; i < count; i++) {
            nodes.add(new Node(retryTimeout, tls, Tokens.PEERS));
        }
        for (int partition = 0; partition < PARTITIONS; partition++) {
            move(partition, nodes.get(partition % count));
            nodes.get((partition + 1) % count).standbys.put(partition, (long) partition);
        }
    }

    /** Moves a partition to an owner, and updates the metadata of all instances. */
    public void move(int partition, Node owner) {
        for (Node node : nodes) {
            node.owned.remove(partition);
            node.knownOwners.put(partition, owner);
        }
        owner.owned.add(partition);
    }

    public int partitionOf(String chain) {
        return ChainPartitioner.partition(chain, PARTITIONS);
    }

    public Node ownerOf(String chain) {
        return nodes.get(0).knownOwners.get(partitionOf(chain));
    }

    public Node notOwnerOf(String chain) {
        return nodes.stream().filter(node -> node != ownerOf(chain)).findFirst().orElseThrow();
    }

    public void put(ConversationSummary summary) {
        stored(partitionOf(summary.getChain())).put(summary);
    }

    public void put(DeadLetterSummary deadLetter, int partition) {
        stored(partition).put(deadLetter);
    }

    public void put(AuditRecord record) {
        stored(partitionOf(record.getChain())).put(record);
    }

    /** Puts tiles and head of a log. */
    public void put(LogOf log, int partition) {
        StoredViews owner = stored(partitionOf(LogNotes.key(partition)));
        log.tiles().forEach(owner::put);
        owner.put(log.head());
    }

    private StoredViews stored(int partition) {
        return new StoredViews(topics, data.get(partition));
    }

    @Override
    public void close() {
        nodes.forEach(Node::stop);
        try {
            serdes.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** One instance. */
    public final class Node {
        public final Set<Integer> owned = new HashSet<>();
        public final Map<Integer, Long> standbys = new TreeMap<>();
        public final Map<Integer, Node> knownOwners = new HashMap<>();
        public final List<dev.parley.avro.Redaction> redactions = new ArrayList<>();
        /** Whether an owned partition of a store can be read. */
        public BiPredicate<String, Integer> readable = (store, partition) -> true;

        private final Metrics metrics = new Metrics(Optional.empty(), false);
        private final QueryServer server;
        private final HostInfo self;

        public Node(Duration retryTimeout, Optional<SSLContext> tls, String secret) {
            this(retryTimeout, tls, secret, Optional.empty(), HttpLimits.DEFAULT.responseBytes());
        }

        /**
         * Creates an instance without partitions.
         *
         * @param previous a secret that it accepts, too
         * @param peerBytes maximum response size that this instance expects of its peers
         */
        public Node(
                Duration retryTimeout,
                Optional<SSLContext> tls,
                String secret,
                Optional<String> previous,
                int peerBytes) {
            HttpSecurity tokens = Tokens.security();
            HttpSecurity httpSecurity = new HttpSecurity(
                    tls,
                    tokens.authentication(),
                    tokens.rate(),
                    tokens.limits(),
                    secret.isEmpty()
                            ? Optional.empty()
                            : Optional.of(PeerKeys.of(new Password(secret), previous.map(Password::new))),
                    "",
                    tokens.hosts());
            DistributedViews instances = new DistributedViews(
                    new Views(new Local(), topics),
                    new Metadata(),
                    new TimedPeers(
                            new HttpPeers(
                                    tls, httpSecurity.peers(), Duration.ofSeconds(20), peerBytes, Clock.systemUTC()),
                            metrics),
                    retryTimeout);
            Standalone.meters(metrics, instances.local());
            QueryServer.Components parts = Loopback.components(
                    Optional.of(instances),
                    List::of,
                    metrics,
                    List.of(new RedactionFeature.Running(
                            redaction -> {
                                redactions.add(redaction);
                                return new InputPosition(TopicNames.DEFAULT.redaction(), 0, 7);
                            },
                            () -> {})));
            server = QueryServer.start(Loopback.bind(), parts, httpSecurity);
            self = new HostInfo("127.0.0.1", server.port());
        }

        public String uri() {
            return server.uri().toString();
        }

        public void stop() {
            server.close();
            metrics.close();
        }

        private ReadOnlyKeyValueStore<Bytes, byte[]> open(String store, int partition, boolean includeStandbys) {
            boolean own = owned.contains(partition) && readable.test(store, partition);
            if (!own && !(includeStandbys && standbys.containsKey(partition))) {
                throw new InvalidStateStoreException("partition " + partition + " cannot be read here");
            }
            return data.get(partition);
        }

        /** Stores on this instance. */
        private final class Local implements LocalStores {
            @Override
            public ReadOnlyKeyValueStore<Bytes, byte[]> partition(String store, int partition, boolean withStandbys) {
                return open(store, partition, withStandbys);
            }

            @Override
            public ReadOnlyKeyValueStore<Bytes, byte[]> global(String store) {
                throw new InvalidStateStoreException("there is no " + store);
            }

            @Override
            public int count(String store) {
                return PARTITIONS;
            }

            @Override
            public SortedSet<Integer> readable(String store, boolean withStandbys) {
                SortedSet<Integer> now = new TreeSet<>(owned);
                now.removeIf(partition -> !readable.test(store, partition));
                if (withStandbys) {
                    now.addAll(standbys.keySet());
                }
                return now;
            }

            @Override
            public SortedMap<Integer, Long> lags(String store) {
                // The lag is of audit and checkpoints together.
                return store.equals(ViewStores.AUDIT)
                        ? new TreeMap<>(standbys)
                        : new TreeMap<>(standbys.keySet().stream()
                                .collect(java.util.stream.Collectors.toMap(partition -> partition, partition -> 0L)));
            }
        }

        /** Partition metadata of this instance. */
        private final class Metadata implements PartitionMetadata {
            @Override
            public HostInfo self() {
                return self;
            }

            @Override
            public Owner ownerOf(String store, String key) {
                int partition = partitionOf(key);
                Set<HostInfo> standbys = new LinkedHashSet<>();
                for (Node node : nodes) {
                    if (node.standbys.containsKey(partition)) {
                        standbys.add(node.self);
                    }
                }
                return new Owner(
                        partition,
                        Optional.ofNullable(knownOwners.get(partition)).map(node -> node.self),
                        standbys);
            }

            @Override
            public int partitions(String store) {
                return PARTITIONS;
            }

            @Override
            public Map<HostInfo, Set<Integer>> owners(String store) {
                Map<HostInfo, Set<Integer>> owners = new LinkedHashMap<>();
                knownOwners.forEach((partition, node) -> owners.computeIfAbsent(node.self, any -> new TreeSet<>())
                        .add(partition));
                return owners;
            }

            @Override
            public Map<HostInfo, Set<Integer>> standbys(String store) {
                Map<HostInfo, Set<Integer>> standbys = new HashMap<>();
                nodes.forEach(node -> standbys.put(node.self, node.standbys.keySet()));
                return standbys;
            }
        }
    }
}
