package io.torussm.dataplane;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** A list of messages: each host sends its own in the order of their times. */
public final class Trace extends FiniteWorkload {
    private final List<List<Sent>> ofHost;
    private final int[] at;

    /**
     * A message.
     *
     * @param atNs time at which it is due
     */
    public record Sent(int from, int to, int bytes, long atNs) {}

    public Trace(int hosts, List<Sent> messages) {
        ofHost = IntStream.range(0, hosts)
                .<List<Sent>>mapToObj(host -> new ArrayList<>())
                .toList();
        messages.forEach(message -> {
            ofHost.get(message.from).add(message);
            expect(1, message.bytes);
        });
        ofHost.forEach(each -> each.sort(Comparator.comparingLong(Sent::atNs)));
        at = new int[hosts];
    }

    @Override
    public boolean next(int host, long nowNs, Message message) {
        if (at[host] == ofHost.get(host).size()) {
            return false;
        }
        Sent sent = ofHost.get(host).get(at[host]++);
        message.to = sent.to;
        message.bytes = sent.bytes;
        message.level = 0;
        message.atPs = 1_000 * sent.atNs;
        return true;
    }
}
