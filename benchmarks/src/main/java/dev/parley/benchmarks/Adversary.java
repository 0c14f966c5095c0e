package dev.parley.benchmarks;

import dev.parley.avro.Protocol;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.IntFunction;

/** Adversarial inputs of a decoder: each repeats one construct that the decoder must examine. */
public enum Adversary {
    /** Escaped quotes in a string. */
    SLIP_QUOTES(Protocol.SLIP, Adversary.SLIP, "\\\"", "\"#"),
    /** Escaped backslashes in a string. */
    SLIP_BACKSLASHES(Protocol.SLIP, Adversary.SLIP, "\\\\", "\"#"),
    /** Braces in a string. */
    SLIP_BRACES(Protocol.SLIP, Adversary.SLIP, "{", "\"#"),
    /** A string that is never closed, full of separators. */
    SLIP_OPEN_STRING(Protocol.SLIP, Adversary.SLIP, "|", ""),
    /** Separators without tokens. */
    SLIP_EMPTY_TOKENS(Protocol.SLIP, "@a3|f0|c1|S0|d1|T1|k1", "|", "#"),
    /** Many tiny fields. */
    SLIP_TINY_FIELDS(Protocol.SLIP, "@a3|f0|c1|S0|d1|T1|k1", "|x1", "#"),
    /** Letters of two bytes. */
    SLIP_ACCENTS(Protocol.SLIP, Adversary.SLIP, "é", "\"#"),

    /** Escaped quotes in a string. */
    SUBIT_QUOTES(Protocol.SUBIT, Adversary.SUBIT + "\"", "\\\"", "\"}"),
    /** Escaped backslashes in a string. */
    SUBIT_BACKSLASHES(Protocol.SUBIT, Adversary.SUBIT + "\"", "\\\\", "\"}"),
    /** Escapes of four digits. */
    SUBIT_ESCAPES(Protocol.SUBIT, Adversary.SUBIT + "\"", "\\u00e9", "\"}"),
    /** Empty objects. */
    SUBIT_BRACES(Protocol.SUBIT, Adversary.SUBIT + "[0", ",{}", "]}"),
    /** Brackets at the maximum depth. */
    SUBIT_DEEP(Protocol.SUBIT, Adversary.SUBIT + "[0", ",[[[[[[[[]]]]]]]]", "]}"),
    /** Brackets beyond the maximum depth. */
    SUBIT_TOO_DEEP(Protocol.SUBIT, Adversary.SUBIT, "[", ""),
    /** Many tiny keys. */
    SUBIT_TINY_FIELDS(Protocol.SUBIT, "{\"type\":\"STATE\",\"payload\":\"000110\"", i -> ",\"" + i + "\":0", "}"),
    /** Many keys of the same hash. */
    SUBIT_SAME_HASH(
            Protocol.SUBIT,
            "{\"type\":\"STATE\",\"payload\":\"000110\"",
            i -> ",\"" + Adversary.sameHash(i) + "\":0",
            "}"),

    /** Quotes in data. */
    CSP_QUOTES(Protocol.CSP, Adversary.RESULT, "\"", ""),
    /** Backslashes in data. */
    CSP_BACKSLASHES(Protocol.CSP, Adversary.RESULT, "\\", ""),
    /** Braces in data. */
    CSP_BRACES(Protocol.CSP, Adversary.RESULT, "{", ""),
    /** Carriage returns in data. */
    CSP_CARRIAGE_RETURNS(Protocol.CSP, Adversary.RESULT, "\r", ""),
    /** Lines of carriage returns. */
    CSP_CARRIAGE_LINES(Protocol.CSP, Adversary.RESULT, "\r\n", "x"),
    /** Spaces in data, followed by text. */
    CSP_BLANKS(Protocol.CSP, Adversary.RESULT, " ", "x"),
    /** Blank lines before the block. */
    CSP_BLANK_LINES(Protocol.CSP, "CSP/1\nFROM A\nTO B\nCTX C1\nINTENT QUERY\n", "\n", "QUERY Q1\nABOUT x"),
    /** Many tiny keys. */
    CSP_TINY_FIELDS(Protocol.CSP, "CSP/1\nFROM A\nTO B\nCTX C1\nINTENT QUERY\n\nQUERY Q1", i -> "\nK" + i + " v", ""),
    /** Many tiny keys in the header. */
    CSP_TINY_HEADERS(
            Protocol.CSP, "CSP/1\nFROM A\nTO B\nCTX C1\nINTENT QUERY", i -> "\nK" + i + " v", "\n\nQUERY Q1\nABOUT x"),
    /** Lines that continue a value. */
    CSP_CONTINUED(Protocol.CSP, "CSP/1\nFROM A\nTO B\nCTX C1\nINTENT TASK\n\nTASK T1\nREQ x", "\n y", ""),
    /** A patch of many lines: 4,000 and 40,000. */
    CSP_PATCH_LINES(
            Protocol.CSP,
            "CSP/1\nFROM A\nTO B\nCTX C0\nINTENT PATCH\n\nPATCH P1\nBASE C0",
            i -> "\n+ DEF N" + (1_000_000 + i) + " = valu",
            "\nAPPLY -> C1"),
    /** Names of the same hash in a patch. */
    CSP_SAME_HASH(
            Protocol.CSP,
            "CSP/1\nFROM A\nTO B\nCTX C0\nINTENT PATCH\n\nPATCH P1\nBASE C0",
            i -> "\n- DEF " + Adversary.sameHash(i),
            "\nAPPLY -> C1"),
    /** A heredoc that is never closed, with incomplete end marks. */
    CSP_OPEN_HEREDOC(
            Protocol.CSP,
            "CSP/1\nFROM A\nTO B\nCTX C1\nINTENT FILE\n\nFILEOP F1 CREATE\nPATH a\nBASE b\nCONTENT\n<<<",
            "\n>>",
            ""),

    /** Escaped quotes in a string. */
    LAMBDA_QUOTES(Protocol.LAMBDA, "!\"", "\\\"", "\""),
    /** Escaped backslashes in a string. */
    LAMBDA_BACKSLASHES(Protocol.LAMBDA, "!\"", "\\\\", "\""),
    /** A quote that is never closed. */
    LAMBDA_OPEN_STRING(Protocol.LAMBDA, "!\"", "{", ""),
    /** Empty strings. */
    LAMBDA_EMPTY_STRINGS(Protocol.LAMBDA, "!X", "\"\"", ""),
    /** Brackets at the maximum depth. */
    LAMBDA_DEEP(Protocol.LAMBDA, "!X", "[[[[[[[[[[]]]]]]]]]]", ""),
    /** Brackets beyond the maximum depth. */
    LAMBDA_TOO_DEEP(Protocol.LAMBDA, "!X", "{", ""),
    /** Context blocks. */
    LAMBDA_CONTEXTS(Protocol.LAMBDA, "", "{a:b}", "!X"),
    /** Entries of one context block. */
    LAMBDA_ENTRIES(Protocol.LAMBDA, "{a:b", ",a:b", "}!X"),
    /** Tiny statements. */
    LAMBDA_TINY_STATEMENTS(Protocol.LAMBDA, "<+", " <+", ""),
    /** Tiny tokens. */
    LAMBDA_TINY_TOKENS(Protocol.LAMBDA, "!a", "/a", ""),
    /** Spaces between statements. */
    LAMBDA_BLANKS(Protocol.LAMBDA, "!X", " ", "!X"),
    /** Addressees. */
    LAMBDA_ADDRESSES(Protocol.LAMBDA, "@A1", ",A1", ": !X"),
    /** A relay. */
    LAMBDA_RELAY(Protocol.LAMBDA, "A1", ">A1", ": !X");

    private static final String SLIP = "@a3|f0|c1|S0|d1|T1|k1|t\"";
    private static final String SUBIT = "{\"type\":\"STATE\",\"payload\":\"000110\",\"x\":";
    private static final String RESULT =
            "CSP/1\nFROM A\nTO B\nCTX C1\nINTENT RESULT\n\nRESULT T1\nSTATUS OK\nPRODUCED F\nDATA x";

    private final Protocol protocol;
    private final String head;
    private final IntFunction<String> part;
    private final String tail;

    Adversary(Protocol protocol, String head, String part, String tail) {
        this(protocol, head, any -> part, tail);
    }

    Adversary(Protocol protocol, String head, IntFunction<String> part, String tail) {
        this.protocol = protocol;
        this.head = head;
        this.part = part;
        this.tail = tail;
    }

    Protocol protocol() {
        return protocol;
    }

    /** An input of about this size in bytes: as many parts as fit. */
    byte[] input(int size) {
        ByteArrayOutputStream input = new ByteArrayOutputStream(size);
        input.writeBytes(head.getBytes(StandardCharsets.UTF_8));
        byte[] next = part.apply(0).getBytes(StandardCharsets.UTF_8);
        for (int i = 1; input.size() + next.length + tail.length() <= size; i++) {
            input.writeBytes(next);
            next = part.apply(i).getBytes(StandardCharsets.UTF_8);
        }
        input.writeBytes(tail.getBytes(StandardCharsets.UTF_8));
        return input.toByteArray();
    }

    /** The i-th of 65,536 names with the same hash, as AO and B0 have. */
    private static String sameHash(int i) {
        StringBuilder name = new StringBuilder(32);
        for (int bit = 0; bit < 16; bit++) {
            name.append((i >>> bit & 1) == 0 ? "AO" : "B0");
        }
        return name.toString();
    }
}
