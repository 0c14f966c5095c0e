package dev.parley.conformance.noise;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Texts that language models and their tools send in place of a message, ten kinds of them, from a seed. The templates
 * are written down here; their words, numbers and combinations are random.
 */
final class Noise {
    /** A kind of text without a message. */
    enum Kind {
        PROSE(Noise::prose),
        MARKDOWN(Noise::markdown),
        CODE(Noise::code),
        JSON(Noise::json),
        MARKUP(Noise::markup),
        LOG(Noise::log),
        FRAGMENT(Noise::fragment),
        DIALECT(Noise::dialect),
        WRAPPED(noise -> noise.wrapped(noise.message())),
        SEVERAL(noise -> noise.several(noise.message(), noise.message())),
        SPELLED(Noise::spelled),
        UNFILLED(Noise::unfilled);

        private final Function<Noise, String> text;

        Kind(Function<Noise, String> text) {
            this.text = text;
        }
    }

    private static final List<String> WORDS = List.of(
            "agent", "review", "plan", "task", "message", "result", "please", "thanks", "deploy", "build", "check",
            "the", "a", "of", "user", "wants", "need", "more", "time", "done", "ok", "it", "is", "on", "my", "list",
            "and", "then", "we", "should", "test", "error", "retry", "again", "session", "token", "value", "to", "do");
    private static final List<String> NAMES =
            List.of("bob", "alice", "Coder", "Planner", "Ana", "critic", "MAIN", "QA");

    private final Random random;

    Noise(long seed) {
        this.random = new Random(seed);
    }

    String next(Kind kind) {
        return kind.text.apply(this);
    }

    int number(int bound) {
        return random.nextInt(bound);
    }

    @SafeVarargs
    final <T> T any(T... of) {
        return of[random.nextInt(of.length)];
    }

    String word() {
        return WORDS.get(random.nextInt(WORDS.size()));
    }

    String name() {
        return NAMES.get(random.nextInt(NAMES.size()));
    }

    String words(int from, int to) {
        StringBuilder words = new StringBuilder(word());
        for (int i = from + random.nextInt(to - from + 1); i > 1; i--) {
            words.append(' ').append(word());
        }
        return words.toString();
    }

    private static String capital(String text) {
        return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
    }

    private String prose() {
        String text = words(3, 9);
        return any(
                capital(text) + any(".", "!", "?", "...", ":"),
                "@" + name() + any(" ", ", ", ": ", "\n") + text,
                any("!", "~", "?", ".", "> ", ">", "# ", "#") + text,
                "!" + any("important", "urgent", "note") + ": " + text,
                any("Sure", "Okay", "Hi " + name(), "Hello") + any("! ", ", ", ".\n\n") + capital(text) + ".",
                any("Note", "TODO", "Re", "Answer", name()) + ": " + text,
                "- " + text + "\n- " + words(2, 5),
                any("...", "?!", "???", "!!!", "…", "?", "!") + " " + text,
                "*" + text + "* " + words(2, 4),
                "(" + text + ")",
                "\"" + text + "\"",
                "<" + text + ">",
                "~" + number(90) + any(" min ", " % ", " of ") + text,
                any(">>", "<<", "--", "><", "<-", "<+", "->") + " " + text,
                "¿" + text + "?",
                "-- " + capital(name()) + ", " + text);
    }

    private String markdown() {
        String text = words(2, 7);
        return any(
                "#".repeat(1 + number(4)) + " " + capital(text),
                "> " + text + "\n> " + words(2, 6),
                ">" + text,
                "- [" + any(" ", "x") + "] " + text,
                "* " + text + "\n* " + words(2, 5),
                (1 + number(9)) + ". " + text,
                "**" + text + "**",
                "~~" + text + "~~",
                "| " + word() + " | " + word() + " |\n|---|---|\n| " + number(9) + " | " + word() + " |",
                "|" + word() + "|" + word() + "|",
                "```" + any("", "python", "json", "text") + "\n" + text + "\n```",
                "~~~\n" + text + "\n~~~",
                "`" + word() + "`",
                "[" + text + "](https://example.com/" + word() + ")",
                "![" + word() + "](" + word() + ".png)",
                "---\n" + word() + ": " + word() + "\n---\n" + text,
                "---",
                "***",
                "[^1]: " + text,
                "||" + text + "||",
                "<!-- " + text + " -->",
                "# " + word());
    }

    private String code() {
        String name = word();
        return any(
                "#!/bin/" + any("sh", "bash") + "\necho " + name,
                "./" + name + ".sh --" + word(),
                "../" + name + "/" + word(),
                "~/" + name + "/" + word() + ".txt",
                "!pip install " + name,
                "!" + any("ls", "cat " + name, "git status"),
                ".git" + any("ignore", "", "/config"),
                ".env",
                "." + name + " { color: red; }",
                "#" + name + " { margin: 0 }",
                "#include <" + name + ".h>",
                "@" + any("Test", "Override", "app.route(\"/" + name + "\")", "property") + "\ndef " + name + "(self):",
                "@" + name + "/" + word(),
                "-- SELECT " + name + "\nSELECT * FROM " + word() + ";",
                "--" + name + "=" + number(99),
                "-" + any("v", "rf", name),
                ">>> print(\"" + name + "\")",
                ">>> " + name + "\n" + number(99),
                "> npm run " + name,
                "?" + name + "=" + number(9) + "&" + word() + "=" + number(9),
                "{{ " + name + " }}",
                "{% if " + name + " %}",
                "{" + name + "}",
                "{ " + name + ": " + number(9) + ", " + word() + ": '" + word() + "' }",
                "{" + name + ": \"" + words(1, 3) + "\"}",
                "[" + name + " for " + any("x", "i") + " in range(" + number(9) + ")]",
                "[" + number(9) + ", " + number(9) + "]",
                "[[" + number(9) + "," + number(9) + "],[" + number(9) + "]]",
                "['" + name + "', '" + word() + "']",
                "<?php echo $" + name + "; ?>",
                "<?xml version=\"1.0\"?><" + name + "/>",
                "@@ -" + number(90) + ",3 +" + number(90) + ",5 @@\n+" + name + "\n-" + word(),
                "~" + name + "()",
                "!" + name + "(" + word() + ")",
                "." + name + "(" + word() + ").then()",
                "<" + name + " onclick=\"" + word() + "()\">",
                "<T extends " + capital(name) + ">");
    }

    private String json() {
        String text = words(2, 6);
        int id = number(1_000);
        return any(
                "{}",
                "[]",
                "[1," + id + ",3]",
                "[true,null]",
                "{\"role\":\"" + any("user", "assistant", "system") + "\",\"content\":\"" + text + "\"}",
                "[{\"role\":\"user\",\"content\":\"" + text + "\"}]",
                "{\"messages\":[{\"role\":\"user\",\"content\":\"" + text + "\"}],\"model\":\"m-" + id + "\"}",
                "{\"type\":\"" + any("text", "tool_use", "error", "message", "ping") + "\",\"text\":\"" + text + "\"}",
                "{\"type\":\"" + word() + "." + word() + "\",\"payload\":{\"id\":" + id + "}}",
                "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"" + any("message/send", "tools/call", "ping")
                        + "\",\"params\":{\"name\":\"" + word() + "\"}}",
                "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"error\":{\"code\":-32601,\"message\":\"" + text + "\"}}",
                "{\"specversion\":\"1.0\",\"id\":\"" + id + "\",\"source\":\"/" + word() + "\",\"type\":\"com." + word()
                        + "\",\"data\":{\"x\":" + id + "}}",
                "{\"kind\":\"task\",\"status\":{\"state\":\"" + any("working", "completed") + "\"},\"id\":\"" + id
                        + "\"}",
                "{\"act\":\"" + any("REQUEST", "INFORM", "PROPOSE") + "\",\"content\":\"" + text + "\"}",
                "{\"version\":\"CSP/1\",\"from\":\"" + name() + "\",\"to\":\"" + name() + "\"}",
                "{\"performative\":\"inform\",\"sender\":\"" + name() + "\",\"content\":\"" + text + "\"}",
                "{\"error\":\"" + text + "\"}",
                "{\"name\":\"" + word() + "\",\"arguments\":{\"" + word() + "\":\"" + text + "\"}}",
                "{\"id\":" + id + ",\"ctx\":{\"ns\":\"" + word() + "\"}}",
                "{\n  \"" + word() + "\": " + id + ",\n  \"" + word() + "\": \"" + text + "\"\n}",
                "{\"choices\":[{\"delta\":{\"content\":\"" + word() + "\"}}]}",
                "\"" + text + "\"",
                "{'role': 'user', 'content': '" + text + "'}",
                "{role: 'user', content: '" + text + "'}",
                "{\"" + word() + "\":" + id);
    }

    private String markup() {
        String text = words(2, 6);
        String tag = any("div", "p", "b", "span", "answer", "thinking", "tool_call", "result", "a", "h1");
        return any(
                "<think>" + text + "</think>",
                "<think>\n" + text + "\n</think>\n\n" + capital(words(2, 5)),
                "<" + tag + ">" + text + "</" + tag + ">",
                "<" + tag + "/>",
                "<" + tag + ">",
                "</" + tag + ">",
                "<|im_start|>" + any("assistant", "user", "system") + "\n" + text + "<|im_end|>",
                "<|im_start|>assistant",
                "<|" + any("endoftext", "eot_id", "end") + "|>",
                "[INST] " + text + " [/INST]",
                "[TOOL_CALLS] [{\"name\":\"" + word() + "\",\"arguments\":{}}]",
                "[TOOL_CALLS] [...]",
                "<s>" + text + "</s>",
                "<!DOCTYPE html>\n<html><body>" + text + "</body></html>",
                "<!doctype html>",
                "<" + any("https://example.com", name() + "@example.com") + ">",
                "<@U" + number(9_999) + "> " + text,
                "<#C" + number(9_999) + "|" + word() + ">",
                "<function=" + word() + ">{\"x\": " + number(9) + "}</function>",
                "<tool_response>\n" + number(99) + "\n</tool_response>",
                "<" + word() + "_" + word() + ">" + word());
    }

    private String log() {
        String text = words(2, 7);
        String time = "2026-0" + (1 + number(9)) + "-1" + number(10) + "T0" + number(10) + ":1" + number(10) + ":00Z";
        return any(
                "[" + any("INFO", "WARN", "ERROR", "DEBUG", "info") + "] " + text,
                "[" + time + "] " + text,
                "[" + name() + "] " + text,
                "[" + number(99) + "/" + number(99) + "] " + text,
                "[" + word() + "]",
                "[" + any("done", "x", "OK", "redacted") + "]",
                time + " INFO " + text,
                any("ERROR", "WARN", "FATAL") + ": " + text,
                "!!! " + text + " !!!",
                "> Task :" + word() + ":" + word() + " FAILED",
                ">>>>> " + text,
                "<<<<<<< HEAD\n" + word() + "\n=======\n" + word() + "\n>>>>>>> " + word(),
                "... " + number(99) + " more",
                ".......F..",
                "-----BEGIN " + any("CERTIFICATE", "MESSAGE") + "-----",
                "--- " + word() + "\n+++ " + word(),
                "~~~~~~^",
                "#" + number(99) + " 0x00" + number(99) + " in " + word() + "()",
                "#" + number(99) + ": " + text,
                "@" + number(9_999_999) + " " + text,
                "?" + "? " + word(),
                "! [rejected] main -> main",
                "* branch " + word(),
                "| " + text);
    }

    private String fragment() {
        return any(
                "#" + word() + " #" + word(),
                "#" + word(),
                "@" + name(),
                "@" + any("here", "channel", "everyone", "all"),
                "https://example.com/" + word() + "?q=" + number(99),
                name() + "@example.com",
                "#" + String.format(Locale.ROOT, "%06x", number(0xFFFFFF)),
                "." + number(99),
                "~" + number(99),
                ">" + number(99),
                "<" + number(99),
                "<3",
                "!" + number(99),
                "?" + number(99),
                "...",
                "?",
                "!",
                "-",
                "|",
                "{",
                "[",
                "[" + number(99) + "]",
                "{" + number(99) + "}",
                ":-)",
                "👍 " + word(),
                "!👍",
                "“" + words(1, 4) + "”",
                word() + "," + number(99) + "," + word(),
                "0x" + Integer.toHexString(number(1 << 30)),
                number(1 << 30) + "",
                "true",
                "null",
                "~" + word() + "~",
                "." + word() + "." + word(),
                "@" + word() + "." + word(),
                "!" + word() + "!",
                ">" + word() + "<");
    }

    /** Text with braces, brackets or strings of other languages, which contains nothing of a protocol. */
    String foreign() {
        int id = number(100);
        String name = word();
        return any(
                "please do {id:" + id + "} now",
                "return {" + name + ":" + id + "};",
                "body {color:" + word() + "}",
                "." + name + "{" + word() + ":" + id + "px}",
                capital(name) + ":\n{" + word() + ":" + id + "}",
                "{\"op\":\"" + any("<", ">", "<=", "->", "!", "?", "||") + "\",\"value\":" + id + "}",
                "{\"path\": \"" + any(".a/b", "./a/b", "../" + name, "~/" + name, "@a/b") + "\"}",
                "{\"text\":\"" + any("!go", "?ok", ".env", "#a", "<3", "Note: !go") + "\"}",
                "{\"query\":\"?a=" + id + "&b=" + name + "\"}",
                "{\"template\":\"{user:" + name + "}\"}",
                "Hello {user:" + name() + "}, {order:" + id + "}",
                "!Deploy{env:" + name + "}",
                "`{a:" + id + "}` or `[a,b]`",
                "[x{a:1},y{b:" + id + "}]");
    }

    /** A message of a random protocol. */
    String message() {
        return message(random.nextInt(4));
    }

    String message(int protocol) {
        int id = 1 + number(60);
        return switch (protocol) {
            case 0 ->
                "@a3|f0|c" + (1 + number(9)) + "|S0|d1|T" + (1 + number(9)) + "|k" + (1 + number(9))
                        + any("", "|t\"" + words(1, 3) + "\"") + "#";
            case 1 ->
                "{\"type\":\"" + any("STATE\",\"payload\":\"000110\"", "INTENT\",\"payload\":\"000110110001\"")
                        + any("", ",\"meta\":{\"agent\":\"" + name() + "\",\"session\":\"s-" + id + "\"}") + "}";
            case 2 ->
                "CSP/1\nFROM " + name() + "\nTO " + name() + "\nCTX C0\nINTENT TASK\n\nTASK T" + id + "\nREQ "
                        + words(2, 5) + "\nIN src\nOUT FILES\nOWNER " + name() + "\nPRIORITY P" + (1 + number(3));
            default ->
                any("!Ik/", ".Uf/", "?Uc/", "!fd/") + any("co", "la", "ta", "X{pr:^}", "X{re:[da,ti]}", "st{pr:75%}");
        };
    }

    /** A message whose symbols are fullwidth, or entities of HTML. */
    private String spelled() {
        boolean html = random.nextBoolean();
        StringBuilder text = new StringBuilder();
        for (char c : message().toCharArray()) {
            boolean isSymbol = "@|#\"{}/!?.".indexOf(c) >= 0;
            text.append(
                    !isSymbol ? Character.toString(c) : html ? "&#" + (int) c + ';' : Character.toString(c + 0xFEE0));
        }
        return text.toString();
    }

    /** A template, a pattern of a document, or an answer in another protocol. */
    private String unfilled() {
        return any(
                "@a<ACT>|f<FRAME>|c<CONV>|S<SRC>|d<DST>|T<TURN>#",
                "@a3|f0|c1|S{{source}}|d1|T{{turn}}#",
                "{\"type\":\"<MESSAGE_TYPE>\",\"payload\":\"<SUBIT_SEQUENCE>\",\"meta\":{\"agent\":\"<id>\"}}",
                "{\"type\":\"STATE\",\"payload\":\"000110\",\"meta\":{\"agent\":\"${AGENT}\"}}",
                any("STATE", "PLAN") + any(" → ", ": ", "(A): ", " => ") + "000110",
                "STATE(A) → INTENT(B)",
                "THOUGHT: " + words(3, 6) + "\nQUANTIZE: " + word() + "\nSLIP v1 " + name() + ' ' + name() + " Ask");
    }

    private String dialect() {
        return distorted(random.nextInt(3), message(random.nextInt(4)));
    }

    /** A message in a notation that is nearly that of its protocol. */
    String distorted(int choice, String message) {
        List<UnaryOperator<String>> notations = message.startsWith("@")
                ? List.of(
                        text -> text.replace("|", " | "),
                        text -> text.replace("@a", "@A").replace("|f", "|F").replace("|c", "|C"),
                        text -> text.replace('|', ','))
                : message.startsWith("{")
                        ? List.of(
                                text -> text.replace('"', '\''),
                                text -> text.replace("{\"", "{“")
                                        .replace("\":\"", "”:“")
                                        .replace('"', '”'),
                                text -> text.replace("\"type\"", "\"Type\"").replace("\"payload\"", "\"Payload\""))
                        : !message.startsWith("CSP")
                                ? List.of(
                                        text -> text.charAt(0) + " " + text.substring(1),
                                        text -> "@V0.6 " + text,
                                        text -> "prv " + text)
                                : List.of(
                                        text -> text.replace("FROM ", "FROM: ").replace("TO ", "TO: "),
                                        text -> text.replace("\n", "\n  "),
                                        text -> text.replace("CSP/1\n", "CSP/1\n\n"));
        return notations.get(choice).apply(message);
    }

    /**
     * A message inside other text.
     *
     * @param from index of its first character, or of its encoding
     * @param to index after its last character, or after its encoding
     */
    record Wrapped(String text, int from, int to) {}

    /** A message inside other text, with its range. */
    Wrapped wrap(String message) {
        String text = wrapped(message);
        int at = text.indexOf(message);
        if (at >= 0) {
            return new Wrapped(text, at, at + message.length());
        }
        String quoted = quoted(message);
        String encoded = Stream.of(quoted, quoted(quoted), base64(message))
                .filter(text::contains)
                .findFirst()
                .orElseThrow();
        int from = text.indexOf(encoded);
        return new Wrapped(text, from, from + encoded.length());
    }

    /** A message of Λ after a heading, or before a translation or another remark on its line. */
    String annotated(String message) {
        return any(
                any("Answer", "Offer", "Agreement", "Output", "Antwort", name() + "s") + ": " + message,
                message + " (" + words(1, 6) + ")",
                message + any(" // ", " # ", " -- ", " — ", " → ", " = ") + words(3, 6),
                message + any(".", "!", ". " + capital(words(3, 6)), ": " + words(3, 6)),
                message + " 👍");
    }

    /** A message of Λ whose address or private mark has another form. */
    String prefixed(String message) {
        String agents =
                any("@{{agent}}", "@<AGENT>", "@\"A1\"", "@A1;A2", "@A1 and A2", "@" + name() + " and B1") + ": ";
        String mark = any("[prv]", "(private)", "**prv:**", "- prv:", "prv;", "`Private`", "PRIVATE\n", "@A1 prv:");
        return any(agents, mark + any(" ", "  ")) + message;
    }

    /** A message of CSP/1 with a key in another form, numbers of a list, a placeholder, or without its header. */
    String notated(String csp) {
        String key = any("TASK", "REQ", "IN", "OUT", "OWNER");
        String value = csp.substring(csp.indexOf(any("\nFROM ", "\nREQ ", "\nOWNER ")));
        value = value.substring(value.indexOf(' '), value.indexOf('\n', 1));
        return any(
                csp.replace("\n" + key + " ", "\n" + key + any(": ", " : ", "=", " = ")),
                csp.replace("\nIN ", any("\nin ", "\n  IN ", "\n- IN ", "\n**IN** ", "\nIn: ")),
                csp.replace("\nIN ", any("\n\"IN\": ", "\n| IN | ", "\n• IN ", " IN: ", " IN = ")),
                csp.replace("\nPRIORITY ", " PRIORITY "),
                csp.replace("\n", "\n1. ").replace("CSP/1", "1. CSP/1"),
                csp.replace("CSP/1", any("CSP /1", "CSP / 1")),
                csp.substring(csp.indexOf("\n\n") + 2),
                csp.replace(value, any(" <AGENT_ID>", " {value}", " ${value}", " <what to do>")));
    }

    private static String quoted(String message) {
        return '"' + escaped(message) + '"';
    }

    private static String base64(String message) {
        return Base64.getEncoder().encodeToString(message.getBytes(UTF_8));
    }

    private static String escaped(String message) {
        return message.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }

    private String wrapped(String message) {
        String json = escaped(message);
        return any(
                "```\n" + message + "\n```",
                "Here is the message:\n\n```" + any("text", "csp", "json") + "\n" + message + "\n```\nDone.",
                "`" + message + "`",
                "<think>" + words(3, 8) + "</think>\n" + message,
                "<|im_start|>assistant\n" + message + "<|im_end|>",
                "Sure! " + capital(words(3, 6)) + ":\n\n" + message,
                "{\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"/x\",\"type\":\"t\",\"data\":\"" + json + "\"}",
                "{\"from\":\"" + name() + "\",\"message\":\"" + json + "\"}",
                "[\"" + json + "\"]",
                quoted(quoted(message)),
                base64(message),
                "# " + capital(words(1, 3)) + "\n\n" + message,
                "<message>\n" + message + "\n</message>");
    }

    /** Two messages in one text. */
    String several(String first, String second) {
        return first + any("\n", "\n\n", "\n---\n") + second;
    }
}
