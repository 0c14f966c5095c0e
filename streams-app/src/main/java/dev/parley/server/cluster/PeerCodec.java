package dev.parley.server.cluster;

import dev.parley.audit.InputPosition;
import dev.parley.server.cluster.BinaryReader.MalformedException;
import dev.parley.server.cluster.PeerResponse.Failure;
import dev.parley.server.cluster.PeerResponse.Success;
import dev.parley.server.cluster.ViewAnswer.Absent;
import dev.parley.server.cluster.ViewAnswer.Content;
import dev.parley.server.cluster.ViewAnswer.Item;
import dev.parley.server.cluster.ViewAnswer.Page;
import dev.parley.server.cluster.ViewAnswer.Refusal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.common.utils.Bytes;

/**
 * Binary encoding of the peer protocol, version {@value #VERSION}; docs/peers.md has the layout. Every message begins
 * with the version, whatever the version.
 */
public final class PeerCodec {

    /** Version of the protocol. Every change of a message, an operation or its content increments it. */
    public static final int VERSION = 2;

    private static final int SUCCESS = 0;
    private static final int CONTENT = 1;
    private static final int PAGE = 2;
    private static final int ABSENT = 3;
    private static final int REFUSAL = 4;

    private PeerCodec() {}

    public static byte[] encode(PeerRequest request) {
        BinaryWriter out = new BinaryWriter().int16(VERSION).text(request.operation());
        texts(out, request.subject());
        texts(out, request.parameters());
        key(out, request.after());
        out.int32(request.limit());
        partitions(out, request.standbys());
        positions(out, request.atLeast());
        return out.toByteArray();
    }

    static byte[] encode(PeerResponse response) {
        BinaryWriter out = new BinaryWriter().int16(VERSION);
        if (response instanceof Success success) {
            out.int8(SUCCESS);
            answer(out, success.response().answer());
            partitions(out, success.response().partitions());
            out.list(
                    success.response().lags().entrySet(),
                    lag -> out.int32(lag.getKey()).int64(lag.getValue()));
            positions(out, success.response().visible());
        } else if (response instanceof Failure failure) {
            out.int8(failure.error().number()).text(failure.detail());
            positions(out, failure.visible());
        }
        return out.toByteArray();
    }

    static PeerRequest request(byte[] message) throws PeerProtocolException {
        return read(message, in -> {
            PeerRequest request = new PeerRequest(
                    in.text(), texts(in), texts(in), key(in), in.int32(), partitions(in), positions(in));
            if (request.limit() > PeerRequest.MAX_LIMIT || request.atLeast().size() > PeerRequest.MAX_POSITIONS) {
                throw new MalformedException("its limit or number of positions is too large");
            }
            return request;
        });
    }

    public static PeerResponse response(byte[] message) throws PeerProtocolException {
        return read(message, in -> {
            int status = in.int8();
            if (status == SUCCESS) {
                return new Success(new ViewResponse(answer(in), partitions(in), lags(in), positions(in)));
            }
            for (PeerResponse.Error error : PeerResponse.Error.values()) {
                if (error.number() == status) {
                    return new Failure(error, in.text(), positions(in));
                }
            }
            throw new MalformedException("it has the unknown status " + status);
        });
    }

    private interface Message<T> {
        T read(BinaryReader in) throws MalformedException;
    }

    private static <T> T read(byte[] bytes, Message<T> message) throws PeerProtocolException {
        BinaryReader in = new BinaryReader(bytes);
        try {
            int version = in.int16();
            if (version != VERSION) {
                throw new PeerProtocolException(
                        PeerResponse.Error.UNSUPPORTED_VERSION,
                        "The message has version " + version + " of the peer protocol; this instance has version "
                                + VERSION + ".");
            }
            T value = message.read(in);
            in.end();
            return value;
        } catch (MalformedException e) {
            throw new PeerProtocolException(
                    PeerResponse.Error.MALFORMED_REQUEST, "The message is malformed: " + e.getMessage() + ".");
        }
    }

    private static void answer(BinaryWriter out, ViewAnswer answer) {
        if (answer instanceof Content content) {
            out.int8(CONTENT).bytes(content.body());
        } else if (answer instanceof Page page) {
            out.int8(PAGE)
                    .list(page.items(), item -> out.bytes(item.key().get()).bytes(item.payload()));
            key(out, page.end());
        } else if (answer instanceof Absent absent) {
            out.int8(ABSENT).text(absent.code(), absent.detail());
        } else if (answer instanceof Refusal refusal) {
            out.int8(REFUSAL).text(refusal.code(), refusal.detail());
        }
    }

    private static ViewAnswer answer(BinaryReader in) throws MalformedException {
        int kind = in.int8();
        return switch (kind) {
            case CONTENT -> new Content(in.bytes());
            case PAGE -> {
                List<Item> items = new ArrayList<>();
                in.list(() -> items.add(new Item(Bytes.wrap(in.bytes()), in.bytes())));
                yield new Page(items, key(in));
            }
            case ABSENT -> new Absent(in.text(), in.text());
            case REFUSAL -> new Refusal(in.text(), in.text());
            default -> throw new MalformedException("it has the unknown kind of answer " + kind);
        };
    }

    private static void texts(BinaryWriter out, Map<String, String> texts) {
        out.list(texts.entrySet(), entry -> out.text(entry.getKey(), entry.getValue()));
    }

    private static SortedMap<String, String> texts(BinaryReader in) throws MalformedException {
        SortedMap<String, String> texts = new TreeMap<>();
        in.list(() -> texts.put(in.text(), in.text()));
        return texts;
    }

    private static void key(BinaryWriter out, Optional<Bytes> key) {
        out.int8(key.isPresent() ? 1 : 0);
        key.ifPresent(bytes -> out.bytes(bytes.get()));
    }

    private static Optional<Bytes> key(BinaryReader in) throws MalformedException {
        return in.int8() == 0 ? Optional.empty() : Optional.of(Bytes.wrap(in.bytes()));
    }

    private static void partitions(BinaryWriter out, Collection<Integer> partitions) {
        out.list(partitions, out::int32);
    }

    private static SortedSet<Integer> partitions(BinaryReader in) throws MalformedException {
        SortedSet<Integer> partitions = new TreeSet<>();
        in.list(() -> partitions.add(in.int32()));
        return partitions;
    }

    private static SortedMap<Integer, Long> lags(BinaryReader in) throws MalformedException {
        SortedMap<Integer, Long> lags = new TreeMap<>();
        in.list(() -> lags.put(in.int32(), in.int64()));
        return lags;
    }

    private static void positions(BinaryWriter out, Set<InputPosition> positions) {
        out.list(
                positions,
                position ->
                        out.text(position.topic()).int32(position.partition()).int64(position.offset()));
    }

    private static Set<InputPosition> positions(BinaryReader in) throws MalformedException {
        Set<InputPosition> positions = new LinkedHashSet<>();
        in.list(() -> positions.add(new InputPosition(in.text(), in.int32(), in.int64())));
        return positions;
    }
}
