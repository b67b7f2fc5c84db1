package io.torussm.routing;

import io.torussm.event.Finding;
import io.torussm.subnet.Subnet;
import java.util.List;

/** A double that decides about unicast as another plan does, unless a test says otherwise. */
public class PlanLike implements Plan {
    private final String engine;
    private final Plan plan;

    protected PlanLike(String engine, Plan plan) {
        this.engine = engine;
        this.plan = plan;
    }

    @Override
    public String engine() {
        return engine;
    }

    @Override
    public Subnet subnet() {
        return plan.subnet();
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
    public long sl2vl(int endport) {
        return plan.sl2vl(endport);
    }

    @Override
    public int pathSl(int srcLid, int dstLid, int wanted) {
        return plan.pathSl(srcLid, dstLid, wanted);
    }

    @Override
    public int slMask(int srcSw, int dstSw) {
        return plan.slMask(srcSw, dstSw);
    }

    @Override
    public PortRole role(int sw, int portNum) {
        return plan.role(sw, portNum);
    }

    @Override
    public boolean deadlockFree() {
        return plan.deadlockFree();
    }

    @Override
    public List<Finding> findings() {
        return plan.findings();
    }
}
