package io.torussm.routing;

import io.torussm.event.Finding;
import io.torussm.subnet.Subnet;
import java.util.List;
import java.util.Optional;

/** Everything that a routing engine decides. Immutable; arrays that it hands out must not be written. */
public non-sealed interface Plan extends RoutingResult {

    /** Name of the engine. */
    String engine();

    /** The subnet that was routed. */
    Subnet subnet();

    /**
     * The linear forwarding table of a switch.
     *
     * @return egress port by LID, {@code subnet().topLid() + 1} entries, 0xFF where there is no path
     */
    byte[] lft(int sw);

    /** Whether the engine itself decides which VLs a link carries; else the operator does, who also weighs them. */
    default boolean hasOwnSl2Vl() {
        return true;
    }

    /**
     * The SL2VL row of a switch for packets from one port to another, before masking by OperationalVLs.
     *
     * @param in input port number, 0 for packets from port 0
     * @param out output port number; 0 only matters on switches with enhanced port 0
     * @return packed as {@link io.torussm.mad.smp.SlToVlMappingTable#packed()}
     */
    long sl2vl(int sw, int in, int out);

    /** The SL2VL table of an end port: a CA or router port, or enhanced switch port 0 as a source. */
    long sl2vl(int endport);

    /**
     * The SL of a path in constant time.
     *
     * @param srcLid any LID of the source end port
     * @param dstLid any LID of the destination end port
     * @param wanted SL asked for by policy, 0 to 15; the engine decides what it means
     * @return SL 0 to 15, or -1 if the engine has no path for this pair
     */
    int pathSl(int srcLid, int dstLid, int wanted);

    /** The set of SLs (bit n: SL n) that paths from end ports of one switch to those of another may be given. */
    int slMask(int srcSw, int dstSw);

    /** What a switch's external port leads to, for QoS settings. */
    PortRole role(int sw, int portNum);

    /** Whether the tables are made to be free of credit loops, so that a cycle is a defect and not a choice. */
    boolean deadlockFree();

    /** A switch's place as operators know it, such as {@code (2,3,0)}; empty if the engine knows none. */
    default String place(int sw) {
        return "";
    }

    /** The grid that switches stand in; empty if the engine knows none. */
    default Optional<Lattice> lattice() {
        return Optional.empty();
    }

    /** What the engine noticed. */
    List<Finding> findings();

    /**
     * The tree for multicast that the engine would have; the checker takes it if it closes no credit loop together with
     * unicast, and else looks for one that does not.
     */
    default Optional<MulticastTree> multicastTree() {
        return Optional.empty();
    }

    /** Switches that are good roots of a tree for multicast, best first; none if there is to be no multicast. */
    default int[] multicastRoots() {
        return new int[0];
    }

    /** The SLs (bit n: SL n) that multicast groups may have without endangering the fabric. */
    default int multicastSls() {
        return 0xffff;
    }

    /**
     * What to refuse with if these tables fail their check: an engine that offers routes which it cannot vouch for says
     * here, as errors, what keeps it from that. Empty if failure would be a defect of the engine.
     */
    default List<Finding> doubts() {
        return List.of();
    }

    /**
     * What changed since an earlier plan, in the terms of the engine; empty if the plan is another engine's.
     *
     * @param before the plan that was in force
     */
    default List<Finding> changesSince(Plan before) {
        return List.of();
    }

    /**
     * Why a packet leaves a switch by a port, for people: direction, and what is not plain about it.
     *
     * @param in port number by which it came, 0 if the switch itself or one of its hosts sent it
     * @param out port number by which it leaves
     * @param dlid where it goes
     */
    default String why(int sw, int in, int out, int dlid) {
        return "";
    }
}
