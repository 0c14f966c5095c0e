package dev.parley.demo;

import dev.parley.cli.Demo;
import dev.parley.cli.api.ApiClient;
import dev.parley.cli.io.Terminal;
import dev.parley.conformance.CodeGuide;
import dev.parley.json.model.AccountingReport;
import dev.parley.log.export.Exporter;
import dev.parley.serde.AvroSerdes;
import dev.parley.topology.config.AuditKeys;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.kafka.StreamsSettings;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The report of the demo: the story, and where to continue.
 *
 * @param directory where exports are written
 */
record DemoReport(
        Demo.Options options,
        ParleyConfig config,
        ReportAccess access,
        ApiClient api,
        DemoKeys keys,
        Path directory,
        PrintWriter out) {

    /** How the user starts Parley; the launchers set it. */
    private static final String PARLEY = quoted(System.getProperty("parley.command", "./parley"));

    /**
     * Prints the report. Returns whether the audit trail and the proof of a message verify, and their forgeries do not.
     *
     * @param accounted whether all inputs of the start are accounted for
     */
    boolean print(boolean accounted) throws IOException, InterruptedException {
        StoryPrinter page = new StoryPrinter(out, Terminal.hasColor());
        Story story = new Story(api, page, CodeGuide.withoutExamples());
        TamperedCopy files = new TamperedCopy(keys.keys(), directory);
        story.traffic();
        Optional<Story.Rejected> violation = story.violation();
        Optional<Story.Rejected> conflict = story.conflict();
        story.timeTravel();
        boolean sound = story.tampering(files, export(files), violation.or(() -> conflict), keys.keys());
        story.accounting(accounted);
        if (!options.exit()) {
            page.heading("Running until Ctrl-C. Next, in another terminal:");
            commands(page, files, violation, conflict);
            addresses(page);
        }
        return sound;
    }

    private Exporter.Written export(TamperedCopy files) throws IOException, InterruptedException {
        AccountingReport.Counts total =
                api.get("/v1/accounting", AccountingReport.class).total();
        long records = total.accepted() + total.flagged() + total.rejected() + total.undecodable();
        try (AvroSerdes serdes = AvroSerdes.fromConfig(config.registrySettings())) {
            return files.write(config.topics(), StreamsSettings.clientSettings(config), serdes, records);
        }
    }

    private void addresses(StoryPrinter page) {
        page.verbatim("Kafka            " + brokers());
        page.verbatim("Schema Registry  " + registry());
        page.verbatim("HTTP API         " + api.uri("/v1/conversations"));
        if (access.reader().isPresent() && access.operator().isEmpty()) {
            page.verbatim("The API requires one of your tokens; commands with --url take it from PARLEY_TOKEN.");
        }
    }

    /** Commands that work as they are printed; variables first where the defaults would lead elsewhere. */
    private void commands(
            StoryPrinter page,
            TamperedCopy files,
            Optional<Story.Rejected> violation,
            Optional<Story.Rejected> conflict) {
        if (!brokers().equals("127.0.0.1:" + Addresses.USUAL.kafka())) {
            page.verbatim("export " + ParleyConfig.variable(ParleyConfig.BOOTSTRAP_SERVERS) + "=" + brokers());
        }
        if (!registry().equals("http://127.0.0.1:" + Addresses.USUAL.registry())) {
            page.verbatim("export " + ParleyConfig.variable(ParleyConfig.REGISTRY_URL) + "=" + registry());
        }
        access.operator().ifPresent(token -> page.verbatim("export PARLEY_TOKEN=" + token));
        page.verbatim(PARLEY + " tap wrap ~/.cursor/mcp.json --bootstrap-servers " + brokers());
        String key = " --key " + quoted(keys.file().toString());
        page.verbatim(PARLEY + " verify " + quoted(files.copy().toString()) + key);
        violation.or(() -> conflict).ifPresent(rejected -> {
            String proof = quoted(directory.resolve("message.proof").toString());
            page.verbatim(
                    "curl -s " + (access.reader().isPresent() ? "-H \"Authorization: Bearer $PARLEY_TOKEN\" " : "")
                            + quoted(api.uri(MessageProof.path(rejected.conversation(), rejected.sequence()))
                                    .toString())
                            + " -o " + proof);
            page.verbatim(PARLEY + " prove --check " + proof + key);
        });
        conflict.ifPresent(rejected -> {
            String base = api.uri("").toString();
            String url = base.equals("http://127.0.0.1:8080") ? "" : " --url " + quoted(base);
            page.verbatim(PARLEY + " dlq " + (access.operator().isPresent() ? "redrive --dry-run " : "show ")
                    + rejected.letter().id() + url);
        });
        violation.ifPresent(rejected -> {
            if (access.operator().isPresent()) {
                page.verbatim("curl -s -X POST -H \"Authorization: Bearer $PARLEY_TOKEN\" \\");
                page.verbatim("  -d '{\"reason\":\"trial\"}' \\");
                String path = rejected.conversation() + "/messages/" + rejected.sequence() + "/redact";
                page.verbatim("  " + quoted(api.uri(path).toString()));
            } else {
                page.verbatim(PARLEY + " redact --chain " + quoted(rejected.chain()) + " --sequence "
                        + rejected.sequence() + " --reason trial --set " + AuditKeys.INTERNAL_KEY_FILES + "="
                        + quoted(String.join(",", config.getList(AuditKeys.INTERNAL_KEY_FILES))));
            }
        });
    }

    /** A word of a shell. */
    static String quoted(String word) {
        return word.chars().allMatch(c -> Character.isLetterOrDigit(c) || "/._-+@%=:,".indexOf(c) >= 0)
                ? word
                : "'" + word.replace("'", "'\\''") + "'";
    }

    private String brokers() {
        return String.join(",", config.getList(ParleyConfig.BOOTSTRAP_SERVERS));
    }

    private String registry() {
        return config.shownRegistryUrl();
    }
}
