package dev.parley.console;

import com.microsoft.playwright.options.ColorScheme;
import dev.parley.console.ConsoleBrowser.Tab;
import dev.parley.server.auth.Role;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests of the console in a browser of their class, with the demo that all classes share. */
@ExtendWith(SharedDemo.class)
abstract class AbstractConsoleTest {
    static DemoServer demo;
    static ConsoleBrowser browser;

    @BeforeAll
    static void start(DemoServer shared) {
        demo = shared;
        browser = new ConsoleBrowser();
    }

    @AfterAll
    static void stop() {
        browser.close();
    }

    static Tab tab(Role role) {
        return tab(role, 1440);
    }

    static Tab tab(Role role, int width) {
        return browser.open(demo.uri(), width, 900, ColorScheme.LIGHT).signIn(demo.token(role));
    }
}
