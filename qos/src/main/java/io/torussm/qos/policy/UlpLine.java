package io.torussm.qos.policy;

import io.torussm.partition.PKeys;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A line of qos-ulps: an upper-layer protocol (ULP) and the SL of its traffic, such as {@code sdp, port-num 5000
 * : 3}. The line abbreviates a match rule: a ULP is recognized by the ServiceID, the P_Key or the PortGUIDs of a
 * path request. Immutable.
 *
 * @param protocol first word, {@code sdp} in the example
 * @param criterion word before the numbers, {@code port-num} in the example; empty without numbers
 * @param numbers numbers that the criterion permits; {@link NumberRanges#NONE} without a criterion
 * @param sl text after the last colon, not parsed
 */
record UlpLine(String protocol, String criterion, NumberRanges numbers, String sl) {
    static final String FORMS = "default : SL; any, service-id|pkey|target-port-guid|source-port-guid|"
            + "source-target-port-guid LIST : SL; sdp|rds|iser[, port-num LIST] : SL; srp, target-port-guid LIST : SL; or "
            + "ipoib[, pkey LIST] : SL";

    /** ServiceIDs of the protocols, without a TCP port. */
    private static final long SDP = 0x1_0000;

    private static final long SDP_LAST = 0x1_ffff;
    private static final long RDS = 0x106_48ca;
    private static final long ISER = 0x106_0cbc;

    /** ServiceIDs of ports of the IP CM service, TCP's (IBA A11). */
    private static final long TCP_PORTS = 0x106_0000;

    /**
     * Parses a line.
     *
     * @param words parser of numbers, which collects the errors of the file
     * @return line; null if the text has none of the {@link #FORMS}
     */
    static @Nullable UlpLine of(String text, PolicyTokens words) {
        int colon = text.lastIndexOf(':');
        if (colon < 0) {
            return null;
        }
        String head = text.substring(0, colon).strip();
        String sl = text.substring(colon + 1).strip();
        int comma = head.indexOf(',');
        String protocol = (comma < 0 ? head : head.substring(0, comma)).strip();
        String[] rest =
                comma < 0 ? new String[0] : head.substring(comma + 1).strip().split("\\s+", 2);
        String criterion = rest.length == 0 ? "" : rest[0];
        if (!isKnown(protocol, criterion) || (comma >= 0 && rest.length < 2)) {
            return null;
        }
        NumberRanges numbers = rest.length < 2 ? NumberRanges.NONE : numbers(criterion, rest[1], words);
        return new UlpLine(protocol, criterion, numbers, sl);
    }

    private static boolean isKnown(String protocol, String criterion) {
        List<String> criteria =
                switch (protocol) {
                    case "default" -> List.of("");
                    case "any" ->
                        List.of(
                                "service-id",
                                "pkey",
                                "target-port-guid",
                                "source-port-guid",
                                "source-target-port-guid");
                    case "sdp", "rds", "iser" -> List.of("", "port-num");
                    case "srp" -> List.of("target-port-guid");
                    case "ipoib" -> List.of("", "pkey");
                    default -> List.of();
                };
        return criteria.contains(criterion);
    }

    private static NumberRanges numbers(String criterion, String list, PolicyTokens words) {
        return switch (criterion) {
            case "port-num" -> words.ranges(list, 0xffff, "a port of TCP, 0 to 65535, nor a range such as 5000-5009");
            case "service-id" -> words.serviceIds(list);
            case "pkey" -> words.pKeys(list);
            default -> words.guids(list);
        };
    }

    /** Checks whether the line sets the SL of all other traffic. */
    boolean isDefault() {
        return protocol.equals("default");
    }

    /**
     * Returns the match rule that the line abbreviates.
     *
     * @param line number of the line in the file, for messages
     */
    MatchRule rule(int line, QosLevel level) {
        return switch (criterion) {
            case "target-port-guid" -> rule(line, MatchRule.CriterionType.PLAIN, List.of(), ports(level), level);
            case "source-port-guid" -> rule(line, MatchRule.CriterionType.PLAIN, ports(level), List.of(), level);
            case "source-target-port-guid" ->
                rule(line, MatchRule.CriterionType.EITHER_END, ports(level), ports(level), level);
            default -> ofRequest(line, level);
        };
    }

    private List<PolicyPortGroup> ports(QosLevel level) {
        return List.of(PolicyPortGroup.of(level.name(), numbers));
    }

    /** Returns a rule that matches all requests between ports, without other criteria. */
    private static MatchRule rule(
            int line,
            MatchRule.CriterionType kind,
            List<PolicyPortGroup> sources,
            List<PolicyPortGroup> destinations,
            QosLevel level) {
        return new MatchRule(
                line, kind, NumberRanges.NONE, NumberRanges.NONE, NumberRanges.NONE, sources, destinations, level);
    }

    /** Returns a rule that matches requests by ServiceID or P_Key. */
    private MatchRule ofRequest(int line, QosLevel level) {
        NumberRanges serviceIds =
                switch (protocol) {
                    case "sdp" -> numbers.isEmpty() ? NumberRanges.of(SDP, SDP_LAST) : numbers.plus(SDP);
                    case "rds" -> numbers.isEmpty() ? NumberRanges.of(RDS, RDS) : numbers.plus(TCP_PORTS);
                    case "iser" -> numbers.isEmpty() ? NumberRanges.of(ISER, ISER) : numbers.plus(TCP_PORTS);
                    default -> criterion.equals("service-id") ? numbers : NumberRanges.NONE;
                };
        boolean isIpoib = protocol.equals("ipoib");
        NumberRanges defaultPKeys = isIpoib ? NumberRanges.of(PKeys.DEFAULT, PKeys.DEFAULT) : NumberRanges.NONE;
        return new MatchRule(
                line,
                isIpoib ? MatchRule.CriterionType.IPOIB : MatchRule.CriterionType.PLAIN,
                NumberRanges.NONE,
                serviceIds,
                criterion.equals("pkey") ? numbers : defaultPKeys,
                List.of(),
                List.of(),
                level);
    }
}
