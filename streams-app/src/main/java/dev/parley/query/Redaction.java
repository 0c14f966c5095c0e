package dev.parley.query;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.DeadLetterSummary;
import dev.parley.avro.LambdaTrust;
import dev.parley.avro.Protocol;
import dev.parley.pipeline.Bytes;
import java.nio.charset.StandardCharsets;

/** Which bodies the API does not show. The audit topic has them whatever this says: a redaction is about who reads, not about what is kept. */
public interface Redaction {

    /** Shows everything. */
    Redaction NONE = new Redaction() {
        @Override
        public boolean hides(AuditRecord record) {
            return false;
        }

        @Override
        public boolean hides(DeadLetterSummary deadLetter) {
            return false;
        }
    };

    /** Hides the bodies of Λ messages with the trust prefix "prv:" (Λ v0.6 §7.3), which are for the agents they are addressed to. */
    Redaction PRIVATE = new Redaction() {
        @Override
        public boolean hides(AuditRecord record) {
            AgentMessage message = record.getMessage();
            return message != null
                    && message.getLambda() != null
                    && message.getLambda().getTrust() == LambdaTrust.PRIVATE;
        }

        @Override
        public boolean hides(DeadLetterSummary deadLetter) {
            boolean lambda =
                    deadLetter.getProtocol() == Protocol.LAMBDA || deadLetter.getProtocol() == Protocol.UNKNOWN;
            return lambda
                    && new String(Bytes.of(deadLetter.getPreview()), StandardCharsets.ISO_8859_1).contains("prv:");
        }
    };

    /** Whether the body of this message is hidden. */
    boolean hides(AuditRecord record);

    /** Whether the first bytes of this dead letter are hidden. */
    boolean hides(DeadLetterSummary deadLetter);
}
