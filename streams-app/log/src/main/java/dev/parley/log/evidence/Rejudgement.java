package dev.parley.log.evidence;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.InboundHeader;
import dev.parley.codec.Code;
import dev.parley.codec.RecordHeaders;
import dev.parley.decode.ConversationKey;
import dev.parley.decode.WireRecord;
import dev.parley.dialogue.Judge;
import dev.parley.dialogue.Judgement;
import dev.parley.encoding.ByteBuffers;
import dev.parley.log.export.ExportFile;
import dev.parley.stage.JudgedRecord;
import dev.parley.stage.OfflinePipeline;
import dev.parley.stage.StageSettings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Judges the messages of an export again. Reads the export once for each {@value #RECORDS_PER_PASS} records, each time
 * with other conversations, which bounds the states in memory. Not thread-safe.
 */
public final class Rejudgement {
    private static final int RECORDS_PER_PASS = 100_000;

    /** Sequence of a chain whose state is not known. */
    private static final long UNKNOWN = -1;

    private final StageSettings settings;
    private final Consumer<Difference> differences;
    private long judged;
    private long different;
    private boolean damaged;

    /**
     * A record that the current rules decide differently.
     *
     * @param rules version of the rules that decided
     * @param recorded recorded verdict and code
     * @param now verdict and code of the current rules
     */
    public record Difference(String chain, long sequence, String rules, String recorded, String now, String detail) {}

    /**
     * Result of judging again.
     *
     * @param records number of records of the export
     * @param judged number of those that were judged again
     * @param damaged whether a part of the export is unreadable
     */
    public record Result(long records, long judged, long differences, boolean damaged) {}

    /**
     * Creates a judgement.
     *
     * @param settings settings of the deployment
     * @param differences receives each difference
     */
    public Rejudgement(StageSettings settings, Consumer<Difference> differences) {
        this.settings = settings;
        this.differences = differences;
    }

    /**
     * Judges an export again.
     *
     * @throws IOException if it cannot be read
     */
    public Result run(Path export) throws IOException {
        long[] records = {0};
        each(export, record -> records[0]++);
        int passes = (int) (records[0] / RECORDS_PER_PASS) + 1;
        for (int pass = 0; pass < passes; pass++) {
            int number = pass;
            OfflinePipeline pipeline = new OfflinePipeline(settings);
            Map<String, Long> next = new HashMap<>();
            each(export, record -> {
                if (Math.floorMod(record.getChain().hashCode(), passes) == number) {
                    add(record, pipeline, next);
                }
            });
        }
        return new Result(records[0], judged, different, damaged);
    }

    private void each(Path export, Consumer<AuditRecord> consumer) throws IOException {
        damaged |= !ExportFile.read(export, entry -> {
            if (entry.getRecord() != null) {
                consumer.accept(entry.getRecord());
            }
        });
    }

    private void add(AuditRecord record, OfflinePipeline pipeline, Map<String, Long> next) {
        long expected = next.getOrDefault(record.getChain(), 0L);
        // The export has no headers, so it does not show again why a message was not applied.
        boolean event = record.getRedaction() != null || Judge.isUnapplied(record);
        Optional<ConversationKey> key =
                event || record.getMessage() == null ? Optional.empty() : ConversationKey.find(record.getChain());
        boolean known = expected == record.getSequence() && (event || key.isPresent());
        next.put(record.getChain(), known ? expected + 1 : UNKNOWN);
        if (known && event) {
            pipeline.replay(record);
        } else if (known) {
            judge(record, key.get(), pipeline);
        }
    }

    private void judge(AuditRecord record, ConversationKey key, OfflinePipeline pipeline) {
        AgentMessage message = record.getMessage();
        Map<String, byte[]> values = new HashMap<>();
        values.put(RecordHeaders.NAMESPACE, utf8(key.namespace()));
        values.put(RecordHeaders.PROTOCOL, utf8(key.protocol()));
        values.put(RecordHeaders.CONVERSATION, utf8(key.conversation()));
        if (message.getSender() != null) {
            values.put(RecordHeaders.SENDER, utf8(message.getSender()));
        }
        settings.protocols()
                .of(message)
                .ifPresent(protocol ->
                        protocol.wire().headers(message).forEach((name, text) -> values.put(name, utf8(text))));
        List<InboundHeader> headers = new ArrayList<>();
        values.forEach((name, value) -> headers.add(new InboundHeader(name, ByteBuffer.wrap(value))));
        WireRecord wire =
                new WireRecord(record.getSource(), null, ByteBuffers.of(message.getRaw()), RecordHeaders.of(values));
        pipeline.accept(wire, headers, now -> {
            if (!now.isParked() && now.inbound().getSource().equals(record.getSource())) {
                compare(record, now);
            }
        });
    }

    private void compare(AuditRecord record, JudgedRecord now) {
        judged++;
        Judgement judgement = now.judgement();
        Code code = judgement.code();
        String decided = decision(judgement.verdict().name(), code == null ? null : code.name());
        String recorded = decision(record.getVerdict(), record.getCode());
        if (!decided.equals(recorded)) {
            different++;
            differences.accept(new Difference(
                    record.getChain(), record.getSequence(), record.getRules(), recorded, decided, judgement.detail()));
        }
    }

    private static String decision(String verdict, String code) {
        return code == null ? verdict : verdict + " " + code;
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
