package dev.parley.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import dev.parley.console.ConsoleBrowser.Tab;
import dev.parley.server.auth.Role;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The pages of the web console stay readable and usable at common sizes, and where the reader left them. */
@Tag("long")
class ConsoleLayoutTest extends AbstractConsoleTest {

    private static Locator.GetByRoleOptions named(String name) {
        return new Locator.GetByRoleOptions().setName(name);
    }

    private static void send(JsonObject line) {
        assertThat(demo.sendLines(line + "\n").statusCode()).isEqualTo(202);
    }

    private static JsonObject line(String wire, String namespace) {
        JsonObject line = new JsonObject();
        line.addProperty("wire", wire);
        line.addProperty("namespace", namespace);
        return line;
    }

    private static Route.FulfillOptions json(JsonElement body) {
        return new Route.FulfillOptions().setContentType("application/json").setBody(body.toString());
    }

    @ParameterizedTest
    @ValueSource(ints = {1024, 1280, 1400, 1440, 1520, 1600, 1680, 1920})
    void nestedValuesHaveRoomForWords(int width) {
        try (Tab tab = tab(Role.READER, width)) {
            for (String message : List.of("csp/auth-refactor?m=16", "csp/auth-refactor?m=1", "lambda/council?m=0")) {
                tab.go("#/conversations/default/" + message);
                // The message before it stays until it is there.
                Locator values = tab.page()
                        .getByRole(
                                AriaRole.ARTICLE,
                                Tab.named("Message " + message.replaceAll(".*=", ""))
                                        .setExact(true))
                        .locator(".tree dd");
                assertThat(values.first()).isVisible();
                assertThat(values.evaluateAll(
                                "all => all.filter(one => one.clientWidth < 100).map(one => one.innerText)"))
                        .as(message)
                        .isEqualTo(List.of());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1024, 1280, 1440})
    void aCodeInTheTimelineIsNeverCut(int width) {
        try (Tab tab = tab(Role.READER, width)) {
            tab.go("#/conversations/wrong/slip/90");
            Locator codes = tab.page().locator(".virtual-row .row-act .code");
            assertThat(codes.first()).isVisible();
            assertThat(codes.evaluateAll("all => all.filter(one => {"
                            + " const code = one.getBoundingClientRect();"
                            + " const row = one.closest('.virtual-row').getBoundingClientRect();"
                            + " const text = one.closest('.row-text').getBoundingClientRect();"
                            + " return one.scrollWidth > one.clientWidth || code.right > text.right + 1"
                            + " || code.bottom > row.bottom; }).map(one => one.innerText)"))
                    .isEqualTo(List.of());
            assertThat(tab.page()
                            .locator(".virtual-row .row-text")
                            .evaluateAll("all => all.filter(one => one.scrollHeight > one.closest('.virtual-row')"
                                    + ".clientHeight).map(one => one.innerText)"))
                    .as("rows that are too high")
                    .isEqualTo(List.of());
        }
    }

    @Test
    void theBarsOfDeadLettersAreExplained() {
        try (Tab tab = tab(Role.READER)) {
            tab.go("#/dead-letters");
            assertThat(tab.page().locator(".groups")).containsText("compared with the most frequent code");
        }
    }

    @Test
    void theResultOfARedriveIsWhereItsFormWas() {
        send(line("@a7|f1|c3|S2|d1|T1|k1#", "in-place"));
        try (Tab tab = tab(Role.OPERATOR)) {
            Page page = tab.page();
            tab.go("#/conversations/in-place/slip/3?m=0");
            page.getByRole(AriaRole.LINK, Tab.named("Repair its dead letter")).click();
            tab.settle();
            Locator repair = page.getByLabel("Repair", new Page.GetByLabelOptions().setExact(true));
            repair.getByRole(AriaRole.BUTTON, named("Edit the bytes")).click();
            repair.getByLabel("Bytes to send").fill("@a3|f0|c3|S0|d1|T2|g1c|k1|q1|t\"repaired\"#");
            repair.locator("input[name=reason]").fill("The wrong act.");
            repair.getByRole(AriaRole.BUTTON, named("Dry run")).click();
            repair.getByRole(AriaRole.BUTTON, named("Redrive 1")).click();

            assertThat(repair).containsText("with edited bytes: The wrong act.");
            assertThat(repair).isFocused();
            assertThat(repair).isInViewport();
            assertThat(page.locator("[role=status][aria-live=polite]")).containsText("1 entered");
        }
    }

    @Test
    void aCheckboxKeepsItsSizeNextToItsLabel() {
        send(line("@a7|f1|c4|S2|d1|T1|k1#", "insist"));
        try (Tab tab = tab(Role.OPERATOR)) {
            Page page = tab.page();
            tab.go("#/conversations/insist/slip/4?m=0");
            page.getByRole(AriaRole.LINK, Tab.named("Repair its dead letter")).click();
            tab.settle();
            page.getByRole(AriaRole.BUTTON, Tab.named("Dry run")).click();
            Locator box = page.locator("input[name=insist]");
            assertThat(box.boundingBox().width).isEqualTo(16);
        }
    }

    @Test
    void theAxesOfTheChartHaveEvenTicksAndWholeLabels() {
        try (Tab tab = tab(Role.READER)) {
            Page page = tab.page();
            page.route(url -> url.contains("/v1/stats/traffic"), route -> {
                String url = route.request().url();
                JsonObject row = new JsonObject();
                row.addProperty(
                        "time",
                        Instant.parse(parameter(url, "to")).minusSeconds(1_800).toString());
                row.addProperty("protocol", "SLIP");
                row.addProperty("verdict", "ACCEPTED");
                row.addProperty("messages", 1_234_567);
                JsonArray rows = new JsonArray();
                rows.add(row);
                JsonObject answer = new JsonObject();
                answer.addProperty("from", parameter(url, "from"));
                answer.addProperty("to", parameter(url, "to"));
                answer.add("rows", rows);
                answer.add("next", null);
                route.fulfill(json(answer));
            });
            for (String range : List.of("1h", "6h", "24h", "7d")) {
                tab.go("#/?range=" + range);
                Locator labels = page.locator(".chart .axis");
                assertThat(page.locator(".chart .axis.time").first()).isVisible();
                assertThat(labels.evaluateAll("all => all.filter(one => one.getBBox().x < 0"
                                + " || one.getBBox().x + one.getBBox().width > one.ownerSVGElement.clientWidth)"
                                + ".map(one => one.textContent)"))
                        .as("labels outside of the chart, " + range)
                        .isEqualTo(List.of());
                assertThat((Boolean)
                                page.evaluate("() => { const x = [...document.querySelectorAll('.chart .axis.time')]"
                                        + ".map(one => Number(one.getAttribute('x')));"
                                        + " return x.length > 2 && x.slice(2).every((at, i) =>"
                                        + " Math.abs((at - x[i + 1]) - (x[1] - x[0])) < 1); }"))
                        .as("even distances, " + range)
                        .isTrue();
                assertThat((Boolean) page.evaluate("() => [...document.querySelectorAll('.chart .axis.time')]"
                                + ".every(one => /^\\d\\d:[0-5][05]$|^\\d\\d-\\d\\d$/.test(one.textContent))"))
                        .as("round times, " + range)
                        .isTrue();
            }
        }
    }

    private static String parameter(String url, String name) {
        return URLDecoder.decode(url.replaceAll(".*[?&]" + name + "=([^&]*).*", "$1"), StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @ValueSource(ints = {1024, 1440})
    void aChoiceShowsItsWholeText(int width) {
        try (Tab tab = tab(Role.READER, width)) {
            for (String view : List.of(
                    "#/",
                    "#/conversations?verdict=undecodable",
                    "#/conversations?protocol=extension",
                    "#/search?q=auth&verdict=undecodable&protocol=extension",
                    "#/agents")) {
                tab.go(view);
                assertThat(tab.page().locator("select").first()).isVisible();
                assertThat(tab.page()
                                .locator("select")
                                .evaluateAll("all => all.filter(one => { const pen = document.createElement('canvas')"
                                        + ".getContext('2d'); const style = getComputedStyle(one); pen.font = style.font;"
                                        + " const arrow = 20; return pen.measureText(one.selectedOptions[0].text).width + arrow"
                                        + " + parseFloat(style.paddingLeft) + parseFloat(style.paddingRight)"
                                        + " > one.clientWidth; }).map(one => one.selectedOptions[0].text)"))
                        .as(view)
                        .isEqualTo(List.of());
            }
        }
    }

    @ParameterizedTest
    @CsvSource(
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "spaces,\u2003\u00a0\u2003,U+2003U+00A0U+2003",
                "emoji,\ud83e\uddd1\u200d\ud83d\ude80 \u2764\ufe0f,\ud83e\uddd1\u200d\ud83d\ude80 \u2764\ufe0f",
                "look-alikes,A\u2800B\u00a0 \u115f\u200d,AU+2800BU+00A0 U+115FU+200D",
                "ignored,\u034f\ufe0f\u180b\udb40\udd00\u3164,U+034FU+FE0FU+180BU+E0100U+3164"
            })
    void aNameOfInvisibleCharactersIsALink(String namespace, String name, String shown) {
        JsonObject line = line("?Uc/la", namespace);
        line.addProperty("protocol", "lambda");
        line.addProperty("conversation", name);
        line.addProperty("sender", "A");
        send(line);
        try (Tab tab = tab(Role.READER)) {
            tab.go("#/conversations?namespace=" + namespace);
            Locator link = tab.page().locator("table.conversations td.main a");
            assertThat(link).hasText(shown);
            link.click();
            assertThat(tab.page().locator("h1")).hasText("Conversation " + shown);
        }
    }

    @Test
    void aLongNameLeavesRoomForTheNumbers() {
        String name = "W".repeat(200);
        try (Tab tab = tab(Role.READER)) {
            Page page = tab.page();
            page.route(url -> url.contains("/v1/stats/edges"), route -> {
                JsonObject row = new JsonObject();
                row.addProperty("sender", name);
                row.addProperty("recipient", name + "2");
                row.addProperty("messages", 1_234_567);
                row.addProperty("rejected", 234_567);
                row.addProperty("flagged", 0);
                JsonArray rows = new JsonArray();
                rows.add(row);
                JsonObject answer = new JsonObject();
                answer.addProperty("from", parameter(route.request().url(), "from"));
                answer.addProperty("to", parameter(route.request().url(), "to"));
                answer.add("rows", rows);
                answer.add("next", null);
                route.fulfill(json(answer));
            });
            tab.go("#/agents");
            assertThat(page.locator(".agents-table tbody tr").first()).containsText("WWW");
            assertThat(page.locator("main table")
                            .evaluateAll("all => all.filter(table => table.getBoundingClientRect().right"
                                    + " > table.closest('.panel').getBoundingClientRect().right).map(table =>"
                                    + " table.caption.innerText)"))
                    .isEqualTo(List.of());
        }
    }

    @Test
    void aContextOpensAtItsLastCheckpoint() {
        try (Tab tab = tab(Role.READER)) {
            Page page = tab.page();
            JsonArray all = JsonParser.parseString(demo.get("/v1/conversations/default/csp/auth-refactor/checkpoints")
                            .body())
                    .getAsJsonObject()
                    .getAsJsonArray("items");
            JsonArray first = new JsonArray();
            JsonArray rest = new JsonArray();
            for (int i = 0; i < all.size(); i++) {
                (i < 2 ? first : rest).add(all.get(i));
            }
            List<Route> held = new ArrayList<>();
            page.route(url -> url.contains("/auth-refactor/checkpoints?"), route -> {
                if (route.request().url().contains("cursor=")) {
                    held.add(route);
                } else {
                    route.fulfill(json(page(first, "more")));
                }
            });
            page.evaluate("() => { location.hash = '#/contexts/default/auth-refactor'; }");
            Locator rows = page.locator("[id^=checkpoints-][role=option]");
            assertThat(rows).hasCount(2);
            page.waitForCondition(() -> !held.isEmpty());
            assertThat(page.locator("[role=option][aria-selected=true]")).hasCount(0);
            held.forEach(route -> route.fulfill(json(page(rest, null))));
            assertThat(page.locator("[id^=checkpoints-][aria-selected=true]"))
                    .containsText(
                            all.get(all.size() - 1).getAsJsonObject().get("id").getAsString());
        }
    }

    private static JsonObject page(JsonArray items, String next) {
        JsonObject page = new JsonObject();
        page.add("items", items);
        page.addProperty("next", next);
        return page;
    }

    @Test
    void backReturnsToTheFiltersAndTheScrollPosition() {
        try (Tab tab = tab(Role.READER)) {
            Page page = tab.page();
            tab.go("#/conversations?protocol=lambda&verdict=accepted");
            page.setViewportSize(1440, 400);
            page.mouse().move(700, 300);
            page.mouse().wheel(0, 250);
            page.waitForCondition(() -> ((Number) page.evaluate("() => scrollY")).intValue() > 100);
            page.waitForTimeout(400);
            int before = ((Number) page.evaluate("() => scrollY")).intValue();
            page.locator("table.conversations td.main a").nth(4).click();
            assertThat(page).hasURL(Pattern.compile(".*#/conversations/.*/lambda/.*"));
            tab.settle();
            page.goBack();
            assertThat(page.locator("select[name=protocol]")).hasValue("lambda");
            assertThat(page.locator("select[name=verdict]")).hasValue("accepted");
            page.waitForCondition(() -> Math.abs(((Number) page.evaluate("() => scrollY")).intValue() - before) < 3);

            page.setViewportSize(1440, 700);
            tab.go("#/dead-letters");
            Locator list = page.locator(".list");
            list.evaluate("list => { list.scrollTop = 600; }");
            page.waitForTimeout(400);
            page.getByRole(AriaRole.LINK, Tab.named("In its conversation: state before it, and proof"))
                    .click();
            assertThat(page).hasURL(Pattern.compile(".*#/conversations/.*"));
            page.goBack();
            page.waitForCondition(() -> list.count() == 1
                    && Math.abs(((Number) list.evaluate("list => list.scrollTop")).intValue() - 600) < 3);
        }
    }

    @Test
    void theTableOfParkedPatchesKeepsWordsWholeAndHintsAtScrolling() {
        try (Tab tab = tab(Role.READER, 390)) {
            tab.go("#/parked");
            Locator box = tab.page().locator(".table-box");
            assertThat(box.locator("tbody tr").first()).isVisible();
            assertThat(box.locator("th .text, td .text")
                            .evaluateAll("all => all.filter(one => one.innerText.length <= 12"
                                    + " && one.getClientRects().length > 1).map(one => one.innerText)"))
                    .isEqualTo(List.of());
            assertThat((String) box.evaluate("one => getComputedStyle(one).backgroundAttachment"))
                    .contains("local", "scroll");
        }
    }

    @Test
    void aTableOfTheDocumentationUsesTheWidthThatItNeeds() {
        try (Tab tab = tab(Role.READER, 1600)) {
            tab.go("#/docs/protocols");
            Locator boxes = tab.page().locator(".docs .table-box");
            assertThat(boxes.first()).isVisible();
            assertThat(boxes.evaluateAll("all => all.filter(one => one.scrollWidth > one.clientWidth"
                            + " && one.getBoundingClientRect().right + 40"
                            + " < document.querySelector('main').getBoundingClientRect().right)"
                            + ".map(one => one.innerText.slice(0, 60))"))
                    .isEqualTo(List.of());
            assertThat((Boolean) tab.page()
                            .locator(".docs > p")
                            .first()
                            .evaluate("one => one.getBoundingClientRect().width <= 920"))
                    .isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1024, 1440})
    void anEntryOfAContextHasTheTimeOfItsPatch(int width) {
        try (Tab tab = tab(Role.READER, width)) {
            tab.go("#/contexts/default/auth-refactor?at=C3");
            Locator by = tab.page().locator("[id^=entries-] .entry-by");
            assertThat(by.first().locator("time")).hasText(Pattern.compile("\\d+ \\w+ \\d{4}, [\\d:]+ UTC"));
            assertThat(
                            by.evaluateAll(
                                    "all => all.filter(one => one.getBoundingClientRect().bottom"
                                            + " > one.closest('.virtual-row').getBoundingClientRect().bottom"
                                            + " || one.querySelector('small').scrollWidth > one.clientWidth).map(one => one.innerText)"))
                    .isEqualTo(List.of());
        }
    }

    @Test
    void aCheckpointThatIsNotInTheTreeIsNotTheEmptyState() {
        try (Tab tab = tab(Role.READER)) {
            tab.go("#/contexts/default/auth-refactor?at=C99");
            Locator slider = tab.page().locator("output[for=moment]");
            assertThat(slider).hasText("C99 is not in the tree");
            tab.go("#/contexts/default/auth-refactor?at=C0");
            assertThat(slider).containsText("the empty state");
            tab.expectErrorsOfRequests();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1024, 1440})
    void theArrowOfAMessageToItsSenderIsWhole(int width) {
        String[][] pairs = {{"A", "B"}, {"C", "D"}, {"D", "D"}};
        for (int i = 0; i < pairs.length; i++) {
            JsonObject line = line(
                    "CSP/1\nFROM " + pairs[i][0] + "\nTO " + pairs[i][1] + "\nCTX C0\nINTENT PATCH\n\nPATCH P" + i
                            + "\nBASE C0\n+ DEF KEY = value\nAPPLY -> C1" + i,
                    "self");
            line.addProperty("conversation", "self" + width);
            send(line);
        }
        try (Tab tab = tab(Role.READER, width)) {
            tab.go("#/conversations/self/csp/self" + width);
            Locator loops = tab.page().locator(".arrow path.shaft");
            assertThat(loops).hasCount(1);
            assertThat((Boolean) loops.first()
                            .evaluate("one => one.getBoundingClientRect().right + 1"
                                    + " <= one.ownerSVGElement.getBoundingClientRect().right"))
                    .isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1024, 1440})
    void theCurrentSectionHasTheSizeOfTheOthers(int width) {
        try (Tab tab = tab(Role.READER, width)) {
            Locator labels = tab.page().locator(".sections a span");
            List<Object> sizes = new ArrayList<>();
            for (String section : List.of("#/", "#/conversations", "#/dead-letters", "#/agents", "#/search")) {
                tab.go(section);
                assertThat(tab.page().locator(".sections a[aria-current]")).hasCount(1);
                sizes.add(labels.evaluateAll("all => all.map(one => one.getBoundingClientRect().height)"));
                assertThat(tab.page()
                                .locator(".sections a")
                                .evaluateAll("all => all.filter(one => one.scrollWidth > one.clientWidth"
                                        + " || one.querySelector('span').scrollWidth > one.clientWidth)"
                                        + ".map(one => one.innerText)"))
                        .as(section)
                        .isEqualTo(List.of());
            }
            assertThat(sizes).containsOnly(sizes.get(0));
        }
    }

    @Test
    void theHeadingsOfAComparisonFitAPhone() {
        try (Tab tab = tab(Role.READER, 390)) {
            tab.go("#/compare?a=default%7CCSP%7Cauth-refactor&b=wrong%7CSLIP%7C90");
            Locator sizes = tab.page().locator("table.compare thead th .faint");
            assertThat(sizes.first()).containsText("messages");
            assertThat(sizes.evaluateAll("all => all.filter(one => one.getBoundingClientRect().right"
                            + " > one.closest('th').getBoundingClientRect().right).map(one => one.innerText)"))
                    .isEqualTo(List.of());
        }
    }
}
