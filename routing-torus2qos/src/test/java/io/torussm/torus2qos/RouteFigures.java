package io.torussm.torus2qos;

import io.torussm.fabric.Fabric;
import io.torussm.routing.Plan;
import io.torussm.torus2qos.discovery.FabricFilter;
import java.util.Arrays;
import java.util.Locale;

/** Lengths and loads of the routes of plans, counted hop by hop; means over the plans. */
final class RouteFigures {
    private int plans;
    private double hops;
    private double longest;
    private double maxToMean;

    void add(Plan plan) {
        Fabric fabric = plan.subnet().fabric();
        int[] load = new int[fabric.portCount()];
        long routes = 0;
        long sum = 0;
        int max = 0;
        for (int lid = 1; lid <= plan.subnet().topLid(); lid++) {
            int home = plan.subnet().switchOfLid(lid);
            for (int from = 0; home >= 0 && from < fabric.switchCount(); from++) {
                int length = 0;
                for (int sw = from; sw != home; length++) {
                    int port = fabric.port(sw, plan.lft(sw)[lid] & 0xff);
                    load[port]++;
                    sw = fabric.nodeOf(fabric.peer(port));
                }
                routes += from == home ? 0 : 1;
                sum += length;
                max = Math.max(max, length);
            }
        }
        int links = 0;
        for (int port = 0; port < fabric.portCount(); port++) {
            links += FabricFilter.isSwitchLink(fabric, port) ? 1 : 0;
        }
        plans++;
        hops += (double) sum / routes;
        longest += max;
        maxToMean += Arrays.stream(load).max().orElse(0) * (double) links / sum;
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "mean hops %.3f, longest %.2f, load of the worst link to the mean %.3f",
                hops / plans,
                longest / plans,
                maxToMean / plans);
    }
}
