/**
 * The codec of nSLIP, the wire form of SLIP v0.1. The decoding of records, the serdes and other programs may use it;
 * the codecs do not know each other. Start with {@link dev.parley.codec.slip.SlipCodec}.
 *
 * <p>{@link dev.parley.codec.slip.SlipCodec} reads and writes messages such as
 * {@code @a3|f0|c1|S0|d1|T1|k1|t"auth"#}, and {@link dev.parley.codec.slip.SlipBuilder} builds them:
 *
 * <pre>{@code
 * SlipMessage request = SlipBuilder.of(SlipAct.REQUEST, SlipFrame.TASK, 1, 0, 1, 1).taskId(1).tag("auth").build();
 * }</pre>
 *
 * <p><b>Decoding.</b> A message passes through the classes in this order:
 *
 * <ol>
 *   <li>{@link dev.parley.codec.slip.PlainSlipReader} decodes almost all messages in one pass: canonical ones without
 *       warnings except SLIP_RANGE. It leaves any other message to the other two.
 *   <li>{@link dev.parley.codec.slip.SlipScanner} finds the end, the fields and the first lexical error of any message.
 *   <li>{@link dev.parley.codec.slip.SlipReader} then reads the values field by field, and reports missing fields;
 *       it alone knows which are missing, so it also reports a missing prefix, or one in upper case.
 * </ol>
 *
 * <p>{@link dev.parley.codec.slip.SlipField} is the table of fields, {@link dev.parley.codec.slip.SlipNumbers} defines
 * the meaning of their numbers, and {@link dev.parley.codec.slip.Base62} their digits.
 * {@link dev.parley.codec.slip.SlotOrders} shares the strings of slot orders.
 *
 * <p><b>Encoding.</b> {@link dev.parley.codec.slip.SlipWriter} writes the canonical form.
 */
package dev.parley.codec.slip;
