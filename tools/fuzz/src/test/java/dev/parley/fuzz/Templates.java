package dev.parley.fuzz;

import java.util.List;
import java.util.function.IntSupplier;

/**
 * Message templates for dialogues. {@code §} is a choice among a few values, so that IDs match, and {@code ¶} the
 * number of the message in base62, so that turns can increase.
 */
final class Templates {
    private static final String DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    private static final int CHOICES = 6;

    private static final String CSP = "CSP/1\nFROM A§\nTO A§\nCTX C§\nINTENT ";
    private static final String SUBIT_META = ",\"meta\":{\"agent\":\"a§\",\"session\":\"s\"}}";

    private static final List<String> ALL = List.of(
            "@a3|f0|c1|S§|d§|T¶|k§#",
            "@a4|f1|c1|S§|d§|T¶|k§|r§#",
            "@a5|f0|c1|S§|d§|T¶|k§#",
            "@a6|f0|c1|S§|d§|T¶|k§#",
            "@a1|f2|c1|S§|d§|T¶|k§|r§|u\"done\"#",
            "@a8|f3|c1|S§|d§|T¶|k§|r§|s§#",
            "@a7|f0|c1|S§|d§|T¶|k§|p§#",
            "@a9|f2|c1|S§|d§|T¶|k§|e§#",
            "@a§|f§|c1|S§|d§|T¶|k§#",
            "@a§|f§|c1|S§|d§|T§#",
            "@aA|f4|c1|S§|d§|T¶|t\"x§\"#",
            "@a2|f0|c§|S§|d§|T¶|g§|q§#",
            "{\"type\":\"STATE\",\"payload\":\"000110\"" + SUBIT_META,
            "{\"type\":\"INTENT\",\"payload\":\"000110110001\"" + SUBIT_META,
            "{\"type\":\"ACTION\",\"payload\":\"000110110001\"" + SUBIT_META,
            "{\"type\":\"PLAN\",\"payload\":\"000001000011001111\"" + SUBIT_META,
            "{\"type\":\"TRACE\",\"payload\":\"000001000011001111\"" + SUBIT_META,
            "{\"type\":\"ERROR\",\"payload\":\"111111\"" + SUBIT_META,
            "{\"type\":\"STATE\",\"payload\":\"00000§\"}",
            "{\"type\":\"INTENT\",\"payload\":\"000110110001\"}",
            "{\"type\":\"ACTION\",\"payload\":\"000110110001\"}",
            "{\"type\":\"PLAN\",\"payload\":\"000001000011001111\"}",
            "{\"type\":\"ERROR\",\"payload\":\"111111\"}",
            CSP + "TASK\n\nTASK T§\nREQ x\nIN N§,N§\nOUT y\nOWNER A§\nPRIORITY P1",
            CSP + "TASK\n\nTASK T§\nREQ x§\nIN N§\nOUT y",
            CSP + "RESULT\n\nRESULT T§\nSTATUS OK\nPRODUCED p\nDATA d§",
            CSP + "RESULT\n\nRESULT T§\nSTATUS PARTIAL\nPRODUCED p\nDATA d§",
            CSP + "RESULT\n\nRESULT T§\nSTATUS FAIL\nPRODUCED p\nDATA d",
            CSP + "ERROR\n\nERROR E§\nAT T§\nCAUSE c\nNEXT n",
            CSP + "QUERY\n\nQUERY T§\nABOUT N§",
            CSP + "PLAN\n\nPLAN PL§\nGOAL g\nDEF N§ = §",
            CSP + "MEM\n\nMEM M§\nFACT f",
            CSP + "FILE\n\nFILEOP F§ PATCH\nPATH p\nBASE b\nCONTENT\n<<<\n§\n>>>",
            CSP + "PATCH\n\nPATCH P§\nBASE C§\n+ DEF N§ = §\nAPPLY -> C§",
            CSP + "PATCH\n\nPATCH P¶\nBASE C§\n+ DEF N¶ = §\nAPPLY -> C¶",
            CSP + "PATCH\n\nPATCH P¶\nBASE C0\n+ DEF N§ = §\n+ DEF N§ = §§§§\nAPPLY -> C§",
            CSP + "PATCH\n\nPATCH P¶\nBASE C§\n~ DEF N§ := §\nAPPLY -> C§",
            CSP + "PATCH\n\nPATCH P¶\nBASE C§\n- DEF N§\n+ DEF N§ = §\nAPPLY -> C§",
            CSP + "PATCH\n\nPATCH P¶\nBASE C§\n- DEF N§\nAPPLY -> C§",
            CSP + "PATCH\n\nPATCH P¶\nBASE C§\nAPPLY -> C§",
            "@v0.6#h !Aw/s ?Uc/la",
            "@v0.6#h< !Ic/la",
            "{def:d§=\"x§\"}",
            "{def:d§=\"x§\"}!Ik/co",
            "@v0.6#id:m§ .Uf/X",
            "{id:m§}?Uk/co",
            "?Uk/co",
            "!Ik/co",
            "~Ik/co",
            ".Uf/X",
            ">Ig/U",
            "<",
            "<!",
            "<ctx",
            "<d§",
            "<+",
            "<-",
            "<->Ig/U",
            "<?d§",
            "!er:un/co",
            "!st{ph:§}",
            ">>!Ik/co",
            "!Ik/co<<",
            ">>",
            "<<",
            "><?Uk",
            "--!Ik",
            "@A§: !Ik/ph",
            "A§>A§:?Uk/co",
            "A§>A§>A§:!Ik/co",
            "A§: !Ik/co",
            "prv: !Ik",
            "{enc:x}[abc]",
            "#x",
            "!Ik ?Uk <+ .Uf",
            "!fd/X{t:||a|b||1||}",
            "!Ik/co[n§]");

    private Templates() {}

    /** Creates a message from the index of a template, its choices, and its number. */
    static String message(int which, IntSupplier choices, int number) {
        String template = ALL.get(which % ALL.size());
        StringBuilder text = new StringBuilder(template.length() + 8);
        for (int i = 0; i < template.length(); i++) {
            char c = template.charAt(i);
            switch (c) {
                case '§' -> text.append(choices.getAsInt() % CHOICES);
                case '¶' -> appendBase62(text, number);
                default -> text.append(c);
            }
        }
        return text.toString();
    }

    private static void appendBase62(StringBuilder text, int number) {
        if (number >= DIGITS.length()) {
            appendBase62(text, number / DIGITS.length());
        }
        text.append(DIGITS.charAt(number % DIGITS.length()));
    }
}
