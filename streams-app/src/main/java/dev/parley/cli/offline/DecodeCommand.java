package dev.parley.cli.offline;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.parley.avro.Protocol;
import dev.parley.cli.io.DelimitedReader;
import dev.parley.cli.io.JsonLines;
import dev.parley.cli.io.Options;
import dev.parley.codec.Code;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult;
import dev.parley.codec.Limits;
import dev.parley.decode.WireProtocol;
import dev.parley.json.AvroJson;
import dev.parley.protocol.Glosses;
import dev.parley.protocol.Protocols;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.specific.SpecificRecord;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code parley decode}: wire messages to JSON lines, without a broker. */
@Command(
        name = "decode",
        description = "Decodes wire messages, one a line, to JSON lines. Needs no broker.",
        footer = {
            "",
            "Exit status: 0 when every message decoded, 1 otherwise.",
            "",
            "Example:",
            "  echo '@a3|f0|c1|S0|d1|T1|g1|k1|q2|t\"auth\"#' | parley decode"
        })
public final class DecodeCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(
            names = "--protocol",
            paramLabel = "P",
            description = "slip, subit, csp or lambda. Without it, each message's first bytes tell.")
    private String protocolName;

    @Option(
            names = "--profile",
            paramLabel = "PROFILE",
            defaultValue = "lenient",
            description =
                    "strict or lenient; strict makes every departure from form a fault. Default: ${DEFAULT-VALUE}.")
    private String profileName;

    @Option(
            names = {"-0", "--null"},
            description = "Messages end with a NUL byte, not with the line: for messages with line breaks.")
    private boolean nulDelimited;

    @Mixin
    private GlossOptions gloss;

    private Glosses glosses;

    @Parameters(
            paramLabel = "FILE",
            arity = "0..*",
            description = "Files to read; standard input without any, or as -.")
    private List<Path> files = List.of();

    @Override
    public Integer call() throws IOException {
        DecodeOptions options = new DecodeOptions(Options.profile(spec, profileName), Limits.DEFAULT);
        WireProtocol<?> protocol = Options.protocol(spec, protocolName);
        glosses = gloss.glosses();
        boolean allDecoded = true;
        try (JsonGenerator json = JsonLines.generator(System.out)) {
            if (files.isEmpty()) {
                allDecoded = decode(System.in, protocol, options, json);
            }
            for (Path file : files) {
                try (InputStream in = Options.open(spec, file)) {
                    allDecoded &= decode(in, protocol, options, json);
                }
            }
        }
        return allDecoded ? 0 : 1;
    }

    private boolean decode(InputStream in, WireProtocol<?> protocol, DecodeOptions options, JsonGenerator json)
            throws IOException {
        DelimitedReader lines =
                new DelimitedReader(in, nulDelimited, options.limits().messageBytes());
        boolean allDecoded = true;
        for (byte[] wire = lines.next(); wire != null; wire = lines.next()) {
            allDecoded &= decode(wire, protocol, options, json);
            if (lines.isDrained()) {
                json.flush();
            }
        }
        return allDecoded;
    }

    private boolean decode(byte[] wire, WireProtocol<?> given, DecodeOptions options, JsonGenerator json)
            throws IOException {
        if (wire.length > options.limits().messageBytes()) {
            return fault(
                    json,
                    given == null ? Protocol.UNKNOWN : given.symbol(),
                    Code.MESSAGE_TOO_LARGE,
                    options.limits().messageBytes(),
                    "the message is larger than " + options.limits().messageBytes() + " bytes");
        }
        WireProtocol<?> protocol =
                given != null ? given : Protocols.STANDARD.wire().detect(wire);
        if (protocol == null) {
            return fault(
                    json,
                    Protocol.UNKNOWN,
                    Code.UNKNOWN_PROTOCOL,
                    0,
                    "the first bytes tell no protocol; name it with --protocol");
        }
        return decodeAs(protocol, wire, options, json);
    }

    private <M extends SpecificRecord> boolean decodeAs(
            WireProtocol<M> protocol, byte[] wire, DecodeOptions options, JsonGenerator json) throws IOException {
        DecodeResult<M> result = protocol.codec().decode(wire, options);
        if (result instanceof DecodeResult.Malformed<M> malformed) {
            return fault(json, protocol.symbol(), malformed.code(), malformed.offset(), malformed.detail());
        }
        DecodeResult.Decoded<M> decoded = (DecodeResult.Decoded<M>) result;
        json.writeStartObject();
        json.writeBooleanField("ok", true);
        json.writeStringField("protocol", protocol.name());
        json.writeFieldName("message");
        AvroJson.write(json, (IndexedRecord) decoded.message());
        JsonLines.codes(json, "warnings", decoded.warnings());
        JsonLines.codes(json, "violations", decoded.violations());
        json.writeStringField(
                "canonical", new String(protocol.codec().encode(decoded.message()), StandardCharsets.UTF_8));
        json.writeStringField("gloss", glosses.gloss(protocol, decoded.message()));
        JsonLines.end(json);
        return true;
    }

    private static boolean fault(JsonGenerator json, Protocol protocol, Code code, int offset, String detail)
            throws IOException {
        json.writeStartObject();
        json.writeBooleanField("ok", false);
        json.writeStringField("protocol", protocol.name());
        json.writeStringField("code", code.name());
        json.writeNumberField("offset", offset);
        json.writeStringField("detail", detail);
        JsonLines.end(json);
        return false;
    }
}
