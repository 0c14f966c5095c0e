package dev.parley.conformance;

import dev.parley.avro.Profile;
import dev.parley.avro.Protocol;
import dev.parley.codec.Code;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Result of running vectors.
 *
 * @param groups counts per protocol and kind, in order
 * @param failures failed vectors, in order
 * @param covered codes that the vectors expect
 */
public record ConformanceRun(List<Group> groups, List<Failure> failures, Set<Code> covered) {
    /**
     * Codes that no vector can show: they need a running pipeline, are reserved for cases without a code of their own,
     * or belong to protocols that Parley does not include.
     */
    public static final Set<Code> OUTSIDE = Set.copyOf(EnumSet.of(
            Code.INPUT_EXPIRED,
            Code.INTERNAL_ERROR,
            Code.KEY_NOT_CONVERSATION,
            Code.KEY_MISPLACED,
            Code.REDACTION_MALFORMED,
            Code.REDACTION_REFUSED,
            Code.CONVERSATION_MOVED,
            Code.STATE_UNREADABLE,
            Code.INPUT_NOT_ALLOWED,
            Code.SLIP_MALFORMED,
            Code.SUBIT_MALFORMED,
            Code.SUBIT_UNEXPECTED,
            Code.CSP_UNEXPECTED,
            Code.EXTENSION_MALFORMED,
            Code.EXTENSION_VIOLATION,
            Code.EXTENSION_UNEXPECTED));

    /**
     * Vectors of one protocol and kind.
     *
     * @param protocol protocol; UNKNOWN for vectors of all protocols
     * @param vectors number of vectors
     * @param failed number of failed vectors
     * @param codes number of expected codes
     */
    public record Group(Protocol protocol, ConformanceVector.Kind kind, int vectors, int failed, int codes) {}

    /**
     * A failed vector.
     *
     * @param id its name
     * @param differences differences from the expectations
     */
    public record Failure(String id, String title, Profile profile, List<String> differences) {}

    /** Runs vectors under the given profiles. A vector without expectations for any of them is skipped. */
    public static ConformanceRun of(List<ConformanceVector> vectors, Set<Profile> profiles) {
        List<VectorHeader> ran = new ArrayList<>();
        List<Failure> failures = new ArrayList<>();
        for (ConformanceVector vector : vectors) {
            Set<Profile> both = EnumSet.copyOf(vector.profiles());
            both.retainAll(profiles);
            VectorHeader header = vector.header();
            for (Profile profile : both) {
                List<String> differences = vector.differences(profile);
                if (!differences.isEmpty()) {
                    failures.add(new Failure(header.id(), header.title(), profile, differences));
                }
            }
            if (!both.isEmpty()) {
                ran.add(header);
            }
        }
        Set<String> failed = failures.stream().map(Failure::id).collect(Collectors.toSet());
        List<Group> groups = new ArrayList<>();
        ran.stream()
                .collect(Collectors.groupingBy(
                        VectorHeader::protocol,
                        TreeMap::new,
                        Collectors.groupingBy(VectorHeader::kind, TreeMap::new, Collectors.toList())))
                .forEach((protocol, kinds) -> kinds.forEach((kind, members) -> groups.add(new Group(
                        protocol,
                        kind,
                        members.size(),
                        (int) members.stream()
                                .map(VectorHeader::id)
                                .filter(failed::contains)
                                .count(),
                        codes(members).size()))));
        return new ConformanceRun(groups, failures, codes(ran));
    }

    private static Set<Code> codes(List<VectorHeader> vectors) {
        return vectors.stream()
                .flatMap(vector -> vector.codes().stream())
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(Code.class)));
    }

    /** Protocols with codes that a vector can show, and UNKNOWN. */
    public static List<Protocol> protocols() {
        return Stream.of(Protocol.values())
                .filter(protocol -> !codesOf(protocol).isEmpty())
                .toList();
    }

    /** Codes of a protocol that a vector can show; for UNKNOWN, those of any protocol. */
    public static Set<Code> codesOf(Protocol protocol) {
        return Stream.of(Code.values())
                .filter(code -> code.protocol() == protocol && !OUTSIDE.contains(code))
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(Code.class)));
    }
}
