package dev.parley.cli;

import dev.parley.access.Role;
import dev.parley.access.StoredToken;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code parley token}: makes a token for the HTTP API. */
@Command(
        name = "token",
        description =
                "Makes a token for the HTTP API: the line for the tokens file on standard output, the token itself on"
                        + " standard error.",
        footer = {
            "",
            "The token is shown this once; the line has only its SHA-256. Give the token to its bearer, and append the"
                    + " line to the file that",
            "http.auth.tokens.file names. Parley reads that file again when it changes.",
            "Roles: reader; auditor, who may see private messages too; operator, who may send dead letters again, too.",
            "",
            "Example:",
            "  parley token --role reader --name alice --days 90 >> tokens.jsonl"
        })
final class TokenCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(names = "--role", required = true, paramLabel = "ROLE", description = "reader, auditor or operator.")
    private String role;

    @Option(names = "--name", required = true, paramLabel = "NAME", description = "Who bears it; stands in the log.")
    private String name;

    @Option(names = "--days", paramLabel = "DAYS", description = "For how many days it is good; without it, for ever.")
    private Integer days;

    @Override
    public Integer call() {
        Role given = Role.of(role)
                .orElseThrow(() ->
                        new ParameterException(spec.commandLine(), "--role " + role + " is none of " + Role.names()));
        if (name.isBlank()) {
            throw new ParameterException(spec.commandLine(), "--name is empty");
        }
        if (days != null && days < 1) {
            throw new ParameterException(spec.commandLine(), "--days " + days + " is less than 1");
        }
        Optional<Instant> expires = Optional.ofNullable(days)
                .map(count ->
                        Clock.systemUTC().instant().plus(Duration.ofDays(count)).truncatedTo(ChronoUnit.SECONDS));
        String token = StoredToken.newToken(new SecureRandom());
        spec.commandLine().getErr().println(token);
        spec.commandLine()
                .getOut()
                .println(StoredToken.of(token, name, given, expires).line());
        return 0;
    }
}
