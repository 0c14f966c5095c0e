package dev.parley.stage;

/** Version of the rules by which this build judges. Audit records have it, so that a later build can compare. */
public final class RuleVersion {
    /** The version. Increase it with every change of a verdict: {@code RuleVersionTest} reminds. */
    public static final String CURRENT = "1";

    private RuleVersion() {}
}
