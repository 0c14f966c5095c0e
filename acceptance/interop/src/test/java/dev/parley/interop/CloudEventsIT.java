package dev.parley.interop;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.protocol.TopicNames;
import dev.parley.server.auth.Role;
import dev.parley.server.auth.StoredToken;
import dev.parley.server.http.HttpKeys;
import dev.parley.server.ingest.IngestFeature;
import dev.parley.server.lifecycle.Application;
import io.cloudevents.CloudEvent;
import io.cloudevents.core.builder.CloudEventBuilder;
import io.cloudevents.core.message.Encoding;
import io.cloudevents.core.message.MessageWriter;
import io.cloudevents.http.HttpMessageFactory;
import io.cloudevents.jackson.JsonFormat;
import io.cloudevents.kafka.CloudEventDeserializer;
import io.cloudevents.kafka.CloudEventSerializer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Events of the SDK for Java, over HTTP and Kafka in every mode. */
@Tag("long")
class CloudEventsIT {
    private static final Duration TIMEOUT = Duration.ofSeconds(150);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final String TOKEN = StoredToken.newToken(new SecureRandom());

    @TempDir
    private Path directory;

    /** The chain of each input position, as in the subject and the ID of events about it. */
    private final Map<String, String> expected = new HashMap<>();

    @Test
    void eventsOfTheSdkAreMessagesAndItReadsTheirVerdicts() throws Exception {
        try (Deployment deployment = Deployment.open(directory);
                Application application = Application.start(deployment.config(settings()))) {
            await().atMost(TIMEOUT).until(application::isReady);
            sendOverHttp(URI.create(application.uri() + "/v1/wire"));
            sendOverKafka(deployment.brokers(), Encoding.BINARY);
            sendOverKafka(deployment.brokers(), Encoding.STRUCTURED);

            Map<String, String> verdicts = new HashMap<>();
            try (KafkaConsumer<String, CloudEvent> consumer = new KafkaConsumer<>(
                    Map.of("bootstrap.servers", deployment.brokers(), "isolation.level", "read_committed"),
                    new StringDeserializer(),
                    new CloudEventDeserializer())) {
                List<TopicPartition> partitions = consumer.partitionsFor(TopicNames.DEFAULT.audit()).stream()
                        .map(info -> new TopicPartition(info.topic(), info.partition()))
                        .toList();
                consumer.assign(partitions);
                consumer.seekToBeginning(partitions);
                await().atMost(TIMEOUT).until(() -> {
                    for (ConsumerRecord<String, CloudEvent> record : consumer.poll(Duration.ofMillis(200))) {
                        assertThat(record.value().getType()).isEqualTo("dev.parley.audit.v1");
                        verdicts.put(record.value().getId(), record.value().getSubject());
                    }
                    return verdicts.size() >= expected.size();
                });
            }
            assertThat(verdicts).isEqualTo(expected).hasSize(10);
        }
    }

    private Map<String, Object> settings() throws IOException {
        Path tokens = Files.write(
                directory.resolve("tokens.jsonl"),
                List.of(StoredToken.of(TOKEN, "agent", Role.PRODUCER, Optional.empty(), Optional.empty())
                        .line()));
        return Map.of(HttpKeys.TOKENS_FILE, tokens.toString(), IngestFeature.ENABLED, true);
    }

    /** One message as text, and one as JSON. */
    private List<CloudEvent> events(String name) {
        return List.of(
                event(name + "-text")
                        .withData("text/plain", "?Uc/la".getBytes(UTF_8))
                        .build(),
                event(name + "-json")
                        .withData("application/json", "{\"type\":\"STATE\",\"payload\":\"000110\"}".getBytes(UTF_8))
                        .build());
    }

    private static CloudEventBuilder event(String conversation) {
        return CloudEventBuilder.v1()
                .withId(conversation)
                .withSource(URI.create("/agents/a"))
                .withType("message")
                .withTime(OffsetDateTime.now(ZoneOffset.UTC))
                .withExtension("parleynamespace", "sdk")
                .withExtension("parleyconversation", conversation)
                .withExtension("parleysender", "A1");
    }

    private void expect(String position, CloudEvent event) {
        String protocol = event.getId().endsWith("-text") ? "LAMBDA" : "SUBIT";
        expected.put(position, "sdk|" + protocol + "|" + event.getId());
    }

    private void sendOverHttp(URI target) throws Exception {
        for (CloudEvent event : events("http-binary")) {
            HttpRequest.Builder request = HttpRequest.newBuilder(target);
            writer(request).writeBinary(event);
            expect(position(answer(request)), event);
        }
        for (CloudEvent event : events("http-structured")) {
            HttpRequest.Builder request = HttpRequest.newBuilder(target);
            writer(request).writeStructured(event, JsonFormat.CONTENT_TYPE);
            expect(position(answer(request)), event);
        }
        List<CloudEvent> batch = events("http-batch");
        List<String> texts = new ArrayList<>();
        for (CloudEvent event : batch) {
            texts.add(new String(new JsonFormat().serialize(event), UTF_8));
        }
        JsonNode items = answer(HttpRequest.newBuilder(target)
                        .header("Content-Type", "application/cloudevents-batch+json")
                        .POST(BodyPublishers.ofString("[" + String.join(",", texts) + "]")))
                .path("items");
        for (int i = 0; i < batch.size(); i++) {
            expect(position(items.path(i)), batch.get(i));
        }
    }

    private static MessageWriter<?, Void> writer(HttpRequest.Builder request) {
        return HttpMessageFactory.createWriter(request::header, body -> request.POST(BodyPublishers.ofByteArray(body)));
    }

    private static JsonNode answer(HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpResponse<String> response =
                CLIENT.send(request.header("Authorization", "Bearer " + TOKEN).build(), BodyHandlers.ofString());
        assertThat(response.statusCode()).as(response.body()).isEqualTo(202);
        return JSON.readTree(response.body());
    }

    private static String position(JsonNode item) {
        return item.path("topic").asText() + "-" + item.path("partition").asText() + "-"
                + item.path("offset").asText();
    }

    private void sendOverKafka(String brokers, Encoding encoding) throws Exception {
        CloudEventSerializer values = new CloudEventSerializer();
        values.configure(
                Map.of(
                        CloudEventSerializer.ENCODING_CONFIG,
                        encoding,
                        CloudEventSerializer.EVENT_FORMAT_CONFIG,
                        JsonFormat.CONTENT_TYPE),
                false);
        try (KafkaProducer<String, CloudEvent> producer =
                new KafkaProducer<>(Map.of("bootstrap.servers", brokers), new StringSerializer(), values)) {
            for (CloudEvent event : events("kafka-" + encoding)) {
                RecordMetadata sent = producer.send(new ProducerRecord<>(TopicNames.DEFAULT.wire(), event))
                        .get();
                expect(sent.topic() + "-" + sent.partition() + "-" + sent.offset(), event);
            }
        }
    }
}
