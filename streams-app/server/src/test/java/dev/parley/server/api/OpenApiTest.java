package dev.parley.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.parley.avro.Profile;
import dev.parley.avro.Protocol;
import dev.parley.avro.Stage;
import dev.parley.avro.Verdict;
import dev.parley.protocol.TopicNames;
import dev.parley.server.api.view.CursorSeal;
import dev.parley.server.api.view.ViewApi;
import dev.parley.server.auth.Role;
import dev.parley.server.cluster.Routing;
import dev.parley.server.http.HttpSecurity;
import dev.parley.server.http.ProblemException;
import dev.parley.server.http.Route;
import dev.parley.server.ingest.RequestHeaders;
import dev.parley.topology.topics.PublicContent;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** openapi.yaml matches the API. */
class OpenApiTest extends HttpTest {

    private JsonNode document;

    @Override
    protected HttpSecurity security() {
        return Tokens.security();
    }

    @Override
    protected HttpResponse<String> send(String method, String path, String... headers) {
        return super.send(method, path, "Authorization", "Bearer operator");
    }

    @BeforeEach
    void read() throws IOException {
        document = new ObjectMapper(new YAMLFactory())
                .readTree(get("/openapi.yaml").body());
    }

    @Test
    void everyRouteIsDocumentedAndEveryDocumentedPathIsARoute() {
        Set<String> routes = new TreeSet<>();
        Routes.of(
                        api(),
                        api().views()
                                .map(all -> new ViewApi(
                                        new Routing(all),
                                        null,
                                        TopicNames.DEFAULT,
                                        PublicContent.WITHOUT_RULES,
                                        CursorSeal.of(List.of()))),
                        Tokens.security())
                .routes()
                .forEach(route -> routes.add(route.method().name().toLowerCase(Locale.ROOT) + " " + route.path()));

        assertThat(operations().map(Operation::toString)).containsExactlyInAnyOrderElementsOf(routes);
    }

    @Test
    void exactlyTheDocumentedQueryParametersAreAccepted() {
        for (Operation operation : operations().toList()) {
            String path = operation.path();
            Set<String> documented = new TreeSet<>();
            parameters(operation)
                    .filter(p -> p.path("in").asText().equals("query"))
                    .forEach(p -> documented.add(p.path("name").asText()));

            String method = operation.method().toUpperCase(Locale.ROOT);
            String detail = problem(
                            send(method, path(path) + "?no-such-parameter=1"), ProblemException.Code.INVALID_PARAMETER)
                    .path("detail")
                    .asText();

            String allowed = documented.isEmpty() ? "none" : String.join(", ", documented);
            assertThat(detail).as(path).endsWith("This endpoint takes " + allowed + ".");
        }
    }

    @Test
    void everyOperationNamesTheRoleThatItNeeds() {
        Routes.of(
                        api(),
                        api().views()
                                .map(all -> new ViewApi(
                                        new Routing(all),
                                        null,
                                        TopicNames.DEFAULT,
                                        PublicContent.WITHOUT_RULES,
                                        CursorSeal.of(List.of()))),
                        Tokens.security())
                .routes()
                .forEach(route -> {
                    JsonNode operation = document.path("paths")
                            .path(route.path())
                            .path(route.method().name().toLowerCase(Locale.ROOT));
                    JsonNode security =
                            operation.has("security") ? operation.path("security") : document.path("security");
                    List<String> roles = new ArrayList<>();
                    security.forEach(scheme -> scheme.path("token").forEach(role -> roles.add(role.asText())));
                    assertThat(roles)
                            .as(route.path())
                            .isEqualTo(
                                    route.needs() == Role.NONE
                                            ? List.of()
                                            : List.of(route.needs().text()));
                    boolean open = route.path().equals(Route.LIVE);
                    assertThat(security.isEmpty()).as(route.path()).isEqualTo(open);
                    // Without tokens, every caller is a reader.
                    assertThat(security.findValues("token").size() < security.size())
                            .as(route.path())
                            .isEqualTo(!open && Role.READER.includes(route.needs()));
                });
        Set<String> given = new TreeSet<>(Role.GIVEN.stream().map(Role::text).toList());
        given.forEach(
                role -> assertThat(document.at("/info/description").asText()).contains(role));
    }

    @Test
    void everyHeaderThatIsReadIsDocumented() {
        Set<String> read = RequestHeaders.names();
        Set<String> documented = new TreeSet<>();
        parameters(new Operation("post", "/v1/wire"))
                .filter(p -> p.path("in").asText().equals("header"))
                .forEach(p -> documented.add(p.path("name").asText()));

        assertThat(documented).isEqualTo(read);
        operations()
                .filter(operation -> !operation.path().equals("/v1/wire"))
                .forEach(operation -> assertThat(parameters(operation)
                                .filter(p -> p.path("in").asText().equals("header"))
                                .map(p -> p.path("name").asText()))
                        .as(operation.toString())
                        .isEqualTo(operation.path().equals("/v1/tail") ? List.of("Last-Event-ID") : List.of()));
    }

    @Test
    void everySymbolIsDocumented() {
        assertSymbols("Verdict", Verdict.values());
        assertSymbols("Protocol", Protocol.values());
        assertThat(symbols("/components/schemas/Stage/enum"))
                .containsExactlyInAnyOrderElementsOf(
                        TopicNames.DEAD_LETTER_STAGES.stream().map(Enum::name).toList());
        assertThat(symbols("/components/schemas/Message/properties/stage/enum"))
                .containsExactlyInAnyOrderElementsOf(
                        Stream.of(Stage.values()).map(Enum::name).toList());
        assertThat(symbols("/components/schemas/Message/properties/profile/enum"))
                .containsExactlyInAnyOrderElementsOf(
                        Stream.of(Profile.values()).map(Enum::name).toList());
    }

    private void assertSymbols(String schema, Enum<?>[] symbols) {
        assertThat(symbols("/components/schemas/" + schema + "/enum"))
                .as(schema)
                .containsExactlyInAnyOrderElementsOf(
                        Stream.of(symbols).map(Enum::name).toList());
    }

    private List<String> symbols(String pointer) {
        List<String> symbols = new ArrayList<>();
        document.at(pointer).forEach(symbol -> symbols.add(symbol.asText()));
        return symbols;
    }

    @Test
    void everyStatusOfAProblemIsDocumentedSomewhere() {
        Set<String> statuses = new TreeSet<>();
        document.path("paths").forEach(path -> path.findValues("responses").forEach(r -> statuses.addAll(names(r))));
        String text = document.at("/info/description").asText();
        for (ProblemException.Code code : ProblemException.Code.values()) {
            String status = Integer.toString(code.status());
            assertThat(statuses.contains(status) || text.contains(status))
                    .as(code.name())
                    .isTrue();
        }
    }

    @Test
    void everyPathParameterIsDocumented() {
        for (Operation operation : operations().toList()) {
            String path = operation.path();
            List<String> documented = parameters(operation)
                    .filter(p -> p.path("in").asText().equals("path"))
                    .map(p -> p.path("name").asText())
                    .toList();
            List<String> inPath = new ArrayList<>();
            for (int open = path.indexOf('{'); open >= 0; open = path.indexOf('{', open + 1)) {
                inPath.add(path.substring(open + 1, path.indexOf('}', open)));
            }
            assertThat(documented).as(path).isEqualTo(inPath);
        }
    }

    @Test
    void everyReferenceResolves() {
        for (JsonNode reference : document.findValues("$ref")) {
            assertThat(document.at(reference.asText().substring(1)).isMissingNode())
                    .as(reference.asText())
                    .isFalse();
        }
    }

    @Test
    void everyProblemCodeIsDocumented() {
        List<String> documented = new ArrayList<>();
        document.at("/components/schemas/Problem/properties/code/enum").forEach(code -> documented.add(code.asText()));

        assertThat(documented)
                .containsExactlyElementsOf(Stream.of(ProblemException.Code.values())
                        .map(Enum::name)
                        .toList());
    }

    /** A method, in lower case, of a path. */
    private record Operation(String method, String path) {
        @Override
        public String toString() {
            return method + " " + path;
        }
    }

    private Stream<Operation> operations() {
        return names(document.path("paths")).stream()
                .flatMap(path -> names(document.path("paths").path(path)).stream()
                        .filter(name -> !name.equals("parameters"))
                        .map(method -> new Operation(method, path)));
    }

    private Stream<JsonNode> parameters(Operation operation) {
        JsonNode item = document.path("paths").path(operation.path());
        List<JsonNode> found = new ArrayList<>();
        item.path("parameters").forEach(found::add);
        item.path(operation.method()).path("parameters").forEach(found::add);
        return found.stream()
                .map(p -> p.has("$ref") ? document.at(p.path("$ref").asText().substring(1)) : p);
    }

    private static String path(String template) {
        return template.replace("{protocol}", "SLIP").replace("{", "").replace("}", "");
    }

    private static Set<String> names(JsonNode object) {
        Set<String> names = new TreeSet<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }
}
