package io.torussm.perf;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The reading of one port, one attribute after the other. An instance is reused for other ports. Owner thread: the
 * loop.
 */
final class PortPoll {
    private final PortReading reading = new PortReading();
    private final PortReading countersToClear = new PortReading();
    private @Nullable Agent agent;
    private Agent.@Nullable Port port;
    private int generation;
    private int nextQuery;
    private boolean isOpen;
    private long answerNs;

    /** Begins to read a port of an agent. */
    PortPoll begin(Agent newAgent, Agent.Port newPort) {
        agent = newAgent;
        port = newPort;
        generation = newAgent.generation();
        nextQuery = 0;
        isOpen = true;
        reading.clear();
        return this;
    }

    /** Sets the arrival time of an answer, by the clock of the loop. */
    void setAnswerNs(long newAtNs) {
        answerNs = newAtNs;
    }

    long answerNs() {
        return answerNs;
    }

    /** Ends the reading; returns false if it has already ended. */
    boolean close() {
        boolean wasOpen = isOpen;
        isOpen = false;
        return wasOpen;
    }

    Agent agent() {
        return Objects.requireNonNull(agent);
    }

    Agent.Port port() {
        return Objects.requireNonNull(port);
    }

    /** Checks whether the agent was removed or has another address since the begin, so that answers are invalid. */
    boolean isStale() {
        return generation != agent().generation();
    }

    /** Returns the next attribute to read; null if all necessary ones were read. */
    @Nullable
    CounterQuery next(boolean readsDetails) {
        AgentCapability can = capability();
        CounterQuery[] all = CounterQuery.values();
        while (nextQuery < all.length) {
            CounterQuery query = all[nextQuery++];
            if (query.isWanted(can, readsDetails)) {
                return query;
            }
        }
        return null;
    }

    AgentCapability capability() {
        return Objects.requireNonNull(agent().capability());
    }

    PortReading reading() {
        return reading;
    }

    /** Returns the counters to be cleared. */
    PortReading countersToClear() {
        return countersToClear;
    }
}
