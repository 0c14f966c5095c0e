package dev.parley.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.TimeoutError;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import dev.parley.console.ConsoleBrowser.Tab;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The web console in a browser over a large audit trail, whose number of records is the system property {@code
 * console.records}. Times are compared with that of a conversation of few messages, because other processes share the
 * processors. They are in milliseconds, and are printed.
 */
@Tag("long")
class ConsoleScaleTest {

    private static final LargeTrail TRAIL = new LargeTrail(Integer.getInteger("console.records", 60_000));

    /** Maximum time from an address to the first rows, relative to the control. */
    private static final double FIRST_ROWS = 6;

    /** Maximum time from an input to the frame that shows its effect, relative to the control. */
    private static final double PAINT = 2;

    /** Maximum time from an address to the first results of a search, relative to the control. */
    private static final double FIRST_RESULTS = 4;

    /** Maximum rows in the document of each list of any length. */
    private static final int MAX_ROWS = 60;

    /** Maximum results of a page of the search. */
    private static final int MAX_RESULTS = 200;

    private static final int ROUNDS = 3;
    private static final String UNFINISHED =
            "{\"progress\":{\"through\":\"2026-01-01T00:00:00Z\"}}\n{\"done\":{\"cursor\":\"AA\",\"words\":[],\"ignored\":[]}}\n";

    private static final int LIVE = 10;
    private static final Duration RECONNECTION = Duration.ofSeconds(90);

    private static final String MESSAGES =
            "#/conversations/" + LargeTrail.NAMESPACE + "/slip/" + LargeTrail.CONVERSATION;
    private static final String CONTEXT = "#/contexts/" + LargeTrail.NAMESPACE + "/" + LargeTrail.CONTEXT;
    private static final String UNKNOWN = "document.title.startsWith('Unknown page')";
    private static final String SELECTED = "[role=option][aria-selected=true]";
    private static final String MESSAGE = "[id^=timeline-][role=option]";
    private static final String CHECKPOINT = "[id^=checkpoints-][role=option]";
    private static final String ENTRY = "[id^=entries-][role=option] .entry-name";

    @TempDir
    private static Path directory;

    private static LargeServer server;
    private static ConsoleBrowser browser;

    /**
     * Milliseconds until the browser had painted something.
     *
     * @param shown its effect
     * @param filled all of its data
     */
    private record Took(long shown, long filled) {}

    @BeforeAll
    static void load() throws IOException, InterruptedException {
        long start = System.nanoTime();
        server = LargeServer.start(directory);
        long started = System.nanoTime();
        TRAIL.forEach(server::send);
        server.flush();
        long sent = System.nanoTime();
        server.awaitVisible();
        System.out.printf(
                Locale.ROOT,
                "start: %d s, sending: %d s, until all is visible: %d s%n",
                Duration.ofNanos(started - start).toSeconds(),
                Duration.ofNanos(sent - started).toSeconds(),
                Duration.ofNanos(System.nanoTime() - sent).toSeconds());
        browser = new ConsoleBrowser();
    }

    @AfterAll
    static void stop() throws IOException, InterruptedException {
        if (browser != null) {
            browser.close();
        }
        if (server != null) {
            server.close();
        }
    }

    private static Tab tab() {
        return browser.open(server.uri(), 1440, 900, ColorScheme.LIGHT).visit();
    }

    /** Views by address, with what appears when their first rows do. */
    private static Map<String, String> views() {
        Map<String, String> views = new LinkedHashMap<>();
        views.put("#/", ".tiles li");
        views.put("#/conversations", "table.conversations tbody tr");
        views.put("#/conversations?verdict=rejected", "table.conversations tbody tr");
        views.put("#/conversations?verdict=undecodable", "table.conversations tbody tr");
        views.put("#/conversations?code=" + LargeTrail.ERROR, "table.conversations tbody tr");
        views.put(MESSAGES + "?m=7", MESSAGE + " .row-gloss");
        views.put("#/conversations/-/unknown/" + undecodable() + "?m=3", MESSAGE);
        views.put(
                "#/conversations/" + LargeTrail.NAMESPACE + "/csp/" + LargeTrail.CONTEXT + "?m=16",
                MESSAGE + " .row-gloss");
        views.put(
                "#/compare?a=" + LargeTrail.NAMESPACE + "%7CSLIP%7C" + LargeTrail.CONVERSATION + "&b="
                        + conversation("slip", 1),
                "table.compare tbody tr");
        views.put(CONTEXT + "?entry=MODULE_1_0", CHECKPOINT);
        views.put(CONTEXT + "?at=C9&view=diff&from=C5", ".diff li");
        views.put("#/dead-letters", ".letters li");
        views.put("#/dead-letters?stage=judge", ".letters li");
        views.put("#/dead-letters?stage=decode", ".letters li");
        // The same page: its counts by code.
        views.put("#/dead-letters?code=", ".groups .group-code");
        deadLetterCodes()
                .forEach((code, stage) -> views.put("#/dead-letters?stage=" + stage + "&code=" + code, ".letters li"));
        views.put("#/agents", ".agents-table tbody tr");
        views.put("#/search?q=" + LargeTrail.COMMON, ".hits li");
        return views;
    }

    private static String undecodable() {
        return item("/v1/conversations?limit=1&protocol=unknown")
                .path("conversation")
                .asText();
    }

    private static String conversation(String protocol, int number) {
        JsonNode item = server.api()
                .get(
                        "/v1/conversations?limit=10&namespace=" + LargeTrail.SMALL + "&protocol=" + protocol,
                        JsonNode.class)
                .path("items")
                .path(number);
        return item.path("chain").asText().replace("|", "%7C");
    }

    private static JsonNode item(String path) {
        return server.api().get(path, JsonNode.class).path("items").path(0);
    }

    /** The stages of the dead letters by their codes. */
    private static Map<String, String> deadLetterCodes() {
        Map<String, String> stages = new LinkedHashMap<>();
        String cursor = "";
        do {
            JsonNode page = server.api().get("/v1/dead-letters/counts?limit=1000" + cursor, JsonNode.class);
            for (JsonNode group : page.path("items")) {
                stages.put(
                        group.path("code").asText(),
                        group.path("stage").asText().toLowerCase(Locale.ROOT));
            }
            cursor = page.path("next").isNull()
                    ? null
                    : "&cursor=" + page.path("next").asText();
        } while (cursor != null);
        return stages;
    }

    @Test
    void everyPageShowsItsFirstRowsWithinASecond() {
        awaitCountedMinutes();
        Map<String, String> views = views();
        try (Tab tab = tab()) {
            assertWithin(FIRST_ROWS, tab.page(), () -> {
                Map<String, Took> took = new LinkedHashMap<>();
                views.forEach((address, rows) -> {
                    took.put(address, open(tab.page(), address, exists(rows)));
                    // Everything that a page reads arrives.
                    tab.settle();
                });
                return took;
            });
        }
    }

    private static void awaitCountedMinutes() {
        Awaitility.await()
                .atMost(Duration.ofMinutes(2))
                .pollInterval(Duration.ofSeconds(1))
                .until(() -> server.api()
                                .get("/v1/stats/edges?limit=1", JsonNode.class)
                                .path("rows")
                                .size()
                        > 0);
    }

    @Test
    void aLargeConversationRespondsAtOnce() {
        try (Tab tab = tab()) {
            Page page = tab.page();
            assertWithin(
                    FIRST_ROWS,
                    page,
                    () -> Map.of(
                            "the first of " + TRAIL.messages() + " messages",
                            open(page, MESSAGES, exists(MESSAGE + " .row-gloss"))));
            assertWithin(PAINT, page, () -> moveInMessages(tab));
            assertThat(page.locator("[role=option]").count()).isLessThan(MAX_ROWS);
        }
    }

    private static Map<String, Took> moveInMessages(Tab tab) {
        Page page = tab.page();
        int last = TRAIL.messages() - 1;
        open(page, MESSAGES + "?m=0", filled(0));
        tab.settle();
        Map<String, Took> took = new LinkedHashMap<>();
        page.locator("[role=listbox]").focus();
        for (String key : List.of("ArrowDown", "PageDown", "End", "ArrowUp", "PageUp", "Home")) {
            took.put(key, press(page, key));
        }
        for (int message : new int[] {last / 2, last / 4, last}) {
            Locator field = page.locator("input[name=sequence]");
            field.fill(Integer.toString(message));
            took.put(
                    "message " + message,
                    act(page, "keydown", () -> field.press("Enter"), selected(message), filled(message)));
            assertThat(page.getByRole(AriaRole.ARTICLE, Tab.named("Message " + message)))
                    .isVisible();
        }
        int error = LargeTrail.ERROR_INTERVAL - 1;
        replace(page, MESSAGES + "?m=0", selected(0));
        Locator next = page.getByRole(AriaRole.BUTTON, Tab.named("Next error"));
        for (int i = 0; i < 3; i++, error += LargeTrail.ERROR_INTERVAL) {
            took.put(
                    "next error, message " + error,
                    act(
                            page,
                            "click",
                            next::click,
                            exists(".steps [role=status]") + " || " + selected(error),
                            filled(error)));
        }
        return took;
    }

    @Test
    void aLargeContextRespondsAtOnce() {
        try (Tab tab = tab()) {
            Page page = tab.page();
            assertWithin(
                    FIRST_ROWS,
                    page,
                    () -> Map.of(
                            "the first of " + TRAIL.checkpoints() + " checkpoints",
                            open(page, CONTEXT, exists(CHECKPOINT))));
            assertWithin(PAINT, page, () -> moveInCheckpoints(tab));
            assertWithin(PAINT, page, () -> changeViews(tab));
            assertThat(page.locator("[role=option]").count()).isLessThan(2 * MAX_ROWS);
        }
    }

    private static Map<String, Took> moveInCheckpoints(Tab tab) {
        Page page = tab.page();
        openCheckpoint(tab, TRAIL.checkpoints());
        Map<String, Took> took = new LinkedHashMap<>();
        page.locator("[role=listbox]").first().focus();
        for (String key : List.of("ArrowUp", "PageUp", "Home", "PageDown", "End")) {
            took.put("checkpoints: " + key, pressInTree(page, key));
        }
        page.locator("#moment").focus();
        for (String key : List.of("ArrowLeft", "PageDown", "Home", "PageUp", "End")) {
            took.put("slider: " + key, pressInTree(page, key));
        }
        for (double share : new double[] {0.25, 0.75, 0.5}) {
            took.put("slider: click at " + share, slide(page, share));
        }
        return took;
    }

    private static Map<String, Took> changeViews(Tab tab) {
        Page page = tab.page();
        int middle = TRAIL.checkpoints() / 2;
        openCheckpoint(tab, middle);
        Map<String, Took> took = new LinkedHashMap<>();
        took.put(
                "difference to the parent",
                act(page, "click", link(page, "Difference"), exists(".diff-tools"), exists(".diff li")));
        Locator from = page.locator("input[list=checkpoint-ids]");
        from.fill("C" + middle / 2);
        took.put(
                "difference to checkpoint " + middle / 2,
                act(
                        page,
                        "keydown",
                        () -> from.press("Enter"),
                        "location.hash.includes('from=C" + middle / 2 + "')",
                        "document.querySelectorAll('.diff li').length > 100"));
        took.put(
                "patch",
                act(page, "click", link(page, "Patch"), "!" + exists(".diff-tools"), exists(".fields ~ .diff li")));
        took.put(
                "state and blame",
                act(page, "click", link(page, "State and who set it"), exists(".state"), exists(ENTRY)));
        took.put(
                "history of an entry",
                act(
                        page,
                        "click",
                        () -> page.locator(ENTRY).first().click(),
                        exists(".history"),
                        exists(".history-list li")));
        return took;
    }

    /** Opens a checkpoint, and waits until all checkpoints and the first entries of its state are there. */
    private static void openCheckpoint(Tab tab, int checkpoint) {
        open(tab.page(), CONTEXT + "?at=C" + checkpoint, exists(ENTRY));
        tab.page()
                .waitForFunction("() => " + exists(CHECKPOINT + "[aria-setsize='" + (TRAIL.checkpoints() + 1) + "']"));
        tab.settle();
    }

    private static Runnable link(Page page, String name) {
        return () -> page.getByRole(AriaRole.LINK, Tab.named(name)).click();
    }

    @Test
    void aSearchShowsItsFirstResultsAtOnce() {
        String time = server.api()
                .get(
                        "/v1/conversations/" + LargeTrail.NAMESPACE + "/slip/" + LargeTrail.CONVERSATION + "/messages/"
                                + TRAIL.rare(),
                        JsonNode.class)
                .path("source")
                .path("timestamp")
                .asText();
        Map<String, String> searches = new LinkedHashMap<>();
        searches.put("a rare word", "q=" + LargeTrail.RARE);
        searches.put("a common word", "q=" + LargeTrail.COMMON);
        searches.put("a common and a rare word", "q=" + LargeTrail.COMMON + "+" + LargeTrail.RARE);
        searches.put("a code", "code=" + LargeTrail.ERROR);
        searches.put("a sender", "sender=MAIN");
        searches.put("a sender and a protocol", "sender=3&protocol=slip");
        searches.put("a time", "to=" + time);
        searches.put("a time and a word", "q=" + LargeTrail.COMMON + "&to=" + time);
        try (Tab tab = tab()) {
            Page page = tab.page();
            assertWithin(FIRST_RESULTS, page, () -> {
                Map<String, Took> took = new LinkedHashMap<>();
                searches.forEach((name, query) -> {
                    took.put(name, open(page, "#/search?" + query, exists(".hits li")));
                    tab.settle();
                    assertThat(page.locator(".hits li").count()).as(name).isLessThanOrEqualTo(MAX_RESULTS);
                });
                return took;
            });
            tab.go("#/search?q=" + LargeTrail.RARE);
            assertThat(page.locator(".hits li")).hasCount(1);
        }
    }

    /** No SLIP message has the sender of a CSP message, and both are frequent, so the search examines very many. */
    @Test
    void aSearchWithoutResultsShowsItsProgressAndCanBeCanceled() {
        try (Tab tab = tab()) {
            Page page = tab.page();
            // The server may be faster than a click: the first part claims that more follow, and the next has no
            // answer.
            page.route(url -> url.contains("/v1/search?"), route -> {
                if (!route.request().url().contains("cursor=")) {
                    route.fulfill(new Route.FulfillOptions()
                            .setResponse(route.fetch())
                            .setBody(UNFINISHED));
                }
            });
            assertWithin(PAINT, page, () -> {
                Took progress = open(page, "#/search?protocol=slip&sender=MAIN", exists(".progress-line time"));
                report("progress of a search without results", progress.filled());
                Took cancel = act(
                        page,
                        "click",
                        () -> page.getByRole(AriaRole.BUTTON, Tab.named("Cancel"))
                                .click(),
                        "!" + exists(".progress-line"),
                        exists(".empty"));
                assertThat(page.getByLabel("Results")).containsText("Canceled");
                return Map.of("cancel", cancel);
            });
            long requests = canceledSearches(tab);
            assertThat(requests).isPositive();
            page.unrouteAll();
            open(page, "#/search?q=" + LargeTrail.RARE, exists(".hits li"));
            assertThat(canceledSearches(tab))
                    .as("a canceled search reads no more")
                    .isEqualTo(requests);
        }
    }

    /** The next search may take several requests, too, on a busy machine. */
    private static long canceledSearches(Tab tab) {
        return tab.requests().stream()
                .filter(url -> url.contains("/v1/search?") && url.contains("sender=MAIN"))
                .count();
    }

    @Test
    void theLiveTailContinuesAfterARestart() throws IOException, InterruptedException {
        try (Tab tab = tab()) {
            tab.go("#/conversations?namespace=live");
            Page page = tab.page();
            Locator live = page.getByLabel("Live");
            Locator rows = live.locator(".live-rows > li");
            assertThat(live).containsText("live");
            sendLive(0);
            assertThat(rows).hasCount(LIVE);
            server.stopParley();
            sendLive(LIVE);
            assertThat(live).containsText("reconnecting");
            long stopped = System.nanoTime();
            server.startParley();
            sendLive(2 * LIVE);
            Awaitility.await()
                    .atMost(RECONNECTION)
                    .untilAsserted(() -> assertThat(rows.count()).isGreaterThanOrEqualTo(3 * LIVE));
            report(
                    "live again after a restart",
                    Duration.ofNanos(System.nanoTime() - stopped).toMillis());
            // Another record, so that a repetition would have arrived before it.
            server.send(LargeTrail.slip("live", "9", 0, 3 * LIVE + 1, "last"));
            server.flush();
            assertThat(live.getByRole(AriaRole.LINK, new Locator.GetByRoleOptions().setName("9 #" + 3 * LIVE)))
                    .isVisible();
            List<String> expected = new ArrayList<>(IntStream.rangeClosed(0, 3 * LIVE)
                    .mapToObj(sequence -> "9 #" + sequence)
                    .toList());
            assertThat(rows.locator("a").allInnerTexts()).containsExactlyInAnyOrderElementsOf(expected);
            tab.expectErrorsOfRequests();
        }
    }

    private static void sendLive(int from) {
        for (int i = from; i < from + LIVE; i++) {
            server.send(LargeTrail.slip("live", "9", 0, i + 1, "live " + i));
        }
        server.flush();
    }

    /**
     * Measures what a user does, and asserts that each effect is shown in time. The fastest of some rounds counts.
     *
     * @param limit maximum ratio to the control of the same round
     * @param measure all measurements of one round
     */
    private static void assertWithin(double limit, Page page, Supplier<Map<String, Took>> measure) {
        Map<String, Double> fastest = new LinkedHashMap<>();
        for (int round = 1; round <= ROUNDS; round++) {
            boolean first = round == 1;
            double control = control(page);
            report("a short conversation", control);
            measure.get().forEach((name, took) -> {
                report((first ? "first time: " : "again: ") + name, took.shown() + ", all data " + took.filled());
                fastest.merge(name, took.shown() / control, Math::min);
            });
            if (fastest.values().stream().allMatch(ratio -> ratio < limit)) {
                return;
            }
        }
        assertThat(fastest).allSatisfy((name, ratio) -> assertThat(ratio).isLessThan(limit));
    }

    /** Milliseconds until a conversation of few messages shows its first row, from a page without data. */
    private static long control(Page page) {
        String conversation = conversation("slip", 1).replace("SLIP", "slip").replace("%7C", "/");
        return open(page, "#/conversations/" + conversation + "?m=0", exists(MESSAGE + " .row-gloss"))
                .shown();
    }

    private static void report(String what, Object milliseconds) {
        System.out.println(what + ": " + milliseconds + " ms");
    }

    /** Milliseconds from an address until the browser has painted something, from a page without data. */
    private static Took open(Page page, String fragment, String condition) {
        replace(page, "#/nothing", UNKNOWN);
        return time(page, fragment, condition);
    }

    private static void replace(Page page, String fragment, String condition) {
        page.evaluate("fragment => { location.hash = fragment; }", fragment);
        page.waitForFunction("() => " + condition);
    }

    private static Took time(Page page, String fragment, String condition) {
        page.evaluate(
                "fragment => { " + watch(condition, condition)
                        + " const start = performance.now(); location.hash = fragment; look(start); }",
                fragment);
        return took(page);
    }

    /** Times an input by its event. The time before the page received it counts. */
    private static Took act(Page page, String event, Runnable action, String shown, String filled) {
        page.evaluate(
                "event => { " + watch(shown, filled)
                        + " document.addEventListener(event, e => look(e.timeStamp), {once: true, capture: true}); }",
                event);
        action.run();
        return took(page);
    }

    /** Begins to look at each frame whether something has been painted, which the next frame then proves. */
    private static String watch(String shown, String filled) {
        return "const took = window.took = {}; const conditions = {shown: () => " + shown + ", filled: () => " + filled
                + "}; const seen = {}; const look = start => { const frame = () => {"
                + " for (const [name, holds] of Object.entries(conditions)) {"
                + " if (seen[name]) { took[name] ??= performance.now() - start; } else { seen[name] = holds(); } }"
                + " if (took.filled === undefined || took.shown === undefined) { requestAnimationFrame(frame); } };"
                + " requestAnimationFrame(frame); };";
    }

    private static Took took(Page page) {
        try {
            page.waitForFunction("() => window.took.shown !== undefined && window.took.filled !== undefined");
        } catch (TimeoutError e) {
            throw new AssertionError(
                    "not shown at " + page.url() + ":\n" + page.locator("main").innerText(), e);
        }
        return new Took(number(page, "window.took.shown"), number(page, "window.took.filled"));
    }

    private static long number(Page page, String expression) {
        return Math.round(((Number) page.evaluate("() => " + expression)).doubleValue());
    }

    private static String exists(String selector) {
        return "Boolean(document.querySelector(\"" + selector + "\"))";
    }

    private static String selected(int message) {
        return exists(SELECTED + "[aria-posinset='" + (message + 1) + "']");
    }

    private static String filled(int message) {
        return exists(SELECTED + "[aria-posinset='" + (message + 1) + "'] .row-gloss");
    }

    /** Presses a key that selects another message. */
    private static Took press(Page page, String key) {
        String before = page.locator(SELECTED).getAttribute("aria-posinset");
        String other = SELECTED + ":not([aria-posinset='" + before + "'])";
        return act(page, "keydown", () -> page.keyboard().press(key), exists(other), exists(other + " .row-gloss"));
    }

    /** Presses a key that selects another checkpoint. */
    private static Took pressInTree(Page page, String key) {
        return change(page, "keydown", () -> page.keyboard().press(key));
    }

    /** Clicks the slider. */
    private static Took slide(Page page, double share) {
        Locator slider = page.locator("#moment");
        return change(page, "pointerdown", () -> {
            var box = slider.boundingBox();
            page.mouse().click(box.x + share * box.width, box.y + box.height / 2);
        });
    }

    private static Took change(Page page, String event, Runnable action) {
        String name = page.locator("output[for=moment] b").innerText();
        page.evaluate("() => performance.clearResourceTimings()");
        return act(
                page,
                event,
                action,
                "document.querySelector('output[for=moment] b').innerText !== '" + name + "' && "
                        + exists(CHECKPOINT + "[aria-selected=true]"),
                "performance.getEntriesByType('resource').some(e => e.name.includes('/blame') && e.responseEnd > 0)"
                        + " && !" + exists(".state[aria-busy=true]"));
    }
}
