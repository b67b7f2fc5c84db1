package io.torussm.tree;

import io.torussm.fabric.Fabric;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The corrections of wrong cables: each is matched with cables that are missing. Two wrong cables may be
 * exchanged, or one end of a wrong cable belongs to the port of a missing cable. Used once.
 */
final class CableMoves {
    private final Fabric fabric;
    /** The cables that are certainly wrong. */
    private final List<TreeFault> wrongCables;
    /** Cables that are wrong only if an exchange with another cable corrects both. */
    private final List<TreeFault> suspects;

    /** The missing cables for which no wrong cable was found yet. */
    private final List<MissingCable> missingCables;

    /**
     * Collects the faults and the missing cables of a tree.
     *
     * @param suspects cables that are wrong only if an exchange with another cable corrects both
     */
    CableMoves(Fabric fabric, List<TreeFault> faults, List<TreeFault> suspects, List<MissingCable> missing) {
        this.fabric = fabric;
        this.wrongCables = faults;
        this.suspects = suspects;
        this.missingCables = new ArrayList<>(missing);
    }

    /**
     * Returns the wrong cables, each with its proposed correction, or {@link TreeFault.Move#NONE} without one. A
     * suspect is included only with a correction.
     */
    List<TreeFault> withCorrections() {
        TreeFault[] faults =
                Stream.concat(wrongCables.stream(), suspects.stream()).toArray(TreeFault[]::new);
        for (int i = 0; i < faults.length; i++) {
            for (int j = i + 1; j < faults.length && isUnknown(faults[i]); j++) {
                if (isUnknown(faults[j])) {
                    exchange(faults, i, j);
                }
            }
        }
        for (int i = 0; i < wrongCables.size(); i++) {
            if (isUnknown(faults[i])) {
                faults[i] = withMove(faults[i]);
            }
        }
        return IntStream.range(0, faults.length)
                .filter(i -> i < wrongCables.size() || !isUnknown(faults[i]))
                .mapToObj(i -> faults[i])
                .toList();
    }

    private static boolean isUnknown(TreeFault fault) {
        return fault.move().equals(TreeFault.Move.NONE);
    }

    /**
     * Sets the corrections of two faults if an exchange of one end of each gives two missing cables. Both possible
     * exchanges are tried.
     */
    private void exchange(TreeFault[] faults, int i, int j) {
        TreeFault first = faults[i];
        TreeFault second = faults[j];
        if (removeMissing(first.port(), second.port(), first.far(), second.far())) {
            faults[i] = with(first, first.port(), second.port(), second.port());
            faults[j] = with(second, second.far(), first.far(), first.port());
        } else if (removeMissing(first.port(), second.far(), first.far(), second.port())) {
            faults[i] = with(first, first.port(), second.far(), second.port());
            faults[j] = with(second, second.port(), first.far(), first.port());
        }
    }

    /**
     * Removes two cables from {@code missingCables}: one between the switches of ports {@code a} and {@code b}, and one
     * between those of {@code c} and {@code d}. If either is not missing, changes nothing and returns false.
     */
    private boolean removeMissing(int a, int b, int c, int d) {
        Optional<MissingCable> first = missing(a, b);
        first.ifPresent(missingCables::remove);
        Optional<MissingCable> second = first.isPresent() ? missing(c, d) : Optional.empty();
        second.ifPresentOrElse(missingCables::remove, () -> first.ifPresent(missingCables::add));
        return second.isPresent();
    }

    private Optional<MissingCable> missing(int a, int b) {
        return missingCables.stream()
                .filter(cable -> cable.joins(fabric.nodeOf(a), fabric.nodeOf(b)))
                .findFirst();
    }

    private TreeFault with(TreeFault fault, int end, int to, int exchanged) {
        return with(fault, new TreeFault.Move(end, to, fabric.nodeOf(to), exchanged));
    }

    private static TreeFault with(TreeFault fault, TreeFault.Move move) {
        return new TreeFault(
                fault.kind(), fault.sw(), fault.port(), fault.far(), fault.targetSwitch(), move, fault.count());
    }

    /**
     * Returns the fault with a move of one end to a missing cable. The other end, which stays, is at a switch that
     * lacks a cable, preferably at the port that lacks it. Without such a missing cable, returns the fault
     * unchanged.
     */
    private TreeFault withMove(TreeFault fault) {
        return missingCables.stream()
                .filter(cable -> cable.targetSwitch() != Fabric.NONE)
                .filter(cable -> cable.port() == fault.port() || cable.port() == fault.far())
                .findFirst()
                .or(() -> missingCables.stream()
                        .filter(cable -> cable.targetSwitch() != Fabric.NONE)
                        .filter(cable -> cable.sw() == fault.sw() || cable.sw() == fabric.nodeOf(fault.far()))
                        .findFirst())
                .map(cable -> {
                    missingCables.remove(cable);
                    int end = cable.sw() == fault.sw() ? fault.port() : fault.far();
                    return with(fault, new TreeFault.Move(end, cable.far(), cable.targetSwitch(), Fabric.NONE));
                })
                .orElse(fault);
    }
}
