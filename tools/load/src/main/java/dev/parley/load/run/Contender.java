package dev.parley.load.run;

import java.util.Locale;

/** A system that is measured, in the order of a round. */
enum Contender {
    /** Parley's topology without its logic, with the records of the input. */
    SHAPE("the shape"),
    /** Parley's pipeline. */
    PARLEY("Parley"),
    /** The shape, with records of the sizes of Parley's. */
    SIZED_SHAPE("the shape with Parley's record sizes");

    private final String title;

    Contender(String title) {
        this.title = title;
    }

    /** Returns its name in tables. */
    String title() {
        return title;
    }

    /** Returns its name on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
