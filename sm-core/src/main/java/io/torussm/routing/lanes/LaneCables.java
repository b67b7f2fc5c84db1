package io.torussm.routing.lanes;

import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.PortInfo;
import io.torussm.routing.EngineContext;
import io.torussm.routing.Plan;
import io.torussm.routing.RoutingOptions;
import io.torussm.routing.RoutingResult;
import io.torussm.routing.balance.Links;
import io.torussm.subnet.LinkSettings;
import io.torussm.subnet.Subnet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The cables between switches that have too few VLs for lanes, while most others have enough. Routes bypass
 * these cables, so that one port with a small VLCap does not limit the lanes of the whole fabric. A cable at a
 * switch without SL2VL tables counts as a cable with one VL.
 *
 * <p>If a switch would lose all cables, its cables to one neighbour are kept. No credit loop leads through such
 * a switch.
 */
public final class LaneCables {
    /** The number of data VLs that suffices for most fabrics. Cables with fewer VLs are left out first. */
    private static final int SUFFICIENT_VLS = 4;

    private final Fabric fabric;
    private final LinkSettings settings;

    /** The lower port index of each cable between two switches. A cable is an index into this array. */
    private final int[] cables;

    /** By cable: the minimum of the data VLs of its two ends, 1 at a switch without SL2VL tables. */
    private final int[] vls;

    private LaneCables(Fabric fabric, RoutingOptions options) {
        this.fabric = fabric;
        settings = LinkSettings.limitedTo(options.maxOpVls());
        Links links = new Links(fabric);
        cables = IntStream.range(0, fabric.portCount())
                .filter(port -> links.farSwitch(port) != Fabric.NONE && port < fabric.peer(port))
                .toArray();
        vls = IntStream.of(cables)
                .map(port -> Math.min(ownVls(port), ownVls(fabric.peer(port))))
                .toArray();
    }

    /**
     * Routes a subnet without the cables that have too few VLs. If the engine refuses, routes without all cables
     * that have fewer VLs than the median. If the engine refuses again, routes with all cables.
     *
     * @param wanted maximum number of lanes that the engine uses
     * @param engine function that routes a subnet with as many lanes as its cables allow
     * @return plan for the subnet of the context, or the refusal for all cables
     */
    public static RoutingResult route(
            EngineContext context, int wanted, Function<EngineContext, RoutingResult> engine) {
        if (!context.options().qos()) {
            return engine.apply(context);
        }
        LaneCables cables = new LaneCables(context.subnet().fabric(), context.options());
        @Nullable RoutingResult result = null;
        for (OmittedCables choice : cables.choices(wanted)) {
            result = choice.route(context, engine);
            if (result instanceof Plan) {
                break;
            }
        }
        return Objects.requireNonNull(result);
    }

    /**
     * A choice of cables that are left out.
     *
     * @param ports a port index of each cable; empty if all cables are used
     */
    private record OmittedCables(int[] ports, List<Finding> findings) {
        RoutingResult route(EngineContext context, Function<EngineContext, RoutingResult> engine) {
            if (ports.length == 0) {
                return engine.apply(context);
            }
            Subnet wholeSubnet = context.subnet();
            RoutingResult result = engine.apply(context.withFewerCables(
                    wholeSubnet.with(wholeSubnet.fabric().without(ports))));
            return result instanceof Plan plan ? plan.onWholeSubnet(wholeSubnet).withFindings(findings) : result;
        }
    }

    /** Returns the choices, best first. The last one leaves out no cable. */
    private List<OmittedCables> choices(int wanted) {
        List<OmittedCables> choices = new ArrayList<>();
        int[] sorted = IntStream.of(vls).sorted().toArray();
        int median = sorted.length == 0 ? 0 : sorted[sorted.length / 2];
        for (int needed : new int[] {Math.min(SUFFICIENT_VLS, Math.min(median, wanted)), Math.min(median, wanted)}) {
            int[] poor = portsWithTooFewVls(needed);
            if (choices.isEmpty() || !Arrays.equals(poor, choices.get(0).ports())) {
                choices.add(new OmittedCables(poor, findings(poor, needed, median)));
            }
        }
        if (choices.stream().noneMatch(choice -> choice.ports().length == 0)) {
            choices.add(new OmittedCables(new int[0], List.of()));
        }
        return choices;
    }

    private int ownVls(int port) {
        PortInfo port0 = fabric.portInfo(fabric.port(fabric.nodeOf(port), 0));
        return LaneSls.hasTable(port0) ? LinkSettings.dataVls(settings.operationalVls(fabric, port)) : 1;
    }

    /**
     * Returns a port of each cable with too few VLs; empty if no cable has too few, or if the fabric would fall into
     * parts without them.
     *
     * @param needed minimum number of data VLs
     */
    private int[] portsWithTooFewVls(int needed) {
        BitSet isPoor = new BitSet();
        for (int i = 0; i < cables.length; i++) {
            isPoor.set(i, vls[i] < needed);
        }
        return !isPoor.isEmpty() && attach(isPoor)
                ? isPoor.stream().map(i -> limitingPort(cables[i])).toArray()
                : new int[0];
    }

    /**
     * Keeps the cables to one neighbour of each single switch that would otherwise be cut off.
     *
     * @param isPoor cables to leave out; kept cables are cleared
     * @return false if a part of several switches is cut off
     */
    private boolean attach(BitSet isPoor) {
        int[] part = parts(isPoor);
        int main = largest(part);
        BitSet reached = new BitSet();
        IntStream.range(0, part.length).filter(sw -> part[sw] == main).forEach(reached::set);
        for (int next = bestConnection(isPoor, part, reached);
                next >= 0;
                next = bestConnection(isPoor, part, reached)) {
            int a = fabric.nodeOf(cables[next]);
            int b = fabric.nodeOf(fabric.peer(cables[next]));
            for (int i = 0; i < cables.length; i++) {
                int nearSwitch = fabric.nodeOf(cables[i]);
                int farSwitch = fabric.nodeOf(fabric.peer(cables[i]));
                if ((nearSwitch == a && farSwitch == b) || (nearSwitch == b && farSwitch == a)) {
                    isPoor.clear(i);
                }
            }
            reached.set(a);
            reached.set(b);
        }
        int[] whole = parts(new BitSet());
        return IntStream.range(0, part.length)
                .allMatch(sw -> reached.get(sw) || whole[sw] != whole[reached.nextSetBit(0)]);
    }

    /**
     * Returns the poor cable with the most VLs from a reached switch to a single switch that is not reached; -1
     * without such a cable.
     */
    private int bestConnection(BitSet isPoor, int[] part, BitSet reached) {
        int best = -1;
        for (int i = isPoor.nextSetBit(0); i >= 0; i = isPoor.nextSetBit(i + 1)) {
            int a = fabric.nodeOf(cables[i]);
            int b = fabric.nodeOf(fabric.peer(cables[i]));
            int single = reached.get(a) ? b : a;
            if (reached.get(a) != reached.get(b) && isSingle(part, single) && (best < 0 || vls[i] > vls[best])) {
                best = i;
            }
        }
        return best;
    }

    private static boolean isSingle(int[] part, int sw) {
        return IntStream.of(part).filter(other -> other == part[sw]).count() == 1;
    }

    /**
     * Returns by switch the lowest index of all switches with which it is connected.
     *
     * @param without cables that are ignored
     */
    private int[] parts(BitSet without) {
        int[] part = IntStream.range(0, fabric.switchCount()).toArray();
        for (boolean isChanged = true; isChanged; ) {
            isChanged = false;
            for (int i = without.nextClearBit(0); i < cables.length; i = without.nextClearBit(i + 1)) {
                int a = fabric.nodeOf(cables[i]);
                int b = fabric.nodeOf(fabric.peer(cables[i]));
                isChanged |= part[a] != part[b];
                part[a] = Math.min(part[a], part[b]);
                part[b] = part[a];
            }
        }
        return part;
    }

    private static int largest(int[] part) {
        int[] sizes = new int[part.length];
        Arrays.stream(part).forEach(first -> sizes[first]++);
        return IntStream.range(0, sizes.length)
                .reduce((a, b) -> sizes[b] > sizes[a] ? b : a)
                .orElseThrow();
    }

    /**
     * Returns the port that is the reason for the few VLs of a cable: with fewer VLs, or with equal VLs and a
     * smaller VLCap.
     */
    private int limitingPort(int port) {
        int far = fabric.peer(port);
        return ownVls(far) < ownVls(port) || (ownVls(far) == ownVls(port) && vlCap(far) < vlCap(port)) ? far : port;
    }

    private int vlCap(int port) {
        PortInfo info = fabric.portInfo(port);
        return info == null || info.vlCap() == 0 ? LinkSettings.DEFAULT.maxOpVls() : info.vlCap();
    }

    private List<Finding> findings(int[] poor, int needed, int median) {
        List<Finding> findings = new ArrayList<>();
        for (int port : poor) {
            int sw = fabric.nodeOf(port);
            boolean hasTable = LaneSls.hasTable(fabric.portInfo(fabric.port(sw, 0)));
            findings.add(SmEvent.LINK_HAS_FEW_VLS.finding(
                    "the cable from ",
                    fabric.devicePort(port),
                    " to " + fabric.portName(fabric.peer(port)) + " is left out: "
                            + (hasTable
                                    ? "it has fewer than " + needed + " data VLs"
                                    : fabric.name(sw) + " has no SL2VL tables, and one VL for all")
                            + ", and most others have " + median));
        }
        return findings;
    }
}
