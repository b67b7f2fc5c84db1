package io.torussm.testing;

import io.torussm.routing.RoutingOptions;

/** The routing options of tests: SL 0 is preferred for traffic with the SM, and ports may use all VLs. */
public final class TestRouting {
    private static final int ALL_VLS = 15;

    /** Options with tables of QoS. */
    public static final RoutingOptions QOS = qosWithVls(ALL_VLS);

    /** Options without tables of QoS. */
    public static final RoutingOptions NO_QOS = new RoutingOptions(false, QOS.maxOpVls(), QOS.smSl());

    private TestRouting() {}

    /**
     * Returns options with tables of QoS for ports with few VLs.
     *
     * @param dataVls max number of data VLs: 1, 2, 4, 8 or 15 (IBA 14.2.5.6, VLCap)
     */
    public static RoutingOptions qosWithVls(int dataVls) {
        int code = dataVls == ALL_VLS ? 5 : Integer.numberOfTrailingZeros(dataVls) + 1;
        return new RoutingOptions(true, code, 0);
    }
}
