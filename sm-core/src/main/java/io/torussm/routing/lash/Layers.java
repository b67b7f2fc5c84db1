package io.torussm.routing.lash;

import io.torussm.routing.balance.AdditiveRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The lane of each pair of switches, the same in both directions, such that no lane has a credit loop. A pair
 * gets the first lane that stays free of cycles. Then pairs move from the fullest lane to the emptiest lane.
 * Pairs of the active plan keep their lane if possible.
 *
 * <p>Pairs to move are drawn at random, with the numbers of OpenSM's first sweep. So lanes equal OpenSM's, and
 * the same fabric always has the same lanes. Switches are ids of {@link LashGraph}.
 */
final class Layers {
    /** The balancing ends if the fullest and the emptiest lane differ by fewer routes. */
    private static final int MIN_DIFFERENCE = 6;

    private static final int SEED = 1;
    /** The lane of a pair that has none yet. */
    private static final byte UNPLACED = -1;

    private final ShortestRoutes routes;
    private final int size;
    private final int max;
    private final List<Lane> lanes = new ArrayList<>();
    /** By lane: its pairs. */
    private final List<PairSet> pairsOfLane = new ArrayList<>();
    /** By lane: the number of routes, two for each pair. */
    private final int[] counts;
    /** By {@code from * size + to}: the lane. */
    private final byte[] laneOf;

    private boolean isComplete = true;

    /**
     * Assigns the lanes.
     *
     * @param max number of available lanes, 1 to 15
     * @param tree neighbours {@code [id]} in a multicast tree whose turns are in the first lane; without rows for no
     *     tree
     * @param earlier routes and lanes of the active plan; null if all are new
     */
    Layers(ShortestRoutes routes, int max, int[][] tree, @Nullable EarlierPairs earlier) {
        this.routes = routes;
        this.max = max;
        size = routes.size();
        counts = new int[max];
        laneOf = new byte[size * size];
        Arrays.fill(laneOf, UNPLACED);
        addLane();
        insert(tree, lanes.get(0));
        if (earlier != null) {
            keepLanes(earlier, true);
            keepLanes(earlier, false);
        }
        for (int from = 0; isComplete && from < size; from++) {
            laneOf[from * size + from] = 0;
            for (int to = from + 1; isComplete && to < size; to++) {
                if (lane(from, to) == UNPLACED) {
                    place(from, to);
                }
            }
        }
        if (isComplete && lanes.size() > 1 && earlier == null) {
            new Balancing().run();
        }
    }

    /**
     * Assigns the previous lane to pairs that close no cycle in it.
     *
     * @param isWhole true for the pairs with complete routes, false for the others
     */
    private void keepLanes(EarlierPairs earlier, boolean isWhole) {
        for (int from = 0; from < size; from++) {
            for (int to = from + 1; to < size; to++) {
                int lane = earlier.lane(from, to);
                if (lane(from, to) == UNPLACED && earlier.isWhole(from, to) == isWhole && lane < max) {
                    while (lane >= lanes.size()) {
                        addLane();
                    }
                    if (insertIfAcyclic(from, to, lane)) {
                        assignLane(from, to, lane);
                    }
                }
            }
        }
    }

    private void addLane() {
        lanes.add(new Lane(routes));
        pairsOfLane.add(new PairSet(size));
    }

    private void place(int from, int to) {
        int lane = 0;
        while (lane < lanes.size() && !insertIfAcyclic(from, to, lane)) {
            lane++;
        }
        if (lane == max) {
            isComplete = false;
            return;
        } else if (lane == lanes.size()) {
            addLane();
            insertIfAcyclic(from, to, lane);
        }
        assignLane(from, to, lane);
    }

    /** Inserts the routes of a pair, in both directions, in a lane if they close no cycle; otherwise returns false. */
    private boolean insertIfAcyclic(int from, int to, int lane) {
        Lane candidate = lanes.get(lane);
        candidate.insert(from, to);
        candidate.insert(to, from);
        boolean isFree = !candidate.isCyclic();
        if (isFree) {
            candidate.keep(from, to);
            candidate.keep(to, from);
        } else {
            candidate.undo(from, to);
            candidate.undo(to, from);
        }
        return isFree;
    }

    private void assignLane(int from, int to, int lane) {
        counts[lane] += 2;
        pairsOfLane.get(lane).add(from, to);
        laneOf[from * size + to] = (byte) lane;
        laneOf[to * size + from] = (byte) lane;
    }

    private static void insert(int[][] tree, Lane lane) {
        for (int id = 0; id < tree.length; id++) {
            lane.insertTurns(id, tree[id]);
        }
    }

    /**
     * Checks whether the routes in the first lane and packets on all turns of a tree together close no cycle.
     *
     * @param tree neighbours {@code [id]} in the tree
     */
    boolean hasRoomFor(int[][] tree) {
        Lane lane = new Lane(routes);
        insert(tree, lane);
        for (int from = 0; from < size; from++) {
            for (int to = 0; to < size && !lane.isCyclic(); to++) {
                if (from != to && lane(from, to) == 0) {
                    lane.insert(from, to);
                }
            }
        }
        return !lane.isCyclic();
    }

    /** Checks whether the available lanes suffice. If false, the other results are not valid. */
    boolean isComplete() {
        return isComplete;
    }

    /** Returns the number of lanes in use. */
    int count() {
        return lanes.size();
    }

    /** Returns the lane of packets between two switches (ids), 0 to {@code count() - 1}; 0 within a switch. */
    int lane(int from, int to) {
        return laneOf[from * size + to];
    }

    /** The moves of pairs that make the numbers of routes of lanes more equal. */
    private final class Balancing {
        private final AdditiveRandom random = new AdditiveRandom(SEED);
        /** The lane from which pairs move. */
        private int fullestLane;
        /** The lane to which pairs move. */
        private int emptiestLane = lanes.size() - 1;
        /** The remaining number of routes to try before {@code fullestLane} or {@code emptiestLane} changes. */
        private int trials = counts[0];

        void run() {
            boolean isGoingOn = true;
            while (isGoingOn) {
                int from = random.next() % size;
                int to = random.next() % size;
                int pair = pairsOfLane.get(fullestLane).next(from, to);
                if (pair < 0) {
                    return; // All pairs of the lane were tried. OpenSM would search for ever.
                }
                move(pair / size, pair % size);
                isGoingOn = trials > 0 && counts[fullestLane] - counts[emptiestLane] >= MIN_DIFFERENCE;
                if (isGoingOn) {
                    choose();
                }
            }
        }

        private void move(int from, int to) {
            if (insertIfAcyclic(from, to, emptiestLane)) {
                lanes.get(fullestLane).remove(from, to);
                lanes.get(fullestLane).remove(to, from);
                counts[fullestLane] -= 2;
                pairsOfLane.get(fullestLane).remove(from, to);
                assignLane(from, to, emptiestLane);
            } else {
                pairsOfLane.get(fullestLane).setAside(from, to);
                trials -= 2;
            }
        }

        private void choose() {
            int used = lanes.size();
            int emptiest = 0;
            int fullest = 0;
            for (int lane = 1; lane < used; lane++) {
                emptiest = counts[lane] < counts[emptiest] ? lane : emptiest;
                fullest = counts[lane] > counts[fullest] ? lane : fullest;
            }
            if (emptiest != emptiestLane) {
                trials = counts[fullest];
                pairsOfLane.get(fullest).takeBack();
            }
            if (fullest != fullestLane) {
                trials = counts[fullest];
                pairsOfLane.get(fullestLane).takeBack();
            }
            emptiestLane = emptiest;
            fullestLane = fullest;
        }
    }
}
