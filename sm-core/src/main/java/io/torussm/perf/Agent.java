package io.torussm.perf;

import io.torussm.event.DeviceText;
import io.torussm.transport.MadAddress;
import org.jspecify.annotations.Nullable;

/**
 * The agent of the counters of a switch, or of one port of a host or router, and the state of its reading.
 * Owner thread: the loop.
 */
final class Agent {
    private static final int MAX_DOUBLINGS = 20;

    /**
     * A port to read.
     *
     * @param index port index in the fabric
     * @param link null if it has none, or its capacity is unknown
     */
    record Port(int index, int portNum, @Nullable LinkCapacity link) {}

    /**
     * The address and the ports of an agent.
     *
     * @param counters counters of the device
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

    /** Takes a new address or new ports. */
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

    /** Marks it as gone: outstanding answers are discarded. */
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

    /** Returns the number of its ports. */
    int ports() {
        return place.ports().length;
    }

    /** Returns a number that changes when outstanding answers become invalid. */
    int generation() {
        return generation;
    }

    /** Returns its capabilities; null until it was asked. */
    @Nullable
    AgentCapability capability() {
        return capability;
    }

    void can(AgentCapability newer) {
        capability = newer;
    }

    /** Begins a turn; returns whether there is a port to read in it. */
    boolean begin(long nowNs) {
        next = 0;
        hasFailed = false;
        isInTurn = busy == 0 && nowNs >= notBeforeNs && place.ports().length > 0;
        return isInTurn;
    }

    /** Checks whether a further request may be sent now; a single one determines the capabilities first. */
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

    /** Notes that a port is finished. */
    void landed() {
        busy--;
    }

    /** Returns true once in a turn, when no request is left or outstanding. */
    boolean ends() {
        boolean ends = isInTurn && busy == 0 && !isUnfinished();
        isInTurn = isInTurn && !ends;
        return ends;
    }

    /** Aborts the turn. */
    void leaveTurn() {
        isInTurn = false;
        isQueued = false;
    }

    /** Sets whether it waits in the queue; returns the previous value. */
    boolean queue(boolean newer) {
        boolean before = isQueued;
        isQueued = newer;
        return before;
    }

    /**
     * Notes that it does not answer, or rejects requests. It pauses, longer each time.
     *
     * @param intervalNs time between two turns
     * @param longestNs longest pause
     */
    void failed(long nowNs, long intervalNs, long longestNs) {
        if (!hasFailed) {
            hasFailed = true;
            failures++;
            long pauseNs =
                    Math.min(intervalNs << Math.min(failures - 1, MAX_DOUBLINGS), Math.max(intervalNs, longestNs));
            notBeforeNs = nowNs + pauseNs - intervalNs / 2; // a tolerance for the beginning of turns
            capability = null;
        }
    }

    boolean hasFailed() {
        return hasFailed;
    }

    /** Notes that all ports of a turn were read. */
    void succeeded() {
        failures = 0;
    }

    /** Returns the number of consecutive turns in which it failed. */
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
