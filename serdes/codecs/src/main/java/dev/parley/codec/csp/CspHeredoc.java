package dev.parley.codec.csp;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.avro.CspMessage;
import dev.parley.codec.Code;
import dev.parley.codec.Diagnostics;

/**
 * Reads the CONTENT of a FILEOP, the last part of its message: lines between {@code <<<} and {@code >>>}, byte for
 * byte.
 */
final class CspHeredoc {
    private static final byte[] OPENING = "<<<".getBytes(US_ASCII);
    private static final byte[] CLOSING = ">>>".getBytes(US_ASCII);

    private final CspLines lines;
    private final Diagnostics findings;

    CspHeredoc(CspLines lines, Diagnostics findings) {
        this.lines = lines;
        this.findings = findings;
    }

    /** Reads to the end of the message. The current line is that of CONTENT, with its value at the index. */
    void read(CspMessage message, int valueStart) {
        if (isOpening(valueStart)) {
            findings.lexical(Code.CSP_HEREDOC_INLINE, valueStart, "<<< must be on the line after CONTENT.");
        }
        int opening = valueStart;
        boolean more = true;
        while (more && opening == lines.end()) {
            more = lines.next();
            opening = more ? lines.skipBlanks(lines.start()) : lines.bytes().length;
        }
        if (findings.stopped() || !isOpening(opening)) {
            refuse(opening, "The content must be between lines <<< and >>> after CONTENT.");
            return;
        }
        int from = lines.nextStart();
        do {
            if (!lines.next()) {
                refuse(opening, "A line >>> must close this heredoc.");
                return;
            }
        } while (!lines.isExactly(CLOSING));
        int to = lines.start();
        // The line feed before >>> is not part of the content; without it, the content has no line.
        message.setContentHeredoc(to > from);
        message.setContent(to > from ? new String(lines.bytes(), from, to - 1 - from, UTF_8) : "");
        while (lines.next()) {
            if (!lines.isBlank()) {
                refuse(
                        lines.skipBlanks(lines.start()),
                        "The message must end after the line >>>, and its content must not contain such a line.");
                return;
            }
        }
    }

    private boolean isOpening(int at) {
        return CspBytes.stands(OPENING, lines.bytes(), at, lines.end());
    }

    private void refuse(int offset, String detail) {
        findings.lexical(Code.CSP_HEREDOC, offset, detail);
    }
}
