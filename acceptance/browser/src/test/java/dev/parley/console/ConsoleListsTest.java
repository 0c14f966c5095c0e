package dev.parley.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import dev.parley.console.ConsoleBrowser.Tab;
import dev.parley.server.auth.Role;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What lists can do: sort, count, hide columns, show what is new, and be linked to, over a range of either clock. */
@Tag("long")
class ConsoleListsTest extends AbstractConsoleTest {

    private static final Duration COUNTED = Duration.ofMinutes(2);

    private static final String NO_CLIPBOARD = "() => { navigator.clipboard.writeText = text => "
            + "{ window.copied = text; return Promise.resolve(); }; }";

    /** Sends one message in each conversation of a namespace, and waits for the verdicts. */
    private static void send(String namespace, List<String> sessions, String time) {
        StringBuilder lines = new StringBuilder();
        for (String session : sessions) {
            JsonObject line = new JsonObject();
            line.addProperty(
                    "wire",
                    "{\"type\":\"STATE\",\"payload\":\"000110\",\"meta\":{\"agent\":\"arm-1\",\"timestamp\":\"" + time
                            + "\",\"session\":\"" + session + "\"}}");
            line.addProperty("namespace", namespace);
            lines.append(line).append('\n');
        }
        assertThat(demo.sendLines(lines.toString()).statusCode()).isEqualTo(202);
    }

    private static Locator table(Page page) {
        return page.locator("table.conversations");
    }

    private static List<Integer> numbers(Page page, String column) {
        return table(page).locator("tbody td.num:not(.c-rate)[data-label^=" + column + "]").allInnerTexts().stream()
                .map(text -> Integer.parseInt(text.replace(",", "")))
                .toList();
    }

    /** The number of conversations of a namespace, counted one by one. */
    private static int count(String namespace) {
        int count = 0;
        JsonElement next = null;
        do {
            JsonObject page = JsonParser.parseString(demo.get("/v1/conversations?limit=7&namespace=" + namespace
                                    + (next == null ? "" : "&cursor=" + next.getAsString()))
                            .body())
                    .getAsJsonObject();
            count += page.getAsJsonArray("items").size();
            next = page.get("next");
        } while (!next.isJsonNull());
        return count;
    }

    @Test
    void aListIsSortedWithTheKeyboardAndItsTotalIsAnOwnCount() {
        try (Tab tab = tab(Role.READER)) {
            Page page = tab.page();
            tab.go("#/conversations?namespace=default");
            assertThat(page.locator(".result-count"))
                    .containsText(count("default") + " conversations, the latest message first");
            Locator errors = table(page).getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Errors"));
            errors.focus();
            page.keyboard().press("Enter");
            assertThat(table(page).locator("th[aria-sort=descending]")).hasText("Errors");
            tab.settle();
            assertThat(errors).isFocused();
            assertThat(page.locator(".result-count")).containsText("the most errors first");
            List<Integer> most = numbers(page, "error");
            assertThat(most).hasSizeGreaterThan(5).isSortedAccordingTo(Comparator.reverseOrder());
            page.keyboard().press("Enter");
            assertThat(table(page).locator("th[aria-sort=ascending]")).hasText("Errors");
            tab.settle();
            assertThat(numbers(page, "error")).isSorted();
            assertThat(page).hasURL(Pattern.compile(".*sort=errors&order=asc"));
            tab.go("#/conversations?namespace=default&sort=messages");
            assertThat(numbers(page, "message")).isSortedAccordingTo(Comparator.reverseOrder());
            tab.assertAccessible("a sorted list");
        }
    }

    @Test
    void chosenColumnsAndTheZoneOfTimesSurviveAReload() {
        try (Tab tab = tab(Role.READER)) {
            Page page = tab.page();
            tab.go("#/conversations");
            Locator headings = table(page).locator("thead");
            assertThat(headings).not().containsText("First received");
            page.locator("details.columns summary").click();
            page.getByLabel("First received").check();
            page.getByLabel("Protocol", new Page.GetByLabelOptions().setExact(true))
                    .and(page.locator("[type=checkbox]"))
                    .uncheck();
            assertThat(headings).containsText("First received");
            assertThat(headings).not().containsText("Protocol");
            page.reload();
            assertThat(headings).containsText("First received");
            assertThat(headings).not().containsText("Protocol");
            assertThat((String) page.evaluate("() => JSON.stringify({...localStorage})"))
                    .as("what the console remembers")
                    .isEqualTo("{\"parley.columns.conversations\":"
                            + "\"name,messages,verdicts,errors,rate,verdict,first,last\"}");
        }
    }

    @Test
    void newItemsAreShownOnDemand() {
        send("lists-live", List.of("before"), "2026-01-31T14:03:20Z");
        try (Tab tab = tab(Role.READER)) {
            Page page = tab.page();
            tab.go("#/conversations?namespace=lists-live");
            Locator rows = table(page).locator("tbody tr");
            assertThat(rows).hasCount(1);
            send("lists-live", IntStream.range(0, 8).mapToObj(i -> "new" + i).toList(), "2026-01-31T14:03:20Z");
            Locator show = page.getByRole(AriaRole.BUTTON, Tab.named("8 new: show"));
            assertThat(show).isVisible();
            assertThat(rows).hasCount(1);
            show.click();
            assertThat(rows).hasCount(9);
            assertThat(page.locator(".result-count")).containsText("9 conversations");
            assertThat(show).hasCount(0);
        }
    }

    @Test
    void aLinkToARangeHasAbsoluteTimesAndEitherClock() {
        send("lists-claims", List.of("shift"), "2019-05-05T14:03:20Z");
        try (Tab tab = tab(Role.READER)) {
            Page page = tab.page();
            page.evaluate(NO_CLIPBOARD);
            tab.go("#/conversations?namespace=lists-claims&range=1h");
            assertThat(table(page).locator("tbody tr")).hasCount(1);
            page.getByRole(AriaRole.BUTTON, Tab.named("Copy link to this")).click();
            String link = (String) page.evaluate("() => window.copied");
            assertThat(link)
                    .startsWith(demo.uri().toString())
                    .matches(".*[?&]from=\\d{4}-\\d\\d-\\d\\dT[0-9%A]+Z&to=\\d{4}-\\d\\d-\\d\\dT[0-9%A]+Z.*")
                    .doesNotContain("range=");
            tab.go(link.substring(link.indexOf('#')));
            assertThat(table(page).locator("tbody tr")).hasCount(1);

            tab.go("#/conversations?namespace=lists-claims&from=2019-05-05T14:03:00Z&to=2019-05-05T14:03:59Z");
            assertThat(page.locator(".empty")).containsText("No conversation matches");
            assertThat(page.locator("input[name=from]")).hasValue("2019-05-05T14:03");
            page.locator("select[name=clock]").selectOption("claimed");
            assertThat(table(page).locator("tbody tr")).containsText(new String[] {"shift"});
            assertThat(tab.requests()).anyMatch(url -> url.contains("clock=claimed"));
        }
    }

    @Test
    void numbersOfAChartLeadToTheirMessages() {
        await().atMost(COUNTED)
                .until(() -> demo.get("/v1/stats/traffic?by=verdict&limit=100")
                        .body()
                        .contains("REJECTED"));
        try (Tab tab = tab(Role.READER)) {
            Page page = tab.page();
            tab.go("#/?range=24h");
            Locator chart = page.locator(".chart:not(.lag-chart)");
            chart.locator("summary").click();
            Locator number = chart.locator("td a[href*='verdict=rejected']").first();
            int shown = Integer.parseInt(number.innerText());
            number.click();
            assertThat(page).hasURL(Pattern.compile(".*#/search\\?(?=.*from=)(?=.*to=)(?=.*verdict=rejected).*"));
            tab.settle();
            assertThat(page.locator(".hits li")).not().hasCount(0);
            await().atMost(COUNTED)
                    .pollInSameThread()
                    .untilAsserted(() -> assertThat(page.locator(".hits li").count())
                            .as("messages of the bar; some may not be counted yet")
                            .isGreaterThanOrEqualTo(shown));
        }
    }
}
