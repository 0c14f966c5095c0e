package dev.parley.load;

/** Text of CSP patches. */
public final class CspPatchText {
    private CspPatchText() {}

    /**
     * A patch from MAIN to MEM.
     *
     * @param target the checkpoint that it creates
     * @param operations its operations, one a line
     */
    public static String of(String id, String base, String target, String operations) {
        return "CSP/1\nFROM MAIN\nTO MEM\nCTX C0\nINTENT PATCH\n\nPATCH " + id + "\nBASE " + base + "\n" + operations
                + "\nAPPLY -> " + target;
    }
}
