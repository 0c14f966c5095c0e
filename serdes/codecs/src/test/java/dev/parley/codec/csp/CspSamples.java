package dev.parley.codec.csp;

/** Messages for several tests. */
public final class CspSamples {

    /** The document's example of a task. */
    public static final String TASK = """
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
    public static final String RESULT = """
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
    public static final String ERROR = """
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
    public static final String PATCH = head("PATCH") + """
            PATCH P001
            BASE C0
            + DEF NEW_ITEM = value
            ~ DEF OLD_ITEM := new_value
            - DEF REMOVED_ITEM
            APPLY -> C1""";

    /** The document's file operation. */
    public static final String FILE = head("FILE") + """
            FILEOP F001 PATCH
            PATH src/file.ts
            BASE hash123
            CONTENT
            <<<
            @@ -100,3 +100,5 @@
            +new_line_here
            >>>""";

    private CspSamples() {}

    /** The header of a message with an intent, and the blank line. */
    public static String head(String intent) {
        return "CSP/1\nFROM MAIN\nTO CODER\nCTX C0\nINTENT " + intent + "\n\n";
    }
}
