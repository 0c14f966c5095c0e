package dev.parley.diagnosis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult;
import dev.parley.codec.DecodeResult.Malformed;
import dev.parley.decode.WireProtocol;
import dev.parley.decode.WireProtocols;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each row of the tables explains its own example, as docs/codes.md lists it. */
class NearMissTableTest {
    static Stream<Arguments> protocols() {
        return WireProtocols.STANDARD.all().stream().map(Arguments::of);
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void everyExampleHasACauseOfItsOwn(WireProtocol<?> protocol) {
        NearMisses nearMisses = NearMisses.of(protocol);
        Set<String> details = new HashSet<>();
        for (String example : nearMisses.examples()) {
            byte[] wire = example.getBytes(UTF_8);
            DecodeResult<?> result = protocol.codec().decode(wire, DecodeOptions.LENIENT);
            Malformed<?> cause =
                    result instanceof Malformed<?> error ? nearMisses.cause(wire, error) : nearMisses.nearMiss(wire, 0);
            assertThat(cause).as(example).isNotNull();
            assertThat(details.add(cause.detail())).as(example).isTrue();
            assertThat(ValueDiagnosis.nearMisses(protocol).get(example))
                    .as(example)
                    .isEqualTo(cause);
        }
        assertThat(details).isNotEmpty();
    }
}
