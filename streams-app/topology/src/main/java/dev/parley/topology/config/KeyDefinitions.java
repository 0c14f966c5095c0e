package dev.parley.topology.config;

import java.util.Map;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigDef.Validator;

/** Adds keys to a definition: first name, default and allowed values, then the documentation. */
public record KeyDefinitions(ConfigDef definition) {
    private static final Map<Class<?>, Type> TYPES = Map.of(
            String.class, Type.STRING,
            Boolean.class, Type.BOOLEAN,
            Short.class, Type.SHORT,
            Integer.class, Type.INT,
            Long.class, Type.LONG,
            Double.class, Type.DOUBLE);

    /** Adds the key that is being defined. */
    @FunctionalInterface
    public interface Key {
        KeyDefinitions doc(String documentation);
    }

    /** A key with the type of its default. */
    public Key key(String name, Object defaultValue) {
        return key(name, defaultValue, null);
    }

    /** A key with the type of its default. */
    public Key key(String name, Object defaultValue, Validator allowed) {
        return key(name, TYPES.get(defaultValue.getClass()), defaultValue, allowed);
    }

    /** A string, by default null. */
    public Key text(String name) {
        return text(name, null);
    }

    /** A string, by default null. */
    public Key text(String name, Validator allowed) {
        return key(name, Type.STRING, null, allowed);
    }

    /** A string that is never shown, by default null. */
    public Key password(String name) {
        return key(name, Type.PASSWORD, null, null);
    }

    /** A list of strings. */
    public Key list(String name, String defaultValues) {
        return list(name, defaultValues, null);
    }

    /** A list of strings. */
    public Key list(String name, String defaultValues, Validator allowed) {
        return key(name, Type.LIST, defaultValues, allowed);
    }

    private Key key(String name, Type type, Object defaultValue, Validator allowed) {
        return documentation -> {
            // No listing of the keys shows their importance.
            definition.define(name, type, defaultValue, allowed, ConfigDef.Importance.MEDIUM, documentation);
            return this;
        };
    }
}
