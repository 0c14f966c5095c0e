/**
 * Common types of the wire codecs. Any program that reads or writes agent messages may use them; they do not need
 * Kafka. Start with the codec of your protocol.
 *
 * <p>The codecs are {@link dev.parley.codec.slip.SlipCodec},
 * {@link dev.parley.codec.subit.SubitCodec}, {@link dev.parley.codec.csp.CspCodec} and
 * {@link dev.parley.codec.lambda.LambdaCodec}. Each is a {@link dev.parley.codec.WireCodec} between bytes and the
 * record that is generated from the protocol's Avro schema:
 *
 * <pre>{@code
 * SlipCodec codec = new SlipCodec();
 * DecodeResult<SlipMessage> result = codec.decode(wire, DecodeOptions.LENIENT);
 * if (result instanceof DecodeResult.Decoded<SlipMessage> decoded) {
 *     byte[] canonical = codec.encode(decoded.message());
 * } else if (result instanceof DecodeResult.Malformed<SlipMessage> error) {
 *     System.err.println(error.code() + " at byte " + error.offset() + ": " + error.detail());
 * }
 * }</pre>
 *
 * <p><b>Errors.</b> Decoding never throws for invalid input: a decode error is a value with a stable
 * {@link dev.parley.codec.Code}, a 0-based byte offset and a sentence. Encoding throws
 * {@link java.lang.IllegalArgumentException} for a record that the protocol cannot represent. The builders
 * ({@link dev.parley.codec.slip.SlipBuilder}, {@link dev.parley.codec.subit.SubitBuilder},
 * {@link dev.parley.codec.csp.CspMessages}, {@link dev.parley.codec.lambda.LambdaBuilder}) throw it in the call with
 * the invalid value. Null arguments cause a {@link java.lang.NullPointerException}.
 *
 * <p><b>Strictness and limits.</b> {@link dev.parley.codec.DecodeOptions} determine whether format deviations are
 * warnings or decode errors, and the maximum size of a message. {@link dev.parley.codec.Limits} are enforced before
 * memory is allocated.
 *
 * <p><b>Threads.</b> Codecs, options and limits are thread-safe. Records and builders are not.
 *
 * <p><b>Constructing records.</b> Avro 1.12.2 fills in the defaults of a generated {@code newBuilder()} only for
 * trusted classes, and throws a {@link java.lang.SecurityException} for others. Use Parley's builders or the
 * constructors, or call {@link dev.parley.codec.TrustedRecords#trust} first.
 *
 * <p><b>Symbols.</b> {@link dev.parley.codec.Symbols} reads the string fields of audit records and envelopes that
 * contain a symbol, such as the verdict.
 *
 * <p>{@link dev.parley.codec.Utf8} and {@link dev.parley.codec.Warnings} are for authors of codecs.
 */
package dev.parley.codec;
