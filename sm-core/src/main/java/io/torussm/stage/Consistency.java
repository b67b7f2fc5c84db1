package io.torussm.stage;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import io.torussm.mad.FieldMask;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.PortInfoFields;
import io.torussm.mad.smp.SwitchInfo;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The comparison of responses of one device to equal requests. Fields that change without a Set are not compared. A
 * response that contradicts an earlier response shows a change, or is damaged: MADs have a CRC, but the firmware that
 * fills them in may be faulty.
 */
public final class Consistency {
    /**
     * Fields that may differ between two true responses: volatile fields, the port of entry, and InitType of a host.
     */
    private static final List<Field> VARIABLE_FIELDS = union(
            PortInfoFields.VOLATILE, List.of(PortInfo.LOCAL_PORT_NUM, PortInfo.INIT_TYPE, PortInfo.INIT_TYPE_REPLY));

    /** Fields that the training of a link changes. */
    private static final List<Field> LINK_TRAINING_FIELDS = List.of(
            PortInfo.LINK_WIDTH_ACTIVE,
            PortInfo.LINK_SPEED_ACTIVE,
            PortInfo.LINK_SPEED_EXT_ACTIVE,
            PortInfo.LINK_SPEED_EXT_ACTIVE2,
            PortInfo.NEIGHBOR_MTU,
            PortInfo.OPERATIONAL_VLS);

    /** Fields of a response to Set(PortInfo) that may differ from both the previous and the written value. */
    private static final List<Field> FREE_IN_RESPONSES =
            union(VARIABLE_FIELDS, union(PortInfoFields.STATES, List.of(PortInfo.M_KEY)));

    /** Fields of the response to a later Get(PortInfo) that may differ from both the previous and the written value. */
    private static final List<Field> FREE_IN_READINGS = union(FREE_IN_RESPONSES, LINK_TRAINING_FIELDS);

    private static final FieldMask COMPARED_FIELDS = allBut(PortInfo.TYPE, VARIABLE_FIELDS);
    private static final FieldMask STATE_FIELDS = new FieldMask(PortInfo.TYPE, PortInfoFields.STATES);
    private static final FieldMask INDEPENDENT_OF_LINK =
            allBut(PortInfo.TYPE, union(VARIABLE_FIELDS, union(PortInfoFields.STATES, LINK_TRAINING_FIELDS)));
    private static final FieldMask WRITTEN_FIELDS = allBut(PortInfo.TYPE, FREE_IN_RESPONSES);
    private static final FieldMask COMPARED_OF_SWITCH =
            allBut(SwitchInfo.TYPE, List.of(SwitchInfo.PORT_STATE_CHANGE, SwitchInfo.MULTICAST_FDB_TOP));

    private Consistency() {}

    private static List<Field> union(List<Field> one, List<Field> other) {
        return Stream.concat(one.stream(), other.stream()).toList();
    }

    private static FieldMask allBut(AttributeType<?> type, List<Field> uncompared) {
        return new FieldMask(
                type,
                type.layout().fields().stream()
                        .filter(field -> !uncompared.contains(field))
                        .toList());
    }

    /** Checks whether two responses are equal, except for counters, reports and the port of entry. */
    public static <A extends Attribute<A>> boolean agrees(A earlier, A later) {
        if (earlier instanceof PortInfo earlierPort && later instanceof PortInfo laterPort) {
            return earlierPort.isEqualIn(laterPort, COMPARED_FIELDS);
        }
        if (earlier instanceof SwitchInfo earlierSwitch && later instanceof SwitchInfo laterSwitch) {
            return earlierSwitch.isEqualIn(laterSwitch, COMPARED_OF_SWITCH);
        }
        return earlier.equals(later);
    }

    /**
     * Checks whether two responses of a port differ in a state, and otherwise only in fields that the loss or the
     * training of a link changes.
     */
    public static boolean isLinkChange(PortInfo earlier, PortInfo later) {
        return !earlier.isEqualIn(later, STATE_FIELDS) && earlier.isEqualIn(later, INDEPENDENT_OF_LINK);
    }

    /**
     * Checks whether a port that was DOWN or ACTIVE has another PortState. A port in INITIALIZE or ARMED shows no
     * change: activation writes to it and receives its state in the response.
     */
    public static boolean isStateChange(PortInfo earlier, int state) {
        boolean isUp = state >= PortInfo.STATE_INITIALIZE;
        return isStable(earlier) && (isUp != earlier.isLinkUp() || state < earlier.portState());
    }

    /** Checks whether a port is DOWN or ACTIVE. */
    public static boolean isStable(PortInfo info) {
        return !info.isLinkUp() || info.portState() == PortInfo.STATE_ACTIVE;
    }

    /**
     * Checks whether a device that rejected a request shows no change: each field has its earlier value or the written
     * value, or is a counter or a state of the link.
     *
     * @param earlier the attribute before the request
     * @param sent the rejected value; null for a Get
     * @param later the attribute after the rejection
     */
    public static boolean isExplained(Attribute<?> earlier, @Nullable Attribute<?> sent, Attribute<?> later) {
        if (earlier instanceof PortInfo earlierPort && later instanceof PortInfo laterPort) {
            PortInfo written = sent instanceof PortInfo value ? value : earlierPort;
            return hasValuesOf(earlierPort, written, laterPort, FREE_IN_READINGS);
        }
        return !(earlier instanceof SwitchInfo earlierSwitch && later instanceof SwitchInfo laterSwitch)
                || earlierSwitch.isEqualIn(laterSwitch, COMPARED_OF_SWITCH);
    }

    /**
     * Checks whether a response to Set(PortInfo) can be true: each field has its previous value or the written value.
     *
     * @param previous the PortInfo before the Set; null if unknown, with the result true
     * @param sent value of the Set; null for a Get, with the result true
     */
    public static boolean isPossibleResult(@Nullable PortInfo previous, @Nullable PortInfo sent, PortInfo answer) {
        return previous == null
                || sent == null
                || answer.isEqualIn(sent, WRITTEN_FIELDS)
                || hasValuesOf(previous, sent, answer, FREE_IN_RESPONSES);
    }

    /** Checks whether each field of a response, except for free fields, has its value in one of two PortInfos. */
    private static boolean hasValuesOf(PortInfo previous, PortInfo written, PortInfo answer, List<Field> free) {
        return PortInfo.TYPE.layout().fields().stream()
                .filter(field -> !free.contains(field))
                .allMatch(field -> answer.get(field) == previous.get(field) || answer.get(field) == written.get(field));
    }
}
