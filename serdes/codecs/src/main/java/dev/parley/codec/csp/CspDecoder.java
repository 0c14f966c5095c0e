package dev.parley.codec.csp;

import dev.parley.avro.CspIntent;
import dev.parley.avro.CspMessage;
import dev.parley.codec.Ascii;
import dev.parley.codec.Code;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult;
import dev.parley.codec.Diagnostics;
import dev.parley.codec.Utf8;

/** Decodes one message in one pass over its lines. */
final class CspDecoder {

    private static final int NAME_LENGTH = 5;

    private CspDecoder() {}

    static DecodeResult<CspMessage> decode(byte[] bytes, DecodeOptions options) {
        CspLines lines = new CspLines(bytes);
        Diagnostics findings = new Diagnostics(options.strict());
        CspMessage message = new CspMessage();
        message.setIntent(CspIntent.UNKNOWN);
        firstLine(bytes, lines, findings);
        if (!findings.stopped()) {
            CspHeader header =
                    new CspHeader(lines, findings, message, options.limits().fields());
            boolean atBlock = header.read();
            if (!findings.stopped()) {
                new CspBody(lines, findings, message, options.limits(), header.count()).read(atBlock);
            }
        }
        if (lines.wereAllPlain()) {
            findings.plain();
        } else {
            int invalid = Utf8.firstInvalid(bytes, 0, bytes.length);
            // A lexical error takes precedence over bytes that were not read because of it.
            if (invalid >= 0 && !(findings.stopped() && lines.nextStart() <= invalid)) {
                findings.overrule(Code.CSP_BAD_UTF8, invalid, "The byte at this offset is not valid UTF-8.");
            }
        }
        return findings.result(message);
    }

    private static void firstLine(byte[] bytes, CspLines lines, Diagnostics findings) {
        int from = 0;
        if (Utf8.startsWithMark(bytes)) {
            findings.lexical(Code.BYTE_ORDER_MARK, 0, "The message starts with a byte order mark.");
            if (findings.stopped()) {
                return;
            }
            from = Utf8.MARK_LENGTH;
        }
        lines.skipWhiteSpace(from);
        if (!lines.next()) {
            findings.lexical(Code.CSP_NOT_CSP, bytes.length, "The message must start with a line CSP/1, but is empty.");
            return;
        }
        int start = lines.start();
        int end = lines.end();
        if (!Ascii.startsWith(bytes, start, "CSP/")) {
            findings.lexical(Code.CSP_NOT_CSP, start, "The first line of a message must be CSP/1.");
        } else if (Ascii.startsWith(bytes, start, "CSP/1;")) {
            findings.lexical(
                    Code.CSP_TEMPLATE,
                    start,
                    "This is a prompt template. A message must have only CSP/1 on its first line.");
        } else if (!Ascii.startsWith(bytes, start, "CSP/1") || end > start + NAME_LENGTH && isVersion(bytes, start)) {
            findings.lexical(Code.CSP_VERSION, start, "The version must be CSP/1.");
        } else if (end > start + NAME_LENGTH) {
            findings.lexical(
                    Code.CSP_NOT_CSP, lines.skipBlanks(start + NAME_LENGTH), "The first line must contain only CSP/1.");
        }
    }

    /** Whether a longer number follows the name, such as CSP/1.1. */
    private static boolean isVersion(byte[] bytes, int start) {
        byte next = bytes[start + NAME_LENGTH];
        return Ascii.isAlphanumeric(next) || next == '.';
    }
}
