package dev.parley.demo;

import dev.parley.cli.transcript.Transcript;
import dev.parley.codec.Limits;
import dev.parley.protocol.Protocols;
import dev.parley.protocol.TopicNames;
import dev.parley.topology.kafka.TopicReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.apache.kafka.common.header.Header;

/**
 * The sample traffic of this repository. Each message has a unique name, "file:line", in a record header.
 *
 * @param lines the messages by name, in the order in which they are sent
 */
public record Samples(Map<String, Transcript.Line> lines) {
    /** The files, in the order in which they are sent. */
    static final List<String> FILES = List.of(
            "csp-refactoring.jsonl",
            "slip-release.jsonl",
            "subit-cycles.jsonl",
            "lambda-negotiation.jsonl",
            "documents.jsonl",
            "wrong.jsonl",
            "mcp-tickets.jsonl");

    private static final String NAME_HEADER = "parley-sample";

    /**
     * The content of the input topics: names of the samples, and number of all records, redaction requests included.
     */
    record Arrived(Set<String> samples, long records) {}

    /** Loads the samples, with their times moved so that the last one is now. */
    public static Samples load() {
        Map<String, Transcript.Line> lines = new LinkedHashMap<>();
        for (String file : FILES) {
            List<Transcript.Line> ofFile = read(file);
            for (int i = 0; i < ofFile.size(); i++) {
                lines.put(file + ":" + (i + 1), ofFile.get(i));
            }
        }
        long last = lines.values().stream()
                .filter(line -> line.timestamp() != null)
                .mapToLong(Transcript.Line::timestamp)
                .max()
                .orElse(0);
        long shift = System.currentTimeMillis() - last;
        lines.replaceAll((name, line) -> line.moved(shift).withHeader(NAME_HEADER, name));
        return new Samples(lines);
    }

    /** Number of sample messages. */
    public int size() {
        return lines.size();
    }

    /** Passes the samples that have not arrived to a sender, in order. */
    public void forEachMissing(Set<String> arrived, Consumer<Transcript.Line> sender) {
        lines.forEach((name, line) -> {
            if (!arrived.contains(name)) {
                sender.accept(line);
            }
        });
    }

    /** Reads the input topics to their end. */
    static Arrived arrived(TopicNames topics, Map<String, Object> clients) {
        Set<String> samples = new HashSet<>();
        LongAdder records = new LongAdder();
        try (TopicReader reader = new TopicReader(clients)) {
            List<String> inputs = new ArrayList<>(topics.inputs(Protocols.STANDARD));
            inputs.add(topics.redaction());
            for (String topic : inputs) {
                reader.readAll(topic, record -> {
                    records.increment();
                    Header name = record.headers().lastHeader(NAME_HEADER);
                    if (name != null) {
                        samples.add(new String(name.value(), StandardCharsets.UTF_8));
                    }
                });
            }
        }
        return new Arrived(samples, records.sum());
    }

    /** The lines of a file, which has no empty ones. */
    public static List<Transcript.Line> read(String file) {
        List<Transcript.Line> lines = new ArrayList<>();
        try (InputStream in = Samples.class.getResourceAsStream("/samples/" + file)) {
            if (in == null) {
                throw new IllegalStateException("the sample traffic " + file + " is missing from the jar");
            }
            StringWriter errors = new StringWriter();
            boolean whole = Transcript.read(
                    in,
                    null,
                    8 * Limits.DEFAULT.messageBytes(),
                    file + ":",
                    new PrintWriter(errors),
                    (number, line) -> lines.add(line));
            if (!whole) {
                throw new IllegalStateException("the sample traffic is damaged: " + errors);
            }
            return lines;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the sample traffic " + file, e);
        }
    }
}
