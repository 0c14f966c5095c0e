package dev.parley.cli.api;

import dev.parley.cli.io.Options;
import dev.parley.cli.io.UsageException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options of a command that uses the HTTP API. */
public final class ApiOptions {
    private static final String TOKEN_VARIABLE = "PARLEY_TOKEN";
    private static final int DELETE = 0x7f;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--url",
            paramLabel = "URL",
            defaultValue = "${env:PARLEY_URL:-http://127.0.0.1:8080}",
            description = "URL of the HTTP API. Default: the environment variable PARLEY_URL, otherwise"
                    + " http://127.0.0.1:8080.")
    private URI url;

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = "File with the token. Default: the environment variable PARLEY_TOKEN.")
    private Path tokenFile;

    /** Whether the command line names the API. */
    public boolean isGiven() {
        return spec.commandLine().getParseResult().hasMatchedOption("--url");
    }

    /** Returns a client of the API. */
    public ApiClient client() {
        String scheme = String.valueOf(url.getScheme());
        if (!scheme.equals("http") && !scheme.equals("https") || url.getHost() == null) {
            throw new UsageException("--url must be an http or https URL, but was '" + url + "'");
        }
        String source = tokenFile == null ? TOKEN_VARIABLE : tokenFile.toString();
        try {
            String token = tokenFile == null ? System.getenv(TOKEN_VARIABLE) : Files.readString(tokenFile);
            boolean isBlank = token == null || token.isBlank();
            if (isBlank && tokenFile != null) {
                throw new UsageException(tokenFile + " has no token; write the token into the file");
            }
            return new ApiClient(url, isBlank ? Optional.empty() : Optional.of(token(source, token)));
        } catch (IOException e) {
            throw Options.unreadable(tokenFile, e);
        }
    }

    /** Refuses what no header can contain, without repeating it: the error of the HTTP client would. */
    private static String token(String source, String text) {
        String token = text.strip();
        if (!token.chars().allMatch(c -> c > ' ' && c < DELETE)) {
            throw new UsageException(source + " must contain one token of ASCII characters, without spaces");
        }
        return token;
    }
}
