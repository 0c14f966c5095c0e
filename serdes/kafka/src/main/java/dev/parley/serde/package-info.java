/**
 * Kafka serializers, deserializers and serdes.
 *
 * <p>For the four wire protocols: {@link dev.parley.serde.SlipSerde}, {@link dev.parley.serde.SubitSerde},
 * {@link dev.parley.serde.CspSerde} and {@link dev.parley.serde.LambdaSerde}, with their serializers and deserializers,
 * which Kafka creates by class name. {@link dev.parley.serde.WireConfig} lists their settings:
 *
 * <pre>
 * value.deserializer=dev.parley.serde.SlipDeserializer
 * parley.profile=strict
 * </pre>
 *
 * <p>For Parley's output topics: {@link dev.parley.serde.AvroSerdes}, in Confluent's wire format. Only this class needs
 * Confluent's serializers, an optional dependency of this module.
 *
 * <p>Null stays null in both directions. For a value that is not a message, a deserializer throws
 * {@link dev.parley.serde.MalformedMessageException}. For a record that the protocol cannot represent, a serializer
 * throws {@link org.apache.kafka.common.errors.SerializationException}. For a setting that is not allowed,
 * {@code configure} throws {@link org.apache.kafka.common.config.ConfigException}. All are thread-safe once configured.
 */
package dev.parley.serde;
