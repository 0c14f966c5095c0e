package dev.parley.cli.io;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Reads the token that a command sends to the HTTP API. */
public final class Tokens {
    private static final String VARIABLE = "PARLEY_TOKEN";

    private Tokens() {}

    /**
     * The token of a file, else that of the environment variable PARLEY_TOKEN; empty without either.
     *
     * @param file may be null
     */
    public static Optional<String> read(CommandSpec spec, Path file) {
        if (file == null) {
            return Optional.ofNullable(System.getenv(VARIABLE)).filter(token -> !token.isBlank());
        }
        String token;
        try {
            token = Files.readString(file).strip();
        } catch (IOException e) {
            throw Options.unreadable(spec, file, e);
        }
        if (token.isEmpty()) {
            throw new ParameterException(spec.commandLine(), file + " has no token; write the token into the file");
        }
        return Optional.of(token);
    }
}
