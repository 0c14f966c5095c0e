/**
 * The codec of CSP/1. The decoding of records, the serdes and other programs may use it; the codecs do not know each
 * other. Start with {@link dev.parley.codec.csp.CspCodec}.
 *
 * <p>{@link dev.parley.codec.csp.CspCodec} reads and writes messages, and {@link dev.parley.codec.csp.CspMessages}
 * builds them:
 *
 * <pre>{@code
 * CspMessage patch = CspMessages.of("ada", "bob", "C0").patch("P1", "C0", "C1").add("GOAL", "ship").build();
 * }</pre>
 *
 * <p><b>Scope.</b> The codec looks at one message. Rules that need other messages (tasks, checkpoints, definitions)
 * belong to the dialogue rules.
 *
 * <p><b>Tables.</b> {@link dev.parley.codec.csp.CspKey} and {@link dev.parley.codec.csp.CspBlock} list the keys of the
 * document and of each block, with the code of a missing one; {@link dev.parley.codec.csp.CspRequirements} checks them.
 *
 * <p><b>Decoding.</b> {@link dev.parley.codec.csp.CspDecoder} reads the first line,
 * {@link dev.parley.codec.csp.CspHeader} the header up to the blank line, and {@link dev.parley.codec.csp.CspBody} the
 * block. {@link dev.parley.codec.csp.CspPatch} reads the operations of a patch, and
 * {@link dev.parley.codec.csp.CspHeredoc} the lines of a file. All share one {@link dev.parley.codec.csp.CspLines},
 * fill in the record, and report errors to {@link dev.parley.codec.Diagnostics}, which selects the one to
 * report. {@link dev.parley.codec.csp.CspNameCheck} checks names, and
 * {@link dev.parley.codec.csp.CspOrder} stores an order of keys that differs from the document.
 *
 * <p><b>Encoding.</b> {@link dev.parley.codec.csp.CspEncoder} determines the order of the parts, and
 * {@link dev.parley.codec.csp.CspWriter} writes them; {@link dev.parley.codec.csp.CspText} checks every text that might
 * decode differently. The encoder decodes the bytes of a message whose names, keys or order might decode differently.
 * The builders of {@link dev.parley.codec.csp.CspMessages} check each value with
 * {@link dev.parley.codec.csp.CspChecks} before.
 */
package dev.parley.codec.csp;
