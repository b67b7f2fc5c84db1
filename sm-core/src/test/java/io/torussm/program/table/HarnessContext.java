package io.torussm.program.table;

import io.torussm.stage.ProgrammingErrors;
import io.torussm.stage.StageContext;
import io.torussm.subnet.SubnetMemory;
import io.torussm.sweep.SweepHarness;
import io.torussm.transport.Loop;
import io.torussm.transport.MadScope;

/** A context for one stage that a test runs on the fabric of a harness, without a sweep. */
record HarnessContext(SweepHarness harness, ProgrammingErrors errors, MadScope scope) implements StageContext {
    HarnessContext(SweepHarness harness, ProgrammingErrors errors) {
        this(harness, errors, harness.client.scope());
    }

    @Override
    public Loop loop() {
        return harness.loop;
    }

    @Override
    public SubnetMemory memory() {
        throw new UnsupportedOperationException("tables need no memory of the subnet");
    }

    @Override
    public void resume(Runnable next) {
        next.run();
    }

    @Override
    public void abandon(Throwable defect) {
        throw new AssertionError(defect);
    }
}
