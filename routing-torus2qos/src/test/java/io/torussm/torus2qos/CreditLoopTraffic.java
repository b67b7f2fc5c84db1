package io.torussm.torus2qos;

import io.torussm.dataplane.Hosts;
import io.torussm.dataplane.PlanTables;
import io.torussm.dataplane.TestTraffic;
import io.torussm.dataplane.Workload;
import io.torussm.fabric.Fabric;
import io.torussm.routing.MulticastTree;
import io.torussm.routing.Plan;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * The traffic that a credit loop of unicast and multicast together is made of: pairs of hosts, one for each
 * pair of channels in the loop of which unicast packets hold the first and wait for the second. Found by
 * following every path, as naively as can be.
 */
final class CreditLoopTraffic {
    private static final int MLID = 0xc000;
    private static final int GROUP = -1;

    private final Plan plan;
    private final Fabric fabric;
    private final Hosts hosts;
    private final PlanTables tables;

    /** By channel ({@code port index * 16 + VL}) and the next one: a pair {source, destination}, or GROUP twice. */
    private final Map<Integer, Map<Integer, int[]>> waits = new HashMap<>();

    /** By host: to whom. */
    final Map<Integer, List<Integer>> pairs = new LinkedHashMap<>();

    CreditLoopTraffic(Plan plan, MulticastTree tree) {
        this.plan = plan;
        fabric = plan.subnet().fabric();
        hosts = new Hosts(plan.subnet());
        tables = new PlanTables(plan, TestTorus.QOS, (portClass, low, high, vls) -> TestTraffic.FAIR);
        int[] members = IntStream.range(0, hosts.count()).map(hosts::port).toArray();
        Map<Integer, long[]> masks = tree.route(MLID, members);
        masks.forEach((sw, ports) -> waitInTree(sw, ports, masks));
        for (int from = 0; from < hosts.count(); from++) {
            for (int to = 0; to < hosts.count(); to++) {
                follow(from, to);
            }
        }
        List<Integer> creditLoop = creditLoop();
        for (int i = 0; i < creditLoop.size(); i++) {
            int[] pair = Objects.requireNonNull(Objects.requireNonNull(waits.get(creditLoop.get(i)))
                    .get(creditLoop.get((i + 1) % creditLoop.size())));
            if (pair[0] != GROUP) {
                pairs.computeIfAbsent(pair[0], any -> new ArrayList<>()).add(pair[1]);
            }
        }
    }

    private void waitInTree(int sw, long[] ports, Map<Integer, long[]> masks) {
        for (int in : ports(ports)) {
            int far = fabric.peer(fabric.port(sw, in));
            int before = fabric.nodeOf(far);
            for (int out : ports(ports)) {
                for (int first : fabric.isSwitch(before) && out != in
                        ? ports(Objects.requireNonNull(masks.get(before)))
                        : new int[0]) {
                    if (first != fabric.portNum(far)) {
                        int vl = tables.vl(before, first, fabric.portNum(far), 0);
                        addWait(16 * far + vl, 16 * fabric.port(sw, out) + tables.vl(sw, in, out, 0), GROUP, GROUP);
                    }
                }
            }
        }
    }

    private static int[] ports(long[] mask) {
        return IntStream.range(1, Long.SIZE * mask.length)
                .filter(port -> (mask[port / Long.SIZE] >> port & 1) != 0)
                .toArray();
    }

    private void follow(int from, int to) {
        int dlid = hosts.lid(to);
        int sl = plan.pathSl(hosts.lid(from), dlid, 0);
        int in = fabric.peer(hosts.port(from));
        int held = Fabric.NONE;
        for (int sw = fabric.nodeOf(in); sw != hosts.switchOf(to); sw = fabric.nodeOf(in)) {
            int out = fabric.port(sw, tables.out(sw, dlid));
            int wanted = 16 * out + tables.vl(sw, fabric.portNum(in), fabric.portNum(out), sl);
            if (held != Fabric.NONE) {
                addWait(held, wanted, from, to);
            }
            held = wanted;
            in = fabric.peer(out);
        }
    }

    private void addWait(int held, int wanted, int from, int to) {
        waits.computeIfAbsent(held, any -> new LinkedHashMap<>()).putIfAbsent(wanted, new int[] {from, to});
    }

    /** Returns a credit loop, found by a search in depth that meets a channel of its own path. */
    private List<Integer> creditLoop() {
        Map<Integer, Boolean> done = new HashMap<>();
        for (int start : List.copyOf(waits.keySet())) {
            List<Integer> way = new ArrayList<>();
            List<Integer> found = search(start, way, done);
            if (!found.isEmpty()) {
                return found;
            }
        }
        throw new AssertionError("no credit loop");
    }

    private List<Integer> search(int channel, List<Integer> way, Map<Integer, Boolean> done) {
        if (way.contains(channel)) {
            return List.copyOf(way.subList(way.indexOf(channel), way.size()));
        }
        if (done.containsKey(channel)) {
            return List.of();
        }
        way.add(channel);
        for (int next : waits.getOrDefault(channel, Map.of()).keySet()) {
            List<Integer> found = search(next, way, done);
            if (!found.isEmpty()) {
                return found;
            }
        }
        way.remove(way.size() - 1);
        done.put(channel, true);
        return List.of();
    }

    /**
     * Hosts of the circle send to each other at full rate; all hosts send to the group for a share of the
     * time.
     */
    Workload of(double groupLoad) {
        SplittableRandom random = new SplittableRandom(1);
        long[] next = new long[hosts.count()];
        int packet = 2_048;
        return (host, nowNs, message) -> {
            List<Integer> to = pairs.getOrDefault(host, List.of());
            boolean isToGroup = to.isEmpty() || random.nextDouble() < groupLoad;
            message.to = isToGroup ? MLID : to.get(random.nextInt(to.size()));
            message.bytes = packet;
            message.level = 0;
            message.atPs = next[host];
            double load = to.isEmpty() ? groupLoad : 1;
            next[host] += (long) (-Math.log(1 - random.nextDouble()) * packet * hosts.psPerByte(host) / load);
            return true;
        };
    }
}
