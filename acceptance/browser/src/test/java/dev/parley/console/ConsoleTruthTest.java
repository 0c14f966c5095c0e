package dev.parley.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.microsoft.playwright.Download;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import dev.parley.console.ConsoleBrowser.Tab;
import dev.parley.server.auth.Role;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The web console shows nothing that is not so. */
@Tag("long")
class ConsoleTruthTest extends AbstractConsoleTest {

    private static final Duration COUNTED = Duration.ofMinutes(2);

    private static Route.FulfillOptions json(JsonElement body) {
        return new Route.FulfillOptions().setContentType("application/json").setBody(body.toString());
    }

    private static JsonObject get(String path) {
        return JsonParser.parseString(demo.get(path).body()).getAsJsonObject();
    }

    private static void send(String namespace, String... messages) {
        StringBuilder lines = new StringBuilder();
        for (String message : messages) {
            JsonObject line = new JsonObject();
            if (message.startsWith("CSP/1")) {
                line.addProperty("conversation", namespace);
            }
            line.addProperty("wire", message);
            line.addProperty("namespace", namespace);
            lines.append(line).append('\n');
        }
        HttpResponse<String> response = demo.sendLines(lines.toString());
        assertThat(response.statusCode()).as(response.body()).isEqualTo(202);
    }

    private static void sendLambda(String namespace, String conversation, String message) {
        JsonObject line = new JsonObject();
        line.addProperty("wire", message);
        line.addProperty("protocol", "lambda");
        line.addProperty("namespace", namespace);
        line.addProperty("conversation", conversation);
        line.addProperty("sender", "A");
        assertThat(demo.sendLines(line + "\n").statusCode()).isEqualTo(202);
    }

    private static void redact(String conversation, long sequence, String reason) {
        HttpResponse<String> response = demo.redact(conversation, sequence, reason);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(202);
        await().atMost(Duration.ofSeconds(120))
                .until(() -> get("/v1/conversations/" + conversation + "/messages/" + sequence)
                        .has("redactedBy"));
    }

    private static Pattern redactedBy(String reason) {
        return Pattern.compile("The content was redacted by token:the-operator, [^:]+:\\d\\d:\\d\\d UTC: " + reason);
    }

    private static Locator article(Tab tab, int sequence) {
        return tab.page().getByRole(AriaRole.ARTICLE, Tab.named("Message " + sequence));
    }

    private static Locator.GetByRoleOptions named(String name) {
        return new Locator.GetByRoleOptions().setName(name);
    }

    /** Changes the lag that the page reads. */
    private static void changeLag(Page page, Consumer<JsonObject> change) {
        page.route(url -> url.endsWith("/v1/status"), route -> {
            JsonObject status = get("/v1/status");
            change.accept(status.getAsJsonObject("lag"));
            route.fulfill(json(status));
        });
    }

    @Test
    void everyPageSaysHowFarItsDataIsBehind() {
        try (Tab tab = browser.open(demo.uri(), 1440, 900, ColorScheme.LIGHT)) {
            Page page = tab.page();
            changeLag(page, lag -> {
                JsonObject lags = lag.getAsJsonObject("overdue");
                lags.keySet().forEach(name -> lags.addProperty(name, name.equals("views") ? 16_883 : 0));
            });
            tab.signIn(demo.token(Role.READER));
            Locator tile = page.locator(".tile").filter(new Locator.FilterOptions().setHasText("Lag of over"));
            assertThat(tile).containsText("16,883");
            assertThat(tile).containsText("views");
            for (String view : List.of(
                    "#/conversations",
                    "#/conversations/wrong/slip/90?m=7",
                    "#/contexts/default/auth-refactor",
                    "#/dead-letters",
                    "#/agents",
                    "#/search?q=auth")) {
                tab.go(view);
                assertThat(page.locator(".behind")).containsText("about 16,883 records behind");
            }
        }
    }

    @Test
    void anUnknownLagIsNotThatOfDataWhichIsUpToDate() {
        try (Tab tab = browser.open(demo.uri(), 1440, 900, ColorScheme.LIGHT)) {
            Page page = tab.page();
            changeLag(page, lag -> lag.add("overdue", new JsonObject()));
            tab.signIn(demo.token(Role.READER));
            assertThat(page.locator(".tile").filter(new Locator.FilterOptions().setHasText("Lag of over")))
                    .containsText("unknown");
            assertThat(page.locator(".behind")).containsText("How far the data is behind is unknown (pipeline, views)");
        }
        try (Tab tab = browser.open(demo.uri(), 1440, 900, ColorScheme.LIGHT)) {
            tab.page()
                    .route(
                            url -> url.endsWith("/v1/status"),
                            route -> route.fulfill(new Route.FulfillOptions().setStatus(500)));
            tab.signIn(demo.token(Role.READER));
            tab.go("#/conversations");
            assertThat(tab.page().locator(".behind")).containsText("How far the data is behind is unknown");
            tab.expectErrorsOfRequests();
        }
    }

    @Test
    void unavailableViewsAreOneBannerOverTheOldData() {
        AtomicBoolean unavailable = new AtomicBoolean();
        try (Tab tab = tab(Role.READER)) {
            Page page = tab.page();
            page.route(
                    url -> url.contains("/v1/")
                            && !url.contains("/v1/whoami")
                            && !url.contains("/v1/codes")
                            && !url.contains("/v1/tail"),
                    route -> {
                        if (unavailable.get()) {
                            route.fulfill(new Route.FulfillOptions()
                                    .setStatus(503)
                                    .setContentType("application/problem+json")
                                    .setBody("{\"title\":\"Views temporarily unavailable\",\"status\":503,"
                                            + "\"code\":\"VIEWS_UNAVAILABLE\",\"detail\":\"A partition moves.\"}"));
                        } else {
                            route.resume();
                        }
                    });
            Locator banner = page.locator(".offline");
            tab.go("#/conversations/wrong/slip/90?m=7");
            assertThat(article(tab, 7)).isVisible();
            unavailable.set(true);
            assertThat(banner).containsText(Pattern.compile("Views temporarily unavailable since [\\d:.]+ UTC"));
            assertThat(article(tab, 7)).containsText("SLIP_PROPOSE_AFTER_ACCEPT");
            // What was not loaded before waits for the views.
            page.getByRole(AriaRole.BUTTON, Tab.named("Next message")).first().click();
            assertThat(article(tab, 8)).hasCount(0);
            assertThat(page.locator(".problem")).hasCount(0);
            unavailable.set(false);
            assertThat(article(tab, 8)).isVisible();
            assertThat(banner).hasCount(0);

            tab.go("#/");
            Locator tiles = page.locator(".tile");
            assertThat(tiles.first()).isVisible();
            int before = tiles.count();
            unavailable.set(true);
            assertThat(banner).hasCount(1);
            assertThat(tiles).hasCount(before);
            assertThat(page.locator(".problem")).hasCount(0);
            page.evaluate("() => { location.hash = '#/dead-letters'; }");
            assertThat(page.locator("h1")).hasText("Dead letters");
            assertThat(banner).hasCount(1);
            assertThat(page.locator(".problem")).hasCount(0);
            unavailable.set(false);
            assertThat(page.locator(".letters li").first()).isVisible();
            assertThat(banner).hasCount(0);
            tab.expectErrorsOfRequests();
        }
    }

    @Test
    void theStateAfterARedactedMessageIsUnknown() {
        send(
                "redacted",
                "@a3|f0|c5|S0|d1|T1|g1c|k1|q1|t\"first\"#",
                "@a3|f0|c5|S0|d1|T2|g1c|k2|q2|t\"secret\"#",
                "@a3|f0|c5|S0|d1|T3|g1c|k3|q3|t\"third\"#");
        redact("redacted/slip/5", 1, "names a customer");
        try (Tab tab = tab(Role.READER)) {
            tab.go("#/conversations/redacted/slip/5?m=1");
            Locator state = article(tab, 1).getByLabel("State");
            assertThat(state).containsText("Unknown, because the message was redacted");
            assertThat(state).not().containsText("unchanged");
            tab.go("#/conversations/redacted/slip/5?m=2");
            assertThat(article(tab, 2).getByLabel("State"))
                    .containsText(
                            "Incomplete: earlier messages were redacted, or are private and hidden from your role");
        }
    }

    @Test
    void theRecordOfARedactionSaysWhoRedactedWhatAndWhy() {
        send("why", "@a3|f0|c6|S0|d1|T1|g1c|k1|q1|t\"secret\"#");
        redact("why/slip/6", 0, "names a customer, ticket 4711");
        try (Tab tab = tab(Role.READER)) {
            tab.go("#/conversations/why/slip/6?m=1");
            assertThat(tab.page().locator("[role=option]").nth(1))
                    .containsText("the-operator redacts message 0: names a customer, ticket 4711");
            Locator record = article(tab, 1);
            assertThat(record.locator(".message-head")).containsText("the-operator redacts message 0");
            Locator redaction = record.getByLabel("Redaction");
            assertThat(redaction).containsText("the-operator");
            assertThat(redaction).containsText("names a customer, ticket 4711");
            assertThat(redaction.locator("time")).isVisible();
            assertThat(record.locator(".dump")).isHidden();
            redaction.getByRole(AriaRole.LINK, named("message #0")).click();
            assertThat(article(tab, 0)).containsText(redactedBy("names a customer, ticket 4711"));
        }
    }

    @Test
    void aRedactedPatchSaysThatItsDefinitionsRemain() {
        send(
                "patches",
                "CSP/1\nFROM A\nTO B\nCTX C0\nINTENT PATCH\n\nPATCH P1\nBASE C0\n+ DEF KEY = secret\nAPPLY -> C1");
        redact("patches/csp/patches", 0, "a key");
        try (Tab tab = tab(Role.READER)) {
            tab.go("#/conversations/patches/csp/patches?m=0");
            Locator message = article(tab, 0);
            assertThat(message).containsText("KEY");
            assertThat(message.getByLabel("State"))
                    .containsText("The message was redacted, but definitions that the patch applied remain in the"
                            + " checkpoints: delete them with a later patch, and csp.retention.ms");
        }
    }

    @Test
    void aRedactedPatchWithoutCheckpointSaysNothingAboutDefinitions() {
        String patch =
                "CSP/1\nFROM A\nTO B\nCTX C0\nINTENT PATCH\n\nPATCH %1$s\nBASE C0\n+ DEF %1$s = secret\nAPPLY -> C1";
        send("conflict", String.format(Locale.ROOT, patch, "P1"), String.format(Locale.ROOT, patch, "P2"));
        redact("conflict/csp/conflict", 1, "a key");
        try (Tab tab = tab(Role.READER)) {
            tab.go("#/conversations/conflict/csp/conflict?m=1");
            Locator message = article(tab, 1);
            assertThat(message).containsText(redactedBy("a key"));
            assertThat(message).not().containsText("definitions that the patch applied remain");
        }
    }

    @Test
    void theDeadLetterOfARedactedMessageSaysThatItWasRedacted() {
        send("letter", "@a7|f1|c9|S2|d1|T1|k1#");
        redact("letter/slip/9", 0, "names a customer");
        for (Role role : List.of(Role.READER, Role.OPERATOR)) {
            try (Tab tab = tab(role)) {
                tab.go("#/dead-letters?stage=judge&namespace=letter");
                Locator letter = selected(tab);
                assertThat(letter).containsText(redactedBy("names a customer"));
                assertThat(letter).not().containsText("asked for your role");
                if (role == Role.OPERATOR) {
                    Locator dryRun = letter.getByRole(AriaRole.BUTTON, named("Dry run"));
                    assertThat(dryRun).isDisabled();
                    letter.getByLabel("Bytes to send").fill("@a3|f0|c9|S0|d1|T2|g1c|k1|q1|t\"other\"#");
                    dryRun.click();
                    assertThat(letter.locator(".outcome")).containsText("Would enter");
                    letter.getByLabel("Bytes to send").fill("");
                    assertThat(dryRun).isDisabled();
                }
            }
        }
    }

    private static Locator selected(Tab tab) {
        return tab.page().getByLabel("Selected dead letter");
    }

    @Test
    void theDeadLetterOfAMessageIsListedAndRedrivenAlone() {
        send("alone", "@a7|f1|c1|S2|d1|T1|k1#", "@a7|f1|c2|S2|d1|T1|k1#");
        try (Tab tab = tab(Role.OPERATOR)) {
            Page page = tab.page();
            tab.go("#/conversations/alone/slip/1?m=0");
            page.getByRole(AriaRole.LINK, Tab.named("Repair its dead letter")).click();
            assertThat(page.locator(".letters li")).hasCount(1);
            assertThat(page.locator(".note").first())
                    .containsText(Pattern.compile("Only the dead letter of the message at parley.wire-\\d+@\\d+"));
            tab.settle();
            assertThat(page.locator(".groups [aria-current]")).hasCount(0);
            Locator all = page.getByRole(AriaRole.BUTTON, Tab.named("Redrive all of this filter"));
            assertThat(all).hasCount(0);
            page.setViewportSize(1024, 900);
            assertThat(page.locator("select[name=group]")).hasValue("source");
            page.getByRole(AriaRole.LINK, Tab.named("Show all")).click();
            assertThat(page.locator("select[name=group]")).hasValue("judge SLIP_NOTHING_TO_REJECT");
            assertThat(page.locator(".letters li").nth(1)).isVisible();
            assertThat(all).isVisible();

            tab.go("#/dead-letters?source=parley.wire-0@999999999999");
            assertThat(page.locator(".letters li")).hasCount(0);
            assertThat(page.locator(".list")).containsText("No dead letter of this message");
        }
    }

    @Test
    void aRedriveSendsWhatItsDryRunListed() {
        send("listed", "@a7|f1|c1|S2|d1|T1|k1#", "@a7|f1|c2|S2|d1|T1|k1#");
        try (Tab tab = tab(Role.OPERATOR)) {
            Page page = tab.page();
            tab.go("#/dead-letters?stage=judge&state=open&namespace=listed");
            assertThat(page.locator("select[name=state]")).hasValue("open");
            page.getByRole(AriaRole.BUTTON, Tab.named("Redrive all of this filter"))
                    .click();
            Locator bulk = page.locator(".bulk");
            bulk.locator("input[name=reason]").fill("The sender was corrected.");
            bulk.getByRole(AriaRole.BUTTON, named("Dry run")).click();
            assertThat(bulk).containsText("2 would enter");
            send("listed", "@a7|f1|c3|S2|d1|T1|k1#");
            bulk.locator("input[name=insist]").check();
            bulk.getByRole(AriaRole.BUTTON, named("Redrive 2")).click();
            assertThat(bulk).containsText("Done: 2 entered");

            // The messages that were sent fail again.
            await().atMost(COUNTED)
                    .until(() -> get("/v1/dead-letters?namespace=listed")
                                    .getAsJsonArray("items")
                                    .size()
                            == 5);
            Locator count = page.locator(".group.all .number");
            page.locator("select[name=state]").selectOption("returned");
            assertThat(page.locator(".letters li")).hasCount(2);
            assertThat(count).hasText("2");
            assertThat(page.getByRole(AriaRole.BUTTON, Tab.named("Redrive all of this filter")))
                    .hasCount(0);
            page.locator("select[name=state]").selectOption("all");
            assertThat(page.locator(".letters li")).hasCount(5);
            assertThat(count).hasText("5");
            page.locator("select[name=state]").selectOption("open");
            assertThat(page.locator(".letters li")).hasCount(3);
            assertThat(count).hasText("3");
        }
    }

    @Test
    void aRedriveWithoutAResponseMayHaveEntered() {
        send("unanswered", "@a7|f1|c1|S2|d1|T1|k1#");
        try (Tab tab = tab(Role.OPERATOR)) {
            tab.go("#/dead-letters?stage=judge&namespace=unanswered");
            Locator letter = selected(tab);
            letter.locator("input[name=reason]").fill("The sender was corrected.");
            letter.getByRole(AriaRole.BUTTON, named("Dry run")).click();
            letter.locator("input[name=insist]").check();
            tab.page().route(url -> url.endsWith(":redrive"), route -> {
                assertThat(route.fetch().text()).contains("ENTERED");
                route.abort();
            });
            letter.getByRole(AriaRole.BUTTON, named("Redrive 1")).click();
            assertThat(letter).containsText("It may have been sent.");
            tab.page().unrouteAll();
            letter.getByRole(AriaRole.BUTTON, named("Dry run")).click();
            assertThat(letter).containsText("already entered");
            tab.expectErrorsOfRequests();
        }
    }

    @Test
    void aDryRunOfOtherBytesPermitsNoRedrive() {
        send("outdated", "@a7|f1|c1|S2|d1|T1|k1#");
        try (Tab tab = tab(Role.OPERATOR)) {
            tab.go("#/dead-letters?stage=judge&namespace=outdated");
            Locator letter = selected(tab);
            letter.locator("input[name=reason]").fill("The sender was corrected.");
            AtomicReference<Route> held = new AtomicReference<>();
            tab.page().route(url -> url.endsWith(":redrive"), held::set);
            letter.getByRole(AriaRole.BUTTON, named("Dry run")).click();
            tab.page().waitForCondition(() -> held.get() != null);
            letter.getByRole(AriaRole.BUTTON, named("Edit the bytes")).click();
            letter.getByLabel("Bytes to send").fill("@a3|f0|c1|S0|d1|T2|g1c|k1|q1|t\"other\"#");
            tab.page()
                    .waitForResponse(
                            url -> url.url().endsWith(":redrive"),
                            () -> held.get().resume());
            tab.settle();
            assertThat(letter.locator(".outcomes li")).hasCount(0);
            assertThat(letter).containsText("Run it dry first: nothing is sent.");
        }
    }

    @Test
    void aTokenOfOtherCharactersIsInvalid() {
        try (Tab tab = browser.open(demo.uri(), 1440, 900, ColorScheme.LIGHT)) {
            Page page = tab.page();
            page.navigate(demo.uri().toString());
            page.locator("input[name=token]").fill("p\u00e4\u20ac\u65e5");
            page.keyboard().press("Enter");
            assertThat(page.locator("input[name=token][aria-invalid=true]")).isVisible();
            tab.expectError("401");
        }
    }

    @Test
    void theCounterpartOfARedactedMessageIsUnknown() {
        for (String conversation : List.of("c7", "c8")) {
            send(
                    "compared",
                    "@a3|f0|" + conversation + "|S0|d1|T1|g1c|k1|q1|t\"first\"#",
                    "@a3|f0|" + conversation + "|S0|d1|T2|g1c|k2|q2|t\"second\"#");
        }
        redact("compared/slip/7", 1, "names a customer");
        try (Tab tab = tab(Role.READER)) {
            tab.go("#/compare?a=compared%7CSLIP%7C7&b=compared%7CSLIP%7C8");
            Locator page = tab.page().locator("main");
            assertThat(page).containsText("1 message is redacted: whether they have counterparts is unknown");
            Locator gaps = page.locator("td.gap");
            assertThat(gaps.filter(new Locator.FilterOptions().setHasText("counterpart unknown")))
                    .hasCount(2);
            // The record of the redaction.
            assertThat(gaps.filter(new Locator.FilterOptions().setHasText("no counterpart")))
                    .hasCount(1);
        }
    }

    @Test
    void theTilesFollowTheFiltersNextToThem() {
        await().atMost(COUNTED)
                .until(() ->
                        !get("/v1/stats/traffic?by=none").getAsJsonArray("rows").isEmpty());
        try (Tab tab = tab(Role.READER)) {
            Page page = tab.page();
            for (String protocol : List.of("", "subit", "csp")) {
                page.locator("select[name=protocol]").selectOption(protocol);
                tab.settle();
                Locator traffic = page.getByLabel("Traffic by verdict", new Page.GetByLabelOptions().setExact(true));
                long accepted = legend(traffic, "Accepted");
                long rejected = legend(traffic, "Rejected");
                long undecodable = legend(traffic, "Undecodable");
                long flagged = legend(traffic, "Flagged");
                long judged = accepted + rejected + undecodable + flagged;
                assertThat(judged).isPositive();
                assertThat(tile(page, "Messages").locator(".tile-value"))
                        .hasText(String.format(Locale.ROOT, "%,d", judged));
                assertThat(tile(page, "Messages"))
                        .containsText(String.format(Locale.ROOT, "%.1f %% accepted", 100.0 * accepted / judged));
                assertThat(tile(page, "Errors").locator(".tile-value"))
                        .hasText(String.format(Locale.ROOT, "%,d", rejected + flagged + undecodable));
            }
        }
    }

    private static Locator tile(Page page, String label) {
        return page.locator(".tile")
                .filter(new Locator.FilterOptions()
                        .setHas(page.getByText(label, new Page.GetByTextOptions().setExact(true))));
    }

    private static long legend(Locator chart, String verdict) {
        return Long.parseLong(chart.locator(".legend")
                .filter(new Locator.FilterOptions().setHasText(verdict))
                .locator("b")
                .innerText()
                .replace(",", ""));
    }

    @Test
    void aSearchForACodeFindsItsMessages() {
        try (Tab tab = tab(Role.READER)) {
            Page page = tab.page();
            tab.go("#/search");
            page.locator("input[name=q]").fill("SLIP_PROPOSE_AFTER_ACCEPT");
            page.locator("input[name=q]").press("Enter");
            assertThat(page.locator(".hits li").first()).containsText("SLIP_PROPOSE_AFTER_ACCEPT");
            assertThat(page.locator("input[name=code]")).hasValue("SLIP_PROPOSE_AFTER_ACCEPT");
        }
    }

    @Test
    void aLostConnectionIsOneBannerOverTheOldData() {
        try (Tab tab = tab(Role.READER)) {
            Page page = tab.page();
            tab.go("#/conversations/wrong/slip/90?m=7");
            assertThat(article(tab, 7)).isVisible();
            page.context().setOffline(true);
            Locator banner = page.locator(".offline");
            assertThat(banner).containsText(Pattern.compile("No connection since .* Data as of .*"));
            assertThat(article(tab, 7)).containsText("SLIP_PROPOSE_AFTER_ACCEPT");
            page.context().setOffline(false);
            assertThat(banner).hasCount(0);

            tab.go("#/");
            Locator tiles = page.locator(".tile");
            assertThat(tiles.first()).isVisible();
            int before = tiles.count();
            page.context().setOffline(true);
            assertThat(banner).containsText("No connection since");
            assertThat(tiles).hasCount(before);
            tab.page().evaluate("() => { location.hash = '#/dead-letters'; }");
            assertThat(page.locator("h1")).hasText("Dead letters");
            assertThat(banner).hasCount(1);
            assertThat(page.locator(".problem")).hasCount(0);
            page.context().setOffline(false);
            assertThat(page.locator(".letters li").first()).isVisible();
            assertThat(banner).hasCount(0);
            tab.expectErrorsOfRequests();
        }
    }

    @Test
    void numbersKeepAllTheirDigits() {
        send(
                "digits",
                "@a3|f0|cfFgnDxSe9|S0|d1|T1|g1c|kfFgnDxSe8|q1|t\"even\"#",
                "@a3|f0|cfFgnDxSe9|S0|d1|T2|g1c|kfFgnDxSe9|q2|t\"odd\"#");
        try (Tab tab = tab(Role.READER)) {
            tab.go("#/conversations/digits/slip/9007199254740993?m=1");
            Locator message = article(tab, 1);
            assertThat(message.locator(".tree")).containsText("9007199254740993");
            Locator state = message.getByLabel("State");
            assertThat(state).containsText("9007199254740993");
            state.getByRole(AriaRole.BUTTON, named("unchanged")).click();
            assertThat(state).containsText("9007199254740992");
        }
    }

    @Test
    void thePrintedCommandsProveTheRecord(@TempDir Path directory) throws IOException, InterruptedException {
        String name = "it's \"$(touch owned)\"; `touch owned` é\u202e";
        sendLambda("proof", name, "?Uc/la");
        String path = "/conversations/proof/lambda/"
                + URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
        demo.awaitProof(path + "/messages/0");
        try (Tab tab = tab(Role.READER)) {
            Page page = tab.page();
            page.context().grantPermissions(List.of("clipboard-read", "clipboard-write"));
            tab.go("#" + path + "?m=0");
            Locator record = article(tab, 0).getByLabel("Audit record");
            Download proof = page.waitForDownload(() -> record.getByRole(AriaRole.BUTTON, named("Download the proof"))
                    .click());
            proof.saveAs(directory.resolve(proof.suggestedFilename()));
            // NAME+ID+KEY, whose Base64 may have more of "+".
            List<String> key = List.of(Files.readString(demo.key()).split("\\+", 3));
            assertThat(record)
                    .containsText("audit.vkey is the file with the verifier key of the deployment, " + key.get(0) + "+"
                            + key.get(1) + ":");
            record.getByRole(AriaRole.BUTTON, named("Copy commands")).click();
            String commands = (String) page.evaluate("() => navigator.clipboard.readText()");
            assertThat(commands)
                    .contains("parley prove --check " + proof.suggestedFilename() + " --key audit.vkey")
                    .doesNotContain("\u202e");
            Files.copy(demo.key(), directory.resolve("audit.vkey"));
            String printed = demo.shell(
                    directory,
                    "brokers=$PARLEY_BOOTSTRAP_SERVERS registry=$PARLEY_SCHEMA_REGISTRY_URL\n"
                            + "unset PARLEY_BOOTSTRAP_SERVERS PARLEY_SCHEMA_REGISTRY_URL\n"
                            + commands.replace("=BROKERS", "=$brokers").replace("=REGISTRY", "=$registry"));
            assertThat(printed)
                    .contains("PROVEN: the deployment ", "1 record in 1 chain", "OK: 1 of ")
                    .endsWith("exit 0\n");
            assertThat(directory.resolve("owned")).doesNotExist();
        }
    }

    @Test
    void aProofThatIsNotServedSaysWhy() {
        demo.awaitProof("/conversations/wrong/slip/90/messages/7");
        try (Tab tab = tab(Role.READER)) {
            Page page = tab.page();
            page.route(
                    url -> url.endsWith("/proof"),
                    route -> route.fulfill(new Route.FulfillOptions()
                            .setStatus(422)
                            .setContentType("application/problem+json")
                            .setBody("{\"title\":\"Too large\",\"status\":422,\"code\":\"ANSWER_TOO_LARGE\","
                                    + "\"detail\":\"Add metadata=true.\"}")));
            tab.go("#/conversations/wrong/slip/90?m=7");
            Locator record = article(tab, 7).getByLabel("Audit record");
            record.getByRole(AriaRole.BUTTON, named("Download the proof")).click();
            assertThat(record.locator(".problem")).containsText("Add metadata=true.");
            tab.expectErrorsOfRequests();
        }
    }

    @Test
    void aStateWithoutItemsIsNotCalledEmpty() {
        sendLambda("pending", "question", "?Uc/la");
        try (Tab tab = tab(Role.READER)) {
            tab.go("#/conversations/wrong/slip/90?m=7");
            assertThat(article(tab, 7).getByLabel("State")).containsText("ACCEPTED");
            assertThat(article(tab, 7).getByLabel("State")).not().containsText("Nothing else");
            tab.go("#/conversations/pending/lambda/question?m=0");
            assertThat(article(tab, 0).getByLabel("State")).containsText("Q_PEND");
            assertThat(article(tab, 0).getByLabel("State")).not().containsText("Nothing else");
        }
    }

    @Test
    void aRuleForALaterStatementSaysWhatMovedTheStateBeforeIt() {
        sendLambda("statements", "two", "!Ik/co ?Uc/la");
        try (Tab tab = tab(Role.READER)) {
            tab.go("#/conversations/statements/lambda/two?m=0");
            Locator verdict = article(tab, 0).getByLabel("Verdict");
            assertThat(verdict).containsText("SAID");
            assertThat(verdict).containsText("An earlier statement of the same message leads from IDLE to SAID");
            tab.go("#/conversations/wrong/slip/90?m=7");
            assertThat(article(tab, 7).getByLabel("Verdict")).not().containsText("An earlier statement");
        }
    }

    @Test
    void parkedPatchesAreNamedWhereTheyAreLookedFor() {
        JsonObject parked = get(DemoServer.PREFIX + "/v1/parked?limit=1")
                .getAsJsonArray("items")
                .get(0)
                .getAsJsonObject();
        String namespace = parked.get("namespace").getAsString();
        String context = parked.get("conversation").getAsString();
        int all = get(DemoServer.PREFIX + "/v1/parked?namespace=" + namespace + "&conversation=" + context)
                .getAsJsonArray("items")
                .size();
        try (Tab tab = tab(Role.READER)) {
            for (String view : List.of("conversations/" + namespace + "/csp/", "contexts/" + namespace + "/")) {
                tab.go("#/" + view + context);
                Locator link = tab.page().locator("main a[href*=parked]");
                assertThat(link)
                        .hasText(all + (all == 1 ? " patch waits for its base" : " patches wait for their bases"));
                link.click();
                assertThat(tab.page().locator("h1")).hasText("Parked patches");
                tab.settle();
                assertThat(tab.page().locator("tbody tr")).hasCount(all);
            }
        }
    }

    @Test
    void aRedactionIsNoMessageInListsAndCounts() {
        send("withdrawn", "@a3|f0|c6|S0|d1|T1|g1c|k1|q1|t\"secret\"#");
        redact("withdrawn/slip/6", 0, "names a customer, ticket 4712");
        try (Tab tab = tab(Role.READER)) {
            Page page = tab.page();
            tab.go("#/conversations/withdrawn/slip/6?m=1");
            assertThat(page.locator(".summary")).containsText("2 records, 1 of them a decision");
            assertThat(page.locator("[role=option]").nth(1)).containsText("decision");
            tab.go("#/search?namespace=withdrawn");
            Locator hit = page.locator(".hits li").first();
            assertThat(hit).containsText("decision of an operator, because: names a customer, ticket 4712");
            assertThat(page.locator(".hits li").nth(1)).not().containsText("decision of");
        }
    }

    @Test
    void theStatesAfterARedactionAreThoseOfTheRecordedRules() {
        send(
                "replayed",
                "@a3|f0|c8|S0|d1|T1|g1c|k1|q1|t\"first\"#",
                "@a4|f1|c8|S1|d0|T2|g1c|k1|r1|t\"secret\"#",
                "@a6|f1|c8|S0|d1|T3|g1c|k1|r1#");
        String path = "/v1/conversations/replayed/slip/8/messages/2?dialogue=true";
        JsonObject before = get(path)
                .getAsJsonObject("dialogue")
                .getAsJsonObject("position")
                .deepCopy();
        redact("replayed/slip/8", 1, "names a customer");
        JsonObject after = get(path).getAsJsonObject("dialogue").getAsJsonObject("position");
        assertThat(after.get("before")).isEqualTo(before.get("before"));
        assertThat(after.get("after")).isEqualTo(before.get("after"));
        assertThat(after.get("recorded").getAsBoolean()).isTrue();
        String recorded = after.get("before").getAsString();
        for (Role role : List.of(Role.READER, Role.OPERATOR)) {
            try (Tab tab = tab(role)) {
                tab.go("#/conversations/replayed/slip/8?m=2");
                Locator state = article(tab, 2).getByLabel("State");
                assertThat(article(tab, 2).getByLabel("Verdict")).containsText(recorded);
                assertThat(state.locator(".transition b").first()).hasText(recorded);
                assertThat(state).containsText("As recorded with its rule");
                assertThat(state)
                        .containsText(
                                role == Role.READER
                                        ? "were redacted, or are private and hidden from your role"
                                        : "earlier messages were redacted, or settings have changed");
                tab.go("#/conversations/replayed/slip/8?m=1");
                assertThat(article(tab, 1)).containsText("Verdict, code and warnings are as recorded");
                assertThat(article(tab, 1).getByLabel("State"))
                        .containsText("message #2 was judged in the state " + recorded);
                assertThat(tab.page().locator("main")).not().containsText("not visible to you");
            }
        }
    }

    @Test
    void aRedactedMessageHasNoAgentsInTheTimeline() {
        send(
                "lanes",
                "@a3|f0|c8|S0|d1|T1|g1c|k1|q1|t\"first\"#",
                "@a4|f1|c8|S1|d0|T2|g1c|k1|r1|t\"secret\"#",
                "@a6|f1|c8|S0|d1|T3|g1c|k1|r1#");
        redact("lanes/slip/8", 1, "names a customer");
        try (Tab tab = tab(Role.READER)) {
            Page page = tab.page();
            tab.go("#/conversations/lanes/slip/8");
            Locator row = page.locator("[role=option]").nth(1);
            assertThat(row).containsText("sender, recipients and content removed by a redaction");
            assertThat(row).hasAttribute("aria-label", "Message 1, Accepted: redacted");
            assertThat(row.locator(".arrow .origin, .arrow .head")).hasCount(0);
            assertThat(row.locator(".arrow.removed .shaft")).hasCount(1);
            assertThat(page.locator(".lane-name")).hasText(new String[] {"0", "1"});
        }
    }

    @Test
    void agentsOfOneNameInTwoNamespacesAreTwo() {
        JsonArray edges = new JsonArray();
        JsonArray traffic = new JsonArray();
        for (String namespace : List.of("here", "there")) {
            JsonObject edge = new JsonObject();
            edge.addProperty("namespace", namespace);
            edge.addProperty("sender", "same");
            edge.addProperty("recipient", "peer");
            edge.addProperty("messages", namespace.length());
            edge.addProperty("rejected", 0);
            edge.addProperty("flagged", 0);
            edges.add(edge);
            JsonObject row = edge.deepCopy();
            row.addProperty("verdict", namespace.equals("here") ? "REJECTED" : "ACCEPTED");
            row.addProperty("performative", "REQUEST");
            traffic.add(row);
        }
        try (Tab tab = tab(Role.READER)) {
            Page page = tab.page();
            statistics(page, "edges", edges);
            statistics(page, "traffic", traffic);
            tab.go("#/agents");
            Locator rows = page.locator(".agents-table tbody tr");
            assertThat(rows.filter(new Locator.FilterOptions().setHasText("same")))
                    .hasCount(2);
            Locator row = rows.filter(new Locator.FilterOptions().setHasText("here / same"))
                    .filter(new Locator.FilterOptions().setHasNotText("there"));
            assertThat(row.locator("td").nth(2)).hasText("4 rejected 100 %");
            assertThat(row.locator("td a").first())
                    .hasAttribute("href", Pattern.compile("#/search\\?namespace=here&sender=same&from=.*"));
            row.getByRole(AriaRole.BUTTON).click();
            assertThat(page).hasURL(Pattern.compile(".*agent=here%7Csame.*"));
            assertThat(page.locator(".agents-table tr.current")).hasCount(1);
            Locator pairs = page.getByLabel("Pairs of the selected agent").locator("tbody tr");
            assertThat(pairs).hasCount(1);
            assertThat(pairs).containsText("here / same");
        }
    }

    private static void statistics(Page page, String kind, JsonArray rows) {
        page.route(url -> url.contains("/v1/stats/" + kind), route -> {
            JsonObject answer = new JsonObject();
            answer.addProperty("from", "2026-01-01T00:00:00Z");
            answer.addProperty("to", "2026-01-02T00:00:00Z");
            answer.add("rows", rows);
            answer.add("next", null);
            route.fulfill(json(answer));
        });
    }

    @Test
    void aTimeThatHasPassedIsNotThatAtWhichAPatchExpires() {
        try (Tab tab = tab(Role.READER)) {
            Page page = tab.page();
            page.route(url -> url.contains("/v1/parked"), route -> {
                JsonObject answer = get(DemoServer.PREFIX + "/v1/parked?limit=2");
                answer.getAsJsonArray("items").get(0).getAsJsonObject().addProperty("until", "2026-01-01T00:00:00Z");
                route.fulfill(json(answer));
            });
            tab.go("#/parked");
            Locator cells = page.locator(".parked-table tbody tr").first().locator("td");
            assertThat(cells.nth(5)).containsText("has passed: expires with the next record of its partition");
            assertThat(page.locator(".parked-table thead"))
                    .containsText(Pattern.compile("Received.*Expires", Pattern.DOTALL));
            assertThat(page.locator(".parked-table").getByText("has passed")).hasCount(1);
        }
    }

    @Test
    void anEmptyListSaysWhatWasSearchedAndWhatCannotMatch() {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < 3; i++) {
            JsonObject line = new JsonObject();
            line.addProperty("namespace", "babel");
            line.addProperty("protocol", "slip");
            line.addProperty("conversation", "1");
            line.addProperty("wire", "not a message " + i);
            lines.append(line).append('\n');
        }
        assertThat(demo.sendLines(lines.toString()).statusCode()).isEqualTo(202);
        try (Tab tab = tab(Role.READER)) {
            Page page = tab.page();
            Locator empty = page.locator(".empty");
            tab.go("#/conversations?namespace=babel");
            assertThat(empty)
                    .containsText(Pattern.compile("Searched: namespace babel, received at any time, in all namespaces, "
                            + "without the content of private messages\\."));
            assertThat(empty).containsText("3 undecodable records, which only claim such names");
            empty.getByRole(AriaRole.LINK).click();
            assertThat(page.locator(".letters li")).hasCount(3);
            tab.go("#/conversations?namespace=babel&q=word&from=2026-01-01T00:00Z");
            assertThat(empty).containsText("received from 2026-01-01T00:00Z to now");
            assertThat(empty).containsText("3 undecodable records");
            tab.go("#/agents?namespace=nowhere");
            assertThat(empty.first()).containsText("Searched: namespace nowhere, received from ");
            tab.go("#/parked?namespace=nowhere");
            assertThat(empty).containsText("No patch is parked here");
            assertThat(empty).containsText("Searched: namespace nowhere, received at any time");
            tab.go("#/?namespace=nowhere");
            assertThat(page.getByLabel("Open longest").locator(".empty"))
                    .containsText("Searched: namespace nowhere, received at any time");
            assertThat(page.getByLabel("Errors by code").locator(".empty"))
                    .containsText(Pattern.compile("Counts are .*Searched: namespace nowhere, received from .* to "));
        }
        try (Tab tab = browser.open(demo.uri(), 1440, 900, ColorScheme.LIGHT).signIn(demo.boundToken())) {
            tab.go("#/parked?namespace=nowhere");
            assertThat(tab.page().locator(".empty")).containsText("in the namespace default.");
        }
    }

    @Test
    void duringAnOutageTheFiguresAreTheLastKnownOnesAndGetOlder() {
        // A new head, because the age of an old one changes only once a minute.
        send("outage", "@a3|f0|c7|S0|d1|T1|g1c|k1|q1|t\"fresh\"#");
        try (Tab tab = tab(Role.READER)) {
            Page page = tab.page();
            tab.go("#/");
            Locator health = tile(page, "Health");
            Locator head = tile(page, "Audit log head").locator(".tile-value");
            assertThat(health.locator(".good")).isVisible();
            assertThat(head)
                    .containsText(
                            Pattern.compile("^(now|\\d\\.\\d s ago)"),
                            new LocatorAssertions.ContainsTextOptions().setTimeout(COUNTED.toMillis()));
            page.context().setOffline(true);
            assertThat(page.locator(".offline")).isVisible();
            assertThat(health).containsText("last known");
            assertThat(page.locator(".tile .good")).hasCount(0);
            assertThat(page.getByLabel("Accounting per partition", new Page.GetByLabelOptions().setExact(true))
                            .locator(".good"))
                    .hasCount(0);
            String before = head.innerText();
            assertThat(head).not().hasText(before);
            String later = head.innerText();
            assertThat(head).not().hasText(later);
            page.context().setOffline(false);
            assertThat(page.locator(".offline")).hasCount(0);
            assertThat(health.locator(".good")).isVisible();
            tab.expectErrorsOfRequests();
        }
    }

    @Test
    void aHiddenCharacterIsMarkedAlikeInAGlossAndInAName() {
        send(
                "hidden",
                "CSP/1\nFROM a\u202eda\nTO B\nCTX C0\nINTENT PATCH\n\nPATCH P1\nBASE C0\n+ DEF KEY = value\nAPPLY -> C1");
        try (Tab tab = tab(Role.READER)) {
            tab.go("#/conversations/hidden/csp/hidden?m=0");
            assertThat(article(tab, 0).locator(".gloss .hidden-char").first()).hasText("U+202E");
            assertThat(article(tab, 0).locator(".gloss")).not().containsText("u202e");
            assertThat(tab.page().locator("[role=option] .row-gloss")).containsText("aU+202Eda");
        }
    }
}
