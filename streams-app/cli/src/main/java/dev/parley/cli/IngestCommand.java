package dev.parley.cli;

import dev.parley.cli.io.ConfigCommand;
import dev.parley.cli.io.Counts;
import dev.parley.cli.io.ErrorMessages;
import dev.parley.cli.io.JsonLines;
import dev.parley.cli.io.Options;
import dev.parley.cli.io.Progress;
import dev.parley.cli.transcript.Transcript;
import dev.parley.cli.transcript.Transcript.BadLine;
import dev.parley.cli.transcript.TranscriptProducer;
import dev.parley.codec.Excerpt;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.topics.InputTopics;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.apache.kafka.common.KafkaException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code parley ingest}: sends a transcript to the input topics. */
@Command(
        name = "ingest",
        description = "Sends a transcript to the input topics; prints how many records were acknowledged.",
        footer = {
            "",
            "A line without a topic goes to parley.wire; if topics.prefix is set, it replaces parley. in the names of"
                    + " input topics. A timestamp becomes the header ce_time; the broker sets the time of the record."
                    + " Records of a conversation keep their order, with or without a key."
                    + " docs/cli.md describes transcripts. FILE may also be the log of mcpsnoop, or a HAR file with"
                    + " MCP over HTTP.",
            "",
            "Exit status: 0; 1 if the brokers did not accept a record; 2 if a line is not part of a transcript,"
                    + " or its topic is not an input topic.",
            "",
            "Example:",
            "  parley ingest --config parley.properties samples/slip-release.jsonl"
        })
final class IngestCommand extends ConfigCommand {
    /** Maximum number of lines that an error lists. */
    private static final int MAX_LINES = 20;

    @Option(
            names = "--positions",
            description = "Prints the line and input position of each record, for queries with at-least=POSITION.")
    private boolean positions;

    @Parameters(paramLabel = "FILE", description = "The transcript; - for standard input.")
    private Path file;

    private record Sent(long line, String position) {}

    /** Lines that no broker has acknowledged yet, up to the last one that was read. */
    private final Set<Long> unacknowledged = new ConcurrentSkipListSet<>();

    private final AtomicLong acknowledged = new AtomicLong();
    private long last;

    @Override
    public Integer call() throws IOException {
        ParleyConfig settings = settings();
        List<String> inputs = InputTopics.of(settings).topics();
        boolean whole;
        long sent;
        try (InputStream in = Options.open(file);
                TranscriptProducer producer = new TranscriptProducer(connected());
                Progress progress = Progress.of("ingest")) {
            int room = (int) Math.min(Transcript.MAX_LINE_BYTES, 8L * settings.getInt(ParleyConfig.RECORD_BYTES));
            whole = Transcript.read(in, file, room, file + ":", err(), (number, line) -> {
                if (line.topic() != null && !inputs.contains(settings.topics().ofTranscript(line.topic()))) {
                    throw new BadLine("topic must be one of the input topics " + String.join(", ", inputs)
                            + ", but was '" + Excerpt.of(line.topic()) + "'");
                }
                last = number;
                unacknowledged.add(number);
                producer.send(line, position -> {
                    unacknowledged.remove(number);
                    acknowledged.incrementAndGet();
                    if (positions) {
                        JsonLines.print(new Sent(number, position.toString()));
                    }
                });
                progress.step();
            });
            sent = producer.flush();
        } catch (KafkaException e) {
            return failed("the brokers at " + String.join(",", settings.getList(ParleyConfig.BOOTSTRAP_SERVERS))
                    + " did not accept a record: " + Excerpt.withoutPeriod(ErrorMessages.of(e)) + "."
                    + acknowledged()
                    + " Check bootstrap.servers and the topics, then send the lines that are not acknowledged.");
        }
        System.out.println("{\"sent\":" + sent + "}");
        return whole ? 0 : 2;
    }

    /** A sentence about the lines that the brokers have not acknowledged; empty if there are none. */
    private String acknowledged() {
        int others = unacknowledged.size() - MAX_LINES;
        return unacknowledged.isEmpty()
                ? ""
                : " Up to line " + last + ", they acknowledged " + Counts.of(acknowledged.get(), "record")
                        + ", but not "
                        + unacknowledged.stream()
                                .limit(MAX_LINES)
                                .map(line -> "line " + line)
                                .collect(Collectors.joining(", "))
                        + (others > 0 ? " and " + others + " more" : "") + ".";
    }
}
