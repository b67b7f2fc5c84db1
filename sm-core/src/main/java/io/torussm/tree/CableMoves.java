package io.torussm.tree;

import io.torussm.fabric.Fabric;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** How wrong cables were probably meant, from the cables that are missing. */
final class CableMoves {
    private final Fabric fabric;
    private final List<TreeFault> wrong;
    private final List<TreeFault> suspects;

    /** The missing cables for which no wrong cable was found yet. */
    private final List<MissingCable> missing;

    /**
     * Collects the faults and the missing cables of a tree.
     *
     * @param suspects cables that are wrong only if exchanging one with another cable mends both
     */
    CableMoves(Fabric fabric, List<TreeFault> faults, List<TreeFault> suspects, List<MissingCable> missing) {
        this.fabric = fabric;
        this.wrong = faults;
        this.suspects = suspects;
        this.missing = new ArrayList<>(missing);
    }

    /** Returns the wrong cables with their proposed correction. */
    List<TreeFault> meant() {
        TreeFault[] faults = Stream.concat(wrong.stream(), suspects.stream()).toArray(TreeFault[]::new);
        for (int i = 0; i < faults.length; i++) {
            for (int j = i + 1; j < faults.length && isUnknown(faults[i]); j++) {
                if (isUnknown(faults[j])) {
                    exchange(faults, i, j);
                }
            }
        }
        for (int i = 0; i < wrong.size(); i++) {
            if (isUnknown(faults[i])) {
                faults[i] = moved(faults[i]);
            }
        }
        return IntStream.range(0, faults.length)
                .filter(i -> i < wrong.size() || !isUnknown(faults[i]))
                .mapToObj(i -> faults[i])
                .toList();
    }

    private static boolean isUnknown(TreeFault fault) {
        return fault.move().equals(TreeFault.Move.NONE);
    }

    /** Tries whether two cables would be right with one end of each exchanged. */
    private void exchange(TreeFault[] faults, int i, int j) {
        TreeFault one = faults[i];
        TreeFault other = faults[j];
        if (takes(one.port(), other.port(), one.far(), other.far())) {
            faults[i] = with(one, one.port(), other.port(), other.port());
            faults[j] = with(other, other.far(), one.far(), one.port());
        } else if (takes(one.port(), other.far(), one.far(), other.port())) {
            faults[i] = with(one, one.port(), other.far(), other.port());
            faults[j] = with(other, other.port(), one.far(), one.port());
        }
    }

    /** Takes two missing cables between the switches of two pairs of ports; changes nothing if one is not missing. */
    private boolean takes(int a, int b, int c, int d) {
        Optional<MissingCable> first = missing(a, b);
        first.ifPresent(missing::remove);
        Optional<MissingCable> second = first.isPresent() ? missing(c, d) : Optional.empty();
        second.ifPresentOrElse(missing::remove, () -> first.ifPresent(missing::add));
        return second.isPresent();
    }

    private Optional<MissingCable> missing(int a, int b) {
        return missing.stream()
                .filter(each -> each.joins(fabric.nodeOf(a), fabric.nodeOf(b)))
                .findFirst();
    }

    private TreeFault with(TreeFault fault, int end, int to, int exchanged) {
        return with(fault, new TreeFault.Move(end, to, fabric.nodeOf(to), exchanged));
    }

    private static TreeFault with(TreeFault fault, TreeFault.Move move) {
        return new TreeFault(fault.kind(), fault.sw(), fault.port(), fault.far(), fault.wanted(), move, fault.count());
    }

    /** Returns the fault as a move. The end stays at which a cable is missing, best at that port. */
    private TreeFault moved(TreeFault fault) {
        return missing.stream()
                .filter(each -> each.wanted() != Fabric.NONE)
                .filter(each -> each.port() == fault.port() || each.port() == fault.far())
                .findFirst()
                .or(() -> missing.stream()
                        .filter(each -> each.wanted() != Fabric.NONE)
                        .filter(each -> each.sw() == fault.sw() || each.sw() == fabric.nodeOf(fault.far()))
                        .findFirst())
                .map(each -> {
                    missing.remove(each);
                    int end = each.sw() == fault.sw() ? fault.port() : fault.far();
                    return with(fault, new TreeFault.Move(end, each.far(), each.wanted(), Fabric.NONE));
                })
                .orElse(fault);
    }
}
