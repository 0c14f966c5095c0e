/**
 * The codec of SUBIT-Agent v1.0. The decoding of records, the serdes and other programs may use it; the codecs do not
 * know each other. Start with {@link dev.parley.codec.subit.SubitCodec}.
 *
 * <p>{@link dev.parley.codec.subit.SubitCodec} reads and writes packets such as
 * <code>{"type":"STATE","payload":"000110"}</code>, and {@link dev.parley.codec.subit.SubitBuilder} builds them:
 *
 * <pre>{@code
 * SubitMessage intent = SubitBuilder.intent(0b000110, 0b110001).agent("scout").session("crew-12").build();
 * }</pre>
 *
 * <p><b>Decoding.</b> {@link dev.parley.codec.subit.SubitReader} reads the packet with
 * {@link dev.parley.codec.json.JsonScanner}, and selects the error to report.
 * {@link dev.parley.codec.subit.SubitPayload} reads the forms, whose number {@link dev.parley.codec.subit.SubitForms}
 * checks. {@link dev.parley.codec.subit.SubitMeta} reads meta, and {@link dev.parley.codec.IsoTimestamp} checks
 * its time.
 *
 * <p><b>Encoding.</b> {@link dev.parley.codec.subit.SubitWriter} writes the packet with
 * {@link dev.parley.codec.json.JsonWriter}.
 */
package dev.parley.codec.subit;
