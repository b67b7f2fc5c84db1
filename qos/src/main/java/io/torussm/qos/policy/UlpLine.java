package io.torussm.qos.policy;

import io.torussm.partition.PKeys;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A line of qos-ulps: an upper-layer protocol (ULP) and the SL of its traffic, such as {@code sdp, port-num 5000
 * : 3}. The line abbreviates a match rule: a ULP is recognized by the ServiceID, the P_Key or the PortGUIDs of a
 * path request. Immutable.
 *
 * @param protocol protocol of the first word
 * @param criterion word before the numbers, {@code port-num} in the example
 * @param numbers numbers that the criterion permits; {@link NumberRanges#NONE} without a criterion, and after an error
 *     in the numbers, because of which the file is refused
 * @param sl text after the last colon, not parsed
 */
record UlpLine(UlpProtocol protocol, UlpCriterion criterion, NumberRanges numbers, String sl) {
    static final String FORMS = "default : SL; any, service-id|pkey|target-port-guid|source-port-guid|"
            + "source-target-port-guid LIST : SL; sdp|rds|iser[, port-num LIST] : SL; srp, target-port-guid LIST : SL; or "
            + "ipoib[, pkey LIST] : SL";

    private static final int MAX_TCP_PORT = 0xffff;

    /** The meaning of the numbers of a line. */
    enum UlpCriterion {
        /** The line has no numbers. */
        NONE(""),
        SERVICE_ID("service-id"),
        PKEY("pkey"),
        TARGET_PORT_GUID("target-port-guid"),
        SOURCE_PORT_GUID("source-port-guid"),
        SOURCE_TARGET_PORT_GUID("source-target-port-guid"),
        PORT_NUM("port-num");

        private final String word;

        UlpCriterion(String word) {
            this.word = word;
        }

        private static @Nullable UlpCriterion of(String word) {
            for (UlpCriterion each : values()) {
                if (each.word.equals(word)) {
                    return each;
                }
            }
            return null;
        }

        private NumberRanges parse(String list, PolicyTokens tokens) {
            return switch (this) {
                case NONE -> NumberRanges.NONE;
                case SERVICE_ID -> tokens.serviceIds(list);
                case PKEY -> tokens.pKeys(list);
                case TARGET_PORT_GUID, SOURCE_PORT_GUID, SOURCE_TARGET_PORT_GUID -> tokens.guids(list);
                case PORT_NUM ->
                    tokens.ranges(list, MAX_TCP_PORT, "a port of TCP, 0 to 65535, nor a range such as 5000-5009");
            };
        }
    }

    /**
     * Parses a line.
     *
     * @param tokens parser of numbers, which collects the errors of the file
     * @return line; null if the text has none of the {@link #FORMS}
     */
    static @Nullable UlpLine of(String text, PolicyTokens tokens) {
        int colon = text.lastIndexOf(':');
        if (colon < 0) {
            return null;
        }
        String head = text.substring(0, colon).strip();
        String sl = text.substring(colon + 1).strip();
        int comma = head.indexOf(',');
        UlpProtocol protocol = UlpProtocol.of((comma < 0 ? head : head.substring(0, comma)).strip());
        String[] wordAndList =
                comma < 0 ? new String[0] : head.substring(comma + 1).strip().split("\\s+", 2);
        boolean isListMissing = comma >= 0 && wordAndList.length < 2;
        UlpCriterion criterion = comma < 0 ? UlpCriterion.NONE : UlpCriterion.of(wordAndList[0]);
        if (protocol == null || criterion == null || isListMissing || !protocol.permits(criterion)) {
            return null;
        }
        NumberRanges numbers = comma < 0 ? NumberRanges.NONE : criterion.parse(wordAndList[1], tokens);
        return new UlpLine(protocol, criterion, numbers, sl);
    }

    /** Checks whether the line sets the SL of all other traffic. */
    boolean isDefault() {
        return protocol == UlpProtocol.DEFAULT;
    }

    /**
     * Returns the match rule that the line abbreviates. A line that {@link #isDefault} abbreviates none.
     *
     * @param line number of the line in the file, for messages
     * @param level level that the rule assigns, whose name is file and line
     */
    MatchRule rule(int line, QosLevel level) {
        return switch (criterion) {
            case TARGET_PORT_GUID ->
                ruleOfPorts(line, MatchRule.CriterionType.PLAIN, List.of(), portGroups(level), level);
            case SOURCE_PORT_GUID ->
                ruleOfPorts(line, MatchRule.CriterionType.PLAIN, portGroups(level), List.of(), level);
            case SOURCE_TARGET_PORT_GUID ->
                ruleOfPorts(line, MatchRule.CriterionType.EITHER_END, portGroups(level), portGroups(level), level);
            case SERVICE_ID -> ruleOfRequests(line, numbers, NumberRanges.NONE, level);
            case PKEY -> ruleOfRequests(line, NumberRanges.NONE, numbers, level);
            case PORT_NUM, NONE -> ruleOfRequests(line, protocol.serviceIds(numbers), defaultPKeys(), level);
        };
    }

    /** Returns the P_Keys of a line that names none: IPoIB has the default partition. */
    private NumberRanges defaultPKeys() {
        return isIpoib() ? NumberRanges.of(PKeys.DEFAULT, PKeys.DEFAULT) : NumberRanges.NONE;
    }

    private boolean isIpoib() {
        return protocol == UlpProtocol.IPOIB;
    }

    /** Returns the ports as a group. A line has no name for it, so that the group is named by file and line. */
    private List<PolicyPortGroup> portGroups(QosLevel level) {
        return List.of(PolicyPortGroup.of(level.name(), numbers));
    }

    /** Returns a rule that matches all requests between ports, without other criteria. */
    private static MatchRule ruleOfPorts(
            int line,
            MatchRule.CriterionType kind,
            List<PolicyPortGroup> sources,
            List<PolicyPortGroup> destinations,
            QosLevel level) {
        return new MatchRule(
                line, kind, NumberRanges.NONE, NumberRanges.NONE, NumberRanges.NONE, sources, destinations, level);
    }

    /** Returns a rule that matches requests by ServiceID and P_Key, each if it is not empty. */
    private MatchRule ruleOfRequests(int line, NumberRanges serviceIds, NumberRanges pKeys, QosLevel level) {
        return new MatchRule(
                line,
                isIpoib() ? MatchRule.CriterionType.IPOIB : MatchRule.CriterionType.PLAIN,
                NumberRanges.NONE,
                serviceIds,
                pKeys,
                List.of(),
                List.of(),
                level);
    }
}
