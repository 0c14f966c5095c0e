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
 * What came of running vectors.
 *
 * @param groups counts for each protocol and kind, in the order of both
 * @param failures the vectors that did not pass, in order
 * @param covered codes that the vectors that ran expect
 */
public record KitRun(List<Group> groups, List<Failure> failures, Set<Code> covered) {
    /**
     * Codes that no vector can show: some need a running pipeline, some are in reserve for cases that have no name of
     * their own, and some are for protocols that Parley does not bring.
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
     * @param protocol protocol; UNKNOWN for what concerns all
     * @param kind kind
     * @param vectors how many ran
     * @param failed how many of them did not pass
     * @param codes how many codes they expect
     */
    public record Group(Protocol protocol, ConformanceVector.Kind kind, int vectors, int failed, int codes) {}

    /**
     * A vector that did not pass.
     *
     * @param id its name
     * @param title its sentence
     * @param profile under which it did not pass
     * @param differences what was otherwise than expected
     */
    public record Failure(String id, String title, Profile profile, List<String> differences) {}

    private record Place(Protocol protocol, ConformanceVector.Kind kind) implements Comparable<Place> {
        @Override
        public int compareTo(Place other) {
            int byProtocol = protocol.compareTo(other.protocol);
            return byProtocol != 0 ? byProtocol : kind.compareTo(other.kind);
        }
    }

    /**
     * Runs vectors under those of the profiles for which they expect something; one that expects nothing under any is
     * left out.
     */
    public static KitRun of(List<ConformanceVector> vectors, Set<Profile> profiles) {
        Map<Place, List<ConformanceVector>> ran = new TreeMap<>();
        Set<String> failed = new HashSet<>();
        List<Failure> failures = new ArrayList<>();
        Set<Code> covered = EnumSet.noneOf(Code.class);
        for (ConformanceVector vector : vectors) {
            Set<Profile> both = EnumSet.copyOf(vector.profiles());
            both.retainAll(profiles);
            for (Profile profile : both) {
                List<String> differences = vector.differences(profile);
                if (!differences.isEmpty()) {
                    failed.add(vector.id());
                    failures.add(new Failure(vector.id(), vector.title(), profile, differences));
                }
            }
            if (!both.isEmpty()) {
                covered.addAll(vector.codes());
                ran.computeIfAbsent(new Place(vector.protocol(), vector.kind()), place -> new ArrayList<>())
                        .add(vector);
            }
        }
        List<Group> groups = new ArrayList<>();
        ran.forEach((place, members) -> groups.add(group(place, members, failed)));
        return new KitRun(groups, failures, covered);
    }

    private static Group group(Place place, List<ConformanceVector> members, Set<String> failed) {
        Set<Code> codes = EnumSet.noneOf(Code.class);
        int notPassed = 0;
        for (ConformanceVector member : members) {
            codes.addAll(member.codes());
            notPassed += failed.contains(member.id()) ? 1 : 0;
        }
        return new Group(place.protocol(), place.kind(), members.size(), notPassed, codes.size());
    }

    /** Protocols with codes that a vector can show, and UNKNOWN. */
    public static List<Protocol> protocols() {
        return Stream.of(Protocol.values())
                .filter(protocol -> !codesOf(protocol).isEmpty())
                .toList();
    }

    /** Codes of a protocol that a vector can show; UNKNOWN for those that any message can carry. */
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
