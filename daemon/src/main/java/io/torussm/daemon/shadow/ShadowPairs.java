package io.torussm.daemon.shadow;

import io.torussm.mad.smp.PortInfo;
import io.torussm.shadow.PathSampler;
import io.torussm.snapshot.DeviceRegisters;
import io.torussm.snapshot.FabricSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The selection of pairs of hosts of a snapshot. The pairs are evenly distributed over all hosts and distances. */
final class ShadowPairs {
    /** Step of sources. Both steps are primes, so that all sources are combined with different distances. */
    private static final int SOURCE_STEP = 7_919;

    private static final int DISTANCE_STEP = 31;

    private ShadowPairs() {}

    /** Collects the base LIDs of all ports. Returns the NodeGUID by LID. */
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
     * Selects pairs of hosts: all pairs if their number is at most {@code max}, otherwise {@code max} pairs.
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
            lids.forEach(slid -> lids.stream()
                    .filter(dlid -> !dlid.equals(slid))
                    .forEach(dlid -> pairs.add(new PathSampler.Pair(slid, dlid))));
            return pairs;
        }
        for (long i = 0; i < max; i++) {
            int source = (int) (i * SOURCE_STEP % lids.size());
            int distance = 1 + (int) ((i * DISTANCE_STEP + i / lids.size()) % (lids.size() - 1));
            pairs.add(new PathSampler.Pair(lids.get(source), lids.get((source + distance) % lids.size())));
        }
        return pairs;
    }
}
