package dev.parley.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.parley.cli.io.ConfigOptions;
import dev.parley.cli.io.JsonLines;
import dev.parley.server.Features;
import dev.parley.server.operations.AclRole;
import dev.parley.server.operations.Deployment;
import dev.parley.server.operations.RequiredAcl;
import dev.parley.topology.config.ParleyConfig;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.utils.SecurityUtils;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code parley acls}: prints the minimum permissions of a principal. */
@Command(
        name = "acls",
        description =
                "Prints the minimum permissions of a principal under a configuration: kafka-acls commands, or JSON.",
        footer = {
            "",
            "Roles: pipeline and views for instances with those roles, ingest for those with http.ingest=true;"
                    + " access for those with http.access-log=true;"
                    + " producer for agents; consumer for readers of"
                    + " the outputs; redact and reset for callers of parley redact and reset; redrive, in addition to"
                    + " views, for instances that redrive;"
                    + " verifier for parley verify, export and manifest. Nothing is sent to the brokers.",
            "",
            "Example:",
            "  parley acls --principal User:parley --role pipeline | sh"
        })
final class AclsCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private ConfigOptions config;

    @Option(names = "--principal", paramLabel = "TYPE:NAME", required = true, description = "For example User:parley.")
    private String principal;

    @Option(names = "--role", paramLabel = "ROLE", required = true, description = "Role of the principal.")
    private String role;

    @Option(
            names = "--command-config",
            paramLabel = "FILE",
            description = "Client settings of the administrator who will run the commands; copied into them.")
    private String commandConfig;

    @Option(names = "--json", description = "Prints a JSON object per resource.")
    private boolean json;

    @Override
    public Integer call() throws IOException {
        ParleyConfig settings = config.read(spec);
        checkPrincipal();
        List<RequiredAcl> needs = role().needs(Deployment.of(settings));
        if (json) {
            printJson(needs);
        } else {
            String brokers = String.join(",", settings.getList(ParleyConfig.BOOTSTRAP_SERVERS));
            PrintWriter out = spec.commandLine().getOut();
            needs.forEach(requiredAcl -> out.println(command(requiredAcl, brokers)));
            out.flush();
        }
        return 0;
    }

    private void checkPrincipal() {
        try {
            SecurityUtils.parseKafkaPrincipal(principal);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--principal must be a type and a name, such as User:parley, but was '" + principal + "'",
                    e);
        }
    }

    private AclRole role() {
        List<AclRole> roles = Features.roles();
        return roles.stream()
                .filter(known -> known.name().equalsIgnoreCase(role))
                .findFirst()
                .orElseThrow(() -> new ParameterException(
                        spec.commandLine(),
                        "--role must be one of "
                                + roles.stream().map(AclRole::name).collect(Collectors.joining(", ")) + ", but was '"
                                + role + "'"));
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

    private void printJson(List<RequiredAcl> needs) throws IOException {
        try (JsonGenerator out = JsonLines.generator(System.out)) {
            for (RequiredAcl requiredAcl : needs) {
                out.writeStartObject();
                out.writeStringField("principal", principal);
                out.writeStringField("resource", SecurityUtils.resourceTypeName(requiredAcl.type()));
                out.writeStringField("pattern", requiredAcl.pattern().name());
                out.writeStringField("name", requiredAcl.name());
                out.writeArrayFieldStart("operations");
                for (AclOperation operation : requiredAcl.operations()) {
                    out.writeString(SecurityUtils.operationName(operation));
                }
                out.writeEndArray();
                out.writeStringField("why", requiredAcl.why());
                JsonLines.end(out);
            }
        }
    }
}
