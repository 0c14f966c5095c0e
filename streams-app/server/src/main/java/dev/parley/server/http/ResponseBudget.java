package dev.parley.server.http;

import dev.parley.json.ResultSize;
import dev.parley.server.cluster.ViewQuery;
import dev.parley.server.http.ProblemException.Code;
import dev.parley.state.QueryBudget;
import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.jetty.server.Request;

/**
 * The budget of one response: a limit on its own size, and its share of the memory of all responses in progress.
 *
 * <p>The size limit ({@code http.limits.response.bytes}) decides how much a response contains: a list ends before an
 * item that {@link #add} rejects, and {@link #addAnswer} rejects any other answer that is too large. The {@link Memory}
 * of all responses decides whether this one may be built now: {@link #reserve} fails with TOO_BUSY when others use it.
 *
 * <p>{@link Memory#open(ApiRequest)} creates the budget before the route runs. Each attempt at the answer starts with
 * {@link #restart}, which releases what the previous attempt reserved. The rest is released when the response has been
 * sent or has failed, possibly on another thread. Apart from that release, one thread at a time uses a budget.
 */
public final class ResponseBudget implements QueryBudget, ViewQuery.Budget {

    private static final String BUDGET = ResponseBudget.class.getName();

    /** Maximum bytes of a list without its items; its cursor contains names. */
    private static final int ENVELOPE_BYTES = 64 << 10;

    /** The memory of all responses is this part of the heap. */
    private static final int HEAP_DIVISOR = 8;

    private final Memory memory;

    /** Bytes of the items and answers added so far, in memory. */
    private long size;

    /** Bytes taken from {@link Memory}. */
    private long reserved;

    /** The part of {@link #reserved} for a state that is being folded. */
    private long retained;

    private boolean closed;

    private ResponseBudget(Memory memory) {
        this.memory = memory;
    }

    /**
     * Memory of all responses of a server in progress, and the factory of their budgets: an eighth of the heap, because
     * results and their bytes take about twice the reserved memory.
     */
    public static final class Memory {
        private final long limit;
        private final long bytes;
        private final AtomicLong used = new AtomicLong();

        /** @param limit maximum bytes of one response */
        public Memory(long limit) {
            this.limit = limit;
            this.bytes = Math.max(2 * limit, Runtime.getRuntime().maxMemory() / HEAP_DIVISOR);
        }

        /** Attaches a budget to a request. */
        public void open(ApiRequest request) {
            request.attribute(BUDGET, open(request.jetty()));
        }

        /** Creates a budget that is released when a request is complete. */
        ResponseBudget open(Request request) {
            ResponseBudget budget = new ResponseBudget(this);
            Request.addCompletionListener(request, failure -> budget.close());
            return budget;
        }

        private boolean reserve(long count) {
            if (used.addAndGet(count) > bytes) {
                used.addAndGet(-count);
                return false;
            }
            return true;
        }

        private void release(long count) {
            used.addAndGet(-count);
        }
    }

    /** The budget of a request. */
    public static ResponseBudget of(ApiRequest request) {
        return request.attribute(BUDGET);
    }

    /**
     * Adds an item of a list if it fits, or if it is the first: otherwise the next page would start with it again.
     *
     * @return whether it was added
     */
    @Override
    public boolean add(Object item, boolean first) {
        ResultSize added = ResultSize.of(item);
        boolean adds = first || added.memory() <= left();
        if (adds) {
            add(added);
        }
        return adds;
    }

    private void add(ResultSize added) {
        size += added.memory();
        reserve(added.memory());
    }

    /** Adds an answer that is not a list, and returns it. */
    public <T> T addAnswer(T answer) {
        ResultSize added = ResultSize.of(answer);
        if (added.json() > memory.limit) {
            throw tooLarge("The response is larger than " + memory.limit + " bytes (http.limits.response.bytes).");
        }
        add(added);
        return answer;
    }

    /** Reserves memory for data of this response that is not JSON, such as the answer of a peer. */
    @Override
    public synchronized void reserve(long bytes) {
        if (closed) {
            return;
        }
        if (bytes > memory.bytes) {
            throw tooLarge("The response needs more memory than all responses may use (an eighth of the heap).");
        }
        if (!memory.reserve(bytes)) {
            throw Code.TOO_BUSY.problem(
                    "The responses in progress use all memory for responses (an eighth of the heap). Retry, or request"
                            + " smaller pages.");
        }
        reserved += bytes;
    }

    /** Reserves memory for a state as its fold grows; rejects one that is larger than a response. */
    @Override
    public void retain(long bytes) {
        if (bytes > memory.limit) {
            throw tooLarge("The state is larger than " + memory.limit + " bytes (http.limits.response.bytes).");
        }
        if (bytes > retained) {
            reserve(bytes - retained);
            retained = bytes;
        }
    }

    /** Maximum bytes of the items of a list. */
    @Override
    public long maxItemBytes() {
        return memory.limit - ENVELOPE_BYTES;
    }

    /** Remaining bytes for items of a list. */
    @Override
    public long left() {
        return Math.max(0, maxItemBytes() - size);
    }

    private static ProblemException tooLarge(String what) {
        return Code.ANSWER_TOO_LARGE.problem(
                what + " Read it page by page (/blame, /history, /messages), or raise http.limits.response.bytes.");
    }

    private synchronized void close() {
        restart();
        closed = true;
    }

    /** Releases all reserved memory, for another attempt at the answer. */
    @Override
    public synchronized void restart() {
        memory.release(reserved);
        reserved = 0;
        retained = 0;
        size = 0;
    }
}
