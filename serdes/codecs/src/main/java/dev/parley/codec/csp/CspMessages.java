package dev.parley.codec.csp;

import dev.parley.avro.CspMessage;
import java.util.List;

/**
 * Builds CSP/1 messages. Holds the header of several messages, and creates a builder for each body block.
 *
 * <pre>{@code
 * CspMessages fromAdaToBob = CspMessages.of("ada", "bob", "C0");
 * CspMessage patch = fromAdaToBob.patch("P1", "C0", "C1").add("GOAL", "ship").build();
 * }</pre>
 *
 * <p>A value that CSP/1 cannot represent causes an {@link IllegalArgumentException} in the call with that value; it
 * names the field, the rule and the character index. Null causes a {@link NullPointerException}. A built message
 * decodes to an equal message under the strict profile or, with undefined keys, under the lenient one. {@code build}
 * throws if the block lacks a required key, a value reads as a key that the block lacks, a key reads as an operation of
 * a patch, or the message exceeds {@link dev.parley.codec.Limits#DEFAULT}.
 *
 * <p>This class is immutable. A builder can build any number of messages and is not thread-safe.
 */
public final class CspMessages {
    private final String sender;
    private final String recipient;
    private final String ctx;

    private CspMessages(String sender, String recipient, String ctx) {
        CspChecks.header(CspHeader.Key.FROM, sender);
        CspChecks.header(CspHeader.Key.TO, recipient);
        CspChecks.header(CspHeader.Key.CTX, ctx);
        this.sender = sender;
        this.recipient = recipient;
        this.ctx = ctx;
    }

    /**
     * Creates messages with this header.
     *
     * @param from sending agent
     * @param to receiving agents, separated by commas
     * @param ctx the state that the messages refer to, such as {@code C0}
     */
    public static CspMessages of(String from, String to, String ctx) {
        return new CspMessages(from, to, ctx);
    }

    /**
     * Builds a TASK. Also requires {@code scope}, {@code output}, {@code owner} and {@code priority}.
     *
     * @param id one word, such as {@code T001}
     * @param request REQ: the requested work; not empty
     */
    public CspBuilder.Task task(String id, String request) {
        return new CspBuilder.Task(header(CspBlock.TASK, id), request);
    }

    /**
     * Builds the RESULT of a task. Also requires {@code produced} and {@code data}.
     *
     * @param task ID of the task
     * @param status OK, PARTIAL or FAIL
     */
    public CspBuilder.Result result(String task, String status) {
        return new CspBuilder.Result(header(CspBlock.RESULT, task), status);
    }

    /**
     * Builds an ERROR.
     *
     * @param id one word, such as {@code E001}
     * @param at AT: the affected task
     */
    public CspBuilder.Error error(String id, String at) {
        return new CspBuilder.Error(header(CspBlock.ERROR, id), at);
    }

    /**
     * Builds a PATCH. Requires at least one operation.
     *
     * @param id one word, such as {@code P001}
     * @param base BASE: the base checkpoint; not empty
     * @param target APPLY: the target checkpoint, one word; differs from the base
     */
    public CspBuilder.Patch patch(String id, String base, String target) {
        return new CspBuilder.Patch(header(CspBlock.PATCH, id), base, target);
    }

    /**
     * Builds a FILE message with a FILEOP block, which patches a file.
     *
     * @param id one word, such as {@code F001}
     * @param path PATH: the file
     * @param base BASE: a hash of the content to patch
     * @param content CONTENT: the lines of the patch, kept byte for byte; no line may be {@code >>>}
     */
    public CspBuilder.File file(String id, String path, String base, String content) {
        return new CspBuilder.File(header(CspBlock.FILEOP, id), path, base, content);
    }

    /** Builds a PLAN, whose body has no grammar. */
    public CspBuilder.FreeForm plan() {
        return new CspBuilder.FreeForm(header(CspBlock.PLAN, null));
    }

    /** Builds a QUERY, whose body has no grammar. */
    public CspBuilder.FreeForm query() {
        return new CspBuilder.FreeForm(header(CspBlock.QUERY, null));
    }

    /** Builds a MEM, whose body has no grammar. */
    public CspBuilder.FreeForm mem() {
        return new CspBuilder.FreeForm(header(CspBlock.MEM, null));
    }

    private CspMessage header(CspBlock block, String id) {
        CspMessage message = new CspMessage();
        message.setSender(sender);
        message.setRecipient(recipient);
        message.setCtx(ctx);
        message.setIntent(block.intent());
        message.setId(block.isGeneric() ? null : CspChecks.name("id", CspText.word("id", id)));
        message.setOperations(List.of());
        message.setKeyOrder(List.of());
        return message;
    }
}
