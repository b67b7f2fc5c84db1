package io.torussm.daemon.control;

import io.torussm.daemon.replica.Replication;
import io.torussm.mastership.Mastership;
import io.torussm.report.ReportStats;
import io.torussm.sa.AttributeStatistics;
import io.torussm.sa.SubnetAdministrator;
import io.torussm.sweep.SweepCounts;
import io.torussm.transport.MadClient;
import io.torussm.transport.RmppSender;
import io.torussm.trap.TrapCounts;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * State and counters of the SM, as they are now.
 *
 * @param mastership where it stands among subnet managers
 * @param subnetManagers that are known, this one too
 * @param reports what was told to subscribers
 * @param replication null if it is off
 * @param stateFailures writes of state files that failed
 * @param defects exceptions that nobody expected
 */
public record SmStatistics(
        Mastership mastership,
        int subnetManagers,
        Sweeps sweeps,
        Smps smps,
        Sa sa,
        ReportStats reports,
        Replication.@Nullable Progress replication,
        long stateFailures,
        long defects) {

    /**
     * What the fabric was found to be.
     *
     * @param slChanges paths whose SL changed
     * @param mKeyComplaints of ports that somebody shows a wrong M_Key
     * @param unhealthyPorts that complain of their links without end
     */
    public record Sweeps(
            SweepCounts counts, long slChanges, TrapCounts traps, long mKeyComplaints, int unhealthyPorts) {}

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
     * What hosts asked.
     *
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
