package dev.parley.codec.lambda;

import dev.parley.avro.LambdaFloor;
import dev.parley.avro.LambdaTrust;
import dev.parley.codec.Code;
import dev.parley.codec.lambda.Findings.Phase;
import java.util.ArrayList;
import java.util.List;

/**
 * What stands before the first statement: header, address or relay, trust, floor mark and braces, in any order (PROTOCOLS L19). Whether a brace
 * is a context or data shows only after it, so braces are only located here.
 */
final class Prefix {

    private static final String CURRENT = "0.6";
    private static final int HEADER = 0;
    private static final int ADDRESS = 1;
    private static final int TRUST = 2;
    private static final int CONTEXT = 3;

    private final Text text;
    private final Findings findings;
    private int at;
    private int lastRank;
    private String version;
    private String id;
    private boolean handshake;
    private boolean handshakeReply;
    private List<String> address = List.of();
    private List<String> relay = List.of();
    private LambdaTrust trust;
    private LambdaFloor floor;
    private final List<Integer> braces = new ArrayList<>(2);

    private Prefix(Text text, Findings findings) {
        this.text = text;
        this.findings = findings;
    }

    /** Reads as much of a text as can stand before statements. */
    static Prefix parse(Text text, Findings findings) {
        Prefix prefix = new Prefix(text, findings);
        do {
            prefix.at = Alphabet.skipSpaces(text.bytes(), prefix.at, text.length());
        } while (prefix.part());
        return prefix;
    }

    /** Where the first statement starts: the text's length when there is none. */
    int end() {
        return at;
    }

    String version() {
        return version;
    }

    /** The header's message id, or null. */
    String id() {
        return id;
    }

    boolean handshake() {
        return handshake;
    }

    boolean handshakeReply() {
        return handshakeReply;
    }

    List<String> address() {
        return address;
    }

    List<String> relay() {
        return relay;
    }

    LambdaTrust trust() {
        return trust;
    }

    LambdaFloor floor() {
        return floor;
    }

    /** The text's marks that open the braces. */
    List<Integer> braces() {
        return braces;
    }

    private boolean part() {
        if (at >= text.length()) {
            return false;
        }
        return switch (text.at(at)) {
            case '@' -> header() || addressPart();
            case '{' -> brace();
            case '>', '<', '-' -> floorMark();
            case '*' -> relayPart();
            case 'p', 's' -> trustMark();
            default -> Alphabet.isUpper(text.at(at)) && relayPart();
        };
    }

    private boolean header() {
        int end = at + 2 < text.length() && text.at(at + 1) == 'v'
                ? Alphabet.versionEnd(text.bytes(), at + 2, text.length())
                : -1;
        if (end < 0) {
            return false;
        }
        once(version != null, "header");
        rank(HEADER);
        version = text.slice(at + 2, end);
        if (!version.equals(CURRENT)) {
            findings.warning(
                    Phase.VALUE,
                    Code.LAMBDA_VERSION,
                    text.offset(at),
                    "The header names version " + version + "; this codec reads 0.6.");
        }
        at = end;
        while (headerMark()) {
            // each call takes one mark
        }
        return true;
    }

    private boolean headerMark() {
        if (startsWith("#id:")) {
            once(id != null, "message id");
            int end = Alphabet.idEnd(text.bytes(), at + 4, text.length());
            if (end == at + 4) {
                findings.fault(
                        Phase.VALUE,
                        Code.LAMBDA_MALFORMED,
                        text.offset(at),
                        "The header's #id: has no message id after it.");
            }
            id = text.slice(at + 4, end);
            at = end;
            return true;
        }
        if (startsWith("#h") && (at + 2 == text.length() || !Alphabet.isWord(text.at(at + 2)))) {
            once(handshake || handshakeReply, "handshake mark");
            handshakeReply = at + 2 < text.length() && text.at(at + 2) == '<';
            handshake = !handshakeReply;
            at += handshakeReply ? 3 : 2;
            return true;
        }
        return false;
    }

    private boolean addressPart() {
        int end = agents(at + 1, ',');
        if (end < 0) {
            return false;
        }
        once(!address.isEmpty(), "address");
        rank(ADDRESS);
        address = agentList(at + 1, end);
        at = end + 1;
        return true;
    }

    private boolean relayPart() {
        int end = agents(at, '>');
        if (end < 0) {
            return false;
        }
        List<String> path = agentList(at, end);
        if (path.size() == 1) {
            return false;
        }
        once(!relay.isEmpty(), "relay");
        rank(ADDRESS);
        relay = path;
        at = end + 1;
        return true;
    }

    /** Index of the colon after a list of agents, or -1. */
    private int agents(int from, char separator) {
        int end = Alphabet.agentEnd(text.bytes(), from, text.length());
        while (end > 0 && end < text.length() && text.at(end) == separator) {
            end = Alphabet.agentEnd(text.bytes(), end + 1, text.length());
        }
        return end > 0 && end < text.length() && text.at(end) == ':' ? end : -1;
    }

    private List<String> agentList(int from, int colon) {
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
        LambdaTrust mark = startsWith("pub:")
                ? LambdaTrust.PUBLIC
                : startsWith("prv:") ? LambdaTrust.PRIVATE : startsWith("sig:") ? LambdaTrust.SIGNED : null;
        if (mark == null) {
            return false;
        }
        once(trust != null, "trust mark");
        rank(TRUST);
        trust = mark;
        at += 4;
        return true;
    }

    /** One floor mark; another one belongs to no place. */
    private boolean floorMark() {
        LambdaFloor mark = Alphabet.floorAt(text.bytes(), at, text.length());
        if (mark == null || floor != null) {
            return false;
        }
        floor = mark;
        at += Alphabet.FLOOR_LENGTH;
        return true;
    }

    private boolean brace() {
        int open = text.nextMark(Text.OPEN, at, braces.isEmpty() ? 0 : braces.get(braces.size() - 1));
        int close = text.nextMark(Text.CLOSE, at, open);
        if (close == text.marks()) {
            return false;
        }
        rank(CONTEXT);
        braces.add(open);
        at = text.markAt(close);
        return true;
    }

    private void rank(int rank) {
        if (rank < lastRank) {
            findings.warning(
                    Phase.VALUE,
                    Code.LAMBDA_ORDER,
                    text.offset(at),
                    "This stands too late: the order is header, address or relay, trust, context, statements.");
        }
        lastRank = Math.max(lastRank, rank);
    }

    private void once(boolean again, String what) {
        if (again) {
            findings.fault(
                    Phase.DUPLICATE, Code.LAMBDA_MALFORMED, text.offset(at), "The message has a second " + what + ".");
        }
    }

    private boolean startsWith(String ascii) {
        if (text.length() - at < ascii.length()) {
            return false;
        }
        for (int i = 0; i < ascii.length(); i++) {
            if (text.at(at + i) != ascii.charAt(i)) {
                return false;
            }
        }
        return true;
    }
}
