package dev.parley.server.api;

import dev.parley.avro.AuditHead;
import dev.parley.json.model.Status;
import dev.parley.log.LogNotes;
import dev.parley.server.api.view.Parameters;
import dev.parley.server.feature.Contributions;
import dev.parley.server.health.Accounts;
import dev.parley.server.health.Readiness;
import dev.parley.server.health.SourceProgress;
import dev.parley.server.http.ApiRequest;
import dev.parley.server.http.ResponseBudget;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * Answers how the deployment is: the components and the lag of this instance, the accounting, when heads of the
 * audit log were last published and signed, over all instances, and the status lines of features.
 */
record StatusHandler(Accounts accounts, Readiness readiness, LogHandler log, Contributions contributions) {

    CompletableFuture<?> status(ApiRequest request) {
        Parameters.of(request);
        return log.published(request)
                .thenApply(published -> ResponseBudget.of(request).addAnswer(status(published)));
    }

    private Status status(List<AuditHead> published) {
        List<Readiness.Part> parts = readiness.parts();
        Optional<SourceProgress> progress = readiness.progress();
        return new Status(
                parts.stream().allMatch(Readiness.Part::isReady),
                HealthHandler.parts(parts),
                accounts.report(progress),
                lag(progress),
                heads(published),
                contributions.statusLines());
    }

    /** Unread records by application, from the last measurement. */
    private Status.Lag lag(Optional<SourceProgress> progress) {
        Map<String, Long> applications = new TreeMap<>();
        Map<String, Long> overdue = new TreeMap<>();
        progress.ifPresent(known -> known.partitions().forEach(partition -> {
            applications.merge(partition.application(), partition.lag(), Long::sum);
            overdue.merge(partition.application(), partition.overdue(), Long::sum);
        }));
        return new Status.Lag(
                progress.map(SourceProgress::time).orElse(null), applications, overdue, accounts.history());
    }

    private Status.Heads heads(List<AuditHead> notes) {
        List<AuditHead> heads =
                notes.stream().filter(note -> note.getPartition() >= 0).toList();
        Comparator<AuditHead> byTime = Comparator.comparing(AuditHead::getTime);
        Optional<AuditHead> signed = heads.stream()
                .filter(head -> !LogNotes.signersOf(head).isEmpty())
                .max(byTime);
        return new Status.Heads(
                heads.stream().max(byTime).map(AuditHead::getTime).orElse(null),
                signed.map(AuditHead::getTime).orElse(null),
                signed.map(head -> Math.max(
                                0,
                                Duration.between(head.getTime(), Instant.now()).toSeconds()))
                        .orElse(null),
                heads.stream().mapToLong(AuditHead::getSize).sum(),
                signed.map(LogNotes::signersOf).orElse(List.of()),
                readiness.unsignedLogs());
    }
}
