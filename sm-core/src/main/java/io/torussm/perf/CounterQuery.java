package io.torussm.perf;

import io.torussm.mad.Attribute;
import io.torussm.mad.Field;
import io.torussm.mad.perf.CounterSet;
import io.torussm.mad.perf.PortCounters;
import io.torussm.mad.perf.PortCountersExtended;
import io.torussm.mad.perf.PortRcvErrorDetails;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BiPredicate;

/**
 * The attributes with counters, in the order in which they are read. The attribute with the widest fields is first: a
 * counter is taken from the first attribute that has it.
 */
@SuppressWarnings("ImmutableEnumChecker") // immutable after construction
enum CounterQuery {
    EXTENDED(PortCountersExtended.COUNTERS, CounterQuery::isInExtended),
    BASIC(PortCounters.COUNTERS, CounterQuery::isInBasic),
    DETAILS(PortRcvErrorDetails.COUNTERS, (counter, can) -> true);

    /** The counters that every PortCountersExtended has. */
    private static final Set<Counter> TRAFFIC =
            Set.of(Counter.XMIT_DATA, Counter.RCV_DATA, Counter.XMIT_PACKETS, Counter.RCV_PACKETS);

    private static final Set<Counter> CAST_COUNTERS = Set.of(
            Counter.UNICAST_XMIT_PACKETS,
            Counter.UNICAST_RCV_PACKETS,
            Counter.MULTICAST_XMIT_PACKETS,
            Counter.MULTICAST_RCV_PACKETS);

    /** Percentage of the range of a counter from which it is cleared, as in OpenSM. */
    private static final int CLEARED_PERCENT = 75;

    private final CounterSet<?> set;
    private final BiPredicate<Counter, AgentCapability> isSupported;
    private final List<Place> places = new ArrayList<>();

    private record Place(Field field, Counter counter) {}

    CounterQuery(CounterSet<?> set, BiPredicate<Counter, AgentCapability> isThere) {
        this.set = set;
        this.isSupported = isThere;
        for (Field field : set.counters()) {
            Counter.named(field.name()).ifPresent(counter -> places.add(new Place(field, counter)));
        }
    }

    private static boolean isInExtended(Counter counter, AgentCapability can) {
        return TRAFFIC.contains(counter)
                || (CAST_COUNTERS.contains(counter) ? can.hasUnicastAndMulticast() : can.hasExtendedErrors());
    }

    private static boolean isInBasic(Counter counter, AgentCapability can) {
        return switch (counter) {
            case XMIT_WAIT -> can.hasWait();
            case QP1_DROPPED -> can.hasQp1Drops();
            default -> true;
        };
    }

    /** Checks whether this attribute is to be read from an agent. */
    boolean isWanted(AgentCapability can, boolean readsDetails) {
        return switch (this) {
            case EXTENDED -> can.hasExtended();
            case BASIC -> !can.hasExtendedErrors();
            case DETAILS -> readsDetails && can.hasDetails();
        };
    }

    /** Returns the attribute. */
    CounterSet<?> set() {
        return set;
    }

    /** Stores the counters of an answer that the reading does not contain yet. */
    void read(Attribute<?> answer, AgentCapability can, PortReading into) {
        for (Place place : places) {
            if (!into.has(place.counter()) && isSupported.test(place.counter(), can)) {
                into.set(
                        place.counter(),
                        answer.get(place.field()),
                        place.field().width());
            }
        }
    }

    /**
     * Selects the counters of this attribute that will soon reach their maximum.
     *
     * @param from the reading; a counter that was read from another attribute is not selected
     * @param chosen receives the counters to be cleared
     * @return whether a counter was selected
     */
    boolean selectForClearing(PortReading from, PortReading chosen) {
        chosen.clear();
        boolean hasChosen = false;
        for (Place place : places) {
            Counter counter = place.counter();
            if (from.width(counter) == place.field().width() && from.isOver(counter, CLEARED_PERCENT)) {
                chosen.set(counter, from.value(counter), from.width(counter));
                hasChosen = true;
            }
        }
        return hasChosen;
    }

    /** Returns the fields of this attribute that contain the chosen counters. */
    List<Field> fields(PortReading chosen) {
        return places.stream()
                .filter(place -> chosen.has(place.counter()))
                .map(Place::field)
                .toList();
    }
}
