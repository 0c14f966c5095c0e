package dev.parley.cli.environment;

import dev.parley.cli.transcript.Transcript;
import dev.parley.demo.Samples;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Repeats the samples in rounds. Each round has its own namespaces, so that rounds are independent. Not thread-safe.
 */
public final class RepeatedSamples {
    private final List<Transcript.Line> samples = new ArrayList<>();
    private int taken;

    public RepeatedSamples() {
        Samples.load().forEachMissing(Set.of(), samples::add);
    }

    public Transcript.Line next() {
        Transcript.Line line = samples.get(taken % samples.size());
        int round = taken / samples.size();
        taken++;
        String namespace = line.headers().getOrDefault("parley-namespace", "default");
        return line.withHeader("parley-namespace", "round" + round + "-" + namespace);
    }

    public List<Transcript.Line> rounds(int number) {
        List<Transcript.Line> lines = new ArrayList<>();
        for (int line = 0; line < number * samples.size(); line++) {
            lines.add(next());
        }
        return lines;
    }

    public List<Transcript.Line> restOfRound() {
        List<Transcript.Line> lines = new ArrayList<>();
        while (taken % samples.size() != 0) {
            lines.add(next());
        }
        return lines;
    }

    public int taken() {
        return taken;
    }
}
