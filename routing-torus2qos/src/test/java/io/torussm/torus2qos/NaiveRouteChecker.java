package io.torussm.torus2qos;

import io.torussm.torus2qos.NaiveGraph.Channel;
import io.torussm.torus2qos.conf.Balance;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The verdict whether a damaged torus can be routed by the rules of torus-2QoS, found by following every
 * packet. It takes coordinates from the cabling, regards every present switch as placed, and shares no code
 * with the engine.
 *
 * <p>Parallel cables are one channel here. So it may find a credit loop that the distribution of destinations
 * over the cables happens to leave open; it never misses one.
 */
final class NaiveRouteChecker {
    static final int NO_WAY = -1;

    /** The outcome for packets. */
    enum Verdict {
        ROUTABLE_SAFE,
        UNROUTABLE,
        CREDIT_LOOP
    }

    private final DamagedTorus torus;
    private final int dataVls;
    private final int[][] at;
    private final int[][] neighbour;
    private final int[][] nextGroup;
    private final NaiveGraph graph = new NaiveGraph();
    private String reason = "";
    private final Verdict verdict;

    /**
     * Judges.
     *
     * @param dataVls VLs on links between switches: 2, 4 or 8
     */
    NaiveRouteChecker(DamagedTorus torus, int dataVls) {
        this.torus = torus;
        this.dataVls = dataVls;
        int count = torus.torus.count();
        at = new int[count][];
        neighbour = new int[count][DamagedTorus.LOCAL];
        for (int sw = 0; sw < count; sw++) {
            at[sw] = torus.torus.at(sw);
            for (int group = 0; group < DamagedTorus.LOCAL; group++) {
                neighbour[sw][group] = torus.neighbour(sw, group);
            }
        }
        nextGroup = new int[count][count];
        for (int[] row : nextGroup) {
            Arrays.fill(row, NO_WAY);
        }
        for (int from : torus.switches()) {
            for (int to : torus.switches()) {
                nextGroup[from][to] = findNextGroup(from, to);
            }
        }
        verdict = check();
    }

    Verdict verdict() {
        return verdict;
    }

    /** Returns a pair without a way, or the credit loop; empty if there is neither. */
    String reason() {
        return reason;
    }

    /** Returns the side by which packets leave a switch for another one, {@link #NO_WAY} if there is none. */
    int nextGroup(int from, int to) {
        return nextGroup[from][to];
    }

    private Verdict check() {
        for (int from : torus.switches()) {
            for (int to : torus.switches()) {
                if (from != to && !follow(from, to)) {
                    return Verdict.UNROUTABLE;
                }
            }
        }
        List<Channel> cycle = graph.cycle();
        if (cycle.isEmpty()) {
            return Verdict.ROUTABLE_SAFE;
        }
        StringBuilder text = new StringBuilder();
        for (Channel channel : cycle) {
            text.append(torus.name(channel.sw()))
                    .append("xyz".charAt(channel.out() / 2))
                    .append(channel.out() % 2 == 0 ? "- " : "+ ")
                    .append("VL ")
                    .append(channel.vl())
                    .append(", ");
        }
        reason = text.toString();
        return Verdict.CREDIT_LOOP;
    }

    private boolean follow(int from, int to) {
        int sl = sl(torus.torus, from, to);
        Channel held = null;
        int in = DamagedTorus.LOCAL;
        int sw = from;
        for (int hops = 0; sw != to; hops++) {
            int group = nextGroup[sw][to];
            if (group == NO_WAY || hops > at.length) {
                reason = (group == NO_WAY ? "no way from " : "for ever round from ") + torus.name(from) + " to "
                        + torus.name(to) + " at " + torus.name(sw);
                return false;
            }
            Channel channel = new Channel(sw, group, vl(dataVls, in / 2, group / 2, sl));
            if (held != null) {
                graph.add(held, channel);
            }
            held = channel;
            in = group;
            sw = neighbour[sw][group];
        }
        return true;
    }

    /** Returns the SL of a path at the lower level: a bit for each dimension whose dateline the shorter way crosses. */
    static int sl(TestTorus torus, int src, int dst) {
        return sl(torus, src, dst, false);
    }

    /** Returns the SL of a path; {@code areTiesCrossing} if ties may take the path over the dateline. */
    static int sl(TestTorus torus, int src, int dst, boolean areTiesCrossing) {
        int sl = 0;
        for (int d = 0; d < 3; d++) {
            int straight = Math.abs(torus.at(src)[d] - torus.at(dst)[d]);
            boolean isSplit = torus.balance == Balance.TIES && !torus.mesh[d] && 2 * straight == torus.radix[d];
            int lower = Math.min(torus.at(src)[d], torus.at(dst)[d]);
            boolean isOver = areTiesCrossing && !torus.mesh[d] && torus.radix[d] > 2 && 2 * straight == torus.radix[d];
            boolean crosses = isOver || (isSplit ? tieCrosses(torus.radix[d], lower) : 2 * straight > torus.radix[d]);
            sl |= crosses ? 1 << d : 0;
        }
        return sl;
    }

    /** Checks whether a split tie crosses the dateline, by its lower coordinate. */
    private static boolean tieCrosses(int radix, int lower) {
        return switch (radix) {
            case 2, 4 -> false;
            case 6 -> lower == 1;
            case 8 -> lower == 1 || lower == 2;
            default -> lower % 2 == 1;
        };
    }

    /** Returns the VL by which packets leave a placed switch; class 3 is local. */
    static int vl(int dataVls, int inClass, int outClass, int sl) {
        if (outClass == 3) {
            return sl >> 3;
        }
        int vl = sl >> outClass & 1;
        if (dataVls >= 4 && inClass < 3 && inClass > outClass) {
            vl |= 2;
        }
        if (dataVls >= 8) {
            vl |= (sl >> 3) << 2;
        }
        return vl;
    }

    private int findNextGroup(int from, int to) {
        for (int d = 0; d < 3; d++) {
            int group = at[from][d] == at[to][d] ? NO_WAY : hop(d, from, to);
            if (group != NO_WAY) {
                return group;
            }
        }
        return NO_WAY;
    }

    private int hop(int d, int from, int to) {
        int[] turn = at[from].clone();
        turn[d] = at[to][d];
        int turnSwitch = torus.torus.index(turn);
        int preferred = preferred(d, at[from][d], at[to][d]);
        if (torus.isPresent(turnSwitch)) {
            return hasWay(from, preferred, turnSwitch)
                    ? preferred
                    : hasWay(from, preferred ^ 1, turnSwitch) ? preferred ^ 1 : NO_WAY;
        }
        return d < 2 && neighbour[from][preferred] >= 0 ? preferred : NO_WAY;
    }

    private int preferred(int d, int from, int to) {
        int straight = Math.abs(to - from);
        int round = torus.torus.radix[d] - straight;
        boolean up = straight <= round ? to > from : to < from;
        return up ? 2 * d + 1 : 2 * d;
    }

    private boolean hasWay(int from, int group, int to) {
        int sw = from;
        do {
            sw = neighbour[sw][group];
        } while (sw >= 0 && sw != to && sw != from);
        return sw == to;
    }

    /**
     * Checks whether the reference would accept the damage: no line interrupted twice (a mesh's line never
     * inside), and missing switches all adjacent in one column of z.
     */
    boolean isWithinRulesOfReference() {
        return areLinesWhole() && isOneColumnMissing();
    }

    private boolean areLinesWhole() {
        for (int d = 0; d < 3; d++) {
            Set<Integer> begun = new HashSet<>();
            Set<Integer> ended = new HashSet<>();
            for (int sw : torus.switches()) {
                int[] line = at[sw].clone();
                line[d] = 0;
                int number = torus.torus.index(line);
                boolean begins = neighbour[sw][2 * d] < 0;
                boolean ends = neighbour[sw][2 * d + 1] < 0;
                if (torus.torus.radix[d] > 1 && (begins && !begun.add(number) || ends && !ended.add(number))) {
                    return false;
                }
            }
        }
        return true;
    }

    private boolean isOneColumnMissing() {
        List<Integer> missing = new ArrayList<>();
        Set<Integer> columns = new HashSet<>();
        for (int sw = 0; sw < at.length; sw++) {
            if (!torus.isPresent(sw)) {
                missing.add(sw);
                columns.add(torus.torus.index(at[sw][0], at[sw][1], 0));
            }
        }
        boolean oneStandsAlone = missing.stream()
                .anyMatch(sw -> torus.isPresent(torus.adjacentPosition(sw, 4))
                        && torus.isPresent(torus.adjacentPosition(sw, 5)));
        return columns.size() <= 1 && (missing.size() < 2 || !oneStandsAlone);
    }

    /** Switches that are there but have one neighbour at most, which does not tell where they are. */
    List<Integer> cutOffSwitches() {
        return torus.switches().stream()
                .filter(sw ->
                        Arrays.stream(neighbour[sw]).filter(next -> next >= 0).count() < 2)
                .toList();
    }

    /** Switches that are there but on no square of four switches and four links. */
    List<Integer> switchesOnNoSquare() {
        List<Integer> lonely = new ArrayList<>();
        for (int sw : torus.switches()) {
            boolean onSquare = false;
            for (int first = 0; first < DamagedTorus.LOCAL; first++) {
                for (int second = 0; second < DamagedTorus.LOCAL; second++) {
                    onSquare |= first / 2 != second / 2 && isSquare(sw, first, second);
                }
            }
            if (!onSquare) {
                lonely.add(sw);
            }
        }
        return lonely;
    }

    private boolean isSquare(int sw, int first, int second) {
        int one = neighbour[sw][first];
        int other = neighbour[sw][second];
        return one >= 0 && other >= 0 && neighbour[one][second] >= 0 && neighbour[other][first] >= 0;
    }
}
