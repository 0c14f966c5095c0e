package dev.parley.server.feature;

/** A feature that has started: what it adds to the API of its instance, and its Kafka clients. */
public interface RunningFeature extends AutoCloseable {

    /** Adds its routes and the other contributions. Called once, before the API starts. */
    void contribute(FeatureContext context, Contributions contributions);

    /** Ends responses that have no end of their own. Called when the API stops, before {@link #close}. */
    default void endStreams() {}

    /** Closes its clients, after the API has stopped. */
    @Override
    default void close() {}
}
