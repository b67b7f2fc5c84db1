package io.torussm.perf;

import io.torussm.event.DeviceText;
import io.torussm.transport.MadAddress;
import org.jspecify.annotations.Nullable;

/**
 * What answers for the counters of the ports of a switch, or of one port of a host or router; and how reading them goes.
 * Owner thread: the loop.
 */
final class Agent {
    private static final int MAX_DOUBLINGS = 20;

    /**
     * A port to read.
     *
     * @param index in the fabric
     * @param link null if it has none, or nobody knows what it carries
     */
    record Port(int index, int portNum, @Nullable LinkCapacity link) {}

    /**
     * Where it is and what it answers for.
     *
     * @param counters of the device
     */
    record Place(MadAddress address, DeviceText name, Port[] ports, DeviceCounters counters) {}

    private Place place;
    private @Nullable AgentCapability capability;
    private int generation;

    private int next;
    private int busy;
    private boolean isQueued;
    private boolean isInTurn;
    private boolean hasFailed;
    private boolean isRemoved;

    private int failures;
    private long notBeforeNs;
    private boolean isTold;

    Agent(Place place) {
        this.place = place;
    }

    /** It may be somewhere else now, or answer for other ports. */
    void move(Place newer) {
        boolean isElsewhere = !newer.address().equals(place.address());
        if (isElsewhere) {
            capability = null;
        }
        if (isElsewhere || newer.counters() != place.counters()) {
            generation++;
        }
        place = newer;
        next = Math.min(next, newer.ports().length);
    }

    /** It is gone: what it still answers does not count. */
    void remove() {
        generation++;
        isRemoved = true;
    }

    MadAddress address() {
        return place.address();
    }

    DeviceText name() {
        return place.name();
    }

    DeviceCounters counters() {
        return place.counters();
    }

    /** Ports that it answers for. */
    int ports() {
        return place.ports().length;
    }

    /** Changes when answers to what was asked before must not count any more. */
    int generation() {
        return generation;
    }

    /** Null until it was asked. */
    @Nullable
    AgentCapability capability() {
        return capability;
    }

    void can(AgentCapability newer) {
        capability = newer;
    }

    /** A new turn begins; returns whether there is something to ask in it. */
    boolean begin(long nowNs) {
        next = 0;
        hasFailed = false;
        isInTurn = busy == 0 && nowNs >= notBeforeNs && place.ports().length > 0;
        return isInTurn;
    }

    /** Whether more may be asked now; one request finds out what the agent can. */
    boolean hasNext(int window) {
        return isUnfinished() && busy < (capability == null ? 1 : window);
    }

    private boolean isUnfinished() {
        return !hasFailed && !isRemoved && next < place.ports().length;
    }

    Port takeNext() {
        busy++;
        return place.ports()[next++];
    }

    /** A port is done with. */
    void landed() {
        busy--;
    }

    /** Returns true once in a turn, when there is nothing left to ask or to wait for. */
    boolean ends() {
        boolean ends = isInTurn && busy == 0 && !isUnfinished();
        isInTurn = isInTurn && !ends;
        return ends;
    }

    /** The turn is given up. */
    void leaveTurn() {
        isInTurn = false;
        isQueued = false;
    }

    /** Whether it waits for its turn to be asked; returns what it was. */
    boolean queue(boolean newer) {
        boolean before = isQueued;
        isQueued = newer;
        return before;
    }

    /**
     * It does not answer, or refuses; it is left alone for a while, longer each time.
     *
     * @param intervalNs between two turns
     * @param longestNs pause
     */
    void failed(long nowNs, long intervalNs, long longestNs) {
        if (!hasFailed) {
            hasFailed = true;
            failures++;
            long pauseNs =
                    Math.min(intervalNs << Math.min(failures - 1, MAX_DOUBLINGS), Math.max(intervalNs, longestNs));
            notBeforeNs = nowNs + pauseNs - intervalNs / 2; // turns do not begin to the nanosecond
            capability = null;
        }
    }

    boolean hasFailed() {
        return hasFailed;
    }

    /** All ports of a turn were read. */
    void succeeded() {
        failures = 0;
    }

    /** Turns in a row in which it failed. */
    int failures() {
        return failures;
    }

    boolean isTold() {
        return isTold;
    }

    void tell(boolean isSilent) {
        isTold = isSilent;
    }
}
