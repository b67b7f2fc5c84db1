package io.torussm.torus2qos;

import io.torussm.deadlock.DeadlockChecker;
import io.torussm.deadlock.chain.ChainPolicy;
import io.torussm.deadlock.chain.RoutingChain;
import io.torussm.deadlock.chain.RoutingChain.ChainResult;
import io.torussm.event.Finding;
import io.torussm.fabric.Fabric;
import io.torussm.routing.Plan;
import io.torussm.routing.Refusal;
import io.torussm.routing.RoutingOptions;
import io.torussm.routing.RoutingResult;
import io.torussm.subnet.Subnet;
import io.torussm.testing.TestRouting;
import io.torussm.torus2qos.conf.Balance;
import io.torussm.torus2qos.conf.Torus2QosConf;
import io.torussm.torus2qos.discovery.Multipath;
import io.torussm.torus2qos.discovery.Torus;
import io.torussm.torus2qos.discovery.TorusDiscovery;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * A torus or mesh as it is cabled, and configurations for it. Unless shuffled, GUIDs are
 * {@code 0x200000 + 0x10 * (x * Y * Z + y * Z + z)}; with L cables a link, ports of dimension d and cable l are
 * {@code 1 + 2dL + l} on the + side and {@code 1 + (2d + 1)L + l} on the - side, hosts begin at {@code 6L + 1}.
 */
final class TestTorus {
    static final RoutingOptions QOS = TestRouting.QOS;

    final int[] radix;
    final boolean[] mesh = new boolean[3];
    final int links;
    final int hosts;
    final TestFabric fabric = new TestFabric();
    /** The distribution of paths, for tests that need one. */
    Balance balance = Balance.OFF;
    /** The paths to odd LIDs, for tests that need them. */
    Multipath multipath = Multipath.OFF;

    private final long[] guids;
    private final int[][] portMap;

    /** Cables a torus with one cable for each link and one host at each switch. */
    TestTorus(int x, int y, int z) {
        this(new int[] {x, y, z}, "", 1, 1, null);
    }

    /**
     * Cables a torus.
     *
     * @param radix numbers of switches in x, y and z
     * @param meshDims dimensions that are not closed to a ring, such as {@code xz}
     * @param links parallel cables between neighbours
     * @param hosts hosts of each switch, with one port each
     * @param random shuffles GUIDs and the port numbers of every switch; null for the order above
     */
    TestTorus(int[] radix, String meshDims, int links, int hosts, @Nullable Random random) {
        this.radix = radix;
        this.links = links;
        this.hosts = hosts;
        for (int d = 0; d < 3; d++) {
            mesh[d] = meshDims.indexOf("xyz".charAt(d)) >= 0;
        }
        int count = radix[0] * radix[1] * radix[2];
        guids = new long[count];
        portMap = new int[count][];
        List<Long> numbers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            numbers.add(0x200000L + 0x10L * i);
        }
        if (random != null) {
            Collections.shuffle(numbers, random);
        }
        for (int i = 0; i < count; i++) {
            guids[i] = numbers.get(i);
            portMap[i] = portMap(6 * links + hosts, random);
        }
        build();
    }

    /**
     * Returns a torus of sizes such as {@code 5 4m 3} (m: mesh), with one cable for each link and one host at each
     * switch.
     */
    static TestTorus ofSizes(String sizes) {
        String[] words = sizes.split(" ", -1);
        int[] radix = new int[3];
        StringBuilder mesh = new StringBuilder();
        for (int d = 0; d < 3; d++) {
            radix[d] = Integer.parseInt(words[d].replace("m", ""));
            mesh.append(words[d].endsWith("m") ? "xyz".substring(d, d + 1) : "");
        }
        return new TestTorus(radix, mesh.toString(), 1, 1, null);
    }

    private static int[] portMap(int ports, @Nullable Random random) {
        List<Integer> map = new ArrayList<>();
        for (int port = 1; port <= ports; port++) {
            map.add(port);
        }
        if (random != null) {
            Collections.shuffle(map, random);
        }
        map.add(0, 0);
        return map.stream().mapToInt(Integer::intValue).toArray();
    }

    private void build() {
        for (int i = 0; i < guids.length; i++) {
            int[] at = at(i);
            fabric.addSwitch(guids[i], 6 * links + hosts, "sw-" + at[0] + "-" + at[1] + "-" + at[2]);
        }
        for (int i = 0; i < guids.length; i++) {
            int[] at = at(i);
            for (int d = 0; d < 3; d++) {
                boolean last = at[d] == radix[d] - 1;
                if (radix[d] == 1 || last && (mesh[d] || radix[d] == 2)) {
                    continue;
                }
                int[] next = at.clone();
                next[d] = (at[d] + 1) % radix[d];
                for (int l = 0; l < links; l++) {
                    fabric.cable(guids[i], port(i, 1 + 2 * d * links + l), guid(next), minusPort(index(next), d, l));
                }
            }
            for (int h = 0; h < hosts; h++) {
                long guid = 0x100000000L + 0x100L * i + h;
                fabric.addCa(guid, 1, "host-" + at[0] + "-" + at[1] + "-" + at[2] + "-" + h);
                fabric.cable(guid, 1, guids[i], hostPort(i, h));
            }
        }
    }

    int count() {
        return guids.length;
    }

    int index(int... at) {
        return (at[0] * radix[1] + at[1]) * radix[2] + at[2];
    }

    int[] at(int index) {
        return new int[] {index / radix[2] / radix[1], index / radix[2] % radix[1], index % radix[2]};
    }

    long guid(int... at) {
        return guids[index(at)];
    }

    int plusPort(int index, int d, int cable) {
        return port(index, 1 + 2 * d * links + cable);
    }

    int minusPort(int index, int d, int cable) {
        return port(index, 1 + (2 * d + 1) * links + cable);
    }

    int hostPort(int index, int host) {
        return port(index, 6 * links + 1 + host);
    }

    private int port(int index, int portNum) {
        return portMap[index][portNum];
    }

    /** Returns the size line of this torus. */
    String sizes() {
        StringBuilder text = new StringBuilder("torus");
        for (int d = 0; d < 3; d++) {
            text.append(' ').append(radix[d]).append(mesh[d] ? "m" : "");
        }
        return text.append('\n').toString();
    }

    /** Returns a seed at a switch that names the true origin, with the links that it needs. */
    String seed(int... at) {
        StringBuilder text = new StringBuilder();
        for (int d = 0; d < 3; d++) {
            boolean four = radix[d] == 4 && !mesh[d];
            boolean open = mesh[d] || radix[d] == 2;
            if (radix[d] > 1 && (four || !open || at[d] + 1 < radix[d])) {
                text.append(link(d, 1, at));
            }
            if (radix[d] > 1 && (four || open && at[d] + 1 == radix[d])) {
                text.append(link(d, -1, at));
            }
            text.append("xyz".charAt(d)).append("_dateline ").append(-at[d]).append('\n');
        }
        return text.toString();
    }

    private String link(int d, int step, int... at) {
        int[] next = at.clone();
        next[d] = Math.floorMod(at[d] + step, radix[d]);
        return String.format("%s%s_link 0x%x 0x%x%n", "xyz".charAt(d), step > 0 ? "p" : "m", guid(at), guid(next));
    }

    /** Returns a configuration with a seed at the origin. */
    String conf() {
        return sizes() + seed(0, 0, 0);
    }

    /** Returns {@link #conf} with two more seeds, which are used if the first one fails. */
    String confOfSeeds() {
        StringBuilder conf = new StringBuilder(conf());
        for (int at : new int[] {count() / 2, count() - 1}) {
            conf.append("next_seed\n").append(seed(at(at)));
        }
        return conf.toString();
    }

    static Torus2QosConf.Parsed parse(String text) {
        return Torus2QosConf.parse("torus-2QoS.conf", text);
    }

    RoutingResult route(String conf) {
        return route(conf, fabric.subnet(0));
    }

    static RoutingResult route(String conf, Subnet subnet) {
        return new Torus2QosEngine(parse(conf), 2).route(subnet, QOS);
    }

    /** Routes as the SM does, with a proof and a multicast tree, but without a last resort. */
    static ChainResult chain(String conf, Subnet subnet) {
        return chain(conf, subnet, QOS);
    }

    static ChainResult chain(String conf, Subnet subnet, RoutingOptions options) {
        return new RoutingChain(List.of(new Torus2QosEngine(parse(conf), 2)), new DeadlockChecker(2))
                .route(subnet, options);
    }

    /** Routes as the SM does, with a proof, a multicast tree and a last resort. */
    static ChainResult routeWithLastResort(String conf, Subnet subnet) {
        return new RoutingChain(
                        List.of(new Torus2QosEngine(parse(conf), 2)),
                        new DeadlockChecker(2),
                        ChainPolicy.WITH_LAST_RESORT)
                .route(subnet, QOS);
    }

    static Plan plan(ChainResult result) {
        Plan plan = result.plan();
        if (plan == null) {
            throw new AssertionError("refused: " + result.findings());
        }
        return plan;
    }

    Plan plan(String conf) {
        return plan(route(conf));
    }

    static Plan plan(RoutingResult result) {
        if (result instanceof Refusal refusal) {
            throw new AssertionError("refused: " + refusal.reason());
        }
        return (Plan) result;
    }

    Refusal refusal(String conf) {
        return refusal(route(conf));
    }

    static Refusal refusal(RoutingResult result) {
        if (result instanceof Refusal refusal) {
            return refusal;
        }
        throw new AssertionError("accepted");
    }

    static Torus2QosConf conf(String text) {
        Torus2QosConf conf = parse(text).conf();
        if (conf == null) {
            throw new AssertionError(parse(text).findings());
        }
        return conf;
    }

    /** Returns the torus as it is placed, complete or not. */
    static Torus place(Fabric fabric, Torus2QosConf conf, int seed) {
        List<Finding> findings = new ArrayList<>();
        Torus torus = new TorusDiscovery(fabric, conf).place(conf.seeds().get(seed), findings);
        if (torus == null) {
            throw new AssertionError(findings);
        }
        return torus;
    }

    /** Coordinates of the slots in order, such as {@code 000 100 010}. */
    static String installOrder(Torus torus) {
        List<String> names = new ArrayList<>();
        for (int slot = 0; slot < torus.slots(); slot++) {
            names.add("" + torus.coordinate(slot, 0) + torus.coordinate(slot, 1) + torus.coordinate(slot, 2));
        }
        return String.join(" ", names);
    }

    @Override
    public String toString() {
        return sizes() + Arrays.toString(mesh) + " links " + links + " hosts " + hosts;
    }

    /** Returns the LID of a switch. */
    static int lid(Plan plan, int sw) {
        return plan.subnet().lid(plan.subnet().fabric().port(sw, 0));
    }
}
