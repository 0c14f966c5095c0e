package dev.parley.tap;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutboxTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    @TempDir
    private Path state;

    private final ListReceiver receiver = new ListReceiver();

    private Outbox outbox(Receiver.Opener opener, boolean blocks) throws IOException {
        Outbox outbox = new Outbox(opener, Map.of(), Map.of(), SessionFile.create(state, "tap-test"), 4 << 20, blocks);
        outbox.connect();
        return outbox;
    }

    private static void offer(Outbox outbox, String session, byte[] value) {
        outbox.offer(session, Direction.CLIENT_TO_SERVER, value, Map::of);
    }

    @Test
    void trafficWaitsForTheReceiverIfItIsTo() throws Exception {
        receiver.isAway = true;
        Outbox outbox = outbox(() -> receiver, true);
        Thread traffic = new Thread(() -> {
            for (int i = 0; i < 100; i++) {
                offer(outbox, "s", new byte[100_000]);
            }
        });
        traffic.start();
        await().until(() -> traffic.getState() == Thread.State.WAITING);
        assertThat(receiver.records).isEmpty();

        receiver.isAway = false;
        traffic.join();
        outbox.close(LONG);

        assertThat(receiver.lines()).hasSize(100).noneMatch(line -> line.contains("gap"));
    }

    @Test
    void eachSessionHasItsOwnGap() throws Exception {
        receiver.isAway = true;
        Outbox outbox = outbox(() -> receiver, false);
        for (int i = 0; i < 10; i++) {
            offer(outbox, "a", new byte[1 << 20]);
            offer(outbox, "b", new byte[1]);
        }
        receiver.isAway = false;
        outbox.close(LONG);

        assertThat(receiver.records)
                .filteredOn(record -> record.headers().containsKey(Loss.HEADER))
                .singleElement()
                .satisfies(gap -> {
                    assertThat(gap.session()).isEqualTo("a");
                    assertThat(gap.headers().get(Loss.HEADER)).startsWith("records=7 bytes=7340032 ");
                });
        assertThat(receiver.records)
                .filteredOn(record -> record.session().equals("b"))
                .hasSize(10);
    }

    @Test
    void aRefusedRecordIsAGapAndTheOthersEnterOnce() throws Exception {
        try (WireEndpoint parley = new WireEndpoint()) {
            parley.status = 207;
            parley.answer =
                    "{\"items\":[{\"index\":0,\"status\":202,\"position\":\"t-0@1\",\"verdict\":{\"status\":1}},"
                            + "{\"index\":1,\"status\":400,\"code\":\"INVALID_REQUEST\"}],\"failed\":1}";
            Path token = Files.writeString(state.resolve("token"), "t0ken\n");
            URL url = new URL(parley.url() + "/v1/wire");
            HttpReceiver http = new HttpReceiver(url, token);
            List<Captured> batch = List.of(
                    new Captured("s", "\u00e9\"\n".getBytes(UTF_8), Map.of("h", "v"), 5, null),
                    new Captured("s", new byte[] {0, -1}, Map.of(), 6, null));

            assertThat(http.deliver(new Batch("b-1", batch))).containsExactly(batch.get(1));
            assertThat(http.deliver(new Batch("b-1", batch))).containsExactly(batch.get(1));

            assertThat(parley.tokens).containsOnly("Bearer t0ken");
            assertThat(parley.records).hasSize(2);
            for (int i = 0; i < 2; i++) {
                assertThat(parley.records.get(i).value()).isEqualTo(batch.get(i).value());
                assertThat(parley.records.get(i).headers())
                        .isEqualTo(batch.get(i).headers());
                assertThat(parley.records.get(i).time()).isEqualTo(batch.get(i).time());
            }
        }
    }
}
