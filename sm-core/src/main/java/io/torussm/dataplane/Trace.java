package io.torussm.dataplane;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** A list of messages: each host sends its own in the order of their times. */
public final class Trace extends FiniteWorkload {
    private final List<List<TimedMessage>> messagesOfHost;
    private final int[] nextIndex;

    /**
     * A message.
     *
     * @param atNs time at which it is due
     */
    public record TimedMessage(int from, int to, int bytes, long atNs) {}

    public Trace(int hosts, List<TimedMessage> messages) {
        messagesOfHost = IntStream.range(0, hosts)
                .<List<TimedMessage>>mapToObj(host -> new ArrayList<>())
                .toList();
        messages.forEach(message -> {
            messagesOfHost.get(message.from).add(message);
            addMessages(1, message.bytes);
        });
        messagesOfHost.forEach(each -> each.sort(Comparator.comparingLong(TimedMessage::atNs)));
        nextIndex = new int[hosts];
    }

    @Override
    public boolean next(int host, long nowNs, Message message) {
        if (nextIndex[host] == messagesOfHost.get(host).size()) {
            return false;
        }
        TimedMessage sent = messagesOfHost.get(host).get(nextIndex[host]++);
        message.to = sent.to;
        message.bytes = sent.bytes;
        message.level = 0;
        message.atPs = 1_000 * sent.atNs;
        return true;
    }
}
