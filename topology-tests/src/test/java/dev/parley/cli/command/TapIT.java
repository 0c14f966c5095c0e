package dev.parley.cli.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.testing.SharedCluster;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TapIT {
    private static final int LINES = 2_000;

    @TempDir
    private Path directory;

    @Test
    void aSessionIsInTheTopicInItsOrder() throws Exception {
        String topic = "tap-it.wire";
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", SharedCluster.brokers()))) {
            admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1))).all().get();
        }
        Process tap = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx48m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "dev.parley.tap.Tap",
                        "mcp",
                        "--bootstrap-servers=" + SharedCluster.brokers(),
                        "--topic=" + topic,
                        "--flush=60",
                        "--state=" + directory.resolve("state"),
                        "--",
                        "cat")
                .redirectError(Redirect.INHERIT)
                .redirectOutput(directory.resolve("output").toFile())
                .start();
        StringBuilder input = new StringBuilder();
        for (int i = 0; i < LINES; i++) {
            input.append("{\"jsonrpc\":\"2.0\",\"id\":").append(i).append(",\"method\":\"ping\"}\n");
        }
        try (OutputStream out = tap.getOutputStream()) {
            out.write(input.toString().getBytes(UTF_8));
        }

        assertThat(tap.waitFor()).isZero();
        assertThat(directory.resolve("output")).hasContent(input.toString());
        List<ConsumerRecord<String, byte[]>> records = read(topic, 2 * LINES + 1);
        assertThat(records)
                .extracting(ConsumerRecord::key)
                .containsOnly(records.get(0).key());
        for (String direction : List.of("client-to-server", "server-to-client")) {
            assertThat(records.stream()
                            .filter(record -> record.value() != null
                                    && header(record, "parley-direction").equals(direction))
                            .map(record -> new String(record.value(), UTF_8) + "\n"))
                    .containsExactly(input.toString().split("(?<=\n)"));
        }
        assertThat(header(records.get(0), "parley-protocol")).isEqualTo("mcp");
        assertThat(header(records.get(0), "parley-capture")).isEqualTo("start");
        assertThat(header(records.get(2 * LINES), "parley-capture")).isEqualTo("end");
    }

    private static String header(ConsumerRecord<?, ?> record, String name) {
        return new String(record.headers().lastHeader(name).value(), UTF_8);
    }

    private static List<ConsumerRecord<String, byte[]>> read(String topic, int count) {
        List<ConsumerRecord<String, byte[]>> records = new ArrayList<>();
        try (KafkaConsumer<String, byte[]> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", SharedCluster.brokers(), "auto.offset.reset", "earliest"),
                new StringDeserializer(),
                new ByteArrayDeserializer())) {
            TopicPartition partition = new TopicPartition(topic, 0);
            consumer.assign(List.of(partition));
            long end = consumer.endOffsets(List.of(partition)).get(partition);
            assertThat(end).isEqualTo(count);
            while (records.size() < count) {
                consumer.poll(Duration.ofSeconds(1)).records(partition).forEach(records::add);
            }
        }
        return records;
    }
}
