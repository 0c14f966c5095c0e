package dev.parley.query.http;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.json.StateJson;
import dev.parley.state.QueryBudget;
import io.javalin.http.Context;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.eclipse.jetty.server.Request;

/**
 * Bounds the JSON of one response, and the memory that all responses in progress take together. A list ends at what
 * {@link #add} refuses; an answer that is no list passes {@link #whole}. Released when the response is complete. For
 * one thread.
 */
public final class ResponseBudget implements QueryBudget {

    private static final String BUDGET = ResponseBudget.class.getName();
    /** What a node of a tree takes besides its text, about. */
    private static final int NODE_BYTES = 64;

    /** What a list has besides its items: its cursor, which has names in it. */
    private static final int ENVELOPE_BYTES = 64 << 10;

    private static final int MEMORY_SHARE = 8;

    private final Memory memory;
    private final long limit;
    private long size;
    private long reserved;
    private long retained;
    private boolean closed;

    ResponseBudget(Memory memory, long limit) {
        this.memory = memory;
        this.limit = limit;
    }

    /** The memory of all responses in progress. */
    public static final class Memory {

        private final long bytes;
        private final AtomicLong used = new AtomicLong();

        Memory(long bytes) {
            this.bytes = bytes;
        }

        /** An eighth of the heap: trees and the bytes written from them take about twice what is reserved. */
        public static Memory ofHeap(long responseBytes) {
            return new Memory(Math.max(2 * responseBytes, Runtime.getRuntime().maxMemory() / MEMORY_SHARE));
        }

        long used() {
            return used.get();
        }

        private boolean take(long count) {
            if (used.addAndGet(count) > bytes) {
                used.addAndGet(-count);
                return false;
            }
            return true;
        }

        private void give(long count) {
            used.addAndGet(-count);
        }
    }

    /**
     * The size of a tree.
     *
     * @param json bytes of it as JSON in UTF-8
     * @param tree bytes that it takes in memory, about
     */
    record Size(long json, long tree) {

        static Size of(JsonNode node) {
            long[] sums = new long[2];
            measure(node, sums);
            return new Size(sums[0], sums[0] + NODE_BYTES * sums[1]);
        }

        private static void measure(JsonNode node, long[] sums) {
            sums[1]++;
            if (node.isObject()) {
                sums[0] += 2;
                for (Map.Entry<String, JsonNode> field : node.properties()) {
                    sums[0] += text(field.getKey()) + 2;
                    measure(field.getValue(), sums);
                }
            } else if (node.isArray()) {
                sums[0] += 2;
                for (JsonNode element : node) {
                    sums[0]++;
                    measure(element, sums);
                }
            } else {
                sums[0] += node.isTextual()
                        ? text(node.textValue())
                        : node.asText().length();
            }
        }
    }

    /** Bytes of a text as a JSON string. */
    public static long text(String text) {
        long bytes = 2;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ') {
                bytes += c == '\n' || c == '\r' || c == '\t' || c == '\b' || c == '\f' ? 2 : 6;
            } else if (c < 0x80) {
                bytes += c == '"' || c == '\\' ? 2 : 1;
            } else {
                bytes += c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
            }
        }
        return bytes;
    }

    /**
     * Budgets of a server's responses.
     *
     * @param memory of all responses in progress
     * @param limit bytes of one response
     */
    public record Budgets(Memory memory, long limit) {

        /** Gives a request a budget. */
        public void open(Context request) {
            request.attribute(BUDGET, open(ServletContextRequest.getServletContextRequest(request.req())));
        }

        /** A budget until a request is complete. */
        ResponseBudget open(Request request) {
            ResponseBudget budget = new ResponseBudget(memory, limit);
            Request.addCompletionListener(request, failure -> budget.close());
            return budget;
        }
    }

    /** The budget of a request, from its beginning: an earlier attempt at the same answer gives back what it took. */
    public static ResponseBudget of(Context request) {
        ResponseBudget budget = request.attribute(BUDGET);
        if (budget == null) {
            throw new IllegalStateException("a request without a budget for its response");
        }
        budget.restart();
        return budget;
    }

    /** The budget of a request as it is. */
    public static ResponseBudget held(Context request) {
        return request.attribute(BUDGET);
    }

    /**
     * Takes an item of a list.
     *
     * @return whether it fits; if not, it is not part of this page
     */
    public boolean add(JsonNode item) {
        Size added = Size.of(item);
        if (added.tree() > left()) {
            return false;
        }
        size += added.tree();
        reserve(added.tree());
        return true;
    }

    @Override
    public boolean add(Item item, boolean first) {
        JsonNode node = StateJson.of(item);
        boolean fits = add(node);
        if (!fits && first) {
            force(node);
        }
        return fits || first;
    }

    /** Takes an item that must be part of the page, as its only one, because the list could not go on otherwise. */
    public void force(JsonNode item) {
        Size added = Size.of(item);
        size += added.tree();
        reserve(added.tree());
    }

    /** Takes an answer that is no list. */
    public <T extends JsonNode> T whole(T answer) {
        Size added = Size.of(answer);
        require(added.json());
        size += added.tree();
        reserve(added.tree());
        return answer;
    }

    /** Refuses an answer of at least so many bytes of JSON before it is made, if it does not fit. */
    public void require(long json) {
        if (json > limit) {
            throw tooLarge("The answer is larger than " + limit + " bytes (http.limits.response.bytes).");
        }
    }

    /** Reserves memory for what was read from elsewhere for this response, such as the answer of a peer. */
    @Override
    public synchronized void reserve(long bytes) {
        if (closed) {
            return;
        }
        if (bytes > memory.bytes) {
            throw tooLarge("The answer takes more memory than all answers may take together.");
        }
        if (!memory.take(bytes)) {
            throw ProblemException.unavailable(
                    ProblemException.Code.TOO_BUSY,
                    "The answers in progress take all memory that there is for them (an eighth of the heap). Retry, or"
                            + " ask for smaller pages.");
        }
        reserved += bytes;
    }

    /** Reserves memory for the state of a fold as it grows; one that is larger than a response is refused. */
    @Override
    public void retain(long bytes) {
        if (bytes > limit) {
            throw tooLarge("The state is larger than " + limit + " bytes (http.limits.response.bytes).");
        }
        if (bytes > retained) {
            reserve(bytes - retained);
            retained = bytes;
        }
    }

    /** Most bytes of the items of a list. */
    public long items() {
        return limit - ENVELOPE_BYTES;
    }

    /** How many of them are left. */
    @Override
    public long left() {
        return Math.max(0, limit - ENVELOPE_BYTES - size);
    }

    private static ProblemException tooLarge(String what) {
        return ProblemException.of(
                ProblemException.Code.ANSWER_TOO_LARGE,
                what + " Ask for it page by page (/blame, /history, /messages), or raise http.limits.response.bytes.");
    }

    private synchronized void close() {
        restart();
        closed = true;
    }

    /** Gives everything back that was taken, as before another attempt at the answer. */
    public synchronized void restart() {
        memory.give(reserved);
        reserved = 0;
        retained = 0;
        size = 0;
    }
}
