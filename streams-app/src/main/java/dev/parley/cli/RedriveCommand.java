package dev.parley.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.parley.avro.Stage;
import dev.parley.cli.io.ConfigOptions;
import dev.parley.config.ParleyConfig;
import dev.parley.logging.ControlCharacters;
import dev.parley.query.api.SendResult;
import dev.parley.server.KafkaRedriver;
import dev.parley.topology.setup.DeadLetterHeaders;
import dev.parley.topology.setup.InputTopics;
import dev.parley.topology.setup.StreamsSettings;
import dev.parley.topology.setup.Topics;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code parley redrive}: sends dead letters to the input topics that they came from. */
@Command(
        name = "redrive",
        description =
                "Returns dead letters, unchanged, to the input topics that they came from, and prints their new input"
                        + " positions.",
        footer = {
            "",
            "Each becomes a new input record, which is judged in the current dialogue state. Redriving a dead letter"
                    + " twice creates two input records.",
            "",
            "Exit status: 0 if all were sent; 1 if one was not.",
            "",
            "Example:",
            "  parley redrive --stage patch --partition 0 17 18"
        })
final class RedriveCommand implements Callable<Integer> {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    @Spec
    private CommandSpec spec;

    @Mixin
    private ConfigOptions config;

    @Option(
            names = "--stage",
            required = true,
            paramLabel = "STAGE",
            description = "Stage of the dead letters: decode, dialogue, patch or internal.")
    private String stage;

    @Option(
            names = "--partition",
            required = true,
            paramLabel = "N",
            description = "Partition of the dead-letter topic.")
    private int partition;

    @Parameters(arity = "1..*", paramLabel = "OFFSET", description = "Offsets in that partition.")
    private List<Long> offsets;

    @Override
    public Integer call() {
        String topic = topic();
        if (partition < 0 || offsets.stream().anyMatch(offset -> offset < 0)) {
            throw new ParameterException(spec.commandLine(), "--partition and offsets must be at least 0");
        }
        ParleyConfig settings = config.read(spec);
        PrintWriter out = spec.commandLine().getOut();
        boolean all = true;
        try (KafkaRedriver redrive = new KafkaRedriver(
                StreamsSettings.clientSettings(settings),
                InputTopics.of(settings).topics(),
                settings.outputRecordBytes(),
                TIMEOUT)) {
            for (long offset : offsets) {
                AtomicReference<String> gloss = new AtomicReference<>();
                SendResult sendResult =
                        redrive.redrive(topic, partition, offset, deadLetter -> gloss.set(gloss(settings, deadLetter)));
                if (sendResult instanceof SendResult.Sent sent) {
                    out.println(JsonNodeFactory.instance
                            .objectNode()
                            .put("offset", offset)
                            .put("sentTopic", sent.topic())
                            .put("sentPartition", sent.partition())
                            .put("sentOffset", sent.offset())
                            .put("gloss", gloss.get()));
                } else if (sendResult instanceof SendResult.Failed failed) {
                    all = false;
                    spec.commandLine()
                            .getErr()
                            .println("offset " + offset + ": " + ControlCharacters.escape(failed.detail()));
                }
            }
        }
        return all ? 0 : 1;
    }

    /** The gloss of a dead letter; null if it is not a message. */
    private static String gloss(ParleyConfig settings, ConsumerRecord<byte[], byte[]> deadLetter) {
        Header protocol = deadLetter.headers().lastHeader(DeadLetterHeaders.PROTOCOL);
        String name = protocol == null || protocol.value() == null ? "" : new String(protocol.value(), UTF_8);
        return deadLetter.value() == null
                ? null
                : settings.glosses().gloss(name, deadLetter.value()).orElse(null);
    }

    private String topic() {
        for (Stage known : Topics.DEAD_LETTER_STAGES) {
            if (known.name().equalsIgnoreCase(stage)) {
                return Topics.deadLetters(known).name();
            }
        }
        throw new ParameterException(
                spec.commandLine(), "--stage must be decode, dialogue, patch or internal, but was '" + stage + "'");
    }
}
