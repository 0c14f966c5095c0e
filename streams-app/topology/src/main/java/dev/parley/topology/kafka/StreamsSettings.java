package dev.parley.topology.kafka;

import dev.parley.topology.config.NearestNames;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.config.ViewsKeys;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.StreamsConfig;

/** Common settings of Parley's Kafka Streams applications and Kafka clients. */
public final class StreamsSettings {
    /** Kafka's default of max.poll.interval.ms. */
    private static final int DEFAULT_MAX_POLL_INTERVAL_MS = 300_000;

    /** The records of one poll may take the heap divided by this, if all have the maximum message size. */
    private static final int HEAP_DIVISOR = 4;
    /** Kafka Streams' default of max.poll.records and buffered.records.per.partition. */
    private static final int MAX_RECORDS = 1_000;

    /** Kafka's default. */
    private static final long MAX_CACHE_BYTES = 10L << 20;

    private static final int CACHE_DIVISOR = 64;
    private static final int MIN_RECORDS = 16;
    private static final int READER_WAIT_MS = 50;
    private static final int OUTPUT_POLL_MS = 500;
    /**
     * A consumer fetches from a broker once at a time, and only what it has no records of. So records of other
     * partitions may wait for the fetch of one that an open transaction holds back.
     */
    private static final int FETCH_WAIT_MS = 200;

    private static final int PARTITIONS_PER_POLL = 8;
    /** Maximum size of an audit record, as a multiple of its message. */
    private static final int OUTPUT_FACTOR = 8;

    private static final List<String> KINDS =
            List.of(StreamsConfig.CONSUMER_PREFIX, StreamsConfig.PRODUCER_PREFIX, StreamsConfig.ADMIN_CLIENT_PREFIX);

    private static final List<String> CONSUMERS = List.of(
            StreamsConfig.MAIN_CONSUMER_PREFIX,
            StreamsConfig.RESTORE_CONSUMER_PREFIX,
            StreamsConfig.GLOBAL_CONSUMER_PREFIX);

    private static final List<String> STREAMS_PREFIXES = Stream.concat(
                    CONSUMERS.stream(), Stream.of(StreamsConfig.TOPIC_PREFIX))
            .toList();

    /** Prefix of the class and the parameters of each provider that {@code config.providers} names. */
    private static final String OF_CONFIG_PROVIDERS = AbstractConfig.CONFIG_PROVIDERS_CONFIG + ".";

    private static final Set<String> STREAMS_ONLY = streamsOnly();
    private static final Set<String> KNOWN = Stream.of(
                    StreamsConfig.configDef().names(),
                    ConsumerConfig.configNames(),
                    ProducerConfig.configNames(),
                    AdminClientConfig.configNames())
            .flatMap(Set::stream)
            .collect(Collectors.toUnmodifiableSet());

    private StreamsSettings() {}

    private static Set<String> streamsOnly() {
        Set<String> names = new HashSet<>(StreamsConfig.configDef().names());
        names.removeAll(ConsumerConfig.configNames());
        names.removeAll(ProducerConfig.configNames());
        names.removeAll(AdminClientConfig.configNames());
        names.add(ConsumerConfig.GROUP_PROTOCOL_CONFIG);
        names.add(StreamsConfig.consumerPrefix(ConsumerConfig.GROUP_PROTOCOL_CONFIG));
        return names;
    }

    /** The common settings, and over them those with the prefix of a kind, without those of the other kinds. */
    private static Map<String, Object> of(Map<String, Object> clients, String kind) {
        Map<String, Object> settings = new HashMap<>();
        clients.forEach((name, value) -> {
            if (KINDS.stream().noneMatch(name::startsWith)) {
                settings.put(name, value);
            }
        });
        clients.forEach((name, value) -> {
            if (name.startsWith(kind)) {
                settings.put(name.substring(kind.length()), value);
            }
        });
        return settings;
    }

    /**
     * Validates the values of the settings for Kafka Streams and Parley's own producers and consumers.
     *
     * @param application settings of an application of Kafka Streams
     * @throws ConfigException if one is invalid
     * @throws IllegalArgumentException if Kafka Streams finds two that contradict each other
     */
    public static void validate(ParleyConfig config, Properties application) {
        StreamsConfig streams = new StreamsConfig(application);
        Map<String, Object> clients = clientSettings(config);
        Map<String, Object> serializers = Map.of(
                ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class,
                ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        for (Map<String, Object> settings : List.of(streams.getProducerConfigs("check"), producer(clients))) {
            Map<String, Object> complete = new HashMap<>(settings);
            complete.putAll(serializers);
            new ProducerConfig(complete);
        }
        Map<String, Object> deserializers = Map.of(
                ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class,
                ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        for (Map<String, Object> settings : List.of(
                streams.getMainConsumerConfigs("check", "check", 0),
                streams.getRestoreConsumerConfigs("check"),
                streams.getGlobalConsumerConfigs("check"),
                committedReader(clients))) {
            Map<String, Object> complete = new HashMap<>(settings);
            complete.putAll(deserializers);
            new ConsumerConfig(complete);
        }
    }

    /** The names of settings that no client of Kafka knows, each with the nearest known one; plug-ins may know them. */
    public static Map<String, String> unknown(ParleyConfig config) {
        Map<String, String> unknown = new TreeMap<>();
        for (String name : config.kafkaClientSettings().keySet()) {
            String prefix = Stream.concat(KINDS.stream(), STREAMS_PREFIXES.stream())
                    .filter(name::startsWith)
                    .findFirst()
                    .orElse("");
            String setting = name.substring(prefix.length());
            if (!prefix.equals(StreamsConfig.TOPIC_PREFIX)
                    && !setting.startsWith(OF_CONFIG_PROVIDERS)
                    && !KNOWN.contains(setting)) {
                unknown.put(name, prefix + NearestNames.of(setting, KNOWN, 1).get(0));
            }
        }
        return unknown;
    }

    /** Returns the settings of a producer. */
    public static Map<String, Object> producer(Map<String, Object> clients) {
        return of(clients, StreamsConfig.PRODUCER_PREFIX);
    }

    /** An admin client. */
    public static Admin admin(Map<String, Object> clients) {
        return Admin.create(of(clients, StreamsConfig.ADMIN_CLIENT_PREFIX));
    }

    /**
     * Returns the settings of an application that reads the pipeline's output: the views or the traffic counts.
     *
     * @param name short name of the application
     */
    public static Properties outputReader(ParleyConfig config, String name) {
        Properties settings = common(config, outputReaderId(config, name));
        settings.put(StreamsConfig.DESERIALIZATION_EXCEPTION_HANDLER_CLASS_CONFIG, SkippingExceptionHandler.class);
        // No order between topics is promised, and Kafka's default checks the empty ones for each record.
        settings.put(StreamsConfig.MAX_TASK_IDLE_MS_CONFIG, StreamsConfig.MAX_TASK_IDLE_MS_DISABLED);
        // A record ends a poll at once. Kafka's default would wake an idle thread ten times a second.
        settings.put(StreamsConfig.POLL_MS_CONFIG, OUTPUT_POLL_MS);
        settings.putAll(memoryLimits(
                Runtime.getRuntime().maxMemory(),
                config.getInt(ViewsKeys.THREADS),
                OUTPUT_FACTOR * config.getInt(ParleyConfig.LIMIT_BYTES)));
        settings.putAll(config.kafkaClientSettings());
        return settings;
    }

    /** Returns the application ID of an application that reads the pipeline's output. */
    public static String outputReaderId(ParleyConfig config, String name) {
        return config.getString(ParleyConfig.APPLICATION_ID) + "-" + name;
    }

    /**
     * Returns the settings of Parley's own Kafka clients: those that all have, and those of one kind with its prefix.
     * They do not contain settings of Kafka Streams alone, nor the group protocol, because these clients join no group.
     */
    public static Map<String, Object> clientSettings(ParleyConfig config) {
        Map<String, Object> settings = new HashMap<>(config.kafkaClientSettings());
        settings.keySet()
                .removeIf(name ->
                        STREAMS_ONLY.contains(name) || STREAMS_PREFIXES.stream().anyMatch(name::startsWith));
        settings.put(
                StreamsConfig.BOOTSTRAP_SERVERS_CONFIG,
                String.join(",", config.getList(ParleyConfig.BOOTSTRAP_SERVERS)));
        return settings;
    }

    /**
     * Returns the settings of Kafka clients for topics that only Parley writes: with codes, if the configuration has a
     * key.
     *
     * @throws ConfigException if the key cannot be read
     */
    public static Map<String, Object> internalClients(ParleyConfig config) {
        Map<String, Object> settings = clientSettings(config);
        RecordMac.of(config).ifPresent(mac -> settings.put(RecordMac.CONFIG, mac));
        return settings;
    }

    /** An admin client whose requests fail after a timeout. */
    public static Admin admin(Map<String, Object> clients, Duration timeout) {
        Map<String, Object> settings = of(clients, StreamsConfig.ADMIN_CLIENT_PREFIX);
        settings.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, (int) timeout.toMillis());
        settings.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, (int) timeout.toMillis());
        return Admin.create(settings);
    }

    /**
     * Returns the settings of a consumer without a group that reads committed records from assigned positions. It polls
     * few of them; a {@link SizeBoundedConsumer} adds such polls. Before a poll returns records, a consumer requests
     * the next ones, and cannot close or read anything else until the broker responds. At the end of a topic, the
     * broker therefore waits only briefly for new records.
     */
    public static Map<String, Object> committedReader(Map<String, Object> clients) {
        Map<String, Object> settings = of(clients, StreamsConfig.CONSUMER_PREFIX);
        settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, MIN_RECORDS);
        settings.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, READER_WAIT_MS);
        settings.remove(ConsumerConfig.GROUP_ID_CONFIG);
        if (settings.containsKey(RecordMac.CONFIG)) {
            intercept(settings, "", MacConsumerInterceptor.class);
        }
        return settings;
    }

    /**
     * Returns the settings of a producer of bytes whose records all replicas acknowledge, and which gives a record up
     * after the timeout.
     *
     * @param maxBlockMs maximum time, in milliseconds, that a call of the producer blocks
     * @param recordBytes maximum size of a record
     * @param bufferBytes size of the buffer
     */
    public static Map<String, Object> acknowledgedWriter(
            Map<String, Object> clients, Duration timeout, int maxBlockMs, int recordBytes, long bufferBytes) {
        Map<String, Object> settings = producer(clients);
        int millis = (int) timeout.toMillis();
        settings.put(ProducerConfig.ACKS_CONFIG, "all");
        settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        settings.put(ProducerConfig.LINGER_MS_CONFIG, 0);
        settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, maxBlockMs);
        settings.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, millis);
        settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, millis);
        settings.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, recordBytes);
        settings.put(ProducerConfig.BUFFER_MEMORY_CONFIG, bufferBytes);
        settings.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        settings.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        if (settings.containsKey(RecordMac.CONFIG)) {
            intercept(settings, "", MacProducerInterceptor.class);
        }
        return settings;
    }

    /** Returns the common settings of all applications, without the operator's Kafka client settings. */
    public static Properties common(ParleyConfig config, String applicationId) {
        int recordBytes = config.outputRecordBytes();
        Properties settings = new Properties();
        settings.put(StreamsConfig.APPLICATION_ID_CONFIG, applicationId);
        settings.put(
                StreamsConfig.BOOTSTRAP_SERVERS_CONFIG,
                String.join(",", config.getList(ParleyConfig.BOOTSTRAP_SERVERS)));
        settings.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
        settings.put(StreamsConfig.ENSURE_EXPLICIT_INTERNAL_RESOURCE_NAMING_CONFIG, true);
        settings.put(StreamsConfig.STATE_DIR_CONFIG, config.getString(ParleyConfig.STATE_DIR));
        settings.put(StreamsConfig.REPLICATION_FACTOR_CONFIG, (int) config.getShort(ParleyConfig.REPLICATION));
        settings.put(StreamsConfig.ROCKSDB_CONFIG_SETTER_CLASS_CONFIG, BoundedMemoryRocksDBConfig.class);
        settings.put(
                BoundedMemoryRocksDBConfig.CONFIG,
                BoundedMemoryRocksDBConfig.bytes(config.getLong(ParleyConfig.STATE_MEMORY)));
        settings.put(
                StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG,
                cacheBytes(Runtime.getRuntime().maxMemory()));
        settings.put(StreamsConfig.consumerPrefix(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG), "earliest");
        Map<String, Object> given = config.kafkaClientSettings();
        String wait = ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG;
        if (!given.containsKey(wait) && !given.containsKey(StreamsConfig.CONSUMER_PREFIX + wait)) {
            settings.put(StreamsConfig.mainConsumerPrefix(wait), FETCH_WAIT_MS);
        }
        settings.put(StreamsConfig.producerPrefix(ProducerConfig.MAX_REQUEST_SIZE_CONFIG), recordBytes);
        settings.put(
                StreamsConfig.producerPrefix(ProducerConfig.BUFFER_MEMORY_CONFIG), Math.max(recordBytes, 64L << 20));
        // Kafka's 16 KiB hold about ten audit records.
        settings.put(StreamsConfig.producerPrefix(ProducerConfig.BATCH_SIZE_CONFIG), 64 << 10);
        settings.put(StreamsConfig.topicPrefix(TopicConfig.MAX_MESSAGE_BYTES_CONFIG), recordBytes);
        settings.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4");
        int producerTimeoutMs = producerTimeoutMs(config);
        settings.put(StreamsConfig.producerPrefix(ProducerConfig.MAX_BLOCK_MS_CONFIG), producerTimeoutMs);
        settings.put(StreamsConfig.producerPrefix(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG), producerTimeoutMs);
        return settings;
    }

    /**
     * Adds codes to what an application writes for itself, and verifies them, if the configuration has a key.
     *
     * @param application its complete settings
     * @throws ConfigException if the key cannot be read
     */
    public static void addMac(ParleyConfig config, Properties application) {
        RecordMac.of(config).ifPresent(mac -> {
            application.put(RecordMac.CONFIG, mac);
            intercept(application, StreamsConfig.PRODUCER_PREFIX, MacProducerInterceptor.class);
            CONSUMERS.forEach(consumer -> intercept(application, consumer, MacConsumerInterceptor.class));
        });
    }

    /**
     * Adds an interceptor next to those of the operator: what a consumer reads passes it first, and what a producer
     * sends passes it last.
     *
     * @param settings complete settings of an application or a client
     * @param prefix prefix of the kind; empty for a client
     */
    public static void intercept(Map<? super String, Object> settings, String prefix, Class<?> interceptor) {
        List<String> prefixes =
                CONSUMERS.contains(prefix) ? List.of(prefix, StreamsConfig.CONSUMER_PREFIX, "") : List.of(prefix, "");
        boolean isConsumers = ConsumerInterceptor.class.isAssignableFrom(interceptor);
        String others = prefixes.stream()
                .map(kind -> settings.get(kind + ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG))
                .filter(Objects::nonNull)
                .findFirst()
                .map(Object::toString)
                .filter(classes -> !classes.isBlank())
                .orElse(null);
        String own = interceptor.getName();
        settings.put(
                prefix + ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG,
                others == null ? own : isConsumers ? own + "," + others : others + "," + own);
    }

    /**
     * Returns settings that bound the records in the memory of a thread. Kafka bounds fetches only in compressed bytes,
     * and records of zeros compress to almost nothing. An oversized record stays in memory until decode omits its
     * value; only the limits of its topic bound it.
     *
     * @param heap maximum heap size in bytes
     * @param threads number of threads that share the heap
     * @param recordBytes maximum size of a regular record
     */
    public static Map<String, Object> memoryLimits(long heap, int threads, int recordBytes) {
        long fitting = heap / HEAP_DIVISOR / threads / recordBytes;
        int polled = (int) Math.max(MIN_RECORDS, Math.min(MAX_RECORDS, fitting));
        return Map.of(
                ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
                polled,
                StreamsConfig.BUFFERED_RECORDS_PER_PARTITION_CONFIG,
                Math.max(MIN_RECORDS, polled / PARTITIONS_PER_POLL));
    }

    /**
     * Returns the size of the record caches of one application in bytes. Small entries occupy about three times the
     * bytes that Kafka counts.
     *
     * @param heap maximum heap size in bytes
     */
    static long cacheBytes(long heap) {
        return Math.min(MAX_CACHE_BYTES, heap / CACHE_DIVISOR);
    }

    /**
     * Returns the producer timeout for unavailable brokers: twice max.poll.interval.ms. After an earlier timeout, Kafka
     * Streams 4.3 aborts the transaction, reinitializes the task and requests a rebalance. If the rebalance comes
     * first, the task continues from its last read position instead of the committed one, and loses the records between
     * them. A thread that has left the group starts at the committed positions.
     */
    private static int producerTimeoutMs(ParleyConfig config) {
        Map<String, Object> clients = config.kafkaClientSettings();
        Object maxPollIntervalMs = DEFAULT_MAX_POLL_INTERVAL_MS;
        for (String prefix : List.of("", StreamsConfig.CONSUMER_PREFIX, StreamsConfig.MAIN_CONSUMER_PREFIX)) {
            maxPollIntervalMs =
                    clients.getOrDefault(prefix + ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG, maxPollIntervalMs);
        }
        int millis = (Integer)
                ConfigDef.parseType(ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG, maxPollIntervalMs, ConfigDef.Type.INT);
        return (int) Math.min(Integer.MAX_VALUE, 2L * millis);
    }
}
