package dev.parley.cli.offline;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.parley.avro.InnerMessage;
import dev.parley.avro.Profile;
import dev.parley.avro.Protocol;
import dev.parley.cli.io.BaseCommand;
import dev.parley.cli.io.Options;
import dev.parley.cli.io.OutputOptions;
import dev.parley.cli.io.Table;
import dev.parley.cli.transcript.DelimitedReader;
import dev.parley.codec.Code;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult;
import dev.parley.codec.Limits;
import dev.parley.decode.DecodeFailure;
import dev.parley.decode.Diagnosis;
import dev.parley.decode.WireProtocol;
import dev.parley.decode.WireProtocols;
import dev.parley.diagnosis.ValueDiagnosis;
import dev.parley.protocol.Glosses;
import dev.parley.protocol.Protocols;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.apache.avro.specific.SpecificRecord;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

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
public final class DecodeCommand extends BaseCommand {
    private static final WireProtocols PROTOCOLS = Protocols.STANDARD.wire();

    /** With several files, line numbers begin again in each. */
    private static final List<Table.Column<Line>> COLUMNS = List.of(
            Table.Column.of("LINE", Line::line),
            Table.Column.of("PROTOCOL", Line::protocol),
            Table.Column.of("RESULT", line -> line.ok ? "ok" : "error"),
            new Table.Column<>("CODES", Line::codes),
            Table.Column.of("MESSAGE", Line::shown));

    /** A line of the output: a decode error, or a message. */
    private record Line(
            long line,
            boolean ok,
            String protocol,
            @JsonUnwrapped Failure failure,
            @JsonUnwrapped Content content) {
        static Line error(long line, DecodeFailure failure) {
            String protocol = failure.protocol() == null
                    ? Protocol.UNKNOWN.name()
                    : failure.protocol().name();
            List<InnerMessage> inner = failure.inner().isEmpty() ? null : failure.inner();
            Failure shown = new Failure(failure.code(), failure.offset(), failure.detail(), inner);
            return new Line(line, false, protocol, shown, null);
        }

        private List<String> codes() {
            return ok ? Cells.codes(null, content.violations, content.warnings) : List.of(failure.code.name());
        }

        private String shown() {
            return ok
                    ? Objects.requireNonNullElse(content.gloss, content.canonical)
                    : failure.detail + " (byte " + failure.offset + ")";
        }
    }

    @JsonInclude(JsonInclude.Include.NON_NULL)
    private record Failure(Code code, int offset, String detail, List<InnerMessage> inner) {}

    @JsonInclude(JsonInclude.Include.NON_NULL)
    private record Content(
            SpecificRecord message, List<Code> warnings, List<Code> violations, String canonical, String gloss) {}

    @Option(
            names = "--protocol",
            paramLabel = "P",
            description = "mcp, slip, subit, csp or lambda. Default: detected from the bytes.")
    private WireProtocol<?> protocol;

    @Option(
            names = "--profile",
            paramLabel = "PROFILE",
            defaultValue = "lenient",
            description =
                    "lenient or strict; strict turns format warnings into decode errors. Default: ${DEFAULT-VALUE}.")
    private Profile profile;

    @Option(
            names = {"-0", "--null"},
            description = "Messages end with a NUL byte instead of a line feed, so they may contain line feeds.")
    private boolean nulDelimited;

    @Mixin
    private OutputOptions output;

    @Mixin
    private GlossOptions gloss;

    private DecodeOptions decodeOptions;
    private Diagnosis diagnosis;
    private Glosses glosses;

    @Parameters(
            paramLabel = "FILE",
            arity = "0..*",
            description = "Files to read; - for standard input. Default: standard input.")
    private List<Path> files = List.of();

    @Override
    public Integer call() throws IOException {
        decodeOptions = new DecodeOptions(profile, Limits.DEFAULT);
        diagnosis = new ValueDiagnosis(PROTOCOLS, decodeOptions);
        glosses = gloss.glosses();
        boolean allDecoded = true;
        try (OutputOptions.Rows<Line> rows = output.rows(COLUMNS)) {
            if (files.isEmpty()) {
                allDecoded = decode("standard input", System.in, rows);
            }
            for (Path file : files) {
                try (InputStream in = Options.open(file)) {
                    allDecoded &= decode(file.toString(), in, rows);
                }
            }
        }
        return allDecoded ? 0 : 1;
    }

    private boolean decode(String name, InputStream in, OutputOptions.Rows<Line> rows) throws IOException {
        DelimitedReader lines =
                new DelimitedReader(in, nulDelimited, decodeOptions.limits().messageBytes());
        boolean allDecoded = true;
        boolean anyDecoded = false;
        long number = 0;
        for (byte[] wire = lines.next(); wire != null; wire = lines.next()) {
            Line line = decode(++number, wire);
            allDecoded &= line.ok();
            anyDecoded |= line.ok();
            rows.accept(line);
            if (lines.isDrained()) {
                rows.flush();
            }
        }
        if (number == 0) {
            report(name + " has no messages");
        }
        if (!anyDecoded && number > 1 && !nulDelimited) {
            report("no line of " + name + " is a message; with -0, a message may have several lines");
        }
        return allDecoded;
    }

    private Line decode(long number, byte[] wire) {
        int maxBytes = decodeOptions.limits().messageBytes();
        if (wire.length > maxBytes) {
            return Line.error(
                    number,
                    new DecodeFailure(
                            protocol,
                            Code.MESSAGE_TOO_LARGE,
                            maxBytes,
                            "the message is larger than " + maxBytes + " bytes"));
        }
        DecodeFailure blank = DecodeFailure.ofBlank(wire);
        if (blank != null) {
            return Line.error(number, blank);
        }
        WireProtocol<?> detected = protocol != null ? protocol : ValueDiagnosis.detect(wire, PROTOCOLS);
        return detected == null
                ? Line.error(number, diagnosis.failure(wire, null, false, false, null))
                : decode(number, detected, wire);
    }

    private <M extends SpecificRecord> Line decode(long number, WireProtocol<M> as, byte[] wire) {
        DecodeResult<M> result = as.codec().decode(wire, decodeOptions);
        DecodeFailure failure = diagnosis.failure(wire, as, protocol != null, false, result);
        if (failure != null) {
            return Line.error(number, failure);
        }
        DecodeResult.Decoded<M> decoded = (DecodeResult.Decoded<M>) result;
        String canonical = new String(as.codec().encode(decoded.message()), StandardCharsets.UTF_8);
        String shown = glosses.gloss(as, decoded.message(), null);
        return new Line(
                number,
                true,
                as.name(),
                null,
                new Content(decoded.message(), decoded.warnings(), decoded.violations(), canonical, shown));
    }
}
