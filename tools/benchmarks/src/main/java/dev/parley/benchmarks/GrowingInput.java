package dev.parley.benchmarks;

import dev.parley.avro.Protocol;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.IntFunction;

/** Inputs of any size: regular messages that grow, and adversarial ones, which repeat what a decoder must examine. */
public enum GrowingInput {
    /** Regular: nSLIP with one long tag, and with many fields of an undefined prefix. */
    SLIP_REGULAR_TEXT(Protocol.SLIP, GrowingInput.SLIP, "the callers are in lib; ", "\"#"),
    SLIP_REGULAR_FIELDS(Protocol.SLIP, "@a3|f0|c1|S0|d1|T1|k1", i -> "|x" + i % 1000, "|t\"\"#"),

    /** Regular: SUBIT with one long string in meta, and with a trace of many forms. */
    SUBIT_REGULAR_TEXT(Protocol.SUBIT, GrowingInput.SUBIT + "\"", "the callers are in lib; ", "\"}"),
    SUBIT_REGULAR_FORMS(
            Protocol.SUBIT, "{\"type\":\"TRACE\",\"payload\":\"000110110001", "011011000100111000110001", "\"}"),

    /** Regular: CSP with data of many lines, and with a patch of many operations. */
    CSP_REGULAR_TEXT(Protocol.CSP, GrowingInput.RESULT, i -> "\nsrc/orders.ts:" + i % 1000 + " reads the session", ""),
    CSP_REGULAR_OPERATIONS(
            Protocol.CSP,
            "CSP/1\nFROM A\nTO B\nCTX C0\nINTENT PATCH\n\nPATCH P1\nBASE C0",
            i -> "\n+ DEF FILE_" + i + " = src/" + i + ".ts",
            "\nAPPLY -> C1"),

    /** Regular: Λ with one long string, and with many statements. */
    LAMBDA_REGULAR_TEXT(Protocol.LAMBDA, "!fd/X{re:\"", "the callers are in lib; ", "\"}"),
    LAMBDA_REGULAR_STATEMENTS(Protocol.LAMBDA, "!Ik/co", " !rs/te{ok:211,no:1} ?Uc/la <+ .Uf/er{n:10}", " !fd/X"),

    /** Regular: MCP with one long text, and with a list of many tools. */
    MCP_REGULAR_TEXT(Protocol.MCP, GrowingInput.CALL + "\"", "the callers are in lib; ", "\"}}}"),
    MCP_REGULAR_TOOLS(
            Protocol.MCP,
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"tools\":[{}",
            i -> ",{\"name\":\"t" + i + "\",\"inputSchema\":{\"type\":\"object\"}}",
            "]}}"),

    SLIP_QUOTES(Protocol.SLIP, GrowingInput.SLIP, "\\\"", "\"#"),
    SLIP_BACKSLASHES(Protocol.SLIP, GrowingInput.SLIP, "\\\\", "\"#"),
    SLIP_BRACES(Protocol.SLIP, GrowingInput.SLIP, "{", "\"#"),
    SLIP_OPEN_STRING(Protocol.SLIP, GrowingInput.SLIP, "|", ""),
    SLIP_EMPTY_TOKENS(Protocol.SLIP, "@a3|f0|c1|S0|d1|T1|k1", "|", "#"),
    SLIP_TINY_FIELDS(Protocol.SLIP, "@a3|f0|c1|S0|d1|T1|k1", "|x1", "#"),
    SLIP_ACCENTS(Protocol.SLIP, GrowingInput.SLIP, "é", "\"#"),

    SUBIT_QUOTES(Protocol.SUBIT, GrowingInput.SUBIT + "\"", "\\\"", "\"}"),
    SUBIT_BACKSLASHES(Protocol.SUBIT, GrowingInput.SUBIT + "\"", "\\\\", "\"}"),
    SUBIT_ESCAPES(Protocol.SUBIT, GrowingInput.SUBIT + "\"", "\\u00e9", "\"}"),
    SUBIT_BRACES(Protocol.SUBIT, GrowingInput.SUBIT + "[0", ",{}", "]}"),
    SUBIT_DEEP(Protocol.SUBIT, GrowingInput.SUBIT + "[0", ",[[[[[[[[]]]]]]]]", "]}"),
    SUBIT_TOO_DEEP(Protocol.SUBIT, GrowingInput.SUBIT, "[", ""),
    SUBIT_TINY_FIELDS(Protocol.SUBIT, "{\"type\":\"STATE\",\"payload\":\"000110\"", i -> ",\"" + i + "\":0", "}"),
    SUBIT_SAME_HASH(
            Protocol.SUBIT,
            "{\"type\":\"STATE\",\"payload\":\"000110\"",
            i -> ",\"" + GrowingInput.sameHash(i) + "\":0",
            "}"),

    CSP_QUOTES(Protocol.CSP, GrowingInput.RESULT, "\"", ""),
    CSP_BACKSLASHES(Protocol.CSP, GrowingInput.RESULT, "\\", ""),
    CSP_BRACES(Protocol.CSP, GrowingInput.RESULT, "{", ""),
    CSP_CARRIAGE_RETURNS(Protocol.CSP, GrowingInput.RESULT, "\r", ""),
    CSP_CARRIAGE_LINES(Protocol.CSP, GrowingInput.RESULT, "\r\n", "x"),
    CSP_BLANKS(Protocol.CSP, GrowingInput.RESULT, " ", "x"),
    CSP_BLANK_LINES(Protocol.CSP, "CSP/1\nFROM A\nTO B\nCTX C1\nINTENT QUERY\n", "\n", "QUERY Q1\nABOUT x"),
    CSP_TINY_FIELDS(Protocol.CSP, "CSP/1\nFROM A\nTO B\nCTX C1\nINTENT QUERY\n\nQUERY Q1", i -> "\nK" + i + " v", ""),
    CSP_TINY_HEADERS(
            Protocol.CSP, "CSP/1\nFROM A\nTO B\nCTX C1\nINTENT QUERY", i -> "\nK" + i + " v", "\n\nQUERY Q1\nABOUT x"),
    CSP_CONTINUED(Protocol.CSP, "CSP/1\nFROM A\nTO B\nCTX C1\nINTENT TASK\n\nTASK T1\nREQ x", "\n y", ""),
    CSP_PATCH_LINES(
            Protocol.CSP,
            "CSP/1\nFROM A\nTO B\nCTX C0\nINTENT PATCH\n\nPATCH P1\nBASE C0",
            i -> "\n+ DEF N" + (1_000_000 + i) + " = valu",
            "\nAPPLY -> C1"),
    CSP_SAME_HASH(
            Protocol.CSP,
            "CSP/1\nFROM A\nTO B\nCTX C0\nINTENT PATCH\n\nPATCH P1\nBASE C0",
            i -> "\n- DEF " + GrowingInput.sameHash(i),
            "\nAPPLY -> C1"),
    CSP_OPEN_HEREDOC(
            Protocol.CSP,
            "CSP/1\nFROM A\nTO B\nCTX C1\nINTENT FILE\n\nFILEOP F1 CREATE\nPATH a\nBASE b\nCONTENT\n<<<",
            "\n>>",
            ""),

    LAMBDA_QUOTES(Protocol.LAMBDA, "!\"", "\\\"", "\""),
    LAMBDA_BACKSLASHES(Protocol.LAMBDA, "!\"", "\\\\", "\""),
    LAMBDA_OPEN_STRING(Protocol.LAMBDA, "!\"", "{", ""),
    LAMBDA_EMPTY_STRINGS(Protocol.LAMBDA, "!X", "\"\"", ""),
    LAMBDA_DEEP(Protocol.LAMBDA, "!X", "[[[[[[[[[[]]]]]]]]]]", ""),
    LAMBDA_TOO_DEEP(Protocol.LAMBDA, "!X", "{", ""),
    LAMBDA_CONTEXTS(Protocol.LAMBDA, "", "{a:b}", "!X"),
    LAMBDA_ENTRIES(Protocol.LAMBDA, "{a:b", ",a:b", "}!X"),
    LAMBDA_TINY_STATEMENTS(Protocol.LAMBDA, "<+", " <+", ""),
    LAMBDA_TINY_TOKENS(Protocol.LAMBDA, "!a", "/a", ""),
    LAMBDA_BLANKS(Protocol.LAMBDA, "!X", " ", "!X"),
    LAMBDA_ADDRESSES(Protocol.LAMBDA, "@A1", ",A1", ": !X"),
    LAMBDA_RELAY(Protocol.LAMBDA, "A1", ">A1", ": !X"),

    MCP_QUOTES(Protocol.MCP, GrowingInput.CALL + "\"", "\\\"", "\"}}}"),
    MCP_ESCAPES(Protocol.MCP, GrowingInput.CALL + "\"", "\\u00e9", "\"}}}"),
    MCP_BLANKS(Protocol.MCP, GrowingInput.CALL + "1", " ", "}}}"),
    MCP_DEEP(Protocol.MCP, GrowingInput.CALL + "[0", ",[[[[[[[[]]]]]]]]", "]}}}"),
    MCP_TOO_DEEP(Protocol.MCP, GrowingInput.CALL, "[", ""),
    MCP_TINY_MEMBERS(Protocol.MCP, GrowingInput.CALL + "{\"a\":0", i -> ",\"" + i + "\":0", "}}}}"),
    MCP_TINY_EXTRAS(Protocol.MCP, "{\"jsonrpc\":\"2.0\",\"method\":\"a\"", i -> ",\"" + i + "\":0", "}"),
    MCP_SAME_HASH(Protocol.MCP, GrowingInput.CALL + "{\"a\":0", i -> ",\"" + GrowingInput.sameHash(i) + "\":0", "}}}}"),
    MCP_BATCH(Protocol.MCP, "[{\"jsonrpc\":\"2.0\",\"method\":\"a\"}", ",{\"jsonrpc\":\"2.0\",\"method\":\"a\"}", "]");

    private static final String CALL =
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"a\",\"arguments\":{\"x\":";
    private static final String SLIP = "@a3|f0|c1|S0|d1|T1|k1|t\"";
    private static final String SUBIT = "{\"type\":\"STATE\",\"payload\":\"000110\",\"x\":";
    private static final String RESULT =
            "CSP/1\nFROM A\nTO B\nCTX C1\nINTENT RESULT\n\nRESULT T1\nSTATUS OK\nPRODUCED F\nDATA x";

    private final Protocol protocol;
    private final String head;
    private final IntFunction<String> part;
    private final String tail;

    GrowingInput(Protocol protocol, String head, String part, String tail) {
        this(protocol, head, any -> part, tail);
    }

    GrowingInput(Protocol protocol, String head, IntFunction<String> part, String tail) {
        this.protocol = protocol;
        this.head = head;
        this.part = part;
        this.tail = tail;
    }

    Protocol protocol() {
        return protocol;
    }

    /** An input of about this size in bytes: as many parts as fit. */
    byte[] of(int size) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(size);
        out.writeBytes(head.getBytes(StandardCharsets.UTF_8));
        byte[] next = part.apply(0).getBytes(StandardCharsets.UTF_8);
        for (int i = 1; out.size() + next.length + tail.length() <= size; i++) {
            out.writeBytes(next);
            next = part.apply(i).getBytes(StandardCharsets.UTF_8);
        }
        out.writeBytes(tail.getBytes(StandardCharsets.UTF_8));
        return out.toByteArray();
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
