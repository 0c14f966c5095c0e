package dev.parley.topology.config;

import org.apache.kafka.common.config.ConfigException;

/** Configuration keys of one component, which {@link ParleyConfig} reads and validates together with its own. */
@FunctionalInterface
public interface KeyGroup {

    /** Defines the keys. */
    void addTo(KeyDefinitions definitions);

    /**
     * Checks values that depend on each other.
     *
     * @throws ConfigException if they contradict; the message names the keys
     */
    default void check(ParleyConfig config) {}
}
