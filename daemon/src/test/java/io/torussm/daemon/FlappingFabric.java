package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.journal.Journal;
import io.torussm.daemon.journal.LinePace;
import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Cables that flap, with the events of the sweeps that find them and of the inventory, and a reader of the lines of the
 * log. Lines about cables are true when they are printed, and lines that compare or count agree with the lines before.
 * Events are numbered; an event precedes its line, which {@code LinePace} may delay or leave out.
 */
final class FlappingFabric {
    private static final int CABLES = 4;

    /** Begin of the GUIDs of cables. */
    static final String CABLE = "0xc";

    private static final Pattern LINKS = Pattern.compile("(\\d+) links");
    private static final Pattern MISSING =
            Pattern.compile("(\\d+) (?:links? flaps?|older changes? ha(?:s|ve) no line yet)");
    private static final Pattern NOT_SINGLY = Pattern.compile("not logged[^)]* (?:lost|back) ");

    /** A cable: its state, the events about it, and the lines about it that the reader has seen. */
    private static final class Cable {
        /** Whether the cable is up in the fabric, by the last event, and by the last line. */
        private boolean isUp = true;

        private boolean isUpByEvents = true;
        private boolean isUpForReader = true;

        /** Whether a report of flapping has begun and not ended: for the next event, and by the last one. */
        private boolean isFlapping;

        private boolean isFlappingByEvents;

        /** Number of the last event about a loss or a return. */
        private long lastEvent;

        /** Number of the last such event when the reader saw a line about the cable. */
        private long lastReadEvent;

        /** Number of the first such event since then; 0 if there is none. */
        private long firstUnreadEvent;

        void addEvent(long number, boolean isNowUp) {
            lastEvent = number;
            firstUnreadEvent = firstUnreadEvent == 0 ? number : firstUnreadEvent;
            isUpByEvents = isNowUp;
        }

        /** Notes that a line has told the reader all events so far, and checks what the reader believes. */
        void read(Journal.Entry line) {
            lastReadEvent = lastEvent;
            firstUnreadEvent = 0;
            assertThat(isUpForReader).as(line.line()).isEqualTo(isUpByEvents);
        }
    }

    /**
     * An event of a sweep.
     *
     * @param guid of a switch; empty if it is about the whole fabric
     */
    record SweepEvent(SmEvent event, String guid, String text) {}

    private final Random random;

    /** True if no other changes have lines. */
    private final boolean isAlone;

    private final List<Cable> cables = Stream.generate(Cable::new).limit(CABLES).toList();

    private long events;

    /** Numbers of the last comparison with the inventory, and of the last summary of a sweep. */
    private long lastComparison;

    private long lastSummary;

    /** Time of the first comparison that the reader has not seen, in ms; -1 if it has seen all. */
    private long unreadComparisonMs = -1;

    /** Whether the fabric differs from the inventory, by the last event. */
    private boolean differs;

    /** Whether the reader saw a line about a cable, and a summary, since the last sweep. */
    private boolean isCableRead;

    private boolean isSummaryRead;

    /** Whether all lines leave now, due or not. */
    private boolean isEnding;

    FlappingFabric(Random random, boolean isAlone) {
        this.random = random;
        this.isAlone = isAlone;
    }

    /** Changes some cables, and returns the events of the sweep that finds it. */
    List<SweepEvent> sweep() {
        List<SweepEvent> found = new ArrayList<>();
        for (int number = 0; number < CABLES; number++) {
            if (random.nextInt(2 + number) > 0) {
                continue;
            }
            Cable cable = cables.get(number);
            cable.isUp = !cable.isUp;
            found.add(new SweepEvent(
                    cable.isUp ? SmEvent.CABLE_BACK : SmEvent.CABLE_LOST, CABLE + number, "cable " + number));
        }
        addReportOfFlapping(found);
        long links = cables.stream().filter(cable -> cable.isUp).count();
        if (differs == (links == CABLES)) {
            found.add(new SweepEvent(
                    differs ? SmEvent.INVENTORY_AGREES : SmEvent.INVENTORY_DIFFERS,
                    "",
                    differs ? "matches" : CABLES - links + " differences"));
        }
        found.add(new SweepEvent(SmEvent.SUBNET_UP, "", links + " links"));
        isCableRead = false;
        isSummaryRead = false;
        return found;
    }

    /** Begins or ends a report of flapping, at any place among the events. */
    private void addReportOfFlapping(List<SweepEvent> found) {
        int number = random.nextInt(3 * CABLES);
        if (number < CABLES) {
            Cable cable = cables.get(number);
            SmEvent event = cable.isFlapping ? SmEvent.LINK_QUIET : SmEvent.LINK_FLAPPING;
            cable.isFlapping = !cable.isFlapping;
            found.add(random.nextInt(found.size() + 1), new SweepEvent(event, CABLE + number, "report " + number));
        }
    }

    /** Counts an event before its line can be printed. */
    void countEvent(SweepEvent event, long nowMs) {
        events++;
        switch (event.event()) {
            case LINK_FLAPPING -> cable(event.guid()).isFlappingByEvents = true;
            case LINK_QUIET -> cable(event.guid()).isFlappingByEvents = false;
            case CABLE_BACK -> cable(event.guid()).addEvent(events, true);
            case CABLE_LOST -> cable(event.guid()).addEvent(events, false);
            case SUBNET_UP -> lastSummary = events;
            case INVENTORY_AGREES, INVENTORY_DIFFERS -> {
                lastComparison = events;
                unreadComparisonMs = unreadComparisonMs < 0 ? nowMs : unreadComparisonMs;
                differs = event.event() == SmEvent.INVENTORY_DIFFERS;
            }
            default -> throw new IllegalArgumentException(event.toString());
        }
    }

    private Cable cable(String guid) {
        return cables.get(Integer.parseInt(guid.substring(CABLE.length())));
    }

    /** Checks that the summary of a sweep followed immediately if a line about one of its cables was printed. */
    void endSweep() {
        assertThat(isSummaryRead || !isCableRead)
                .as("a summary immediately after the lines of a sweep")
                .isTrue();
    }

    /** Checks, after due lines left between two sweeps, that no comparison waits for more than a pause. */
    void checkWait(long nowMs) {
        assertThat(unreadComparisonMs < 0 || nowMs - unreadComparisonMs < LinePace.PAUSE_MS)
                .as("a comparison waits for at most 10 s")
                .isTrue();
    }

    /** Announces that all lines leave, due or not. */
    void end() {
        isEnding = true;
    }

    /** Reads a line when it is printed. */
    void read(Journal.Entry line) {
        if (isOf(line, SmEvent.CABLE_LOST) || isOf(line, SmEvent.CABLE_BACK)) {
            readCable(line);
        } else if (isOf(line, SmEvent.LINK_QUIET)) {
            readEndOfFlapping(line);
        } else if (isOf(line, SmEvent.INVENTORY_DIFFERS) || isOf(line, SmEvent.INVENTORY_AGREES)) {
            readComparison(line);
        } else if (isOf(line, SmEvent.SUBNET_UP)) {
            readSummary(line);
        }
    }

    private static boolean isOf(Journal.Entry line, SmEvent event) {
        return line.code().equals(event.code());
    }

    /** Reads a line about a cable, which must not have one while a report of its flapping is open. */
    private void readCable(Journal.Entry line) {
        Cable cable = cable(line.fields().get(EventField.GUID.key()));
        assertThat(cable.isFlappingByEvents && !isEnding).as(line.line()).isFalse();
        cable.isUpForReader = isOf(line, SmEvent.CABLE_BACK);
        isCableRead = true;
        cable.read(line);
    }

    /** Reads the end of a report, which counts the changes if the cable is as the reader has seen it. */
    private void readEndOfFlapping(Journal.Entry line) {
        String guid = line.fields().get(EventField.GUID.key());
        if (guid.startsWith(CABLE) && NOT_SINGLY.matcher(line.text()).find()) {
            cable(guid).read(line);
        }
    }

    private void readComparison(Journal.Entry line) {
        assertThat(isOf(line, SmEvent.INVENTORY_DIFFERS)).as(line.line()).isEqualTo(differs);
        unreadComparisonMs = -1;
        assertThat(differs).as(line.line()).isNotEqualTo(cables.stream().allMatch(cable -> cable.isUpByEvents));
        checkMissing(line, unreadCables(lastComparison));
    }

    /** Returns the number of cables with an event before another one that the reader has not seen. */
    private int unreadCables(long before) {
        return (int) cables.stream()
                .filter(cable -> cable.firstUnreadEvent > 0 && cable.firstUnreadEvent < before)
                .count();
    }

    /** Checks and returns the number of older changes that a line counts; those of hosts are among them. */
    private int checkMissing(Journal.Entry line, int unreadCables) {
        int missing = MISSING.matcher(line.text())
                .results()
                .mapToInt(found -> Integer.parseInt(found.group(1)))
                .sum();
        assertThat(isAlone ? missing == unreadCables : missing >= unreadCables)
                .as("%s: %s cables", line.line(), unreadCables)
                .isTrue();
        return missing;
    }

    /** Reads the summary of a sweep: its number of links is that of the lines before, unless a line is missing. */
    private void readSummary(Journal.Entry line) {
        isSummaryRead = true;
        int missing = checkMissing(line, unreadCables(lastSummary));
        boolean isOvertaken = cables.stream().anyMatch(cable -> cable.lastReadEvent > lastSummary);
        assertThat(isOvertaken && !isEnding).as(line.line()).isFalse();
        if (missing == 0 && !isOvertaken) {
            long linksOfLines =
                    cables.stream().filter(cable -> cable.isUpForReader).count();
            assertThat(LINKS.matcher(line.text()).results().map(found -> Long.parseLong(found.group(1))))
                    .as(line.line())
                    .containsExactly(linksOfLines);
        }
    }
}
