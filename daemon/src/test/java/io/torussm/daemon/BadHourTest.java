package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.journal.Journal;
import io.torussm.daemon.journal.LinePace;
import io.torussm.daemon.journal.LogEntries;
import io.torussm.daemon.log.JournalAppender;
import io.torussm.daemon.process.SubnetUpLines;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.sim.SimFabric;
import io.torussm.sim.VirtualLoop;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TopologySpec;
import io.torussm.sim.topology.Topology;
import io.torussm.testing.Seeds;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/**
 * An hour of faults of a fat tree in virtual time: at most one line of the log for each event, beside the summaries of
 * sweeps.
 */
@Timeout(900)
class BadHourTest {
    /** Midnight, as of the virtual clock, since texts have times of it. */
    private static final Instant START = Instant.parse("2026-11-29T00:00:00Z");

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final int FLAPS = 8;
    private static final int MAX_LINES = 200;

    /** The summary of a sweep, which is no event. */
    private static final String SUBNET_UP = SmEvent.SUBNET_UP.code();

    @TempDir
    Path dir;

    private final VirtualLoop loop = new VirtualLoop();
    private final Journal journal = new Journal();
    private final List<String> lines = new ArrayList<>();
    private int eventCount;

    /** Passes each line of the SM to the journal at the time of the virtual clock. */
    private AppenderBase<ILoggingEvent> appender() {
        LinePace pace = JournalAppender.newPace(
                journal,
                line -> lines.add(
                        "%s %-5s %s".formatted(line.getInstant(), line.getLevel(), line.getFormattedMessage())),
                () -> TimeUnit.NANOSECONDS.toMillis(loop.nowNs()),
                () -> START.plusNanos(loop.nowNs()));
        loop.schedule(SECOND, () -> tick(pace));
        return new AppenderBase<>() {
            @Override
            protected void append(ILoggingEvent line) {
                if (line.getLevel().isGreaterOrEqual(Level.INFO)) {
                    pace.take(LogEntries.copy(line, START.plusNanos(loop.nowNs()), line.getFormattedMessage()));
                }
            }
        };
    }

    private void tick(LinePace pace) {
        pace.emitDue();
        loop.schedule(SECOND, () -> tick(pace));
    }

    /** Does something to the fabric at a second of the hour. */
    private void schedule(int second, Runnable act) {
        loop.schedule(second * SECOND, () -> {
            eventCount++;
            act.run();
        });
    }

    private static int[] nodes(Fabric seen, IntPredicate isWanted) {
        return IntStream.range(0, seen.nodeCount()).filter(isWanted).toArray();
    }

    /** Plans the hour: cables, switches and hosts that are lost and come back, and cables that flap. */
    private void scheduleFaults(SimFabric fabric, Fabric seen, long own, int faults) {
        Random random = Seeds.random(1);
        int[] switches = nodes(seen, seen::isSwitch);
        int[] hosts = nodes(seen, node -> !seen.isSwitch(node) && seen.nodeGuid(node) != own);
        for (int fault = 0; fault < faults; fault++) {
            int begin = 3500 * fault / faults;
            int end = begin + 60 + random.nextInt(240);
            int node = switches[random.nextInt(switches.length)];
            long guid = seen.nodeGuid(node);
            int port = portToSwitch(seen, node, random);
            switch (fault % 6) {
                case 1 -> {
                    long host = seen.nodeGuid(hosts[random.nextInt(hosts.length)]);
                    schedule(begin, () -> fabric.interventions().powerOff(host));
                    schedule(end, () -> fabric.interventions().powerOn(host));
                }
                case 3 -> {
                    schedule(begin, () -> fabric.interventions().powerOff(guid));
                    schedule(end, () -> fabric.interventions().powerOn(guid));
                }
                case 5 -> {
                    for (int flap = 0; flap < FLAPS; flap++) {
                        schedule(begin + 3 * flap, () -> fabric.unlink(guid, port));
                        schedule(begin + 3 * flap + 1, () -> fabric.relink(guid, port));
                    }
                }
                default -> {
                    schedule(begin, () -> fabric.unlink(guid, port));
                    schedule(end, () -> fabric.relink(guid, port));
                }
            }
        }
    }

    private static int portToSwitch(Fabric seen, int node, Random random) {
        int[] ports = IntStream.rangeClosed(1, seen.numPorts(node))
                .filter(portNum -> seen.peer(seen.port(node, portNum)) != Fabric.NONE
                        && seen.isSwitch(seen.nodeOf(seen.peer(seen.port(node, portNum)))))
                .toArray();
        return ports[random.nextInt(ports.length)];
    }

    private void runHour(String spec, int faults) throws Exception {
        Logger logger = ((LoggerContext) LoggerFactory.getILoggerFactory()).getLogger("io.torussm");
        Level before = logger.getLevel();
        AppenderBase<ILoggingEvent> appender = appender();
        appender.start();
        logger.setLevel(Level.INFO);
        logger.addAppender(appender);
        try {
            Topology topology = TopologySpec.of(spec).topology();
            SimFabric fabric = new SimFabric(topology, loop, FaultPlan.NONE);
            Topology.Node own = topology.firstHost().orElseThrow();
            FabricSm sm = new FabricSm(
                    loop,
                    fabric,
                    own.id(),
                    8,
                    ServiceHarness.options(
                            dir,
                            Map.of(Settings.SIMULATE, spec, Settings.ROUTING_ENGINE, "ftree", Settings.QOS, "false")));
            SubnetUpLines ups = new SubnetUpLines();
            ups.operatorsCanConnect();
            sm.sweepEndListener = end -> {
                if (end.equals("up")) {
                    ups.subnetUp(sm.lastUp());
                }
            };
            sm.start();
            assertThat(loop.runUntil(sm::isUp, 120 * SECOND)).isTrue();
            loop.runFor(30 * SECOND);
            lines.clear();
            Fabric seen = sm.view().subnet().fabric();
            scheduleFaults(fabric, seen, own.nodeGuid(), faults);
            loop.runFor(3600 * SECOND);
        } finally {
            logger.detachAppender(appender);
            logger.setLevel(before);
        }
    }

    private String summary() {
        Map<String, Long> byCode = lines.stream()
                .collect(Collectors.groupingBy(
                        line -> line.replaceFirst(".*?(TSM-\\d+).*", "$1"), TreeMap::new, Collectors.counting()));
        return eventCount + " events, " + lines.size() + " lines: " + byCode;
    }

    @Test
    void eachEventIsOneLineAtMost() throws Exception {
        runHour("tree:2,2", 6);
        assertThat(lines)
                .as(summary())
                .filteredOn(line -> !line.contains(SUBNET_UP))
                .hasSizeLessThanOrEqualTo(eventCount);
        String cableLost = SmEvent.CABLE_LOST.code();
        assertThat(lines).anyMatch(line -> line.contains(cableLost));
        assertThat(journal.conditions()).extracting(entry -> entry.code()).doesNotContain(cableLost);
        assertThat(FlapSums.check(journal.after(0))).isPositive();
        assertThat(lines)
                .filteredOn(line -> line.contains(SmEvent.LINK_FLAPPING.code()))
                .isNotEmpty()
                .as("both ends are named as in lines about losses")
                .allMatch(line -> line.matches(".* (leaf|spine) \\d+ 0x.*, cabled to (leaf|spine) \\d+ 0x.*"));
    }

    /** The log of docs/developer/log/operator.md. */
    @Test
    @Tag("campaign")
    void anHourOfAThousandSwitchesIsTwoHundredLines() throws Exception {
        runHour(System.getProperty("hour.fabric", "tree:down=1x6x6x7,up=1x6x6x6"), 12);
        System.out.println(String.join("\n", lines) + "\n" + summary());
        assertThat(FlapSums.check(journal.after(0))).isEqualTo(2);
        assertThat(lines).noneMatch(line -> line.contains(SmEvent.DEVICES_CHANGED.code()));
        assertThat(lines).as(summary()).hasSizeLessThanOrEqualTo(MAX_LINES);
        assertThat(lines)
                .as(summary())
                .filteredOn(line -> !line.contains(SUBNET_UP))
                .hasSizeLessThanOrEqualTo(eventCount);
    }
}
