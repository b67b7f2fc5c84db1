package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.journal.Journal;
import io.torussm.daemon.journal.LinePace;
import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;

/**
 * Cables that flap, with the events of the sweeps that find them and of the inventory, and a reader of the lines of the
 * log. Lines about cables are true when they are printed, and lines that compare or count agree with the lines before.
 */
final class FlappingFabric {
    private static final int CABLES = 4;

    /** Begin of the GUIDs of cables. */
    static final String CABLE = "0xc";

    private static final Pattern LINKS = Pattern.compile("(\\d+) links");
    private static final Pattern MISSING =
            Pattern.compile("(\\d+) (?:links? flaps?|older changes? ha(?:s|ve) no line yet)");
    private static final Pattern NOT_SINGLY = Pattern.compile("not logged[^)]* (?:lost|back) ");

    private final Random random;
    private final boolean[] isUp = new boolean[CABLES];

    /** The same by the last events. */
    private final boolean[] isHeld = new boolean[CABLES];

    /** The cables with a report of flapping that has not ended. */
    private final boolean[] isFlapping = new boolean[CABLES];

    /** The cables that are up by the last events. */
    private final boolean[] isReportedUp = new boolean[CABLES];

    /** Numbers of the last events of the cables, and of the last events that the reader has seen. */
    private final long[] happened = new long[CABLES];

    private final long[] read = new long[CABLES];

    /** Numbers of the first events of the cables after those that the reader has seen; 0 if it has seen all. */
    private final long[] unread = new long[CABLES];

    private final boolean[] isReadUp = new boolean[CABLES];

    /** Number of the last event of each kind of summary. */
    private long lastComparison;

    /** Time of the first comparison that the reader has not seen, in ms; -1 if it has seen all. */
    private long unreadMs = -1;

    private long lastSummary;
    private boolean differs;
    private long events;
    private boolean isCableRead;
    private boolean isSweepRead;
    private boolean isEnding;

    /**
     * An event of a sweep.
     *
     * @param guid of a switch; empty if it is about the whole fabric
     */
    record SweepEvent(SmEvent event, String guid, String text) {}

    /** True if no other changes have lines. */
    private final boolean isAlone;

    FlappingFabric(Random random, boolean isAlone) {
        this.random = random;
        this.isAlone = isAlone;
        Arrays.fill(isUp, true);
        Arrays.fill(isReportedUp, true);
        Arrays.fill(isReadUp, true);
    }

    /** Changes some cables, and returns the events of the sweep that finds it. */
    List<SweepEvent> sweep() {
        List<SweepEvent> found = new ArrayList<>();
        for (int cable = 0; cable < CABLES; cable++) {
            if (random.nextInt(2 + cable) > 0) {
                continue;
            }
            isUp[cable] = !isUp[cable];
            found.add(new SweepEvent(
                    isUp[cable] ? SmEvent.CABLE_BACK : SmEvent.CABLE_LOST, CABLE + cable, "cable " + cable));
        }
        report(found);
        if (differs == (links() == CABLES)) {
            found.add(new SweepEvent(
                    differs ? SmEvent.INVENTORY_AGREES : SmEvent.INVENTORY_DIFFERS,
                    "",
                    differs ? "matches" : CABLES - links() + " differences"));
        }
        found.add(new SweepEvent(SmEvent.SUBNET_UP, "", links() + " links"));
        isCableRead = false;
        isSweepRead = false;
        return found;
    }

    /** Begins or ends a report of flapping, at any place among the events. */
    private void report(List<SweepEvent> found) {
        int cable = random.nextInt(3 * CABLES);
        if (cable < CABLES) {
            SmEvent event = isFlapping[cable] ? SmEvent.LINK_QUIET : SmEvent.LINK_FLAPPING;
            isFlapping[cable] = !isFlapping[cable];
            found.add(random.nextInt(found.size() + 1), new SweepEvent(event, CABLE + cable, "report " + cable));
        }
    }

    private int links() {
        int links = 0;
        for (boolean up : isUp) {
            links += up ? 1 : 0;
        }
        return links;
    }

    /** Counts an event before its line can be printed. */
    void countEvent(SweepEvent event, long nowMs) {
        events++;
        if (event.event() == SmEvent.LINK_FLAPPING || event.event() == SmEvent.LINK_QUIET) {
            isHeld[cable(event.guid())] = event.event() == SmEvent.LINK_FLAPPING;
        } else if (!event.guid().isEmpty()) {
            int cable = cable(event.guid());
            happened[cable] = events;
            unread[cable] = unread[cable] == 0 ? events : unread[cable];
            isReportedUp[cable] = event.event() == SmEvent.CABLE_BACK;
        } else if (event.event() == SmEvent.SUBNET_UP) {
            lastSummary = events;
        } else {
            lastComparison = events;
            unreadMs = unreadMs < 0 ? nowMs : unreadMs;
            differs = event.event() == SmEvent.INVENTORY_DIFFERS;
        }
    }

    private static int cable(String guid) {
        return Integer.parseInt(guid.substring(CABLE.length()));
    }

    /** Checks that the summary of a sweep followed immediately if a line about one of its cables was printed. */
    void endSweep() {
        assertThat(isSweepRead || !isCableRead).as("a summary at once").isTrue();
    }

    /** Checks, after due lines left between two sweeps, that no comparison waits for more than a pause. */
    void checkWait(long nowMs) {
        assertThat(unreadMs < 0 || nowMs - unreadMs < LinePace.PAUSE_MS)
                .as("a comparison waits for at most 10 s")
                .isTrue();
    }

    /** Announces that all lines leave, due or not. */
    void end() {
        isEnding = true;
    }

    /** Reads a line when it is printed. */
    void read(Journal.Entry line) {
        switch (line.code()) {
            case "TSM-4010", "TSM-4011" -> readCable(line);
            case "TSM-4114" -> readQuiet(line);
            case "TSM-6041", "TSM-6042" -> readComparison(line);
            case "TSM-6001" -> readSweep(line);
            default -> {}
        }
    }

    private void readCable(Journal.Entry line) {
        int cable = cable(line.fields().get(EventField.GUID.key()));
        assertThat(isHeld[cable] && !isEnding).as(line.line()).isFalse();
        isReadUp[cable] = line.code().equals(SmEvent.CABLE_BACK.code());
        isCableRead = true;
        readAll(cable, line);
    }

    /** Reads the end of a report, which counts the changes if the cable is as the reader has seen it. */
    private void readQuiet(Journal.Entry line) {
        String guid = line.fields().get(EventField.GUID.key());
        if (guid.startsWith(CABLE) && NOT_SINGLY.matcher(line.text()).find()) {
            readAll(cable(guid), line);
        }
    }

    private void readAll(int cable, Journal.Entry line) {
        read[cable] = happened[cable];
        unread[cable] = 0;
        assertThat(isReadUp[cable]).as(line.line()).isEqualTo(isReportedUp[cable]);
    }

    private void readComparison(Journal.Entry line) {
        assertThat(line.code().equals(SmEvent.INVENTORY_DIFFERS.code()))
                .as(line.line())
                .isEqualTo(differs);
        unreadMs = -1;
        boolean isWhole = true;
        for (boolean up : isReportedUp) {
            isWhole &= up;
        }
        assertThat(differs).as(line.line()).isNotEqualTo(isWhole);
        checkMissing(line, unread(lastComparison));
    }

    /** Returns the number of cables with an event before another one that the reader has not seen. */
    private int unread(long before) {
        return (int) Arrays.stream(unread)
                .filter(event -> event > 0 && event < before)
                .count();
    }

    /** Checks and returns the number of older changes that a line counts; those of hosts are among them. */
    private int checkMissing(Journal.Entry line, int cables) {
        int missing = MISSING.matcher(line.text())
                .results()
                .mapToInt(found -> Integer.parseInt(found.group(1)))
                .sum();
        assertThat(isAlone ? missing == cables : missing >= cables)
                .as("%s: %s cables", line.line(), cables)
                .isTrue();
        return missing;
    }

    private void readSweep(Journal.Entry line) {
        isSweepRead = true;
        int missing = checkMissing(line, unread(lastSummary));
        boolean isOvertaken = Arrays.stream(read).anyMatch(event -> event > lastSummary);
        assertThat(isOvertaken && !isEnding).as(line.line()).isFalse();
        if (missing == 0 && !isOvertaken) {
            int up = 0;
            for (boolean isUpForReader : isReadUp) {
                up += isUpForReader ? 1 : 0;
            }
            assertThat(LINKS.matcher(line.text()).results().map(found -> Integer.parseInt(found.group(1))))
                    .as(line.line())
                    .containsExactly(up);
        }
    }
}
