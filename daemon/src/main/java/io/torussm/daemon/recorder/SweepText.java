package io.torussm.daemon.recorder;

import io.torussm.event.Finding;
import io.torussm.fabric.Fabric;
import io.torussm.mastership.RemoteSm;
import io.torussm.routing.Plan;
import io.torussm.subnet.Subnet;
import io.torussm.sweep.SweepReport;
import io.torussm.view.PublishedView;
import java.util.List;
import java.util.stream.Collectors;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** How a sweep ended, in a line that two runs can be compared by: nothing in it says how long anything took. */
public final class SweepText {
    private SweepText() {}

    /** The subnet is up. */
    public static String up(PublishedView view, SweepReport report) {
        Plan plan = view.plan();
        return "up: sweep " + view.sweep() + ", " + plan.engine() + ", " + report.switches() + " switches, "
                + report.endports() + " host ports, " + report.links() + " links; " + report.written()
                + " tables written, " + report.activated() + " ports activated; tables " + tables(plan) + ", SLs "
                + sls(view);
    }

    /** No engine routes the fabric. */
    public static String refused(List<Finding> findings) {
        return "refused: " + findings.stream().map(Finding::line).collect(Collectors.joining("; "));
    }

    /** Another SM is master. */
    public static String otherMaster(@Nullable RemoteSm other) {
        return "another SM is master: " + (other == null ? "unknown" : other);
    }

    /** It could not be finished. */
    public static String failed(String why) {
        return "failed: " + why;
    }

    private static String tables(Plan plan) {
        CRC32C digest = new CRC32C();
        for (int sw = 0; sw < plan.subnet().fabric().switchCount(); sw++) {
            digest.update(plan.lft(sw));
        }
        return String.format("%08x", digest.getValue());
    }

    /** From each switch that has hosts to each host: the SLs that there are between them. */
    private static String sls(PublishedView view) {
        CRC32C digest = new CRC32C();
        Subnet subnet = view.subnet();
        Fabric fabric = subnet.fabric();
        for (int port = 0; port < fabric.portCount(); port++) {
            if (!fabric.isEndport(port) || fabric.isSwitch(fabric.nodeOf(port)) || subnet.lid(port) == 0) {
                continue;
            }
            for (int sw = 0; sw < fabric.switchCount(); sw++) {
                int mask = view.plan().slMask(sw, subnet.lid(port));
                digest.update(mask >> Byte.SIZE);
                digest.update(mask);
            }
        }
        return String.format("%08x", digest.getValue());
    }
}
