package dev.parley.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import dev.parley.console.ConsoleBrowser.Tab;
import dev.parley.server.auth.Role;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Parley below the path of the documented reverse proxy. */
@Tag("long")
class ReverseProxyTest extends AbstractConsoleTest {
    @TempDir
    private static Path directory;

    private static ReverseProxy proxy;

    @BeforeAll
    static void startProxy() throws Exception {
        proxy = ReverseProxy.start(directory, demo.uri());
    }

    @AfterAll
    static void stopProxy() {
        proxy.close();
    }

    private static Locator.GetByRoleOptions named(String name) {
        return new Locator.GetByRoleOptions().setName(name);
    }

    /** Sends a SLIP message through the proxy. */
    private static void send(String namespace) {
        JsonObject line = new JsonObject();
        line.addProperty("wire", "@a3|f0|c8|S0|d1|T1|g1c|k1|q1|t\"proxied\"#");
        line.addProperty("namespace", namespace);
        HttpResponse<String> response = demo.sendLines(proxy.uri(), line + "\n");
        assertThat(response.statusCode()).as(response.body()).isEqualTo(202);
    }

    @Test
    void theConsoleShowsPagesAndTheLiveTail() {
        demo.awaitProof("/conversations/wrong/slip/90/messages/7");
        try (Tab tab = browser.open(proxy.uri(), 1440, 900, ColorScheme.LIGHT).signIn(demo.token(Role.READER))) {
            Page page = tab.page();
            Locator live = page.getByLabel("Live");
            assertThat(live).containsText("live");
            send("proxied");
            assertThat(live.getByRole(AriaRole.LINK, named("8 #0"))).isVisible();
            tab.go("#/conversations/wrong/slip/90?m=7");
            Locator message = page.getByRole(AriaRole.ARTICLE);
            assertThat(message.getByLabel("Verdict")).containsText("Rejected");
            message.getByRole(AriaRole.BUTTON, named("Proof for an outsider")).click();
            Locator proof = message.getByRole(AriaRole.BUTTON, named("Download the proof"));
            assertThat(page.waitForDownload(proof::click).suggestedFilename()).endsWith(".proof");
            assertThat(tab.requests())
                    .allMatch(request -> request.startsWith(proxy.uri().toString()));
        }
    }

    @Test
    void aNameWithASlashIsReadByItsLinkAndEncoded() {
        send("proxied/team");

        JsonObject page = JsonParser.parseString(get(proxy.uri().resolve("v1/conversations?namespace=proxied%2Fteam")))
                .getAsJsonObject();
        String link = page.getAsJsonArray("items")
                .get(0)
                .getAsJsonObject()
                .getAsJsonObject("links")
                .get("self")
                .getAsString();

        assertThat(get(proxy.uri().resolve(link))).contains("\"namespace\":\"proxied/team\"");
        assertThat(get(proxy.uri().resolve("v1/conversations/proxied%2Fteam/slip/8")))
                .contains("\"namespace\":\"proxied/team\"");
    }

    private static String get(URI address) {
        HttpResponse<String> response = demo.get(address, Role.READER);
        assertThat(response.statusCode()).as(address + response.body()).isEqualTo(200);
        return response.body();
    }

    @Test
    void commandsReachTheApi() throws Exception {
        String token = Files.writeString(directory.resolve("token"), demo.token(Role.OPERATOR))
                .toString();
        String url = " --url " + proxy.uri() + " --token-file " + token;
        String printed = demo.shell(
                directory,
                "set -e\nparley status" + url + "\nparley state auth-refactor --at checkpoint:C3" + url
                        + "\nparley dlq list" + url.replace("parley/ ", "parley "));

        assertThat(printed).contains("Accounting: ", "TOKEN_TTL", "JUDGE").endsWith("exit 0\n");
    }
}
