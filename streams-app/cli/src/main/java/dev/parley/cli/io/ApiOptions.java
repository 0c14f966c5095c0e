package dev.parley.cli.io;

import java.net.URI;
import java.nio.file.Path;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of a command that uses the HTTP API. */
public final class ApiOptions {

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--url",
            paramLabel = "URL",
            defaultValue = "http://127.0.0.1:8080",
            description = "URL of the HTTP API. Default: ${DEFAULT-VALUE}.")
    private URI url;

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = "File with the token. Default: the environment variable PARLEY_TOKEN.")
    private Path tokenFile;

    /** Returns the URL of the API. */
    public URI url() {
        return url;
    }

    /** Returns a client of the API. */
    public ApiClient client() {
        String scheme = String.valueOf(url.getScheme());
        if (!scheme.equals("http") && !scheme.equals("https") || url.getHost() == null) {
            throw new ParameterException(
                    spec.commandLine(), "--url must be an http or https URL, but was '" + url + "'");
        }
        return new ApiClient(url, Tokens.read(spec, tokenFile));
    }
}
