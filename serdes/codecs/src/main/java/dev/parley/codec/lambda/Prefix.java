package dev.parley.codec.lambda;

import dev.parley.avro.LambdaFloor;
import dev.parley.avro.LambdaMessage;
import dev.parley.avro.LambdaTrust;
import dev.parley.codec.Ascii;
import dev.parley.codec.Code;
import dev.parley.codec.Diagnostics;
import dev.parley.codec.Excerpt;
import java.util.ArrayList;
import java.util.List;

/**
 * Parses the parts before the first statement: header, address or relay, trust, floor mark and braces, in any order
 * (docs/protocols.md L19). Only the text after a brace shows whether it is a context or data, so braces are skipped
 * here.
 */
final class Prefix {

    /** The detail of a part after a statement. */
    static final String LATE =
            "A header, address, relay, trust prefix or label must be before all statements. Send each"
                    + " message in a record of its own.";

    private static final String CURRENT = "0.6";

    /** The parts in their specified order; a floor mark may be anywhere. */
    private enum Part {
        HEADER,
        ADDRESS,
        TRUST,
        CONTEXT
    }

    private final NormalizedText text;
    private final LambdaMessage message;
    private final Diagnostics diagnostics;
    private int at;
    private int mark;
    private Part last = Part.HEADER;

    private Prefix(NormalizedText text, LambdaMessage message, Diagnostics diagnostics) {
        this.text = text;
        this.message = message;
        this.diagnostics = diagnostics;
        this.at = text.start();
    }

    /**
     * Parses the longest part of a text that may precede statements.
     *
     * @param message receives the parts; has no prefix yet
     * @return start of the first statement; the text's end if there is none
     */
    static int read(NormalizedText text, LambdaMessage message, Diagnostics diagnostics) {
        Prefix prefix = new Prefix(text, message, diagnostics);
        do {
            prefix.at = Ascii.skipSpaces(text.bytes(), prefix.at, text.end());
        } while (prefix.at < text.end() && prefix.part());
        return prefix.at;
    }

    /** Start of the first statement of a text; the text's end if there is none. */
    static int endIn(NormalizedText text) {
        return read(text, MessageParser.empty(), new Diagnostics(false));
    }

    /** Whether a label, relay or trust prefix, and after it a statement or brace, is at the start of a line. */
    static boolean startsLine(byte[] wire, int at, int to) {
        if (wire[at - 1] != '\n') {
            return false;
        }
        int colon = Alphabet.isTrust(wire, at) ? at + 3 : Alphabet.agentsColon(wire, at, '>', to);
        boolean single = colon == Alphabet.agentEnd(wire, at, to);
        if (colon < 0 || single && Alphabet.labelEnd(wire, at) < 0) {
            return false;
        }
        int next = Ascii.skipSpaces(wire, colon + 1, to);
        return next < to && (Alphabet.isType(wire[next]) || wire[next] == '{');
    }

    private boolean part() {
        return switch (text.at(at)) {
            case '@' -> header() || address();
            case '{' -> brace();
            case '>', '<', '-' -> floorMark();
            case '*' -> relay();
            case 'p', 's' -> trustMark();
            default -> Alphabet.isUpper(text.at(at)) && relay();
        };
    }

    private boolean header() {
        if (!Alphabet.isHeader(text.bytes(), at, text.end())) {
            return false;
        }
        int end = Alphabet.versionEnd(text.bytes(), at + 2, text.end());
        begin(Part.HEADER, message.getVersion() != null, "header");
        String version = text.slice(at + 2, end);
        message.setVersion(version);
        if (!version.equals(CURRENT)) {
            diagnostics.value(
                    Code.LAMBDA_VERSION,
                    text.offset(at),
                    "The version must be 0.6, but the header names " + Excerpt.of(version) + ".");
        }
        at = end;
        while (messageId() || handshake()) {
            // Each iteration reads one mark.
        }
        misplacedMark();
        return true;
    }

    /** Reports a mark of the header in another form, or after white space, which would be a statement. */
    private void misplacedMark() {
        int mark = text.startsWith(" ", at) ? at + 1 : at;
        if (mark < text.end() && text.at(mark) == '#' && (mark == at || isMark(mark + 1))) {
            diagnostics.value(
                    Code.LAMBDA_MALFORMED,
                    text.offset(mark),
                    "#id: and #h must follow the version directly, in lower case: @v0.6#id:m1, @v0.6#h.");
        }
    }

    private boolean isMark(int from) {
        int letters = Ascii.skip(text.bytes(), from, text.end(), Alphabet::isWord);
        return Ascii.isWord(text.bytes(), from, letters, "h")
                || Ascii.isWord(text.bytes(), from, letters, "id") && text.startsWith(":", letters);
    }

    private boolean messageId() {
        if (!text.startsWith("#id:", at)) {
            return false;
        }
        once(message.getHeaderId(), "message id");
        int end = Alphabet.idEnd(text.bytes(), at + 4, text.end());
        if (end == at + 4) {
            diagnostics.value(
                    Code.LAMBDA_MALFORMED, text.offset(at), "The header's #id: must be followed by a message ID.");
        }
        message.setId(text.slice(at + 4, end));
        message.setHeaderId(true);
        at = end;
        return true;
    }

    private boolean handshake() {
        if (!text.startsWith("#h", at) || (at + 2 < text.end() && Alphabet.isWord(text.at(at + 2)))) {
            return false;
        }
        once(message.getHandshake() || message.getHandshakeReply(), "handshake mark");
        boolean reply = text.startsWith("<", at + 2);
        message.setHandshakeReply(reply);
        message.setHandshake(!reply);
        at += reply ? 3 : 2;
        return true;
    }

    private boolean address() {
        int colon = Alphabet.agentsColon(text.bytes(), at + 1, ',', text.end());
        if (colon < 0) {
            return false;
        }
        begin(Part.ADDRESS, !message.getAddress().isEmpty(), "address");
        message.setAddress(agents(at + 1, colon));
        at = colon + 1;
        return true;
    }

    private boolean relay() {
        int colon = Alphabet.agentsColon(text.bytes(), at, '>', text.end());
        if (colon < 0 || Alphabet.agentEnd(text.bytes(), at, colon) == colon) {
            return false;
        }
        begin(Part.ADDRESS, !message.getRelay().isEmpty(), "relay");
        message.setRelay(agents(at, colon));
        at = colon + 1;
        return true;
    }

    private List<String> agents(int from, int colon) {
        List<String> agents = new ArrayList<>(4);
        int start = from;
        while (start < colon) {
            int end = Alphabet.agentEnd(text.bytes(), start, colon);
            agents.add(text.slice(start, end));
            start = end + 1;
        }
        return agents;
    }

    private boolean trustMark() {
        LambdaTrust trust = text.startsWith("pub:", at)
                ? LambdaTrust.PUBLIC
                : text.startsWith("prv:", at)
                        ? LambdaTrust.PRIVATE
                        : text.startsWith("sig:", at) ? LambdaTrust.SIGNED : null;
        if (trust == null) {
            return false;
        }
        begin(Part.TRUST, message.getTrust() != null, "trust mark");
        message.setTrust(trust);
        at += 4;
        return true;
    }

    /** Reads one floor mark; a second one is invalid. */
    private boolean floorMark() {
        LambdaFloor floor = Alphabet.floorAt(text.bytes(), at, text.end());
        if (floor == null || message.getFloorBefore() != null) {
            return false;
        }
        message.setFloorBefore(floor);
        at += Alphabet.FLOOR_LENGTH;
        return true;
    }

    private boolean brace() {
        begin(Part.CONTEXT, false, "context");
        mark = text.nextMark(NormalizedText.CLOSE, at + 1, mark);
        at = text.markAt(mark);
        return true;
    }

    /** Notes the start of a part, and reports it if it is out of order or repeated. */
    private void begin(Part part, boolean again, String what) {
        once(again, what);
        if (part.compareTo(last) < 0) {
            diagnostics.value(
                    Code.LAMBDA_ORDER,
                    text.offset(at),
                    "The order must be header, address or relay, trust, context, statements.");
        } else {
            last = part;
        }
    }

    private void once(boolean again, String what) {
        if (again) {
            diagnostics.duplicate(
                    Code.LAMBDA_MALFORMED, text.offset(at), "The message must not have a second " + what + ".");
        }
    }
}
