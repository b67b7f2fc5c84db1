package io.torussm.daemon.shadow;

import io.torussm.mad.smp.PortInfo;
import io.torussm.shadow.PathSampler;
import io.torussm.snapshot.DeviceRegisters;
import io.torussm.snapshot.FabricSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Pairs of hosts of a snapshot, near and far, spread over all of them. */
final class ShadowPairs {
    /** Primes, so that sources and distances fall out of step. */
    private static final int SOURCE_STEP = 7_919;

    private static final int DISTANCE_STEP = 31;

    private ShadowPairs() {}

    /** Returns the node of each base LID. */
    static Map<Integer, Long> owners(FabricSnapshot snapshot) {
        Map<Integer, Long> owners = new TreeMap<>();
        snapshot.devices().forEach((guid, device) -> device.endports().forEach(portNum -> {
            PortInfo info = device.portInfo(portNum);
            if (info != null && info.lid() != 0) {
                owners.putIfAbsent(info.lid(), guid);
            }
        }));
        return owners;
    }

    /**
     * Pairs of hosts: all, or so many of them.
     *
     * @param max so many at most
     */
    static List<PathSampler.Pair> sample(FabricSnapshot snapshot, int max) {
        List<Integer> lids = new ArrayList<>();
        owners(snapshot).forEach((lid, guid) -> {
            DeviceRegisters device = snapshot.device(guid);
            if (device != null && !device.isSwitch()) {
                lids.add(lid);
            }
        });
        long all = (long) lids.size() * (lids.size() - 1);
        List<PathSampler.Pair> pairs = new ArrayList<>();
        if (all <= max) {
            lids.forEach(from -> lids.stream()
                    .filter(to -> !to.equals(from))
                    .forEach(to -> pairs.add(new PathSampler.Pair(from, to))));
            return pairs;
        }
        for (long i = 0; i < max; i++) {
            int from = (int) (i * SOURCE_STEP % lids.size());
            int distance = 1 + (int) ((i * DISTANCE_STEP + i / lids.size()) % (lids.size() - 1));
            pairs.add(new PathSampler.Pair(lids.get(from), lids.get((from + distance) % lids.size())));
        }
        return pairs;
    }
}
