package dev.parley.cli.instances;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.cli.api.ApiClient;
import dev.parley.cli.environment.EmbeddedEnvironment;
import dev.parley.cli.environment.RepeatedSamples;
import dev.parley.cli.environment.RunningParley;
import dev.parley.server.lifecycle.Application;
import dev.parley.topology.config.ParleyConfig;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The granules of the search index are in no changelog. */
@Tag("long")
class SearchRestoreIT {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    @TempDir
    private Path directory;

    @Test
    void anInstanceWithoutItsStateFindsTheSameRecords() throws Exception {
        try (EmbeddedEnvironment environment = EmbeddedEnvironment.shared(directory)) {
            RepeatedSamples traffic = new RepeatedSamples();
            List<String> before;
            try (Application application = Application.start(environment.config())) {
                ApiClient client = RunningParley.ready(application.uri(), TIMEOUT);
                RunningParley.send(environment.config(), traffic.rounds(1));
                RunningParley.awaitAccounted(client, traffic.taken(), TIMEOUT);
                long accepted =
                        client.get("/v1/accounting").at("/total/accepted").asLong();
                before = hits(application);
                assertThat(before).hasSize((int) accepted).hasSizeGreaterThan(100);
            }
            Map<String, Object> elsewhere =
                    Map.of(ParleyConfig.STATE_DIR, directory.resolve("empty").toString());
            try (Application application = Application.start(environment.config(elsewhere))) {
                RunningParley.ready(application.uri(), TIMEOUT);
                assertThat(hits(application)).isEqualTo(before);
            }
        }
    }

    /** The hits of all pages; a page ends after some time. */
    private static List<String> hits(Application application) throws IOException, InterruptedException {
        List<String> hits = new ArrayList<>();
        JsonNode done;
        String cursor = "";
        do {
            List<String> page = page(application, "/v1/search?verdict=ACCEPTED&limit=1000" + cursor);
            page.stream().filter(line -> line.startsWith("{\"hit\"")).forEach(hits::add);
            done = new ObjectMapper().readTree(page.get(page.size() - 1)).get("done");
            cursor = "&cursor=" + done.path("cursor").asText();
        } while (!done.get("complete").asBoolean());
        return hits;
    }

    private static List<String> page(Application application, String path) throws IOException, InterruptedException {
        HttpRequest search =
                HttpRequest.newBuilder(application.uri().resolve(path)).build();
        return HttpClient.newHttpClient()
                .send(search, BodyHandlers.ofLines())
                .body()
                .toList();
    }
}
