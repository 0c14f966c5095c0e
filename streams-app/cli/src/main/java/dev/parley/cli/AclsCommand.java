package dev.parley.cli;

import dev.parley.cli.io.ConfigCommand;
import dev.parley.cli.io.JsonLines;
import dev.parley.cli.io.Options;
import dev.parley.cli.io.UsageException;
import dev.parley.server.Features;
import dev.parley.server.deployment.AclRole;
import dev.parley.server.deployment.Deployment;
import dev.parley.server.deployment.RequiredAcl;
import dev.parley.topology.config.ParleyConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.utils.SecurityUtils;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code parley acls}: prints the minimum permissions of a principal. */
@Command(
        name = "acls",
        description =
                "Prints the minimum permissions of a principal under a configuration: kafka-acls commands, or JSON.",
        footer = {
            "",
            "Nothing is sent to the brokers.",
            "",
            "Example:",
            "  parley acls --principal User:parley --role pipeline | sh"
        })
final class AclsCommand extends ConfigCommand {
    @Option(names = "--principal", paramLabel = "TYPE:NAME", required = true, description = "For example User:parley.")
    private String principal;

    @Option(
            names = "--role",
            paramLabel = "ROLE",
            required = true,
            completionCandidates = Holders.class,
            description = "Role of the principal: ${COMPLETION-CANDIDATES}.")
    private AclRole role;

    @Option(
            names = "--command-config",
            paramLabel = "FILE",
            description = "Client settings of the administrator who will run the commands; copied into them.")
    private String commandConfig;

    @Option(names = "--json", description = "Prints a JSON object per resource.")
    private boolean json;

    /** The roles, each with the principals that have it. */
    static final class Holders extends ArrayList<String> {
        private static final long serialVersionUID = 1L;

        Holders() {
            Features.roles().forEach(role -> add(role.name() + " for " + role.holders()));
        }
    }

    private record Line(
            String principal, String resource, String pattern, String name, List<String> operations, String why) {}

    @Override
    public Integer call() {
        ParleyConfig settings = settings();
        checkPrincipal();
        List<RequiredAcl> needs = role.needs(Deployment.of(settings));
        if (json) {
            needs.forEach(need -> JsonLines.print(line(need)));
        } else {
            String brokers = String.join(",", settings.getList(ParleyConfig.BOOTSTRAP_SERVERS));
            needs.forEach(need -> out().println(command(need, brokers)));
        }
        return 0;
    }

    private void checkPrincipal() {
        try {
            SecurityUtils.parseKafkaPrincipal(principal);
        } catch (IllegalArgumentException e) {
            throw new UsageException(
                    "--principal must be a type and a name, such as User:parley, but was '" + principal + "'", e);
        }
    }

    /** The role of that name. */
    static AclRole role(String name) {
        List<AclRole> roles = Features.roles();
        return Options.known(
                roles.stream()
                        .filter(role -> role.name().equalsIgnoreCase(name))
                        .findFirst(),
                "one of " + roles.stream().map(AclRole::name).collect(Collectors.joining(", ")),
                name);
    }

    private String command(RequiredAcl requiredAcl, String brokers) {
        StringBuilder command = new StringBuilder("kafka-acls.sh --bootstrap-server ").append(quoted(brokers));
        if (commandConfig != null) {
            command.append(" --command-config ").append(quoted(commandConfig));
        }
        command.append(" --add --allow-principal ").append(quoted(principal));
        for (AclOperation operation : requiredAcl.operations()) {
            command.append(" --operation ").append(SecurityUtils.operationName(operation));
        }
        command.append(" --")
                .append(requiredAcl.type().name().toLowerCase(Locale.ROOT).replace('_', '-'))
                .append(' ')
                .append(quoted(requiredAcl.name()));
        if (requiredAcl.pattern() == PatternType.PREFIXED) {
            command.append(" --resource-pattern-type prefixed");
        }
        return command.toString();
    }

    /** Safe in a POSIX shell. */
    private static String quoted(String text) {
        return text.matches("[A-Za-z0-9._:,/@%+-]+") ? text : "'" + text.replace("'", "'\\''") + "'";
    }

    private Line line(RequiredAcl need) {
        return new Line(
                principal,
                SecurityUtils.resourceTypeName(need.type()),
                need.pattern().name(),
                need.name(),
                need.operations().stream().map(SecurityUtils::operationName).toList(),
                need.why());
    }
}
