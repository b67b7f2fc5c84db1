package io.torussm.qos.policy;

import io.torussm.qos.policy.UlpLine.UlpCriterion;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An upper-layer protocol (ULP) of qos-ulps: its word, its criteria, and the ServiceIDs of its path requests. */
@SuppressWarnings("ImmutableEnumChecker") // the sets are never changed
enum UlpProtocol {
    /** All traffic without a line of its own. */
    DEFAULT("default", EnumSet.of(UlpCriterion.NONE)),

    /** All traffic that meets the criterion. */
    ANY("any", EnumSet.complementOf(EnumSet.of(UlpCriterion.NONE, UlpCriterion.PORT_NUM))),

    /** The low 16 bits of a ServiceID of SDP are the TCP port (IBA A4). */
    SDP("sdp", EnumSet.of(UlpCriterion.NONE, UlpCriterion.PORT_NUM), 0x1_0000, NumberRanges.of(0x1_0000, 0x1_ffff)),

    RDS(
            "rds",
            EnumSet.of(UlpCriterion.NONE, UlpCriterion.PORT_NUM),
            UlpProtocol.TCP_PORTS,
            NumberRanges.of(UlpProtocol.TCP_PORTS + 0x48ca, UlpProtocol.TCP_PORTS + 0x48ca)),

    ISER(
            "iser",
            EnumSet.of(UlpCriterion.NONE, UlpCriterion.PORT_NUM),
            UlpProtocol.TCP_PORTS,
            NumberRanges.of(UlpProtocol.TCP_PORTS + 3260, UlpProtocol.TCP_PORTS + 3260)),

    /** The SCSI RDMA protocol is recognized by the port of its target. */
    SRP("srp", EnumSet.of(UlpCriterion.TARGET_PORT_GUID)),

    IPOIB("ipoib", EnumSet.of(UlpCriterion.NONE, UlpCriterion.PKEY));

    /** First ServiceID of the IP CM service for TCP; the low 16 bits are the port (IBA A11). */
    private static final long TCP_PORTS = 0x106_0000;

    private final String word;
    private final Set<UlpCriterion> criteria;
    private final long serviceIdOfPort0;
    private final NumberRanges defaultServiceIds;

    UlpProtocol(String word, Set<UlpCriterion> criteria) {
        this(word, criteria, 0, NumberRanges.NONE);
    }

    /**
     * Creates a protocol with ServiceIDs.
     *
     * @param serviceIdOfPort0 ServiceID of TCP port 0
     * @param defaultServiceIds ServiceIDs of the protocol if a line names no TCP ports
     */
    UlpProtocol(String word, Set<UlpCriterion> criteria, long serviceIdOfPort0, NumberRanges defaultServiceIds) {
        this.word = word;
        this.criteria = criteria;
        this.serviceIdOfPort0 = serviceIdOfPort0;
        this.defaultServiceIds = defaultServiceIds;
    }

    /** Returns the protocol with a word; null if there is none. */
    static @Nullable UlpProtocol of(String word) {
        for (UlpProtocol each : values()) {
            if (each.word.equals(word)) {
                return each;
            }
        }
        return null;
    }

    /** Checks whether a line of the protocol may have a criterion. */
    boolean permits(UlpCriterion criterion) {
        return criteria.contains(criterion);
    }

    /**
     * Returns the ServiceIDs of TCP ports.
     *
     * @param ports TCP ports; empty for the default port or ports of the protocol
     */
    NumberRanges serviceIds(NumberRanges ports) {
        return ports.isEmpty() ? defaultServiceIds : ports.plus(serviceIdOfPort0);
    }
}
