package dev.parley.load.sample;

import dev.parley.topology.topics.Topics;
import java.util.Arrays;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Input for the views: half of it the sample mix, whose replays have a namespace each; the other half nSLIP in one
 * namespace, with one conversation that has three in ten of these messages. One record in fifty is cut off, and becomes
 * a dead letter.
 */
public final class ViewTraffic implements Input {
    /** Messages of one conversation of the sample mix or of nSLIP, except the large one. */
    private static final int TURNS = 35;

    /** Records of which the last is cut off. */
    private static final int CYCLE = 50;

    private final Input mix;
    private final Input slip;

    /** @param messages number of messages that will be used */
    public ViewTraffic(long messages) {
        long conversations = Math.max(10, messages / 2 / TURNS);
        mix = Traffic.MIX.over(conversations);
        slip = Traffic.withHotConversation(conversations);
    }

    @Override
    public ProducerRecord<byte[], byte[]> at(long number) {
        long cycle = number / CYCLE;
        long place = number % CYCLE;
        if (place == CYCLE - 1) {
            ProducerRecord<byte[], byte[]> whole = slip.at(cycle);
            return new ProducerRecord<>(
                    Topics.WIRE, whole.key(), Arrays.copyOf(whole.value(), whole.value().length - 1));
        }
        long rest = cycle * (CYCLE - 1) + place;
        if (rest % 2 == 0) {
            return mix.at(rest / 2);
        }
        ProducerRecord<byte[], byte[]> record = slip.at(rest / 2);
        return new ProducerRecord<>(Topics.WIRE, record.key(), record.value());
    }
}
