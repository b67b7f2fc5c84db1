package io.torussm.daemon.sm;

import io.torussm.daemon.assembly.LiveSettings;
import io.torussm.daemon.assembly.SmAssembly;
import io.torussm.daemon.control.SmStatistics;
import io.torussm.daemon.journal.SweepHistory;
import io.torussm.daemon.replica.Replication;
import io.torussm.sa.SubnetAdministrator;
import io.torussm.sweep.Sweeper;
import io.torussm.transport.MadClient;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** The counters of the parts of an SM, read together for operators. */
final class OperatorStatistics {
    private final SmResources resources;
    private final LiveSettings settings;
    private final SweepHistory history;
    private final Instant started = Instant.now().truncatedTo(ChronoUnit.MILLIS);

    OperatorStatistics(SmResources resources, LiveSettings settings, SweepHistory history) {
        this.resources = resources;
        this.settings = settings;
        this.history = history;
    }

    /** Returns the current counters. Any thread. */
    SmStatistics of(SmAssembly assembly) {
        SubnetAdministrator sa = assembly.administrator();
        MadClient.Stats mads = assembly.client().stats();
        SubnetAdministrator.Stats queries = sa.stats();
        Replication replication = resources.replication();
        return new SmStatistics(
                started,
                resources.port().localPort(),
                settings.options().sweep().gidPrefix(),
                assembly.mastership().state(),
                assembly.mastership().subnetManagers().size(),
                sweeps(assembly.sweeper()),
                new SmStatistics.Smps(mads, assembly.client().outcomeCounts()),
                new SmStatistics.Sa(queries, sa.traffic(), sa.tableStats(), sa.openTables()),
                assembly.reporter().stats(),
                replication == null ? null : replication.progress(),
                assembly.agents().counters().statistics(),
                assembly.agents().congestion().statistics(),
                assembly.devices().vports().table(),
                assembly.agents().firmware().census(),
                resources.stateFailures(),
                resources.defects() + queries.defects() + mads.failures());
    }

    private SmStatistics.Sweeps sweeps(Sweeper sweeper) {
        return new SmStatistics.Sweeps(
                sweeper.counts(),
                history.last(),
                history.lastChange(),
                history.upSince(),
                sweeper.isSuspended(),
                sweeper.counts().routings(),
                sweeper.counts().changedSls(),
                sweeper.traps().counts(),
                sweeper.traps().mKeyComplaints(),
                sweeper.traps().complaints().unhealthy(),
                sweeper.excludedParts(),
                sweeper.idle().readyPlans());
    }
}
