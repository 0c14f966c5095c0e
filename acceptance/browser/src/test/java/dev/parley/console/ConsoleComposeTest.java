package dev.parley.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import dev.parley.console.ConsoleBrowser.Tab;
import dev.parley.server.auth.Role;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Sending the repair of a message, while another agent goes on in its conversation. */
@Tag("long")
class ConsoleComposeTest extends AbstractConsoleTest {
    private static final String TALK = "conversations/composed/slip/7";

    private static void send(String... wires) {
        StringBuilder lines = new StringBuilder();
        for (String wire : wires) {
            lines.append("{\"wire\":\"" + wire + "\",\"namespace\":\"composed\"}\n");
        }
        assertThat(demo.sendLines(lines.toString()).statusCode()).isEqualTo(202);
    }

    /** Sends the message of the page by the keyboard. */
    private static void sendByKey(Page page) {
        Locator button = page.getByRole(AriaRole.BUTTON, Tab.named("Send at #"));
        assertThat(button).isEnabled();
        button.focus();
        page.keyboard().press("Enter");
    }

    @Test
    void aRepairIsSentAlthoughAnotherAgentOvertakesItOnce() {
        send("@a3|f0|c7|S0|d1|T1|k1#", "@a4|f1|c7|S1|d0|T2|k1#", "@a6|f1|c7|S0|d1|T3|k1#", "@a4|f1|c7|S1|d0|T4|k1#");
        try (Tab tab = tab(Role.OPERATOR)) {
            Page page = tab.page();
            tab.go("#/" + TALK + "?m=3");
            page.getByRole(AriaRole.LINK, Tab.named("Send the repair")).click();
            Locator steps = page.getByLabel("Messages of the remedy");
            assertThat(steps.getByRole(AriaRole.BUTTON)).hasCount(3);
            steps.getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("ERROR"))
                    .click();
            Locator wire = page.getByLabel("Message", new Page.GetByLabelOptions().setExact(true))
                    .locator("textarea");
            assertThat(wire).hasValue("@a9|f2|c7|S1|d0|T5|k1#");
            assertThat(wire).isFocused();
            Locator preview = page.getByLabel("Preview");
            assertThat(preview).containsText("At #4 it would be");
            assertThat(preview).containsText("Accepted");
            assertThat(preview).containsText("T5");

            for (int width : new int[] {390, 900, 1366}) {
                page.setViewportSize(width, 900);
                tab.assertAccessible("compose-" + width);
                assertThat(page.evaluate("() => document.documentElement.scrollWidth <= innerWidth"))
                        .as("no horizontal scrolling at " + width)
                        .isEqualTo(true);
            }

            // Another agent takes the position, and the turn.
            send("@a0|f2|c7|S1|d0|T5|k1#");
            sendByKey(page);
            Locator between = page.getByLabel("What came in between");
            assertThat(between).containsText("Not applied");
            assertThat(between.getByRole(AriaRole.LISTITEM)).hasCount(2);
            assertThat(preview).containsText("SLIP_TURN_REUSED");
            assertThat(page.getByRole(AriaRole.BUTTON, Tab.named("Send at #"))).isDisabled();
            preview.getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Use the next free turn"))
                    .click();
            assertThat(wire).hasValue("@a9|f2|c7|S1|d0|T6|k1#");
            sendByKey(page);
            Locator sent = page.getByText("Sent to");
            assertThat(sent).containsText("Accepted");
            assertThat(sent).containsText("#6");

            // The next messages of the remedy follow, each with the turn that is free by then.
            for (String next : new String[] {"@a3|f0|c7|S0|d1|T7|k1#", "@a4|f1|c7|S1|d0|T8|k1#"}) {
                assertThat(preview).containsText("SLIP_TURN_REUSED");
                preview.getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Use the next free turn"))
                        .click();
                assertThat(wire).hasValue(next);
                sendByKey(page);
                assertThat(sent).containsText("Accepted");
            }
            assertThat(sent).containsText("#8");
            // The browser reports the 409.
            tab.expectError("409");
        }
        String codes = JsonParser.parseString(demo.get(DemoServer.PREFIX + "/v1/" + TALK + "/messages?view=summary")
                        .body())
                .getAsJsonObject()
                .getAsJsonArray("items")
                .asList()
                .stream()
                .map(item -> item.getAsJsonObject().get("code").toString())
                .toList()
                .toString();
        assertThat(codes)
                .isEqualTo("[null, null, null, \"SLIP_PROPOSE_AFTER_ACCEPT\", null, \"CONVERSATION_MOVED\", null, null,"
                        + " null]");
    }

    @Test
    void anErrorOfADraftIsMarkedAndAReaderMayNotSend() {
        send("@a3|f0|c8|S0|d1|T1|k1#");
        String address = "#/compose/composed/slip/8";
        try (Tab tab = tab(Role.OPERATOR)) {
            Page page = tab.page();
            tab.go("#/conversations/composed/slip/8");
            page.getByRole(AriaRole.LINK, Tab.named("Send a message")).click();
            page.locator("textarea").fill("@a3|f0|c8|S0|d1|T2|k1");
            page.getByRole(AriaRole.BUTTON, Tab.named("Preview")).click();
            Locator preview = page.getByLabel("Preview", new Page.GetByLabelOptions().setExact(true));
            assertThat(preview).containsText("Undecodable");
            assertThat(preview).containsText("error at byte 21");
            // Another text needs another preview.
            page.locator("textarea").fill("@a4|f1|c8|S1|d0|T2|k1#");
            assertThat(page.getByRole(
                            AriaRole.BUTTON,
                            new Page.GetByRoleOptions().setName("Send").setExact(true)))
                    .isDisabled();
        }
        try (Tab tab = tab(Role.READER)) {
            tab.go(address);
            assertThat(tab.page().getByText("You may not send messages")).isVisible();
        }
    }
}
