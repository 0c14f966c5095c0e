package dev.parley.cli;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.parley.cli.api.ApiOptions;
import dev.parley.cli.api.ApiQuery;
import dev.parley.cli.api.EventStream;
import dev.parley.cli.api.EventStream.Event;
import dev.parley.cli.api.FilterOptions;
import dev.parley.cli.io.BaseCommand;
import dev.parley.cli.io.JsonLines;
import dev.parley.cli.io.StandardOutput;
import dev.parley.cli.io.Terminal;
import dev.parley.cli.io.UsageException;
import dev.parley.codec.ControlCharacters;
import dev.parley.codec.Excerpt;
import dev.parley.json.model.TailEvent;
import dev.parley.json.model.VerdictDetail;
import dev.parley.server.tail.TailPosition;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code parley tail}: follows verdicts as they are recorded. */
@Command(
        name = "tail",
        description = "Follows the verdicts of a running Parley as they are recorded: colored lines on a terminal, JSON"
                + " lines elsewhere.",
        footer = {
            "",
            "Resumes by itself after a broken or silent connection, without losing or repeating a verdict. Needs a token with the"
                    + " role reader if authentication is on. Runs until Ctrl-C.",
            "",
            "Exit status: 0 after --count verdicts; 1 if the API refuses, or cannot be reached at first, or the"
                    + " verdicts to resume from have expired.",
            "",
            "Examples:",
            "  parley tail",
            "  parley tail --verdict rejected --protocol csp",
            "  parley tail --count 10 --json"
        })
final class TailCommand extends BaseCommand {
    private static final String RESET = "\u001b[0m";
    private static final Map<String, String> COLORS = Map.of(
            "ACCEPTED", "\u001b[32m",
            "FLAGGED", "\u001b[33m",
            "REJECTED", "\u001b[31m",
            "UNDECODABLE", "\u001b[35m");
    private static final long MIN_PAUSE_MS = 200;
    private static final long MAX_PAUSE_MS = 5_000;

    /** A line of the output: the data of an event, and its ID. */
    private record Line(@JsonUnwrapped TailEvent data, String event) {}

    @Mixin
    private ApiOptions api;

    @Mixin
    private FilterOptions filters;

    @Option(
            names = "--verdict",
            paramLabel = "VERDICT",
            description = "Only with this verdict: accepted, rejected, flagged or undecodable.")
    private String verdict;

    @Option(
            names = "--after",
            paramLabel = "EVENT-ID",
            description = "Starts after this event, as the member event of a JSON line names it. Default: now.")
    private String after;

    @Option(names = "--count", paramLabel = "N", description = "Ends after N verdicts.")
    private Long count;

    @Option(names = "--json", description = "Prints JSON lines even on a terminal.")
    private boolean json;

    private long printed;
    private boolean announced;

    @Override
    public Integer call() throws InterruptedException {
        requireAtLeast("--count", 1, count);
        if (after != null && TailPosition.parse(after).isEmpty()) {
            throw new UsageException("--after must be the member event of a JSON line, but was '" + after + "'");
        }
        ApiQuery query = new ApiQuery("/v1/tail").with(filters.filters()).with("verdict", verdict);
        EventStream stream = new EventStream(api.client(), query, Optional.ofNullable(after));
        boolean colored = !json && Terminal.hasColor();
        boolean lines = !json && Terminal.isOutput();
        long pause = MIN_PAUSE_MS;
        String reported = "";
        while (StandardOutput.failure().isEmpty()) {
            EventStream.Ended ended = stream.follow(() -> following(lines), event -> print(event, lines, colored));
            if (count != null && printed >= count) {
                return 0;
            }
            if (!ended.mayResume()) {
                return failed(ended.reason());
            }
            pause = ended.received() ? MIN_PAUSE_MS : Math.min(2 * pause, MAX_PAUSE_MS);
            if (ended.expected()) {
                reported = "";
            } else if (ended.received() || !ended.reason().equals(reported)) {
                report(Excerpt.withoutPeriod(ended.reason()) + "; reconnecting");
                reported = ended.reason();
            }
            TimeUnit.MILLISECONDS.sleep(pause);
        }
        return 1;
    }

    /** Says once on a terminal that the command waits: there may be no message for a long time. */
    private void following(boolean lines) {
        if (lines && !announced) {
            announced = true;
            report("following new messages; Ctrl-C ends it");
        }
    }

    /** Prints an event; false if it was the last. */
    private boolean print(Event event, boolean lines, boolean colored) {
        if (lines) {
            out().println(line(event.data(), colored));
        } else {
            JsonLines.print(new Line(event.data(), event.id()));
        }
        printed++;
        return (count == null || printed < count) && StandardOutput.failure().isEmpty();
    }

    /** A line for a terminal; with a code, the rule and what is wrong below it. */
    static String line(TailEvent event, boolean colored) {
        VerdictDetail judged = event.judged();
        String outcome = judged.code() == null ? judged.verdict() : judged.verdict() + ' ' + judged.code();
        String to = event.to().isEmpty() ? "" : " → " + String.join(", ", event.to());
        String color = colored ? COLORS.getOrDefault(judged.verdict(), "") : "";
        return event.time() + "  "
                + color + outcome + (color.isEmpty() ? "" : RESET) + "  "
                + ControlCharacters.escape(event.chain() + '#' + event.sequence() + "  "
                        + sender(event) + to
                        + (event.gloss() == null ? "" : "  " + event.gloss())
                        + judged.warnings().stream()
                                .map(warning -> "  W " + warning.code())
                                .collect(Collectors.joining()))
                + (judged.code() == null ? "" : reason(judged));
    }

    private static String reason(VerdictDetail judged) {
        String rule = judged.rule() == null
                ? null
                : judged.rule().getSection() + ": " + judged.rule().getText();
        return Stream.of(Optional.ofNullable(rule), Optional.ofNullable(judged.detail()))
                .flatMap(Optional::stream)
                .map(text -> "\n  " + ControlCharacters.escape(text))
                .collect(Collectors.joining());
    }

    private static String sender(TailEvent event) {
        String claimed =
                event.judged().claims() == null ? null : event.judged().claims().getSender();
        String unknown = claimed == null ? "?" : claimed + " (claimed)";
        return event.sender() == null ? unknown : event.sender();
    }
}
