package dev.parley.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.Protocol;
import dev.parley.server.feature.RunningFeature;
import dev.parley.server.http.AccessLog;
import dev.parley.server.http.HttpSecurity;
import dev.parley.server.http.ProblemException.Code;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads with an access log. */
class AccessLogTest extends HttpTest {
    private final List<AccessLog.Access> entries = new CopyOnWriteArrayList<>();
    private volatile boolean full;

    @Override
    protected HttpSecurity security() {
        return Tokens.security();
    }

    @Override
    public QueryServer.Components api() {
        QueryServer.Components open = super.api();
        List<RunningFeature> features = new ArrayList<>(open.features());
        features.add((context, contributions) ->
                contributions.accessLog(this::reserve).capability("accessLog", caller -> true));
        return Loopback.components(open.views(), open.readiness(), open.metrics(), features);
    }

    private Optional<Consumer<AccessLog.Access>> reserve() {
        return full ? Optional.empty() : Optional.of(entries::add);
    }

    @Test
    void aReadIsLoggedWithItsConversationAndStatus() {
        views.conversations.add(Samples.conversation("default", Protocol.SLIP, "a|b", 1));
        views.messages.add(Samples.slip("a|b", 0));

        send("GET", "/v1/conversations/default/slip/a%7Cb/messages?limit=1", "Authorization", "Bearer auditor");

        await().until(() -> entries.size() == 1);
        AccessLog.Access access = entries.get(0);
        assertThat(access.principal()).contains("auditor");
        assertThat(access.role()).isEqualTo("auditor");
        assertThat(access.route()).isEqualTo("/v1/conversations/{namespace}/{protocol}/{conversation}/messages");
        assertThat(access.target()).isEqualTo("/v1/conversations/default/slip/a%7Cb/messages?limit=1");
        assertThat(access.conversation()).isEqualTo("default|SLIP|a|b");
        assertThat(access.status()).isEqualTo(200);
    }

    @Test
    void aReadWithACookieIsLoggedWithItsCallerAndWithoutTheToken() {
        String cookie = send(HttpRequest.newBuilder(URI.create(server().uri() + "/session/token"))
                        .header("Parley-Console", "http")
                        .POST(HttpRequest.BodyPublishers.ofString("{\"token\":\"auditor\"}"))
                        .build())
                .headers()
                .firstValue("Set-Cookie")
                .orElseThrow()
                .split(";", 2)[0];

        send("GET", "/v1/dead-letters", "Cookie", cookie, "Parley-Console", "http");

        await().until(() -> !entries.isEmpty());
        assertThat(entries).hasSize(1);
        assertThat(entries.get(0).principal()).isEqualTo("token:auditor");
        assertThat(entries.get(0).target()).isEqualTo("/v1/dead-letters");
    }

    /** The log has one name for a conversation, for any spelling of the path. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/v1/conversations/default/sLiP/7",
                "/v1/conversations/default/SLIP/7/messages",
                "/v1/conversations/default/slip/7/state",
                "/v1/positions/parley.wire/3/0",
                "/v1/tail?namespace=default&protocol=Slip&conversation=7"
            })
    void everyReadOfAConversationHasTheNameOfItsChain(String path) throws Exception {
        views.conversations.add(Samples.conversation("default", Protocol.SLIP, "7", 1));
        views.messages.add(Samples.slip("7", 0));
        views.messages.get(0).getSource().setPartition(3);
        HttpRequest request = HttpRequest.newBuilder(URI.create(server().uri() + path))
                .header("Authorization", "Bearer auditor")
                .build();
        try (InputStream body = HttpClient.newHttpClient()
                .send(request, BodyHandlers.ofInputStream())
                .body()) {
            await().until(() -> entries.size() == 1);
            assertThat(body).isNotNull();
        }
        assertThat(entries.get(0).conversation()).isEqualTo("default|SLIP|7");
    }

    @Test
    void aReadOfADeadLetterHasTheConversationOfItsMessage() {
        AuditRecord record = Samples.slip("7", 1);
        record.getSource().setPartition(0);
        views.messages.add(record);

        send("GET", "/v1/dead-letters/" + letter(1, "x"), "Authorization", "Bearer auditor");

        await().until(() -> entries.size() == 1);
        assertThat(entries.get(0).conversation()).isEqualTo("default|SLIP|7");
        assertThat(entries.get(0).status()).isEqualTo(200);
    }

    /** They show messages, or whether there are any. */
    @ParameterizedTest
    @ValueSource(strings = {"/v1/dead-letters:redrive", "/v1/conversations/default/slip/7/messages/0/redact"})
    void aRequestThatChangesSomethingIsLoggedToo(String path) {
        send(HttpRequest.newBuilder(URI.create(server().uri() + path))
                .header("Authorization", "Bearer operator")
                .POST(HttpRequest.BodyPublishers.ofString("{\"dryRun\":true,\"query\":{}}"))
                .build());

        await().until(() -> entries.size() == 1);
        assertThat(entries.get(0).target()).isEqualTo(path);
        assertThat(entries.get(0).role()).isEqualTo("operator");
    }

    @Test
    void aFailedReadIsLoggedToo() {
        send("GET", "/v1/conversations/default/slip/none", "Authorization", "Bearer reader");

        await().until(() -> entries.size() == 1);
        assertThat(entries.get(0).status()).isEqualTo(404);
    }

    @Test
    void aTailIsLoggedOnceWhileItIsOpen() throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(server().uri() + "/v1/tail?protocol=slip"))
                .header("Authorization", "Bearer auditor")
                .build();
        try (InputStream body = HttpClient.newHttpClient()
                .send(request, BodyHandlers.ofInputStream())
                .body()) {
            await().until(() -> entries.size() == 1);
            assertThat(tail.open).isOne();
            assertThat(entries.get(0).target()).isEqualTo("/v1/tail?protocol=slip");
            assertThat(entries.get(0).status()).isEqualTo(200);
        }
        await().until(() -> tail.open == 0);
        assertThat(entries).hasSize(1);
    }

    @Test
    void aTailThatIsRefusedIsLoggedWithItsStatus() {
        send("GET", "/v1/tail", "Authorization", "Bearer auditor", "Last-Event-ID", "x");

        await().until(() -> entries.size() == 1);
        assertThat(entries.get(0).status()).isEqualTo(400);
    }

    @Test
    void aReadThatCannotBeLoggedIsRefused() {
        full = true;

        problem(send("GET", "/v1/conversations", "Authorization", "Bearer reader"), Code.ACCESS_NOT_LOGGED);
        assertThat(send("HEAD", "/v1/conversations", "Authorization", "Bearer reader")
                        .statusCode())
                .isEqualTo(503);
        assertThat(send("GET", "/v1/whoami", "Authorization", "Bearer reader").statusCode())
                .isEqualTo(200);
        assertThat(send("GET", "/health/ready", "Authorization", "Bearer reader")
                        .statusCode())
                .isEqualTo(200);
        assertThat(entries).isEmpty();
    }

    @Test
    void whoamiReportsThatReadsAreLogged() {
        assertThat(parse(send("GET", "/v1/whoami", "Authorization", "Bearer reader")
                                .body())
                        .at("/features/accessLog")
                        .asBoolean())
                .isTrue();
    }
}
