package dev.parley.benchmarks;

import dev.parley.avro.Protocol;
import java.nio.charset.StandardCharsets;
import java.util.function.IntFunction;

/** Messages of any size that grow as each protocol's messages do: by more parts, or by longer text. */
public enum Shape {
    /** nSLIP with one long tag. */
    SLIP_TEXT(Protocol.SLIP, "@a3|f0|c1|S0|d1|T1|k1|t\"", Shape::sentence, "", "\"#"),
    /** nSLIP with many fields of an undefined prefix, because v0.1 defines only nine slots. */
    SLIP_FIELDS(Protocol.SLIP, "@a3|f0|c1|S0|d1|T1|k1", i -> "|x" + i % 1000, "|t\"", "\"#"),
    /** SUBIT with one long string in meta. */
    SUBIT_TEXT(
            Protocol.SUBIT,
            "{\"type\":\"STATE\",\"payload\":\"000110\",\"meta\":{\"agent\":\"arm-1\",\"note\":\"",
            Shape::sentence,
            "",
            "\"}}"),
    /** SUBIT with a long payload: a trace of many forms. */
    SUBIT_FORMS(
            Protocol.SUBIT,
            "{\"type\":\"TRACE\",\"payload\":\"000110110001",
            Shape::form,
            "\",\"meta\":{\"agent\":\"arm",
            "\"}}"),
    /** CSP with long data of many lines. */
    CSP_TEXT(
            Protocol.CSP,
            "CSP/1\nFROM A\nTO B\nCTX C1\nINTENT RESULT\n\nRESULT T001\nSTATUS OK\nPRODUCED F\nDATA ok",
            i -> "\nsrc/routes/orders.ts:" + i % 1000 + " reads the session",
            " ",
            ""),
    /** CSP with a patch of many operations. */
    CSP_OPERATIONS(
            Protocol.CSP,
            "CSP/1\nFROM A\nTO B\nCTX C0\nINTENT PATCH\n\nPATCH P1\nBASE C0",
            i -> "\n+ DEF FILE_" + i + " = src/" + i + ".ts",
            "\n+ DEF LAST = x",
            "\nAPPLY -> C1"),
    /** Λ with one long string. */
    LAMBDA_TEXT(Protocol.LAMBDA, "!fd/X{re:\"", Shape::sentence, "", "\"}"),
    /** Λ with many statements. */
    LAMBDA_STATEMENTS(Protocol.LAMBDA, "!Ik/co", Shape::statement, " !fd/X{re:\"", "\"}");

    private final Protocol protocol;
    private final String head;
    private final IntFunction<String> part;
    private final String padded;
    private final String tail;

    Shape(Protocol protocol, String head, IntFunction<String> part, String padded, String tail) {
        this.protocol = protocol;
        this.head = head;
        this.part = part;
        this.padded = padded;
        this.tail = tail;
    }

    Protocol protocol() {
        return protocol;
    }

    /** A message of this shape with exactly this size in bytes. */
    byte[] message(int size) {
        StringBuilder message = new StringBuilder(size).append(head);
        int rest = size - padded.length() - tail.length();
        for (int i = 0; ; i++) {
            String next = part.apply(i);
            if (message.length() + next.length() > rest) {
                break;
            }
            message.append(next);
        }
        if (message.length() > rest) {
            throw new IllegalArgumentException(this + " has no message of " + size + " bytes");
        }
        message.append(padded)
                .append("x".repeat(rest - message.length() + padded.length()))
                .append(tail);
        return message.toString().getBytes(StandardCharsets.US_ASCII);
    }

    private static String form(int i) {
        return switch (i % 4) {
            case 0 -> "011011";
            case 1 -> "000100";
            case 2 -> "111000";
            default -> "110001";
        };
    }

    private static String statement(int i) {
        return switch (i % 4) {
            case 0 -> " !rs/te{ok:211,no:1}";
            case 1 -> " ?Uc/la";
            case 2 -> " <+";
            default -> " .Uf/er{n:10}";
        };
    }

    private static String sentence(int i) {
        return i % 2 == 0 ? "the callers of verifyToken " : "are in lib and src; ";
    }
}
