package dev.parley.sql;

import dev.parley.audit.AuditChain;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.ExportEnd;
import dev.parley.avro.ExportEntry;
import dev.parley.avro.ExportScope;
import dev.parley.avro.ExportStart;
import dev.parley.avro.InboundHeader;
import dev.parley.avro.LogPosition;
import dev.parley.avro.Source;
import dev.parley.cli.transcript.Transcript;
import dev.parley.codec.RecordHeaders;
import dev.parley.decode.WireRecord;
import dev.parley.log.export.ExportTarget;
import dev.parley.log.export.ExportWriter;
import dev.parley.protocol.TopicNames;
import dev.parley.stage.OfflinePipeline;
import dev.parley.stage.StageSettings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The audit records of the sample traffic, computed in memory, and exports of them. */
final class SampleTrail {
    private static final Path SAMPLES = Path.of("samples");
    private static final List<String> FILES = List.of(
            "csp-refactoring.jsonl",
            "slip-release.jsonl",
            "subit-cycles.jsonl",
            "lambda-negotiation.jsonl",
            "documents.jsonl",
            "wrong.jsonl",
            "mcp-tickets.jsonl");

    private SampleTrail() {}

    static List<AuditRecord> records() throws Exception {
        List<String> lines = new ArrayList<>();
        for (String file : FILES) {
            lines.addAll(Files.readAllLines(SAMPLES.resolve(file)));
        }
        return records(lines);
    }

    /** The audit records of the lines of a transcript. */
    static List<AuditRecord> records(List<String> lines) throws Exception {
        OfflinePipeline pipeline = new OfflinePipeline(StageSettings.DEFAULT);
        List<AuditRecord> records = new ArrayList<>();
        long offset = 0;
        for (String text : lines) {
            Transcript.Line line = Transcript.parse(text.getBytes(StandardCharsets.UTF_8));
            String topic = line.topic() == null ? TopicNames.DEFAULT.wire() : line.topic();
            Source source = new Source(topic, 0, offset++, Instant.ofEpochMilli(line.timestamp()), null);
            Map<String, byte[]> headers = new HashMap<>();
            List<InboundHeader> kept = new ArrayList<>();
            line.headers().forEach((name, value) -> {
                headers.put(name, line.header(name));
                kept.add(new InboundHeader(name, ByteBuffer.wrap(line.header(name))));
            });
            pipeline.accept(
                    new WireRecord(source, line.key(), line.wire(), RecordHeaders.of(headers)),
                    kept,
                    judged -> {},
                    records::add);
        }
        return records;
    }

    /** A record without a message, in a chain of its own. */
    static AuditRecord undecodable(String chain, byte[] raw, String detail) {
        AuditRecord record = new AuditRecord();
        record.setAllowed(List.of());
        record.setChain(chain);
        record.setSequence(0L);
        record.setPreviousHash(AuditChain.genesis());
        record.setHash(ByteBuffer.allocate(32));
        record.setPayloadHash(ByteBuffer.allocate(32));
        record.setSource(new Source("parley.wire", 0, 1L, Instant.parse("2026-01-31T10:00:00.123Z"), null));
        record.setVerdict("UNDECODABLE");
        record.setStage("DECODE");
        record.setCode("PROTOCOL_UNKNOWN");
        record.setDetail(detail);
        record.setWarnings(List.of());
        record.setInnerMessages(List.of());
        record.setProfile("LENIENT");
        record.setRaw(ByteBuffer.wrap(raw));
        record.setContentHash(ByteBuffer.allocate(32));
        record.setLog(new LogPosition(0, 0L));
        record.setRules("1");
        return record;
    }

    static Path export(Path file, ExportTarget format, List<AuditRecord> records) throws IOException {
        try (ExportWriter writer = format.to(Files.newOutputStream(file))) {
            ExportEntry start = new ExportEntry();
            start.setStart(new ExportStart(1, Instant.EPOCH, ExportScope.EVERYTHING, null, null, null));
            writer.write(start);
            for (AuditRecord record : records) {
                ExportEntry entry = new ExportEntry();
                entry.setRecord(record);
                writer.write(entry);
            }
            ExportEntry end = new ExportEntry();
            end.setEnd(new ExportEnd((long) records.size(), 0L, 0L));
            writer.write(end);
        }
        return file;
    }
}
