package dev.parley.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import dev.parley.console.ConsoleBrowser.Tab;
import dev.parley.server.auth.Role;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Questions of an auditor who has not read the manual, each from where the question arises. */
@Tag("long")
class ConsoleTasksTest extends AbstractConsoleTest {

    private static final Duration COUNTED = Duration.ofMinutes(2);

    private static Locator.GetByRoleOptions named(String name) {
        return new Locator.GetByRoleOptions().setName(name);
    }

    @Test
    void whyWasThisRejected() {
        try (Tab tab = tab(Role.READER)) {
            Page page = tab.page();
            // The panel has the newest conversations, and other tests send to the same demo.
            tab.go("#/?namespace=wrong");
            Locator panel = page.getByLabel(
                            "Conversations with rejected messages", new Page.GetByLabelOptions().setExact(true))
                    .first();
            Locator row = panel.locator("tbody tr")
                    .filter(new Locator.FilterOptions().setHasText("wrong / 90"))
                    .first();
            row.getByRole(AriaRole.LINK).click();
            Locator verdict = page.getByRole(AriaRole.ARTICLE).getByLabel("Verdict");
            assertThat(verdict).containsText("Rejected");
            assertThat(verdict).containsText("The rule that decided");
            assertThat(verdict).containsText("How to repair it");
            assertThat(page.locator(".pane-head h2")).containsText("of #0 to #11");
        }
    }

    @Test
    void whatDidTheSenderKnowBefore() {
        try (Tab tab = tab(Role.READER)) {
            Page page = tab.page();
            tab.go("#/conversations/default/csp/auth-refactor?m=16");
            Locator state = page.getByRole(AriaRole.ARTICLE)
                    .getByLabel("State", new Locator.GetByLabelOptions().setExact(true));
            assertThat(state.getByRole(AriaRole.LINK, named("After it: C3"))).isVisible();
            state.getByRole(AriaRole.LINK, named("What its sender knew: C2")).click();
            assertThat(page.locator(".entry-head")).isVisible();
            Locator entry = page.getByRole(AriaRole.OPTION).filter(new Locator.FilterOptions().setHasText("TOKEN_TTL"));
            assertThat(entry).containsText("24h");
            assertThat(page.locator(".entry-head")).hasText("EntryValueSet in, by");
        }
    }

    @Test
    void whatDidTheSenderOfARejectedPatchKnow() {
        try (Tab tab = tab(Role.READER)) {
            Page page = tab.page();
            tab.go("#/conversations/wrong/csp/conflicts?m=4");
            Locator message = page.getByRole(AriaRole.ARTICLE);
            assertThat(message).containsText("t is the target C1, b the base C0");
            message.getByRole(AriaRole.LINK, named("What its sender knew: C0")).click();
            assertThat(page.getByLabel("Checkpoint", new Page.GetByLabelOptions().setExact(true)))
                    .containsText("The state is empty");
        }
    }

    @Test
    void whoSetThisEntryAndWhen() {
        try (Tab tab = tab(Role.READER)) {
            Page page = tab.page();
            tab.go("#/contexts/default/auth-refactor?at=C3");
            page.getByRole(AriaRole.OPTION)
                    .filter(new Locator.FilterOptions().setHasText("TOKEN_TTL"))
                    .click();
            Locator history = page.locator(".history-list li");
            assertThat(history.first()).containsText("1h");
            assertThat(history.first()).containsText("set by CODER in C3, ");
            assertThat(history.first()).containsText(" UTC");
            history.first().getByRole(AriaRole.BUTTON, named("Its message")).click();
            assertThat(page.getByRole(AriaRole.ARTICLE)).containsText("CODER patches C2 to C3 (P003)");
        }
    }

    @Test
    void anEntryThatAMessageChangedLeadsToItsHistory() {
        try (Tab tab = tab(Role.READER)) {
            Page page = tab.page();
            tab.go("#/search?q=TOKEN_TTL");
            page.locator(".hits a")
                    .filter(new Locator.FilterOptions().setHasText("#16"))
                    .click();
            page.getByRole(AriaRole.ARTICLE)
                    .getByLabel("State", new Locator.GetByLabelOptions().setExact(true))
                    .getByRole(AriaRole.LINK, named("TOKEN_TTL"))
                    .click();
            assertThat(page.locator(".history-list li").first()).containsText("set by CODER in C3, ");
        }
    }

    @Test
    void anEditedDeadLetterIsThereAgainAfterOtherPagesAndANewToken() {
        String wire = "@a7|f1|c1|S2|d1|T1|k1#";
        String edited = "@a3|f0|c1|S0|d1|T2|g1c|k1|q1|t\"edited\"#";
        assertThat(demo.sendLines("{\"wire\":\"" + wire + "\",\"namespace\":\"edited\"}\n")
                        .statusCode())
                .isEqualTo(202);
        try (Tab tab = tab(Role.OPERATOR)) {
            Page page = tab.page();
            tab.go("#/dead-letters?namespace=edited&state=open");
            Locator open = page.locator(".group.all .number");
            assertThat(open).hasText("1");
            Locator repair = page.getByLabel("Repair", new Page.GetByLabelOptions().setExact(true));
            Locator bytes = repair.getByLabel("Bytes to send");
            Locator reason = repair.locator("input[name=reason]");
            Locator dryRun = repair.getByRole(AriaRole.BUTTON, named("Dry run"));
            repair.getByRole(AriaRole.BUTTON, named("Edit the bytes")).click();
            bytes.fill("forgotten");
            page.getByRole(AriaRole.BUTTON, Tab.named("Sign out")).click();
            signIn(page);
            repair.getByRole(AriaRole.BUTTON, named("Edit the bytes")).click();
            assertThat(bytes).hasValue(wire);
            bytes.fill(edited);
            reason.fill("The wrong act.");
            page.getByRole(AriaRole.LINK, Tab.named("Agents")).click();
            assertThat(page.locator("h1")).hasText("Agents");
            page.goBack();
            assertThat(bytes).hasValue(edited);
            assertThat(reason).hasValue("The wrong act.");

            page.context().clearCookies();
            dryRun.click();
            signIn(page);
            assertThat(bytes).hasValue(edited);
            tab.expectErrorsOfRequests();

            repair.getByRole(AriaRole.BUTTON, named("Hex")).click();
            assertThat(bytes).hasValue(Pattern.compile("^40 61 33 .*"));
            bytes.fill("4");
            assertThat(dryRun).isDisabled();
            bytes.fill("40 61 33");
            repair.getByRole(AriaRole.BUTTON, named("Text")).click();
            assertThat(bytes).hasValue("@a3");
            bytes.fill(edited);
            dryRun.click();
            repair.getByRole(AriaRole.BUTTON, named("Redrive 1")).click();
            assertThat(repair).containsText("with edited bytes: The wrong act.");
            assertThat(open).hasText("0");
        }
    }

    private static void signIn(Page page) {
        page.locator("input[name=token]").fill(demo.token(Role.OPERATOR));
        page.keyboard().press("Enter");
    }

    @Test
    void backReturnsToTheSelectionBeforeAClick() {
        try (Tab tab = tab(Role.READER)) {
            Page page = tab.page();
            tab.go("#/conversations/wrong/slip/90");
            Locator rows = page.getByRole(AriaRole.OPTION);
            rows.nth(3).click();
            rows.nth(7).click();
            assertThat(page).hasURL(Pattern.compile(".*m=7"));
            page.keyboard().press("j");
            page.keyboard().press("j");
            assertThat(page).hasURL(Pattern.compile(".*m=9"));
            page.goBack();
            assertThat(page).hasURL(Pattern.compile(".*m=3"));
            assertThat(page.locator(".pane-head h2")).containsText("#3 ");
            page.goBack();
            assertThat(page).hasURL(Pattern.compile(".*/wrong/slip/90"));

            tab.go("#/contexts/default/auth-refactor?at=C3");
            Locator entry = rows.filter(new Locator.FilterOptions().setHasText("TOKEN_TTL"));
            entry.click();
            assertThat(page.locator(".history")).containsText("History of TOKEN_TTL");
            page.getByRole(AriaRole.BUTTON, Tab.named("Close")).click();
            assertThat(page.locator(".history")).hasCount(0);
            page.goBack();
            assertThat(page.locator(".history")).hasCount(1);
            page.goBack();
            assertThat(page.locator(".history")).hasCount(0);
            assertThat(page).hasURL(Pattern.compile(".*/contexts/default/auth-refactor\\?at=C3"));
            rows.filter(new Locator.FilterOptions().setHasText("C1")).first().click();
            assertThat(page).hasURL(Pattern.compile(".*at=C1"));
            page.goBack();
            assertThat(page).hasURL(Pattern.compile(".*at=C3"));
        }
    }

    @Test
    void whichAgentFailsMost() {
        for (String counts : List.of("edges?by=sender,recipient", "traffic?by=sender,verdict")) {
            await().atMost(COUNTED)
                    .until(() -> demo.get("/v1/stats/" + counts + "&namespace=wrong&limit=1")
                            .body()
                            .contains("\"sender\""));
        }
        try (Tab tab = tab(Role.READER)) {
            Page page = tab.page();
            tab.go("#/agents?namespace=wrong");
            Locator table = page.locator(".agents-table table");
            table.getByRole(AriaRole.BUTTON, named("Errors")).click();
            assertThat(table.locator("th[aria-sort=descending]")).hasText("Errors");
            // The page reads the counts again while further minutes are counted.
            await().atMost(COUNTED).pollInSameThread().untilAsserted(() -> {
                // Messages without a sender or recipient belong to no agent.
                List<String> names = table.locator("tbody th").allInnerTexts();
                assertThat(names.get(names.size() - 1)).startsWith("(no ");
                int agents = (int)
                        names.stream().filter(name -> !name.startsWith("(no ")).count();
                assertThat(names.subList(0, agents)).noneMatch(name -> name.startsWith("(no "));
                List<Integer> errors = table.locator("tbody td:nth-child(4)").allInnerTexts().stream()
                        .limit(agents)
                        .map(ConsoleTasksTest::errors)
                        .toList();
                assertThat(errors.get(0)).isPositive();
                assertThat(errors).isSortedAccordingTo(Comparator.reverseOrder());
            });
            tab.go("#/agents?sort=constructor");
            assertThat(page.locator("th[aria-sort]")).hasCount(0);
        }
    }

    /** The sum of the errors in "2 rejected + 1 flagged 30 %"; 0 for a share alone. */
    private static int errors(String cell) {
        return Pattern.compile("(\\d+) [a-z]+")
                .matcher(cell)
                .results()
                .mapToInt(result -> Integer.parseInt(result.group(1)))
                .sum();
    }

    @Test
    void whatWasTheStateAfterThisMessageAndWhoSetIt() {
        try (Tab tab = tab(Role.READER)) {
            Page page = tab.page();
            tab.go("#/states/default/slip/1");
            page.getByLabel("Entries whose name contains").fill("STATUS");
            page.keyboard().press("Enter");
            Locator entries = page.getByRole(AriaRole.OPTION);
            assertThat(entries.first()).containsText("/status");
            assertThat(entries.filter(new Locator.FilterOptions().setHasNotText("/status")))
                    .hasCount(0);
            entries.first().click();
            Locator change = page.locator(".history-list li").last();
            change.getByRole(AriaRole.LINK).click();
            assertThat(page.locator(".pane-head h2")).containsText("Message #");

            tab.go("#/states/default/slip/1");
            page.getByLabel("After message, or at time (received)").fill("0");
            page.keyboard().press("Enter");
            assertThat(page).hasURL(Pattern.compile("at=sequence(:|%3A)0"));
            Locator state = page.getByLabel("State", new Page.GetByLabelOptions().setExact(true));
            assertThat(state).containsText("#0 · ");
            page.getByLabel("After message, or at time (received)").fill("2020-01-01");
            page.keyboard().press("Enter");
            assertThat(state).containsText("is empty");
        }
    }

    @Test
    void howLongDidEachRequestTakeAndWhichAreOpen() {
        try (Tab tab = tab(Role.READER)) {
            Page page = tab.page();
            tab.go("#/conversations/default/slip/1?m=0");
            page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName("Requests over time"))
                    .click();
            JsonArray calls = JsonParser.parseString(
                            demo.get("/v1/conversations/default/slip/1/calls").body())
                    .getAsJsonObject()
                    .getAsJsonArray("items");
            long open = calls.asList().stream()
                    .filter(call -> call.getAsJsonObject().get("closed").isJsonNull())
                    .count();
            assertThat(page.locator(".waterfall-note")).containsText(calls.size() + " request");
            assertThat(page.locator(".waterfall-note")).containsText(open + " open");
            Locator last = page.locator(".virtual-row.call")
                    .filter(new Locator.FilterOptions().setHas(page.locator("b")))
                    .last();
            last.click();
            long opened =
                    calls.get(calls.size() - 1).getAsJsonObject().get("opened").getAsLong();
            assertThat(page.locator(".pane-head h2")).containsText("#" + opened);
        }
    }

    @Test
    void aConversationCanBeFollowedWhileItGrows() {
        String line = "{\"wire\":\"@a3|f0|c77|S0|d1|T%d|g1c|k%d|q1|t\\\"x\\\"#\",\"namespace\":\"followed\"}\n";
        assertThat(demo.sendLines(line.formatted(1, 1)).statusCode()).isEqualTo(202);
        try (Tab tab = tab(Role.READER)) {
            Page page = tab.page();
            await().until(() ->
                    demo.get("/v1/conversations?namespace=followed").body().contains("\"lastSequence\":0"));
            String name = JsonParser.parseString(
                            demo.get("/v1/conversations?namespace=followed").body())
                    .getAsJsonObject()
                    .getAsJsonArray("items")
                    .get(0)
                    .getAsJsonObject()
                    .get("conversation")
                    .getAsString();
            tab.go("#/conversations/followed/slip/" + name);
            Locator follow = page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Follow the end"));
            follow.click();
            assertThat(follow).hasAttribute("aria-pressed", "true");
            assertThat(demo.sendLines(line.formatted(2, 2) + line.formatted(3, 3))
                            .statusCode())
                    .isEqualTo(202);
            assertThat(page.locator(".pane-head h2")).containsText("Message #2");
            page.keyboard().press("k");
            assertThat(follow).hasAttribute("aria-pressed", "false");
            assertThat(page.locator(".pane-head h2")).containsText("Message #1");
        }
    }

    @Test
    void sinceWhenDoesThisAgentFailAndWith() {
        String violations = "/v1/stats/violations?namespace=wrong&kind=VIOLATION&step=86400&by=sender,code";
        await().atMost(COUNTED).until(() -> demo.get(violations).body().contains("\"sender\":\""));
        JsonObject row =
                JsonParser.parseString(demo.get(violations).body())
                        .getAsJsonObject()
                        .getAsJsonArray("rows")
                        .asList()
                        .stream()
                        .map(JsonElement::getAsJsonObject)
                        .filter(counted -> !counted.get("sender").isJsonNull())
                        .findFirst()
                        .orElseThrow();
        String sender = row.get("sender").getAsString();
        String code = row.get("code").getAsString();
        try (Tab tab = tab(Role.READER)) {
            Page page = tab.page();
            tab.go("#/agents?namespace=wrong&agent=" + sender);
            page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName("Page of " + sender))
                    .click();
            assertThat(page.locator("h1")).hasText("Agent " + sender);
            Locator codes = page.getByLabel("Errors and warnings by code", new Page.GetByLabelOptions().setExact(true))
                    .locator("tbody tr")
                    .filter(new Locator.FilterOptions().setHas(page.getByText(code)));
            assertThat(codes).hasCount(1);
            assertThat(codes.locator("td").first()).hasText(Pattern.compile("[1-9]\\d*"));
            codes.locator("td").nth(1).getByRole(AriaRole.LINK).click();
            assertThat(page.locator(".hits a").first()).containsText(code);
        }
    }

    @Test
    void whatDidThisAgentKnowAtATime() {
        try (Tab tab = tab(Role.READER)) {
            Page page = tab.page();
            tab.go("#/agents/default/CODER");
            Locator knowledge = page.getByLabel("What it knew", new Page.GetByLabelOptions().setExact(true));
            Locator entry = knowledge.locator("tbody tr").filter(new Locator.FilterOptions().setHasText("TOKEN_TTL"));
            assertThat(entry.first()).containsText("15m");
            entry.first().locator("td").last().getByRole(AriaRole.LINK).click();
            assertThat(page.getByRole(AriaRole.ARTICLE)).containsText("CODER");

            tab.go("#/agents/default/CODER?at=2020-01-01T00:00:00Z");
            assertThat(knowledge).containsText("No conversation of the namespace had shown it anything");
            assertThat(knowledge).containsText("received up to 2020-01-01T00:00:00Z");
        }
    }

    @Test
    void howIsOneMessageProvedToAnOutsider() {
        try (Tab tab = tab(Role.READER)) {
            Page page = tab.page();
            tab.go("#/conversations/wrong/slip/90?m=7");
            Locator message = page.getByRole(AriaRole.ARTICLE);
            message.getByRole(AriaRole.BUTTON, named("Proof for an outsider")).click();
            Locator commands = message.getByLabel("Audit record").locator(".command");
            assertThat(commands).isInViewport();
            assertThat(commands).containsText("parley ");
        }
    }

    @Test
    void minutesThatAreNotCountedYetAreNotZero() {
        try (Tab tab = tab(Role.READER)) {
            Page page = tab.page();
            page.route(
                    url -> url.contains("/v1/stats/traffic"),
                    route -> route.fulfill(new Route.FulfillOptions()
                            .setContentType("application/json")
                            .setBody(emptied(demo.get("/v1/stats/traffic?by=protocol,verdict")
                                    .body()))));
            page.locator("select[name=range]").selectOption("6h");
            tab.settle();
            Locator tile = page.locator(".tile").filter(new Locator.FilterOptions().setHasText("Messages"));
            assertThat(tile).containsText("none counted in the last 6 hours");
            assertThat(page.locator(".tile").filter(new Locator.FilterOptions().setHasText("Errors")))
                    .not()
                    .containsText("0 rejected");
        }
    }

    private static String emptied(String answer) {
        JsonObject page = JsonParser.parseString(answer).getAsJsonObject();
        page.add("rows", new JsonArray());
        page.add("next", JsonNull.INSTANCE);
        return page.toString();
    }
}
