package dev.parley.cli.io;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.logging.ControlCharacters;
import java.io.PrintWriter;
import java.net.URI;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Reads what {@code parley status} shows from the HTTP API, as one JSON object, and prints it on one screen. */
public final class StatusReport {
    /** Pages of a list that one report reads at most; the counts are lower bounds beyond them. */
    private static final int MAX_PAGES = 10;

    private static final int MAX_PARTITIONS = 6;
    private static final int MAX_CODES = 10;
    private static final int MAX_HEADS = 5;
    private static final int HASH_CHARACTERS = 12;

    private final PrintWriter out;
    private final int width;
    private final boolean colored;

    private StatusReport(PrintWriter out, int width, boolean colored) {
        this.out = out;
        this.width = width;
        this.colored = colored;
    }

    /**
     * Reads the status.
     *
     * @throws IllegalStateException if the HTTP API is unavailable, or rejects the token
     */
    public static ObjectNode read(ApiClient api, URI url) {
        ObjectNode status = JsonNodeFactory.instance.objectNode();
        status.put("url", url.toString())
                .put(
                        "time",
                        Clock.systemUTC()
                                .instant()
                                .truncatedTo(ChronoUnit.SECONDS)
                                .toString());
        status.set("readiness", api.readiness());
        try {
            status.set("accounting", api.get("/v1/accounting"));
            status.set("deadLetters", deadLetters(api));
            status.set("chains", chains(api));
        } catch (IllegalStateException e) {
            // An instance without views, or with views that are being restored.
            status.put("viewsUnavailable", e.getMessage());
        }
        return status;
    }

    /** Whether all parts were ready. */
    public static boolean isUp(JsonNode status) {
        return status.at("/readiness/status").asText().equals("UP");
    }

    private static ObjectNode deadLetters(ApiClient api) {
        Map<String, Long> counts = new TreeMap<>();
        boolean complete = each(
                api,
                "/v1/dead-letters/counts?limit=1000",
                item -> counts.merge(
                        item.path("stage").asText() + " " + item.path("code").asText(""),
                        item.path("count").asLong(),
                        Long::sum));
        ObjectNode node = JsonNodeFactory.instance.objectNode().put("complete", complete);
        ArrayNode codes = node.putArray("codes");
        counts.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .forEach(entry -> {
                    int space = entry.getKey().indexOf(' ');
                    String code = entry.getKey().substring(space + 1);
                    codes.addObject()
                            .put("stage", entry.getKey().substring(0, space))
                            .put("code", code.isEmpty() || code.equals("null") ? null : code)
                            .put("count", entry.getValue());
                });
        return node;
    }

    private static ObjectNode chains(ApiClient api) {
        long[] counts = new long[2];
        PriorityQueue<JsonNode> latest = new PriorityQueue<>(
                Comparator.comparing(item -> item.path("lastTime").asText()));
        boolean complete = each(api, "/v1/conversations?limit=1000", item -> {
            counts[0]++;
            counts[1] += item.path("messages").asLong();
            latest.add(item);
            if (latest.size() > MAX_HEADS) {
                latest.remove();
            }
        });
        ObjectNode node = JsonNodeFactory.instance
                .objectNode()
                .put("complete", complete)
                .put("count", counts[0])
                .put("records", counts[1]);
        ArrayNode heads = node.putArray("latestHeads");
        List<JsonNode> newestFirst = new ArrayList<>();
        while (!latest.isEmpty()) {
            newestFirst.add(0, latest.remove());
        }
        newestFirst.forEach(item -> heads.addObject()
                .put("chain", item.path("chain").asText())
                .put("sequence", item.path("lastSequence").asLong())
                .put("hash", item.path("lastHash").asText())
                .put("time", item.path("lastTime").asText()));
        return node;
    }

    /** Takes the items of the first pages; returns whether those were all. */
    private static boolean each(ApiClient api, String path, Consumer<JsonNode> item) {
        int pages = 0;
        for (JsonNode page : new Pages(api, path)) {
            page.path("items").forEach(item);
            if (++pages == MAX_PAGES) {
                return !page.path("next").isTextual();
            }
        }
        return true;
    }

    /** Prints the status for a person. */
    public static void print(JsonNode status, PrintWriter out, int width, boolean colored) {
        new StatusReport(out, width, colored).print(status);
    }

    private void print(JsonNode status) {
        JsonNode readiness = status.path("readiness");
        say("Parley at " + status.path("url").asText() + " is "
                + readiness.path("status").asText() + " ("
                + status.path("time").asText() + ")");
        out.println();
        Table parts = table(
                Table.Column.at("PART", "/name"),
                Table.Column.at("STATUS", "/status"),
                Table.Column.at("DETAIL", "/detail"));
        readiness.path("parts").forEach(parts::add);
        parts.flush();
        if (status.has("viewsUnavailable")) {
            out.println();
            say("No views here: " + status.path("viewsUnavailable").asText());
            return;
        }
        accounting(status.path("accounting"));
        deadLetters(status.path("deadLetters"));
        chains(status.path("chains"));
    }

    private void accounting(JsonNode accounting) {
        JsonNode total = accounting.path("total");
        out.println();
        say("Accounting: " + (accounting.path("balanced").asBoolean() ? "balanced" : "not balanced") + ". "
                + Counts.of(total.path("inputs").asLong(), "input") + " = "
                + total.path("accepted").asLong() + " accepted + "
                + total.path("flagged").asLong() + " flagged + "
                + total.path("rejected").asLong() + " rejected + "
                + total.path("undecodable").asLong() + " undecodable + "
                + total.path("parked").asLong() + " parked + "
                + total.path("pending").asLong() + " pending. Lag: "
                + (total.path("lag").isNumber() ? total.path("lag").asText() : "unknown") + ".");
        List<JsonNode> partitions = new ArrayList<>();
        accounting.path("partitions").forEach(partitions::add);
        partitions.sort(Comparator.comparingLong(
                        (JsonNode partition) -> partition.path("lag").asLong()
                                + partition.path("pending").asLong())
                .reversed());
        Table table = table(
                Table.Column.of(
                        "INPUT",
                        partition -> partition.path("topic").asText() + "-"
                                + partition.path("partition").asText()),
                Table.Column.at("INPUTS", "/inputs"),
                Table.Column.at("PARKED", "/parked"),
                Table.Column.at("PENDING", "/pending"),
                Table.Column.at("LAG", "/lag"),
                Table.Column.at("STALLED", "/stalledBy"));
        partitions.stream().limit(MAX_PARTITIONS).forEach(table::add);
        table.flush();
        more(partitions.size() - MAX_PARTITIONS, "partition");
    }

    private void deadLetters(JsonNode deadLetters) {
        long sum = 0;
        for (JsonNode code : deadLetters.path("codes")) {
            sum += code.path("count").asLong();
        }
        out.println();
        out.println("Dead letters: " + (deadLetters.path("complete").asBoolean() ? "" : "at least ") + sum);
        Table table = table(
                Table.Column.at("STAGE", "/stage"),
                Table.Column.at("CODE", "/code"),
                Table.Column.at("COUNT", "/count"));
        int shown = 0;
        for (JsonNode code : deadLetters.path("codes")) {
            if (shown++ < MAX_CODES) {
                table.add(code);
            }
        }
        table.flush();
        more(shown - MAX_CODES, "code");
    }

    private void chains(JsonNode chains) {
        out.println();
        out.println("Chains: " + (chains.path("complete").asBoolean() ? "" : "at least ")
                + chains.path("count").asLong() + ", with "
                + Counts.of(chains.path("records").asLong(), "record") + ". Latest heads:");
        Table table = table(
                Table.Column.at("CHAIN", "/chain"),
                Table.Column.at("SEQUENCE", "/sequence"),
                Table.Column.of("HASH", head -> {
                    String hash = head.path("hash").asText();
                    return hash.substring(0, Math.min(HASH_CHARACTERS, hash.length()));
                }),
                Table.Column.at("TIME", "/time"));
        chains.path("latestHeads").forEach(table::add);
        table.flush();
    }

    private Table table(Table.Column... columns) {
        return new Table(out, width, colored, List.of(columns));
    }

    private void more(int count, String noun) {
        if (count > 0) {
            out.println("and " + Counts.of(count, "more " + noun));
        }
    }

    private void say(String text) {
        Table.wrapped(ControlCharacters.escape(text), width).forEach(out::println);
    }
}
