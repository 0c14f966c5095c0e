package dev.parley.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.options.AriaRole;
import dev.parley.console.ConsoleBrowser.Tab;
import dev.parley.server.auth.Role;
import java.net.http.HttpResponse;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Dead letters as a work queue. */
@Tag("long")
class ConsoleQueueTest extends AbstractConsoleTest {

    private static final String REJECTED = "@a7|f1|c%d|S2|d1|T1|k1#";
    /** Another turn of a conversation: each conversation more displaces those that other tests look for. */
    private static final String REJECTED_TURN = "@a7|f1|c1|S2|d1|T%x|k1#";

    private static final String INNER = "@a3|f0|c%d|S0|d1|T1|g1c|k1|q1#";

    private static Locator.GetByRoleOptions named(String name) {
        return new Locator.GetByRoleOptions().setName(name);
    }

    private static void send(String namespace, String... messages) {
        StringBuilder lines = new StringBuilder();
        for (String message : messages) {
            JsonObject line = new JsonObject();
            line.addProperty("wire", message);
            line.addProperty("namespace", namespace);
            lines.append(line).append('\n');
        }
        HttpResponse<String> response = demo.sendLines(lines.toString());
        assertThat(response.statusCode()).as(response.body()).isEqualTo(202);
    }

    private static JsonArray letters(String query) {
        return JsonParser.parseString(demo.get("/v1/dead-letters?" + query).body())
                .getAsJsonObject()
                .getAsJsonArray("items");
    }

    private static Locator actions(Page page) {
        return page.getByLabel("Actions", new Page.GetByLabelOptions().setExact(true));
    }

    private static Locator repair(Page page) {
        return page.getByLabel("Repair", new Page.GetByLabelOptions().setExact(true));
    }

    private static LocatorAssertions.HasTextOptions slow() {
        return new LocatorAssertions.HasTextOptions().setTimeout(30_000);
    }

    @Test
    void aQueueIsEmptiedWithAReasonAndFilledAgain() {
        send("emptied", REJECTED_TURN.formatted(1), REJECTED_TURN.formatted(2));
        try (Tab tab = tab(Role.OPERATOR)) {
            Page page = tab.page();
            tab.go("#/dead-letters?namespace=emptied");
            assertThat(page.locator("select[name=state]")).hasValue("open");
            assertThat(page.locator("input[name=namespace]")).hasValue("emptied");
            Locator count = page.locator(".group.all .number");
            assertThat(count).hasText("2");
            Locator actions = actions(page);
            actions.getByRole(AriaRole.BUTTON, named("Close all of this filter"))
                    .click();
            Locator close =
                    actions.getByRole(AriaRole.BUTTON, named("Close all").setExact(true));
            assertThat(close).isDisabled();
            actions.locator("input[name=reason]").fill("agent \u202eretired <b>now</b>");
            close.click();
            assertThat(actions).containsText("2 closed");
            assertThat(count).hasText("0", slow());
            assertThat(page.locator(".list")).containsText("No dead letters here");
            assertThat(letters("namespace=emptied&state=closed")).hasSize(2);

            page.locator("select[name=state]").selectOption("closed");
            assertThat(count).hasText("2");
            Locator letter = page.getByLabel("Selected dead letter");
            assertThat(letter.locator(".closed")).containsText("by token:the-operator: agent");
            // Marked, and text: neither the order of the line nor the page changes.
            assertThat(letter.locator(".closed")).containsText("<b>now</b>");
            assertThat(letter.locator(".closed").innerText()).doesNotContain("\u202e");
            assertThat(letter.getByRole(AriaRole.BUTTON, named("Dry run"))).hasCount(0);
            page.locator(".letters input[type=checkbox]").first().check();
            actions.getByRole(AriaRole.BUTTON, named("Reopen").setExact(true)).click();
            actions.locator("input[name=reason]").fill("It is back.");
            actions.getByRole(AriaRole.BUTTON, named("Reopen 1")).click();
            assertThat(actions).containsText("1 reopened");
            assertThat(count).hasText("1", slow());
            assertThat(letters("namespace=emptied&state=open")).hasSize(1);
        }
    }

    @Test
    void aReaderSeesWhoClosedADeadLetterAndCannotChangeIt() {
        send("watched", REJECTED.formatted(1));
        try (Tab tab = tab(Role.OPERATOR)) {
            tab.go("#/dead-letters?namespace=watched");
            Locator repair = repair(tab.page());
            repair.getByRole(AriaRole.BUTTON, named("Close it")).click();
            repair.locator("input[name=reason]").fill("A test.");
            repair.getByRole(AriaRole.BUTTON, named("Close 1")).click();
            assertThat(tab.page().locator(".closed").first()).containsText("A test.");
        }
        try (Tab tab = tab(Role.READER)) {
            tab.go("#/dead-letters?namespace=watched&state=all");
            assertThat(tab.page().locator(".letters .tag")).hasText("closed", slow());
            assertThat(tab.page().locator(".redriven.closed")).containsText("A test.");
            assertThat(tab.page().getByRole(AriaRole.BUTTON, Tab.named("Reopen")))
                    .hasCount(0);
            assertThat(actions(tab.page())).hasCount(0);
        }
    }

    @Test
    void onlyTheInnerMessageIsSentAfterAPreview() {
        for (int i = 1; i <= 3; i++) {
            send("wrapped", "```json\n" + INNER.formatted(i) + "\n```");
        }
        try (Tab tab = tab(Role.OPERATOR)) {
            Page page = tab.page();
            tab.go("#/dead-letters?namespace=wrapped");
            assertThat(page.locator(".letters li")).hasCount(3);
            Locator repair = repair(page);
            repair.getByRole(AriaRole.BUTTON, named("Send only the inner message"))
                    .click();
            repair.getByRole(AriaRole.BUTTON, named("Dry run")).click();
            assertThat(repair.locator(".unwrapped ins")).hasText(INNER.formatted(3));
            assertThat(repair.locator(".unwrapped del")).hasCount(2);
            assertThat(repair.locator(".unwrapped")).containsText("8 bytes before, 4 bytes after");
            tab.shot("queue-inner");
            repair.locator("input[name=reason]").fill("In a fence.");
            repair.getByRole(AriaRole.BUTTON, named("Redrive 1")).click();
            assertThat(repair).containsText("In a fence.");
            assertThat(repair.locator(".sent"))
                    .containsText("Accepted", new LocatorAssertions.ContainsTextOptions().setTimeout(30_000));

            tab.go("#/dead-letters?namespace=wrapped&state=open&code=");
            assertThat(page.locator(".letters li"))
                    .hasCount(2, new LocatorAssertions.HasCountOptions().setTimeout(30_000));
            Locator actions = actions(page);
            actions.getByRole(AriaRole.BUTTON, named("Select all on this page")).click();
            actions.getByRole(AriaRole.BUTTON, named("Send only the inner messages"))
                    .click();
            actions.getByRole(AriaRole.BUTTON, named("Dry run")).click();
            assertThat(actions.locator(".outcome")).hasCount(1);
            assertThat(actions.locator(".outcome")).containsText("2 Would enter");
            assertThat(actions.locator(".unwrapped")).hasCount(2);
            actions.locator("input[name=reason]").fill("In fences.");
            actions.getByRole(AriaRole.BUTTON, named("Redrive 2")).click();
            assertThat(actions.locator(".followed b")).hasText("2 entered: 2 accepted, 0 failed again", slow());
        }
    }

    @Test
    void aRedriveIsFollowedUntilItIsJudged() {
        send("followed", REJECTED.formatted(1), REJECTED.formatted(2), REJECTED.formatted(3));
        try (Tab tab = tab(Role.OPERATOR)) {
            Page page = tab.page();
            tab.go("#/dead-letters?namespace=followed");
            Locator actions = actions(page);
            actions.getByRole(AriaRole.BUTTON, named("Select all on this page")).click();
            actions.locator("input[name=reason]").fill("Again.");
            actions.getByRole(AriaRole.BUTTON, named("Dry run")).click();
            assertThat(actions.locator(".outcome")).hasCount(1);
            assertThat(actions.locator(".outcome")).containsText("3 Would enter, and fail again");
            actions.locator("input[name=insist]").check();
            actions.getByRole(AriaRole.BUTTON, named("Redrive 3")).click();
            Locator followed = actions.locator(".followed");
            assertThat(followed.locator("b")).hasText("3 entered: 0 accepted, 3 failed again", slow());
            assertThat(followed).containsText("SLIP_NOTHING_TO_REJECT");
            tab.shot("queue-outcome");
            followed.getByRole(AriaRole.LINK, named("dead letters of this code"))
                    .click();
            assertThat(page).hasURL(Pattern.compile(".*#/dead-letters\\?code=SLIP_NOTHING_TO_REJECT"));
        }
    }

    @Test
    void keyAndHeadersAreEditedAndReservedOnesRefused() {
        send("parts", REJECTED.formatted(1));
        try (Tab tab = tab(Role.OPERATOR)) {
            Page page = tab.page();
            tab.go("#/dead-letters?namespace=parts");
            Locator repair = repair(page);
            repair.getByRole(AriaRole.BUTTON, named("Edit the bytes")).click();
            Locator headers = repair.locator(".record-parts");
            repair.getByLabel("Key", new Locator.GetByLabelOptions().setExact(true))
                    .fill("another key");
            headers.getByRole(AriaRole.BUTTON, named("Add a header")).click();
            Locator name =
                    headers.locator("input[aria-label^='Name of header']").last();
            name.fill("parley-attempt");
            assertThat(headers).containsText("Parley sets headers of this name itself.");
            assertThat(repair.getByRole(AriaRole.BUTTON, named("Dry run"))).isDisabled();
            tab.shot("queue-parts");
            name.fill("ticket");
            headers.locator("input[aria-label^='Value of header']").last().fill("4711");
            repair.locator("input[name=reason]").fill("Other parts.");
            repair.getByRole(AriaRole.BUTTON, named("Dry run")).click();
            repair.locator("input[name=insist]").check();
            repair.getByRole(AriaRole.BUTTON, named("Redrive 1")).click();
            assertThat(repair).containsText("with edited bytes: Other parts.");
            // The message fails again, and its dead letter has the other parts.
            tab.go("#/dead-letters?namespace=parts&state=open&stage=judge");
            assertThat(page.getByLabel("Selected dead letter"))
                    .containsText("another key", new LocatorAssertions.ContainsTextOptions().setTimeout(30_000));
            assertThat(page.getByLabel("Selected dead letter")).containsText("4711");
        }
    }

    @Test
    void newDeadLettersAreAnnouncedAndShownOnRequest() {
        send("arriving", REJECTED.formatted(1));
        try (Tab tab = tab(Role.READER)) {
            Page page = tab.page();
            tab.go("#/dead-letters?namespace=arriving");
            assertThat(page.locator(".letters li")).hasCount(1);
            send("arriving", REJECTED_TURN.formatted(2), REJECTED_TURN.formatted(3));
            Locator fresh = page.locator(".fresh");
            assertThat(fresh).hasText("2 new: show", slow());
            assertThat(page.locator("[role=status][aria-live=polite]")).containsText("new dead letter");
            assertThat(page.locator(".letters li")).hasCount(1);
            assertThat(page.locator(".group.all .number")).hasText("3", slow());
            fresh.click();
            assertThat(page.locator(".letters li")).hasCount(3);
            assertThat(fresh).hasCount(0);
        }
    }

    @Test
    void theFirstDeadLetterIsWithinTenTabsAndTheControlsStayInView() {
        String[] many = new String[30];
        for (int i = 0; i < many.length; i++) {
            many[i] = REJECTED_TURN.formatted(i + 1);
        }
        send("many", many);
        try (Tab tab = tab(Role.OPERATOR)) {
            Page page = tab.page();
            tab.go("#/");
            tab.go("#/dead-letters?namespace=many");
            assertThat(page.locator(".letters li")).hasCount(30);
            assertThat(page.locator("h1")).isFocused();
            Locator first = page.locator(".letters a").first();
            int tabs = 0;
            while (!(boolean) first.evaluate("link => link === document.activeElement")) {
                page.keyboard().press("Tab");
                assertThat(++tabs).isLessThanOrEqualTo(10);
                if ((boolean) page.evaluate("() => document.activeElement.matches('.skip')")) {
                    page.keyboard().press("Enter");
                }
            }
            page.locator(".letters a").last().scrollIntoViewIfNeeded();
            assertThat(actions(page)).isInViewport();
            assertThat(actions(page).getByRole(AriaRole.BUTTON, named("Redrive all of this filter")))
                    .isInViewport();
            assertThat(repair(page).getByRole(AriaRole.BUTTON, named("Dry run")))
                    .isInViewport();
            tab.assertAccessible("queue");
            tab.shot("queue");
        }
    }
}
