package io.torussm.daemon.config.files;

import io.torussm.mad.smp.NodeInfo;
import io.torussm.sim.model.AgentProfile;
import io.torussm.sim.model.CounterProfile;
import io.torussm.sim.model.PortCounter;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The reader of the counters in an entry of a file of {@link SimulatedDevices}. */
final class SimulatedCounters {
    static final Set<String> KEYS =
            Set.of("extended_counters", "wrapping_counters", "deaf_counters", "counters_reset", "rising");

    private static final int MAX_STEP = 1_000_000_000;
    private static final Set<String> RISING_KEYS = Set.of("port", "counter", "every", "by");
    private static final Map<String, CounterProfile.Extended> EXTENDED = new TreeMap<>(Map.of(
            "none", CounterProfile.Extended.NONE,
            "no_ietf", CounterProfile.Extended.NO_IETF,
            "ietf", CounterProfile.Extended.IETF,
            "all", CounterProfile.Extended.ALL));
    private static final Map<String, PortCounter> COUNTERS = new TreeMap<>(
            Arrays.stream(PortCounter.values()).collect(Collectors.toMap(PortCounter::toString, Function.identity())));

    private SimulatedCounters() {}

    /** Returns the performance management agent of a device with the changes of an entry. */
    static CounterProfile change(CounterProfile previous, HoconObject entry) {
        CounterProfile profile = previous;
        if (entry.has("extended_counters")) {
            profile = profile.extended(
                    entry.choice("extended_counters", entry.text("extended_counters"), EXTENDED, previous.extended()));
        }
        profile = profile.wrapping(entry.flag("wrapping_counters", previous.wraps()));
        if (entry.flag("deaf_counters", false)) {
            profile = profile.withAgent(AgentProfile.CONFORMING.droppingAll());
        }
        profile = profile.resetEvery(entry.timeNs("counters_reset", previous.resetPeriodNs()));
        for (HoconObject each : entry.objects("rising", RISING_KEYS)) {
            profile = rising(profile, each);
        }
        return profile;
    }

    private static CounterProfile rising(CounterProfile profile, HoconObject entry) {
        if (!entry.has("port") || !entry.has("counter") || !entry.has("every")) {
            entry.addProblem(
                    "a counter that rises needs port, counter and every: port = 1, counter = SymbolErrorCounter,"
                            + " every = 100 ms");
            return profile;
        }
        int port = entry.integer("port", 1, NodeInfo.MAX_PORT_NUM, 1);
        int step = entry.integer("by", 1, MAX_STEP, 1);
        PortCounter counter = entry.choice("counter", entry.text("counter"), COUNTERS, PortCounter.SYMBOL_ERROR);
        long everyNs = entry.timeNs("every", 1);
        double perSecond = step * (double) TimeUnit.SECONDS.toNanos(1) / Math.max(1, everyNs);
        if (everyNs < 1 || perSecond > CounterProfile.MAX_RATE) {
            entry.addProblem(
                    "every",
                    "and by mean " + perSecond + " a second; no port counts more than " + CounterProfile.MAX_RATE);
            return profile;
        }
        return profile.rising(new CounterProfile.Rising(port, counter, perSecond));
    }
}
