package io.torussm.stage;

import io.torussm.mad.Attribute;
import io.torussm.mad.Field;
import io.torussm.mad.FieldMask;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SwitchInfo;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The comparison of two answers of one device, without fields that change on their own. An answer that
 * contradicts an earlier one shows a change, or is damaged: MADs have a CRC, but the firmware that fills them
 * in may be faulty.
 */
public final class Consistency {
    /** Counters, observations of the wire, and the port of entry. */
    private static final List<Field> VOLATILE = List.of(
            PortInfo.DIAG_CODE,
            PortInfo.LOCAL_PORT_NUM,
            PortInfo.INIT_TYPE,
            PortInfo.INIT_TYPE_REPLY,
            PortInfo.M_KEY_VIOLATIONS,
            PortInfo.P_KEY_VIOLATIONS,
            PortInfo.Q_KEY_VIOLATIONS,
            PortInfo.CLIENT_REREGISTER,
            PortInfo.MAX_CREDIT_HINT,
            PortInfo.LINK_ROUND_TRIP_LATENCY);

    private static final List<Field> STATES = List.of(PortInfo.PORT_STATE, PortInfo.PORT_PHYSICAL_STATE);

    private static final List<Field> OF_LINK = List.of(
            PortInfo.LINK_WIDTH_ACTIVE,
            PortInfo.LINK_SPEED_ACTIVE,
            PortInfo.LINK_SPEED_EXT_ACTIVE,
            PortInfo.LINK_SPEED_EXT_ACTIVE2,
            PortInfo.NEIGHBOR_MTU,
            PortInfo.OPERATIONAL_VLS);

    /** Fields of an answer to Set(PortInfo) that may differ from both the previous and the written value. */
    private static final List<Field> FREE_IN_ANSWERS = Stream.of(VOLATILE, STATES, List.of(PortInfo.M_KEY))
            .flatMap(List::stream)
            .toList();

    /** Fields that may differ from both values in a later reading. */
    private static final List<Field> FREE_IN_READINGS =
            Stream.of(FREE_IN_ANSWERS, OF_LINK).flatMap(List::stream).toList();

    private static final FieldMask STEADY = portBut(VOLATILE);
    private static final FieldMask STATE = new FieldMask(PortInfo.TYPE, STATES);
    private static final FieldMask OF_PORT =
            portBut(Stream.of(VOLATILE, STATES, OF_LINK).flatMap(List::stream).toList());
    private static final FieldMask WRITTEN = portBut(FREE_IN_ANSWERS);

    private static final List<Field> SWITCH_REPORTS =
            List.of(SwitchInfo.PORT_STATE_CHANGE, SwitchInfo.MULTICAST_FDB_TOP);
    private static final FieldMask OF_SWITCH = new FieldMask(
            SwitchInfo.TYPE,
            SwitchInfo.TYPE.layout().fields().stream()
                    .filter(field -> !SWITCH_REPORTS.contains(field))
                    .toList());

    private Consistency() {}

    private static FieldMask portBut(List<Field> left) {
        return new FieldMask(
                PortInfo.TYPE,
                PortInfo.TYPE.layout().fields().stream()
                        .filter(field -> !left.contains(field))
                        .toList());
    }

    /** Checks whether an answer equals an earlier one, except for counters, reports and the port of entry. */
    public static <A extends Attribute<A>> boolean agrees(A earlier, A now) {
        if (earlier instanceof PortInfo port && now instanceof PortInfo newer) {
            return port.agrees(newer, STEADY);
        }
        if (earlier instanceof SwitchInfo info && now instanceof SwitchInfo newer) {
            return info.agrees(newer, OF_SWITCH);
        }
        return earlier.equals(now);
    }

    /**
     * Checks whether all differences between two answers of a port can result from a link that went down or
     * trained again.
     */
    public static boolean isChangeOfLink(PortInfo earlier, PortInfo now) {
        return !earlier.agrees(now, STATE) && earlier.agrees(now, OF_PORT);
    }

    /**
     * Checks whether a reading shows nothing new of a device that rejected a write: each field has its earlier value,
     * or the written one, or is a counter or a state of the link.
     *
     * @param earlier the reading before the write
     * @param sent the rejected value; null for a Get
     */
    public static boolean isExplained(Attribute<?> earlier, @Nullable Attribute<?> sent, Attribute<?> now) {
        if (earlier instanceof PortInfo before && now instanceof PortInfo newer) {
            return isEither(before, sent instanceof PortInfo written ? written : before, newer, FREE_IN_READINGS);
        }
        return !(earlier instanceof SwitchInfo before && now instanceof SwitchInfo newer)
                || before.agrees(newer, OF_SWITCH);
    }

    /**
     * Checks whether an answer to Set(PortInfo) can be true: each field has its previous value, or the
     * written one.
     *
     * @param before the port as it was read before the Set; null if it was not
     * @param sent value of the Set; null if it had none
     */
    public static boolean isResult(@Nullable PortInfo before, @Nullable PortInfo sent, PortInfo answer) {
        return before == null
                || sent == null
                || answer.agrees(sent, WRITTEN)
                || isEither(before, sent, answer, FREE_IN_ANSWERS);
    }

    /** Checks whether each field has its value from one of two ports, except for free fields. */
    private static boolean isEither(PortInfo one, PortInfo other, PortInfo now, List<Field> free) {
        return PortInfo.TYPE.layout().fields().stream()
                .filter(field -> !free.contains(field))
                .allMatch(field -> now.get(field) == one.get(field) || now.get(field) == other.get(field));
    }
}
