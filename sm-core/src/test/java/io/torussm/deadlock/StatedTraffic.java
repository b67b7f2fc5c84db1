package io.torussm.deadlock;

import org.jspecify.annotations.Nullable;

/** The traffic of a plan as an untrusted source states it. No packet is discarded. */
interface StatedTraffic extends PlanTraffic {
    @Override
    default boolean isIncremental() {
        return true;
    }

    @Override
    default ChannelDependencyGraph graph() {
        return new ChannelDependencyGraph(traffic());
    }

    @Override
    default boolean isAnyDiscarded() {
        return false;
    }

    @Override
    default int @Nullable [] numbering(ChannelDependencyGraph unicast, @Nullable MulticastDependencies groupTraffic) {
        return unicast.numbering(groupTraffic);
    }
}
