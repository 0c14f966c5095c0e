/**
 * SUBIT-Agent v1.0: {@link dev.parley.codec.subit.SubitCodec} reads and writes packets such as
 * <code>{"type":"STATE","payload":"000110"}</code>, {@link dev.parley.codec.subit.SubitBuilder} makes them:
 *
 * <pre>{@code
 * SubitMessage intent = SubitBuilder.intent(0b000110, 0b110001).agent("scout").session("crew-12").build();
 * }</pre>
 *
 * <p><b>Inside.</b> The way of a packet in, in reading order: {@link dev.parley.codec.subit.SubitReader} walks the packet and decides which fault comes first;
 * {@link dev.parley.codec.subit.SubitPayload} makes forms of bits, which {@link dev.parley.codec.subit.SubitForms} counts;
 * {@link dev.parley.codec.subit.SubitMeta} walks meta, and {@link dev.parley.codec.IsoTimestamp} looks at its time;
 * {@link dev.parley.codec.subit.SubitFindings} keeps what is wrong with the meaning.
 *
 * <p>Under it lies JSON, which is read here and not by a library because faults have exact codes and byte offsets, and limits hold before memory
 * is taken: {@link dev.parley.codec.subit.JsonScanner} takes one token after the other, with {@link dev.parley.codec.subit.JsonStrings} for what
 * stands in quotes ({@link dev.parley.codec.EightBytes} at a time), {@link dev.parley.codec.subit.JsonWords} for numbers and literals, and
 * {@link dev.parley.codec.subit.OpenKeys} for keys that stand twice; {@link dev.parley.codec.subit.JsonValues} takes whole values.
 *
 * <p>The way out: {@link dev.parley.codec.subit.SubitWriter} writes the packet by {@link dev.parley.codec.subit.JsonWriter}.
 */
package dev.parley.codec.subit;
