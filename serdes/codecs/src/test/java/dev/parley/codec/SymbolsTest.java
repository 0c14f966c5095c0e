package dev.parley.codec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.DefinitionChangeCount;
import dev.parley.avro.EdgeCount;
import dev.parley.avro.OpenItem;
import dev.parley.avro.ParkedItem;
import dev.parley.avro.PatchCount;
import dev.parley.avro.Performative;
import dev.parley.avro.Profile;
import dev.parley.avro.Protocol;
import dev.parley.avro.Stage;
import dev.parley.avro.TrafficCount;
import dev.parley.avro.TurnaroundCount;
import dev.parley.avro.Verdict;
import dev.parley.avro.ViolationCount;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import org.junit.jupiter.params.provider.ValueSource;

class SymbolsTest {

    @Test
    void everySymbolIsReadByItsName() {
        assertThat(Protocol.values())
                .allSatisfy(
                        symbol -> assertThat(Symbols.PROTOCOL.of(symbol.name())).isEqualTo(symbol));
        assertThat(Performative.values())
                .allSatisfy(symbol ->
                        assertThat(Symbols.PERFORMATIVE.of(symbol.name())).isEqualTo(symbol));
        assertThat(Verdict.values())
                .allSatisfy(
                        symbol -> assertThat(Symbols.VERDICT.of(symbol.name())).isEqualTo(symbol));
        assertThat(Stage.values())
                .allSatisfy(
                        symbol -> assertThat(Symbols.STAGE.of(symbol.name())).isEqualTo(symbol));
        assertThat(Profile.values())
                .allSatisfy(
                        symbol -> assertThat(Symbols.PROFILE.of(symbol.name())).isEqualTo(symbol));
    }

    @ParameterizedTest
    @NullAndEmptySource
    @ValueSource(strings = {"accepted", " ACCEPTED", "ACCEPTED\u0000", "SLIP|ASK", "POSTPONED"})
    void anyOtherTextIsTheFirstSymbol(String text) {
        assertThat(Symbols.PROTOCOL.of(text)).isEqualTo(Protocol.UNKNOWN);
        assertThat(Symbols.PERFORMATIVE.of(text)).isEqualTo(Performative.UNSPECIFIED);
        assertThat(Symbols.VERDICT.of(text)).isEqualTo(Verdict.UNSPECIFIED);
        assertThat(Symbols.STAGE.of(text)).isEqualTo(Stage.NONE);
        assertThat(Symbols.PROFILE.of(text)).isEqualTo(Profile.UNSPECIFIED);
    }

    /** The schemas are the documentation of these fields, so they list every symbol that Parley writes. */
    static Stream<Schema.Field> documented() {
        Schema audit = AuditRecord.getClassSchema();
        Schema message = AgentMessage.getClassSchema();
        return Stream.of(
                audit.getField("verdict"),
                audit.getField("stage"),
                audit.getField("profile"),
                message.getField("protocol"),
                message.getField("performative"));
    }

    @ParameterizedTest
    @MethodSource("documented")
    void theSchemaDocumentsTheSymbolsOfAStringField(Schema.Field field) {
        Enum<?>[] symbols = switch (field.name()) {
            case "verdict" -> Verdict.values();
            case "stage" -> Stage.values();
            case "profile" -> Profile.values();
            case "protocol" -> Protocol.values();
            default -> Performative.values();
        };
        List<String> written = Arrays.stream(symbols)
                .map(Enum::name)
                .filter(name -> !List.of("UNSPECIFIED", "UNKNOWN").contains(name))
                .toList();

        assertThat(field.schema().getType()).isEqualTo(Schema.Type.STRING);
        assertThat(field.doc().split("\\W+")).containsAll(written);
    }

    /** Records of output topics can be declared by hand: only the messages of the four protocols have enums. */
    @Test
    void envelopesAndCountsHaveNoEnums() {
        assertThat(Stream.of(
                                AuditRecord.getClassSchema(),
                                AgentMessage.getClassSchema(),
                                TrafficCount.getClassSchema(),
                                ViolationCount.getClassSchema(),
                                EdgeCount.getClassSchema(),
                                TurnaroundCount.getClassSchema(),
                                OpenItem.getClassSchema(),
                                ParkedItem.getClassSchema(),
                                PatchCount.getClassSchema(),
                                DefinitionChangeCount.getClassSchema())
                        .flatMap(schema -> schema.getFields().stream())
                        .map(field -> field.schema().getType()))
                .doesNotContain(Schema.Type.ENUM);
    }
}
