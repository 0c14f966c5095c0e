package dev.parley.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import dev.parley.console.ConsoleBrowser.Tab;
import dev.parley.server.auth.Role;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a reader of the web console meets first: text before bytes, words before symbols, counts that lead on. */
@Tag("long")
class ConsoleReadingTest extends AbstractConsoleTest {

    private static final Duration COUNTED = Duration.ofMinutes(2);

    private static Locator.GetByRoleOptions named(String name) {
        return new Locator.GetByRoleOptions().setName(name);
    }

    private static JsonObject send(JsonObject line) {
        String answer = demo.sendLines(line + "\n").body();
        return JsonParser.parseString(answer)
                .getAsJsonObject()
                .getAsJsonArray("items")
                .get(0)
                .getAsJsonObject()
                .getAsJsonObject("verdict");
    }

    private static JsonObject line(String wire, String namespace) {
        JsonObject line = new JsonObject();
        line.addProperty("wire", wire);
        line.addProperty("namespace", namespace);
        return line;
    }

    /** The page of the message of a verdict. */
    private static String page(JsonObject verdict) {
        String conversation =
                verdict.getAsJsonObject("links").get("conversation").getAsString();
        return "#" + conversation.substring((DemoServer.PREFIX + "/v1").length()) + "?m="
                + verdict.get("sequence").getAsLong();
    }

    private static void awaitCounts() {
        await().atMost(COUNTED)
                .until(() -> !JsonParser.parseString(
                                demo.get("/v1/stats/traffic?by=none").body())
                        .getAsJsonObject()
                        .getAsJsonArray("rows")
                        .isEmpty());
    }

    @Test
    void jsonIsReadInLinesWithItsNumbersAsTheyAre() {
        JsonObject line = line(
                "{\"type\":\"STATE\",\"payload\":\"000110\",\"meta\":{\"session\":\"s\",\"n\":9007199254740993.10}}",
                "pretty");
        line.addProperty("timestamp", "2020-02-02T02:02:02Z");
        JsonObject verdict = send(line);
        try (Tab tab = tab(Role.READER)) {
            tab.go(page(verdict));
            Locator message = tab.page().getByRole(AriaRole.ARTICLE);
            assertThat(message.locator(".dump")).containsText("{\n  \"type\": \"STATE\",\n  \"payload\": \"000110\"");
            assertThat(message.locator(".dump")).containsText("\"n\": 9007199254740993.10");
            assertThat(message.locator(".meta")).containsText("received");
            assertThat(message.locator(".meta")).containsText("sent 2 Feb 2020, 02:02:02 UTC, as the sender claims");
            message.getByRole(AriaRole.BUTTON, named("Hex")).click();
            assertThat(message.locator(".dump")).containsText("7b 22 74 79 70 65");
        }
    }

    @Test
    void anErrorIsMarkedInTheText() {
        JsonObject verdict = send(line("@a3|f0|c7|S0|d1|T1|k!#", "mark"));
        long position = verdict.get("position").getAsLong();
        try (Tab tab = tab(Role.READER)) {
            tab.go("#/conversations/-/unknown/"
                    + verdict.get("chain").getAsString().replaceFirst(".*\\|", "") + "?m="
                    + verdict.get("sequence").getAsLong());
            Locator message = tab.page().getByRole(AriaRole.ARTICLE);
            assertThat(message.locator(".dump mark"))
                    .hasText(String.valueOf("@a3|f0|c7|S0|d1|T1|k!#".charAt((int) position)));
            assertThat(message).containsText("error at byte " + position);
        }
    }

    @Test
    void noLigatureShowsOtherCharactersThanThoseSent() {
        JsonObject verdict =
                send(line("CSP/1\nFROM A\nTO B\nCTX C0\nINTENT PATCH\n\nPATCH P\nBASE C0\nAPPLY -> C1", "drawn"));
        try (Tab tab = tab(Role.READER)) {
            tab.go(page(verdict));
            assertThat(tab.page().locator(".dump")).containsText("APPLY -> C1");
            assertThat(
                            tab.page()
                                    .evaluate(
                                            "() => [...document.querySelectorAll('body *')]"
                                                    + ".filter(element => getComputedStyle(element).fontVariantLigatures !== 'none').length"))
                    .isEqualTo(0);
        }
    }

    @Test
    void aDeadLetterHasTheKeyAndTheHeadersOfItsRecord() {
        send(line("@a7|f1|c9|S2|d1|T1|k1#", "headers"));
        try (Tab tab = tab(Role.AUDITOR)) {
            tab.go("#/dead-letters?stage=judge&namespace=headers");
            Locator record = tab.page()
                    .getByLabel("Selected dead letter")
                    .getByLabel("Record", new Locator.GetByLabelOptions().setExact(true));
            assertThat(record).containsText("Record key");
            assertThat(record).containsText("parley-namespace");
        }
    }

    @Test
    void whatAnUndecodableMessageLostIsVisible() {
        JsonObject verdict = send(line("[\"@a3|f0|c9|S0|d1|T1|g1c|k1|q1#\"]", "claims to be mine"));
        assertThat(verdict.get("verdict").getAsString()).isEqualTo("UNDECODABLE");
        assertThat(verdict.getAsJsonArray("inner")).hasSize(1);
        try (Tab tab = tab(Role.AUDITOR)) {
            tab.go("#/conversations/-/unknown/"
                    + verdict.get("chain").getAsString().replaceFirst(".*\\|", "") + "?m="
                    + verdict.get("sequence").getAsLong());
            Locator message = tab.page().getByRole(AriaRole.ARTICLE);
            assertThat(message).containsText("claims to be mine");
            assertThat(message).containsText("Claims sender");
            assertThat(message).containsText("Messages inside the value");
            assertThat(message).containsText("nSLIP bytes 2 to 30");
        }
    }

    @Test
    void warningsAreInTheTimelineAndRulesAreWords() {
        sendClosedAndEvaluated("evaluated");
        for (String message : List.of(
                "{\"type\":\"STATE\",\"payload\":\"000110\",\"meta\":{\"agent\":\"A\",\"session\":\"s\"}}",
                "{\"type\":\"INTENT\",\"payload\":\"000110110001\",\"meta\":{\"agent\":\"A\",\"session\":\"s\"}}",
                "{\"type\":\"STATE\",\"payload\":\"000110\",\"meta\":{\"agent\":\"B\",\"session\":\"s\"}}",
                "{\"type\":\"STATE\",\"payload\":\"000110\",\"meta\":{\"agent\":\"B\",\"session\":\"s\"}}")) {
            send(line(message, "evaluated"));
        }
        try (Tab tab = tab(Role.READER)) {
            Locator rule = tab.page().locator(".rule");
            tab.go("#/conversations/evaluated/slip/3?m=4");
            assertThat(tab.page().locator("[role=option][aria-selected=true]")).containsText("1 warning");
            assertThat(rule).containsText("CLOSED");
            assertThat(rule).containsText("EVALUATED with the warning SLIP_UNEXPECTED");
            assertThat(rule).not().containsText(" W ");
            tab.go("#/conversations/evaluated/subit/s?m=2");
            assertThat(rule).containsText("INTENT of another agent");
            assertThat(rule.locator(".rule-text")).hasCount(0);
            tab.go("#/conversations/evaluated/subit/s?m=3");
            assertThat(rule).containsText("STATE with the warning SUBIT_STATE_REPEATED");
            assertThat(rule).not().containsText(" W ");
        }
    }

    /** Sends a task up to its evaluation after its end, which is message 4 of the conversation 3. */
    private static void sendClosedAndEvaluated(String namespace) {
        for (String message : List.of(
                "@a3|f0|c3|S0|d1|T1|k1#",
                "@a4|f1|c3|S1|d0|T2|k1#",
                "@a1|f2|c3|S1|d0|T3|k1#",
                "@a6|f2|c3|S0|d1|T4|k1#",
                "@a8|f3|c3|S0|d1|T5|k1#")) {
            assertThat(send(line(message, namespace)).get("verdict").getAsString())
                    .isEqualTo("ACCEPTED");
        }
    }

    private static final String SCRIPTS = "#/search?namespace=scripts&q=";

    @Test
    void aSearchFindsPartsOfWordsInAnyScriptAndSaysWhatItIgnores() {
        String text = "@a3|f0|c1|S0|d1|T%d|g1c|k1|q1|t\"%s\"#";
        send(line(text.formatted(1, "部署你好世界服务"), "scripts"));
        send(line(text.formatted(2, "Café on Main Street 👩\u200D💻"), "scripts"));
        send(line("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\\u4f60\\u597d\"}", "scripts"));
        Map<String, List<String>> found = new LinkedHashMap<>();
        found.put("世界", List.of("世界"));
        found.put("你好", List.of("你好", "你好"));
        found.put("👩\u200D💻", List.of("👩\u200D💻"));
        found.put("cafe", List.of("Café"));
        found.put("\"main street\" -服务", List.of("Main", "Street"));
        found.put("str* OR 世", List.of("Str", "世"));
        found.put("\"street main\"", List.of());
        found.put("street -café", List.of());
        try (Tab tab = tab(Role.READER)) {
            Page page = tab.page();
            tab.go("#/search?namespace=scripts");
            assertThat(page.locator(".hits li")).hasCount(3);
            found.forEach((query, marked) -> {
                tab.go(SCRIPTS + URLEncoder.encode(query, StandardCharsets.UTF_8));
                if (marked.isEmpty()) {
                    assertThat(page.getByText("Nothing found")).isVisible();
                } else {
                    assertThat(page.locator(".hits mark")).hasText(marked.toArray(String[]::new));
                }
            });
            tab.go(SCRIPTS + "cafe+re*");
            assertThat(page.locator(".search-ignored li")).hasText("re* (a beginning needs 3 characters)");
            assertThat(page.locator(".hits li")).hasCount(1);
            page.getByText("How to search").click();
            assertThat(page.locator(".search-syntax")).containsText("words with this beginning");
            page.locator("input[name=q]").fill("-cafe");
            page.locator("input[name=q]").press("Enter");
            assertThat(page.locator(".hits li")).hasCount(2);
            assertThat(page.locator(".search-ignored")).hasCount(0);
        }
    }

    @Test
    void aSearchForAWarningFindsItsMessages() {
        sendClosedAndEvaluated("warned");
        try (Tab tab = tab(Role.READER)) {
            Page page = tab.page();
            tab.go("#/search?namespace=warned");
            page.locator("input[name=q]").fill("slip_unexpected warned");
            page.locator("input[name=q]").press("Enter");
            assertThat(page.locator("input[name=code]")).hasValue("SLIP_UNEXPECTED");
            assertThat(page.locator("input[name=q]")).hasValue("warned");
            tab.go("#/search?namespace=warned&code=SLIP_UNEXPECTED");
            assertThat(page.locator(".hits li")).hasCount(1);
            assertThat(page.locator(".hits li")).containsText("SLIP_UNEXPECTED");
            tab.go("#/search?q=SLIP_PROPOSE_AFTER_ACCEPT 90");
            assertThat(page.locator(".hits li").first()).containsText("SLIP_PROPOSE_AFTER_ACCEPT");
            tab.go("#/conversations?namespace=warned&code=SLIP_UNEXPECTED");
            assertThat(page.locator(".conversations tbody tr")).hasCount(1);
            assertThat(page.locator(".result-count")).containsText("1 conversation, the latest match first");
        }
    }

    @Test
    void onlyWhiteSpaceOfJsonIsReformatted() {
        String raw = "{\"b\":[],\"2\":1.10,\"1\":[{},12345678901234567890],\"a\":\"\\u0041, {\",\"a\":2}";
        JsonObject verdict = send(
                line("{\"type\":\"STATE\",\"payload\":\"000110\",\"meta\":{\"session\":\"keys\"}}", "reformatted"));
        try (Tab tab = tab(Role.READER)) {
            tab.page().route(url -> url.contains("/messages/" + verdict.get("sequence")), route -> {
                JsonObject message = JsonParser.parseString(
                                demo.get("/v1/conversations/reformatted/subit/keys/messages/0?dialogue=true")
                                        .body())
                        .getAsJsonObject();
                message.addProperty("raw", raw);
                route.fulfill(new Route.FulfillOptions()
                        .setContentType("application/json")
                        .setBody(message.toString()));
            });
            tab.go("#/conversations/reformatted/subit/keys?m=0");
            Locator message = tab.page().getByRole(AriaRole.ARTICLE);
            assertThat(message.locator(".dump").textContent()).isEqualTo("""
                    {
                      "b": [],
                      "2": 1.10,
                      "1": [
                        {},
                        12345678901234567890
                      ],
                      "a": "\\u0041, {",
                      "a": 2
                    }""");
            assertThat(message).containsText("reformatted: only the white space differs");
        }
    }

    @Test
    void rulesAndCodesLeadToTheirSections() {
        try (Tab tab = tab(Role.READER)) {
            Page page = tab.page();
            tab.go("#/conversations/wrong/slip/90?m=7");
            page.getByRole(AriaRole.LINK, Tab.named("Section 1.4")).click();
            assertThat(page.locator("h1")).hasText("Protocols");
            Locator section = page.locator("h3:focus");
            assertThat(section).hasText("1.4 Dialogue");
            assertThat(section).isInViewport();
            page.goBack();
            page.getByRole(AriaRole.ARTICLE)
                    .getByRole(AriaRole.LINK, named("SLIP_PROPOSE_AFTER_ACCEPT"))
                    .click();
            assertThat(page.locator("h1")).hasText("Codes");
            assertThat(page.locator("h3:focus")).hasText("SLIP_PROPOSE_AFTER_ACCEPT");
            assertThat(page.locator(".docs")).containsText("PROPOSE after the plan was accepted.");
            tab.go("#/docs/protocols?at=4.2&row=L1");
            assertThat(page.locator("tr.current")).isInViewport();
        }
    }

    @Test
    void theNewestRejectedMessagesComeFirst() {
        send(line("@a7|f1|c9|S2|d1|T1|k1#", "zzz newest"));
        try (Tab tab = tab(Role.READER)) {
            Locator panel = tab.page()
                    .getByLabel("Conversations with rejected messages", new Page.GetByLabelOptions().setExact(true))
                    .first();
            Locator first = panel.locator("tbody a").first();
            assertThat(first).hasText("9");
            assertThat(first).hasAttribute("href", "#/conversations/zzz%20newest/slip/9?m=0");
        }
    }

    @Test
    void theNumberOfParkedPatchesLeadsToThem() {
        JsonObject parked = JsonParser.parseString(
                        demo.get("/v1/parked?limit=1").body())
                .getAsJsonObject()
                .getAsJsonArray("items")
                .get(0)
                .getAsJsonObject();
        try (Tab tab = tab(Role.READER)) {
            Page page = tab.page();
            page.locator(".tile a")
                    .filter(new Locator.FilterOptions().setHasText("parked"))
                    .click();
            assertThat(page.locator("h1")).hasText("Parked patches");
            Locator row = page.locator("tbody tr").first();
            assertThat(row).containsText(parked.get("conversation").getAsString());
            assertThat(row).containsText(parked.get("base").getAsString());
            assertThat(row).containsText(parked.get("position").getAsString());
        }
    }

    @Test
    void countsLeadToTheirMessages() {
        awaitCounts();
        try (Tab tab = tab(Role.READER)) {
            Page page = tab.page();
            tab.go("#/?range=24h&protocol=csp");
            page.getByLabel("Errors by code", new Page.GetByLabelOptions().setExact(true))
                    .getByRole(AriaRole.LINK, named("Dead letters"))
                    .click();
            assertThat(page).hasURL(Pattern.compile(".*#/dead-letters\\?protocol=csp&from=.*"));
            tab.settle();
            assertThat(page.locator("select[name=protocol]")).hasValue("csp");
            assertThat(page.locator(".letters li").first()).isVisible();
            assertThat(page.locator(".letters .letter-where")
                            .filter(new Locator.FilterOptions().setHasNotText("CSP/1")))
                    .hasCount(0);

            tab.go("#/?range=24h");
            Locator row = page.getByLabel("By protocol", new Page.GetByLabelOptions().setExact(true))
                    .locator("tbody tr")
                    .filter(new Locator.FilterOptions().setHasText("CSP/1"));
            row.locator("td").nth(2).locator("a").click();
            assertThat(page).hasURL(Pattern.compile(".*#/search\\?from=.*&protocol=csp&verdict=rejected"));
            assertThat(page.locator(".hits li").first()).containsText("CSP_");

            tab.go("#/agents");
            page.locator(".agents-table tbody tr")
                    .filter(new Locator.FilterOptions().setHas(page.getByRole(AriaRole.BUTTON, Tab.named("CODER"))))
                    .locator("td")
                    .first()
                    .locator("a")
                    .click();
            assertThat(page).hasURL(Pattern.compile(".*#/search\\?namespace=default&sender=CODER&from=.*"));
            assertThat(page.locator(".hits li").first()).containsText("CODER");
        }
    }

    /** Lists are in the order of seconds. */
    private static void awaitNextSecond() {
        long second = Instant.now().getEpochSecond();
        await().until(() -> Instant.now().getEpochSecond() > second);
    }

    private static void sendLambda(String namespace, String conversation) {
        JsonObject line = line("?Uc/la", namespace);
        line.addProperty("protocol", "lambda");
        line.addProperty("conversation", conversation);
        line.addProperty("sender", "A");
        send(line);
    }

    private static long total(String query) {
        return JsonParser.parseString(
                        demo.get("/v1/conversations/total" + query).body())
                .getAsJsonObject()
                .get("conversations")
                .getAsLong();
    }

    @Test
    void theNewestConversationsComeFirstWithTheirNumber() {
        sendLambda("zz newest", "zz 1");
        awaitNextSecond();
        sendLambda("zz newest", "zz 2");
        try (Tab tab = tab(Role.READER)) {
            Page page = tab.page();
            Locator rows = page.locator(".conversations tbody tr");
            tab.go("#/conversations");
            assertThat(rows.first()).containsText("zz 2");
            assertThat(rows.nth(1)).containsText("zz 1");
            assertThat(page.locator(".result-count"))
                    .containsText(String.format(Locale.ROOT, "%,d conversations", total("")));
            awaitNextSecond();
            sendLambda("zz newest", "zz 1");
            tab.go("#/conversations?namespace=zz newest&verdict=accepted");
            assertThat(rows.locator("a").first()).hasText("zz 1");
            assertThat(rows).hasCount(2);
            assertThat(page.locator(".result-count")).containsText("2 conversations");
        }
    }

    @Test
    void withoutASearchIndexTheNewestConversationsWithRejectedMessagesComeFirstToo() {
        awaitNextSecond();
        send(line("@a7|f1|c8|S2|d1|T1|k1#", "zzz rejected"));
        try (Tab tab = browser.open(demo.uri(), 1440, 900, ColorScheme.LIGHT)) {
            Page page = tab.page();
            page.route(url -> url.endsWith("/v1/whoami"), route -> {
                JsonObject caller = JsonParser.parseString(
                                demo.get("/v1/whoami", Role.READER).body())
                        .getAsJsonObject();
                caller.getAsJsonObject("features").addProperty("search", false);
                route.fulfill(new Route.FulfillOptions()
                        .setContentType("application/json")
                        .setBody(caller.toString()));
            });
            tab.signIn(demo.token(Role.READER));
            Locator row = page.getByLabel(
                            "Conversations with rejected messages", new Page.GetByLabelOptions().setExact(true))
                    .first()
                    .locator("tbody tr")
                    .first();
            assertThat(row.locator("a").first()).hasAttribute("href", "#/conversations/zzz%20rejected/slip/8");
            assertThat(row).containsText(Pattern.compile("now|ago"));
        }
    }

    @Test
    void conversationsWithTheNamesOfDirectoriesOpen() {
        sendLambda(".", "..");
        sendLambda("..", ".");
        try (Tab tab = tab(Role.READER)) {
            Page page = tab.page();
            for (String[] names : new String[][] {{".", ".."}, {"..", "."}}) {
                tab.go("#/conversations?namespace=" + names[0]);
                page.locator(".conversations tbody a").first().click();
                assertThat(page).hasURL(demo.uri() + "#/conversations/" + names[0] + "/lambda/" + names[1]);
                assertThat(page.locator("h1")).hasText("Conversation " + names[1]);
                assertThat(page.getByRole(AriaRole.ARTICLE).locator(".dump")).containsText("?Uc/la");
                page.getByRole(AriaRole.LINK, Tab.named(names[0]).setExact(true))
                        .first()
                        .click();
                assertThat(page.locator(".conversations tbody tr")).hasCount(1);
            }
        }
    }

    @Test
    void everyMessageHasTheKeyTheHeadersAndBothTimesOfItsRecord() {
        try (Tab tab = tab(Role.AUDITOR)) {
            tab.go("#/conversations/default/csp/auth-refactor?m=9");
            Locator record = tab.page()
                    .getByRole(AriaRole.ARTICLE)
                    .getByLabel("Input record", new Locator.GetByLabelOptions().setExact(true));
            assertThat(record).containsText("Received");
            assertThat(record).containsText("Sent");
            assertThat(record).containsText("parley.wire-");
            record.getByText("Record key and headers").click();
            assertThat(record).containsText("ce_time");
            assertThat(record.locator("dt").filter(new Locator.FilterOptions().setHasText("Record key")))
                    .isVisible();
            tab.assertAccessible("a message with its key and headers");
            tab.page()
                    .route(
                            url -> url.endsWith("/input"),
                            route -> route.fulfill(new Route.FulfillOptions()
                                    .setContentType("application/json")
                                    .setBody("{\"status\":\"EXPIRED\",\"key\":null,\"headers\":null}")));
            tab.page().keyboard().press("k");
            assertThat(tab.page().getByRole(AriaRole.ARTICLE, Tab.named("Message 8")))
                    .containsText("its key and headers have expired");
        }
        try (Tab tab = tab(Role.READER)) {
            tab.go("#/conversations/default/csp/auth-refactor?m=9");
            assertThat(tab.page().getByRole(AriaRole.ARTICLE)).containsText("key and headers need the role auditor");
        }
    }

    @Test
    void edgesOfTheGraphLeadToTheirMessagesByKeyboardToo() {
        awaitCounts();
        try (Tab tab = tab(Role.READER)) {
            Page page = tab.page();
            tab.go("#/agents");
            Locator edges = page.locator(".graph a");
            Locator edge = page.getByRole(AriaRole.LINK, Tab.named("MAIN (default) to CODER: "));
            assertThat(edge).hasCount(1);
            assertThat(edge)
                    .hasAccessibleName(
                            Pattern.compile("MAIN \\(default\\) to CODER: [\\d,]+ messages?, [\\d,]+ errors?"));
            tab.assertAccessible("the graph of agents");
            page.getByText("Skip the links of the graph").focus();
            page.keyboard().press("Tab");
            assertThat(edges.first()).isFocused();
            edge.focus();
            page.keyboard().press("Enter");
            assertThat(page)
                    .hasURL(Pattern.compile(".*#/search\\?namespace=default&sender=MAIN&recipient=CODER&from=.*"));
            assertThat(page.locator("input[name=recipient]")).hasValue("CODER");
            assertThat(page.locator(".hits li").first()).containsText("MAIN");

            tab.go("#/agents");
            page.getByText("Skip the links of the graph").focus();
            page.keyboard().press("Enter");
            assertThat(page.locator(".agents-table button").first()).isFocused();
            page.locator(".agents-table tbody tr")
                    .filter(new Locator.FilterOptions().setHas(page.getByRole(AriaRole.BUTTON, Tab.named("CODER"))))
                    .locator("td")
                    .nth(1)
                    .locator("a")
                    .click();
            assertThat(page).hasURL(Pattern.compile(".*#/search\\?namespace=default&recipient=CODER&from=.*"));
            assertThat(page.locator(".hits li").first()).isVisible();
        }
    }

    @Test
    void rejectedAndFlaggedMessagesOfAgentsLeadToSearchesOfTheirOwn() {
        try (Tab tab = tab(Role.READER)) {
            Page page = tab.page();
            answer(
                    page,
                    "/v1/stats/edges",
                    "{\"sender\":\"mixed\",\"recipient\":\"to\",\"messages\":10,\"accepted\":5,\"flagged\":3,"
                            + "\"rejected\":2},{\"sender\":\"observed\",\"recipient\":null,\"messages\":10,"
                            + "\"accepted\":6,\"flagged\":4,\"rejected\":0}");
            answer(
                    page,
                    "/v1/stats/traffic",
                    counted("mixed", "ACCEPTED", 5) + "," + counted("mixed", "FLAGGED", 3) + ","
                            + counted("mixed", "REJECTED", 2) + "," + counted("observed", "ACCEPTED", 6) + ","
                            + counted("observed", "FLAGGED", 4));
            tab.go("#/agents");
            Locator errors = row(page, "mixed").locator("td").nth(2);
            assertThat(errors).hasText("2 rejected + 3 flagged 50 %");
            assertThat(errors.locator("a").first())
                    .hasAttribute("href", Pattern.compile("#/search\\?sender=mixed&verdict=rejected&from=.*"));
            assertThat(errors.locator("a").nth(1))
                    .hasAttribute("href", Pattern.compile("#/search\\?sender=mixed&verdict=flagged&from=.*"));
            assertThat(row(page, "observed").locator("td").nth(2)).hasText("4 flagged 40 %");
            // A search cannot select messages without a recipient.
            Locator pair = page.getByLabel("Busiest pairs", new Page.GetByLabelOptions().setExact(true))
                    .locator("tbody tr")
                    .filter(new Locator.FilterOptions().setHasText("(no recipient)"));
            assertThat(pair).containsText("4 flagged 40 %");
            assertThat(pair.locator("a")).hasCount(0);
        }
    }

    private static void answer(Page page, String path, String rows) {
        page.route(
                url -> url.contains(path),
                route -> route.fulfill(new Route.FulfillOptions()
                        .setContentType("application/json")
                        .setBody("{\"from\":\"2026-01-01T00:00:00Z\",\"to\":\"2026-01-02T00:00:00Z\",\"next\":null,"
                                + "\"rows\":[" + rows + "]}")));
    }

    private static String counted(String sender, String verdict, long messages) {
        return "{\"time\":\"2026-01-01T00:00:00Z\",\"protocol\":\"SLIP\",\"sender\":\"" + sender
                + "\",\"performative\":\"REQUEST\",\"verdict\":\"" + verdict + "\",\"messages\":" + messages + "}";
    }

    @Test
    void anAgentHasSentAsManyMessagesAsTheirSearchFinds() {
        try (Tab tab = tab(Role.READER)) {
            Page page = tab.page();
            // Four messages, one of them to two recipients.
            answer(
                    page,
                    "/v1/stats/edges",
                    "{\"sender\":\"many\",\"recipient\":\"a\",\"messages\":4,\"accepted\":3,\"flagged\":0,"
                            + "\"rejected\":1},{\"sender\":\"many\",\"recipient\":\"b\",\"messages\":1,"
                            + "\"accepted\":0,\"flagged\":0,\"rejected\":1}");
            answer(
                    page,
                    "/v1/stats/traffic",
                    counted("many", "ACCEPTED", 3) + "," + counted("many", "REJECTED", 1) + ","
                            + counted("many", "UNDECODABLE", 6));
            tab.go("#/agents");
            Locator cells = row(page, "many").locator("td");
            assertThat(cells.first()).hasText("10");
            assertThat(page.getByRole(AriaRole.BUTTON, Tab.named("Sent").setExact(true)))
                    .hasAttribute("title", "Records of this sender, with the undecodable ones that claim it");
            assertThat(cells.nth(2)).hasText("1 rejected + 6 undecodable 70 %");
            assertThat(page.getByRole(AriaRole.BUTTON, Tab.named("Errors").setExact(true)))
                    .hasAttribute(
                            "title", "Rejected, flagged and undecodable records, and their share of all that it sent");
            assertThat(page.locator(".agents-table thead th")).hasCount(5);
        }
    }

    private static Locator row(Page page, String agent) {
        return page.locator(".agents-table tbody tr")
                .filter(new Locator.FilterOptions().setHas(page.getByRole(AriaRole.BUTTON, Tab.named(agent))));
    }

    @Test
    void totalsAndCodesOfTheOverviewLeadToTheirMessages() {
        awaitCounts();
        try (Tab tab = tab(Role.READER)) {
            Page page = tab.page();
            tab.go("#/?range=24h");
            page.getByLabel("Traffic by verdict", new Page.GetByLabelOptions().setExact(true))
                    .locator(".legend a")
                    .filter(new Locator.FilterOptions().setHasText(Pattern.compile("^[\\d,]+$")))
                    .first()
                    .click();
            assertThat(page).hasURL(Pattern.compile(".*#/search\\?from=.*&verdict=accepted"));
            assertThat(page.locator(".hits li").first()).isVisible();
            tab.go("#/?range=24h");
            page.locator(".tile")
                    .filter(new Locator.FilterOptions().setHasText("Errors"))
                    .getByRole(AriaRole.LINK, named("rejected"))
                    .click();
            assertThat(page).hasURL(Pattern.compile(".*#/search\\?from=.*&verdict=rejected"));
            tab.go("#/?range=24h");
            Locator code = page.getByLabel("Errors by code", new Page.GetByLabelOptions().setExact(true))
                    .locator(".bars a")
                    .first();
            String name = code.innerText();
            code.click();
            assertThat(page).hasURL(Pattern.compile(".*#/search\\?from=.*&code=" + name));
            assertThat(page.locator(".hits li").first()).containsText(name);
        }
    }

    @Test
    void countsOfAConversationLeadToItsMessages() {
        try (Tab tab = tab(Role.READER)) {
            Page page = tab.page();
            tab.go("#/conversations?namespace=wrong&protocol=slip");
            page.locator(".conversations tbody tr")
                    .filter(new Locator.FilterOptions()
                            .setHas(page.getByRole(
                                    AriaRole.LINK, Tab.named("90").setExact(true))))
                    .getByRole(AriaRole.LINK, named("errors in this conversation"))
                    .click();
            assertThat(page).hasURL(Pattern.compile(".*#/conversations/wrong/slip/90\\?m=0"));
            Locator rejected = page.locator(".summary").getByRole(AriaRole.BUTTON, named("Rejected"));
            rejected.click();
            assertThat(page).hasURL(Pattern.compile(".*#/conversations/wrong/slip/90\\?m=2"));
            page.locator(".summary")
                    .getByRole(AriaRole.BUTTON, named("Accepted"))
                    .click();
            assertThat(page).hasURL(Pattern.compile(".*#/conversations/wrong/slip/90\\?m=5"));
            tab.go("#/conversations/wrong/slip/90?m=11");
            rejected.click();
            assertThat(page).hasURL(Pattern.compile(".*#/conversations/wrong/slip/90\\?m=0"));
        }
    }

    @Test
    void aDeadLetterHasBothTimesAndTheMessagesInsideItsValue() {
        JsonObject line = line("[\"@a3|f0|c9|S0|d1|T1|g1c|k1|q1#\"]", "inside");
        line.addProperty("timestamp", "2020-02-02T02:02:02Z");
        JsonObject verdict = send(line);
        try (Tab tab = tab(Role.AUDITOR)) {
            tab.go("#/conversations/-/unknown/"
                    + verdict.get("chain").getAsString().replaceFirst(".*\\|", "") + "?m="
                    + verdict.get("sequence").getAsLong());
            tab.page()
                    .getByRole(AriaRole.LINK, Tab.named("Repair its dead letter"))
                    .click();
            Locator letter = tab.page().getByLabel("Selected dead letter");
            assertThat(letter).containsText("Messages inside the value");
            assertThat(letter).containsText("nSLIP bytes 2 to 30");
            assertThat(letter.locator(".meta")).containsText("received");
            assertThat(letter.locator(".meta")).containsText("sent 2 Feb 2020, 02:02:02 UTC, as the sender claims");
        }
    }

    @Test
    void parkedPatchesHaveATotalAndNoEmptyPageBeforeTheirEnd() {
        try (Tab tab = tab(Role.READER)) {
            Page page = tab.page();
            page.route(
                    url -> url.contains("/v1/parked") && !url.contains("cursor="),
                    route -> route.fulfill(new Route.FulfillOptions()
                            .setContentType("application/json")
                            .setBody("{\"items\":[],\"next\":\"more\"}")));
            page.route(
                    url -> url.contains("/v1/parked") && url.contains("cursor=more"),
                    route -> route.fulfill(new Route.FulfillOptions()
                            .setContentType("application/json")
                            .setBody(demo.get("/v1/parked").body())));
            tab.go("#/parked?namespace=any");
            assertThat(page.locator("tbody tr").first()).isVisible();
            assertThat(page.locator(".result-count")).containsText("parked in all contexts");
        }
    }

    @Test
    void countsOfAPartitionLeadToTheirMessages() {
        try (Tab tab = tab(Role.READER)) {
            Page page = tab.page();
            Locator rows = page.getByLabel("Accounting per partition", new Page.GetByLabelOptions().setExact(true))
                    .first()
                    .locator("tbody tr");
            rows.locator("a[href*=unknown]").first().click();
            assertThat(page.locator("h1")).containsText("Input partition parley.wire-");
            assertThat(page.getByRole(AriaRole.ARTICLE)).containsText("Undecodable");
            tab.go("#/");
            rows.locator("a[href='#/parked']").first().click();
            assertThat(page.locator("h1")).hasText("Parked patches");
        }
    }
}
