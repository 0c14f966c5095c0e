/**
 * The codec of Λ v0.6. The decoding of records, the serdes and other programs may use it; the codecs do not know each
 * other. Start with {@link dev.parley.codec.lambda.LambdaCodec}.
 *
 * <p>{@link dev.parley.codec.lambda.LambdaCodec} reads and writes messages such as <code>@A1:
 * {ctx:auth}?Uc/la</code>, and {@link dev.parley.codec.lambda.LambdaBuilder} builds them. The codec parses the protocol
 * layer (header, address, relay, trust, floor, contexts, statements, checksum) in full, and keeps a body as tokens,
 * because its vocabulary is open:
 *
 * <pre>{@code
 * LambdaMessage question = LambdaBuilder.message().to("A1").context("ctx", "auth").ask("Uc/la").build();
 * }</pre>
 *
 * <p><b>Decoding.</b> A message passes through the classes in this order:
 *
 * <ol>
 * <li>{@link dev.parley.codec.lambda.LambdaDecoder} finds the start of the message, and
 * {@link dev.parley.codec.lambda.Tail} its end: a floor mark and a checksum.
 * <li>{@link dev.parley.codec.lambda.TextScanner} checks the strings and, by its superclass
 * {@link dev.parley.codec.lambda.BracketScanner}, the brackets (each open one is a
 * {@link dev.parley.codec.lambda.Bracket}). It drops insignificant white space, so messages that differ only in it are
 * equal. The result is the {@link dev.parley.codec.lambda.NormalizedText}, with marks for the structure.
 * <li>{@link dev.parley.codec.lambda.MessageParser} creates the record: {@link dev.parley.codec.lambda.Prefix} parses
 * the parts before the first statement, {@link dev.parley.codec.lambda.ContextParser} the contexts,
 * {@link dev.parley.codec.lambda.StatementParser} the statements, and {@link dev.parley.codec.lambda.Tokenizer} their
 * bodies; {@link dev.parley.codec.lambda.Checksum} verifies the checksum.
 * </ol>
 *
 * <p>All of them report to {@link dev.parley.codec.Diagnostics}, which selects the error to report.
 * {@link dev.parley.codec.lambda.Alphabet} classifies characters. The parsers themselves report a trust prefix or an
 * agent in another form, because the message would otherwise decode without its mask or its recipient.
 *
 * <p><b>Encoding.</b> {@link dev.parley.codec.lambda.CanonicalWriter} writes a record. What has no wire form is found
 * by decoding the result, as {@link dev.parley.codec.lambda.LambdaParts} does for each part of a builder.
 */
package dev.parley.codec.lambda;
