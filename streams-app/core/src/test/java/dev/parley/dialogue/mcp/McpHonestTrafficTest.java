package dev.parley.dialogue.mcp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.InboundHeader;
import dev.parley.avro.Source;
import dev.parley.avro.Verdict;
import dev.parley.codec.Code;
import dev.parley.codec.RecordHeaders;
import dev.parley.codec.Rounds;
import dev.parley.decode.WireRecord;
import dev.parley.dialogue.mcp.HonestTraffic.Captured;
import dev.parley.stage.OfflinePipeline;
import dev.parley.stage.StageSettings;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/**
 * No message of {@link HonestTraffic} is called a violation, also if the capture misses some, or cannot read them. A
 * failure prints the seed, which {@code -Dparley.seed} repeats.
 */
class McpHonestTrafficTest {
    private static final int ROUNDS = Rounds.of(300);

    /** What is unusual, but not wrong. Versions of clients behind one key differ, so headers do. */
    private static final Set<String> EXPECTED = Set.of(
            Code.MCP_AFTER_CANCEL.name(),
            Code.MCP_VERSION_HEADER.name(),
            Code.MCP_EARLY.name(),
            Code.MCP_UNDECLARED.name());

    private final long seed = Long.getLong("parley.seed", System.nanoTime());
    private final Random random = new Random(seed);

    @Test
    void processesBreakNoRule() {
        judge(HonestTraffic::stdio, UnaryOperator.identity(), true);
    }

    @Test
    void clientsThatShareAConversationBreakNoRule() {
        judge(HonestTraffic::http, UnaryOperator.identity(), true);
    }

    @Test
    void processesBreakNoRuleIfMessagesAreLost() {
        judge(HonestTraffic::stdio, this::withGaps, false);
    }

    @Test
    void clientsThatShareAConversationBreakNoRuleIfMessagesAreLost() {
        judge(HonestTraffic::http, this::withGaps, false);
    }

    @Test
    void processesBreakNoRuleIfMessagesAreUndecodable() {
        judge(HonestTraffic::stdio, this::withUndecodable, false);
    }

    @Test
    void clientsThatShareAConversationBreakNoRuleIfMessagesAreUndecodable() {
        judge(HonestTraffic::http, this::withUndecodable, false);
    }

    private void judge(
            Function<Random, List<Captured>> traffic, UnaryOperator<List<Captured>> capture, boolean isWhole) {
        int messages = 0;
        for (int round = 0; round < ROUNDS; round++) {
            List<Captured> records = capture.apply(traffic.apply(random));
            messages += records.size();
            OfflinePipeline pipeline = new OfflinePipeline(StageSettings.DEFAULT);
            for (int at = 0; at < records.size(); at++) {
                List<AuditRecord> audit = new ArrayList<>();
                accept(pipeline, records.get(at), at, audit::add);
                AuditRecord record = audit.get(0);
                boolean isUndecodable = record.getVerdict().equals(Verdict.UNDECODABLE.name());
                Set<String> warnings = new TreeSet<>(record.getWarnings());
                warnings.removeAll(EXPECTED);
                if (isUndecodable
                        ? isWhole
                        : !record.getVerdict().equals(Verdict.ACCEPTED.name()) || isWhole && !warnings.isEmpty()) {
                    throw new AssertionError("-Dparley.seed=" + seed + ": " + record.getVerdict() + " "
                            + record.getCode() + " " + record.getWarnings() + " " + record.getDetail() + "\n"
                            + text(records.subList(0, at + 1)));
                }
            }
        }
        assertThat(messages).isGreaterThan(ROUNDS);
    }

    private static void accept(OfflinePipeline pipeline, Captured captured, long offset, Consumer<AuditRecord> audit) {
        Map<String, String> headers = new HashMap<>(captured.headers());
        headers.put("parley-protocol", "mcp");
        headers.put("parley-conversation", "talk");
        List<InboundHeader> inbound = new ArrayList<>();
        headers.forEach((name, value) -> inbound.add(new InboundHeader(name, ByteBuffer.wrap(value.getBytes(UTF_8)))));
        Source source = new Source("wire", 0, offset, Instant.ofEpochMilli(offset), null);
        byte[] value = captured.wire() == null ? null : captured.wire().getBytes(UTF_8);
        WireRecord record = new WireRecord(source, null, value, RecordHeaders.ofText(headers));
        pipeline.accept(record, inbound, judged -> {}, audit);
    }

    private static String text(List<Captured> records) {
        StringBuilder text = new StringBuilder();
        records.forEach(record ->
                text.append(record.headers()).append(' ').append(record.wire()).append('\n'));
        return text.toString();
    }

    /** Drops some records, each time with a mark in a record of its own, or on the next one. */
    private List<Captured> withGaps(List<Captured> records) {
        List<Captured> kept = new ArrayList<>();
        boolean isLost = false;
        for (Captured record : records) {
            boolean isMark = record.headers().containsKey("parley-capture");
            if (random.nextInt(12) == 0 || isLost && random.nextBoolean()) {
                isLost = true;
            } else if (isLost && !isMark && random.nextBoolean()) {
                kept.add(record.with("parley-capture", "gap"));
                isLost = false;
            } else {
                if (isLost) {
                    kept.add(new Captured(
                            Map.of("parley-direction", "server-to-client", "parley-capture", "gap"), null));
                }
                kept.add(record);
                isLost = false;
            }
        }
        return kept;
    }

    /**
     * Writes an unpaired surrogate into some messages of one side, or into those with a mark: the other side reads
     * them, but Parley does not.
     */
    private List<Captured> withUndecodable(List<Captured> records) {
        String side = random.nextBoolean() ? "client-to-server" : "server-to-client";
        boolean areMarks = random.nextInt(4) == 0;
        return records.stream()
                .map(record -> {
                    boolean isOne = areMarks
                            ? record.headers().containsKey("parley-capture")
                            : side.equals(record.headers().get("parley-direction"))
                                    && !record.headers().containsKey("parley-capture")
                                    && random.nextInt(6) == 0;
                    String wire = record.wire();
                    return isOne && wire != null && wire.startsWith("{")
                            ? new Captured(
                                    record.headers(), wire.substring(0, wire.length() - 1) + ",\"z\":\"\\ud800\"}")
                            : record;
                })
                .toList();
    }
}
