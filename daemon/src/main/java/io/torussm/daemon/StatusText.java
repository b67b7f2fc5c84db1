package io.torussm.daemon;

import io.torussm.daemon.control.SmStatistics;
import io.torussm.daemon.replica.Replication;
import io.torussm.mad.Guid;
import io.torussm.mastership.Mastership;
import io.torussm.mastership.RemoteSm;
import io.torussm.mastership.SmState;
import io.torussm.sa.SubnetAdministrator;
import io.torussm.sweep.Sweeper;
import io.torussm.transport.LocalPort;
import io.torussm.transport.MadClient;
import io.torussm.view.PublishedView;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an SM is and has counted, for people and for machines; asked of its parts at that moment, from any thread.
 *
 * @param replication null if it is off
 * @param stateFailures state files that could not be written
 * @param defects exceptions that nobody expected, those aside that the client and the SA counted
 */
record StatusText(
        SubnetManager.Running now,
        LocalPort port,
        @Nullable Replication replication,
        long stateFailures,
        long defects) {

    /** State and counters, a line each, as {@code name: value}. */
    List<String> lines() {
        PublishedView view = now.sweeper().view();
        MadClient.Stats mads = now.client().stats();
        SubnetAdministrator.Stats queries = now.administrator().stats();
        List<String> lines = new ArrayList<>(List.of(
                "SM: " + standing(now.mastership().state()),
                "master: " + master(now.mastership().state()),
                "state: " + (view == null ? "no subnet published" : "subnet up since sweep " + view.sweep()),
                "routing engine: "
                        + (view == null ? "none in force" : view.plan().engine()),
                "routing runs: " + now.sweeper().routings(),
                "SL changes: " + now.sweeper().slChanges(),
                "port: " + port.caName() + " " + port.portNum() + " GUID " + Guid.format(port.portGuid()),
                "SMPs: sent " + mads.sent() + ", answered " + mads.replies() + ", retried " + mads.retries()
                        + ", timed out " + mads.timeouts() + ", late " + mads.late() + ", malformed "
                        + mads.malformed() + ", overflow " + mads.overflow(),
                "SA: requests " + queries.requests() + ", answers " + queries.answers() + ", busy " + queries.busy()
                        + ", dropped " + queries.dropped() + ", waiting " + queries.waiting() + ", at most "
                        + queries.mostWaiting(),
                "Reports: " + now.reporter().stats().line(),
                "M_Keys: complaints of ports " + now.sweeper().mKeyComplaints(),
                "traps: " + now.sweeper().trapCounts().line(),
                "unhealthy ports: "
                        + UnhealthyPorts.line(now.sweeper().complaints().unhealthy(), view),
                "state files: writes failed " + stateFailures,
                "defects: " + allDefects()));
        if (now.sweeper().isSuspended()) {
            lines.add("sweeping: off, until it is told sweep on");
        }
        now.administrator().traffic().forEach(of -> lines.add("SA " + of.line()));
        lines.addAll(replication == null ? List.of("replication: off") : replication.statusLines());
        return lines;
    }

    /** The same as values. */
    SmStatistics figures() {
        Sweeper sweeper = now.sweeper();
        SubnetAdministrator sa = now.administrator();
        MadClient.Stats mads = now.client().stats();
        SubnetAdministrator.Stats queries = sa.stats();
        return new SmStatistics(
                now.mastership().state(),
                now.mastership().subnetManagers().size(),
                new SmStatistics.Sweeps(
                        sweeper.counts(),
                        sweeper.slChanges(),
                        sweeper.trapCounts(),
                        sweeper.mKeyComplaints(),
                        sweeper.complaints().unhealthy().size()),
                new SmStatistics.Smps(mads, now.client().ended()),
                new SmStatistics.Sa(queries, sa.traffic(), sa.tableStats(), sa.openTables()),
                now.reporter().stats(),
                replication == null ? null : replication.progress(),
                stateFailures,
                allDefects());
    }

    /** What this SM is and whether it has a subnet, one line. */
    String headline() {
        PublishedView view = now.sweeper().view();
        return standing(now.mastership().state())
                + (view == null ? ", no subnet published" : ", subnet up since sweep " + view.sweep());
    }

    private long allDefects() {
        return defects
                + now.administrator().stats().defects()
                + now.client().stats().failures();
    }

    private static String standing(Mastership state) {
        RemoteSm awaited = state.watch().sm();
        boolean isWaiting = state.master() == null && awaited != null;
        return state.shown() + ", priority " + state.priority()
                + (isWaiting ? ", waits for the handover of " + awaited : "");
    }

    private static String master(Mastership state) {
        RemoteSm other = state.master();
        boolean isSelf = state.shown() == SmState.MASTER;
        return other != null ? other.toString() : isSelf ? "this SM" : "not known";
    }
}
