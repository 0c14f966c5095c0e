package dev.parley.cli;

import dev.parley.cli.io.ConfigOptions;
import dev.parley.cli.io.DelimitedReader;
import dev.parley.cli.io.Options;
import dev.parley.cli.io.Progress;
import dev.parley.cli.io.Transcript;
import dev.parley.cli.io.TranscriptProducer;
import dev.parley.config.ParleyConfig;
import dev.parley.logging.ControlCharacters;
import dev.parley.topology.setup.StreamsSettings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.apache.kafka.common.KafkaException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code parley ingest}: a transcript into the input topics. */
@Command(
        name = "ingest",
        description = "Sends a transcript to the input topics; prints how many records were acknowledged.",
        footer = {
            "",
            "A line without a topic goes to parley.wire. A timestamp goes along in the header ce_time; the broker"
                    + " dates the record.",
            "Records of one conversation keep their order, with or without a key.",
            "Exit status: 0; 1 when the brokers did not take a record; 2 when a line is no part of a transcript.",
            "",
            "Example:",
            "  parley ingest --config parley.properties samples/slip-release.jsonl"
        })
final class IngestCommand implements Callable<Integer> {
    /** What an array can hold on every Java platform. */
    private static final long MOST_LINE_BYTES = Integer.MAX_VALUE - 16;

    @Spec
    private CommandSpec spec;

    @Mixin
    private ConfigOptions config;

    @Option(
            names = "--positions",
            description =
                    "Prints for each record its line and its place in the input, which a query can demand: at-least=…")
    private boolean positions;

    @Parameters(paramLabel = "FILE", description = "The transcript; - for standard input.")
    private Path file;

    @Override
    public Integer call() throws IOException {
        ParleyConfig settings = config.read(spec);
        boolean whole = true;
        long sent;
        try (InputStream in = Options.open(spec, file);
                TranscriptProducer transcriptProducer = new TranscriptProducer(
                        StreamsSettings.clientSettings(settings), settings.getInt(ParleyConfig.RECORD_BYTES));
                Progress progress = Progress.of("ingest", -1)) {
            int room = (int) Math.min(MOST_LINE_BYTES, 8L * settings.getInt(ParleyConfig.RECORD_BYTES));
            DelimitedReader lines = new DelimitedReader(in, false, room);
            long number = 0;
            for (byte[] bytes = lines.next(); bytes != null; bytes = lines.next()) {
                number++;
                if (bytes.length > 0) {
                    try {
                        long line = number;
                        transcriptProducer.send(Transcript.parse(bytes), position -> {
                            if (positions) {
                                System.out.println("{\"line\":" + line + ",\"position\":\"" + position + "\"}");
                            }
                        });
                        progress.step();
                    } catch (Transcript.BadLine e) {
                        whole = false;
                        spec.commandLine()
                                .getErr()
                                .println(file + ":" + number + ": " + ControlCharacters.escape(e.getMessage()));
                    }
                }
            }
            sent = transcriptProducer.flush();
        } catch (KafkaException e) {
            spec.commandLine()
                    .getErr()
                    .println("the brokers at "
                            + String.join(",", settings.getList(ParleyConfig.BOOTSTRAP_SERVERS))
                            + " did not take a record: "
                            + e.getMessage() + "; check bootstrap.servers and the topics, then send the rest again");
            return 1;
        }
        System.out.println("{\"sent\":" + sent + "}");
        return whole ? 0 : 2;
    }
}
