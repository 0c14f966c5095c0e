package dev.parley.topology;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Compares the contract of a release with the current one. Every item of a release must exist unchanged; only views may
 * be removed, because they are rebuilt from their topics. Items that are new since the last release must be declared,
 * because such an upgrade is not a rolling one.
 */
final class ContractComparison {
    private static final String GUIDE = "docs/upgrading.md";

    private ContractComparison() {}

    /** The losses of an upgrade from the release, a sentence each; empty without one. */
    static List<String> losses(String release, Map<String, String> then, Map<String, String> now) {
        List<String> losses = new ArrayList<>();
        then.forEach((thing, was) -> {
            String is = now.get(thing);
            if (is == null && !isView(thing)) {
                losses.add("Release " + release + " has \"" + thing + ": " + was
                        + "\", and today has nothing of that name. What stands there would not be found again after an"
                        + " upgrade: bring it back"
                        + otherwise(release));
            } else if (is != null && !is.equals(was)) {
                losses.add("\"" + thing + "\" was \"" + was + "\" in release " + release + " and is \"" + is
                        + "\" today. "
                        + (isView(thing) ? "Give the view another name, so that it is rebuilt" : "Change it back")
                        + otherwise(release));
            }
        });
        return losses;
    }

    /**
     * What is new since the last release and not declared, or declared and not new, a sentence each; empty when
     * nothing.
     */
    static List<String> surprises(
            String release, Map<String, String> then, Map<String, String> now, Set<String> additions) {
        List<String> surprises = new ArrayList<>();
        now.forEach((thing, is) -> {
            String line = thing + ": " + is;
            if (!then.containsKey(thing) && !additions.contains(line)) {
                surprises.add("\"" + line + "\" is new since release " + release
                        + (ReleaseFixture.isOut(release)
                                ? ". Declare it: copy this line into " + ReleaseFixture.ADDITIONS
                                        + ", and describe the upgrade in "
                                : ", which is not released: write its baseline again with -Dbaseline.write=true; read ")
                        + GUIDE);
            }
        });
        for (String line : additions) {
            String thing = line.substring(0, Math.max(0, line.indexOf(": ")));
            if (then.containsKey(thing) || !line.equals(thing + ": " + now.get(thing))) {
                surprises.add(ReleaseFixture.ADDITIONS + " declares \"" + line + "\", which is not new since release "
                        + release + ": remove the line");
            }
        }
        return surprises;
    }

    private static String otherwise(String release) {
        return (ReleaseFixture.isOut(release)
                        ? ", or read "
                        : ", or write the baseline of " + release
                                + ", which is not released, again with -Dbaseline.write=true; read ")
                + GUIDE + "#incompatible-changes";
    }

    private static boolean isView(String thing) {
        return thing.startsWith(StreamsApp.VIEWS.label() + " view ")
                || thing.startsWith(StreamsApp.VIEWS.label() + " store ");
    }
}
