package dev.parley.load.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.Named;
import org.apache.kafka.streams.kstream.Produced;
import org.apache.kafka.streams.kstream.Repartitioned;
import org.apache.kafka.streams.processor.api.ContextualFixedKeyProcessor;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.FixedKeyRecord;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;

/** Parley's shape without its logic, exactly once: map, one repartition, two changelogged stores, two outputs. */
public final class ReferenceTopology {
    private static final int KEYS = 4_096;
    private static final String STATES = "states";
    private static final String COUNTS = "counts";

    private ReferenceTopology() {}

    /**
     * Runs until the process ends. Arguments: bootstrap servers, input topic, first output, second output, state
     * directory, application ID, stream threads, {@link Sizes#json}.
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Properties settings = new Properties();
        settings.put(StreamsConfig.APPLICATION_ID_CONFIG, arguments[5]);
        settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, arguments[0]);
        settings.put(StreamsConfig.STATE_DIR_CONFIG, arguments[4]);
        settings.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, arguments[6]);
        settings.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
        settings.put(StreamsConfig.consumerPrefix(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG), "earliest");
        settings.put(StreamsConfig.producerPrefix(ProducerConfig.MAX_REQUEST_SIZE_CONFIG), 1 << 20);
        Sizes sizes = Sizes.parse(arguments[7]);
        KafkaStreams streams = new KafkaStreams(shape(arguments[1], arguments[2], arguments[3], sizes), settings);
        Runtime.getRuntime().addShutdownHook(new Thread(streams::close));
        streams.start();
        new CountDownLatch(1).await();
    }

    private static Topology shape(String input, String first, String second, Sizes sizes) {
        StreamsBuilder builder = new StreamsBuilder();
        for (String name : List.of(STATES, COUNTS)) {
            builder.addStateStore(Stores.keyValueStoreBuilder(
                            Stores.persistentKeyValueStore(name), Serdes.String(), Serdes.ByteArray())
                    .withCachingEnabled());
        }
        KStream<String, byte[]> judged = builder.stream(input, Consumed.with(Serdes.ByteArray(), Serdes.ByteArray()))
                .map((key, value) -> KeyValue.pair(
                        "default|SLIP|" + new String(key == null ? value : key, UTF_8),
                        resize(value, sizes.repartition())))
                .repartition(
                        Repartitioned.with(Serdes.String(), Serdes.ByteArray()).withName("by-key"))
                .process(() -> new Update(sizes), Named.as("update"), STATES, COUNTS);
        write(judged, sizes.first(), first);
        write(judged, sizes.second(), second);
        return builder.build();
    }

    private static void write(KStream<String, byte[]> judged, TopicBytes size, String output) {
        (size == null ? judged : judged.processValues(() -> new Resize(size)))
                .to(output, Produced.with(Serdes.String(), Serdes.ByteArray()));
    }

    private static byte[] resize(byte[] value, int size) {
        return size == 0 ? value : Arrays.copyOf(value, size);
    }

    /** Reads and writes one value in each store, like judging and counting. */
    private static final class Update extends ContextualProcessor<String, byte[], String, byte[]> {
        private final Sizes sizes;
        private KeyValueStore<String, byte[]> states;
        private KeyValueStore<String, byte[]> counts;

        Update(Sizes sizes) {
            this.sizes = sizes;
        }

        @Override
        public void init(ProcessorContext<String, byte[]> context) {
            super.init(context);
            states = context.getStateStore(STATES);
            counts = context.getStateStore(COUNTS);
        }

        @Override
        public void process(Record<String, byte[]> record) {
            byte[] state = states.get(record.key());
            state = state == null ? new byte[sizes.state()] : state.clone();
            state[0]++;
            states.put(record.key(), state);
            String counter = "partition-" + Math.floorMod(record.key().hashCode(), KEYS) % 4;
            byte[] count = counts.get(counter);
            counts.put(counter, count == null ? new byte[sizes.count()] : count.clone());
            context().forward(record);
        }
    }

    /** Gives a record the size of an output. */
    private static final class Resize extends ContextualFixedKeyProcessor<String, byte[], byte[]> {
        private static final String NAME = "header-0";

        private final TopicBytes size;
        private final long headerCount;

        Resize(TopicBytes size) {
            this.size = size;
            this.headerCount = Math.round(size.headerCount());
        }

        @Override
        public void process(FixedKeyRecord<String, byte[]> record) {
            RecordHeaders headers = new RecordHeaders();
            for (int i = 0; i < headerCount; i++) {
                headers.add(NAME, new byte[(int) Math.max(0, size.headers() / headerCount - NAME.length())]);
            }
            byte[] value = resize(record.value(), (int) Math.round(size.value()));
            context().forward(record.withHeaders(headers).withValue(value));
        }
    }
}
