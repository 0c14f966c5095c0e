package dev.parley.testing;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;

/** Keeps test fixtures of other modules, which come in jars, out of the analysis. */
public final class DoNotIncludeTestJars implements ImportOption {
    @Override
    public boolean includes(Location location) {
        return !location.contains("-tests.jar");
    }
}
