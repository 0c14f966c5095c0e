package dev.parley.codec.csp;

import java.util.List;

/** Messages that several tests read. */
final class CspSamples {

    /** The document's example of a task. */
    static final String TASK = """
            CSP/1
            FROM MAIN
            TO CODE_EXP
            CTX C0
            INTENT TASK

            TASK T001
            REQ find auth middleware
            IN SRC,LIB
            OUT FILE_REFS
            OWNER CODE_EXP
            PRIORITY P1""";

    /** The document's example of a result. */
    static final String RESULT = """
            CSP/1
            FROM CODE_EXP
            TO MAIN
            CTX C0
            INTENT RESULT

            RESULT T001
            STATUS OK
            PRODUCED FILE_REFS_001
            DATA src/middleware/auth.ts:24-67;lib/utils/jwt.ts:12-45""";

    /** The document's example of an error. */
    static final String ERROR = """
            CSP/1
            FROM CODE_EXP
            TO MAIN
            CTX C0
            INTENT ERROR

            ERROR E001
            AT T001
            CAUSE no matches found in SRC,LIB
            NEXT try broader scope or different keywords""";

    /** The document's patch. */
    static final String PATCH = head("PATCH") + """
            PATCH P001
            BASE C0
            + DEF NEW_ITEM = value
            ~ DEF OLD_ITEM := new_value
            - DEF REMOVED_ITEM
            APPLY -> C1""";

    /** The document's file operation. */
    static final String FILE = head("FILE") + """
            FILEOP F001 PATCH
            PATH src/file.ts
            BASE hash123
            CONTENT
            <<<
            @@ -100,3 +100,5 @@
            +new_line_here
            >>>""";

    static final List<String> CANONICAL = List.of(
            TASK,
            RESULT,
            ERROR,
            PATCH,
            FILE,
            // Keys in another order than the document's; a header key that the document does not have.
            """
            CSP/1
            FROM MAIN
            TO CODE_EXP
            CTX C0
            INTENT TASK
            X_TRACE 77

            TASK T001
            PRIORITY P3
            OWNER CODE_EXP
            NOTE by hand
            IN SRC
            REQ find it
            OUT""",
            head("PATCH") + """
            PATCH P9
            - DEF A
            APPLY -> C7
            + DEF B = = :=  two  blanks
            WHY because
              it had to be
            BASE C6
            ~ DEF C :=
            + DEF D =""",
            head("PATCH") + "PATCH P1\nBASE C1\n+ DEF A = 1\n- DEF A\nAPPLY -> C1",
            // Values over several lines, one of them starting under its key, with lines that look like operations.
            head("TASK") + """
            TASK T2
            REQ first line
            second line, then a paragraph

              indented FROM
              TASK T9 is only mentioned
            - a dash
            + DEF X = y
            Upper-case first letter
            IN
            lower
            OUT x
            OWNER a
            PRIORITY P2""",
            head("RESULT") + """
            RESULT T1
            PRODUCED
            STATUS FAIL
            NOTE n
            DATA
            12:00 TASK T001
            CSP/1

            FROM X
             DATA again\040\040
            end""",
            head("QUERY") + "QUERY Q1\nWHERE auth\nDEF A = b\nDEF B = c\nWHERE else\nDATA a\nTASK T1",
            head("PLAN") + "PLAN",
            head("PLAN") + "PLAN PL1 in two steps\nread the code\n\nthen write\nSTEP read\nSTEP write",
            head("MEM") + "MEM\n first\nNODE n1\nLAWS\n- L1: one\n- L2: two",
            head("FILE") + """
            FILEOP F2 PATCH
            BASE h
            PATH p
            CONTENT
            <<<
            FROM X
            TASK T1
            - minus
            >>>>
             >>>
            >>>\040
            \ttab\040
            carriage\r
            last\r
            >>>""",
            head("FILE") + "FILEOP F3 PATCH\nPATH p\nBASE h\nCONTENT\n<<<\n>>>",
            head("FILE") + "FILEOP F4 PATCH\nPATH p\nBASE h\nCONTENT\n<<<\n\n>>>",
            head("FILE") + "FILEOP F5 DELETE\nPATH p\nBASE h",
            head("ERROR") + "ERROR E1\nCAUSE päng 💥 — 失敗",
            "CSP/1\nFROM A\nTO B, C,D\nCTX state of Monday\nINTENT MEM\nDEF X = y\nDEF Z = y\n\nMEM M1");

    static final List<String> NON_CANONICAL = List.of(
            TASK + "\n",
            RESULT + "\n\n \n",
            FILE + "\n  \n",
            TASK.replace("\n", "\r\n"),
            RESULT.replace("\n", "\r\n"),
            PATCH.replace("\n", "\r\r\n"),
            FILE.replace("\n", "\r\n"),
            "\uFEFF" + TASK,
            "\r\n \t" + TASK,
            TASK.replace(" ", "\t \t"),
            PATCH.replace(" ", "  "),
            TASK.replace("\n", " \n"),
            TASK.replace("\n\n", "\n"),
            TASK.replace("\n\n", "\n \n\n"),
            TASK.replace("\nREQ", "\n\nREQ").replace("\nOUT", "\n\t\nOUT"),
            RESULT.replace("DATA ", "DATA \t\r\n\tx\t\r\n"),
            PATCH.replace(" = ", " := "),
            PATCH.replace(" := ", " = "),
            PATCH.replace("= value", "=  "),
            FILE.replace("CONTENT\n<<<", "CONTENT <<<"),
            FILE.replace("CONTENT\n<<<", "CONTENT\n\n <<< "),
            TASK.replace("FROM MAIN\n", "").replace("\n\n", "\nFROM MAIN\n\n"),
            TASK.replace("FROM", "VIA x\nFROM"),
            TASK.replace("\nTASK", "\nDEF A = b\nLAWS\n- L1: x\n\nTASK"),
            TASK.replace("T001", "T001 \t in a hurry"));

    private CspSamples() {}

    /** The header of a message with an intent, and the blank line. */
    static String head(String intent) {
        return "CSP/1\nFROM MAIN\nTO CODER\nCTX C0\nINTENT " + intent + "\n\n";
    }
}
