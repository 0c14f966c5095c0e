/**
 * Kafka serializers, deserializers and serdes.
 *
 * <p>For the four wire protocols: {@link dev.parley.serde.SlipSerde}, {@link dev.parley.serde.SubitSerde}, {@link dev.parley.serde.CspSerde} and
 * {@link dev.parley.serde.LambdaSerde}, with their serializers and deserializers, which Kafka makes by class name. {@link dev.parley.serde.WireConfig}
 * names their settings:
 *
 * <pre>
 * value.deserializer=dev.parley.serde.SlipDeserializer
 * parley.profile=strict
 * </pre>
 *
 * <p>For Parley's output topics: {@link dev.parley.serde.AvroSerdes}, in Confluent's wire format. It alone needs Confluent's serializers, an optional
 * dependency of this module.
 *
 * <p>Null is null both ways. A value that is no message makes a deserializer throw {@link dev.parley.serde.MalformedMessageException}; a record that no
 * message can say makes a serializer throw {@link org.apache.kafka.common.errors.SerializationException}; a setting that is not allowed makes
 * {@code configure} throw {@link org.apache.kafka.common.config.ConfigException}. Once configured, all may be used by any number of threads.
 */
package dev.parley.serde;
