package io.torussm.routing;

import io.torussm.event.Finding;
import io.torussm.fabric.Fabric;
import io.torussm.subnet.Subnet;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** A plan that is nothing but tables, for a test to fill. */
public class TablePlan implements Plan {
    public final Subnet subnet;
    public final byte[][] lfts;
    public boolean deadlockFree = true;
    public Rows rows = (sw, in, out) -> 0;
    public SourceRows sourceRows = endport -> 0;
    public Masks masks = (from, to) -> 1;
    public Optional<MulticastTree> tree = Optional.empty();
    public int[] roots = {};

    /** SL2VL of switches. */
    public interface Rows {
        long row(int sw, int in, int out);
    }

    /** SL2VL of end ports. */
    public interface SourceRows {
        long row(int endport);
    }

    /** SLs between switches. */
    public interface Masks {
        int sls(int from, int to);
    }

    public TablePlan(Subnet subnet) {
        this.subnet = subnet;
        lfts = new byte[subnet.fabric().switchCount()][subnet.topLid() + 1];
        for (byte[] lft : lfts) {
            Arrays.fill(lft, (byte) 0xff);
        }
        for (int lid = 1; lid <= subnet.topLid(); lid++) {
            int endport = subnet.portOfLid(lid);
            int sw = subnet.switchOfLid(lid);
            if (sw == Fabric.NONE) {
                continue;
            }
            boolean isPort0 = subnet.fabric().nodeOf(endport) == sw;
            lfts[sw][lid] = (byte)
                    (isPort0 ? 0 : subnet.fabric().portNum(subnet.fabric().peer(endport)));
        }
    }

    @Override
    public String engine() {
        return "tables";
    }

    @Override
    public Subnet subnet() {
        return subnet;
    }

    @Override
    public byte[] lft(int sw) {
        return lfts[sw];
    }

    @Override
    public long sl2vl(int sw, int in, int out) {
        return rows.row(sw, in, out);
    }

    @Override
    public long sl2vl(int endport) {
        return sourceRows.row(endport);
    }

    @Override
    public int pathSl(int srcLid, int dstLid, int wanted) {
        int sls = masks.sls(subnet.switchOfLid(srcLid), subnet.switchOfLid(dstLid));
        return sls == 0 ? -1 : Integer.numberOfTrailingZeros(sls);
    }

    @Override
    public int slMask(int srcSw, int dstSw) {
        return masks.sls(srcSw, dstSw);
    }

    @Override
    public PortRole role(int sw, int portNum) {
        return PortRole.OTHER;
    }

    @Override
    public boolean deadlockFree() {
        return deadlockFree;
    }

    @Override
    public Optional<MulticastTree> multicastTree() {
        return tree;
    }

    @Override
    public int[] multicastRoots() {
        return roots;
    }

    /** SL 0 and 8. */
    @Override
    public int multicastSls() {
        return 0x101;
    }

    @Override
    public List<Finding> findings() {
        return List.of();
    }
}
