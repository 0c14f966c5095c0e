package dev.parley.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.AuditRecord;
import org.junit.jupiter.api.Test;

/** Tests the encoded forms of a record with and without a message. */
class EncodedAuditRecordTest {
    @Test
    void theEncodingIsThatOfTheRecord() {
        AuditRecord link = Links.messages("default|SLIP|1", 1).get(0);
        EncodedAuditRecord sealed = new AuditChain().seal(link);
        assertThat(sealed.encoded().record()).isSameAs(link);
        assertThat(sealed.encoded().bytes()).isSameAs(sealed.bytes());
        assertThat(sealed.encodedMessage().record()).isSameAs(link.getMessage());
        assertThat(sealed.encodedMessage().bytes()).hasSize(sealed.messageEnd() - sealed.messageStart());
    }

    @Test
    void aRecordWithoutAMessageHasAnEmptyPartForIt() {
        EncodedAuditRecord sealed =
                new AuditChain().seal(Links.chain("default|SLIP|1", 1).get(0));
        assertThat(sealed.messageEnd()).isEqualTo(sealed.messageStart());
    }
}
