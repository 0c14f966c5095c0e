package dev.parley.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.Profile;
import dev.parley.codec.Code;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The dialogue scenarios of the folder conformance: one test for each. They are the tables of these rules' tests;
 * docs/conformance.md says what stands in them. The other vectors are tested with the codecs, and once more by the
 * command.
 */
class DialogueConformanceTest {
    private static final Path KIT = Path.of("conformance");
    private static final List<String> FOLDERS = List.of("decode", "record", "dialogue");

    /** A scenario under the name that a report shows. */
    record Trial(ConformanceVector vector, Profile profile) {
        @Override
        public String toString() {
            return vector.header().id() + ": " + vector.header().title();
        }
    }

    static Stream<Trial> scenarios() throws IOException, InvalidVectorException {
        return VectorFiles.read(KIT.resolve("dialogue")).stream()
                .flatMap(vector -> vector.profiles().stream().map(profile -> new Trial(vector, profile)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("scenarios")
    void aDialogueGoesAsItsScenarioSays(Trial trial) {
        assertThat(trial.vector().differences(trial.profile())).isEmpty();
    }

    @Test
    void everyCodeHasAVectorSaveThoseThatNoneCanShow() throws IOException, InvalidVectorException {
        Set<Code> covered = EnumSet.noneOf(Code.class);
        for (ConformanceVector vector : kit()) {
            covered.addAll(vector.header().codes());
        }
        assertThat(EnumSet.complementOf(EnumSet.copyOf(covered))).isEqualTo(ConformanceRun.OUTSIDE);
    }

    @Test
    void idsAreUniqueInTheKit() throws IOException, InvalidVectorException {
        assertThat(kit()).extracting(vector -> vector.header().id()).doesNotHaveDuplicates();
    }

    @Test
    void everyFileOfTheFolderIsInTheJar() throws IOException {
        List<String> names = new ArrayList<>();
        for (String folder : FOLDERS) {
            try (Stream<Path> files = Files.list(KIT.resolve(folder))) {
                files.forEach(file -> names.add(KIT.relativize(file).toString()));
            }
        }
        assertThat(names).containsExactlyInAnyOrderElementsOf(VectorFiles.FILES);
    }

    private static List<ConformanceVector> kit() throws IOException, InvalidVectorException {
        List<ConformanceVector> vectors = new ArrayList<>();
        for (String folder : FOLDERS) {
            vectors.addAll(VectorFiles.read(KIT.resolve(folder)));
        }
        return vectors;
    }
}
