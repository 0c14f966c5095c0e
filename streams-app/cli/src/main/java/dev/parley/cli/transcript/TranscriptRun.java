package dev.parley.cli.transcript;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.Source;
import dev.parley.checkpoint.CheckpointReader;
import dev.parley.cli.io.Options;
import dev.parley.codec.RecordHeaders;
import dev.parley.decode.ProducerTime;
import dev.parley.decode.WireRecord;
import dev.parley.protocol.TopicNames;
import dev.parley.stage.JudgedRecord;
import dev.parley.stage.OfflinePipeline;
import dev.parley.stage.StageSettings;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Runs a transcript through the offline pipeline. The offset of each record is its line number, from 1. */
public final class TranscriptRun {

    private final PrintWriter err;
    private final OfflinePipeline pipeline;
    private long time;

    /** @param err for the lines that are not part of a transcript */
    public TranscriptRun(PrintWriter err, StageSettings settings) {
        this.err = err;
        this.pipeline = new OfflinePipeline(settings);
    }

    /**
     * Runs every line of a file. A line without a timestamp has that of the line before.
     *
     * @param lines takes each line with its number, before its verdicts
     * @param out takes the verdicts
     * @param audit takes the audit record of each final verdict
     * @return false if a line is not part of a transcript; each is named on the error output
     */
    public boolean over(
            Path file, BiConsumer<Long, Transcript.Line> lines, Consumer<JudgedRecord> out, Consumer<AuditRecord> audit)
            throws IOException {
        try (InputStream in = Options.open(file)) {
            return Transcript.read(in, file, Transcript.MAX_LINE_BYTES, file + ":", err, (number, line) -> {
                lines.accept(number, line);
                time = line.timestamp() != null ? line.timestamp() : time;
                String topic = line.topic() != null ? line.topic() : TopicNames.DEFAULT.wire();
                RecordHeaders headers = line.recordHeaders();
                Source source = new Source(topic, 0, number, Instant.ofEpochMilli(time), ProducerTime.of(headers));
                pipeline.accept(
                        new WireRecord(source, line.key(), line.wire(), headers), line.inboundHeaders(), out, audit);
            });
        }
    }

    /** The checkpoints that the patches have made so far. */
    public CheckpointReader checkpoints() {
        return pipeline.checkpoints();
    }
}
