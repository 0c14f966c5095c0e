package dev.parley.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonArray;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.microsoft.playwright.Frame;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import dev.parley.console.ConsoleBrowser.Tab;
import dev.parley.server.auth.Role;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The web console in a browser, over the traffic of the demo. */
@Tag("long")
class ConsoleBrowserTest extends AbstractConsoleTest {

    /** Views by the name of their screenshot. */
    private static final Map<String, String> VIEWS = new LinkedHashMap<>();

    static {
        VIEWS.put("overview", "#/");
        VIEWS.put("conversations", "#/conversations?verdict=rejected");
        VIEWS.put("conversation", "#/conversations/wrong/slip/90?m=7");
        VIEWS.put("undecodable", "#/conversations/-/unknown/parley.wire-1?m=3");
        VIEWS.put("patch", "#/conversations/default/csp/auth-refactor?m=16");
        VIEWS.put("compare", "#/compare?a=default%7CSLIP%7C1&b=default%7CSLIP%7C2");
        VIEWS.put("context", "#/contexts/default/auth-refactor?entry=TOKEN_TTL");
        VIEWS.put("difference", "#/contexts/default/auth-refactor?at=C3&view=diff&from=C3b");
        VIEWS.put("dead-letters", "#/dead-letters?stage=judge");
        VIEWS.put("agents", "#/agents");
        VIEWS.put("agent", "#/agents/default/CODER");
        VIEWS.put("state", "#/states/default/slip/1?at=sequence:1");
        VIEWS.put("requests", "#/conversations/default/slip/1?m=0&view=waterfall");
        VIEWS.put("search", "#/search?q=auth");
        VIEWS.put("compose", "#/compose/wrong/slip/90?repair=7");
        VIEWS.put("parked", "#/parked");
        VIEWS.put("protocols", "#/docs/protocols?at=1.4");
        VIEWS.put("codes", "#/docs/codes?at=slip_unexpected");
    }

    /** Screenshots that the documentation shows; -Ddocs.write=true updates them. */
    private static final Set<String> PICTURES = Set.of("conversation-1440-light", "context-1440-light");

    private static final int[] WIDTHS = {390, 1024, 1440};
    private static final int LONG = 100_000;

    /** Maximum time of a long conversation, relative to a short one. */
    private static final double MAX_RATIO = 5;

    private static final Duration COUNTED = Duration.ofMinutes(2);

    private static Locator heading(Page page) {
        return page.locator("h1");
    }

    @ParameterizedTest
    @EnumSource(
            value = ColorScheme.class,
            names = {"LIGHT", "DARK"})
    void everyPageIsAccessibleAtEveryWidth(ColorScheme scheme) {
        // The minute of the samples is counted soon after it is over.
        await().atMost(COUNTED)
                .until(() ->
                        JsonParser.parseString(demo.get("/v1/stats/traffic").body())
                                        .getAsJsonObject()
                                        .getAsJsonArray("rows")
                                        .size()
                                > 0);
        for (int width : WIDTHS) {
            try (Tab tab = browser.open(demo.uri(), width, width < 600 ? 844 : 900, scheme)
                    .signIn(demo.token(Role.OPERATOR))) {
                VIEWS.forEach((name, fragment) -> {
                    tab.go(fragment);
                    String what = name + "-" + width + "-" + scheme.name().toLowerCase(Locale.ROOT);
                    Path shot = tab.shot(what);
                    if (Boolean.getBoolean("docs.write") && PICTURES.contains(what)) {
                        publish(shot, name);
                    }
                    tab.assertAccessible(what);
                    assertThat(tab.page().evaluate("() => document.documentElement.scrollWidth <= innerWidth"))
                            .as("no horizontal scrolling: " + what)
                            .isEqualTo(true);
                });
            }
        }
    }

    private static void publish(Path shot, String name) {
        try {
            Path images = Files.createDirectories(Path.of("docs", "images"));
            Files.copy(shot, images.resolve("console-" + name + ".png"), StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void theSignInIsAccessible() {
        try (Tab tab = browser.open(demo.uri(), 1024, 900, ColorScheme.LIGHT)) {
            tab.page().navigate(demo.uri().toString());
            tab.page().locator("input[name=token]").waitFor();
            tab.assertAccessible("sign-in");
            tab.expectError("401");
        }
    }

    @Test
    void aNewcomerFindsWhyAMessageWasRejectedAndWhatTheRecordProves() {
        try (Tab tab = tab(Role.READER)) {
            Page page = tab.page();
            page.getByRole(AriaRole.LINK, Tab.named("Conversations")).first().click();
            page.locator("select[name=verdict]").selectOption("rejected");
            page.getByRole(AriaRole.LINK, Tab.named("90")).first().click();
            assertThat(heading(page)).hasText("Conversation 90");
            page.getByRole(AriaRole.BUTTON, Tab.named("Next error")).click();
            assertThat(page.getByRole(AriaRole.ARTICLE, Tab.named("Message 2"))).isVisible();
            tab.go("#/conversations/wrong/slip/90?m=7");

            Locator message = page.getByRole(AriaRole.ARTICLE, Tab.named("Message 7"));
            assertThat(message).containsText("SLIP_PROPOSE_AFTER_ACCEPT");
            assertThat(message).containsText("PROPOSE after the plan was accepted.");
            assertThat(message).containsText("Section 1.4 of the protocol rules");
            assertThat(message).containsText("Send ERROR, REQUEST, and then PROPOSE.");
            assertThat(message.getByLabel("State")).containsText("Dialogue state before");
            assertThat(message.getByLabel("State").locator(".transition b").first())
                    .hasText("ACCEPTED");
            Locator record = message.getByLabel("Audit record");
            assertThat(record).containsText("This browser computed the SHA-256");
            assertThat(record).containsText("The record names the hash of the record before it.");
            Locator bytes = message.locator(".dump");
            assertThat(bytes).containsText("@a");
            message.getByRole(AriaRole.BUTTON, button("Hex")).click();
            assertThat(bytes).containsText("40 61");
        }
    }

    @Test
    void theMainPathNeedsOnlyAKeyboard() {
        try (Tab tab = tab(Role.READER)) {
            Page page = tab.page();
            assertThat(heading(page)).hasText("Overview");
            page.keyboard().press("Tab");
            assertThat(page.locator(":focus")).hasText("Skip to the content");
            press(page, "Tab", "a[href='#/conversations']");
            page.keyboard().press("Enter");
            // The heading of the new page has the focus, and is read.
            assertThat(page.locator("h1:focus")).hasText("Conversations");
            tab.settle();
            press(page, "Tab", "select[name=verdict]");
            page.keyboard().type("Has rejected");
            tab.settle();
            press(page, "Tab", "a[href='#/conversations/wrong/slip/90']");
            page.keyboard().press("Enter");
            assertThat(page.locator("h1:focus")).hasText("Conversation 90");
            tab.settle();
            press(page, "Tab", "[role=listbox]");
            for (int i = 0; i < 7; i++) {
                page.keyboard().press("ArrowDown");
            }
            assertThat(page.getByRole(AriaRole.ARTICLE, Tab.named("Message 7"))).isVisible();
            assertThat(page.locator("[role=option][aria-selected=true]"))
                    .hasAttribute("aria-label", Pattern.compile("Message 7, Rejected .*"));
            assertThat(page.url()).endsWith("#/conversations/wrong/slip/90?m=7");
            page.keyboard().press("n");
            assertThat(page.getByRole(AriaRole.ARTICLE, Tab.named("Message 9"))).isVisible();
            press(page, "Tab", ".remedy a");
            page.keyboard().press("Enter");
            assertThat(page.locator("h1:focus")).hasText("Dead letters");
            assertThat(page.getByLabel("Selected dead letter")).containsText("SLIP_DUPLICATE_COMMIT");
        }
    }

    @Test
    void theFirstDeadLetterIsWithinTenTabs() {
        try (Tab tab = tab(Role.READER)) {
            Page page = tab.page();
            page.reload();
            assertThat(heading(page)).hasText("Overview");
            int tabs = tabTo(page, "a[href='#/dead-letters']");
            page.keyboard().press("Enter");
            assertThat(page.locator("h1:focus")).hasText("Dead letters");
            tab.settle();
            tabs += tabTo(page, ".page-header .skip");
            page.keyboard().press("Enter");

            assertThat(page.locator(".letters li:first-child a:focus")).hasCount(1);
            org.assertj.core.api.Assertions.assertThat(tabs).isLessThanOrEqualTo(10);
        }
    }

    /** Presses Tab until an element has the focus; returns how often. */
    private static int tabTo(Page page, String selector) {
        for (int i = 1; i <= 10; i++) {
            page.keyboard().press("Tab");
            if (Boolean.TRUE.equals(page.evaluate("selector => document.activeElement.matches(selector)", selector))) {
                return i;
            }
        }
        throw new AssertionError("no focus on " + selector + " after ten tabs");
    }

    @Test
    void aDialogShowsTheKeysOfThePage() {
        try (Tab tab = tab(Role.READER)) {
            Page page = tab.page();
            tab.go("#/conversations/wrong/slip/90");
            Locator dialog = page.getByRole(AriaRole.DIALOG, Tab.named("Keys of this page"));
            page.keyboard().press("?");
            assertThat(dialog).containsText("next and previous message that was not accepted");
            tab.assertAccessible("keys");
            String url = page.url();
            for (int i = 0; i < 3; i++) {
                page.keyboard().press("Tab");
                page.keyboard().press("j");
                assertThat(dialog.locator("button:focus")).hasCount(1);
            }
            assertThat(page).hasURL(url);
            page.keyboard().press("Escape");
            assertThat(dialog).hasCount(0);

            page.keyboard().press("/");
            assertThat(page.locator("input[name=q]:focus")).hasCount(1);
            page.keyboard().type("/?");
            assertThat(page.locator("input[name=q]")).hasValue("/?");
            assertThat(dialog).hasCount(0);
            tab.go("#/agents");
            page.keyboard().press("?");
            assertThat(dialog).not().containsText("next and previous message");
        }
    }

    /** Presses a key until an element has the focus. */
    private static void press(Page page, String key, String selector) {
        for (int i = 0; i < 80; i++) {
            page.keyboard().press(key);
            if (Boolean.TRUE.equals(page.evaluate("selector => document.activeElement.matches(selector)", selector))) {
                return;
            }
        }
        throw new AssertionError("no focus on " + selector + " after 80 times " + key);
    }

    @Test
    void noScriptCanReadTheToken() {
        String token = demo.token(Role.READER);
        try (Tab tab = tab(Role.READER)) {
            tab.go("#/conversations");
            tab.go("#/search?q=auth");
            Page page = tab.page();
            assertThat(page.evaluate("() => JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])"))
                    .isEqualTo("[{},{},\"\"]");
            assertThat(page.evaluate("async () => (await indexedDB.databases()).length + (await caches.keys()).length"))
                    .isEqualTo(0);
            assertThat(tab.requests()).isNotEmpty().noneMatch(url -> url.contains(token));
        }
    }

    @Test
    void everyRequestGoesToTheServerOfTheConsole() {
        try (Tab tab = tab(Role.READER)) {
            VIEWS.values().forEach(tab::go);
            assertThat(tab.requests()).allMatch(url -> url.startsWith(demo.uri().toString()));
        }
    }

    @Test
    void conversationsAreFoundByWordsSenderAndTime() {
        try (Tab tab = tab(Role.READER)) {
            tab.go("#/conversations?namespace=default&protocol=slip");
            Page page = tab.page();
            page.locator("input[name=q]").fill("friday");
            page.locator("input[name=q]").press("Enter");
            Locator row = page.locator("table.conversations tbody tr");
            assertThat(row).hasCount(1);
            assertThat(page.locator("table.conversations thead")).containsText("Matches");
            assertThat(row.locator("a").first())
                    .hasAttribute("href", Pattern.compile("#/conversations/default/slip/1\\?m=\\d+"));
            assertThat(page.url()).contains("q=friday").contains("namespace=default");
            tab.go("#/conversations?q=friday&sender=no-such-agent");
            assertThat(page.getByText("No conversation matches")).isVisible();
            tab.go("#/conversations?q=friday&to=2001-01-01T00:00Z");
            assertThat(page.getByText("No conversation matches")).isVisible();
        }
    }

    /** Every ten seconds the console reads the status, and draws the page again. */
    @Test
    void aTextInAFilterSurvivesNewData() {
        try (Tab tab = tab(Role.READER)) {
            tab.go("#/conversations?namespace=default");
            Page page = tab.page();
            Locator words = page.locator("input[name=q]");
            fillBeforeNewData(page, words);
            words.press("Enter");
            assertThat(page.locator("table.conversations thead")).containsText("Matches");
            tab.go("#/conversations?namespace=default");
            assertThat(words).hasValue("");
            tab.go("#/search");
            fillBeforeNewData(page, words);
        }
    }

    private static void fillBeforeNewData(Page page, Locator words) {
        words.fill("friday");
        page.waitForResponse("**/v1/status", () -> {});
        page.evaluate("() => new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))");
        assertThat(words).hasValue("friday");
    }

    @Test
    void theWordsOfASearchAreMarkedWhereTheyWereFound() {
        try (Tab tab = tab(Role.READER)) {
            tab.go("#/search?q=friday");
            assertThat(tab.page().locator(".hits mark").first())
                    .hasText(Pattern.compile("^friday$", Pattern.CASE_INSENSITIVE));
        }
    }

    @Test
    void nothingIsShownUnderTheHeadingOfAnotherCheckpoint() {
        try (Tab tab = tab(Role.READER)) {
            Page page = tab.page();
            tab.go("#/contexts/default/auth-refactor?at=C3");
            Locator entries = page.locator("#entries-0");
            assertThat(entries).isVisible();
            List<Route> held = new ArrayList<>();
            page.route(url -> url.contains("/blame?") && url.contains("C1"), held::add);
            page.evaluate("() => { location.hash = '#/contexts/default/auth-refactor?at=C1'; }");
            Locator pane = page.getByLabel("Checkpoint", new Page.GetByLabelOptions().setExact(true));
            assertThat(pane.locator("h2")).hasText("C1");
            assertThat(entries).isHidden();
            page.waitForCondition(() -> !held.isEmpty());
            held.forEach(Route::resume);
            assertThat(entries).isVisible();
        }
    }

    @Test
    void aNarrowWindowShowsTheDiagramAndFoldsTheFilters() {
        try (Tab tab = browser.open(demo.uri(), 1024, 900, ColorScheme.LIGHT).signIn(demo.token(Role.READER))) {
            tab.go("#/conversations/wrong/slip/90?m=7");
            assertThat(tab.page().locator("svg.arrow").first()).isVisible();
            assertThat(tab.page().locator(".lane-name")).hasCount(3);
        }
        try (Tab tab = browser.open(demo.uri(), 390, 844, ColorScheme.LIGHT).signIn(demo.token(Role.READER))) {
            Page page = tab.page();
            tab.go("#/conversations?verdict=rejected");
            assertThat(page.locator("select[name=verdict]")).isHidden();
            page.getByText("Filters: 1 filter set").click();
            assertThat(page.locator("select[name=verdict]")).hasValue("rejected");
            tab.go("#/dead-letters");
            page.locator("select[name=group]").selectOption("judge SLIP_PROPOSE_AFTER_ACCEPT");
            assertThat(page).hasURL(Pattern.compile(".*#/dead-letters\\?stage=judge&code=SLIP_PROPOSE_AFTER_ACCEPT"));
            assertThat(page.locator(".letters li")).not().hasCount(0);
        }
    }

    @Test
    void aDeadLetterLeadsToTheStateBeforeIt() {
        try (Tab tab = tab(Role.READER)) {
            tab.go("#/dead-letters?stage=judge&code=SLIP_PROPOSE_AFTER_ACCEPT");
            tab.page()
                    .getByRole(AriaRole.LINK, Tab.named("In its conversation: state before it, and proof"))
                    .click();
            assertThat(tab.page().getByRole(AriaRole.ARTICLE)).containsText("Dialogue state before");
        }
    }

    @Test
    void aRejectedPatchStandsNextToWhatItFound() {
        try (Tab tab = tab(Role.READER)) {
            tab.go("#/conversations/wrong/csp/conflicts?m=1");
            Locator state = tab.page().getByRole(AriaRole.ARTICLE).getByLabel("State");
            assertThat(state).containsText("Before, at its base C1");
            assertThat(state.locator(".fields").first()).containsText("SRC");
            assertThat(state.locator(".fields").first()).containsText("src/ set by MAIN in C1");
        }
    }

    @Test
    void aPartOfACodeIsEnoughToFilter() {
        try (Tab tab = tab(Role.READER)) {
            Page page = tab.page();
            tab.go("#/conversations");
            page.locator("input[name=code]").fill("propose after accept");
            page.locator("input[name=code]").press("Enter");
            assertThat(page.locator("table.conversations tbody tr")).hasCount(1);
            assertThat(page).hasURL(Pattern.compile(".*code=SLIP_PROPOSE_AFTER_ACCEPT.*"));
            page.locator("input[name=code]").fill("duplicate");
            page.locator("input[name=code]").press("Enter");
            page.getByRole(AriaRole.LINK, Tab.named("SLIP_DUPLICATE_REQUEST")).click();
            assertThat(page.locator("table.conversations tbody tr")).not().hasCount(0);
        }
    }

    @Test
    void aComparisonNamesBothConversations() {
        try (Tab tab = tab(Role.READER)) {
            Page page = tab.page();
            tab.go("#/compare?a=default%7CSLIP%7C1&b=default%7CSLIP%7Cnone");
            assertThat(page.getByRole(AriaRole.ALERT)).isVisible();
            page.locator("input[name=b]").fill("2");
            page.locator("input[name=b]").press("Enter");
            assertThat(page.locator("table.compare tbody tr")).not().hasCount(0);
            assertThat(page).hasURL(Pattern.compile(".*b=default%7CSLIP%7C2"));
            tab.expectErrorsOfRequests();
        }
    }

    @Test
    void privateContentIsOnlyShownToAuditors() {
        String conversation = "#/conversations/default/lambda/vault?m=";
        int sequence = firstPrivate();
        try (Tab reader = tab(Role.READER)) {
            reader.go(conversation + sequence);
            assertThat(reader.page().getByRole(AriaRole.ARTICLE))
                    .containsText("The message is private, and your role does not see its content.");
            assertThat(reader.page().locator(".dump")).hasCount(0);
        }
        try (Tab auditor = tab(Role.AUDITOR)) {
            auditor.go(conversation + sequence);
            assertThat(auditor.page().locator(".dump")).isVisible();
        }
    }

    /** Sequence of the first message of the vault that readers do not see. */
    private static int firstPrivate() {
        JsonArray items = JsonParser.parseString(
                        demo.get("/v1/conversations/default/lambda/vault/messages?bodies=true", Role.READER)
                                .body())
                .getAsJsonObject()
                .getAsJsonArray("items");
        for (int i = 0; i < items.size(); i++) {
            JsonObject item = items.get(i).getAsJsonObject();
            if (item.get("redacted").getAsBoolean()) {
                return item.get("sequence").getAsInt();
            }
        }
        throw new AssertionError("the demo has no private message: " + items);
    }

    @Test
    void onlyOperatorsSeeWhatOperatorsMayDo() {
        try (Tab reader = tab(Role.READER)) {
            reader.go("#/dead-letters");
            assertThat(reader.page().getByLabel("Selected dead letter")).containsText("Your role cannot redrive");
            assertThat(reader.page().getByRole(AriaRole.BUTTON, Tab.named("Dry run")))
                    .hasCount(0);
        }
        try (Tab operator = tab(Role.OPERATOR)) {
            // Nothing of this stage is redriven by another test.
            operator.go("#/dead-letters?stage=apply");
            assertThat(selected(operator).getByRole(AriaRole.BUTTON, button("Dry run")))
                    .isVisible();
            assertThat(operator.page().locator(".identity")).containsText("the-operator");
        }
    }

    @Test
    void aBoundCallerSeesNoFiguresOfTheDeploymentAndNoErrors() {
        assertThat(demo.sendLines("{\"wire\":\"@a3|f0|c7|S0|d1|T1|k1#\",\"namespace\":\"elsewhere\"}\n")
                        .body())
                .contains("ACCEPTED");
        try (Tab tab = browser.open(demo.uri(), 1440, 900, ColorScheme.LIGHT).signIn(demo.boundToken())) {
            tab.go("#/");
            assertThat(tab.page().locator(".tiles .tile")).hasCount(2);
            assertThat(tab.page().getByText("Accounting, all inputs")).hasCount(0);
            tab.go("#/conversations");
            assertThat(tab.page().locator("main")).containsText("vault");
            assertThat(tab.page().locator("main")).not().containsText("elsewhere");
            for (String page : List.of("dead-letters", "agents", "search?q=vault", "parked")) {
                tab.go("#/" + page);
                assertThat(tab.page().locator("main")).not().containsText("elsewhere");
            }
        }
    }

    private static Locator selected(Tab tab) {
        return tab.page().getByLabel("Selected dead letter");
    }

    private static Locator.GetByRoleOptions button(String name) {
        return new Locator.GetByRoleOptions().setName(name);
    }

    @Test
    void aRejectedMessageIsRepairedAndAccepted() {
        String rejected = demo.sendLines("{\"wire\":\"@a7|f1|c7|S2|d1|T1|k1#\",\"namespace\":\"repair\"}\n")
                .body();
        assertThat(rejected).contains("SLIP_NOTHING_TO_REJECT");
        try (Tab tab = tab(Role.OPERATOR)) {
            Page page = tab.page();
            tab.go("#/conversations/repair/slip/7?m=0");
            page.getByRole(AriaRole.LINK, Tab.named("Repair its dead letter")).click();
            tab.settle();
            Locator letter = selected(tab);
            assertThat(letter).containsText("SLIP_NOTHING_TO_REJECT");
            letter.getByRole(AriaRole.BUTTON, button("Edit the bytes")).click();
            letter.getByLabel("Bytes to send").fill("@a7|f1|c7|S2|d1|T2|k2#");
            letter.getByRole(AriaRole.BUTTON, button("Dry run")).click();
            letter.locator("input[name=reason]").fill("The agent sent the wrong act.");
            assertThat(letter.locator(".outcome")).containsText("Would enter, and fail again");
            assertThat(letter.locator(".outcome")).containsText("Check k");
            assertThat(letter.getByRole(AriaRole.BUTTON, button("Redrive 1"))).isDisabled();

            letter.getByLabel("Bytes to send").fill("@a3|f0|c7|S0|d1|T2|g1c|k1|q1|t\"repaired\"#");
            letter.getByRole(AriaRole.BUTTON, button("Dry run")).click();
            assertThat(letter.locator(".outcome")).containsText("Would enter");
            assertThat(letter.locator(".outcome")).containsText("Accepted");
            letter.getByRole(AriaRole.BUTTON, button("Redrive 1")).click();
            assertThat(letter.locator(".redriven")).containsText("with edited bytes: The agent sent the wrong act.");
            assertThat(page.locator(".letters li.current")).containsText("redriven");
            Locator sent = letter.locator(".sent");
            assertThat(sent).containsText("Accepted");
            sent.getByRole(AriaRole.LINK, button("message #1")).click();
            assertThat(page.locator(".redriven")).containsText("Sent by a redrive");
            assertThat(page.getByRole(AriaRole.ARTICLE, Tab.named("Message 1"))).containsText("Accepted");
            assertThat(page.getByRole(AriaRole.ARTICLE, Tab.named("Message 1"))).containsText("repaired");
        }
    }

    @Test
    void aNewMessageAppearsInTheLiveTail() {
        try (Tab tab = tab(Role.READER)) {
            Locator live = tab.page().getByLabel("Live");
            assertThat(live).containsText("live");
            demo.sendLines("{\"wire\":\"@a3|f0|c8|S0|d1|T1|g1c|k1|q1|t\\\"seen\\\"#\",\"namespace\":\"live\"}\n");
            assertThat(live.getByRole(AriaRole.LINK, button("8 #0"))).isVisible();
        }
    }

    /** Every name and text that an agent chooses is markup, and reorders its surroundings if it can. */
    @Test
    void nothingThatAgentsSendBecomesMarkup() {
        String attack =
                "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>\u202Etxt\u0007";
        String json = attack.replace("\\", "\\\\").replace("\"", "\\\"").replace("\u0007", "\\u0007");
        String patch = "CSP/1\nFROM " + attack.replace('\u0007', '!') + "\nTO " + attack.replace('\u0007', '!')
                + "\nCTX C0\nINTENT PATCH\n\nPATCH P1\nBASE C0\n+ DEF " + "X = " + attack.replace('\u0007', '!')
                + "\nAPPLY -> C1";
        String lines =
                "{\"wire\":\"?Uc/la\",\"protocol\":\"lambda\",\"namespace\":\"" + json + "\",\"conversation\":\"" + json
                        + "\",\"sender\":\"" + json + "\"}\n{\"wire\":\"" + json + "\",\"namespace\":\"" + json
                        + "\",\"conversation\":\"" + json + "\",\"sender\":\"" + json
                        + "\",\"protocol\":\"lambda\"}\n{\"wire\":\""
                        + patch.replace("\"", "\\\"").replace("\n", "\\n") + "\",\"namespace\":\"" + json
                        + "\",\"conversation\":\"" + json + "\"}\n";
        assertThat(demo.sendLines(lines).statusCode()).isEqualTo(202);
        String name = encoded(attack);
        try (Tab tab = tab(Role.OPERATOR)) {
            List<String> views = new ArrayList<>(List.of(
                    "#/conversations?namespace=" + name,
                    "#/conversations/" + name + "/lambda/" + name + "?m=0",
                    "#/conversations/" + name + "/lambda/" + name + "?m=1",
                    "#/conversations/" + name + "/csp/" + name + "?m=0",
                    "#/contexts/" + name + "/" + name,
                    "#/contexts/" + name + "/" + name + "?view=patch",
                    "#/compare?a=" + name + "&b=" + name,
                    "#/dead-letters?stage=" + name + "&id=" + name,
                    "#/search?q=onerror",
                    "#/agents?agent=" + name,
                    "#/" + name,
                    "#/%zz"));
            for (String view : views) {
                tab.go(view);
                Page page = tab.page();
                assertThat(page.locator("main img, main script, main iframe, main [onerror]")
                                .count())
                        .as(view)
                        .isZero();
                assertThat(page.title()).as(view).isNotEqualTo("owned").endsWith("Parley");
                // No character remains that could reorder or hide text.
                assertThat((Boolean)
                                page.evaluate("() => /[\\u0000-\\u0008\\u000b-\\u001f\\u202a-\\u202e\\u2066-\\u2069]/"
                                        + ".test(document.querySelector('main').innerText)"))
                        .as(view)
                        .isFalse();
            }
            tab.expectErrorsOfRequests();
        }
    }

    private static String encoded(String text) {
        StringBuilder encoded = new StringBuilder();
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            encoded.append('%').append(String.format("%02X", b));
        }
        return encoded.toString();
    }

    @Test
    void thePageIsNotShownInAFrame() {
        try (Tab tab = browser.open(demo.uri(), 800, 600, ColorScheme.LIGHT)) {
            Page page = tab.page();
            page.navigate("data:text/html,<iframe id=f src='" + demo.uri() + "'></iframe>");
            page.waitForTimeout(1000);
            Frame frame = page.frames().get(1);
            assertThat(frame.content()).doesNotContain("assets/app.js");
            tab.expectErrorsOfFrames();
        }
    }

    /** The list of a conversation with 100,000 messages, which the test serves in windows as the API does. */
    @Test
    void aConversationOfOneHundredThousandMessagesRespondsAtOnce() {
        try (Tab tab = tab(Role.READER)) {
            Page page = tab.page();
            firstRow(page, "#/conversations/default/slip/1");
            long shortFirst = firstRow(page, "#/conversations/default/slip/1");
            long shortKeys = interactions(page);
            List<String> windows = new ArrayList<>();
            serveLongConversation(page, windows);

            assertThat((double) firstRow(page, "#/conversations/load/slip/1") / shortFirst)
                    .as("time to the first row, relative to a short conversation")
                    .isLessThan(MAX_RATIO);
            assertThat(page.locator("[role=option]").count()).isLessThan(60);
            assertThat(windows).as("only the first window is read").hasSizeLessThan(4);
            assertThat((double) interactions(page) / shortKeys)
                    .as("time of keys, relative to a short conversation")
                    .isLessThan(MAX_RATIO);
            assertThat(page.locator("[role=option][aria-selected=true]"))
                    .hasAttribute("aria-posinset", Integer.toString(LONG));
            assertThat(page.locator("[role=option][aria-selected=true] .row-gloss"))
                    .containsText("message " + (LONG - 1));
            assertThat(windows).as("windows are read where the list is").hasSizeLessThan(12);
        }
    }

    /** Milliseconds from a page without data to the first row of a conversation. */
    private static long firstRow(Page page, String conversation) {
        time(page, "#/nothing", "h1");
        return time(page, conversation, "[role=option] .row-gloss");
    }

    /** Milliseconds of some keys together; the last message is then selected. */
    private static long interactions(Page page) {
        page.locator("[role=listbox]").focus();
        return Stream.of("ArrowDown", "PageDown", "End", "Home", "End")
                .mapToLong(key -> interaction(page, key))
                .sum();
    }

    /** Milliseconds from a key until the browser has painted the row that it selects. */
    private static long interaction(Page page, String key) {
        page.evaluate("() => { window.painted = null; document.addEventListener('keydown', () => {"
                + " const start = performance.now(); requestAnimationFrame(() => requestAnimationFrame(() => {"
                + " window.painted = performance.now() - start; })); }, {once: true, capture: true}); }");
        page.keyboard().press(key);
        page.waitForFunction("() => window.painted !== null");
        assertThat(page.locator("[role=option][aria-selected=true]")).isVisible();
        return Math.round(((Number) page.evaluate("() => window.painted")).doubleValue());
    }

    private static long time(Page page, String fragment, String selector) {
        page.evaluate("fragment => { window.started = performance.now(); location.hash = fragment; }", fragment);
        page.waitForSelector(selector);
        return Math.round(((Number) page.evaluate("() => performance.now() - window.started")).doubleValue());
    }

    private static void serveLongConversation(Page page, List<String> windows) {
        String conversation = demo.get("/v1/conversations/default/slip/1").body();
        JsonObject summary = JsonParser.parseString(conversation).getAsJsonObject();
        summary.addProperty("messages", LONG);
        summary.addProperty("lastSequence", LONG - 1);
        String message = demo.get("/v1/conversations/default/slip/1/messages/0?dialogue=true")
                .body();
        page.route(url -> url.contains("/v1/conversations/load/slip/1"), route -> {
            String url = route.request().url();
            if (url.contains("/messages?")) {
                windows.add(url);
                route.fulfill(json(window(number(url, "from"), number(url, "limit"))));
            } else if (url.contains("/messages/")) {
                JsonObject one = JsonParser.parseString(message).getAsJsonObject();
                one.addProperty("sequence", Integer.parseInt(url.replaceAll(".*/messages/(\\d+).*", "$1")));
                route.fulfill(json(one.toString()));
            } else {
                route.fulfill(json(summary.toString()));
            }
        });
    }

    private static Route.FulfillOptions json(String body) {
        return new Route.FulfillOptions().setContentType("application/json").setBody(body);
    }

    private static int number(String url, String name) {
        return Integer.parseInt(url.replaceAll(".*[?&]" + name + "=(\\d+).*", "$1"));
    }

    private static String window(int from, int limit) {
        int end = Math.min(from + limit, LONG);
        JsonArray items = new JsonArray();
        for (int i = from; i < end; i++) {
            JsonObject item = new JsonObject();
            item.addProperty("sequence", i);
            item.addProperty("time", "2026-01-01T00:00:00Z");
            item.addProperty("sender", Integer.toString(i % 5));
            JsonArray to = new JsonArray();
            to.add(Integer.toString((i + 1) % 5));
            item.add("to", to);
            item.addProperty("performative", "REQUEST");
            item.addProperty("verdict", i % 50 == 49 ? "REJECTED" : "ACCEPTED");
            item.addProperty("gloss", "message " + i);
            items.add(item);
        }
        JsonObject page = new JsonObject();
        page.add("items", items);
        if (end < LONG) {
            page.addProperty("next", end);
        } else {
            page.add("next", JsonNull.INSTANCE);
        }
        return page.toString();
    }
}
