package dev.parley.cli.io;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.InboundHeader;
import dev.parley.avro.Source;
import dev.parley.checkpoint.CheckpointReader;
import dev.parley.decode.ProducerTime;
import dev.parley.decode.RecordHeaders;
import dev.parley.decode.WireRecord;
import dev.parley.logging.ControlCharacters;
import dev.parley.protocol.TopicNames;
import dev.parley.stage.JudgedRecord;
import dev.parley.stage.OfflinePipeline;
import dev.parley.stage.StageSettings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import picocli.CommandLine.Model.CommandSpec;

/** Runs a transcript through the offline pipeline. The offset of each record is its line number, from 1. */
public final class TranscriptRun {
    private static final String DEFAULT_TOPIC = TopicNames.DEFAULT.wire();

    private final CommandSpec spec;
    private final OfflinePipeline pipeline;

    public TranscriptRun(CommandSpec spec, StageSettings settings) {
        this.spec = spec;
        this.pipeline = new OfflinePipeline(settings);
    }

    /**
     * Runs every line of a file. A line without a timestamp has that of the line before.
     *
     * @return false if a line is not part of a transcript; each is named on standard error
     */
    public boolean over(Path file, Consumer<JudgedRecord> out) throws IOException {
        return over(file, (number, line) -> {}, out, auditRecord -> {});
    }

    /**
     * Runs every line of a file, as {@link #over(Path, Consumer)} does.
     *
     * @param audit takes the audit record of each final verdict
     */
    public boolean over(Path file, Consumer<JudgedRecord> out, Consumer<AuditRecord> audit) throws IOException {
        return over(file, (number, line) -> {}, out, audit);
    }

    /**
     * Runs every line of a file, as {@link #over(Path, Consumer)} does.
     *
     * @param lines takes each line with its number, before its verdicts
     * @param audit takes the audit record of each final verdict
     */
    public boolean over(
            Path file, BiConsumer<Long, Transcript.Line> lines, Consumer<JudgedRecord> out, Consumer<AuditRecord> audit)
            throws IOException {
        boolean whole = true;
        try (InputStream in = Options.open(spec, file)) {
            DelimitedReader reader = new DelimitedReader(in, false, Transcript.MAX_LINE_BYTES);
            long number = 0;
            long time = 0;
            for (byte[] bytes = reader.next(); bytes != null; bytes = reader.next()) {
                number++;
                if (bytes.length == 0) {
                    continue;
                }
                try {
                    Transcript.Line line = Transcript.parse(bytes);
                    lines.accept(number, line);
                    time = line.timestamp() != null ? line.timestamp() : time;
                    String topic = line.topic() != null ? line.topic() : DEFAULT_TOPIC;
                    Source source =
                            new Source(topic, 0, number, Instant.ofEpochMilli(time), ProducerTime.of(line::header));
                    pipeline.accept(
                            new WireRecord(source, line.key(), line.wire(), headers(line)),
                            kept(line.headers()),
                            out,
                            audit);
                } catch (Transcript.BadLine e) {
                    whole = false;
                    spec.commandLine()
                            .getErr()
                            .println(file + ":" + number + ": " + ControlCharacters.escape(e.getMessage()));
                }
            }
        }
        return whole;
    }

    /** The checkpoints that the patches have made so far. */
    public CheckpointReader checkpoints() {
        return pipeline.checkpoints();
    }

    private static RecordHeaders headers(Transcript.Line line) {
        Map<String, byte[]> headers = new HashMap<>();
        line.headers().keySet().forEach(name -> headers.put(name, line.header(name)));
        return RecordHeaders.of(headers);
    }

    private static List<InboundHeader> kept(Map<String, String> headers) {
        List<InboundHeader> kept = new ArrayList<>();
        headers.forEach((name, value) -> kept.add(new InboundHeader(
                name, value == null ? null : ByteBuffer.wrap(value.getBytes(StandardCharsets.UTF_8)))));
        return kept;
    }
}
