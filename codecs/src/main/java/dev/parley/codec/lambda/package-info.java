/**
 * The codec of Λ v0.6. Decoding goes in three steps: {@link dev.parley.codec.lambda.Tail} looks at what ends the message,
 * {@link dev.parley.codec.lambda.TextScanner} checks strings and brackets and leaves out white space that means nothing, and
 * {@link dev.parley.codec.lambda.Prefix} and {@link dev.parley.codec.lambda.StatementParser} read the {@link dev.parley.codec.lambda.Text}
 * that remains. So two messages that differ in such white space only are the same message.
 */
package dev.parley.codec.lambda;
