package io.torussm.daemon.journal;

import io.torussm.event.EventField;
import io.torussm.event.LogSubject;
import io.torussm.event.SmEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The ports of flapping links. Lines about single losses and returns of such a link wait from
 * {@link SmEvent#LINK_FLAPPING} to {@link SmEvent#LINK_QUIET}. Not thread-safe.
 */
final class FlappingPorts {
    /**
     * Maximum time without another report after which lines no longer wait. A link that flaps is reported more often.
     */
    static final long MAX_HOLD_MS = TimeUnit.MINUTES.toMillis(15);

    private static final int MAX_PORTS = 1 << 12;
    private static final Set<String> LOSSES = Set.of(SmEvent.CABLE_LOST.code(), SmEvent.HOST_GONE.code());
    private static final Set<String> RETURNS = Set.of(SmEvent.CABLE_BACK.code(), SmEvent.HOST_BACK.code());

    /** Time of the last report of each port, in ms, the earliest first. */
    private final Map<String, Long> reportedMs = new LinkedHashMap<>();

    /** Subjects of the lines that wait, by port. */
    private final Map<String, Set<LineKey>> held = new HashMap<>();

    /** The ports whose links are lost according to the last line about them; bounded, the earliest first. */
    private final Set<String> shownLost = new LinkedHashSet<>();

    /** True if a port is no longer in {@link #reportedMs} whose lines may still wait. */
    private boolean isAnyOver;

    /** Handles an event that may begin or end the waiting. */
    void happened(Journal.Entry event, long nowMs) {
        String port = LogSubject.device(event.fields());
        boolean hasPort = event.fields().containsKey(EventField.PORT.key());
        if (event.code().equals(SmEvent.LINK_QUIET.code())) {
            isAnyOver |= reportedMs.remove(port) != null;
        } else if (event.code().equals(SmEvent.LINK_FLAPPING.code()) && hasPort) {
            reportedMs.remove(port);
            reportedMs.put(port, nowMs);
            isAnyOver |= limit(reportedMs.keySet());
        } else if (event.code().equals(SmEvent.MASTERSHIP_CHANGED.code())) {
            clear(); // after a mastership no report ends the flapping
        }
    }

    /** Removes the first port if there are too many; returns whether it did. */
    private static boolean limit(Set<String> ports) {
        boolean isTooMany = ports.size() > MAX_PORTS;
        if (isTooMany) {
            Iterator<String> first = ports.iterator();
            first.next();
            first.remove();
        }
        return isTooMany;
    }

    /** Checks whether a line is about a loss or return of a flapping link. */
    boolean isFlapping(WaitingLine line, long nowMs) {
        Long reported = isChange(line) ? reportedMs.get(line.device()) : null;
        return reported != null && nowMs - reported < MAX_HOLD_MS;
    }

    /** Adds a line that waits until its link is quiet. */
    void hold(LineKey key, WaitingLine line) {
        held.computeIfAbsent(line.device(), port -> new LinkedHashSet<>()).add(key);
    }

    /** Removes and returns the subjects that waited for a link that is quiet, or was not reported for long. */
    List<LineKey> released(long nowMs) {
        if (!reportedMs.isEmpty() && nowMs - reportedMs.values().iterator().next() >= MAX_HOLD_MS) {
            isAnyOver |= reportedMs.values().removeIf(reported -> nowMs - reported >= MAX_HOLD_MS);
        }
        List<LineKey> released = isAnyOver ? remove(reportedMs.keySet()) : List.of();
        isAnyOver = false;
        return released;
    }

    /** Ends all waiting. */
    void clear() {
        reportedMs.clear();
        isAnyOver = true;
    }

    private List<LineKey> remove(Set<String> flapping) {
        List<LineKey> released = new ArrayList<>();
        held.entrySet().removeIf(lines -> {
            boolean isOver = !flapping.contains(lines.getKey());
            if (isOver) {
                released.addAll(lines.getValue());
            }
            return isOver;
        });
        return released;
    }

    /** Returns the subjects of lines that wait for the link of a port. */
    Set<LineKey> held(String port) {
        return held.getOrDefault(port, Set.of());
    }

    /** Checks whether a line reports that a link flaps, or no longer flaps. */
    static boolean isReport(WaitingLine line) {
        return line.code().equals(SmEvent.LINK_FLAPPING.code()) || line.code().equals(SmEvent.LINK_QUIET.code());
    }

    /** Checks whether a line is about a loss or return of a link. */
    static boolean isChange(WaitingLine line) {
        return LOSSES.contains(line.code()) || RETURNS.contains(line.code());
    }

    /** Returns a colon, the port of a link and its state by a change; empty if the change names no port. */
    static String state(WaitingLine change) {
        return change.name().isEmpty()
                ? ""
                : ": " + change.name() + ", now " + (LOSSES.contains(change.code()) ? "down" : "up");
    }

    /** Notes a line that leaves. */
    void left(WaitingLine line) {
        if (LOSSES.contains(line.code())) {
            shownLost.add(line.device());
            limit(shownLost);
        } else if (RETURNS.contains(line.code())) {
            shownLost.remove(line.device());
        }
    }

    /** Checks whether a line about a link reports another state than the last line about it. */
    boolean isNews(WaitingLine line) {
        return isChange(line) && shownLost.contains(line.device()) != LOSSES.contains(line.code());
    }
}
