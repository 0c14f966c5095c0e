package dev.parley.serde;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.avro.SlipMessage;
import dev.parley.codec.Code;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.serialization.Deserializer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the serializers and deserializers as Kafka's clients create and configure them, from string properties. */
class KafkaClientsTest {
    private static final byte[] UNKNOWN_FIELD = "@a3|f0|c1|S0|d1|T1|x7#".getBytes(UTF_8);

    @ParameterizedTest
    @ValueSource(strings = {"slip", "NSLIP", " subit", "csp", "Λ"})
    void aProducerCreatesASerializerByName(String protocol) {
        Properties settings = client();
        settings.setProperty(WireConfig.PROTOCOL, protocol);
        settings.setProperty(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, WireSerializer.class.getName());
        settings.setProperty(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, WireSerializer.class.getName());

        KafkaProducer<Object, Object> producer = new KafkaProducer<>(settings);

        producer.close(Duration.ZERO);
    }

    @ParameterizedTest
    @ValueSource(strings = {"slip", "NSLIP", " subit", "csp", "Λ"})
    void aConsumerCreatesADeserializerByName(String protocol) {
        Properties settings = consumer();
        settings.setProperty(WireConfig.PROTOCOL, protocol);
        try (KafkaConsumer<Object, Object> consumer = new KafkaConsumer<>(settings)) {
            assertThat(consumer.subscription()).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "parley.protocol, ping",
        "parley.profile, harsh",
        "parley.limits.message.bytes, 64k",
        "parley.limits.depth, 0",
        "parley.limits.fields, -1",
        "parley.limits.operations, ''",
    })
    void aConsumerWithAnInvalidSettingIsRefused(String key, String value) {
        Properties settings = consumer();
        settings.setProperty(key, value);

        assertThatThrownBy(() -> new KafkaConsumer<>(settings))
                .isInstanceOf(KafkaException.class)
                .hasRootCauseInstanceOf(ConfigException.class)
                .rootCause()
                .hasMessageContaining(key);
    }

    @Test
    void clientsWithoutAProtocolAreRefusedWithTheNames() {
        Properties reading = consumer();
        reading.remove(WireConfig.PROTOCOL);
        Properties writing = client();
        writing.remove(WireConfig.PROTOCOL);
        writing.setProperty(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, WireSerializer.class.getName());
        writing.setProperty(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, WireSerializer.class.getName());

        for (ThrowingCallable client :
                List.<ThrowingCallable>of(() -> new KafkaConsumer<>(reading), () -> new KafkaProducer<>(writing))) {
            assertThatThrownBy(client)
                    .rootCause()
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContainingAll("parley.protocol", "mcp, slip, nslip, subit, csp, lambda, λ");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void settingsMeanTheSameForKeysAndValues(boolean isKey) {
        try (Deserializer<SlipMessage> deserializer =
                byName(Map.of(WireConfig.PROFILE, "strict", "group.id", "g", "key.deserializer", "x"), isKey)) {
            assertThatThrownBy(() -> deserializer.deserialize("t", UNKNOWN_FIELD))
                    .isInstanceOfSatisfying(
                            MalformedMessageException.class,
                            fault -> assertThat(fault.code()).isEqualTo(Code.SLIP_UNKNOWN_PREFIX));
            assertThat(deserializer.deserialize("t", null)).isNull();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"string", "number"})
    void aLimitIsAStringOrANumber(String type) {
        Object limit = type.equals("string") ? "20" : (Object) 20;
        try (Deserializer<SlipMessage> deserializer = byName(Map.of(WireConfig.MESSAGE_BYTES, limit), false)) {
            assertThatThrownBy(() -> deserializer.deserialize("t", UNKNOWN_FIELD))
                    .isInstanceOfSatisfying(
                            MalformedMessageException.class,
                            fault -> assertThat(fault.code()).isEqualTo(Code.MESSAGE_TOO_LARGE));
        }
    }

    @Test
    void aDeserializerWorksAfterCloseAndReconfiguration() {
        Deserializer<SlipMessage> deserializer = byName(Map.of(WireConfig.PROFILE, "strict"), false);
        deserializer.close();
        deserializer.close();
        deserializer.configure(Map.of(WireConfig.PROTOCOL, "slip", WireConfig.PROFILE, "lenient"), false);

        assertThat(deserializer.deserialize("t", UNKNOWN_FIELD).getUnknownFields())
                .containsExactly("x7");
    }

    @SuppressWarnings("unchecked")
    private static Deserializer<SlipMessage> byName(Map<String, Object> settings, boolean isKey) {
        Properties file = consumer();
        Deserializer<SlipMessage> made = new ConsumerConfig(file)
                .getConfiguredInstance(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, Deserializer.class);
        Map<String, Object> all = new HashMap<>(settings);
        all.put(WireConfig.PROTOCOL, "slip");
        made.configure(all, isKey);
        return made;
    }

    private static Properties consumer() {
        Properties settings = client();
        settings.setProperty(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, WireDeserializer.class.getName());
        settings.setProperty(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, WireDeserializer.class.getName());
        return settings;
    }

    private static Properties client() {
        Properties settings = new Properties();
        settings.setProperty(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, "127.0.0.1:1");
        settings.setProperty(WireConfig.PROTOCOL, "slip");
        settings.setProperty(WireConfig.PROFILE, "strict");
        settings.setProperty(WireConfig.MESSAGE_BYTES, "65536");
        settings.setProperty("nobody.knows.this", "x");
        return settings;
    }
}
