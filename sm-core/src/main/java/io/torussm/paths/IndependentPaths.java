package io.torussm.paths;

import io.torussm.fabric.Fabric;
import io.torussm.mad.sa.PathRecord;
import io.torussm.routing.Plan;
import io.torussm.sa.query.RecordTable;
import io.torussm.sa.query.ViewIndex;
import java.util.BitSet;
import java.util.stream.IntStream;

/** The selection of paths without a common cable, so that the loss of a cable breaks at most one path. */
final class IndependentPaths {
    private IndependentPaths() {}

    /**
     * Removes PathRecords so that the others have no common cable. A greedy search starts with each record in turn, and
     * adds the independent records in the order of the table. The largest of the sets remains, the first of several.
     *
     * @param wanted max number of remaining paths
     */
    static void retainIndependent(ViewIndex index, RecordTable records, int wanted) {
        int count = records.count();
        BitSet[] compatible = compatible(index, records);
        BitSet best = new BitSet();
        for (int first = 0; first < count && best.cardinality() < wanted; first++) {
            BitSet independent = new BitSet(count);
            independent.set(first);
            BitSet candidates = (BitSet) compatible[first].clone();
            for (int next = candidates.nextSetBit(0); next >= 0; next = candidates.nextSetBit(next + 1)) {
                independent.set(next);
                candidates.and(compatible[next]);
            }
            best = independent.cardinality() > best.cardinality() ? independent : best;
        }
        while (best.cardinality() > wanted) {
            best.clear(best.length() - 1);
        }
        records.retain(best);
    }

    /** Returns for each record, by its number, the set of records without a common cable. */
    private static BitSet[] compatible(ViewIndex index, RecordTable records) {
        int count = records.count();
        int[][] cables = new int[count][];
        BitSet[] compatible = new BitSet[count];
        for (int i = 0; i < count; i++) {
            int at = i * PathRecord.TYPE.layout().size();
            int source = index.subnet().portOfLid((int) PathRecord.SLID.get(records.bytes(), at));
            cables[i] = cables(index, source, (int) PathRecord.DLID.get(records.bytes(), at));
            compatible[i] = new BitSet(count);
            for (int j = 0; j < i; j++) {
                if (areDisjoint(cables[i], cables[j])) {
                    compatible[i].set(j);
                    compatible[j].set(i);
                }
            }
        }
        return compatible;
    }

    /** Returns the cables of an existing path, each as the lower port index of its ends, ascending. */
    private static int[] cables(ViewIndex index, int source, int dlid) {
        Fabric fabric = index.fabric();
        Plan plan = index.view().plan();
        int destination = index.subnet().portOfLid(dlid);
        IntStream.Builder cables = IntStream.builder();
        int port = source;
        while (port != destination) {
            int node = fabric.nodeOf(port);
            int egress = fabric.isSwitch(node) ? fabric.port(node, plan.lft(node)[dlid] & 0xff) : port;
            if (egress == destination) {
                break;
            }
            port = fabric.peer(egress);
            cables.add(Math.min(port, egress));
        }
        return cables.build().sorted().toArray();
    }

    /** Checks whether two ascending arrays have no common element. */
    private static boolean areDisjoint(int[] a, int[] b) {
        int i = 0;
        int j = 0;
        while (i < a.length && j < b.length) {
            if (a[i] == b[j]) {
                return false;
            }
            if (a[i] < b[j]) {
                i++;
            } else {
                j++;
            }
        }
        return true;
    }
}
