package dev.parley.log.verify;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.audit.AuditChain;
import dev.parley.audit.Redactions;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Redaction;
import dev.parley.encoding.ByteBuffers;
import dev.parley.encoding.Sha256;
import dev.parley.json.AvroJsonReader;
import dev.parley.log.FaultCode;
import dev.parley.log.LogNotes;
import dev.parley.log.RecordVerifier;
import dev.parley.log.TrustedKey;
import dev.parley.log.export.DamageText;
import dev.parley.log.tlog.MerkleHasher;
import dev.parley.log.tlog.NoteVerification;
import dev.parley.log.tlog.TlogFormatException;
import dev.parley.log.tlog.TlogProof;
import dev.parley.log.tlog.VerifierKey;
import dev.parley.log.tlog.WitnessPolicy;
import java.io.IOException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Checks the proof of one message offline: the record in its extra data has the hash that the log contains at the
 * index, under a head that a given key signed.
 */
public final class ProofCheck {
    private static final ObjectMapper JSON = new ObjectMapper(JsonFactory.builder()
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private ProofCheck() {}

    /**
     * What a proof proves.
     *
     * @param deployment origin of the deployment
     * @param partition partition of the log
     * @param index index of the record in the log
     * @param size number of records of the log under the signed head
     * @param code deciding code; null if accepted
     * @param time time at which the broker received the message
     * @param content whether the content is proven, and not only the metadata
     * @param claimedRedaction the redaction to which the record attributes its missing content: not proven; null
     *     without one
     * @param witnesses names of the given witnesses that cosigned the head; null if none was given
     * @param message whether the message equals the given one; null if none was given
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Proven(
            String deployment,
            int partition,
            long index,
            long size,
            String chain,
            long sequence,
            String verdict,
            String code,
            Instant time,
            boolean content,
            Claim claimedRedaction,
            List<String> witnesses,
            Boolean message) {}

    /** Who claims to have removed the content of a record. Only the export of its chain proves it. */
    public record Claim(String by, Instant time, String reason) {}

    /** The proof proves nothing. The message says why. */
    public static final class NotProvenException extends Exception {
        private static final long serialVersionUID = 1L;

        private NotProvenException(String message) {
            super(message);
        }
    }

    /**
     * Checks a proof.
     *
     * @param bytes the proof, at most 1 MiB
     * @param keys keys of one deployment, at least one
     * @param policy witnesses that must have cosigned the head
     * @param message the expected bytes of the message; empty: they are not compared
     * @throws TlogFormatException if the bytes are not a proof
     * @throws NotProvenException if the proof does not prove its record, or another message
     */
    public static Proven check(byte[] bytes, List<TrustedKey> keys, WitnessPolicy policy, Optional<byte[]> message)
            throws TlogFormatException, NotProvenException {
        TlogProof proof = TlogProof.parse(bytes);
        requireSignature(proof, keys);
        requireQuorum(proof, policy);
        AuditRecord record = record(proof);
        String deployment = keys.get(0).key().name();
        String origin = LogNotes.originOf(deployment, record.getLog().getPartition());
        require(
                proof.treeHead().origin().equals(origin),
                "the head is of " + proof.treeHead().origin() + ", but the record is of " + origin);
        require(
                proof.index() == record.getLog().getIndex(),
                "the proof is for index " + proof.index() + ", but the record has index "
                        + record.getLog().getIndex());
        require(
                TrustedKey.isPossible(
                        record.getSource().getTimestamp().toEpochMilli(), LogNotes.timeOf(proof.treeHead())),
                FaultCode.TIME_IMPOSSIBLE + ": " + FaultCode.TIME_IMPOSSIBLE.meaning());
        boolean content = !Redactions.isMetadataOnly(record);
        checkHashes(record, content);
        Redaction redacted = record.getRedacted();
        require(
                redacted == null || Redactions.concerns(redacted, record),
                "the redaction in the record must name its chain, sequence, source and hash");
        require(
                proof.includes(new MerkleHasher().leaf(ByteBuffers.of(record.getHash()))),
                "the log does not contain the record at index " + proof.index());
        if (message.isPresent()) {
            require(content, "the proof has no content, so it does not prove a message");
            require(
                    Arrays.equals(Sha256.of(message.get()), ByteBuffers.of(record.getPayloadHash())),
                    "the record is of another message");
        }
        return new Proven(
                deployment,
                record.getLog().getPartition(),
                proof.index(),
                proof.treeHead().size(),
                record.getChain(),
                record.getSequence(),
                record.getVerdict(),
                record.getCode(),
                record.getSource().getTimestamp(),
                content,
                redacted == null ? null : new Claim(redacted.getBy(), redacted.getTime(), redacted.getReason()),
                policy.quorum() == 0
                        ? null
                        : policy.cosigners(proof.note()).stream()
                                .map(VerifierKey::name)
                                .toList(),
                message.isPresent() ? true : null);
    }

    /**
     * Requires that the quorum of the witnesses cosigned the head of a proof.
     *
     * @throws NotProvenException if a cosignature is forged, or the quorum is not met
     */
    public static void requireQuorum(TlogProof proof, WitnessPolicy policy) throws NotProvenException {
        NoteVerification verification = proof.note().verify(policy.witnesses());
        require(
                !verification.isForged(),
                "a cosignature of the head is forged: it has the name and ID of a given witness");
        int cosigners = policy.cosigners(verification).size();
        require(
                cosigners >= policy.quorum(),
                "the head has cosignatures of " + cosigners + ", but needs those of " + policy);
    }

    private static void requireSignature(TlogProof proof, List<TrustedKey> keys) throws NotProvenException {
        NoteVerification verification =
                proof.note().verify(keys.stream().map(TrustedKey::key).toList());
        require(!verification.isForged(), "the signature of the head is forged: it has the name and ID of a given key");
        require(
                TrustedKey.signed(keys, verification, Instant.ofEpochMilli(LogNotes.timeOf(proof.treeHead()))),
                "no given key signed the head; it is signed by "
                        + proof.note().signatures().stream()
                                .map(signature -> signature.key())
                                .collect(Collectors.joining(", ")));
    }

    private static AuditRecord record(TlogProof proof) throws NotProvenException {
        require(proof.extra().isPresent(), "the proof has no audit record in its extra data");
        byte[] extra = proof.extra().orElseThrow();
        try {
            AuditRecord record = (AuditRecord) AvroJsonReader.read(JSON.readTree(extra), AuditRecord.getClassSchema());
            require(Arrays.equals(ProofRecord.of(record), extra), "the extra data must be in canonical JSON");
            return record;
        } catch (IOException | IllegalArgumentException e) {
            throw new NotProvenException("the extra data must be an audit record in JSON: " + DamageText.of(e));
        }
    }

    private static void checkHashes(AuditRecord record, boolean content) throws NotProvenException {
        if (!content) {
            require(
                    new AuditChain().hash(record).equals(record.getHash()),
                    FaultCode.RECORD_CHANGED + ": " + FaultCode.RECORD_CHANGED.meaning());
            return;
        }
        for (FaultCode fault : new RecordVerifier().check(record).faults()) {
            throw new NotProvenException(fault + ": " + fault.meaning());
        }
    }

    private static void require(boolean condition, String otherwise) throws NotProvenException {
        if (!condition) {
            throw new NotProvenException(otherwise);
        }
    }
}
