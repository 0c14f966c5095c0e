package dev.parley.server.witness;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.parley.log.KeyFiles;
import dev.parley.log.LogNotes;
import dev.parley.log.tlog.NoteSigner;
import dev.parley.log.tlog.SignedNote;
import dev.parley.server.ServerConfig;
import dev.parley.topology.topics.Check;
import dev.parley.topology.topics.Finding;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The preflight checks report witnesses that do not answer. */
class WitnessCheckTest {
    private final NoteSigner w1 = NoteSigner.cosigner("w1", KeyFiles.newPair());
    private final List<HttpServer> servers = new ArrayList<>();

    @AfterEach
    void stop() {
        servers.forEach(server -> server.stop(0));
    }

    /** The value of a witness that answers every request alike. */
    private String witness(NoteSigner key, int status, String body) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        server.start();
        servers.add(server);
        return key.verifierKey() + " http://127.0.0.1:" + server.getAddress().getPort();
    }

    private List<Finding> found(String... witnesses) {
        return new WitnessFeature()
                .preflight(ServerConfig.of(Map.of(WitnessFeature.WITNESSES, String.join(",", witnesses))));
    }

    private static String head(String origin, NoteSigner cosigner) {
        SignedNote note =
                SignedNote.of(LogNotes.timed(origin, 1, new byte[32], 1).text());
        return note.with(cosigner.cosign(note.text(), 1)).toString();
    }

    @Test
    void aWitnessWithTheLastHeadOfTheLogOrWithoutOneAnswers() throws IOException {
        NoteSigner w2 = NoteSigner.cosigner("w2", KeyFiles.newPair());
        assertThat(found(witness(w1, 200, head("parley/audit/0", w1)), witness(w2, 404, "none\n")))
                .isEmpty();
    }

    @Test
    void anyOtherAnswerIsAWarning() throws IOException {
        NoteSigner other = NoteSigner.cosigner("w1", KeyFiles.newPair());
        for (String witness : List.of(
                w1.verifierKey() + " http://127.0.0.1:1",
                witness(w1, 200, head("parley/audit/0", other)),
                witness(w1, 200, head("parley/audit/1", w1)),
                witness(w1, 200, "<html>\u001b[31m"),
                witness(w1, 301, ""),
                witness(w1, 500, "broken"))) {
            assertThat(found(witness)).as(witness).singleElement().satisfies(finding -> {
                assertThat(finding.check()).isEqualTo(Check.WITNESS_SILENT);
                assertThat(finding.subject()).isEqualTo("witness w1");
                assertThat(finding.problem())
                        .startsWith("There is no valid answer from http://127.0.0.1:")
                        .hasSizeLessThan(500);
            });
        }
    }
}
