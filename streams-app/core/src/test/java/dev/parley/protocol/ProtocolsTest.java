package dev.parley.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.parley.avro.Protocol;
import dev.parley.codec.Code;
import dev.parley.decode.WireProtocol;
import dev.parley.decode.WireProtocols;
import dev.parley.dialogue.DialogueSettings;
import dev.parley.state.StateModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The list of protocols, and what follows from each descriptor. */
class ProtocolsTest {

    static Stream<ProtocolDefinition> standard() {
        return Protocols.STANDARD.all().stream();
    }

    @Test
    void thePipelineAuditsTheProtocolsThatTheLibraryReads() {
        assertThat(Protocols.STANDARD.wire().all()).containsAll(WireProtocols.STANDARD.all());
    }

    @Test
    void everySymbolHasADescriptor() {
        assertThat(Stream.of(Protocol.values())
                        .filter(symbol -> symbol != Protocol.UNKNOWN && symbol != Protocol.EXTENSION)
                        .map(Protocol::name))
                .isSubsetOf(standard().map(ProtocolDefinition::name).toList());
    }

    @ParameterizedTest
    @MethodSource("standard")
    void aProtocolHasATopicCodesDocumentationAndVectors(ProtocolDefinition protocol) throws IOException {
        assertThat(TopicNames.DEFAULT.byInputTopic(Protocols.STANDARD))
                .containsEntry("parley.wire." + protocol.wire().topicSuffix(), protocol.wire());
        assertThat(Stream.of(Code.values()).map(Code::protocol))
                .contains(protocol.wire().symbol());
        assertThat(Files.readAllLines(Path.of("docs/protocols.md")))
                .filteredOn(line -> line.startsWith("## "))
                .anySatisfy(heading -> assertThat(protocol.wire().headerNames())
                        .anySatisfy(name -> assertThat(heading).containsIgnoringCase(name)));
        assertThat(protocol.vectors())
                .isNotEmpty()
                .allSatisfy(file -> assertThat(Path.of("conformance", file)).exists());
    }

    @Test
    void aProtocolCanBeAddedOnce() {
        ProtocolDefinition again = Protocols.STANDARD.all().get(0);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Protocols.STANDARD.with(again))
                .withMessageContaining(again.name());
        Protocols none = new Protocols(List.of());
        assertThat(none.with(again).named(again.name())).contains(again);
        assertThat(TopicNames.DEFAULT.byInputTopic(none)).isEmpty();
        assertThat(none.judge(DialogueSettings.DEFAULT)).isNotNull();
    }

    @Test
    void theFourAreFoundByTheirNamesInChainKeys() {
        assertThat(standard().map(ProtocolDefinition::wire).map(WireProtocol::name))
                .containsSubsequence("SLIP", "SUBIT", "CSP", "LAMBDA");
        assertThat(Protocols.STANDARD.named("PING")).isEmpty();
        assertThat(standard()
                        .filter(definition ->
                                definition.state().apply(DialogueSettings.DEFAULT) instanceof StateModel.Checkpoints)
                        .map(ProtocolDefinition::name))
                .contains("CSP");
    }
}
