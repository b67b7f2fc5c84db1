package io.torussm.daemon.proof;

import io.torussm.daemon.config.Configuration;
import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.dump.Dumps;
import io.torussm.daemon.planning.OfflineRouting;
import io.torussm.fabric.Fabric;
import io.torussm.mad.Gid;
import io.torussm.mad.sa.MCMemberRecord;
import io.torussm.multicast.MulticastGroup;
import io.torussm.multicast.MulticastView;
import io.torussm.routing.RecordedCases;
import io.torussm.subnet.Subnet;
import io.torussm.view.PublishedView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Fabrics as the files of various programs. */
public final class ProvableFiles {
    private static final String EIGHT_VLS = " 0x01 0x23 0x45 0x67 0x01 0x23 0x45 0x67";

    private ProvableFiles() {}

    /** Writes this SM's dumps of a torus, with a group of all hosts. */
    public static Path torus(String spec, Path dir) throws Exception {
        return routed(spec, Map.of(Settings.ROUTING_ENGINE, "torus-2QoS", Settings.QOS, "true"), dir);
    }

    /** Writes this SM's dumps of a fabric that these settings route, with a group of all hosts. */
    public static Path routed(String spec, Map<Setting<?>, String> settings, Path dir) throws Exception {
        Map<Setting<?>, Configuration.CommandLineValue> given = new HashMap<>();
        Map<Setting<?>, String> values = new HashMap<>(settings);
        values.put(Settings.SIMULATE, spec);
        values.forEach((setting, value) -> given.put(setting, new Configuration.CommandLineValue("test", value)));
        PublishedView view = Objects.requireNonNull(
                OfflineRouting.route(Configuration.read(null, given)).view());
        Dumps.writeProvable(view, groupOfAll(view.subnet()), dir);
        return dir;
    }

    /** Returns a group of all hosts. */
    public static MulticastView groupOfAll(Subnet subnet) {
        Fabric fabric = subnet.fabric();
        List<MulticastGroup.Member> members = new ArrayList<>();
        for (int port = 0; port < fabric.portCount(); port++) {
            if (fabric.isEndport(port) && !fabric.isSwitch(fabric.nodeOf(port)) && subnet.lid(port) != 0) {
                members.add(new MulticastGroup.Member(new Gid(subnet.gidPrefix(), fabric.portGuid(port)), 1, true));
            }
        }
        MCMemberRecord record = MCMemberRecord.TYPE
                .zero()
                .with(MCMemberRecord.MGID, new Gid(0xff12401bffff0000L, 0xffffffffL))
                .with(MCMemberRecord.MLID, MulticastView.FIRST_MLID);
        return new MulticastView(List.of(new MulticastGroup(record, members)));
    }

    /** Writes the tables computed by OpenSM 3.3.23 in the format of ibdmchk; SL2VL tables with eight VLs. */
    public static Path recorded(String engine, String name, Path dir) throws IOException {
        RecordedCases.State state = RecordedCases.of(engine, name).states().get(0);
        Subnet subnet = state.subnet();
        Fabric fabric = subnet.fabric();
        StringBuilder links = new StringBuilder();
        StringBuilder tables = new StringBuilder();
        StringBuilder rows = new StringBuilder();
        StringBuilder sls = new StringBuilder();
        for (int port = 0; port < fabric.portCount(); port++) {
            if (fabric.peer(port) != Fabric.NONE) {
                links.append(side(subnet, port))
                        .append(side(subnet, fabric.peer(port)))
                        .append("PHY=4x LOG=ACT SPD=10\n");
            }
        }
        state.tables().forEach((sw, table) -> {
            tables.append(String.format(
                    "osm_ucast_mgr_dump_ucast_routes: Switch 0x%016x\nPLFT_NUM: 0\n", fabric.nodeGuid(sw)));
            for (int lid = 1; lid <= table.length(); lid++) {
                char out = table.charAt(lid - 1);
                tables.append(String.format("0x%04x : ", lid))
                        .append(out == '-' ? "UNREACHABLE\n" : String.format("%03d  : 00   : yes\n", out - '0'));
            }
            for (int in = 0; in <= fabric.numPorts(sw); in++) {
                for (int out = 1; out <= fabric.numPorts(sw); out++) {
                    rows.append(String.format("0x%016x %d %d%s\n", fabric.nodeGuid(sw), in, out, EIGHT_VLS));
                }
            }
        });
        state.sls().forEach((sw, row) -> {
            for (int port = 0; port < fabric.portCount(); port++) {
                if (fabric.isEndport(port) && fabric.switchOf(port) == sw && !fabric.isSwitch(fabric.nodeOf(port))) {
                    sls.append(String.format(
                            "Channel Adapter 0x%016x, base LID %d\n", fabric.portGuid(port), subnet.lid(port)));
                    for (int lid = 1; lid <= row.length(); lid++) {
                        sls.append(
                                row.charAt(lid - 1) == '-'
                                        ? ""
                                        : String.format(
                                                "0x%04x : %d\n", lid, Character.digit(row.charAt(lid - 1), 16)));
                    }
                }
            }
        });
        Files.createDirectories(dir);
        Files.writeString(dir.resolve("subnet.lst"), links);
        Files.writeString(dir.resolve("fdbs"), tables);
        Files.writeString(dir.resolve("slvl"), rows);
        if (!state.sls().isEmpty()) {
            Files.writeString(dir.resolve("psl"), sls);
        }
        return dir;
    }

    private static String side(Subnet subnet, int port) {
        Fabric fabric = subnet.fabric();
        int node = fabric.nodeOf(port);
        int end = fabric.isSwitch(node) ? fabric.port(node, 0) : port;
        return String.format(
                "{ %s Ports:%02X SystemGUID:%016x NodeGUID:%016x PortGUID:%016x VenID:000000 DevID:0000 Rev:00000000 {node-%d} "
                        + "LID:%04X PN:%02X } ",
                fabric.isSwitch(node) ? "SW" : "CA",
                fabric.numPorts(node),
                fabric.nodeGuid(node),
                fabric.nodeGuid(node),
                fabric.portGuid(end),
                node,
                subnet.lid(end),
                fabric.portNum(port));
    }
}
