package io.torussm.daemon;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.LinkSpeed;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.names.Names;
import io.torussm.names.NodeNames;
import io.torussm.names.SiteMap;
import io.torussm.routing.PathSls;
import io.torussm.routing.Plan;
import io.torussm.routing.PlanExplainer;
import io.torussm.routing.PortRole;
import io.torussm.routing.Ring;
import io.torussm.routing.RingState;
import io.torussm.subnet.Subnet;
import io.torussm.sweep.state.MissingParts;
import io.torussm.sweep.state.SweepEvent;
import io.torussm.sweep.state.SweepReport;
import io.torussm.sweep.state.SweepWork;
import io.torussm.testing.Sketch;
import io.torussm.testing.Subnets;
import io.torussm.testing.ViewDraft;
import io.torussm.view.PublishedView;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Published views made by hand. */
public final class Views {
    /** VL = SL. */
    private static final long IDENTITY = 0x0123456789abcdefL;

    private Views() {}

    /**
     * Returns two switches of three ports, {@code sw-a} (LID 1) and {@code sw-b} (LID 2), with a cable between their
     * ports 3; {@code host-0} (LID 3) at port 1 of the first, {@code host-1} (LID 4) at port 2 of the second. All links
     * are ACTIVE, 4x QDR, with eight data VLs.
     */
    public static PublishedView twoSwitches() {
        Sketch sketch = new Sketch();
        sketch.addSwitch("sw-a", 3);
        sketch.addSwitch("sw-b", 3);
        sketch.link(0, 3, 1, 3);
        sketch.addHost(0, 1);
        sketch.addHost(1, 2);
        byte[][] lfts = {lft(0, 3, 1, 3), lft(3, 0, 3, 2)};
        return view(handPlan(Subnets.of(sketch.build()), lfts));
    }

    /** Returns the event of a sweep that published a view and wrote nothing. */
    public static SweepEvent.SubnetUp up(PublishedView view) {
        Fabric fabric = view.subnet().fabric();
        return new SweepEvent.SubnetUp(
                view,
                SweepReport.of(view.sweep(), fabric, SweepWork.NONE, "", Map.of(), -1, List.of()),
                MissingParts.NONE);
    }

    /** Returns the published view of a plan, in which all links with a cable are ACTIVE with eight data VLs. */
    public static PublishedView view(Plan plan) {
        return withLinksUp(plan).qos().build();
    }

    /** Returns such a view of an SM that writes no QoS tables. */
    public static PublishedView withoutQos(Plan plan) {
        return withLinksUp(plan).build();
    }

    private static ViewDraft withLinksUp(Plan plan) {
        Fabric fabric = plan.subnet().fabric();
        @Nullable PortInfo[] infos = new PortInfo[fabric.portCount()];
        for (int port = 0; port < infos.length; port++) {
            PortInfo before = fabric.portInfo(port);
            boolean isUp = fabric.peer(port) != Fabric.NONE;
            infos[port] = before == null
                    ? null
                    : before.with(PortInfo.PORT_STATE, isUp ? PortInfo.STATE_ACTIVE : PortInfo.STATE_DOWN)
                            .with(PortInfo.OPERATIONAL_VLS, 4)
                            .with(PortInfo.LINK_WIDTH_ACTIVE, 2)
                            .with(PortInfo.LINK_SPEED_ACTIVE, 4);
        }
        return ViewDraft.of(plan).subnet(plan.subnet().with(fabric.with(infos)));
    }

    /** Returns a view whose links with PortInfo run at a speed. */
    public static PublishedView atSpeed(PublishedView view, LinkSpeed speed) {
        Fabric fabric = view.subnet().fabric();
        @Nullable PortInfo[] infos = new PortInfo[fabric.portCount()];
        for (int port = 0; port < infos.length; port++) {
            PortInfo info = fabric.portInfo(port);
            infos[port] = info == null ? null : speed.applyTo(info);
        }
        return with(view, fabric.with(infos));
    }

    /** Returns a view in which the operator has given names and racks, by the text of two files. */
    public static PublishedView named(PublishedView view, String nodeNames, String sites) {
        Names names = new Names(
                Objects.requireNonNull(NodeNames.parse("names", nodeNames).names()),
                Objects.requireNonNull(SiteMap.parse("sites", sites).map()));
        return with(view, view.subnet().fabric().with(names));
    }

    /** Returns a view of the same routes on a fabric with other facts. */
    private static PublishedView with(PublishedView view, Fabric fabric) {
        return ViewDraft.of(view).subnet(view.subnet().with(fabric)).build();
    }

    private static byte[] lft(int... portOfLid) {
        byte[] lft = new byte[portOfLid.length + 1];
        Arrays.fill(lft, (byte) 0xff);
        for (int i = 0; i < portOfLid.length; i++) {
            lft[i + 1] = (byte) portOfLid[i];
        }
        return lft;
    }

    /** Returns a plan with SL 9 from host to host, and SL2VL rows that differ by ingress port. */
    private static Plan handPlan(Subnet subnet, byte[][] lfts) {
        return Plan.builder("hand", subnet, lfts)
                .ownSl2Vl(
                        1,
                        (sw, in, out) -> {
                            int[] vls = new int[16];
                            Arrays.fill(vls, in);
                            vls[9] = 8 + out;
                            return SlToVlMappingTable.pack(vls);
                        },
                        endport -> IDENTITY)
                .sls(new PathSls() {
                    @Override
                    public int sl(int srcLid, int dstLid, int wanted) {
                        return wanted == 15 ? -1 : 9;
                    }

                    @Override
                    public int mask(int srcSw, int dstLid) {
                        return 1 << 9;
                    }
                })
                .roles((sw, portNum) -> PortRole.OTHER)
                .explainer(new PlanExplainer() {
                    @Override
                    public String coordinates(int sw) {
                        return "(" + (1 - sw) + ",0,0)";
                    }

                    @Override
                    public List<Ring> rings() {
                        return List.of(
                                new Ring("(*,0,0)", 0, 0, RingState.WHOLE, List.of()),
                                new Ring("(0,*,0)", 1, 0, RingState.OPEN, List.of("lost a cable")));
                    }

                    @Override
                    public String explainHop(int sw, int in, int out, int dlid) {
                        return "+x  towards LID " + dlid + " from port " + in;
                    }
                })
                .build();
    }
}
