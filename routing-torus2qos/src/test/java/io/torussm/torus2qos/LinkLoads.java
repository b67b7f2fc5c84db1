package io.torussm.torus2qos;

import io.torussm.fabric.Fabric;
import io.torussm.routing.Plan;
import io.torussm.subnet.Subnet;
import io.torussm.torus2qos.conf.Dim;
import io.torussm.torus2qos.discovery.Torus;
import java.util.Arrays;
import java.util.stream.IntStream;

/** The number of paths between hosts on each link of a torus, by direction, from the tables of a plan. */
final class LinkLoads {
    private final Plan plan;
    private final Fabric fabric;
    private final Torus torus;
    private final long[] load;

    LinkLoads(Plan plan) {
        this.plan = plan;
        Subnet subnet = plan.subnet();
        fabric = subnet.fabric();
        torus = ((TorusExplainer) plan.explainer()).paths().torus();
        load = new long[fabric.portCount()];
        int[] hosts = new int[fabric.switchCount()];
        for (int lid = 1; lid <= subnet.topLid(); lid++) {
            if (isHost(lid)) {
                hosts[subnet.switchOfLid(lid)]++;
            }
        }
        for (int lid = 1; lid <= subnet.topLid(); lid++) {
            for (int from = 0; from < hosts.length && isHost(lid); from++) {
                follow(from, lid, hosts[from]);
            }
        }
    }

    private boolean isHost(int lid) {
        int port = plan.subnet().portOfLid(lid);
        return port != Fabric.NONE && !fabric.isSwitch(fabric.nodeOf(port));
    }

    private void follow(int from, int lid, int paths) {
        int home = plan.subnet().switchOfLid(lid);
        for (int sw = from; sw != home; ) {
            int port = fabric.port(sw, plan.lft(sw)[lid] & 0xff);
            load[port] += paths;
            sw = fabric.nodeOf(fabric.peer(port));
        }
    }

    /** Returns the ratio of the load of the worst link to the mean of all. */
    double maxToMean() {
        return maxToMean(0, Dim.COUNT);
    }

    /**
     * Returns max load by mean load of the worst dimension; links of long rings carry more than those of short rings.
     */
    double worstDimension() {
        double worst = 0;
        for (int d = 0; d < Dim.COUNT; d++) {
            worst = Math.max(worst, torus.radix(d) == 1 ? 0 : maxToMean(d, d + 1));
        }
        return worst;
    }

    private double maxToMean(int first, int end) {
        long[] loads = IntStream.range(0, load.length)
                .filter(port -> torus.portClass(port) >= first && torus.portClass(port) < end)
                .mapToLong(port -> load[port])
                .toArray();
        return Arrays.stream(loads).max().orElse(0)
                / Arrays.stream(loads).average().orElse(1);
    }
}
