package dev.parley.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.AuditRecord;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** Tests the properties of hashes; {@link ContentHashTest} compares their values. */
class AuditChainTest {
    @Test
    void thePreviousHashOfTheFirstRecordIsThirtyTwoZeros() {
        assertThat(AuditChain.genesis()).isEqualTo(ByteBuffer.wrap(new byte[32]));
        assertThat(AuditChain.HASH_BYTES).isEqualTo(32);
    }

    @Test
    void hashingDoesNotMoveTheBuffersOfTheRecord() {
        AuditRecord link = Links.unhashed("c", 0, AuditChain.genesis());
        AuditChain chain = new AuditChain();
        ByteBuffer first = chain.hash(link);
        ByteBuffer content = chain.contentHash(link);
        assertThat(link.getPreviousHash().remaining()).isEqualTo(32);
        assertThat(link.getPayloadHash().remaining()).isEqualTo(32);
        assertThat(chain.hash(link)).isEqualTo(first);
        assertThat(chain.contentHash(link)).isEqualTo(content);
    }

    @Test
    void equalContentWithAnotherSaltHasAnotherHash() {
        AuditRecord link = Links.unhashed("c", 0, AuditChain.genesis());
        ByteBuffer before = new AuditChain().contentHash(link);
        link.setSalt(ByteBuffer.allocate(AuditChain.SALT_BYTES));
        assertThat(new AuditChain().contentHash(link)).isNotEqualTo(before);
    }
}
