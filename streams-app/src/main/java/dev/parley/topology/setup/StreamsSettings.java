package dev.parley.topology.setup;

import dev.parley.config.ClusterKeys;
import dev.parley.config.ParleyConfig;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.streams.StreamsConfig;

/** Settings that the Kafka Streams applications and the Kafka clients of Parley share. */
public final class StreamsSettings {
    /** Kafka's default of max.poll.interval.ms. */
    private static final int DEFAULT_SILENCE_MS = 300_000;

    /** Part of the heap that the records of one poll may take, all of them as large as a message may be. */
    private static final int SHARE_OF_HEAP = 4;
    /** Kafka Streams' default of max.poll.records and buffered.records.per.partition. */
    private static final int MAX_RECORDS = 1_000;

    private static final int MIN_RECORDS = 16;
    private static final int PARTITIONS_PER_POLL = 8;
    /** Most times its message that an audit record is large. */
    private static final int OUTPUT_FACTOR = 8;

    private StreamsSettings() {}

    /**
     * Returns the settings of an application that reads the pipeline's output: the views or the traffic counts.
     *
     * @param name short name of the application
     */
    public static Properties outputReader(ParleyConfig config, String name) {
        Properties settings = common(config, outputReaderId(config, name));
        settings.put(StreamsConfig.DESERIALIZATION_EXCEPTION_HANDLER_CLASS_CONFIG, SkippingExceptionHandler.class);
        settings.putAll(buffers(
                Runtime.getRuntime().maxMemory(),
                config.getInt(ClusterKeys.THREADS),
                OUTPUT_FACTOR * config.getInt(ParleyConfig.LIMIT_BYTES)));
        settings.putAll(config.kafkaClientSettings());
        return settings;
    }

    /** Returns the application ID of an application that reads the pipeline's output. */
    public static String outputReaderId(ParleyConfig config, String name) {
        return config.getString(ParleyConfig.APPLICATION_ID) + "-" + name;
    }

    /** What every Kafka client of Parley starts from. */
    public static Map<String, Object> clients(ParleyConfig config) {
        Map<String, Object> settings = new HashMap<>(config.kafkaClientSettings());
        settings.put(
                StreamsConfig.BOOTSTRAP_SERVERS_CONFIG,
                String.join(",", config.getList(ParleyConfig.BOOTSTRAP_SERVERS)));
        return settings;
    }

    /**
     * What a consumer starts from that reads what was committed, where it is told to, and keeps no place in a group.
     */
    public static Map<String, Object> reader(Map<String, Object> clients) {
        Map<String, Object> settings = new HashMap<>(clients);
        settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        settings.remove(ConsumerConfig.GROUP_ID_CONFIG);
        return settings;
    }

    /** Returns the settings that all applications share; the operator's own client settings are not among them. */
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
        settings.put(StreamsConfig.consumerPrefix(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG), "earliest");
        settings.put(StreamsConfig.producerPrefix(ProducerConfig.MAX_REQUEST_SIZE_CONFIG), recordBytes);
        settings.put(
                StreamsConfig.producerPrefix(ProducerConfig.BUFFER_MEMORY_CONFIG), Math.max(recordBytes, 64L << 20));
        settings.put(StreamsConfig.topicPrefix(TopicConfig.MAX_MESSAGE_BYTES_CONFIG), recordBytes);
        int patience = producerPatience(config);
        settings.put(StreamsConfig.producerPrefix(ProducerConfig.MAX_BLOCK_MS_CONFIG), patience);
        settings.put(StreamsConfig.producerPrefix(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG), patience);
        return settings;
    }

    /**
     * Bounds the records that a thread holds. Fetches are bounded in compressed bytes, and records of zeros compress to
     * nothing. A record that is larger than a message may be is held too, until decode omits its value: what one such
     * record takes, only the input topic's own limits bound.
     *
     * @param heap maximum size of the heap in bytes
     * @param threads threads that share it
     * @param recordBytes size of the largest record that is usual
     */
    public static Map<String, Object> buffers(long heap, int threads, int recordBytes) {
        long fitting = heap / SHARE_OF_HEAP / threads / recordBytes;
        int polled = (int) Math.max(MIN_RECORDS, Math.min(MAX_RECORDS, fitting));
        return Map.of(
                ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
                polled,
                StreamsConfig.BUFFERED_RECORDS_PER_PARTITION_CONFIG,
                Math.max(MIN_RECORDS, polled / PARTITIONS_PER_POLL));
    }

    /**
     * How long a producer waits for brokers that do not answer: longer than its thread may stay in the group without a
     * word. When a commit or a record times out earlier, Kafka Streams 4.3 aborts the transaction, begins the task anew
     * and asks for a rebalance; and if that comes before the task has begun, the task reads on from where it had read
     * to, not from where it had committed, so that what lies between is lost. A thread that is out of the group begins
     * at the committed positions.
     */
    private static int producerPatience(ParleyConfig config) {
        Map<String, Object> clients = config.kafkaClientSettings();
        Object silence = DEFAULT_SILENCE_MS;
        for (String prefix : List.of("", StreamsConfig.CONSUMER_PREFIX, StreamsConfig.MAIN_CONSUMER_PREFIX)) {
            silence = clients.getOrDefault(prefix + ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG, silence);
        }
        return (int) Math.min(
                Integer.MAX_VALUE, 2 * Long.parseLong(silence.toString().strip()));
    }
}
