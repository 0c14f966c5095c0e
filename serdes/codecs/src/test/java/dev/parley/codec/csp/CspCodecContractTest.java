package dev.parley.codec.csp;

import dev.parley.avro.CspMessage;
import dev.parley.codec.WireCodec;
import dev.parley.codec.WireCodecContract;
import java.util.Optional;

class CspCodecContractTest extends WireCodecContract<CspMessage> {

    @Override
    protected WireCodec<CspMessage> codec() {
        return new CspCodec();
    }

    @Override
    protected String wireWithFields(int fields) {
        StringBuilder wire = new StringBuilder(CspSamples.head("PLAN")).append("PLAN PL1");
        for (int i = 4; i < fields; i++) {
            wire.append("\nSTEP").append(i).append(" go on");
        }
        return wire.toString();
    }

    @Override
    protected Optional<String> wireWithOperations(int operations) {
        StringBuilder wire = new StringBuilder(CspSamples.head("PATCH")).append("PATCH P001\nBASE C0");
        for (int i = 0; i < operations; i++) {
            wire.append("\n+ DEF K").append(i).append(" = v");
        }
        return Optional.of(wire.append("\nAPPLY -> C1").toString());
    }
}
