package dev.parley.query.cluster;

import dev.parley.audit.InputPosition;
import dev.parley.query.cluster.PeerResponse.Failure;
import dev.parley.query.cluster.PeerResponse.Success;
import dev.parley.query.cluster.ViewAnswer.Absent;
import dev.parley.query.cluster.ViewAnswer.Content;
import dev.parley.query.cluster.ViewAnswer.Item;
import dev.parley.query.cluster.ViewAnswer.Page;
import dev.parley.query.cluster.ViewAnswer.Refusal;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.common.utils.Bytes;

/**
 * Binary encoding of the peer protocol, version {@value #VERSION}; docs/peers.md has the layout. Every message begins
 * with the version, whatever the version. Reading is strict: lengths and counts are bounded by the message, text must
 * be UTF-8, and nothing may follow.
 */
public final class PeerCodec {

    /** Version of the protocol. Every change of a message, an operation or its content increments it. */
    public static final int VERSION = 1;

    private static final int SUCCESS = 0;
    private static final int CONTENT = 1;
    private static final int PAGE = 2;
    private static final int ABSENT = 3;
    private static final int REFUSAL = 4;

    private PeerCodec() {}

    public static byte[] encode(PeerRequest request) {
        return write(out -> {
            out.text(request.operation());
            out.texts(request.subject());
            out.texts(request.parameters());
            out.key(request.after());
            out.data.writeInt(request.limit());
            out.numbers(request.standbys());
            out.positions(request.atLeast());
        });
    }

    static byte[] encode(PeerResponse response) {
        return write(out -> {
            if (response instanceof Success success) {
                out.data.writeByte(SUCCESS);
                encode(success.response().answer(), out);
                out.numbers(success.response().partitions());
                out.data.writeInt(success.response().lags().size());
                for (Map.Entry<Integer, Long> lag : success.response().lags().entrySet()) {
                    out.data.writeInt(lag.getKey());
                    out.data.writeLong(lag.getValue());
                }
                out.positions(success.response().visible());
            } else if (response instanceof Failure failure) {
                out.data.writeByte(failure.error().number());
                out.text(failure.detail());
                out.positions(failure.visible());
            }
        });
    }

    private static void encode(ViewAnswer answer, Output out) throws IOException {
        if (answer instanceof Content content) {
            out.data.writeByte(CONTENT);
            out.bytes(content.body());
        } else if (answer instanceof Page page) {
            out.data.writeByte(PAGE);
            out.data.writeInt(page.items().size());
            for (Item item : page.items()) {
                out.bytes(item.key().get());
                out.bytes(item.payload());
            }
            out.key(page.end());
        } else if (answer instanceof Absent absent) {
            out.data.writeByte(ABSENT);
            out.text(absent.code());
            out.text(absent.detail());
        } else if (answer instanceof Refusal refusal) {
            out.data.writeByte(REFUSAL);
            out.text(refusal.code());
            out.text(refusal.detail());
        }
    }

    /** Reads a request. */
    static PeerRequest request(byte[] message) throws PeerProtocolException {
        return read(message, in -> {
            PeerRequest request = new PeerRequest(
                    in.text(), in.texts(), in.texts(), in.key(), in.number(), in.numbers(), in.positions());
            if (request.limit() > PeerRequest.MAX_LIMIT || request.atLeast().size() > PeerRequest.MAX_POSITIONS) {
                throw in.malformed("its limit or number of positions is too large");
            }
            return request;
        });
    }

    /** Reads a response. */
    public static PeerResponse response(byte[] message) throws PeerProtocolException {
        return read(message, in -> {
            int status = in.buffer.get();
            if (status == SUCCESS) {
                return new Success(new ViewResponse(answer(in), in.numbers(), in.lags(), in.positions()));
            }
            for (PeerResponse.Error error : PeerResponse.Error.values()) {
                if (error.number() == status) {
                    return new Failure(error, in.text(), in.positions());
                }
            }
            throw in.malformed("it has the unknown status " + status);
        });
    }

    private static ViewAnswer answer(Input in) throws PeerProtocolException, CharacterCodingException {
        int kind = in.buffer.get();
        return switch (kind) {
            case CONTENT -> new Content(in.bytes());
            case PAGE -> {
                List<Item> items = new ArrayList<>();
                for (int count = in.count(); count > 0; count--) {
                    items.add(new Item(Bytes.wrap(in.bytes()), in.bytes()));
                }
                yield new Page(items, in.key());
            }
            case ABSENT -> new Absent(in.text(), in.text());
            case REFUSAL -> new Refusal(in.text(), in.text());
            default -> throw in.malformed("it has the unknown kind of answer " + kind);
        };
    }

    private interface Writing {
        void to(Output out) throws IOException;
    }

    private static byte[] write(Writing message) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
        try {
            Output out = new Output(new DataOutputStream(bytes));
            out.data.writeShort(VERSION);
            message.to(out);
        } catch (IOException e) {
            throw new UncheckedIOException("memory can always be written", e);
        }
        return bytes.toByteArray();
    }

    private interface Reading<T> {
        T from(Input in) throws PeerProtocolException, CharacterCodingException;
    }

    private static <T> T read(byte[] message, Reading<T> reading) throws PeerProtocolException {
        Input in = new Input(ByteBuffer.wrap(message));
        try {
            int version = Short.toUnsignedInt(in.buffer.getShort());
            if (version != VERSION) {
                throw new PeerProtocolException(
                        PeerResponse.Error.UNSUPPORTED_VERSION,
                        "The message has version " + version + " of the peer protocol; this instance has version "
                                + VERSION + ".");
            }
            T value = reading.from(in);
            if (in.buffer.hasRemaining()) {
                throw in.malformed("bytes follow it");
            }
            return value;
        } catch (BufferUnderflowException e) {
            throw in.malformed("it ends too early");
        } catch (CharacterCodingException e) {
            throw in.malformed("it has text that is not UTF-8");
        }
    }

    private record Output(DataOutputStream data) {

        void bytes(byte[] bytes) throws IOException {
            data.writeInt(bytes.length);
            data.write(bytes);
        }

        void text(String text) throws IOException {
            bytes(text.getBytes(StandardCharsets.UTF_8));
        }

        void texts(Map<String, String> texts) throws IOException {
            data.writeInt(texts.size());
            for (Map.Entry<String, String> entry : texts.entrySet()) {
                text(entry.getKey());
                text(entry.getValue());
            }
        }

        void key(Optional<Bytes> key) throws IOException {
            data.writeBoolean(key.isPresent());
            if (key.isPresent()) {
                bytes(key.get().get());
            }
        }

        void numbers(Collection<Integer> numbers) throws IOException {
            data.writeInt(numbers.size());
            for (int number : numbers) {
                data.writeInt(number);
            }
        }

        void positions(Set<InputPosition> positions) throws IOException {
            data.writeInt(positions.size());
            for (InputPosition position : positions) {
                text(position.topic());
                data.writeInt(position.partition());
                data.writeLong(position.offset());
            }
        }
    }

    private record Input(ByteBuffer buffer) {

        PeerProtocolException malformed(String why) {
            return new PeerProtocolException(
                    PeerResponse.Error.MALFORMED_REQUEST, "The message is malformed: " + why + ".");
        }

        int number() throws PeerProtocolException {
            int number = buffer.getInt();
            if (number < 0) {
                throw malformed("it has a negative number");
            }
            return number;
        }

        /** A number of elements, each of which has at least one byte. */
        int count() throws PeerProtocolException {
            int count = number();
            if (count > buffer.remaining()) {
                throw malformed("it ends too early");
            }
            return count;
        }

        byte[] bytes() throws PeerProtocolException {
            byte[] bytes = new byte[count()];
            buffer.get(bytes);
            return bytes;
        }

        String text() throws PeerProtocolException, CharacterCodingException {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes()))
                    .toString();
        }

        SortedMap<String, String> texts() throws PeerProtocolException, CharacterCodingException {
            SortedMap<String, String> texts = new TreeMap<>();
            for (int count = count(); count > 0; count--) {
                texts.put(text(), text());
            }
            return texts;
        }

        Optional<Bytes> key() throws PeerProtocolException {
            return buffer.get() == 0 ? Optional.empty() : Optional.of(Bytes.wrap(bytes()));
        }

        TreeSet<Integer> numbers() throws PeerProtocolException {
            TreeSet<Integer> numbers = new TreeSet<>();
            for (int count = count(); count > 0; count--) {
                numbers.add(number());
            }
            return numbers;
        }

        SortedMap<Integer, Long> lags() throws PeerProtocolException {
            SortedMap<Integer, Long> lags = new TreeMap<>();
            for (int count = count(); count > 0; count--) {
                lags.put(number(), buffer.getLong());
            }
            return lags;
        }

        Set<InputPosition> positions() throws PeerProtocolException, CharacterCodingException {
            Set<InputPosition> positions = new LinkedHashSet<>();
            for (int count = count(); count > 0; count--) {
                positions.add(new InputPosition(text(), number(), buffer.getLong()));
            }
            return positions;
        }
    }
}
