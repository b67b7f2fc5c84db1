package io.torussm.perf;

import io.torussm.event.DeviceText;
import io.torussm.transport.MadAddress;
import org.jspecify.annotations.Nullable;

/**
 * The performance management agent of a switch, or of one port of a host or router, and the state of its reading. In
 * each turn all ports of the agent are read once. Owner thread: the loop.
 */
final class Agent {
    /** Max number of doublings of a pause, so that the shift does not overflow. */
    private static final int MAX_DOUBLINGS = 20;

    /**
     * A port to read.
     *
     * @param index port index in the fabric
     * @param portNum port number
     * @param link capacity of the link; null if there is no link, or its capacity is unknown
     */
    record Port(int index, int portNum, @Nullable LinkCapacity link) {}

    /**
     * The address and the ports of an agent.
     *
     * @param address address of the agent
     * @param name name of the device or port in events
     * @param ports ports to read
     * @param counters counters of the device
     */
    record Place(MadAddress address, DeviceText name, Port[] ports, DeviceCounters counters) {}

    private Place place;

    /** Null before ClassPortInfo is read, and after a failure. */
    private @Nullable AgentCapability capability;

    /** Changes when pending answers become invalid. */
    private int generation;

    /** Index of the next port to read in this turn. */
    private int nextPort;

    /** Number of ports that are being read. */
    private int portsInProgress;

    private boolean isQueued;
    private boolean isInTurn;

    /** Set if a request of this turn failed. */
    private boolean hasFailed;

    private boolean isRemoved;

    /** Number of consecutive turns with a failure. */
    private int failures;

    /** Time before which no turn begins, by the clock of the loop. */
    private long notBeforeNs;

    /** Set while the agent is reported as silent. */
    private boolean isReported;

    Agent(Place place) {
        this.place = place;
    }

    /** Sets the address and the ports of a new subnet. */
    void move(Place newPlace) {
        boolean hasMoved = !newPlace.address().equals(place.address());
        if (hasMoved) {
            capability = null;
        }
        if (hasMoved || newPlace.counters() != place.counters()) {
            generation++;
        }
        place = newPlace;
        nextPort = Math.min(nextPort, newPlace.ports().length);
    }

    /** Marks this agent as no longer in the subnet: pending answers are discarded. */
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

    /** Returns the number of ports to read. */
    int ports() {
        return place.ports().length;
    }

    /** Returns a number that changes when pending answers become invalid. */
    int generation() {
        return generation;
    }

    /** Returns the capabilities; null before ClassPortInfo is read, and after a failure. */
    @Nullable
    AgentCapability capability() {
        return capability;
    }

    void setCapability(AgentCapability newCapability) {
        capability = newCapability;
    }

    /** Begins a turn; returns whether there is a port to read in it. */
    boolean begin(long nowNs) {
        nextPort = 0;
        hasFailed = false;
        isInTurn = portsInProgress == 0 && nowNs >= notBeforeNs && place.ports().length > 0;
        return isInTurn;
    }

    /**
     * Checks whether another port may be read now. If the capabilities are unknown, a single port is read first.
     *
     * @param window max number of ports of this agent that are read simultaneously
     */
    boolean hasNext(int window) {
        return isUnfinished() && portsInProgress < (capability == null ? 1 : window);
    }

    private boolean isUnfinished() {
        return !hasFailed && !isRemoved && nextPort < place.ports().length;
    }

    Port takeNext() {
        portsInProgress++;
        return place.ports()[nextPort++];
    }

    /** Notes the end of the reading of a port. */
    void onReadingEnd() {
        portsInProgress--;
    }

    /** Ends the turn if no port is left or being read; returns true once in a turn. */
    boolean endTurnIfDone() {
        boolean ends = isInTurn && portsInProgress == 0 && !isUnfinished();
        isInTurn = isInTurn && !ends;
        return ends;
    }

    /** Aborts the turn. */
    void leaveTurn() {
        isInTurn = false;
        isQueued = false;
    }

    /** Sets whether this agent waits in the queue; returns the previous value. */
    boolean setQueued(boolean newValue) {
        boolean previousValue = isQueued;
        isQueued = newValue;
        return previousValue;
    }

    /**
     * Notes that the agent does not answer, or rejects requests. It is not read for a pause, which doubles with each
     * consecutive turn that fails.
     *
     * @param intervalNs time from one turn to the next, which is also the shortest pause
     * @param longestNs longest pause, unless the interval is longer
     */
    void onFailure(long nowNs, long intervalNs, long longestNs) {
        if (!hasFailed) {
            hasFailed = true;
            failures++;
            long pauseNs =
                    Math.min(intervalNs << Math.min(failures - 1, MAX_DOUBLINGS), Math.max(intervalNs, longestNs));
            notBeforeNs = nowNs + pauseNs - intervalNs / 2; // A turn may begin up to half an interval early.
            capability = null;
        }
    }

    boolean hasFailed() {
        return hasFailed;
    }

    /** Notes that all ports were read in this turn. */
    void onSuccess() {
        failures = 0;
    }

    /** Returns the number of consecutive turns with a failure. */
    int failures() {
        return failures;
    }

    boolean isReported() {
        return isReported;
    }

    void setReported(boolean isSilent) {
        isReported = isSilent;
    }
}
