package dev.parley.console;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.parley.codec.slip.SlipCodec;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Sends 20 messages a second in one namespace, and counts the requests and the verdicts in their responses: accepted
 * and rejected ones of SLIP conversation 7, undecodable ones, and patches that are parked.
 */
final class Flow implements AutoCloseable {

    static final String CONVERSATION = "7";

    private static final int INTERVAL_MS = 50;
    /** One message in this many has a turn that was used, one cannot be decoded, and one is parked. */
    private static final int ERROR_INTERVAL = 10;

    /** Counts at a time: of messages in requests, and of responses with a verdict by verdict. */
    record Counts(int conversation, int undecodable, int parked, Map<String, Integer> verdicts) {
        int verdict(String name) {
            return verdicts.getOrDefault(name, 0);
        }

        /** Messages of the conversation with a verdict. */
        long messages() {
            return verdict("ACCEPTED") + verdict("REJECTED");
        }

        int sent() {
            return conversation + undecodable;
        }
    }

    /** A message in an input partition, which had it before the time of the response. */
    private record Entry(String input, Instant answered) {}

    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
    private final DemoServer demo;
    private final String namespace;
    private final AtomicInteger conversation = new AtomicInteger();
    private final AtomicInteger undecodable = new AtomicInteger();
    private final AtomicInteger parked = new AtomicInteger();
    private final Map<String, Integer> verdicts = new ConcurrentHashMap<>();
    private final Queue<Entry> entered = new ConcurrentLinkedQueue<>();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private CompletableFuture<Void> responses = CompletableFuture.completedFuture(null);
    private int number;

    private Flow(DemoServer demo, String namespace) {
        this.demo = demo;
        this.namespace = namespace;
    }

    static Flow start(DemoServer demo, String namespace) {
        Flow flow = new Flow(demo, namespace);
        flow.clock.scheduleAtFixedRate(flow::next, 0, INTERVAL_MS, TimeUnit.MILLISECONDS);
        return flow;
    }

    private void next() {
        int i = ++number;
        JsonObject line = new JsonObject();
        line.addProperty("namespace", namespace);
        boolean waits = i % ERROR_INTERVAL != 3;
        if (!waits) {
            parked.incrementAndGet();
            line.addProperty("conversation", "context");
            line.addProperty(
                    "wire",
                    "CSP/1\nFROM A\nTO B\nCTX C0\nINTENT PATCH\n\nPATCH P" + i + "\nBASE B" + i + "\n+ DEF K" + i
                            + " = v\nAPPLY -> C" + i);
        } else if (i % ERROR_INTERVAL == 6) {
            undecodable.incrementAndGet();
            line.addProperty("conversation", CONVERSATION);
            line.addProperty("sender", "0");
            line.addProperty("protocol", "slip");
            line.addProperty("wire", "not a message " + i);
        } else {
            conversation.incrementAndGet();
            int turn = i % ERROR_INTERVAL == 9 ? i - 1 : i;
            line.addProperty(
                    "wire",
                    "@a2|f2|c" + SlipCodec.digits(Long.parseLong(CONVERSATION)) + "|S0|d1|T" + SlipCodec.digits(turn)
                            + "|k1|t\"number " + i + "\"#");
        }
        // In the order of their turns; a parked patch has no verdict for which to wait.
        CompletableFuture<HttpResponse<String>> response = demo.startLines(line + "\n", waits);
        responses = CompletableFuture.allOf(responses, response.thenAccept(this::count))
                .whenComplete((all, thrown) -> failure.compareAndSet(null, thrown));
    }

    private void count(HttpResponse<String> response) {
        if (response.statusCode() != 202) {
            throw new AssertionError(response.body());
        }
        JsonArray items =
                JsonParser.parseString(response.body()).getAsJsonObject().getAsJsonArray("items");
        JsonObject sent = items.get(0).getAsJsonObject();
        entered.add(new Entry(
                sent.get("topic").getAsString() + "-" + sent.get("partition").getAsInt(), Instant.now()));
        if (sent.has("verdict") && !sent.get("verdict").isJsonNull()) {
            verdicts.merge(sent.getAsJsonObject("verdict").get("verdict").getAsString(), 1, Integer::sum);
        }
    }

    /** The counts now. Each verdict in a response belongs to a message of an earlier request. */
    Counts counts() {
        Map<String, Integer> answered = Map.copyOf(verdicts);
        return new Counts(conversation.get(), undecodable.get(), parked.get(), answered);
    }

    /** Number of messages that an input partition may not have had at a time. */
    long enteredSince(String input, Instant time) {
        return entered.stream()
                .filter(entry ->
                        entry.input().equals(input) && !entry.answered().isBefore(time))
                .count();
    }

    /** Sends no more, and waits for all responses. */
    Counts end() throws InterruptedException {
        close();
        responses.join();
        return counts();
    }

    @Override
    public void close() throws InterruptedException {
        clock.shutdown();
        if (!clock.awaitTermination(1, TimeUnit.MINUTES)) {
            throw new AssertionError("the clock has not stopped");
        }
        Throwable thrown = failure.get();
        if (thrown != null) {
            throw new AssertionError("a message was not sent", thrown);
        }
    }
}
