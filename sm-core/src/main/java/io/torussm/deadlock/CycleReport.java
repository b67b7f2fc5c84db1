package io.torussm.deadlock;

import io.torussm.fabric.Fabric;
import java.util.ArrayList;
import java.util.List;

/** A formatter that describes a cycle of the channel dependency graph to the operator. */
final class CycleReport {
    private CycleReport() {}

    /**
     * Returns a short cycle of a graph, with a packet that causes each of its dependencies.
     *
     * @throws IllegalStateException if the graph has no cycle
     */
    static Cycle of(ChannelDependencyGraph graph) {
        int[] cycle = CycleSearch.shortest(graph);
        Channels channels = graph.channels;
        Fabric fabric = channels.fabric;
        PathTracer paths = new PathTracer(channels);
        List<Cycle.Wait> waits = new ArrayList<>();
        StringBuilder text = new StringBuilder(
                "credit loop of " + cycle.length + " channels; each waits for the next" + ", the last for the first:");
        for (int i = 0; i < cycle.length; i++) {
            int link = cycle[i] / Channels.VLS;
            int vl = cycle[i] % Channels.VLS;
            int port = channels.linkPort(link);
            PathTracer.Example example = paths.waitingPacket(cycle[i], cycle[(i + 1) % cycle.length]);
            waits.add(new Cycle.Wait(port, vl, example.sourcePort(), example.dlid(), example.sl()));
            text.append("\n  ")
                    .append(paths.switchName(fabric.nodeOf(port)))
                    .append(" port ")
                    .append(fabric.portNum(port))
                    .append(" VL ")
                    .append(vl)
                    .append(", held by packets from ")
                    .append(fabric.portName(example.sourcePort()))
                    .append(" to ")
                    .append(paths.lidName(example.dlid()))
                    .append(" with SL ")
                    .append(example.sl());
        }
        return new Cycle(waits, text.toString());
    }
}
