package dev.parley.ping;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.parley.avro.Performative;
import dev.parley.avro.Protocol;
import dev.parley.codec.Ascii;
import dev.parley.codec.Code;
import dev.parley.codec.Decimal;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult;
import dev.parley.codec.Traits;
import dev.parley.codec.WireCodec;
import java.util.List;

/** Codec of the test protocol: {@code PING/1 conversation sender PING|PONG number}. */
final class PingCodec implements WireCodec<PingMessage> {
    private static final String START = "PING/1 ";

    @Override
    public Protocol protocol() {
        return Protocol.EXTENSION;
    }

    @Override
    public boolean detects(byte[] wire, int from) {
        return Ascii.startsWith(wire, from, START);
    }

    @Override
    public DecodeResult<PingMessage> decode(byte[] wire, DecodeOptions options) {
        String[] words = new String(wire, US_ASCII).split(" ", -1);
        boolean known = words.length == 5 && (words[3].equals("PING") || words[3].equals("PONG"));
        long number = known ? Decimal.parse(words[4], Integer.MAX_VALUE) : Decimal.NONE;
        if (!Ascii.startsWith(wire, 0, START) || number == Decimal.NONE) {
            return new DecodeResult.Malformed<>(
                    Code.EXTENSION_MALFORMED, 0, "A message is: PING/1 conversation sender PING|PONG number.");
        }
        PingMessage message = new PingMessage(words[1], words[2], PingRules.Act.valueOf(words[3]), (int) number);
        return new DecodeResult.Decoded<>(message, List.of(), List.of());
    }

    @Override
    public byte[] encode(PingMessage message) {
        return (START + message.conversation() + ' ' + message.sender() + ' ' + message.act() + ' ' + message.number())
                .getBytes(US_ASCII);
    }

    @Override
    public Traits traits(PingMessage message) {
        return new Traits(
                message.conversation(),
                message.sender(),
                null,
                List.of(),
                message.act() == PingRules.Act.PING ? Performative.ASK : Performative.RESULT,
                null,
                List.of());
    }
}
