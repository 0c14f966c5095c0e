package dev.parley.cli.offline;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.avro.InnerMessage;
import dev.parley.avro.Protocol;
import dev.parley.cli.io.DelimitedReader;
import dev.parley.cli.io.JsonLines;
import dev.parley.cli.io.Options;
import dev.parley.cli.io.OutputOptions;
import dev.parley.cli.io.Table;
import dev.parley.codec.Code;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult;
import dev.parley.codec.Limits;
import dev.parley.decode.DecodeFailure;
import dev.parley.decode.WireProtocol;
import dev.parley.decode.WireProtocols;
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

/** {@code parley decode}: decodes wire messages without a broker. */
@Command(
        name = "decode",
        description = "Decodes wire messages, one per line, without a broker. " + OutputOptions.HELP,
        footer = {
            "",
            "Exit status: 0 if every message was decoded, 1 otherwise.",
            "",
            "Example:",
            "  echo '@a3|f0|c1|S0|d1|T1|g1|k1|q2|t\"auth\"#' | parley decode"
        })
public final class DecodeCommand implements Callable<Integer> {
    private static final WireProtocols PROTOCOLS = Protocols.STANDARD.wire();

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--protocol",
            paramLabel = "P",
            description = "slip, subit, csp or lambda. Default: detected from the bytes.")
    private String protocolName;

    @Option(
            names = "--profile",
            paramLabel = "PROFILE",
            defaultValue = "lenient",
            description =
                    "lenient or strict; strict turns format warnings into decode errors. Default: ${DEFAULT-VALUE}.")
    private String profileName;

    @Option(
            names = {"-0", "--null"},
            description = "Messages end with a NUL byte instead of a line feed, so they may contain line feeds.")
    private boolean nulDelimited;

    @Mixin
    private OutputOptions output;

    @Mixin
    private GlossOptions gloss;

    private Glosses glosses;

    @Parameters(
            paramLabel = "FILE",
            arity = "0..*",
            description = "Files to read; - for standard input. Default: standard input.")
    private List<Path> files = List.of();

    @Override
    public Integer call() throws IOException {
        DecodeOptions options = new DecodeOptions(Options.profile(spec, profileName), Limits.DEFAULT);
        WireProtocol<?> protocol = Options.protocol(spec, protocolName);
        glosses = gloss.glosses();
        boolean allDecoded = true;
        try (JsonGenerator json = JsonLines.generator(output.stream(columns()))) {
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

    /** With several files, line numbers begin again in each. */
    private static List<Table.Column<JsonNode>> columns() {
        return List.of(
                Table.Column.at("LINE", "/line"),
                Table.Column.at("PROTOCOL", "/protocol"),
                Table.Column.of("RESULT", line -> line.path("ok").asBoolean() ? "ok" : "error"),
                new Table.Column<>("CODES", Cells::codes),
                new Table.Column<>("MESSAGE", DecodeCommand::message));
    }

    private static List<String> message(JsonNode line) {
        return line.path("ok").asBoolean()
                ? Cells.texts(line, line.has("gloss") ? "gloss" : "canonical")
                : List.of(line.path("detail").asText() + " (byte "
                        + line.path("offset").asLong() + ")");
    }

    private boolean decode(InputStream in, WireProtocol<?> protocol, DecodeOptions options, JsonGenerator json)
            throws IOException {
        DelimitedReader lines =
                new DelimitedReader(in, nulDelimited, options.limits().messageBytes());
        boolean allDecoded = true;
        long number = 0;
        for (byte[] wire = lines.next(); wire != null; wire = lines.next()) {
            json.writeStartObject();
            json.writeNumberField("line", ++number);
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
            return error(
                    json,
                    new DecodeFailure(
                            given,
                            Code.MESSAGE_TOO_LARGE,
                            options.limits().messageBytes(),
                            "the message is larger than " + options.limits().messageBytes() + " bytes",
                            List.of()));
        }
        DecodeFailure blank = DecodeFailure.ofBlank(wire);
        if (blank != null) {
            return error(json, blank);
        }
        WireProtocol<?> protocol = given != null ? given : PROTOCOLS.detect(wire);
        return protocol == null
                ? error(json, DecodeFailure.undetected(wire, PROTOCOLS, options))
                : decodeAs(protocol, wire, options, json);
    }

    private <M extends SpecificRecord> boolean decodeAs(
            WireProtocol<M> protocol, byte[] wire, DecodeOptions options, JsonGenerator json) throws IOException {
        DecodeResult<M> result = protocol.codec().decode(wire, options);
        if (result instanceof DecodeResult.Malformed<M> malformed) {
            return error(json, DecodeFailure.of(wire, protocol, malformed, PROTOCOLS, options));
        }
        DecodeResult.Decoded<M> decoded = (DecodeResult.Decoded<M>) result;
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

    private static boolean error(JsonGenerator json, DecodeFailure failure) throws IOException {
        json.writeBooleanField("ok", false);
        json.writeStringField(
                "protocol",
                failure.protocol() == null
                        ? Protocol.UNKNOWN.name()
                        : failure.protocol().name());
        json.writeStringField("code", failure.code().name());
        json.writeNumberField("offset", failure.offset());
        json.writeStringField("detail", failure.detail());
        if (!failure.inner().isEmpty()) {
            json.writeArrayFieldStart("inner");
            for (InnerMessage inner : failure.inner()) {
                AvroJson.write(json, inner);
            }
            json.writeEndArray();
        }
        JsonLines.end(json);
        return false;
    }
}
