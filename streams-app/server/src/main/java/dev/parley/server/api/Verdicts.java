package dev.parley.server.api;

import dev.parley.avro.AuditRecord;
import dev.parley.codec.Code;
import dev.parley.codec.Symbols;
import dev.parley.conformance.CodeGuide;
import dev.parley.json.model.Codes;
import dev.parley.json.model.VerdictDetail;
import dev.parley.server.auth.MaskingPolicy;
import java.util.Arrays;
import java.util.List;

/** Verdicts as agents see them, with the meaning and the remedy of each code. */
public final class Verdicts {

    private static final CodeGuide GUIDE = CodeGuide.withoutExamples();

    /** The descriptions of all codes. */
    static final Codes CODES =
            new Codes(Arrays.stream(Code.values()).map(GUIDE::entry).toList());

    private Verdicts() {}

    /** The verdict of an audit record, without what a caller may not see. */
    public static VerdictDetail of(AuditRecord record, MaskingPolicy masking) {
        AuditRecord visible = masking.visible(record);
        Codes.Description code = Code.isName(record.getCode()) ? GUIDE.entry(Code.of(record.getCode())) : null;
        return new VerdictDetail(
                Symbols.VERDICT.of(record.getVerdict()).name(),
                record.getCode(),
                record.getPosition(),
                visible == null ? null : visible.getDetail(),
                code == null ? null : code.meaning(),
                code == null ? null : code.remedy(),
                record.getAllowed(),
                record.getWarnings().stream().map(Verdicts::warning).toList(),
                record.getRule(),
                masking.claims(record),
                visible == null ? List.of() : visible.getInnerMessages(),
                visible != null && visible != record);
    }

    static VerdictDetail.Warning warning(String name) {
        if (!Code.isName(name)) {
            return new VerdictDetail.Warning(name, null, null);
        }
        Codes.Description code = GUIDE.entry(Code.of(name));
        return new VerdictDetail.Warning(name, code.meaning(), code.remedy());
    }
}
