package dev.parley.audit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.Verdict;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Compares hashes of audit records with an independent encoding of the documented bytes. */
class AuditChainTest {

    @Test
    void thePreviousHashOfTheFirstRecordIsThirtyTwoZeros() {
        assertThat(AuditChain.genesis()).isEqualTo(ByteBuffer.wrap(new byte[32]));
        assertThat(AuditChain.HASH_BYTES).isEqualTo(32);
    }

    @Test
    void theHashIsThatOfTheDocumentedBytes() throws Exception {
        AuditChain chain = new AuditChain();
        for (AuditRecord link : Links.chain("default|SLIP|1", 20)) {
            assertThat(chain.hash(link)).isEqualTo(recomputed(link));
        }
    }

    @Test
    void aKnownHashNeverChanges() throws Exception {
        AuditRecord link = Links.unhashed("default|SLIP|1", 0, AuditChain.genesis());
        link.setVerdict(Verdict.REJECTED.name());
        link.setCode("SLIP_TURN_GAP");
        link.setWarnings(List.of("BYTE_ORDER_MARK", "SLIP_RANGE"));
        assertThat(hex(new AuditChain().hash(link))).isEqualTo(hex(recomputed(link)));
        assertThat(hex(new AuditChain().hash(link)))
                .isEqualTo("4bb90327d029da01b2c1e202c824127b6e612667babb354623caeb1a1aea049e");
    }

    @Test
    void textOutsideAsciiCountsInBytes() throws Exception {
        AuditRecord link = Links.unhashed("default|LAMBDA|λ", 7, AuditChain.genesis());
        link.getSource().setTopic("überwachung.λ");
        assertThat(new AuditChain().hash(link)).isEqualTo(recomputed(link));
    }

    @Test
    void hashingDoesNotMoveTheBuffersOfTheRecord() {
        AuditRecord link = Links.unhashed("c", 0, AuditChain.genesis());
        AuditChain chain = new AuditChain();
        ByteBuffer first = chain.hash(link);
        assertThat(link.getPreviousHash().remaining()).isEqualTo(32);
        assertThat(link.getPayloadHash().remaining()).isEqualTo(32);
        assertThat(chain.hash(link)).isEqualTo(first);
    }

    @Test
    void everyFieldOfTheLayoutCounts() {
        List<ByteBuffer> hashes = new ArrayList<>();
        AuditChain chain = new AuditChain();
        AuditRecord link = Links.unhashed("c", 0, AuditChain.genesis());
        hashes.add(chain.hash(link));
        link.setSequence(1L);
        hashes.add(chain.hash(link));
        link.getSource().setTopic("other");
        hashes.add(chain.hash(link));
        link.getSource().setPartition(9);
        hashes.add(chain.hash(link));
        link.getSource().setOffset(9L);
        hashes.add(chain.hash(link));
        link.setVerdict(Verdict.FLAGGED.name());
        hashes.add(chain.hash(link));
        link.setCode("A");
        hashes.add(chain.hash(link));
        link.setWarnings(List.of("B", "CD"));
        hashes.add(chain.hash(link));
        link.setWarnings(List.of("BC", "D"));
        hashes.add(chain.hash(link));
        link.setPayloadHash(ByteBuffer.wrap(new byte[32]));
        hashes.add(chain.hash(link));
        link.setPreviousHash(hashes.get(0));
        hashes.add(chain.hash(link));
        link.setContentHash(hashes.get(1));
        hashes.add(chain.hash(link));
        assertThat(hashes).doesNotHaveDuplicates();
    }

    private static ByteBuffer recomputed(AuditRecord link) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.write(link.getPreviousHash().array());
        out.writeLong(link.getSequence());
        text(out, link.getSource().getTopic());
        out.writeInt(link.getSource().getPartition());
        out.writeLong(link.getSource().getOffset());
        out.write(link.getPayloadHash().array());
        text(out, link.getVerdict());
        List<String> codes = new ArrayList<>();
        if (link.getCode() != null) {
            codes.add(link.getCode());
        }
        codes.addAll(link.getWarnings());
        out.writeInt(codes.size());
        for (String code : codes) {
            text(out, code);
        }
        out.write(link.getContentHash().array());
        return ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(bytes.toByteArray()));
    }

    private static void text(DataOutputStream out, String text) throws IOException {
        byte[] bytes = text.getBytes(UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static String hex(ByteBuffer bytes) {
        byte[] copy = new byte[bytes.remaining()];
        bytes.duplicate().get(copy);
        return HexFormat.of().formatHex(copy);
    }
}
