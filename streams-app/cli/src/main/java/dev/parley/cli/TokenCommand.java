package dev.parley.cli;

import dev.parley.cli.io.BaseCommand;
import dev.parley.cli.io.StandardOutput;
import dev.parley.cli.io.UsageException;
import dev.parley.server.auth.Role;
import dev.parley.server.auth.StoredToken;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code parley token}: creates a token for the HTTP API. */
@Command(
        name = "token",
        description =
                "Creates a token for the HTTP API: prints the line for the tokens file to standard output, and the"
                        + " token itself to standard error.",
        footer = {
            "",
            "The token is printed only once; the line has its SHA-256. Give the token to its bearer, and append the"
                    + " line to the file that http.auth.tokens.file names. Parley reads that file again when it"
                    + " changes.",
            "",
            "Roles: producer, who sends messages and reads nothing; recorder, who also states their callers, as"
                    + " parley tap does; reader; auditor, who also sees private messages; operator, who also sends"
                    + " messages, redrives dead letters, redacts and approves.",
            "",
            "Examples:",
            "  parley token --role reader --name alice --days 90 >> tokens.jsonl",
            "  parley token --role producer --name line-4 --namespace plant >> tokens.jsonl",
            "  parley token --role auditor --name lead --namespace plant >> tokens.jsonl"
        })
final class TokenCommand extends BaseCommand {
    @Option(
            names = "--role",
            required = true,
            paramLabel = "ROLE",
            description = "producer, recorder, reader, auditor or operator.")
    private Role role;

    @Option(names = "--name", required = true, paramLabel = "NAME", description = "Name of the bearer, for the log.")
    private String name;

    @Option(
            names = "--days",
            paramLabel = "DAYS",
            description = "Days until the token expires. Default: it does not expire.")
    private Integer days;

    @Option(
            names = "--namespace",
            paramLabel = "NAMESPACE",
            description = "Namespace that the bearer may read and send to; may be repeated. Default: every namespace.")
    private List<String> namespaces = List.of();

    @Override
    public Integer call() {
        if (name.isBlank()) {
            throw new UsageException("--name must not be empty");
        }
        requireAtLeast("--days", 1, days);
        if (namespaces.stream().anyMatch(String::isBlank)) {
            throw new UsageException("--namespace must not be empty");
        }
        Optional<Set<String>> bound = namespaces.isEmpty() ? Optional.empty() : Optional.of(new HashSet<>(namespaces));
        Optional<Instant> expires = Optional.ofNullable(days)
                .map(count ->
                        Clock.systemUTC().instant().plus(Duration.ofDays(count)).truncatedTo(ChronoUnit.SECONDS));
        String token = StoredToken.newToken(new SecureRandom());
        out().println(StoredToken.of(token, name, role, bound, expires).line());
        if (StandardOutput.failure().isPresent()) {
            return 1;
        }
        err().println(token);
        return 0;
    }
}
