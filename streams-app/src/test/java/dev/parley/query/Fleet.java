package dev.parley.query;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.ConversationSummary;
import dev.parley.avro.DeadLetterSummary;
import dev.parley.serde.AvroSerdes;
import dev.parley.topology.ChainPartitions;
import dev.parley.topology.Topics;
import dev.parley.topology.ViewKeys;
import dev.parley.topology.ViewStores;
import dev.parley.topology.ViewValues;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
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
 * Several processes over one set of partitions, in memory, that talk to each other over HTTP as they do in production.
 * A test says who has what, and what each believes of that.
 */
final class Fleet implements AutoCloseable {
    static final int PARTITIONS = 4;

    final List<Node> nodes = new ArrayList<>();
    private final AvroSerdes serdes =
            AvroSerdes.fromConfig(Map.of("schema.registry.url", "mock://" + UUID.randomUUID()));
    private final Topics topics = new Topics(serdes);
    private final List<MemoryPartition> data = new ArrayList<>();

    /** Processes that share the partitions in turn; the one after the owner has a copy. */
    Fleet(int processes, Duration patience) {
        this(processes, patience, Optional.empty());
    }

    Fleet(int processes, Duration patience, Optional<SSLContext> tls) {
        for (int partition = 0; partition < PARTITIONS; partition++) {
            data.add(new MemoryPartition());
        }
        for (int i = 0; i < processes; i++) {
            nodes.add(new Node(patience, tls, Tokens.PEERS));
        }
        for (int partition = 0; partition < PARTITIONS; partition++) {
            give(partition, nodes.get(partition % processes));
            nodes.get((partition + 1) % processes).copies.put(partition, (long) partition);
        }
    }

    /** Makes a process the owner of a partition, which everybody knows at once. */
    void give(int partition, Node owner) {
        for (Node node : nodes) {
            node.owned.remove(partition);
            node.believed.put(partition, owner);
        }
        owner.owned.add(partition);
    }

    int partitionOf(String chain) {
        return ChainPartitions.of(chain, PARTITIONS);
    }

    Node ownerOf(String chain) {
        return nodes.get(0).believed.get(partitionOf(chain));
    }

    Node notOwnerOf(String chain) {
        return nodes.stream().filter(node -> node != ownerOf(chain)).findFirst().orElseThrow();
    }

    void put(ConversationSummary summary) {
        data.get(partitionOf(summary.getChain()))
                .put(
                        ViewKeys.conversation(summary.getNamespace(), summary.getProtocol(), summary.getConversation()),
                        ViewValues.CONVERSATION.encode(summary));
    }

    void put(DeadLetterSummary deadLetter, int partition) {
        data.get(partition)
                .put(
                        ViewKeys.deadLetter(
                                deadLetter.getStage(),
                                deadLetter.getCode(),
                                deadLetter.getPartition(),
                                deadLetter.getOffset()),
                        ViewValues.DEAD_LETTER.encode(deadLetter));
    }

    void put(AuditRecord record) {
        MemoryPartition partition = data.get(partitionOf(record.getChain()));
        partition.put(
                ViewKeys.message(record.getChain(), record.getSequence()),
                topics.audit().write(record));
        partition.put(
                ViewKeys.source(
                        record.getSource().getTopic(),
                        record.getSource().getPartition(),
                        record.getSource().getOffset()),
                new ViewKeys.Link(record.getChain(), record.getSequence()).toBytes());
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

    /** One process. */
    final class Node {
        final Set<Integer> owned = new HashSet<>();
        final Map<Integer, Long> copies = new TreeMap<>();
        final Map<Integer, Node> believed = new HashMap<>();
        final List<dev.parley.avro.Redaction> wishes = new ArrayList<>();
        /** Asked before each reading of an own partition of a store: whether it can be read. */
        BiPredicate<String, Integer> readable = (store, partition) -> true;

        private final Metrics metrics = Metrics.create();
        private final QueryServer server;
        private final HostInfo self;

        Node(Duration patience, Optional<SSLContext> tls, String secret) {
            this(patience, tls, secret, Doors.Limits.DEFAULT.responseBytes());
        }

        /** @param peerBytes the bound of responses that this process expects of its peers */
        Node(Duration patience, Optional<SSLContext> tls, String secret, int peerBytes) {
            Doors tokens = Tokens.doors();
            Doors doors = new Doors(
                    tls,
                    tokens.authentication(),
                    tokens.rate(),
                    tokens.limits(),
                    secret.isEmpty()
                            ? Optional.empty()
                            : Optional.of(PeerKeys.of(new Password(secret), Optional.empty())));
            DistributedViews instances = new DistributedViews(
                    new Local(),
                    new Belief(),
                    metrics.timed(new HttpPeers(tls, doors.peers(), Duration.ofSeconds(20), peerBytes)),
                    patience);
            metrics.watch(Map.of(), Optional.of(instances.local()));
            QueryServer.Parts parts = new QueryServer.Parts(
                    Optional.of(instances),
                    List::of,
                    Redaction.PRIVATE,
                    metrics,
                    Optional.empty(),
                    Optional.of(wish -> {
                        wishes.add(wish);
                        return new Outcome.Sent(Topics.REDACTION, 0, 7);
                    }));
            server = QueryServer.start(Loopback.bind(), parts, doors);
            self = new HostInfo("127.0.0.1", server.port());
        }

        String uri() {
            return server.uri().toString();
        }

        void stop() {
            server.close();
            metrics.close();
        }

        private ReadOnlyKeyValueStore<Bytes, byte[]> open(String store, int partition, boolean copiesToo) {
            boolean own = owned.contains(partition) && readable.test(store, partition);
            if (!own && !(copiesToo && copies.containsKey(partition))) {
                throw new InvalidStateStoreException("partition " + partition + " cannot be read here");
            }
            return data.get(partition);
        }

        /** What lies here. */
        private final class Local implements LocalViews {
            @Override
            public Views fresh() {
                return views(false, owned);
            }

            @Override
            public Views copies() {
                return views(true, copies.keySet());
            }

            @Override
            public Views of(String store, Set<Integer> partitions, boolean copiesToo) {
                return views(copiesToo, partitions);
            }

            @Override
            public SortedSet<Integer> readable(String store) {
                SortedSet<Integer> now = new TreeSet<>(owned);
                now.removeIf(partition -> !readable.test(store, partition));
                return now;
            }

            @Override
            public SortedMap<Integer, Long> lags(String store) {
                // The lag is of audit and checkpoints together.
                return store.equals(ViewStores.AUDIT)
                        ? new TreeMap<>(copies)
                        : new TreeMap<>(copies.keySet().stream()
                                .collect(java.util.stream.Collectors.toMap(partition -> partition, partition -> 0L)));
            }

            private Views views(boolean copiesToo, Set<Integer> partitions) {
                return new KafkaViews(
                        new LocalStores() {
                            @Override
                            public ReadOnlyKeyValueStore<Bytes, byte[]> ofChain(String store, String chain) {
                                return open(store, partitionOf(chain), copiesToo);
                            }

                            @Override
                            public List<ReadOnlyKeyValueStore<Bytes, byte[]>> all(String store) {
                                return partitions.stream()
                                        .map(partition -> open(store, partition, copiesToo))
                                        .toList();
                            }

                            @Override
                            public ReadOnlyKeyValueStore<Bytes, byte[]> whole(String store) {
                                throw new InvalidStateStoreException("there is no " + store);
                            }
                        },
                        topics);
            }
        }

        /** What this process believes of who has what. */
        private final class Belief implements Cluster {
            @Override
            public HostInfo self() {
                return self;
            }

            @Override
            public Owner ownerOf(String chain) {
                int partition = partitionOf(chain);
                Set<HostInfo> standbys = new LinkedHashSet<>();
                for (Node node : nodes) {
                    if (node.copies.containsKey(partition)) {
                        standbys.add(node.self);
                    }
                }
                return new Owner(
                        partition, Optional.ofNullable(believed.get(partition)).map(node -> node.self), standbys);
            }

            @Override
            public int partitions(String store) {
                return PARTITIONS;
            }

            @Override
            public Set<HostInfo> owners(String store) {
                Set<HostInfo> owners = new LinkedHashSet<>();
                believed.values().forEach(node -> owners.add(node.self));
                return owners;
            }

            @Override
            public Map<HostInfo, Set<Integer>> standbys(String store) {
                Map<HostInfo, Set<Integer>> standbys = new HashMap<>();
                nodes.forEach(node -> standbys.put(node.self, node.copies.keySet()));
                return standbys;
            }
        }
    }
}
