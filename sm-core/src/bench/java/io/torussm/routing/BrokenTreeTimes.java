package io.torussm.routing;

import com.sun.management.OperatingSystemMXBean;
import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.DeadlockChecker;
import io.torussm.deadlock.chain.ChainPolicy;
import io.torussm.deadlock.chain.RoutingChain;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.fabric.FabricBuilder;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.routing.ftree.FatTreeEngine;
import io.torussm.routing.minhop.MinHopEngine;
import io.torussm.subnet.Subnet;
import io.torussm.testing.Subnets;
import io.torussm.testing.TreeSketch;
import io.torussm.testing.TreeSketch.TreeCable;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The time and the processor time until a tree of three levels has tables and their proof after the loss of a cable,
 * three cables or a spine. Each loss begins with the whole tree. The first loss runs once before it is measured.
 *
 * <p>Arguments: hosts of a leaf, leaves below a switch of the middle level, switches below a spine ({@code 18 18 36}),
 * and routing:
 *
 * <ul>
 *   <li>{@code ftree}
 *   <li>{@code minhop}; its routes have credit loops, so the last resort completes them
 *   <li>{@code resort}: ftree routes the whole tree and refuses after each loss; the last resort completes its routes
 * </ul>
 */
public final class BrokenTreeTimes {
    private static final RoutingOptions QOS = new RoutingOptions(true, 5, 0);

    private BrokenTreeTimes() {}

    /** Prints the times of each loss. */
    public static void main(String[] arguments) {
        int leaves = Integer.parseInt(arguments[1]);
        TreeSketch tree = new TreeSketch(
                Integer.parseInt(arguments[0]),
                new int[] {leaves, Integer.parseInt(arguments[2])},
                new int[] {leaves, leaves},
                1);
        Subnet wholeSubnet = Subnets.of(tree.build());
        List<TreeCable> cables = tree.cables();
        Subnet cable = without(wholeSubnet, List.of(cables.get(cables.size() / 3)), Fabric.NONE);
        Subnet three = without(
                wholeSubnet,
                List.of(
                        cables.get(cables.size() / 7),
                        cables.get(cables.size() / 3),
                        cables.get(cables.size() * 5 / 7)),
                Fabric.NONE);
        Subnet spine = without(wholeSubnet, List.of(), tree.firstSwitch(2) + 7);
        for (String name : List.of(arguments).subList(3, arguments.length)) {
            Engine engine = name.equals("minhop") ? new MinHopEngine() : new FatTreeEngine();
            RoutingChain.ChainResult first = routed(name + ", whole tree", engine, wholeSubnet, null);
            Engine next = name.equals("resort") ? new Refusing() : engine;
            routed(name + ", a cable lost, first", next, cable, first);
            routed(name + ", a cable lost", next, cable, first);
            routed(name + ", three cables lost", next, three, first);
            routed(name + ", a spine lost", next, spine, first);
        }
    }

    /** An engine that refuses each tree, with the routes of ftree as its partial plan. */
    private static final class Refusing implements Engine {
        private final Engine ftree = new FatTreeEngine();
        private double time;

        @Override
        public String name() {
            return ftree.name();
        }

        @Override
        public RoutingResult route(EngineContext context) {
            double start = processorTime();
            Plan plan = (Plan) ftree.route(context);
            time = processorTime() - start;
            return new Refusal(name(), List.of(SmEvent.ROUTING_ERROR.finding("uneven")), plan);
        }
    }

    private static RoutingChain.ChainResult routed(
            String label, Engine engine, Subnet subnet, RoutingChain.@Nullable ChainResult before) {
        RoutingChain chain = new RoutingChain(List.of(engine), new DeadlockChecker(2), ChainPolicy.WITH_LAST_RESORT);
        Plan active = before == null ? null : before.plan();
        Certificate proof = before == null ? null : (Certificate) before.verdict();
        EarlierFacts remembered = active == null ? EarlierFacts.NONE : EarlierFacts.of(active);
        System.gc();
        long start = System.nanoTime();
        double cpu = processorTime();
        RoutingChain.ChainResult result = chain.route(subnet, QOS, active, remembered, proof);
        System.out.printf(
                Locale.ROOT,
                "%s: %.2f s, %.2f s of processor time%s; %s%n",
                label,
                (System.nanoTime() - start) / 1e9,
                processorTime() - cpu,
                engine instanceof Refusing refusing
                        ? String.format(Locale.ROOT, ", %.2f s of them by ftree", refusing.time)
                        : "",
                text(result, active));
        return result;
    }

    private static String text(RoutingChain.ChainResult result, @Nullable Plan before) {
        Plan plan = Objects.requireNonNull(result.plan());
        Certificate proof = (Certificate) Objects.requireNonNull(result.verdict());
        return (proof.isIncremental() ? "proof from the one before" : "whole proof")
                + plan.degradation()
                        .map(facts -> ", " + facts.bentRoutes() + " of " + facts.routes() + " bent, longest "
                                + facts.longest() + " hops, worst link " + facts.worstLoad())
                        .orElse("")
                + (before == null ? "" : ", entries changed " + changed(before, plan));
    }

    private static long changed(Plan before, Plan plan) {
        Fabric fabric = plan.subnet().fabric();
        long changed = 0;
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            byte[] now = plan.lft(sw);
            byte[] then = before.lft(before.subnet().fabric().nodeByGuid(fabric.nodeGuid(sw)));
            for (int lid = 1; lid <= plan.subnet().topLid(); lid++) {
                changed += plan.subnet().switchOfLid(lid) != Fabric.NONE && now[lid] != then[lid] ? 1 : 0;
            }
        }
        return changed;
    }

    private static double processorTime() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime() / 1e9;
    }

    /** Returns the subnet without cables and a switch, with the same LIDs. */
    private static Subnet without(Subnet wholeSubnet, List<TreeCable> cables, int lostSwitch) {
        Fabric fabric = wholeSubnet.fabric();
        FabricBuilder builder = new FabricBuilder();
        for (int node = 0; node < fabric.nodeCount(); node++) {
            if (node != lostSwitch) {
                long guid = fabric.nodeGuid(node);
                builder.addNode(fabric.node(node).info(), fabric.node(node).path());
                builder.setDescription(guid, fabric.node(node).description());
                SwitchInfo info = fabric.node(node).switchInfo();
                if (info != null) {
                    builder.setSwitchInfo(guid, info);
                }
                for (int port = fabric.port(node, 0); port <= fabric.port(node, fabric.numPorts(node)); port++) {
                    PortInfo ofPort = fabric.portInfo(port);
                    if (ofPort != null) {
                        builder.setPortInfo(guid, fabric.portNum(port), ofPort);
                    }
                    builder.setPortGuid(guid, fabric.portNum(port), fabric.portGuid(port));
                }
            }
        }
        for (int port = 0; port < fabric.portCount(); port++) {
            int far = fabric.peer(port);
            if (far > port && fabric.nodeOf(port) != lostSwitch && fabric.nodeOf(far) != lostSwitch) {
                builder.link(
                        fabric.nodeGuid(fabric.nodeOf(port)),
                        fabric.portNum(port),
                        fabric.nodeGuid(fabric.nodeOf(far)),
                        fabric.portNum(far));
            }
        }
        cables.forEach(cable -> builder.unlink(fabric.nodeGuid(cable.lower()), cable.lowerPort()));
        Fabric left = builder.build();
        int[] lids = new int[left.portCount()];
        for (int port = 0; port < lids.length; port++) {
            lids[port] = wholeSubnet.lid(fabric.port(left.nodePort(port)));
        }
        return new Subnet(left, lids, new byte[lids.length], wholeSubnet.gidPrefix());
    }
}
