package dev.parley.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import dev.parley.console.ConsoleBrowser.Tab;
import dev.parley.server.auth.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What readers take away: rows, proofs, requests and views with a name. */
@Tag("long")
class ConsoleTakeTest extends AbstractConsoleTest {

    private static final String NO_CLIPBOARD = "() => { navigator.clipboard.writeText = text => "
            + "{ window.copied = text; return Promise.resolve(); }; }";

    private static Locator menu(Page page) {
        Locator menu = page.locator("details.take").first();
        if (menu.getAttribute("open") == null) {
            menu.locator("summary").click();
        }
        return menu;
    }

    private static String saved(Page page, String form) throws IOException {
        Locator menu = menu(page);
        return Files.readString(page.waitForDownload(() -> menu.getByRole(
                                AriaRole.BUTTON,
                                new Locator.GetByRoleOptions().setName(form).setExact(true))
                        .click())
                .path());
    }

    /** Sends messages of agents whose names are formulas. */
    private static void sendFormulas(String namespace, List<String> names) {
        StringBuilder lines = new StringBuilder();
        for (String name : names) {
            JsonObject headers = new JsonObject();
            headers.addProperty("parley-sender", name);
            headers.addProperty("parley-conversation", name);
            JsonObject line = new JsonObject();
            line.addProperty("wire", "{\"type\":\"STATE\",\"payload\":\"000110\"}");
            line.addProperty("namespace", namespace);
            line.add("headers", headers);
            lines.append(line).append('\n');
        }
        assertThat(demo.sendLines(lines.toString()).statusCode()).isEqualTo(202);
    }

    @Test
    void noNameOfAnAgentIsAFormulaInASpreadsheet() throws IOException {
        List<String> names = List.of("=HYPERLINK(\"x\")", "+1", "-1+2", "@SUM(A1)", " =1", "\uff1d1", "a,\"b\"");
        sendFormulas("taken", names);
        try (Tab tab = tab(Role.READER)) {
            tab.go("#/conversations?namespace=taken");
            assertThat(tab.page().locator(".result-count")).containsText(names.size() + " conversations");
            String csv = saved(tab.page(), "CSV");
            assertThat(csv.lines()).hasSize(names.size() + 1);
            assertThat(csv)
                    .contains(
                            "\"'=HYPERLINK(\"\"x\"\")\"",
                            "\"'+1\"",
                            "\"'-1+2\"",
                            "\"'@SUM(A1)\"",
                            "\"' =1\"",
                            "\"'\uff1d1\"",
                            "\"a,\"\"b\"\"\"");
            assertThat(csv).doesNotContainPattern("(^|,|\")[=+@\uff1d]");

            assertThat(saved(tab.page(), "JSON lines").lines())
                    .hasSize(names.size())
                    .map(line -> JsonParser.parseString(line)
                            .getAsJsonObject()
                            .get("conversation")
                            .getAsString())
                    .containsExactlyInAnyOrderElementsOf(names);
        }
    }

    @Test
    void aConversationComesWithTheProofOfEachMessage() throws IOException {
        try (Tab tab = tab(Role.READER)) {
            tab.go("#/conversations/default/slip/1");
            int messages = JsonParser.parseString(
                            demo.get("/v1/conversations/default/slip/1").body())
                    .getAsJsonObject()
                    .get("messages")
                    .getAsInt();
            assertThat(saved(tab.page(), "JSON lines").lines()).hasSize(messages);
            String proofs = saved(tab.page(), "Proofs");
            assertThat(proofs.lines().filter("c2sp.org/tlog-proof@v1"::equals)).hasSize(messages);
            String first = demo.get("/v1/conversations/default/slip/1/messages/0/proof")
                    .body();
            assertThat(proofs.lines().skip(1).findFirst())
                    .isEqualTo(first.lines().skip(1).findFirst());
        }
    }

    @Test
    void aViewHasANameAndItsRequestIsACommand() {
        try (Tab tab = tab(Role.READER)) {
            Page page = tab.page();
            tab.go("#/conversations?namespace=wrong&sort=errors&order=desc");
            page.evaluate(NO_CLIPBOARD);
            menu(page);
            page.getByRole(AriaRole.BUTTON, Tab.named("Copy the request as curl"))
                    .click();
            assertThat((String) page.evaluate("window.copied"))
                    .startsWith("curl -H \"Authorization: Bearer $PARLEY_TOKEN\" 'http")
                    .contains("/v1/conversations?", "namespace=wrong", "sort=errors");
            page.getByLabel("Save this view in this browser as").fill("<b>Who fails</b>");
            page.getByRole(AriaRole.BUTTON, Tab.named("Save view")).click();
            tab.go("#/parked");
            tab.go("#/conversations");
            menu(page).getByLabel("Saved views").getByRole(AriaRole.LINK).click();
            assertThat(page).hasURL(Pattern.compile("namespace=wrong&sort=errors"));
            assertThat(page.locator(".result-count")).containsText("the most errors first");
            menu(page)
                    .getByRole(
                            AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Remove the view <b>Who fails</b>"))
                    .click();
            assertThat(page.getByLabel("Saved views")).hasCount(0);
        }
    }
}
