package dev.parley.cli.io;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import dev.parley.logging.FileErrors;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.file.FileSystemException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.zip.DataFormatException;
import org.apache.avro.AvroRuntimeException;

/** Turns exceptions into messages for a person: of a file, always its path and the reason. */
public final class ErrorMessages {
    private ErrorMessages() {}

    /** The first line of the message of an exception; its class without a message. */
    public static String firstLine(Exception exception) {
        String message = exception.getMessage() == null ? exception.getClass().getSimpleName() : exception.getMessage();
        return message.lines().findFirst().orElse("");
    }

    /** Why bytes are not what they must be, without the names of classes, which parsers mention. */
    public static String damage(Exception exception) {
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
        if (exception instanceof EOFException && exception.getMessage() == null) {
            return "the bytes end early";
        }
        boolean explained = exception instanceof IOException
                || exception instanceof AvroRuntimeException
                || exception instanceof DataFormatException
                || exception.getClass() == IllegalArgumentException.class;
        return explained && exception.getMessage() != null ? firstLine(exception) : "the bytes are malformed";
    }

    /** The message of an exception; never null or blank. */
    public static String of(Throwable exception) {
        Throwable cause = exception.getCause();
        if (cause != null && isWrapper(exception)) {
            return of(cause);
        }
        if (exception instanceof FileSystemException failed) {
            return failed.getFile() == null ? reason(failed) : failed.getFile() + ": " + reason(failed);
        }
        if (exception instanceof IOException failed) {
            return reason(failed);
        }
        String message = exception.getMessage();
        return message != null && !message.isBlank()
                ? message
                : exception.getClass().getSimpleName();
    }

    /** Why reading, writing or connecting failed, without the path or address, which the caller names. */
    public static String reason(IOException exception) {
        if (exception instanceof HttpTimeoutException) {
            return "timed out";
        }
        if (exception instanceof UnknownHostException || exception.getCause() instanceof UnresolvedAddressException) {
            return "unknown host";
        }
        Throwable cause = exception.getCause();
        if (exception instanceof ConnectException) {
            if (cause instanceof IOException inner && cause.getCause() instanceof UnresolvedAddressException) {
                return reason(inner);
            }
            return "connection refused";
        }
        return exception.getMessage() == null && cause != null ? of(cause) : FileErrors.reason(exception);
    }

    private static boolean isWrapper(Throwable exception) {
        return exception instanceof UncheckedIOException
                || exception instanceof CompletionException
                || exception instanceof ExecutionException
                || exception.getMessage() == null;
    }
}
