package io.torussm.daemon.recorder;

import io.torussm.event.Finding;
import io.torussm.fabric.Fabric;
import io.torussm.routing.Plan;
import io.torussm.subnet.Subnet;
import io.torussm.sweep.state.SweepEvent;
import io.torussm.sweep.state.SweepReport;
import io.torussm.view.PublishedView;
import java.util.HexFormat;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** The outcome of a sweep as a line without durations, for the comparison of two runs. */
public final class SweepText {
    /** Approximate max number of pairs of a switch and a host whose SLs are read; at most twice as many are read. */
    static final int MAX_PAIRS = 1 << 14;

    private SweepText() {}

    /** Formats an event that ends a sweep; null for other events. */
    public static @Nullable String of(SweepEvent event) {
        if (event instanceof SweepEvent.SubnetUp up) {
            return up(up.view(), up.report());
        } else if (event instanceof SweepEvent.RoutingRefused refused) {
            return "refused: " + refused.findings().stream().map(Finding::line).collect(Collectors.joining("; "));
        } else if (event instanceof SweepEvent.OtherMaster other) {
            return "another SM is master: " + (other.master() == null ? "unknown" : other.master());
        } else if (event instanceof SweepEvent.SweepFailed failed) {
            return "failed: " + failed.reason();
        }
        return null;
    }

    private static String up(PublishedView view, SweepReport report) {
        Plan plan = view.plan();
        return "up: sweep " + view.sweep() + ", " + plan.engine() + ", " + report.switches() + " switches, "
                + report.endports() + " host ports, " + report.links() + " links; "
                + report.work().blocks()
                + " table blocks written, " + report.work().activated() + " ports activated; tables " + tables(plan)
                + ", SLs "
                + sls(view);
    }

    private static String tables(Plan plan) {
        CRC32C digest = new CRC32C();
        for (int sw = 0; sw < plan.subnet().fabric().switchCount(); sw++) {
            digest.update(plan.lft(sw));
        }
        return HexFormat.of().toHexDigits((int) digest.getValue());
    }

    /**
     * Computes a digest of the possible SLs from switches to hosts. It uses only some evenly distributed pairs, because
     * the loop of the SM waits for the result.
     */
    private static String sls(PublishedView view) {
        Subnet subnet = view.subnet();
        Fabric fabric = subnet.fabric();
        int[] hosts = IntStream.range(0, fabric.portCount())
                .filter(port ->
                        fabric.isEndport(port) && !fabric.isSwitch(fabric.nodeOf(port)) && subnet.lid(port) != 0)
                .map(subnet::lid)
                .toArray();
        long pairs = (long) hosts.length * fabric.switchCount();
        long step = Math.max(1, pairs / MAX_PAIRS | 1);
        CRC32C digest = new CRC32C();
        for (long pair = 0; pair < pairs; pair += step) {
            int mask =
                    view.plan().slMask((int) (pair % fabric.switchCount()), hosts[(int) (pair / fabric.switchCount())]);
            digest.update(mask >> Byte.SIZE);
            digest.update(mask);
        }
        return HexFormat.of().toHexDigits((int) digest.getValue());
    }
}
