/**
 * What was nearly a message: messages inside other text, attempts at messages, encodings, and formats of other systems.
 * {@link dev.parley.diagnosis.ValueDiagnosis} explains the decode errors of a {@code MessageDecoder}; it never accepts
 * what a codec refuses. All searches read each byte a bounded number of times. Only {@code InnerMessages} is used by
 * itself, to cut a message out of a dead letter.
 *
 * <pre>{@code
 * MessageDecoder decoder = ValueDiagnosis.decoder(DecodeOptions.LENIENT, topicProtocols);
 * }</pre>
 */
package dev.parley.diagnosis;
