/**
 * What all wire codecs have in common, for programs that read or write agent messages; no Kafka is needed.
 *
 * <p>Start with the codec of your protocol: {@link dev.parley.codec.slip.SlipCodec}, {@link dev.parley.codec.subit.SubitCodec},
 * {@link dev.parley.codec.csp.CspCodec} or {@link dev.parley.codec.lambda.LambdaCodec}. Each is a {@link dev.parley.codec.WireCodec} from bytes to the
 * record that is generated from the protocol's Avro schema, and back:
 *
 * <pre>{@code
 * SlipCodec codec = new SlipCodec();
 * DecodeResult<SlipMessage> result = codec.decode(wire, DecodeOptions.LENIENT);
 * if (result instanceof DecodeResult.Decoded<SlipMessage> decoded) {
 *     byte[] canonical = codec.encode(decoded.message());
 * } else if (result instanceof DecodeResult.Malformed<SlipMessage> fault) {
 *     System.err.println(fault.code() + " at byte " + fault.offset() + ": " + fault.detail());
 * }
 * }</pre>
 *
 * <p><b>Errors.</b> Decoding never throws for bad input: a fault is a value with a stable {@link dev.parley.codec.Code}, the byte offset from 0 and a
 * sentence. Encoding throws {@link java.lang.IllegalArgumentException} for a record that no message can say; the builders
 * ({@link dev.parley.codec.slip.SlipBuilder}, {@link dev.parley.codec.subit.SubitBuilder}, {@link dev.parley.codec.csp.CspMessages},
 * {@link dev.parley.codec.lambda.LambdaBuilder}) do so in the call that gives the value. Null arguments are refused by a
 * {@link java.lang.NullPointerException}.
 *
 * <p><b>Strictness and limits.</b> {@link dev.parley.codec.DecodeOptions} say whether departures from form are warnings or faults, and how large a
 * message may be; {@link dev.parley.codec.Limits} are checked before memory is taken.
 *
 * <p><b>Threads.</b> Codecs, options and limits may be used by any number of threads. Records and builders are for one thread at a time.
 *
 * <p><b>Records by hand.</b> Avro 1.12.2 makes the defaults of a generated {@code newBuilder()} only for classes it was told to trust, and throws a
 * {@link java.lang.SecurityException} for others. Use our builders or the constructors, or trust the package {@code dev.parley.avro} by Avro's
 * {@code ClassSecurityValidator}.
 *
 * <p>{@link dev.parley.codec.Utf8} and {@link dev.parley.codec.Warnings} are for those who write a codec.
 */
package dev.parley.codec;
