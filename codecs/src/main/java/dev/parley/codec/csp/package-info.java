/**
 * CSP/1: {@link dev.parley.codec.csp.CspCodec} reads and writes messages, {@link dev.parley.codec.csp.CspMessages} makes them:
 *
 * <pre>{@code
 * CspMessage patch = CspMessages.of("ada", "bob", "C0").patch("P1", "C0", "C1").add("GOAL", "ship").build();
 * }</pre>
 *
 * <p>{@link dev.parley.codec.csp.CspDefinitions} reads DEF lines that stand outside a patch.
 *
 * <p><b>Inside.</b> Everything that memory or meaning is needed for (tasks,
 * checkpoints, definitions) belongs to the judge.
 *
 * <p>The tables of the document are {@link dev.parley.codec.csp.CspKey} and {@link dev.parley.codec.csp.CspBlock} (which keys there are, and
 * which block has which), and {@link dev.parley.codec.csp.CspRequirements} (what a block cannot do without).
 *
 * <p>The way of bytes to a record: {@link dev.parley.codec.csp.CspDecoder} reads the first line, then has
 * {@link dev.parley.codec.csp.CspHeader} read up to the blank line and {@link dev.parley.codec.csp.CspBody} the block; the operations of a
 * patch are read by {@link dev.parley.codec.csp.CspPatch}, the lines of a file by {@link dev.parley.codec.csp.CspHeredoc}. All of them move
 * along the same {@link dev.parley.codec.csp.CspLines}, put what they read into the record, and leave what they find wrong with
 * {@link dev.parley.codec.csp.CspFindings}, which in the end tells the one fault to report from the others. An order of keys other than the
 * document's is kept by {@link dev.parley.codec.csp.CspOrder}.
 *
 * <p>The way back: {@link dev.parley.codec.csp.CspEncoder} says what comes after what, and {@link dev.parley.codec.csp.CspWriter} writes it,
 * having {@link dev.parley.codec.csp.CspText} look at every text that might not read back the same. Records are made by the builders that
 * {@link dev.parley.codec.csp.CspMessages} starts; they and the encoder share {@link dev.parley.codec.csp.CspChecks}.
 */
package dev.parley.codec.csp;
