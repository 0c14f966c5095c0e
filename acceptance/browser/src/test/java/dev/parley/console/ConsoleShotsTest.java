package dev.parley.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.Gson;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.ScreenshotAnimations;
import dev.parley.console.ConsoleBrowser.Tab;
import dev.parley.server.auth.Role;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import javax.imageio.ImageIO;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Compares pages of the web console with screenshots of half their size. They show recorded responses at the time of
 * their recording, so nothing in them changes by itself, except what another Chromium draws differently: then the
 * tolerance is wider, and a warning says so. {@code -Dshots.write=true} writes the screenshots again, and
 * {@code -Dshots.record=true} records the demo before.
 */
@Tag("long")
class ConsoleShotsTest {

    private static final Path EXPECTED = Path.of("acceptance", "browser", "src", "test", "shots");
    private static final Path ACTUAL = Path.of("acceptance", "browser", "target", "shots");
    private static final Path RESPONSES = EXPECTED.resolve("responses.json.gz");
    private static final Path VERSION = EXPECTED.resolve("chromium.txt");
    private static final List<String> FONTS = List.of("Inter", "JetBrains Mono");

    /** Every request is answered by the test. Browsers compute hashes only at such an address. */
    private static final URI CONSOLE = URI.create("http://localhost/");

    private static final double SCALE = 0.5;
    private static final Duration COUNTED = Duration.ofMinutes(3);
    private static final Duration SETTLED = Duration.ofSeconds(10);

    /** Maximum difference of a color channel that does not count, of 255. */
    private static final int CHANNEL = 40;

    /** Maximum share of pixels that differ. */
    private static final double PIXELS = 0.002;

    /** Maximum share with another Chromium, which may draw letters differently, but lays out the page the same. */
    private static final double OTHER_CHROMIUM_PIXELS = 0.02;

    private static final Map<String, String> VIEWS = new LinkedHashMap<>();

    static {
        VIEWS.put("overview", "#/");
        VIEWS.put("conversations", "#/conversations?verdict=rejected");
        VIEWS.put("rejected", "#/conversations/wrong/slip/90?m=7");
        VIEWS.put("undecodable", "#/conversations/-/unknown/parley.wire-1?m=3");
        VIEWS.put("patch", "#/conversations/default/csp/auth-refactor?m=16");
        VIEWS.put("nested", "#/conversations/default/lambda/council?m=0");
        VIEWS.put("redacted", "#/conversations/shots/slip/5?m=0");
        VIEWS.put("redaction", "#/conversations/shots/slip/5?m=1");
        VIEWS.put("compare", "#/compare?a=default%7CSLIP%7C1&b=default%7CSLIP%7C2");
        VIEWS.put("context", "#/contexts/default/auth-refactor?entry=TOKEN_TTL");
        VIEWS.put("difference", "#/contexts/default/auth-refactor?at=C3&view=diff&from=C3b");
        VIEWS.put("dead-letters", "#/dead-letters?stage=judge");
        VIEWS.put("agents", "#/agents");
        VIEWS.put("search", "#/search?q=auth");
    }

    private static ConsoleBrowser browser;
    private static double maxPixels;
    private static Map<String, String> responses;
    private static Instant now;
    private static DemoServer demo;

    @BeforeAll
    static void start() throws IOException {
        browser = new ConsoleBrowser();
        checkFonts();
        maxPixels = PIXELS;
        if (isWritten()) {
            Files.createDirectories(EXPECTED);
            Files.writeString(VERSION, browser.version() + "\n");
        } else if (!major(Files.readString(VERSION)).equals(major(browser.version()))) {
            maxPixels = OTHER_CHROMIUM_PIXELS;
            System.out.println("WARNING: The screenshots are of Chromium "
                    + Files.readString(VERSION).strip() + ", but this is " + browser.version() + ": up to "
                    + 100 * maxPixels + " % of their pixels may differ. -Dshots.write=true writes them again.");
        }
        if (Boolean.getBoolean("shots.record")) {
            demo = DemoServer.start();
            responses = new TreeMap<>();
            demo.sendLines("{\"wire\":\"@a3|f0|c5|S0|d1|T1|g1c|k1|q1|t\\\"secret\\\"#\",\"namespace\":\"shots\"}\n");
            demo.redact("shots/slip/5", 0, "names a customer, ticket 4711");
            Awaitility.await()
                    .atMost(COUNTED)
                    .until(() -> demo.get("/v1/conversations/shots/slip/5/messages/0")
                                    .body()
                                    .contains("redactedBy")
                            && demo.get("/v1/stats/traffic?by=none").body().contains("\"messages\""));
            now = Instant.now();
        } else {
            try (InputStream in = new GZIPInputStream(Files.newInputStream(RESPONSES))) {
                JsonObject recorded = JsonParser.parseString(new String(in.readAllBytes(), StandardCharsets.UTF_8))
                        .getAsJsonObject();
                now = Instant.parse(recorded.get("now").getAsString());
                responses = new TreeMap<>();
                recorded.getAsJsonObject("responses")
                        .entrySet()
                        .forEach(entry ->
                                responses.put(entry.getKey(), entry.getValue().getAsString()));
            }
        }
    }

    private static boolean isWritten() {
        return Boolean.getBoolean("shots.record") || Boolean.getBoolean("shots.write");
    }

    private static String major(String version) {
        return version.strip().split("\\.", 2)[0];
    }

    /** Without its fonts, every page differs, whatever the tolerance. */
    private static void checkFonts() {
        try (Tab tab = browser.open(CONSOLE, 100, 100, ColorScheme.LIGHT)) {
            for (String font : FONTS) {
                assertThat((Boolean) tab.page()
                                .evaluate(
                                        "font => ['serif', 'monospace'].some(other => {"
                                                + " const pen = document.createElement('canvas').getContext('2d');"
                                                + " const width = name => { pen.font = '40px ' + name;"
                                                + " return pen.measureText('Parley @a3|f0').width; };"
                                                + " return width(`'${font}', ${other}`) !== width(other); })",
                                        font))
                        .as("the font " + font + ", which .ci/clients installs")
                        .isTrue();
            }
        }
    }

    @AfterAll
    static void stop() throws IOException, InterruptedException {
        browser.close();
        if (demo != null) {
            demo.close();
            Files.createDirectories(EXPECTED);
            try (GZIPOutputStream out = new GZIPOutputStream(Files.newOutputStream(RESPONSES))) {
                out.write(new Gson()
                        .toJson(Map.of("now", now.toString(), "responses", responses))
                        .getBytes(StandardCharsets.UTF_8));
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"1440, 900, LIGHT", "1440, 900, DARK", "1024, 900, LIGHT", "390, 844, LIGHT"})
    void thePagesLookAsBefore(int width, int height, ColorScheme scheme) throws IOException {
        Map<String, String> differences = new LinkedHashMap<>();
        String suffix = "-" + width + "-" + scheme.name().toLowerCase(Locale.ROOT);
        try (Tab tab = visit(width, height, scheme, false)) {
            for (Map.Entry<String, String> view : VIEWS.entrySet()) {
                tab.go(view.getValue());
                compare(tab.page(), view.getKey() + suffix, differences);
            }
        }
        try (Tab tab = visit(width, height, scheme, true)) {
            tab.go("#/conversations?protocol=subit");
            compare(tab.page(), "behind" + suffix, differences);
        }
        assertThat(differences)
                .as("differences from " + EXPECTED + ", with Chromium " + browser.version() + " instead of "
                        + Files.readString(VERSION).strip() + "; the new ones are in " + ACTUAL)
                .isEmpty();
    }

    /** Opens the console at the time of the recording; its data is behind or not. */
    private static Tab visit(int width, int height, ColorScheme scheme, boolean behind) {
        Tab tab = browser.open(CONSOLE, width, height, scheme, SCALE);
        tab.page().clock().setFixedTime(now.toEpochMilli());
        tab.page().route(url -> true, route -> answer(route, behind));
        return tab.visit();
    }

    private static void answer(Route route, boolean behind) {
        URI uri = URI.create(route.request().url());
        if (uri.getPath().startsWith("/session/")) {
            route.fulfill(new Route.FulfillOptions().setBody("{}"));
            return;
        }
        if (!uri.getPath().startsWith("/v1/")) {
            route.fulfill(file(uri.getPath()));
            return;
        }
        String target = uri.getRawPath() + (uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery());
        String body =
                demo == null ? responses.get(target) : responses.computeIfAbsent(target, ConsoleShotsTest::record);
        if (body == null) {
            throw new AssertionError("no response was recorded for " + target + "; run with -Dshots.record=true");
        }
        if (behind && target.equals("/v1/status")) {
            JsonObject status = JsonParser.parseString(body).getAsJsonObject();
            status.getAsJsonObject("lag").getAsJsonObject("overdue").addProperty("views", 16_883);
            body = status.toString();
        }
        route.fulfill(
                new Route.FulfillOptions().setContentType("application/json").setBody(body));
    }

    /** The response of the demo, without the tail, which has no end. */
    private static String record(String target) {
        String body = demo.get(target, Role.OPERATOR).body();
        if (target.equals("/v1/whoami")) {
            JsonObject caller = JsonParser.parseString(body).getAsJsonObject();
            caller.getAsJsonObject("features").addProperty("tail", false);
            return caller.toString();
        }
        return body;
    }

    private static Route.FulfillOptions file(String path) {
        String name = path.equals("/") ? "index.html" : path.substring(1);
        String type = name.endsWith(".js")
                ? "text/javascript"
                : name.endsWith(".css") ? "text/css" : name.endsWith(".svg") ? "image/svg+xml" : "text/html";
        try (InputStream in = ConsoleShotsTest.class.getResourceAsStream("/dev/parley/console/" + name)) {
            return in == null
                    ? new Route.FulfillOptions().setStatus(404)
                    : new Route.FulfillOptions().setContentType(type).setBodyBytes(in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Compares a page, when it is still, with its screenshot, or writes it. */
    private static void compare(Page page, String name, Map<String, String> differences) throws IOException {
        Path file = EXPECTED.resolve(name + ".png");
        boolean write = isWritten();
        BufferedImage expected = write || !Files.exists(file) ? null : ImageIO.read(file.toFile());
        byte[] before = null;
        byte[] shot;
        String difference;
        long end = System.nanoTime() + SETTLED.toNanos();
        do {
            shot = before == null ? shot(page) : before;
            before = shot(page);
            difference = !Arrays.equals(shot, before)
                    ? "is not still"
                    : write ? null : expected == null ? "has no screenshot" : difference(expected, before);
        } while (difference != null && System.nanoTime() < end);
        Path target = write ? file : ACTUAL.resolve(name + ".png");
        if (write || difference != null) {
            Files.createDirectories(target.getParent());
            ImageIO.write(ImageIO.read(new ByteArrayInputStream(before)), "png", target.toFile());
        }
        if (difference != null) {
            differences.put(name, difference);
        }
    }

    private static byte[] shot(Page page) {
        return page.screenshot(new Page.ScreenshotOptions().setAnimations(ScreenshotAnimations.DISABLED));
    }

    private static String difference(BufferedImage expected, byte[] png) throws IOException {
        BufferedImage actual = ImageIO.read(new ByteArrayInputStream(png));
        if (actual.getWidth() != expected.getWidth() || actual.getHeight() != expected.getHeight()) {
            return actual.getWidth() + "x" + actual.getHeight() + " pixels, not " + expected.getWidth() + "x"
                    + expected.getHeight();
        }
        int different = 0;
        for (int y = 0; y < expected.getHeight(); y++) {
            for (int x = 0; x < expected.getWidth(); x++) {
                different += differs(expected.getRGB(x, y), actual.getRGB(x, y)) ? 1 : 0;
            }
        }
        return different > maxPixels * expected.getWidth() * expected.getHeight() ? different + " pixels differ" : null;
    }

    private static boolean differs(int expected, int actual) {
        for (int shift = 0; shift < 24; shift += 8) {
            if (Math.abs((expected >> shift & 0xff) - (actual >> shift & 0xff)) > CHANNEL) {
                return true;
            }
        }
        return false;
    }
}
