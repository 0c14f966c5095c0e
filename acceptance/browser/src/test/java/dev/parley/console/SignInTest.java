package dev.parley.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Request;
import com.microsoft.playwright.Response;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.Cookie;
import com.microsoft.playwright.options.LoadState;
import com.microsoft.playwright.options.SameSiteAttribute;
import dev.parley.console.ConsoleBrowser.Tab;
import dev.parley.server.auth.Role;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Sign-in of the console with a token, and with oidc-provider, a certified OpenID provider. */
@Tag("long")
class SignInTest extends AbstractConsoleTest {

    private static final String COOKIE = "parley-session";
    private static final String PLACE = "#/dead-letters?state=open";

    private static Process provider;

    /** Needs {@code npm ci} in acceptance/browser/oidc. */
    @BeforeAll
    static void startProvider() throws IOException {
        provider = new ProcessBuilder(
                        "node",
                        "provider.mjs",
                        Integer.toString(demo.providerPort()),
                        demo.uri().resolve(DemoServer.PREFIX + "/").toString())
                .directory(Path.of("acceptance", "browser", "oidc").toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        BufferedReader out =
                new BufferedReader(new InputStreamReader(provider.getInputStream(), StandardCharsets.UTF_8));
        assertThat(out.readLine()).isEqualTo("ready");
    }

    @AfterAll
    static void stopProvider() throws InterruptedException, IOException {
        provider.getOutputStream().close();
        provider.waitFor();
    }

    private static Tab open() {
        return browser.open(demo.uri(), 1440, 900, ColorScheme.LIGHT);
    }

    private static URI console() {
        return demo.uri().resolve(DemoServer.PREFIX + "/");
    }

    /** Signs in at the provider, from a page of the console. */
    private static void signIn(Page page, String user) {
        page.getByRole(AriaRole.BUTTON, Tab.named("Sign in with 127.0.0.1")).click();
        page.locator("input[name=login]").fill(user);
        page.locator("input[name=password]").fill("any");
        page.locator("button[type=submit]").click();
        page.getByRole(AriaRole.BUTTON, Tab.named("Continue")).click();
        sections(page).waitFor();
    }

    private static Locator sections(Page page) {
        return page.getByRole(AriaRole.NAVIGATION, Tab.named("Sections"));
    }

    private static Cookie session(Page page) {
        return page.context().cookies().stream()
                .filter(cookie -> cookie.name.equals(COOKIE))
                .findFirst()
                .orElseThrow();
    }

    private static boolean isSignedIn(Page page) {
        return page.context().cookies().stream().anyMatch(cookie -> cookie.name.equals(COOKIE));
    }

    @Test
    void aUserSignsInAtTheProviderAndStaysSignedInUntilTheSignOut() {
        try (Tab tab = open()) {
            Page page = tab.page();
            List<String> addresses = new ArrayList<>();
            List<Request> finished = new ArrayList<>();
            page.context().onRequest(request -> {
                addresses.add(request.url());
                if (request.url().endsWith("/session/finish")) {
                    finished.add(request);
                }
            });
            page.navigate(demo.uri() + PLACE);
            signIn(page, "auditor");

            // The place is kept, and neither address nor history has the code.
            assertThat(page).hasURL(console() + PLACE);
            assertThat(page.locator(".identity")).containsText("oidc:auditor");
            Cookie cookie = session(page);
            assertThat(cookie.httpOnly).isTrue();
            assertThat(cookie.sameSite).isEqualTo(SameSiteAttribute.STRICT);
            assertThat(page.evaluate("() => JSON.stringify([{...localStorage}, {...sessionStorage}])"))
                    .isEqualTo("[{},{}]");
            assertThat((String) page.evaluate("() => document.cookie")).doesNotContain(COOKIE);
            assertThat(addresses).noneMatch(address -> address.contains("eyJ") || address.contains(cookie.value));

            page.reload();
            assertThat(sections(page)).isVisible();
            Page second = page.context().newPage();
            second.navigate(demo.uri() + "#/agents");
            assertThat(sections(second)).isVisible();

            // A replayed code is refused.
            String body = finished.get(0).postData();
            assertThat(post(page, "session/finish", body)).isEqualTo(401);

            // An expired token is renewed, and the request is sent again.
            page.route(
                    "**/v1/whoami",
                    route -> route.fulfill(new Route.FulfillOptions()
                            .setStatus(401)
                            .setContentType("application/problem+json")
                            .setBody("{\"status\":401,\"code\":\"TOKEN_INVALID\"}")),
                    new Page.RouteOptions().setTimes(1));
            Response renewed =
                    page.waitForResponse(response -> response.url().endsWith("/session/renew"), () -> page.reload());
            assertThat(renewed.status()).isEqualTo(200);
            assertThat(sections(page)).isVisible();
            assertThat(session(page).value).isNotEqualTo(cookie.value);

            page.getByRole(AriaRole.BUTTON, Tab.named("Sign out")).click();
            page.getByRole(AriaRole.BUTTON, Tab.named("Yes, sign me out")).click();
            assertThat(page.getByLabel("Or enter a token")).isVisible();
            assertThat(page).hasURL(console().toString());
            assertThat(isSignedIn(page)).isFalse();
            second.reload();
            assertThat(second.getByLabel("Or enter a token")).isVisible();
            // A copy of the last cookie is not renewed: its refresh token is revoked.
            page.context()
                    .addCookies(List.of(
                            new Cookie(COOKIE, cookie.value).setUrl(demo.uri().toString())));
            assertThat(post(page, "session/renew", "{\"active\":true}")).isEqualTo(401);
            tab.expectErrorsOfRequests();
        }
    }

    /** Posts as the console does. */
    private static int post(Page page, String path, String body) {
        return (int) page.evaluate(
                "async ([url, body]) => (await fetch(url, {method: 'POST', body, headers: {'Parley-Console': 'http'}}))"
                        + ".status",
                List.of(console() + path, body));
    }

    @Test
    void aResponseThatThisBrowserDidNotAskForSignsNobodyIn() {
        try (Tab tab = open()) {
            Page page = tab.page();
            for (String query : List.of(
                    "?code=stolen&state=invented&iss=" + demo.provider(),
                    "?state=x&error=access_denied",
                    "?code=c&state=%00&iss=javascript:alert(1)&redirect_uri=https://evil.example#//evil.example")) {
                page.navigate(console() + query);
                assertThat(page.getByRole(AriaRole.ALERT)).containsText("this browser did not start it");
                assertThat(page.url()).matches(Pattern.quote(console().toString()) + "(#.*)?");
                assertThat(isSignedIn(page)).isFalse();
            }
            // The last page still learns that it has no session.
            page.waitForLoadState(LoadState.NETWORKIDLE);
            tab.expectErrorsOfRequests();
        }
    }

    @Test
    void aSignInWithATokenLastsInOtherTabsAndEndsWithTheSignOut() {
        try (Tab tab = tab(Role.OPERATOR)) {
            Page page = tab.page();
            page.reload();
            assertThat(page.locator(".identity")).containsText("token:the-operator");
            Page second = page.context().newPage();
            second.navigate(demo.uri() + "#/agents");
            assertThat(sections(second)).isVisible();
            page.getByRole(AriaRole.BUTTON, Tab.named("Sign out")).click();
            assertThat(page.locator("input[name=token]")).isVisible();
            assertThat(isSignedIn(page)).isFalse();
            second.reload();
            assertThat(second.locator("input[name=token]")).isVisible();
            tab.expectErrorsOfRequests();
        }
    }

    @Test
    void aPageOfAnotherSiteCanUseTheCookieForNothing() {
        try (Tab tab = tab(Role.OPERATOR)) {
            Page evil = tab.page().context().newPage();
            evil.route(
                    "http://evil.test/**",
                    route -> route.fulfill(new Route.FulfillOptions()
                            .setContentType("text/html")
                            .setBody("<p>Another site</p>")));
            // To the provider's page, at another port of the same host, the cookie belongs too.
            for (String page : List.of("http://evil.test/", demo.provider() + "/.well-known/openid-configuration")) {
                evil.navigate(page);
                String fetched = "async ([url, headers]) => fetch(url, {method: 'POST', body: '{}', credentials:"
                        + " 'include', mode: headers ? 'cors' : 'no-cors', headers: headers ? {'Parley-Console':"
                        + " 'http'} : {}}).then(response => response.type, () => 'blocked')";
                assertThat(evil.evaluate(fetched, List.of(console() + "session/end", true)))
                        .isEqualTo("blocked");
                assertThat(evil.evaluate(fetched, List.of(console() + "session/end", false)))
                        .isEqualTo(page.startsWith(demo.provider()) ? "opaque" : "blocked");
                Response posted = evil.waitForResponse(
                        response -> response.url().endsWith(":redrive"),
                        () -> evil.evaluate(
                                "url => { const form = document.createElement('form'); form.method = 'post';"
                                        + " form.enctype = 'text/plain'; form.action = url; const field ="
                                        + " document.createElement('input'); field.name = '{\"ids\":[],\"reason\":\"';"
                                        + " field.value = '\"}'; form.append(field); document.body.append(form);"
                                        + " form.submit(); }",
                                console() + "v1/dead-letters:redrive"));
                assertThat(posted.status()).isEqualTo(401);
                evil.waitForURL(response -> response.endsWith(":redrive"));
            }

            tab.page().reload();
            assertThat(tab.page().locator(".identity")).containsText("token:the-operator");
        }
    }
}
