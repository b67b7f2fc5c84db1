package io.torussm.routing;

import java.util.stream.IntStream;

/** Plans for tests. */
public final class Plans {
    private Plans() {}

    /** Returns a plan with the unicast routes of another one, unless the test changes them. */
    public static PlanBuilder like(String engine, Plan plan) {
        byte[][] lfts = IntStream.range(0, plan.subnet().fabric().switchCount())
                .mapToObj(plan::lft)
                .toArray(byte[][]::new);
        return Plan.builder(engine, plan.subnet(), lfts)
                .ownSl2Vl(plan.dataVlsNeeded(), plan::sl2vl, plan::sl2vl)
                .sls(new PathSls() {
                    @Override
                    public int sl(int srcLid, int dstLid, int wanted) {
                        return plan.pathSl(srcLid, dstLid, wanted);
                    }

                    @Override
                    public int mask(int srcSw, int dstLid) {
                        return plan.slMask(srcSw, dstLid);
                    }
                })
                .roles(plan::role);
    }
}
