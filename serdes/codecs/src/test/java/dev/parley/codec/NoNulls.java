package dev.parley.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Instant;
import java.util.Arrays;

/** Calls every public method with null for each of its arguments in turn. */
public final class NoNulls {

    private NoNulls() {}

    /**
     * Requires that each call ends with a {@link NullPointerException}.
     *
     * @param type class of the methods to call, including static ones
     * @param instance receiver of the other calls
     */
    public static <T> void areTaken(Class<T> type, T instance) {
        int calls = 0;
        for (Method method : type.getMethods()) {
            if (method.getDeclaringClass() == Object.class || method.isBridge()) {
                continue;
            }
            for (int i = 0; i < method.getParameterCount(); i++) {
                if (!method.getParameterTypes()[i].isPrimitive()) {
                    Object[] arguments = Arrays.stream(method.getParameterTypes())
                            .map(NoNulls::sample)
                            .toArray();
                    arguments[i] = null;
                    requireRefused(method, instance, arguments);
                    calls++;
                }
            }
        }
        assertThat(calls).isPositive();
    }

    private static void requireRefused(Method method, Object instance, Object[] arguments) {
        assertThatThrownBy(() -> method.invoke(instance, arguments))
                .as("%s%s", method.getName(), Arrays.toString(arguments))
                .isInstanceOf(InvocationTargetException.class)
                .hasCauseInstanceOf(NullPointerException.class);
    }

    /** A value of a common parameter type. */
    private static Object sample(Class<?> type) {
        if (type == String.class) {
            return "W1";
        }
        if (type == String[].class) {
            return new String[] {"A1", "B1"};
        }
        if (type == int[].class) {
            return new int[] {1, 2};
        }
        if (type == Instant.class) {
            return Instant.EPOCH;
        }
        if (type == int.class) {
            return 1;
        }
        if (type == long.class) {
            return 1L;
        }
        if (type.isEnum()) {
            return type.getEnumConstants()[1];
        }
        throw new IllegalArgumentException("no sample of " + type);
    }
}
