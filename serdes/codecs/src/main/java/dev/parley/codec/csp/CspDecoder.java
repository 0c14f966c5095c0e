package dev.parley.codec.csp;

import dev.parley.avro.CspIntent;
import dev.parley.avro.CspMessage;
import dev.parley.codec.Code;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult;
import dev.parley.codec.Utf8;
import dev.parley.codec.csp.CspDiagnostics.Rank;

/** Decodes one message in one pass over its lines. */
final class CspDecoder {

    private CspDecoder() {}

    static DecodeResult<CspMessage> decode(byte[] bytes, DecodeOptions options) {
        CspLines lines = new CspLines(bytes);
        CspDiagnostics findings = new CspDiagnostics(lines, options.strict());
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
        if (!lines.wereAllPlain()) {
            int invalid = Utf8.firstInvalid(bytes, 0, bytes.length);
            if (invalid >= 0) {
                findings.badUtf8(invalid);
            }
        }
        return findings.result(message);
    }

    private static void firstLine(byte[] bytes, CspLines lines, CspDiagnostics findings) {
        int from = 0;
        if (Utf8.startsWithMark(bytes)) {
            findings.note(Rank.LEXICAL, Code.BYTE_ORDER_MARK, 0, "The message starts with a byte order mark.");
            from = Utf8.MARK_LENGTH;
        }
        lines.skipWhiteSpace(from);
        if (!lines.next()) {
            refuse(findings, Code.CSP_NOT_CSP, bytes.length, "The message must start with a line CSP/1, but is empty.");
            return;
        }
        int start = lines.start();
        int end = lines.end();
        if (end - start < 4
                || bytes[start] != 'C'
                || bytes[start + 1] != 'S'
                || bytes[start + 2] != 'P'
                || bytes[start + 3] != '/') {
            refuse(findings, Code.CSP_NOT_CSP, start, "The first line of a message must be CSP/1.");
        } else if (end - start == 4 || bytes[start + 4] != '1') {
            refuse(findings, Code.CSP_VERSION, start, "The version must be CSP/1.");
        } else if (end - start > 5) {
            if (bytes[start + 5] == ';') {
                refuse(
                        findings,
                        Code.CSP_TEMPLATE,
                        start,
                        "This is a prompt template. A message must have only CSP/1 on its first line.");
            } else if (CspBytes.isBlank(bytes[start + 5])) {
                refuse(
                        findings,
                        Code.CSP_NOT_CSP,
                        lines.skipBlanks(start + 5),
                        "The first line must contain only CSP/1.");
            } else {
                refuse(findings, Code.CSP_VERSION, start, "The version must be CSP/1.");
            }
        }
    }

    private static void refuse(CspDiagnostics findings, Code code, int offset, String detail) {
        findings.note(Rank.LEXICAL, code, offset, detail);
    }
}
