package dev.parley.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.avro.InboundHeader;
import dev.parley.avro.Source;
import dev.parley.cli.transcript.Transcript;
import dev.parley.decode.WireRecord;
import dev.parley.protocol.TopicNames;
import dev.parley.stage.JudgedRecord;
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
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every line of the sample traffic says what becomes of it; the offline judge must agree. */
class SamplesTest {
    private static final Path DIRECTORY = Path.of("samples");
    private static final ObjectMapper JSON = new ObjectMapper();

    /** One line: where it stands, what it says becomes of it, and the record that it is. */
    private record Sample(String place, Outcome expected, Transcript.Line line) {}

    /** The outcome of a message. Warnings are sorted by name. */
    private record Outcome(String verdict, String code, List<String> warnings, boolean parked) {}

    static List<String> files() {
        return Samples.FILES;
    }

    @ParameterizedTest
    @MethodSource("files")
    void everyLineGetsTheVerdictThatItExpects(String file) throws Exception {
        assertAllAsExpected(read(file));
    }

    @Test
    void theFilesDoNotDisturbEachOther() throws Exception {
        assertAllAsExpected(readAll());
    }

    @Test
    void timesGoForwardFromLineToLineAndFromFileToFile() throws Exception {
        assertThat(readAll())
                .extracting(sample -> sample.line().timestamp())
                .isSorted()
                .doesNotHaveDuplicates();
    }

    @Test
    void everyFileOfTheDirectoryIsFedByTheDemo() throws IOException {
        try (Stream<Path> paths = Files.list(DIRECTORY)) {
            assertThat(paths.map(path -> path.getFileName().toString()).filter(name -> name.endsWith(".jsonl")))
                    .containsExactlyInAnyOrderElementsOf(Samples.FILES);
        }
    }

    private static void assertAllAsExpected(List<Sample> samples) {
        List<Outcome> actual = judge(samples);
        List<String> differences = new ArrayList<>();
        for (int i = 0; i < samples.size(); i++) {
            Sample sample = samples.get(i);
            if (!sample.expected().equals(actual.get(i))) {
                differences.add(sample.place() + "\n  expected " + sample.expected() + "\n  but was  " + actual.get(i));
            }
        }
        assertThat(differences).isEmpty();
    }

    private static List<Outcome> judge(List<Sample> samples) {
        OfflinePipeline pipeline = new OfflinePipeline(StageSettings.DEFAULT);
        Map<Long, List<JudgedRecord>> verdicts = new HashMap<>();
        for (int i = 0; i < samples.size(); i++) {
            Transcript.Line line = samples.get(i).line();
            String topic = Objects.requireNonNullElse(line.topic(), TopicNames.DEFAULT.wire());
            Source source = new Source(topic, 0, (long) i, Instant.ofEpochMilli(line.timestamp()), null);
            WireRecord record = new WireRecord(source, line.key(), line.wire(), line.recordHeaders());
            pipeline.accept(
                    record,
                    headers(line),
                    judged -> verdicts.computeIfAbsent(
                                    judged.inbound().getSource().getOffset(), offset -> new ArrayList<>())
                            .add(judged));
        }
        return Stream.iterate(0L, offset -> offset < samples.size(), offset -> offset + 1)
                .map(offset -> outcome(verdicts.getOrDefault(offset, List.of())))
                .toList();
    }

    /** A record has one verdict; one that was parked has its parking before it, or alone when its base never came. */
    private static Outcome outcome(List<JudgedRecord> verdicts) {
        boolean parked = !verdicts.isEmpty() && verdicts.get(0).isParked();
        if (verdicts.size() != 1 && !(parked && verdicts.size() == 2)) {
            return new Outcome(verdicts.size() + " verdicts", null, List.of(), parked);
        }
        JudgedRecord last = verdicts.get(verdicts.size() - 1);
        String code =
                last.judgement().code() == null ? null : last.judgement().code().name();
        List<String> warnings =
                last.judgement().warnings().stream().map(Enum::name).sorted().toList();
        return new Outcome(
                last.isParked() ? "PARKED" : last.judgement().verdict().name(), code, warnings, parked);
    }

    private static List<Sample> readAll() throws IOException, Transcript.BadLine {
        List<Sample> samples = new ArrayList<>();
        for (String file : Samples.FILES) {
            samples.addAll(read(file));
        }
        return samples;
    }

    private static List<Sample> read(String file) throws IOException, Transcript.BadLine {
        List<Sample> samples = new ArrayList<>();
        for (String line : Files.readAllLines(DIRECTORY.resolve(file))) {
            String place = file + ":" + (samples.size() + 1);
            samples.add(new Sample(
                    place, expected(JSON.readTree(line)), Transcript.parse(line.getBytes(StandardCharsets.UTF_8))));
        }
        assertThat(samples).as(file).isNotEmpty();
        return samples;
    }

    private static Outcome expected(JsonNode line) {
        TreeSet<String> warnings = new TreeSet<>();
        line.path("expectWarnings").forEach(warning -> warnings.add(warning.asText()));
        return new Outcome(
                line.path("expect").asText(),
                line.path("expectCode").asText(null),
                List.copyOf(warnings),
                line.path("expectParked").asBoolean());
    }

    private static List<InboundHeader> headers(Transcript.Line line) {
        return line.headers().entrySet().stream()
                .map(header -> new InboundHeader(
                        header.getKey(), ByteBuffer.wrap(header.getValue().getBytes(StandardCharsets.UTF_8))))
                .toList();
    }
}
