package dev.parley.json;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.parley.state.Nullable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;

/**
 * A component of a record class.
 *
 * @param type its generic type
 * @param nullable whether it may be null
 * @param accessor reads its value
 */
public record RecordField(String name, Type type, boolean nullable, Method accessor) {

    private static final ClassValue<List<RecordField>> FIELDS = new ClassValue<>() {
        @Override
        protected List<RecordField> computeValue(Class<?> type) {
            return Arrays.stream(type.getRecordComponents())
                    .map(component -> {
                        Method accessor = component.getAccessor();
                        // The accessor of a record that is not public.
                        accessor.setAccessible(true);
                        return new RecordField(
                                component.getName(),
                                component.getGenericType(),
                                component.isAnnotationPresent(Nullable.class),
                                accessor);
                    })
                    .toList();
        }
    };

    /** The components of a record class, in their order. */
    public static List<RecordField> of(Class<?> type) {
        return FIELDS.get(type);
    }

    /** The value in a record. */
    public Object get(Object object) {
        try {
            return accessor.invoke(object);
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException("an accessor of a record cannot fail", e);
        }
    }

    /** Whether JSON omits the component if it is null. */
    public boolean isOmittedIfNull() {
        return accessor.isAnnotationPresent(JsonInclude.class)
                || accessor.getDeclaringClass().isAnnotationPresent(JsonInclude.class);
    }
}
