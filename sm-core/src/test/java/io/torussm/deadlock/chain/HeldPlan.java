package io.torussm.deadlock.chain;

import io.torussm.deadlock.HeldTables;
import io.torussm.fabric.Fabric;
import io.torussm.routing.Plan;

/** Switches that all carry traffic and contain the tables of a plan. */
public final class HeldPlan implements HeldTables {
    private final Plan plan;

    /** The constant result of {@link #areRowsPlanned}. */
    private final boolean areRowsPlanned;

    /** Index of the only port that is down. */
    int downPort = Fabric.NONE;

    HeldPlan(Plan plan) {
        this(plan, true);
    }

    public HeldPlan(Plan plan, boolean areRowsPlanned) {
        this.plan = plan;
        this.areRowsPlanned = areRowsPlanned;
    }

    @Override
    public byte[] lft(int sw) {
        return plan.lft(sw);
    }

    @Override
    public long sl2vl(int sw, int in, int out) {
        return plan.sl2vl(sw, in, out);
    }

    @Override
    public boolean isUp(int port) {
        return port != downPort;
    }

    @Override
    public boolean areRowsPlanned() {
        return areRowsPlanned;
    }
}
