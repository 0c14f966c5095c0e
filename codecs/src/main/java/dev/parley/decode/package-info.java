/**
 * From a record to a message: which protocol it is, which conversation it belongs to, and the envelope that all protocols share. Start with
 * {@link dev.parley.decode.MessageDecoder}; {@link dev.parley.decode.WireProtocols} alone finds a protocol by a name or
 * by first bytes.
 *
 * <pre>{@code
 * MessageDecoder decoder = new MessageDecoder(DecodeOptions.LENIENT, Map.of("parley.wire.csp", WireProtocols.CSP));
 * Decoding decoding = decoder.decode(new WireRecord(source, key, value, RecordHeaders.NONE));
 * }</pre>
 *
 * <p>Any record gives a {@link dev.parley.decode.Decoding}: nothing is thrown for bad input. A record's headers come in through an interface, so
 * nothing here knows Kafka. A {@code MessageDecoder} is for one thread at a time; the rest may be used by any number of threads.
 */
package dev.parley.decode;
