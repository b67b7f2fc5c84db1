package io.torussm.mad.perf;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * The counters of an attribute of performance management (IBA 16.1.3.5). PortSelect selects the port, and each counter
 * has a bit in CounterSelect or CounterSelect2. A Get returns all counters. A Set clears the counters whose bit is set,
 * and its response contains the counters afterwards.
 *
 * @param <A> attribute
 */
public final class CounterSet<A extends Attribute<A>> {
    /**
     * PortSelect of all ports of a switch together: a Get returns sums, a Set clears all ports. Only with
     * {@link PerfCapability#ALL_PORT_SELECT}.
     */
    public static final int ALL_PORTS = 0xff;

    private final AttributeType<A> type;
    private final Field portSelect;
    private final List<Part> parts;
    private final List<Field> counters;

    /**
     * A field of select bits.
     *
     * @param select CounterSelect or CounterSelect2
     * @param counters counters of its bits 0, 1, ...
     */
    record Part(Field select, List<Field> counters) {}

    CounterSet(AttributeType<A> type, Field portSelect, Part... parts) {
        this.type = type;
        this.portSelect = portSelect;
        this.parts = List.of(parts);
        counters = this.parts.stream().flatMap(part -> part.counters().stream()).toList();
    }

    /** Returns the attribute that has the counters. */
    public AttributeType<A> type() {
        return type;
    }

    /** Returns all counters in the order of their bits. */
    public List<Field> counters() {
        return counters;
    }

    /** Returns the attribute of a Get for the counters of a port, 0 to 254, or of {@link #ALL_PORTS}. */
    public A readRequest(int port) {
        return type.zero().with(portSelect, port);
    }

    /**
     * Returns the attribute of a Set that clears counters of a port, 0 to 254, or of {@link #ALL_PORTS}.
     *
     * @throws IllegalArgumentException if a field is no counter of this attribute
     */
    public A clearRequest(int port, Collection<Field> cleared) {
        if (!counters.containsAll(cleared)) {
            List<Field> unknown = new ArrayList<>(cleared);
            unknown.removeAll(counters);
            throw new IllegalArgumentException(type.layout().name() + " does not count " + unknown);
        }
        A request = readRequest(port);
        for (Part part : parts) {
            long bits = 0;
            for (int i = 0; i < part.counters().size(); i++) {
                bits |= cleared.contains(part.counters().get(i)) ? 1L << i : 0;
            }
            request = request.with(part.select(), bits);
        }
        return request;
    }

    /** Returns the PortSelect of a request or response. */
    public int port(A attribute) {
        return (int) attribute.get(portSelect);
    }

    /** Returns the counters that a Set clears. Bits without a counter are ignored. */
    public List<Field> selectedCounters(A request) {
        List<Field> selected = new ArrayList<>();
        for (Part part : parts) {
            long bits = request.get(part.select());
            for (int i = 0; i < part.counters().size(); i++) {
                if ((bits >>> i & 1) != 0) {
                    selected.add(part.counters().get(i));
                }
            }
        }
        return selected;
    }

    /** Returns the max value of a counter, unsigned, at which it stops. */
    public static long maximum(Field counter) {
        return counter.width() == Long.SIZE ? -1L : (1L << counter.width()) - 1;
    }
}
