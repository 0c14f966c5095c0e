/**
 * What was nearly a message: near misses of each protocol, messages inside other text, attempts at messages there,
 * encodings, and formats of other systems. {@link dev.parley.diagnosis.ValueDiagnosis} explains the decode errors of
 * codecs and of a {@code MessageDecoder}. Detection and decoding stay with the codecs: a text that a codec refuses is
 * never accepted here.
 *
 * <pre>{@code
 * MessageDecoder decoder = ValueDiagnosis.decoder(DecodeOptions.LENIENT, topicProtocols);
 * }</pre>
 *
 * <p><b>Near misses.</b> {@link dev.parley.diagnosis.SlipNearMisses}, {@link dev.parley.diagnosis.SubitNearMisses},
 * {@link dev.parley.diagnosis.CspNearMisses} and {@link dev.parley.diagnosis.LambdaNearMisses} are tables. A
 * {@link dev.parley.diagnosis.NearMiss} is one row: a form, and the decode error with cause and repair. The first row
 * that has the form of a text decides. docs/codes.md lists the rows. Each table is a
 * {@link dev.parley.diagnosis.NearMisses}, whose {@code resembles} recognizes an attempt that no codec detects.
 * Characters that are written for those of ASCII are one table for all protocols,
 * {@link dev.parley.diagnosis.ForeignSpelling}.
 *
 * <p><b>Inside other text.</b> {@link dev.parley.diagnosis.InnerMessages} walks once through one
 * {@link dev.parley.diagnosis.InnerText} and those inside it, and finds complete messages and, if there is none, the
 * first {@link dev.parley.diagnosis.InnerAttempt}. It reads a bounded number of bytes. It is also used alone, to cut a
 * message out of a dead letter.
 *
 * <p><b>Claims.</b> The names that a refused message claims come from {@code SlipClaims}, {@code SubitClaims},
 * {@code CspClaims} and, for Λ, {@code LambdaNearMisses}.
 *
 * <p><b>Other systems.</b> {@link dev.parley.diagnosis.Encoding} recognizes encodings of text,
 * {@link dev.parley.diagnosis.BinaryFormat} compression and serializers, and
 * {@link dev.parley.diagnosis.ForeignFormat} formats that are no protocol of Parley.
 */
package dev.parley.diagnosis;
