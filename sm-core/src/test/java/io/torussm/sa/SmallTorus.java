package io.torussm.sa;

import io.torussm.fabric.Fabric;
import io.torussm.fabric.FabricBuilder;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.mad.smp.VlArbitrationTable;
import io.torussm.partition.PartitionConf;
import io.torussm.partition.PartitionPlan;
import io.torussm.partition.PartitionSettings;
import io.torussm.partition.PortKeys;
import io.torussm.routing.PathSls;
import io.torussm.routing.Plan;
import io.torussm.routing.PortRole;
import io.torussm.subnet.Subnet;
import io.torussm.testing.Seeds;
import io.torussm.testing.ViewDraft;
import io.torussm.view.PublishedView;
import io.torussm.view.QosTables;
import java.util.Arrays;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * A 3 x 3 torus with a host at each switch, routed first in x and then in y, the short way round. Switch {@code 3 y +
 * x} has ports 1 (+x), 2 (-x), 3 (+y), 4 (-y), 5 (its host) and 6 (no cable). Host 0 has a second port, at port 6 of
 * switch 1. The SL of a path has bit 0 set if it crosses the dateline in x, bit 1 if in y, and bit 3 as requested. With
 * LMC 0, there are 19 LIDs: 16 to 24 of switches, 25 and 26 of host 0, n + 26 of host n.
 */
final class SmallTorus {
    static final int SIDE = 3;
    static final int SWITCHES = SIDE * SIDE;
    static final int HOST_PORT = 5;
    static final int SECOND_PORT = 6;
    static final long PREFIX = 0xfec0_0000_0000_1234L;

    private final int lmc;

    /** A change of PortInfo of a port. */
    interface PortChange {
        PortInfo change(long nodeGuid, int portNum, PortInfo usual);
    }

    final Fabric fabric;
    final Subnet subnet;
    final TorusTables tables;
    final Plan plan;
    final PublishedView view;

    SmallTorus() {
        this(0, (guid, portNum, usual) -> usual);
    }

    SmallTorus(int lmc, PortChange ports) {
        this(lmc, ports, 0);
    }

    /**
     * Makes a torus.
     *
     * @param ports changes PortInfo, which is random but for the fields of the link
     * @param routers number of hosts, the last ones, that are routers
     */
    SmallTorus(int lmc, PortChange ports, int routers) {
        this.lmc = lmc;
        FabricBuilder builder = new FabricBuilder();
        for (int sw = 0; sw < SWITCHES; sw++) {
            add(builder, NodeInfo.SWITCH, switchGuid(sw), switchGuid(sw), 6, "switch " + sw, ports);
            builder.setSwitchInfo(switchGuid(sw), SwitchInfo.TYPE.zero());
        }
        for (int host = 0; host < SWITCHES; host++) {
            int portCount = host == 0 ? 2 : 1;
            add(
                    builder,
                    host < SWITCHES - routers ? NodeInfo.CHANNEL_ADAPTER : NodeInfo.ROUTER,
                    hostGuid(host),
                    hostGuid(host) + 1,
                    portCount,
                    "host " + host,
                    ports);
            builder.link(switchGuid(host), HOST_PORT, hostGuid(host), 1);
        }
        builder.setPortGuid(hostGuid(0), 2, hostGuid(0) + 2);
        builder.link(switchGuid(1), SECOND_PORT, hostGuid(0), 2);
        for (int sw = 0; sw < SWITCHES; sw++) {
            builder.link(switchGuid(sw), 1, switchGuid(at(x(sw) + 1, y(sw))), 2);
            builder.link(switchGuid(sw), 3, switchGuid(at(x(sw), y(sw) + 1)), 4);
        }
        fabric = builder.build();
        subnet = assignLids();
        tables = new TorusTables();
        plan = tables.plan();
        view = ViewDraft.of(plan).smPortGuid(hostGuid(0) + 1).qos(new Qos()).build();
    }

    /** Returns a view of this subnet with the partitions of a partitions.conf. */
    PublishedView partitioned(String conf) {
        PartitionConf parsed =
                Objects.requireNonNull(PartitionConf.parse("p.conf", conf, true).conf());
        PartitionSettings settings = new PartitionSettings(parsed, PartitionSettings.Enforcement.BOTH, true, false);
        PartitionPlan partitions = PartitionPlan.of(settings, fabric, port -> PortKeys.NONE);
        return ViewDraft.of(view).partitions(partitions).sweep(2).build();
    }

    private static void add(
            FabricBuilder builder, int type, long guid, long portGuid, int portCount, String name, PortChange ports) {
        Random random = Seeds.random(guid);
        NodeInfo info = NodeInfo.TYPE
                .zero()
                .with(NodeInfo.BASE_VERSION, 1)
                .with(NodeInfo.CLASS_VERSION, 1)
                .with(NodeInfo.NODE_TYPE, type)
                .with(NodeInfo.NUM_PORTS, portCount)
                .with(NodeInfo.SYSTEM_IMAGE_GUID, guid / 0x20 * 0x20)
                .with(NodeInfo.NODE_GUID, guid)
                .with(NodeInfo.PORT_GUID, portGuid)
                .with(NodeInfo.PARTITION_CAP, 8 + random.nextInt(3))
                .with(NodeInfo.DEVICE_ID, random.nextInt(3))
                .with(NodeInfo.REVISION, random.nextInt(3))
                .with(NodeInfo.LOCAL_PORT_NUM, 1)
                .with(NodeInfo.VENDOR_ID, random.nextInt(3));
        builder.addNode(info, DrPath.LOCAL);
        builder.setDescription(guid, name);
        for (int portNum = type == NodeInfo.SWITCH ? 0 : 1; portNum <= portCount; portNum++) {
            builder.setPortInfo(guid, portNum, ports.change(guid, portNum, usual(random, portNum)));
        }
    }

    /** Returns arbitrary contents, except for the fields on which paths depend: 4x QDR, MTU 2048. */
    private static PortInfo usual(Random random, int portNum) {
        byte[] bytes = new byte[64];
        random.nextBytes(bytes);
        return PortInfo.TYPE
                .read(bytes, 0)
                .with(PortInfo.LOCAL_PORT_NUM, portNum)
                .with(PortInfo.PORT_STATE, PortInfo.STATE_ACTIVE)
                .with(PortInfo.MTU_CAP, 4)
                .with(PortInfo.NEIGHBOR_MTU, 4)
                .with(PortInfo.LINK_WIDTH_ACTIVE, 2)
                .with(PortInfo.LINK_SPEED_ACTIVE, 4)
                .with(PortInfo.LINK_SPEED_EXT_ACTIVE, 0)
                .with(PortInfo.LINK_SPEED_EXT_ACTIVE2, 0);
    }

    private Subnet assignLids() {
        int[] lids = new int[fabric.portCount()];
        byte[] lmcs = new byte[fabric.portCount()];
        int next = 16; // the first LID
        for (int port = 0; port < lids.length; port++) {
            if (fabric.isEndport(port)) {
                lids[port] = next;
                lmcs[port] = (byte) (fabric.isSwitch(fabric.nodeOf(port)) ? 0 : lmc);
                next += 1 << lmc;
            }
        }
        return new Subnet(fabric, lids, lmcs, PREFIX);
    }

    static long switchGuid(int sw) {
        return 0x20_0000 + 0x10L * sw;
    }

    static long hostGuid(int host) {
        return 0x8000_0000_0010_0000L + 0x10L * host;
    }

    static int x(int sw) {
        return sw % SIDE;
    }

    static int y(int sw) {
        return sw / SIDE;
    }

    static int at(int x, int y) {
        return Math.floorMod(y, SIDE) * SIDE + Math.floorMod(x, SIDE);
    }

    /** Returns the base LID of a host's first port. */
    int hostLid(int host) {
        return subnet.lid(hostPort(host));
    }

    /** Returns the port index of a host's first port. */
    int hostPort(int host) {
        return fabric.port(fabric.nodeByGuid(hostGuid(host)), 1);
    }

    int switchLid(int sw) {
        return subnet.lid(fabric.port(sw, 0));
    }

    /** Rows and arbitration tables that encode their position; the second halves are for hosts only. */
    final class Qos implements QosTables {
        @Override
        public boolean hasRow(int node, int in, int out) {
            boolean isSwitch = fabric.isSwitch(node);
            return out > 0
                    && out <= fabric.numPorts(node)
                    && in <= (isSwitch ? fabric.numPorts(node) : 0)
                    && fabric.peer(fabric.port(node, out)) != Fabric.NONE;
        }

        @Override
        public long row(int node, int in, int out) {
            return (long) node << 32 | in << 16 | out;
        }

        @Override
        public @Nullable VlArbitrationTable arbitration(int node, int portNum, int part) {
            boolean isThere = portNum > 0
                    && fabric.peer(fabric.port(node, portNum)) != Fabric.NONE
                    && (part % 2 == 1 || !fabric.isSwitch(node));
            byte[] table = new byte[64];
            Arrays.fill(table, (byte) (16 * part + portNum));
            return isThere ? VlArbitrationTable.TYPE.read(table, 0) : null;
        }
    }

    /** Routes by hand: tables by x, then y, and SLs for pairs of LIDs. */
    final class TorusTables implements PathSls {
        final byte[][] lfts = new byte[SWITCHES][subnet.topLid() + 1];

        /** A source LID whose paths have another SL than the reverse paths; 0 for none. */
        int asymmetricSlid;

        /** SLs (bit n: SL n) that are never granted, as if they were mapped to VL15 on the way. */
        int discardedSls;

        /** The number of requests for an SL. */
        int slRequests;

        TorusTables() {
            for (int sw = 0; sw < SWITCHES; sw++) {
                Arrays.fill(lfts[sw], (byte) 0xff);
                for (int lid = 0; lid <= subnet.topLid(); lid++) {
                    if (subnet.portOfLid(lid) != Fabric.NONE) {
                        lfts[sw][lid] = (byte) egress(sw, lid);
                    }
                }
            }
        }

        private int egress(int sw, int lid) {
            int to = subnet.switchOfLid(lid);
            if (x(to) != x(sw)) {
                return Math.floorMod(x(to) - x(sw), SIDE) == 1 ? 1 : 2;
            }
            if (y(to) != y(sw)) {
                return Math.floorMod(y(to) - y(sw), SIDE) == 1 ? 3 : 4;
            }
            int port = subnet.portOfLid(lid);
            return fabric.isSwitch(fabric.nodeOf(port)) ? 0 : fabric.portNum(fabric.peer(port));
        }

        Plan plan() {
            return Plan.builder("by hand", subnet, lfts)
                    .sls(this)
                    .roles((sw, portNum) -> PortRole.OTHER)
                    .claimsDeadlockFree()
                    .build();
        }

        @Override
        public int sl(int srcLid, int dstLid, int wanted) {
            slRequests++;
            int from = subnet.switchOfLid(srcLid);
            int to = subnet.switchOfLid(dstLid);
            int roundX = Math.abs(x(from) - x(to)) == 2 ? 1 : 0;
            int roundY = Math.abs(y(from) - y(to)) == 2 ? 2 : 0;
            boolean isDiscarded = (discardedSls >> wanted & 1) != 0;
            return isDiscarded ? -1 : roundX | roundY | wanted & 8 | (srcLid == asymmetricSlid ? 4 : 0);
        }

        @Override
        public int mask(int srcSw, int dstLid) {
            throw new UnsupportedOperationException("the SA does not ask for this");
        }
    }
}
