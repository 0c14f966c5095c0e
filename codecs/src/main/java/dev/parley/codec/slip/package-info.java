/**
 * nSLIP, the wire form of SLIP v0.1: {@link dev.parley.codec.slip.SlipCodec} reads and writes messages such as
 * {@code @a3|f0|c1|S0|d1|T1|k1|t"auth"#}, {@link dev.parley.codec.slip.SlipBuilder} makes them:
 *
 * <pre>{@code
 * SlipMessage request = SlipBuilder.of(SlipAct.REQUEST, SlipFrame.TASK, 1, 0, 1, 1).taskId(1).tag("auth").build();
 * }</pre>
 *
 * <p><b>Inside.</b> A message goes through the classes in this order:
 *
 * <ol>
 *   <li>{@link dev.parley.codec.slip.PlainSlipReader} reads in one walk what nearly all messages are: canonical and without anything to remark.
 *       It decides nothing; whatever it does not know it leaves to the other two.
 *   <li>{@link dev.parley.codec.slip.SlipScanner} walks over any message and finds its end, its fields and its first lexical fault.
 *   <li>{@link dev.parley.codec.slip.SlipReader} then reads the values field by field, and says what is missing.
 * </ol>
 *
 * <p>{@link dev.parley.codec.slip.SlipField} is the table of fields, {@link dev.parley.codec.slip.SlipNumbers} says what their numbers mean,
 * {@link dev.parley.codec.slip.Base62} how they are written. {@link dev.parley.codec.slip.SlipWriter} writes.
 */
package dev.parley.codec.slip;
