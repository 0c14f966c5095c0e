package dev.parley.cli;

import dev.parley.cli.api.ApiClient;
import dev.parley.cli.api.ApiOptions;
import dev.parley.cli.api.StatusReport;
import dev.parley.cli.io.BaseCommand;
import dev.parley.cli.io.JsonLines;
import dev.parley.cli.io.StandardOutput;
import dev.parley.cli.io.Terminal;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code parley status}: shows the state of a running Parley on one screen. */
@Command(
        name = "status",
        description = "Shows a running Parley on one screen: parts, lag, accounting, parked patches, dead letters by"
                + " code, chain heads.",
        footer = {
            "",
            "Needs a token with the role reader if authentication is on.",
            "",
            "Exit status: 0 if all parts are ready; 1 if one is not, or the HTTP API is unavailable.",
            "",
            "Examples:",
            "  parley status",
            "  parley status --url http://parley:8080 --token-file reader.token --watch 5"
        })
final class StatusCommand extends BaseCommand {
    private static final String CLEAR = "\u001b[H\u001b[2J";

    @Mixin
    private ApiOptions options;

    @Option(names = "--json", description = "Prints a JSON object, with --watch one per line.")
    private boolean json;

    @Option(
            names = "--watch",
            paramLabel = "SECONDS",
            arity = "0..1",
            fallbackValue = "2",
            description = "Repeats at this interval in seconds, until Ctrl-C. Default: 2.")
    private Integer watch;

    @Override
    public Integer call() throws InterruptedException {
        requireAtLeast("--watch", 1, watch);
        ApiClient api = options.client();
        if (watch == null) {
            StatusReport.Report status = StatusReport.read(api, options.url());
            print(status, "");
            return status.isUp() ? 0 : 1;
        }
        // Ctrl-C ends the process between two screens: each is printed at once.
        CountDownLatch never = new CountDownLatch(1);
        String before = "";
        do {
            repeat(api, Terminal.hasColor() ? CLEAR : before);
            before = System.lineSeparator();
        } while (StandardOutput.failure().isEmpty() && !never.await(watch, TimeUnit.SECONDS));
        return 1;
    }

    /** One screen; while Parley is unavailable, for example because it restarts, the reason. */
    private void repeat(ApiClient api, String before) {
        try {
            print(StatusReport.read(api, options.url()), before);
        } catch (IllegalStateException e) {
            err().print(before);
            report(describe(e));
        }
    }

    private void print(StatusReport.Report status, String before) {
        if (json) {
            JsonLines.print(status);
            return;
        }
        StringWriter screen = new StringWriter();
        new StatusReport(new PrintWriter(screen), Terminal.width(), Terminal.hasColor()).print(status);
        out().print(before + screen);
        out().flush();
    }
}
