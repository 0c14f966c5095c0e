package dev.parley.topology.config;

import org.apache.kafka.common.config.ConfigDef;

/** Adds keys to a definition: first name, type, default, allowed values and importance, then the documentation. */
public record KeyDefinitions(ConfigDef definition) {

    /** Adds the key that is being defined. */
    @FunctionalInterface
    public interface Key {
        KeyDefinitions doc(String documentation);
    }

    public Key key(String name, ConfigDef.Type type, Object defaultValue, ConfigDef.Importance importance) {
        return key(name, type, defaultValue, null, importance);
    }

    public Key key(
            String name,
            ConfigDef.Type type,
            Object defaultValue,
            ConfigDef.Validator allowed,
            ConfigDef.Importance importance) {
        return documentation -> {
            definition.define(name, type, defaultValue, allowed, importance, documentation);
            return this;
        };
    }
}
