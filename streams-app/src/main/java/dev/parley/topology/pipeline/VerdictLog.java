package dev.parley.topology.pipeline;

import dev.parley.avro.Source;
import dev.parley.stage.JudgedRecord;
import dev.parley.stage.Outcome;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One line for each verdict, for whoever debugs: conversation, position and code, never what the message says. */
final class VerdictLog {
    private static final Logger LOG = LoggerFactory.getLogger(VerdictLog.class);

    private VerdictLog() {}

    static void log(JudgedRecord judged) {
        if (!LOG.isDebugEnabled()) {
            return;
        }
        Outcome outcome = judged.outcome();
        Source source = judged.inbound().getSource();
        LOG.atDebug()
                .addKeyValue("conversation", judged.chain())
                .addKeyValue("topic", source.getTopic())
                .addKeyValue("partition", source.getPartition())
                .addKeyValue("offset", source.getOffset())
                .log("{} {}", outcome.verdict(), outcome.code() == null ? "" : outcome.code());
    }
}
