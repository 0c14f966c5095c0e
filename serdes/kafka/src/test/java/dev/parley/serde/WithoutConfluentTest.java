package dev.parley.serde;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.avro.SlipMessage;
import dev.parley.codec.slip.SlipCodec;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.kafka.common.serialization.Serializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.Logger;

/** Checks that the wire serdes need neither Confluent's nor Connect's JARs. */
class WithoutConfluentTest {
    @ParameterizedTest
    @CsvSource({"slip, @a3|f0|c1|S0|d1|T1|k1#", "lambda, ?Uc/la"})
    void aWireSerdeWorksWithoutConfluentAndConnect(String protocol, String wire) throws Exception {
        try (URLClassLoader loader = withoutOptionalJars()) {
            Object serde = loader.loadClass("dev.parley.serde.WireSerde")
                    .getConstructor()
                    .newInstance();
            serde.getClass()
                    .getMethod("configure", Map.class, boolean.class)
                    .invoke(serde, Map.of("parley.protocol", protocol), false);
            Object deserializer = serde.getClass().getMethod("deserializer").invoke(serde);
            Object serializer = serde.getClass().getMethod("serializer").invoke(serde);

            Object message = deserializer
                    .getClass()
                    .getMethod("deserialize", String.class, byte[].class)
                    .invoke(deserializer, "t", wire.getBytes(UTF_8));

            assertThat(message.getClass().getClassLoader()).isSameAs(loader);
            assertThat(serializer
                            .getClass()
                            .getMethod("serialize", String.class, Object.class)
                            .invoke(serializer, "t", message))
                    .isEqualTo(wire.getBytes(UTF_8));
        }
    }

    @Test
    void theOptionalClassesAreReallyAbsent() throws Exception {
        try (URLClassLoader loader = withoutOptionalJars()) {
            assertThatThrownBy(() -> Class.forName("dev.parley.serde.AvroSerdes", true, loader)
                            .getDeclaredMethods())
                    .isInstanceOf(NoClassDefFoundError.class);
            assertThatThrownBy(() -> Class.forName("dev.parley.connect.WireConverter", true, loader))
                    .isInstanceOf(NoClassDefFoundError.class);
        }
    }

    /** The class path of a user of the wire serdes: three modules, Kafka's clients, Avro, and their dependencies. */
    private static URLClassLoader withoutOptionalJars() {
        Stream<Class<?>> oneOfEach = Stream.of(
                WireSerde.class,
                SlipCodec.class,
                SlipMessage.class,
                Serializer.class,
                Schema.class,
                ObjectMapper.class,
                JsonFactory.class,
                JsonProperty.class,
                Logger.class);
        return new URLClassLoader(
                oneOfEach
                        .map(type -> type.getProtectionDomain().getCodeSource().getLocation())
                        .toArray(URL[]::new),
                ClassLoader.getPlatformClassLoader());
    }
}
