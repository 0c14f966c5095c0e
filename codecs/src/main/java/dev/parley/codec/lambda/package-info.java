/**
 * Λ v0.6: {@link dev.parley.codec.lambda.LambdaCodec} reads and writes messages such as <code>@A1: {ctx:auth}?Uc/la</code>,
 * {@link dev.parley.codec.lambda.LambdaBuilder} makes them. The protocol layer (header, address, relay, trust, floor, contexts, statements, checksum)
 * is read in full; a body is kept as tokens, because its vocabulary is open:
 *
 * <pre>{@code
 * LambdaMessage question = LambdaBuilder.message().to("A1").context("ctx", "auth").ask("Uc/la").build();
 * }</pre>
 *
 * <p><b>Inside.</b> A message goes through the classes in this order:
 *
 * <ol>
 *   <li>{@link dev.parley.codec.lambda.LambdaDecoder} tells where it starts, and {@link dev.parley.codec.lambda.Tail} what ends it: a floor mark, a
 *       checksum.
 *   <li>{@link dev.parley.codec.lambda.TextScanner} checks its strings, and, by its superclass
 *       {@link dev.parley.codec.lambda.BracketScanner}, its brackets (each open one is a {@link dev.parley.codec.lambda.Bracket}); it leaves out white
 *       space that means nothing. What remains is the {@link dev.parley.codec.lambda.Text}, with marks where its structure shows; so
 *       two messages that differ in such white space only are the same message.
 *   <li>{@link dev.parley.codec.lambda.MessageParser} makes a record of the text: {@link dev.parley.codec.lambda.Prefix} reads what stands before the
 *       first statement, {@link dev.parley.codec.lambda.ContextParser} the braces there, {@link dev.parley.codec.lambda.StatementParser} the statements
 *       and {@link dev.parley.codec.lambda.Tokenizer} their bodies; {@link dev.parley.codec.lambda.Checksum} compares what was counted.
 * </ol>
 *
 * <p>All of them report to {@link dev.parley.codec.lambda.Findings}, which knows the fault that decides. {@link dev.parley.codec.lambda.Alphabet}
 * says what each character does. Writing is the work of {@link dev.parley.codec.lambda.MessageCheck} and then
 * {@link dev.parley.codec.lambda.CanonicalWriter}.
 */
package dev.parley.codec.lambda;
