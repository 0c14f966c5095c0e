package dev.parley.load.run;

import java.util.Locale;

/** A system that is measured, in the order of a round. */
enum Contender {
    /** Parley's topology without its logic, with the records of the input. */
    SHAPE,
    /** Parley's pipeline. */
    PARLEY,
    /** The shape, with records of the sizes of Parley's. */
    SIZED_SHAPE;

    /** Returns its name on the command line and in tables. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
