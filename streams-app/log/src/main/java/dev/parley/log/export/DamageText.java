package dev.parley.log.export;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import java.io.IOException;

/** Says why bytes of a file cannot be read. */
public final class DamageText {
    private DamageText() {}

    /** Why bytes are not what they must be, without the names of classes, which parsers mention. */
    public static String of(Exception exception) {
        if (exception instanceof MismatchedInputException) {
            return "other text follows the object";
        }
        if (exception instanceof StreamConstraintsException) {
            return "it is nested too deep, or has a text that is too long";
        }
        if (exception instanceof JsonProcessingException malformed) {
            JsonLocation location = malformed.getLocation();
            return "it is not valid JSON"
                    + (location == null
                            ? ""
                            : " at line " + location.getLineNr() + ", column " + location.getColumnNr());
        }
        boolean explained = exception instanceof IOException || exception.getClass() == IllegalArgumentException.class;
        return explained && exception.getMessage() != null
                ? exception.getMessage().lines().findFirst().orElse("")
                : "the bytes are malformed";
    }
}
