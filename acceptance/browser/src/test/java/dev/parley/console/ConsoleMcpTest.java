package dev.parley.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonObject;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import dev.parley.console.ConsoleBrowser.Tab;
import dev.parley.server.auth.Role;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** MCP in the console: changed tools, stories and masked values. */
@Tag("long")
class ConsoleMcpTest extends AbstractConsoleTest {
    private static final Duration RECORDED = Duration.ofMinutes(2);
    private static final String CLIENT = "client-to-server";
    private static final String SERVER = "server-to-client";

    /** Messages of one conversation, whose ID is the namespace. */
    private final StringBuilder lines = new StringBuilder();

    private JsonObject line(String namespace, String protocol, String wire) {
        JsonObject line = new JsonObject();
        line.addProperty("namespace", namespace);
        line.addProperty("protocol", protocol);
        line.addProperty("wire", wire);
        return line;
    }

    private void mcp(String namespace, String direction, String wire) {
        JsonObject headers = new JsonObject();
        headers.addProperty("parley-direction", direction);
        JsonObject line = line(namespace, "mcp", wire);
        line.addProperty("conversation", namespace);
        line.add("headers", headers);
        lines.append(line).append('\n');
    }

    private void send() {
        HttpResponse<String> response = demo.sendLines(lines.toString());
        assertThat(response.statusCode()).as(response.body()).isEqualTo(202);
        lines.setLength(0);
    }

    private static void awaitAnswer(String path, String text) {
        await().atMost(RECORDED).until(() -> demo.get(path).body().contains(text));
    }

    private static Locator article(Tab tab, int sequence) {
        return tab.page().getByRole(AriaRole.ARTICLE, Tab.named("Message " + sequence));
    }

    private static Locator.GetByRoleOptions button(String name) {
        return new Locator.GetByRoleOptions().setName(name).setExact(true);
    }

    private static Locator unapproved(Tab tab) {
        return tab.page().getByLabel("Definitions to approve", new Page.GetByLabelOptions().setExact(true));
    }

    private void changeATool(String namespace) {
        mcp(
                namespace,
                CLIENT,
                "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-03-26\","
                        + "\"capabilities\":{},\"clientInfo\":{\"name\":\"c\",\"version\":\"1\"}}}");
        mcp(
                namespace,
                SERVER,
                "{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{\"protocolVersion\":\"2025-03-26\",\"capabilities\":{\"tools\":{}},"
                        + "\"serverInfo\":{\"name\":\"files of \u202Eacme\",\"version\":\"1\"}}}");
        for (int id = 1; id <= 2; id++) {
            mcp(namespace, CLIENT, "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"tools/list\"}");
            mcp(
                    namespace,
                    SERVER,
                    "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":{\"tools\":[{\"name\":\"read_file\","
                            + "\"description\":\"version " + id + "\",\"inputSchema\":{\"type\":\"object\"}},"
                            + "{\"name\":\"write_file\",\"inputSchema\":{\"type\":\"object\"}}]}}");
        }
        send();
    }

    @Test
    void anOperatorApprovesAChangedToolAndAReaderCannot() {
        changeATool("changed");
        awaitAnswer("/v1/unapproved?namespace=changed", "read_file");
        try (Tab reader = tab(Role.READER)) {
            reader.go("#/?namespace=changed");
            Locator row = unapproved(reader).locator("tbody tr");
            assertThat(row).hasCount(1);
            assertThat(row).containsText("tool read_file");
            assertThat(row).not().containsText("write_file");
            assertThat(row).containsText("files of ");
            assertThat(row.locator(".hidden-char")).hasCount(1);
            row.getByRole(AriaRole.LINK).click();
            assertThat(article(reader, 5)).containsText("MCP_DEFINITION_CHANGED");
            assertThat(article(reader, 5).getByLabel("Approve")).hasCount(0);
        }
        try (Tab operator = tab(Role.OPERATOR)) {
            operator.go("#/conversations/changed/mcp/changed?m=5");
            Locator approve = article(operator, 5).getByLabel("Approve");
            Locator send = approve.getByRole(AriaRole.BUTTON, button("Approve"));
            assertThat(send).isDisabled();
            approve.locator("input[name=reason]").fill("release 2 of the server");
            send.click();
            assertThat(approve.getByRole(AriaRole.STATUS)).containsText("Sent.");
            awaitAnswer("/v1/conversations/changed/mcp/changed/messages/5", "\"approvedBy\"");
            operator.go("#/?namespace=changed");
            assertThat(unapproved(operator)).hasCount(0);
            operator.go("#/conversations/changed/mcp/changed?m=5");
            Locator approval = article(operator, 5).getByLabel("Approval");
            assertThat(approval).containsText("the-operator");
            assertThat(approval).containsText("release 2 of the server");
            assertThat(article(operator, 5).getByLabel("Approve", new Locator.GetByLabelOptions().setExact(true)))
                    .hasCount(0);
            operator.go("#/conversations/changed/mcp/changed?m=6");
            article(operator, 6).getByRole(AriaRole.LINK, button("message #5")).click();
            assertThat(article(operator, 5)).isVisible();
        }
    }

    @Test
    void aMessageLeadsToTheStoryOfItsTrace() {
        String trace = "5bf92f3577b34da6a3ce929d0e0e4736";
        String parent = "00-" + trace + "-00f067aa0ba902b7-01";
        mcp(
                "story",
                CLIENT,
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"order\",\"arguments\":{},"
                        + "\"_meta\":{\"traceparent\":\"" + parent + "\"}}}");
        mcp("story", CLIENT, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}");
        JsonObject slip = line("story", "slip", "@a3|f0|c11|S0|d1|T1|g1c|k1|q1|t\"ship it\"#");
        slip.addProperty("traceparent", parent);
        lines.append(slip).append('\n');
        send();
        for (String hit : List.of("order", "ship it")) {
            awaitAnswer("/v1/search?reference=trace:" + trace, hit);
        }
        try (Tab tab = tab(Role.READER)) {
            tab.go("#/conversations/story/mcp/story?m=0");
            article(tab, 0)
                    .getByRole(AriaRole.LINK, button("Story of its trace"))
                    .click();
            assertThat(tab.page()).hasURL(Pattern.compile(".*reference=trace(:|%3A)" + trace));
            Locator hits = tab.page().locator(".hits a");
            assertThat(hits).hasCount(2);
            hits.filter(new Locator.FilterOptions().setHasText("ship it")).click();
            assertThat(article(tab, 0)).containsText("ship it");
            tab.go("#/conversations/story/mcp/story?m=1");
            assertThat(article(tab, 1)).isVisible();
            assertThat(article(tab, 1).getByRole(AriaRole.LINK, button("Story of its trace")))
                    .hasCount(0);
        }
    }

    @Test
    void aReaderSeesThatValuesAreMaskedAndAnAuditorSeesThem() {
        mcp(
                "masked",
                CLIENT,
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"pay\",\"arguments\":"
                        + "{\"" + DemoServer.MASKED + "\":\"hunter2\",\"amount\":12}}}");
        send();
        try (Tab reader = tab(Role.READER)) {
            reader.go("#/conversations/masked/mcp/masked?m=0");
            Locator message = article(reader, 0);
            assertThat(message).containsText("The server masks values that your role does not see");
            assertThat(message).containsText("[masked]");
            assertThat(message).containsText("amount");
            assertThat(message.getByLabel("Audit record")).containsText("masked with values of the content");
            assertThat(reader.page().locator("body")).not().containsText("hunter2");
        }
        try (Tab auditor = tab(Role.AUDITOR)) {
            auditor.go("#/conversations/masked/mcp/masked?m=0");
            assertThat(article(auditor, 0)).containsText("hunter2");
            assertThat(article(auditor, 0)).not().containsText("The server masks values");
        }
    }
}
