package dev.parley.cli;

import dev.parley.cli.io.ConfigOptions;
import dev.parley.cli.io.DelimitedReader;
import dev.parley.cli.io.ErrorMessages;
import dev.parley.cli.io.Options;
import dev.parley.cli.io.Progress;
import dev.parley.cli.io.Transcript;
import dev.parley.cli.io.TranscriptProducer;
import dev.parley.logging.ControlCharacters;
import dev.parley.topology.config.ParleyConfig;
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

/** {@code parley ingest}: sends a transcript to the input topics. */
@Command(
        name = "ingest",
        description = "Sends a transcript to the input topics; prints how many records were acknowledged.",
        footer = {
            "",
            "A line without a topic goes to parley.wire; if topics.prefix is set, it replaces parley. in the names of"
                    + " input topics. A timestamp becomes the header ce_time; the broker sets the time of the record."
                    + " Records of a conversation keep their order, with or without a key."
                    + " docs/cli.md describes transcripts.",
            "",
            "Exit status: 0; 1 if the brokers did not accept a record; 2 if a line is not part of a transcript.",
            "",
            "Example:",
            "  parley ingest --config parley.properties samples/slip-release.jsonl"
        })
final class IngestCommand implements Callable<Integer> {
    /** Maximum size of an array on every Java platform. */
    private static final long MAX_LINE_BYTES = Integer.MAX_VALUE - 16;

    @Spec
    private CommandSpec spec;

    @Mixin
    private ConfigOptions config;

    @Option(
            names = "--positions",
            description = "Prints the line and input position of each record, for queries with at-least=POSITION.")
    private boolean positions;

    @Parameters(paramLabel = "FILE", description = "The transcript; - for standard input.")
    private Path file;

    @Override
    public Integer call() throws IOException {
        ParleyConfig settings = config.read(spec);
        boolean whole = true;
        long sent;
        try (InputStream in = Options.open(spec, file);
                TranscriptProducer transcriptProducer = new TranscriptProducer(settings);
                Progress progress = Progress.of("ingest", -1)) {
            int room = (int) Math.min(MAX_LINE_BYTES, 8L * settings.getInt(ParleyConfig.RECORD_BYTES));
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
                    .println("parley ingest: the brokers at "
                            + String.join(",", settings.getList(ParleyConfig.BOOTSTRAP_SERVERS))
                            + " did not accept a record: "
                            + ErrorMessages.withoutPeriod(ErrorMessages.of(e))
                            + ". Check bootstrap.servers and the topics, then send the remaining lines.");
            return 1;
        }
        System.out.println("{\"sent\":" + sent + "}");
        return whole ? 0 : 2;
    }
}
