package io.torussm.deadlock;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.routing.Plan;
import io.torussm.routing.RoutingOptions;
import io.torussm.subnet.LinkSettings;
import io.torussm.subnet.Subnet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The links of a fabric in dense numbers, and the SL2VL rows at their ends. Immutable. The fields are public because
 * hot loops read them.
 *
 * <p>A <em>link</em> is a cable between switches in one direction. Links that leave switch {@code s} are
 * {@code firstLink[s]} to {@code firstLink[s + 1] - 1}, ascending by port number. An <em>out</em> is any
 * egress of a switch: first its links, in the same order, then its local ports (port 0 and those with a CA or
 * router). A channel is {@code link * 16 + vl}.
 *
 * <p>An <em>ingress class</em> of a switch is a set of input ports whose SL2VL rows agree for every out. The VL of a
 * packet depends on its input port only through this class. A switch has few classes: one if SL2VL ignores the input,
 * four with torus-2QoS.
 *
 * <p>An array "by X, and one more" has one element more than there are Xs, so that the numbers of X {@code x} are
 * {@code a[x]} to {@code a[x + 1] - 1}.
 */
public final class Channels {
    public static final int VLS = 16;

    private static final int NONE = Fabric.NONE;

    public final Plan plan;
    public final Subnet subnet;
    public final Fabric fabric;
    public final int switchCount;

    /** By switch, and one more: its first port index. */
    public final int[] firstPort;

    /** By switch, and one more: its first link. */
    public final int[] firstLink;

    /** By switch, and one more: its first out. */
    public final int[] firstOut;

    /** By switch, and one more: its first ingress class. */
    public final int[] firstClass;

    /** By link: the switch at its far end. */
    public final int[] linkTo;

    /** By link: the ingress class of its packets at the far end, numbered over all switches. */
    public final int[] linkClass;

    /** By link: the number of the port at its far end. */
    public final byte[] farPort;

    /** By out: port index. */
    public final int[] outPort;

    /** By port index of a switch: its out, numbered within the switch; NONE without a link. */
    public final int[] outOfPort;

    /** By port index of a switch: its ingress class, numbered over all switches; NONE without a link. */
    public final int[] classOfPort;

    /** By switch: the ingress classes through which its own end ports inject; empty without end ports. */
    public final int[][] localClasses;

    /** [ingress class, over all switches][out, within the switch] SL2VL row of the plan (packed). */
    private final long[][] rows;

    /** Shape of {@link #rows}: the rows before the plan is programmed; {@link #rows} itself if they do not matter. */
    private final long[][] heldRows;

    /** By out: the operational VLs of its link (bit n: VL n). */
    private final char[] outVls;

    private final LinkSettings links;

    /** By switch: whether the switch has no SL2VL table to program, so that packets may take any VL. */
    private final boolean[] isAnyVl;

    private final boolean isQos;

    /** Creates the channels of a plan that is active. */
    public Channels(Plan plan, RoutingOptions options) {
        this(plan, options, null, 1);
    }

    /** Creates the channels of a plan that is active, in parallel tasks. */
    public Channels(Plan plan, RoutingOptions options, int tasks) {
        this(plan, options, null, tasks);
    }

    /**
     * Creates the channels while a plan is programmed: packets may take the VL of the current row or of the plan's row.
     */
    public Channels(Plan plan, RoutingOptions options, @Nullable HeldTables held) {
        this(plan, options, held, 1);
    }

    private Channels(Plan plan, RoutingOptions options, @Nullable HeldTables held, int tasks) {
        this.plan = plan;
        this.subnet = plan.subnet();
        this.fabric = subnet.fabric();
        this.switchCount = fabric.switchCount();
        this.isQos = options.qos();
        links = LinkSettings.limitedTo(options.maxOpVls());
        firstPort = new int[switchCount + 1];
        firstLink = new int[switchCount + 1];
        firstOut = new int[switchCount + 1];
        firstClass = new int[switchCount + 1];
        localClasses = new int[switchCount][];
        isAnyVl = new boolean[switchCount];
        for (int sw = 0; sw < switchCount; sw++) {
            firstPort[sw + 1] = firstPort[sw] + fabric.numPorts(sw) + 1;
        }
        int ports = firstPort[switchCount];
        outOfPort = new int[ports];
        classOfPort = new int[ports];
        Arrays.fill(outOfPort, NONE);
        Arrays.fill(classOfPort, NONE);
        outPort = numberOuts();
        outVls = new char[outPort.length];
        linkTo = new int[firstLink[switchCount]];
        linkClass = new int[firstLink[switchCount]];
        farPort = new byte[linkTo.length];
        List<Classes> classes =
                SwitchRanges.collect(switchCount, tasks, (from, to) -> classify(from, to, options, held));
        int count = 0;
        for (Classes each : classes) {
            shiftClassNumbers(each, count);
            count += each.rows.size();
        }
        rows = classes.stream().flatMap(each -> each.rows.stream()).toArray(long[][]::new);
        heldRows = held == null
                ? rows
                : classes.stream().flatMap(each -> each.heldRows.stream()).toArray(long[][]::new);
        SwitchRanges.run(switchCount, tasks, this::findFarEnds);
    }

    /** The ingress classes of switches {@code from} to {@code to - 1}, numbered from 0. */
    private record Classes(int from, int to, List<long[]> rows, List<long[]> heldRows) {}

    private Classes classify(int from, int to, RoutingOptions options, @Nullable HeldTables held) {
        List<long[]> someRows = new ArrayList<>();
        List<long[]> someHeldRows = held == null ? someRows : new ArrayList<>();
        for (int sw = from; sw < to; sw++) {
            classify(sw, options, held, someRows, someHeldRows);
            firstClass[sw + 1] = someRows.size();
        }
        return new Classes(from, to, someRows, someHeldRows);
    }

    /** Adds the number of classes of all preceding switches to the class numbers of some switches. */
    private void shiftClassNumbers(Classes some, int count) {
        for (int sw = some.from; sw < some.to && count > 0; sw++) {
            firstClass[sw + 1] += count;
            for (int i = 0; i < localClasses[sw].length; i++) {
                localClasses[sw][i] += count;
            }
            for (int port = firstPort[sw]; port < firstPort[sw + 1]; port++) {
                classOfPort[port] += classOfPort[port] == NONE ? 0 : count;
            }
        }
    }

    /** Finds the far ends of the links of some switches. */
    private void findFarEnds(int from, int to) {
        for (int sw = from; sw < to; sw++) {
            for (int link = firstLink[sw]; link < firstLink[sw + 1]; link++) {
                int far = fabric.peer(outPort[firstOut[sw] + link - firstLink[sw]]);
                linkTo[link] = fabric.nodeOf(far);
                linkClass[link] = classOfPort[far];
                farPort[link] = (byte) (far - firstPort[linkTo[link]]);
            }
        }
    }

    /** Numbers links and outs of all switches, and returns the port index by out. */
    private int[] numberOuts() {
        int[] outs = new int[firstPort[switchCount]];
        int count = 0;
        for (int sw = 0; sw < switchCount; sw++) {
            firstOut[sw] = count;
            for (int port = firstPort[sw] + 1; port < firstPort[sw + 1]; port++) {
                int far = fabric.peer(port);
                if (far != NONE && fabric.isSwitch(fabric.nodeOf(far))) {
                    outs[count++] = port;
                }
            }
            firstLink[sw + 1] = firstLink[sw] + count - firstOut[sw];
            for (int port = firstPort[sw]; port < firstPort[sw + 1]; port++) {
                int far = fabric.peer(port);
                if (port == firstPort[sw] || (far != NONE && !fabric.isSwitch(fabric.nodeOf(far)))) {
                    outs[count++] = port;
                }
            }
            for (int out = firstOut[sw]; out < count; out++) {
                outOfPort[outs[out]] = out - firstOut[sw];
            }
        }
        firstOut[switchCount] = count;
        return Arrays.copyOf(outs, count);
    }

    /** Finds the ingress classes of a switch, and adds a row to the lists for each. Every out is an input as well. */
    private void classify(
            int sw, RoutingOptions options, @Nullable HeldTables held, List<long[]> allRows, List<long[]> allHeldRows) {
        int firstRow = allRows.size();
        PortInfo port0 = fabric.portInfo(firstPort[sw]);
        isAnyVl[sw] = options.qos() && port0 != null && !port0.hasCapability(PortInfo.CAP_SL_MAPPING);
        int degree = firstLink[sw + 1] - firstLink[sw];
        int[] local = new int[0];
        int[] vlCodes = new int[firstOut[sw + 1] - firstOut[sw]];
        for (int out = firstOut[sw]; out < firstOut[sw + 1]; out++) {
            int vlCode = links.operationalVls(fabric, outPort[out]);
            outVls[out] = (char) ((1 << LinkSettings.dataVls(vlCode)) - 1);
            boolean hasRow = options.qos() && !isAnyVl[sw] && (outPort[out] != firstPort[sw] || hasEnhancedPort0(sw));
            vlCodes[out - firstOut[sw]] = hasRow ? vlCode : NONE;
        }
        for (int out = firstOut[sw]; out < firstOut[sw + 1]; out++) {
            int in = fabric.portNum(outPort[out]);
            int first = firstOut[sw];
            long[] mine = rowsOf(sw, in, vlCodes, first, null);
            int ingress = ingressClass(
                    firstRow, mine, held == null ? mine : rowsOf(sw, in, vlCodes, first, held), allRows, allHeldRows);
            classOfPort[outPort[out]] = ingress;
            if (out - firstOut[sw] >= degree && isSource(outPort[out]) && !contains(local, ingress)) {
                local = Arrays.copyOf(local, local.length + 1);
                local[local.length - 1] = ingress;
            }
        }
        localClasses[sw] = local;
    }

    /**
     * Returns the SL2VL rows of an input port, one for each out: the current row if {@code held} is not null and both
     * ports are up, else the row of the plan.
     *
     * @param in input port number
     * @param vlCodes [out - first] VLs of the link as OperationalVLs encodes them; NONE without a row
     * @param first the first out of the result, numbered over all switches
     */
    private long[] rowsOf(int sw, int in, int[] vlCodes, int first, @Nullable HeldTables held) {
        long[] rowsByOut = new long[vlCodes.length];
        for (int i = 0; i < rowsByOut.length; i++) {
            if (vlCodes[i] != NONE) {
                int port = outPort[first + i];
                int out = fabric.portNum(port);
                long row = held != null && held.isUp(port) && held.isUp(firstPort[sw] + in)
                        ? held.sl2vl(sw, in, out)
                        : plan.sl2vl(sw, in, out);
                rowsByOut[i] = LinkSettings.foldRow(row, vlCodes[i]);
            }
        }
        return rowsByOut;
    }

    /** Returns the class of a pair of rows (of the plan and current), which is added if it is new. */
    private static int ingressClass(
            int firstRow, long[] mine, long[] held, List<long[]> allRows, List<long[]> allHeldRows) {
        for (int known = firstRow; known < allRows.size(); known++) {
            if (Arrays.equals(allRows.get(known), mine) && Arrays.equals(allHeldRows.get(known), held)) {
                return known;
            }
        }
        allRows.add(mine);
        if (allHeldRows != allRows) {
            allHeldRows.add(held);
        }
        return allRows.size() - 1;
    }

    /** Checks whether the SL2VL row of an out (numbered within the switch) changes for any input. */
    public boolean isRowChanged(int sw, int out) {
        for (int ingress = firstClass[sw]; ingress < firstClass[sw + 1]; ingress++) {
            if (rows[ingress][out] != heldRows[ingress][out]) {
                return true;
            }
        }
        return false;
    }

    private boolean hasEnhancedPort0(int sw) {
        var info = fabric.node(sw).switchInfo();
        return info != null && info.enhancedPort0();
    }

    /** Checks whether packets enter a switch at this local port from an end port that has a LID. */
    private boolean isSource(int port) {
        return endport(port) != NONE;
    }

    /**
     * Returns the end port at a local port of a switch: port 0 itself, or the port at the far end of the cable. Returns
     * NONE if that port has no LID.
     */
    int endport(int port) {
        int endport = fabric.portNum(port) == 0 ? port : fabric.peer(port);
        return endport != NONE && subnet.lid(endport) != 0 ? endport : NONE;
    }

    private static boolean contains(int[] values, int value) {
        for (int each : values) {
            if (each == value) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns the VLs that packets may take at one hop.
     *
     * @param ingress ingress class, numbered over all switches
     * @param out out, numbered within the switch
     * @return bit n: VL n; more than one bit only if the switch has no SL2VL table to program, or its row changes
     */
    public int vls(int sw, int ingress, int out, int sl) {
        return isAnyVl[sw]
                ? outVls[firstOut[sw] + out]
                : 1 << SlToVlMappingTable.vl(rows[ingress][out], sl)
                        | 1 << SlToVlMappingTable.vl(heldRows[ingress][out], sl);
    }

    /**
     * Returns the VLs that packets from an input port may take at one hop (bit n: VL n). The input port need not have a
     * link in this fabric.
     *
     * @param in input port number
     * @param out out, numbered within the switch
     */
    public int vlsFrom(int sw, int in, int out, int sl) {
        int ingress = classOfPort[firstPort[sw] + in];
        if (ingress != NONE || isAnyVl[sw]) {
            return vls(sw, ingress, out, sl);
        }
        int port = outPort[firstOut[sw] + out];
        int vlCode = isQos ? links.operationalVls(fabric, port) : NONE;
        long[] row = rowsOf(sw, in, new int[] {vlCode}, firstOut[sw] + out, null);
        return 1 << SlToVlMappingTable.vl(row[0], sl);
    }

    /**
     * Returns the out (numbered within the switch) by which packets to a LID leave the last switch of their path: the
     * switch that has the LID, or to which its end port is attached.
     */
    public int deliveryOut(int lid) {
        return outOfPort[firstPort[subnet.switchOfLid(lid)] + subnet.deliveryPort(lid)];
    }

    /** Checks whether a switch has no SL2VL table to program. */
    public boolean isAnyVl(int sw) {
        return isAnyVl[sw];
    }

    /**
     * Checks whether packets from an ingress class to an out (numbered within the switch) take the same VLs as packets
     * from {@code otherIngress} to {@code otherOut} of a switch of {@code other}.
     */
    public boolean hasRowOf(int sw, int ingress, int out, Channels other, int otherSw, int otherIngress, int otherOut) {
        return rows[ingress][out] == other.rows[otherIngress][otherOut]
                && heldRows[ingress][out] == other.heldRows[otherIngress][otherOut]
                && outVls[firstOut[sw] + out] == other.outVls[other.firstOut[otherSw] + otherOut];
    }

    /**
     * Checks whether two switches take the same VLs for all classes and outs. Both have the same number of classes and
     * outs, in the same order.
     */
    public boolean hasRowsOf(int sw, Channels other, int otherSw) {
        boolean hasAll = Arrays.equals(
                outVls,
                firstOut[sw],
                firstOut[sw + 1],
                other.outVls,
                other.firstOut[otherSw],
                other.firstOut[otherSw + 1]);
        for (int i = 0; i < firstClass[sw + 1] - firstClass[sw]; i++) {
            int ingress = firstClass[sw] + i;
            int otherIngress = other.firstClass[otherSw] + i;
            hasAll = hasAll
                    && Arrays.equals(rows[ingress], other.rows[otherIngress])
                    && Arrays.equals(heldRows[ingress], other.heldRows[otherIngress]);
        }
        return hasAll;
    }

    /** Checks whether the rows of the plan map two SLs to the same VL at every switch. */
    public boolean hasSameVls(int sl, int other) {
        for (long[] ofClass : rows) {
            for (long row : ofClass) {
                if (SlToVlMappingTable.vl(row, sl) != SlToVlMappingTable.vl(row, other)) {
                    return false;
                }
            }
        }
        return true;
    }

    public int degree(int sw) {
        return firstLink[sw + 1] - firstLink[sw];
    }

    /** Returns the switch that a link leaves. */
    public int linkSwitch(int link) {
        int sw = Arrays.binarySearch(firstLink, link);
        if (sw < 0) {
            return -sw - 2;
        }
        // switches without links have the same first link as the switch after them
        while (firstLink[sw + 1] == link) {
            sw++;
        }
        return sw;
    }

    /** Returns the port index of the egress port of a link. */
    public int linkPort(int link) {
        int sw = linkSwitch(link);
        return outPort[firstOut[sw] + link - firstLink[sw]];
    }

    public int channelCount() {
        return linkTo.length * VLS;
    }

    /**
     * Returns the link of a table entry.
     *
     * @param entry egress port number, 0 to 255
     * @return NONE if the port has no cable to another switch
     */
    public int link(int sw, int entry) {
        int port = firstPort[sw] + entry;
        if (port >= firstPort[sw + 1]) {
            return NONE;
        }
        int out = outOfPort[port];
        return out >= 0 && out < degree(sw) ? firstLink[sw] + out : NONE;
    }
}
