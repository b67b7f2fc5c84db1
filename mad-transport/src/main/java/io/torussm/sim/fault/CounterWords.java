package io.torussm.sim.fault;

import io.torussm.mad.Field;
import io.torussm.mad.perf.CounterSet;
import io.torussm.mad.perf.PortCounters;
import io.torussm.mad.perf.PortCountersExtended;
import io.torussm.mad.perf.PortRcvErrorDetails;
import io.torussm.mad.perf.PortXmitDiscardDetails;
import io.torussm.sim.SimInterventions.CableEnd;
import io.torussm.sim.model.PortCounter;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The commands of the console about counters of ports. */
final class CounterWords {
    private static final String SET = "PerformanceSet \"nodeid\"[port] attribute.field=value";
    private static final String COUNTERS = "Counters \"nodeid\"[port]";
    private static final String RISING = "Rising \"nodeid\"[port] counter every TIME [by NUMBER]";
    private static final String STILL = "Still \"nodeid\"[port] counter";

    /** Counters by the name of their attribute in lower case. */
    private static final Map<String, List<Field>> ATTRIBUTES = Map.of(
            "portcounters", PortCounters.COUNTERS.counters(),
            "portcountersextended", PortCountersExtended.COUNTERS.counters(),
            "portrcverrordetails", PortRcvErrorDetails.COUNTERS.counters(),
            "portxmitdiscarddetails", PortXmitDiscardDetails.COUNTERS.counters());

    /** Counters by their name in lower case. */
    private static final Map<String, PortCounter> BY_NAME = byName();

    private final Faults faults;

    CounterWords(Faults faults) {
        this.faults = faults;
    }

    private static Map<String, PortCounter> byName() {
        Map<String, PortCounter> names = new HashMap<>();
        Arrays.stream(PortCounter.values()).forEach(counter -> names.put(lower(counter.toString()), counter));
        return names;
    }

    private static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }

    List<ConsoleWord> all() {
        return List.of(
                new ConsoleWord("PerformanceSet", SET, "set perf. counters values", this::set),
                new ConsoleWord("Counters", COUNTERS, "the counters of a port that are not 0", this::counters),
                new ConsoleWord(
                        "Rising",
                        RISING,
                        "a counter increases without traffic, as that of symbol errors of a bad cable",
                        this::rising),
                new ConsoleWord("Still", STILL, "it goes up no longer", this::still));
    }

    private ConsoleWord.Action set(ConsoleLine line) throws BadLineException {
        Arguments args = args(line, SET);
        CableEnd port = args.port(0, 0);
        String assignment = args.remainder();
        int dot = assignment.indexOf('.');
        int equals = assignment.indexOf('=');
        if (dot < 1 || equals < dot) {
            throw new BadLineException("command does not match: " + SET);
        }
        String attribute = assignment.substring(0, dot).strip();
        String field = assignment.substring(dot + 1, equals).strip();
        long value = value(assignment.substring(equals + 1).strip());
        List<Field> fields = ATTRIBUTES.get(lower(attribute));
        if (fields == null) {
            throw new BadLineException("attribute " + attribute + " not found; use PortCounters, PortCountersExtended,"
                    + " PortRcvErrorDetails or PortXmitDiscardDetails");
        }
        Field found = fields.stream()
                .filter(each -> lower(each.name()).equals(iba(field)))
                .findFirst()
                .orElseThrow(() -> new BadLineException("field " + field + " cannot be found in attribute " + attribute
                        + "; use one of " + fields.stream().map(Field::name).collect(Collectors.joining(", "))));
        // A value above the max is cut, as a counter stops there.
        long limit = CounterSet.maximum(found);
        long cutValue = Long.compareUnsigned(value, limit) > 0 ? limit : value;
        return () -> {
            faults.fabric().portCounters().set(port.nodeGuid(), port.portNum(), PortCounter.of(found), cutValue);
            return ConsoleReply.success(faults.nodes().of(port.nodeGuid()).id() + "[" + port.portNum() + "] "
                    + attribute + "." + field + " has been set to " + Long.toUnsignedString(cutValue));
        };
    }

    /** Returns the spelling of IBA in lower case for a name that ibsim spells differently. */
    private static String iba(String field) {
        return lower(field).replace("malformedpacket", "malformedpkt");
    }

    private static long value(String text) throws BadLineException {
        try {
            return text.startsWith("0x") || text.startsWith("0X")
                    ? Long.parseUnsignedLong(text.substring(2), 16)
                    : Long.parseUnsignedLong(text);
        } catch (NumberFormatException e) {
            throw new BadLineException("value '" + text + "' is not valid integer; use 0 to 18446744073709551615");
        }
    }

    private ConsoleWord.Action counters(ConsoleLine line) throws BadLineException {
        Arguments args = args(line, COUNTERS);
        List<CableEnd> ports = args.ports(0, 0);
        args.requireEnd();
        return () -> {
            StringBuilder text = new StringBuilder();
            for (CableEnd port : ports) {
                for (PortCounter counter : PortCounter.values()) {
                    long count = faults.fabric().portCounters().get(port.nodeGuid(), port.portNum(), counter);
                    if (count != 0) {
                        text.append(faults.nodes().text(port))
                                .append(' ')
                                .append(counter)
                                .append(' ');
                        text.append(Long.toUnsignedString(count)).append('\n');
                    }
                }
            }
            return ConsoleReply.success(text.isEmpty() ? "all counters are 0" : text.toString());
        };
    }

    private ConsoleWord.Action rising(ConsoleLine line) throws BadLineException {
        Arguments args = args(line, RISING);
        CableEnd port = args.port(0, 0);
        PortCounter counter = counter(args);
        args.removeRequiredWord("every");
        long periodNs = args.timeSpanNs();
        long by = args.removeIfEqual("by") ? args.number(1, Integer.MAX_VALUE) : 1;
        args.requireEnd();
        return ConsoleWord.silentAction(() -> faults.startRising(port, counter, by, periodNs));
    }

    private ConsoleWord.Action still(ConsoleLine line) throws BadLineException {
        Arguments args = args(line, STILL);
        CableEnd port = args.port(0, 0);
        PortCounter counter = counter(args);
        args.requireEnd();
        return ConsoleWord.silentAction(() -> faults.stopRising(port, counter));
    }

    private PortCounter counter(Arguments args) throws BadLineException {
        String name = args.word("a counter");
        PortCounter counter = BY_NAME.get(lower(name));
        if (counter == null) {
            throw new BadLineException("there is no counter " + name + "; use one of "
                    + Arrays.stream(PortCounter.values())
                            .map(PortCounter::toString)
                            .collect(Collectors.joining(", ")));
        }
        return counter;
    }

    private Arguments args(ConsoleLine line, String usage) {
        return new Arguments(faults.nodes(), line, usage);
    }
}
