package dev.parley.cli;

import dev.parley.cli.api.ApiClient;
import dev.parley.cli.api.ApiOptions;
import dev.parley.cli.io.BaseCommand;
import dev.parley.cli.io.Counts;
import dev.parley.cli.io.JsonLines;
import dev.parley.cli.io.KeyOptions;
import dev.parley.cli.io.Options;
import dev.parley.cli.io.Progress;
import dev.parley.cli.io.ReplacementFile;
import dev.parley.cli.io.UsageException;
import dev.parley.cli.io.WitnessOptions;
import dev.parley.codec.ControlCharacters;
import dev.parley.decode.ConversationKey;
import dev.parley.json.model.Conversation;
import dev.parley.log.TrustedKey;
import dev.parley.log.tlog.TlogFormatException;
import dev.parley.log.tlog.TlogProof;
import dev.parley.log.tlog.TlogProofFile;
import dev.parley.log.tlog.WitnessPolicy;
import dev.parley.log.verify.ProofCheck;
import dev.parley.log.verify.ProofCheck.Proven;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code parley prove}: fetches the proofs of one message or a conversation, or checks them offline. */
@Command(
        name = "prove",
        description = "Fetches the proofs that the audit log contains a message, or all of a conversation, or checks"
                + " them offline.",
        footer = {
            "",
            "A proof (C2SP tlog-proof) has the audit record, the hashes from it to the root of the log, and the signed"
                    + " head. With --check, only the verifier key is needed.",
            "The proofs of a conversation are one file, in which one proof follows the other.",
            "Exit status: 0; 1 if a proof cannot be fetched, or does not prove its record; 2 if one cannot be checked.",
            "",
            "Examples:",
            "  parley prove --conversation default/slip/1 --sequence 4 --out message.proof",
            "  parley prove --check message.proof --key audit.vkey --message original.txt",
            "  parley prove --conversation default/slip/1 --out conversation.proofs"
        })
final class ProveCommand extends BaseCommand {
    private static final int UNCHECKED = 2;

    /** Messages that are larger have no content in the audit trail. */
    private static final int MAX_MESSAGE_BYTES = 1 << 30;

    @Mixin
    private ApiOptions api;

    @Option(
            names = "--conversation",
            paramLabel = "NS/PROTO/CONV",
            description = "The conversation: namespace, protocol and conversation ID; or its chain, as parley tail"
                    + " prints it.")
    private ConversationKey conversation;

    @Option(
            names = "--sequence",
            paramLabel = "N",
            description = "Sequence of the message in its chain. Default: all messages that the views have.")
    private Long sequence;

    @Option(names = "--metadata", description = "Fetches a proof without the content of the message.")
    private boolean metadata;

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "Output file, which must not exist. Default: standard output.")
    private Path out;

    @Option(names = "--check", paramLabel = "FILE", description = "Checks one proof, or several, offline.")
    private Path proof;

    @Mixin
    private KeyOptions keys;

    @Mixin
    private WitnessOptions witnesses;

    @Option(
            names = "--message",
            paramLabel = "FILE",
            description = "With --check: the bytes that the message must have.")
    private Path message;

    @Option(names = "--json", description = "With --check: prints what was proven as JSON.")
    private boolean json;

    @Override
    public Integer call() throws IOException {
        if ((conversation == null) == (proof == null) || sequence != null && conversation == null) {
            throw new UsageException("give --conversation, or --check");
        }
        return conversation == null ? check() : fetch();
    }

    private int fetch() throws IOException {
        requireAtLeast("--sequence", 0, sequence);
        ApiClient client = api.client();
        String path = ApiClient.conversation(conversation);
        long first = sequence == null ? -1 : sequence;
        long last = first;
        if (sequence == null) {
            Conversation all = client.get(path, Conversation.class);
            first = all.firstSequence();
            last = all.lastSequence();
        }
        WitnessPolicy policy = witnesses.read();
        try (Progress progress = Progress.of("proofs");
                ReplacementFile file = out == null ? null : ReplacementFile.open(out)) {
            OutputStream to = file == null ? System.out : file.stream();
            for (long next = first; next <= last; next++) {
                byte[] bytes = client.bytes(path + "/messages/" + next + "/proof" + (metadata ? "?metadata=true" : ""));
                if (policy.quorum() > 0) {
                    ProofCheck.requireQuorum(TlogProof.parse(bytes), policy);
                }
                to.write(bytes);
                progress.stepTo(next - first + 1, last - first + 1);
            }
            to.flush();
            if (file != null) {
                file.publish();
            }
        } catch (ProofCheck.NotProvenException | TlogFormatException e) {
            return failed("a proof of the server is not written: " + e.getMessage());
        }
        return 0;
    }

    private int check() throws IOException {
        List<TrustedKey> trusted = keys.read();
        if (trusted.isEmpty()) {
            throw new UsageException("--check requires --key: without a key, a proof proves nothing");
        }
        Optional<byte[]> expected = message == null ? Optional.empty() : Optional.of(read(message, MAX_MESSAGE_BYTES));
        Options.requireFile(proof);
        WitnessPolicy policy = witnesses.read();
        long proven = 0;
        long all = 0;
        try (TlogProofFile file = new TlogProofFile(Files.newInputStream(proof))) {
            for (Optional<byte[]> next = file.next(); next.isPresent() || all == 0; next = file.next()) {
                all++;
                try {
                    Proven one = ProofCheck.check(next.orElse(new byte[0]), trusted, policy, expected);
                    proven++;
                    print(one);
                } catch (ProofCheck.NotProvenException e) {
                    out().println("NOT PROVEN: " + ControlCharacters.escape(e.getMessage()));
                }
            }
        } catch (TlogFormatException e) {
            report(proof + " is not a proof: " + e.getMessage());
            return UNCHECKED;
        }
        if (all > 1) {
            err().println(proven + " of " + Counts.of(all, "proof") + " proven");
        }
        return proven == all ? 0 : 1;
    }

    private static byte[] read(Path file, int maxBytes) throws IOException {
        Options.requireFile(file);
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(maxBytes + 1);
            if (bytes.length > maxBytes) {
                throw new UsageException(file + " must have at most " + maxBytes + " bytes");
            }
            return bytes;
        }
    }

    private void print(Proven proven) {
        if (json) {
            JsonLines.print(proven);
            return;
        }
        out().println("PROVEN: the deployment " + proven.deployment() + " recorded in partition " + proven.partition()
                + " of its log, at index " + proven.index() + " of " + proven.size() + ":");
        line("chain", proven.chain());
        line("sequence", Long.toString(proven.sequence()));
        line("verdict", proven.verdict() + (proven.code() == null ? "" : ", " + proven.code()));
        line("time", proven.time() + " (when the broker received it)");
        line("content", proven.content() ? "proven" : "not included: only the metadata is proven");
        if (proven.claimedRedaction() != null) {
            line(
                    "redaction",
                    "claimed by " + proven.claimedRedaction().by() + " at "
                            + proven.claimedRedaction().time() + ", not proven: "
                            + proven.claimedRedaction().reason());
        }
        line(
                "witnesses",
                proven.witnesses() == null ? "not checked: give --witness" : String.join(", ", proven.witnesses()));
        line("message", proven.message() == null ? "not compared: give --message" : "equal to the given one");
        out().println(
                        proven.witnesses() == null
                                ? "Not proven: that the verdict is right, who the sender is, and that the log has one history"
                                        + " for all readers."
                                : "Not proven: that the verdict is right, and who the sender is. The log has one history for"
                                        + " all readers, unless these witnesses collude with it.");
        out().flush();
    }

    private void line(String name, String value) {
        out().println("  " + name + " ".repeat(10 - name.length()) + ControlCharacters.escape(value));
    }
}
