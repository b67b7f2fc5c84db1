package io.torussm.daemon.control;

import io.torussm.daemon.journal.SweepHistory.Sweep;
import io.torussm.daemon.replica.Replication;
import io.torussm.mastership.Mastership;
import io.torussm.perf.PollStatistics;
import io.torussm.quarantine.Quarantine;
import io.torussm.report.ReportStats;
import io.torussm.sa.AttributeStatistics;
import io.torussm.sa.SubnetAdministrator;
import io.torussm.sweep.ReadyReport;
import io.torussm.sweep.SweepCounts;
import io.torussm.transport.LocalPort;
import io.torussm.transport.MadClient;
import io.torussm.transport.RmppSender;
import io.torussm.trap.LinkComplaints;
import io.torussm.trap.TrapCounts;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * State and counters of the SM at one moment: the one source of the console's {@code status}, of metrics, of health and of
 * systemd's status line.
 *
 * @param started when the SM began
 * @param port that it works through
 * @param subnetPrefix of the subnet
 * @param mastership its state among subnet managers
 * @param subnetManagers that are known, this one included
 * @param reports Reports to subscribers
 * @param replication null if it is off
 * @param counters how the reading of counters goes
 * @param stateFailures writes of state files that failed
 * @param defects exceptions that nobody expected
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
        long stateFailures,
        long defects) {

    /**
     * Sweeps and what they found.
     *
     * @param last the last sweep that ended; null before the first
     * @param lastChange the last one that found something changed; null if none did
     * @param upSince when the subnet came up, if it is up
     * @param isSuspended whether an operator has suspended sweeps
     * @param routings how often routes were computed
     * @param slChanges paths whose SL changed
     * @param mKeyComplaints traps 256, of ports that were sent a wrong M_Key
     * @param unhealthyPorts that report link errors again and again
     * @param leftOut switches and links that have no part in the subnet because they cannot be programmed
     * @param readyPlans plans that are kept for single failures
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
    public record Smps(MadClient.Stats stats, List<MadClient.Ended> ended) {
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
