/**
 * Decoding of records into messages: protocol detection, conversation, and the envelope of all protocols. Serdes,
 * stages and other programs may use it; it does not need Kafka. Start with {@link dev.parley.decode.MessageDecoder};
 * {@link dev.parley.decode.WireProtocols} alone finds a protocol by a name or by the bytes.
 *
 * <pre>{@code
 * MessageDecoder decoder = new MessageDecoder(
 *         DecodeOptions.LENIENT, WireProtocols.STANDARD, Map.of("parley.wire.csp", WireProtocols.CSP), Diagnosis.NONE);
 * RecordDecodeResult result = decoder.decode(new WireRecord(source, key, value, RecordHeaders.NONE));
 * }</pre>
 *
 * <p>Decoding returns a {@link dev.parley.decode.RecordDecodeResult} for any record and never throws for invalid
 * input. Of a {@link dev.parley.decode.CloudEvent}, it decodes the data. A {@link dev.parley.decode.Diagnosis}
 * explains errors and refuses values that hold several messages; the verdicts of Parley's topology need that of the
 * module {@code diagnosis}. Record headers come from an interface, so this package does not depend on Kafka. {@code
 * MessageDecoder} is not thread-safe; all other types are.
 */
package dev.parley.decode;
