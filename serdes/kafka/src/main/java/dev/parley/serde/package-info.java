/**
 * Kafka serializers, deserializers and serdes. Any Kafka client or Streams application may use them. Start with {@link
 * dev.parley.serde.WireSerde} or, for the output topics, {@link dev.parley.serde.AvroSerdes}.
 *
 * <p>For messages of a wire protocol: {@link dev.parley.serde.WireSerde} with
 * {@link dev.parley.serde.WireSerializer} and {@link dev.parley.serde.WireDeserializer}, which Kafka creates by class
 * name. {@link dev.parley.serde.WireConfig} lists their settings:
 *
 * <pre>
 * value.deserializer=dev.parley.serde.WireDeserializer
 * parley.protocol=slip
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
