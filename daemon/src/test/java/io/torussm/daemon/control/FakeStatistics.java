package io.torussm.daemon.control;

import io.torussm.congestion.CongestedPort;
import io.torussm.congestion.CongestionStatistics;
import io.torussm.daemon.journal.SweepHistory;
import io.torussm.daemon.replica.Replication;
import io.torussm.event.DeviceText;
import io.torussm.fabric.NodePort;
import io.torussm.firmware.DeviceFirmware;
import io.torussm.firmware.FirmwareCensus;
import io.torussm.firmware.FirmwareOutcome;
import io.torussm.mastership.Mastership;
import io.torussm.mastership.RemoteSm;
import io.torussm.mastership.SmState;
import io.torussm.perf.PollStatistics;
import io.torussm.quarantine.Quarantine;
import io.torussm.report.ReportStats;
import io.torussm.sa.AttributeStatistics;
import io.torussm.sa.SubnetAdministrator;
import io.torussm.sweep.idle.ReadyReport;
import io.torussm.sweep.state.SweepCounts;
import io.torussm.transport.LocalPort;
import io.torussm.transport.MadClient;
import io.torussm.transport.rmpp.RmppSender;
import io.torussm.trap.LinkComplaints.Unhealthy;
import io.torussm.trap.TrapCounts;
import io.torussm.vport.VPortTable;
import io.torussm.vport.VirtualPort;
import java.time.Instant;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The statistics of {@link FakeControl}: an SM with the port GUID 0x99, its sweeps, SMPs, answers of the SA, Reports,
 * replication, counters, congestion, virtual ports and firmware. Tests of the console, HTTP and metrics assert the
 * figures.
 */
public final class FakeStatistics {
    /** Firmware of three devices, one of which differs. */
    private static final FirmwareCensus FIRMWARE = new FirmwareCensus(
            true,
            Map.of(FirmwareOutcome.READ, 3, FirmwareOutcome.SILENT, 1),
            List.of(
                    new DeviceFirmware(0x77, 0x101b, "MT_0000000223", "20.35.2000"),
                    new DeviceFirmware(0x78, 0x101b, "MT_0000000223", "20.39.1002"),
                    new DeviceFirmware(0x79, 0x101b, "MT_0000000223", "20.39.1002")));

    /** Start time of the SM. */
    public static final Instant STARTED = Instant.parse("2026-11-22T06:00:00Z");

    private FakeStatistics() {}

    /**
     * Returns the statistics of an SM with priority 5 in a state.
     *
     * @param master SM that this SM polls; null for none
     * @param misses number of polls in sequence that the master has not answered
     */
    public static SmStatistics in(SmState state, @Nullable RemoteSm master, int misses) {
        Mastership.Watch watch = new Mastership.Watch(master, false, misses, misses, 0, 1, 4);
        return of(
                new Mastership(
                        1,
                        5,
                        state,
                        watch,
                        new Mastership.Handover(null, false, 0),
                        0,
                        new Mastership.Peers(List.of(), List.of(), Mastership.SilenceWait.UNUSED),
                        false),
                false);
    }

    private static CongestedPort congested(String name, int port, long events, BitSet ports, BitSet sls) {
        return new CongestedPort(DeviceText.ofDevice(name), 0x99, port, events, 2, ports, sls);
    }

    /**
     * Returns statistics of an SM with the port GUID 0x99: its sweeps, SMPs, answers of the SA, Reports, replication
     * and counters.
     */
    static SmStatistics of(Mastership mastership, boolean isSuspended) {
        AttributeStatistics traffic = new AttributeStatistics(
                "PathRecord",
                List.of(new AttributeStatistics.Count("Get", 7, 6, 0, 1)),
                Collections.nCopies(22, 1L),
                5_000_000,
                List.of(
                        new AttributeStatistics.Answered("Get", "OK", 4),
                        new AttributeStatistics.Answered("Get", "NO_RECORDS", 2)));
        return new SmStatistics(
                STARTED,
                new LocalPort("mlx5_0", 1, 0x99),
                0xfec0_0000_0000_0005L,
                mastership,
                2,
                new SmStatistics.Sweeps(
                        new SweepCounts(),
                        new SweepHistory.Sweep(STARTED.plusSeconds(2), SweepHistory.UP, "all is well", List.of(), 0),
                        null,
                        STARTED.plusSeconds(1),
                        isSuspended,
                        3,
                        0,
                        new TrapCounts(),
                        1,
                        List.of(
                                new Unhealthy(new NodePort(0x99, 200), 10, 0, 0),
                                new Unhealthy(new NodePort(0x98, 1), 0, 11, 0)),
                        List.of(
                                new Quarantine.Entry(0x77, -1, "0x77 \"sw-bad\"", "it does not take its table", false),
                                new Quarantine.Entry(0x78, -1, "0x78 \"sw-first\"", "it does not either", true)),
                        new ReadyReport(90, 100, 1_500_000, 16 << 20, 2)),
                new SmStatistics.Smps(
                        new MadClient.Stats(10, 10, 9, 8, 7, 6, 5, 4, 3, 12, 2, 1, 64, 11),
                        List.of(new MadClient.OutcomeCount("PortInfo", "Get", "reply", 12))),
                new SmStatistics.Sa(
                        new SubnetAdministrator.Stats(7, 6, 0, 1, 0, 3, 5),
                        List.of(traffic),
                        new RmppSender.Stats(6, 5, 4, 3, 2, 1),
                        1),
                new ReportStats(6, 5, 4, 3, 2, 1),
                new Replication.Progress(
                        List.of("10.0.0.2:7800"),
                        new Replication.Transfer("sa-state 1.2", 1_500_000_000L),
                        new Replication.Transfer("sa-state 1.1 from 10.0.0.2:7800", 2_500_000_000L),
                        0),
                new PollStatistics(7, 1, 300, 2, 3, 1_500_000_000L, STARTED, 6, 8, 1),
                new CongestionStatistics(
                        true,
                        9,
                        7,
                        1,
                        20,
                        12,
                        3,
                        List.of(
                                congested("sw-0", 0, 12, BitSet.valueOf(new long[] {0b1010}), new BitSet()),
                                congested("host-0", 1, 3, new BitSet(), BitSet.valueOf(new long[] {1})))),
                VPortTable.of(Map.of(
                        0x10_0000_0001L,
                        List.of(
                                new VirtualPort(3, 0x77, 0x78, 4, null).withDescription("pod-a eth0"),
                                new VirtualPort(4, 0x79, 0, 2, null)))),
                FIRMWARE,
                4,
                0);
    }
}
