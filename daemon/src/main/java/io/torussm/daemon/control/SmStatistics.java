package io.torussm.daemon.control;

import io.torussm.congestion.CongestionStatistics;
import io.torussm.daemon.journal.SweepHistory.Sweep;
import io.torussm.daemon.replica.Replication;
import io.torussm.firmware.FirmwareCensus;
import io.torussm.mastership.Mastership;
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
import io.torussm.trap.LinkComplaints;
import io.torussm.trap.TrapCounts;
import io.torussm.vport.VPortTable;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state and the counters of the SM at one moment. It is the only source of the console's {@code status},
 * metrics, health and systemd's status line.
 *
 * @param started start time of the SM
 * @param port port of the SM
 * @param subnetPrefix prefix of the subnet
 * @param mastership state among subnet managers
 * @param subnetManagers known subnet managers, including this one
 * @param reports Reports to subscribers
 * @param replication null if it is off
 * @param counters progress of reading counters
 * @param congestion settings and logs of congestion control
 * @param vports virtual ports of channel adapters
 * @param firmware firmware versions of devices
 * @param stateFailures failed writes of state files
 * @param defects unexpected exceptions
 */
public record SmStatistics(
        Instant started,
        LocalPort port,
        long subnetPrefix,
        Mastership mastership,
        int subnetManagers,
        Sweeps sweeps,
        Smps smps,
        Sa sa,
        ReportStats reports,
        Replication.@Nullable Progress replication,
        PollStatistics counters,
        CongestionStatistics congestion,
        VPortTable vports,
        FirmwareCensus firmware,
        long stateFailures,
        long defects) {

    /**
     * The sweeps and their results.
     *
     * @param last the last completed sweep; null before the first
     * @param lastChange the last one with a change; null if there was none
     * @param upSince time when the subnet came up, if it is up
     * @param isSuspended true if an operator has suspended sweeps
     * @param routings number of route computations
     * @param slChanges paths whose SL changed
     * @param mKeyComplaints traps 256, of ports that received a wrong M_Key
     * @param unhealthyPorts ports that report link errors repeatedly
     * @param leftOut switches and links outside the subnet because they cannot be programmed
     * @param readyPlans precomputed plans for single failures
     */
    public record Sweeps(
            SweepCounts counts,
            @Nullable Sweep last,
            @Nullable Sweep lastChange,
            @Nullable Instant upSince,
            boolean isSuspended,
            long routings,
            long slChanges,
            TrapCounts traps,
            long mKeyComplaints,
            List<LinkComplaints.Unhealthy> unhealthyPorts,
            List<Quarantine.Entry> leftOut,
            ReadyReport readyPlans) {
        public Sweeps {
            unhealthyPorts = List.copyOf(unhealthyPorts);
            leftOut = List.copyOf(leftOut);
        }
    }

    /**
     * SMPs.
     *
     * @param ended transactions by attribute and outcome
     */
    public record Smps(MadClient.Stats stats, List<MadClient.OutcomeCount> ended) {
        public Smps {
            ended = List.copyOf(ended);
        }
    }

    /**
     * Requests to the SA.
     *
     * @param traffic by attribute
     * @param tables how table answers ended
     * @param openTables table answers under way
     */
    public record Sa(
            SubnetAdministrator.Stats stats,
            List<AttributeStatistics> traffic,
            RmppSender.Stats tables,
            int openTables) {
        public Sa {
            traffic = List.copyOf(traffic);
        }
    }
}
