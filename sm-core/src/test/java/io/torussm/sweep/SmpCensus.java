package io.torussm.sweep;

import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.sim.model.AttributeNames;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The numbers of requests of each kind that an SM sends, such as {@code Get(NodeInfo)} and
 * {@code Set(PortInfo)}; retries are counted.
 */
public final class SmpCensus {
    private static final Map<Integer, String> NAMES =
            AttributeNames.all().entrySet().stream().collect(Collectors.toMap(Map.Entry::getValue, Map.Entry::getKey));
    private static final int METHODS = 4;

    /** By method and attribute: an SM of a large fabric sends millions. */
    private final long[] counts = new long[METHODS << Short.SIZE];

    /** Counts the requests of a harness from now on. */
    public static SmpCensus of(SweepHarness harness) {
        SmpCensus census = new SmpCensus();
        harness.isRequestLost = mad -> {
            census.counts[MadHeader.method(mad) % METHODS << Short.SIZE | MadHeader.attributeId(mad)]++;
            return false;
        };
        return census;
    }

    /** Returns the counts since the last call, by kind, without 0. */
    public Map<String, Long> takeCounts() {
        Map<String, Long> taken = new TreeMap<>();
        for (int index = 0; index < counts.length; index++) {
            if (counts[index] > 0) {
                String method = index >> Short.SIZE == Method.SET % METHODS ? "Set" : "Get";
                int id = index & 0xffff;
                taken.put(method + "(" + NAMES.getOrDefault(id, "0x" + Integer.toHexString(id)) + ")", counts[index]);
                counts[index] = 0;
            }
        }
        return taken;
    }
}
