package dev.parley.conformance;

import dev.parley.avro.Profile;
import dev.parley.avro.Protocol;
import dev.parley.codec.Code;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
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
            Code.REDACTION_MALFORMED,
            Code.REDACTION_REFUSED,
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

    private record GroupKey(Protocol protocol, ConformanceVector.Kind kind) implements Comparable<GroupKey> {
        @Override
        public int compareTo(GroupKey other) {
            int byProtocol = protocol.compareTo(other.protocol);
            return byProtocol != 0 ? byProtocol : kind.compareTo(other.kind);
        }
    }

    /** Runs vectors under the given profiles. A vector without expectations for any of them is skipped. */
    public static ConformanceRun of(List<ConformanceVector> vectors, Set<Profile> profiles) {
        Map<GroupKey, List<ConformanceVector>> ran = new TreeMap<>();
        Set<String> failed = new HashSet<>();
        List<Failure> failures = new ArrayList<>();
        Set<Code> covered = EnumSet.noneOf(Code.class);
        for (ConformanceVector vector : vectors) {
            Set<Profile> both = EnumSet.copyOf(vector.profiles());
            both.retainAll(profiles);
            for (Profile profile : both) {
                List<String> differences = vector.differences(profile);
                if (!differences.isEmpty()) {
                    failed.add(vector.header().id());
                    failures.add(
                            new Failure(vector.header().id(), vector.header().title(), profile, differences));
                }
            }
            if (!both.isEmpty()) {
                covered.addAll(vector.header().codes());
                ran.computeIfAbsent(
                                new GroupKey(
                                        vector.header().protocol(),
                                        vector.header().kind()),
                                key -> new ArrayList<>())
                        .add(vector);
            }
        }
        List<Group> groups = new ArrayList<>();
        ran.forEach((key, members) -> groups.add(group(key, members, failed)));
        return new ConformanceRun(groups, failures, covered);
    }

    private static Group group(GroupKey key, List<ConformanceVector> members, Set<String> failed) {
        Set<Code> codes = EnumSet.noneOf(Code.class);
        int failures = 0;
        for (ConformanceVector member : members) {
            codes.addAll(member.header().codes());
            failures += failed.contains(member.header().id()) ? 1 : 0;
        }
        return new Group(key.protocol(), key.kind(), members.size(), failures, codes.size());
    }

    /** Protocols with codes that a vector can show, and UNKNOWN. */
    public static List<Protocol> protocols() {
        return Stream.of(Protocol.values())
                .filter(protocol -> !codesOf(protocol).isEmpty())
                .toList();
    }

    /** Codes of a protocol that a vector can show; for UNKNOWN, those of any protocol. */
    public static Set<Code> codesOf(Protocol protocol) {
        Set<Code> codes = EnumSet.noneOf(Code.class);
        for (Code code : Code.values()) {
            if (code.protocol() == protocol && !OUTSIDE.contains(code)) {
                codes.add(code);
            }
        }
        return codes;
    }
}
