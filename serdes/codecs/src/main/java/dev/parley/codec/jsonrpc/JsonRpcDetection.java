package dev.parley.codec.jsonrpc;

import dev.parley.codec.Ascii;
import java.util.function.IntPredicate;

/** Recognizes JSON-RPC: an object with the key {@code jsonrpc}, or an array whose first element is such an object. */
public final class JsonRpcDetection {
    private static final String KEY = "\"jsonrpc\"";
    private static final String METHOD = "\"method\"";

    private JsonRpcDetection() {}

    /**
     * Whether the bytes look like a message or batch. Reads each byte once.
     *
     * @param from index of the first byte after white space; less than the length
     * @param method whether the value that starts at an index may be a method of the protocol
     */
    public static boolean isMessage(byte[] wire, int from, IntPredicate method) {
        int at = wire[from] == '[' ? Ascii.skipSpaces(wire, from + 1) : from;
        if (at >= wire.length || wire[at] != '{') {
            return false;
        }
        boolean isFound = false;
        int depth = 0;
        while (at < wire.length) {
            byte b = wire[at];
            if (b == '"') {
                int end = Ascii.afterString(wire, at, wire.length);
                int value = depth == 1 ? valueAfter(wire, end) : -1;
                isFound |= value >= 0 && Ascii.startsWith(wire, at, KEY);
                if (value >= 0 && Ascii.startsWith(wire, at, METHOD) && !method.test(value)) {
                    return false;
                }
                at = end;
            } else {
                if (b == '{' || b == '[') {
                    depth++;
                } else if ((b == '}' || b == ']') && --depth == 0) {
                    return isFound;
                }
                at++;
            }
        }
        return isFound;
    }

    /** Index of the value after a key that ends here; -1 if it is no key. */
    private static int valueAfter(byte[] wire, int end) {
        int at = Ascii.skipSpaces(wire, end);
        return at < wire.length && wire[at] == ':' ? Ascii.skipSpaces(wire, at + 1) : -1;
    }
}
