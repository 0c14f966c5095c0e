package dev.parley.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.ColorScheme;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * An installed Chromium, without network beyond loopback. A test that ends with an error of the page, in the console of
 * the browser or of the content security policy, fails.
 */
final class ConsoleBrowser implements AutoCloseable {

    /** Where screenshots go. */
    static final Path SHOTS = Path.of("acceptance", "browser", "target", "screenshots");

    private static final String AXE =
            "/META-INF/resources/webjars/axe-core/" + System.getProperty("axe.version") + "/axe.min.js";

    /** Maximum time until a page shows something on a busy machine, in milliseconds. */
    private static final int TIMEOUT = 30_000;

    private final Playwright playwright;
    private final Browser browser;

    ConsoleBrowser() {
        PlaywrightAssertions.setDefaultAssertionTimeout(TIMEOUT);
        playwright = Playwright.create(
                new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
        browser = playwright
                .chromium()
                .launch(new BrowserType.LaunchOptions()
                        .setExecutablePath(executable())
                        // Containers do not allow Chromium's own sandbox.
                        .setArgs(List.of(
                                "--no-sandbox", "--disable-background-networking", "--font-render-hinting=none")));
    }

    /** Version of the browser. */
    String version() {
        return browser.version();
    }

    private static Path executable() {
        return Optional.ofNullable(System.getenv("CHROMIUM"))
                .map(Path::of)
                .or(() -> Stream.of("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome")
                        .map(Path::of)
                        .filter(Files::isExecutable)
                        .findFirst())
                .orElseThrow(() -> new IllegalStateException(
                        "There is no Chromium. Install Debian's package chromium (.ci/clients), or set CHROMIUM."));
    }

    /** Opens a tab of a size in CSS pixels. */
    Tab open(URI console, int width, int height, ColorScheme scheme) {
        return open(console, width, height, scheme, 1);
    }

    /** Opens a tab whose screenshots have the given number of pixels per CSS pixel. */
    Tab open(URI console, int width, int height, ColorScheme scheme, double scale) {
        BrowserContext context = browser.newContext(new Browser.NewContextOptions()
                .setViewportSize(width, height)
                .setDeviceScaleFactor(scale)
                .setColorScheme(scheme)
                .setReducedMotion(com.microsoft.playwright.options.ReducedMotion.REDUCE));
        return new Tab(context, console);
    }

    @Override
    public void close() {
        playwright.close();
    }

    /** A tab with the console, and the errors in it. */
    static final class Tab implements AutoCloseable {
        private final BrowserContext context;
        private final Page page;
        private final URI console;
        private final List<String> errors = new ArrayList<>();
        private final List<String> requests = new ArrayList<>();

        private Tab(BrowserContext context, URI console) {
            this.context = context;
            this.console = console;
            page = context.newPage();
            page.setDefaultTimeout(TIMEOUT);
            page.onConsoleMessage(message -> {
                if (message.type().equals("error")) {
                    errors.add(message.type() + ": " + message.text() + " at " + message.location());
                }
            });
            page.onPageError(failure -> errors.add("uncaught: " + failure));
            page.onRequest(request -> requests.add(request.url()));
        }

        Page page() {
            return page;
        }

        /** Addresses of all requests so far. */
        List<String> requests() {
            return List.copyOf(requests);
        }

        /** Loads the console, and enters a token. */
        Tab signIn(String token) {
            page.navigate(console.toString());
            page.locator("input[name=token]").fill(token);
            page.keyboard().press("Enter");
            page.getByRole(com.microsoft.playwright.options.AriaRole.NAVIGATION, named("Sections"))
                    .waitFor();
            // The first request, without a token, was refused.
            errors.removeIf(error -> error.contains("401"));
            return this;
        }

        /** Loads the console of a server that requires no token. */
        Tab visit() {
            page.navigate(console.toString());
            page.getByRole(com.microsoft.playwright.options.AriaRole.NAVIGATION, named("Sections"))
                    .waitFor();
            return this;
        }

        /** Goes to a view of the console, without loading the page again. */
        Tab go(String fragment) {
            page.evaluate("fragment => { location.hash = fragment; }", fragment);
            settle();
            return this;
        }

        /** Waits until nothing loads any more. */
        void settle() {
            page.waitForTimeout(50);
            page.waitForFunction("() => !document.querySelector('.loading, .bone, [aria-busy=\"true\"]')");
        }

        static Page.GetByRoleOptions named(String name) {
            return new Page.GetByRoleOptions().setName(name);
        }

        /** Saves a picture of the tab. */
        Path shot(String name) {
            try {
                Files.createDirectories(SHOTS);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            Path file = SHOTS.resolve(name + ".png");
            page.screenshot(new Page.ScreenshotOptions().setPath(file));
            return file;
        }

        /** Asserts that a check of accessibility has no serious finding. */
        void assertAccessible(String what) {
            page.evaluate(axe());
            JsonArray findings = JsonParser.parseString(
                            (String)
                                    page.evaluate(
                                            "async () => JSON.stringify((await axe.run(document, {resultTypes: ['violations']})).violations)"))
                    .getAsJsonArray();
            List<String> serious = new ArrayList<>();
            for (JsonElement element : findings) {
                JsonObject finding = element.getAsJsonObject();
                String impact = finding.get("impact").getAsString();
                if (impact.equals("serious") || impact.equals("critical")) {
                    finding.getAsJsonArray("nodes")
                            .forEach(node -> serious.add(finding.get("id").getAsString() + ": "
                                    + node.getAsJsonObject().get("html").getAsString() + " "
                                    + node.getAsJsonObject()
                                            .get("failureSummary")
                                            .getAsString()
                                            .replace('\n', ' ')));
                }
            }
            assertThat(serious).as(what).isEmpty();
        }

        private static String axe() {
            try (InputStream in = ConsoleBrowser.class.getResourceAsStream(AXE)) {
                if (in == null) {
                    throw new IllegalStateException("axe-core is not on the class path at " + AXE);
                }
                return new String(in.readAllBytes(), StandardCharsets.UTF_8);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** Forgets an error that a test has caused on purpose. */
        void expectError(String text) {
            assertThat(errors).as("an error with " + text).anyMatch(error -> error.contains(text));
            errors.removeIf(error -> error.contains(text));
        }

        /** Forgets the reports of a browser that did not show a page in a frame. */
        void expectErrorsOfFrames() {
            errors.removeIf(error -> error.contains("frame"));
        }

        /** Forgets failed requests, such as those for names that do not exist. */
        void expectErrorsOfRequests() {
            errors.removeIf(error -> error.contains("Failed to load resource"));
        }

        /** Asserts that the browser has reported nothing, and closes the tab. */
        @Override
        public void close() {
            context.close();
            assertThat(errors).as("errors in the browser").isEmpty();
        }
    }
}
