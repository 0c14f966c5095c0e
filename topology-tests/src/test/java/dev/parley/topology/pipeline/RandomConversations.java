package dev.parley.topology.pipeline;

import dev.parley.avro.Protocol;
import dev.parley.protocol.TopicNames;
import dev.parley.topology.pipeline.StateOracle.Input;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * A conversation made up by chance, with what is rejected, repeated and comes before its time, and the oracle that
 * listens to it.
 */
final class RandomConversations {
    private static final String DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

    final Protocol protocol;
    final String name;
    final StateOracle oracle;
    private final Random random;
    private final List<String[]> script = new ArrayList<>();
    private final List<Input> said = new ArrayList<>();
    private long turn;
    private int number;
    private String opener;

    RandomConversations(Protocol protocol, int number, Random random) {
        this.protocol = protocol;
        this.random = random;
        this.name = protocol == Protocol.SLIP ? Integer.toString(number) : protocol.name() + "/" + number;
        this.oracle = switch (protocol) {
            case SLIP -> new StateOracle.Slip();
            case SUBIT -> new StateOracle.Subit();
            case LAMBDA -> new StateOracle.Lambda();
            default -> new CspOracle();
        };
    }

    /** Says the next thing. */
    void next(PipelineDriver pipeline, Instant time) {
        String[] line = line();
        String topic = random.nextInt(3) == 0
                ? TopicNames.DEFAULT.wire() + "." + protocol.name().toLowerCase(Locale.ROOT)
                : TopicNames.DEFAULT.wire();
        InputRecord wire = InputRecord.text(line[1])
                .to(topic)
                .at(time)
                .header("parley-conversation", name)
                .header("parley-protocol", protocol.name());
        if (line[0] != null) {
            wire = wire.header("parley-sender", line[0]);
        }
        var source = pipeline.send(wire);
        Input input = new Input(topic, source.getOffset(), source.getTimestamp().toEpochMilli(), line[0], line[1]);
        said.add(input);
        oracle.accept(input);
    }

    /** Sender and wire text. */
    private String[] line() {
        return switch (protocol) {
            case SLIP -> slip();
            case SUBIT -> subit();
            case LAMBDA -> lambda();
            default -> csp();
        };
    }

    private String[] slip() {
        String source = Integer.toString(random.nextInt(3));
        if (turn > 0 && random.nextInt(10) == 0) {
            Input last = said.get(said.size() - 1);
            return new String[] {last.sender(), last.wire()};
        }
        long now = random.nextInt(8) == 0 ? random.nextInt((int) turn + 1) : (turn += 1 + random.nextInt(3));
        StringBuilder wire = new StringBuilder("@a");
        int act = random.nextInt(12);
        // Acts that are legal at any time, and one that is not: accepting an unknown task.
        wire.append(act == 0 ? "6" : "01A249".charAt(random.nextInt(6)));
        wire.append("|f0|c").append(base62(Long.parseLong(name))).append("|S").append(source);
        wire.append("|d3|T").append(base62(now));
        if (act == 0) {
            wire.append("|kzz");
        } else if (random.nextInt(8) > 0) {
            wire.append("|k").append(random.nextInt(6));
        }
        for (String slot : List.of("g", "p", "q", "s")) {
            if (random.nextInt(3) == 0) {
                wire.append('|').append(slot).append(base62(random.nextInt(100)));
            }
        }
        for (String slot : List.of("u", "t")) {
            if (random.nextInt(3) == 0) {
                wire.append('|')
                        .append(slot)
                        .append("\"w")
                        .append(random.nextInt(9))
                        .append('"');
            }
        }
        return new String[] {source, wire.append('#').toString()};
    }

    private static String base62(long number) {
        return (number >= 62 ? base62(number / 62) : "") + DIGITS.charAt((int) (number % 62));
    }

    private String[] subit() {
        String type = List.of("STATE", "STATE", "INTENT", "ACTION", "ACTION", "TRACE", "ERROR")
                .get(random.nextInt(7));
        // Who opened an intent goes on with it: what others may do meanwhile is a matter of the dialogue, not of the
        // form.
        String stands = ((StateOracle.Subit) oracle).stands;
        String agent = stands.equals("INTENT") ? opener : random.nextInt(4) == 0 ? null : "A" + random.nextInt(3);
        opener = agent;
        int forms = type.equals("STATE") || type.equals("ERROR") ? 1 : 2;
        StringBuilder bits = new StringBuilder();
        for (int i = 0; i < 6 * forms; i++) {
            bits.append(random.nextInt(2));
        }
        return new String[] {agent, "{\"type\":\"" + type + "\",\"payload\":\"" + bits + "\"}"};
    }

    private String[] lambda() {
        if (script.isEmpty()) {
            String definition = "{def:d" + random.nextInt(8) + "=\"v" + random.nextInt(99) + "\"}";
            String offer = ">Ig/U[o" + random.nextInt(99) + "]";
            switch (random.nextInt(7)) {
                case 0 -> add("A", definition, "B", "<ctx");
                case 1 -> add("A", offer, "B", "<+");
                case 2 -> add("A", offer, "B", "<-");
                case 3 -> add("A", offer, "B", "<->Ig/U[c" + random.nextInt(99) + "]", "A", "<+");
                case 4 -> add("A", offer, "B", "<?da", "A", definition, "B", "<+");
                case 5 -> add("A", "!Ik", "B", "<+");
                default -> add("B", "<+");
            }
        }
        return script.remove(0);
    }

    private void add(String... lines) {
        for (int i = 0; i < lines.length; i += 2) {
            script.add(new String[] {lines[i], lines[i + 1]});
        }
    }

    private String[] csp() {
        int i = number++;
        if (i > 0 && random.nextInt(12) == 0) {
            Input again = said.get(random.nextInt(said.size()));
            return new String[] {null, again.wire()};
        }
        if (random.nextInt(10) == 0) {
            return new String[] {null, "CSP/1\nFROM MAIN\nTO BOB\nCTX C0\nINTENT TASK\n\nTASK T" + i + "\nREQ look"};
        }
        List<CspOracle.Node> made = new ArrayList<>(((CspOracle) oracle).nodes.values());
        CspOracle.Node base = made.get(Math.max(0, made.size() - 1 - random.nextInt(random.nextInt(4) == 0 ? 12 : 2)));
        StringBuilder wire = new StringBuilder("CSP/1\nFROM S" + random.nextInt(4)
                + "\nTO MEM\nCTX C0\nINTENT PATCH\n\nPATCH P" + (random.nextInt(30) == 0 ? random.nextInt(i + 1) : i));
        String from = random.nextInt(10) == 0 ? "C" + (i + 1 + random.nextInt(4)) : base.id();
        wire.append("\nBASE ").append(from);
        int names = random.nextInt(5);
        int first = random.nextInt(40);
        for (int n = 0; n < names; n++) {
            String name = "N" + (first + n);
            boolean defined = base.state().containsKey(name) != (random.nextInt(40) == 0);
            int what = random.nextInt(4);
            wire.append(
                    !defined
                            ? "\n+ DEF " + name + " = v" + random.nextInt(1_000)
                            : what == 0 ? "\n- DEF " + name : "\n~ DEF " + name + " := w" + random.nextInt(1_000));
        }
        wire.append("\nAPPLY -> C").append(random.nextInt(30) == 0 ? 1 + random.nextInt(i + 1) : i);
        return new String[] {null, wire.toString()};
    }
}
