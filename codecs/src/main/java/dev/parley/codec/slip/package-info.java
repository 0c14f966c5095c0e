/**
 * The nSLIP codec (SLIP v0.1). A message goes through the classes in this order:
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
