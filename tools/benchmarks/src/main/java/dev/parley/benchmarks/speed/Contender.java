package dev.parley.benchmarks.speed;

import java.util.Locale;

/** A system that is measured, in the order of a round: the sizes of the last two are those of Parley's topics. */
enum Contender {
    /** Copies the input to an output. */
    PASS_THROUGH("pass-through topology"),
    /** Parley's topology without its logic, with the records of the input. */
    SHAPE("Parley's shape without logic"),
    /** Parley's pipeline. */
    PARLEY("Parley"),
    /** Parley's pipeline without its repartition. */
    KEYED_PARLEY("Parley, keyed by conversation"),
    /** The shape, with records of the sizes of Parley's. */
    SIZED_SHAPE("the shape with Parley's record sizes"),
    /** The two outputs of {@link #SIZED_SHAPE} without anything else: no repartition and no stores. */
    SIZED_OUTPUTS("only two outputs of Parley's record sizes");

    private final String title;

    Contender(String title) {
        this.title = title;
    }

    /** Returns its name in tables. */
    String title() {
        return title;
    }

    /** Returns whether its records have the sizes of Parley's. */
    boolean isSized() {
        return this == SIZED_SHAPE || this == SIZED_OUTPUTS;
    }

    /** Returns whether it runs from Parley's jar. */
    boolean isParley() {
        return this == PARLEY || this == KEYED_PARLEY;
    }

    /** Returns its name on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
