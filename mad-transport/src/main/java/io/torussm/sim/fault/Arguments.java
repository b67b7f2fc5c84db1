package io.torussm.sim.fault;

import io.torussm.mad.Field;
import io.torussm.mad.Method;
import io.torussm.sim.SimInterventions.CableEnd;
import io.torussm.sim.fault.ConsoleLine.Subject;
import io.torussm.sim.model.AgentProfile;
import io.torussm.sim.model.AttributeNames;
import io.torussm.sim.topology.Topology;
import java.util.List;
import java.util.ListIterator;
import java.util.Map;

/** The arguments of a line, taken in order. The error about an argument contains the usage of the line. */
final class Arguments {
    private final Nodes nodes;
    private final ConsoleLine line;
    private final String usage;
    private final ListIterator<String> rest;

    Arguments(Nodes nodes, ConsoleLine line, String usage) {
        this.nodes = nodes;
        this.line = line;
        this.usage = usage;
        rest = line.rest().listIterator();
    }

    private Subject subject(int index) throws BadLineException {
        if (index >= line.subjects().size()) {
            throw wrong("bad parameter in \"" + line.text() + '"');
        }
        return line.subjects().get(index);
    }

    private BadLineException wrong(String reason) {
        return new BadLineException(reason + "; write " + usage);
    }

    /** Checks whether there is a name in quotes at this place. */
    boolean has(int index) {
        return index < line.subjects().size();
    }

    /** Checks whether a port is given at this place. */
    boolean hasPort(int index) throws BadLineException {
        return subject(index).hasPort();
    }

    /** Returns the name in quotes at this place. */
    String quoted(int index) throws BadLineException {
        return subject(index).name();
    }

    Topology.Node node(int index) throws BadLineException {
        return nodes.find(subject(index));
    }

    /** Returns the same, and no port of it. */
    Topology.Node wholeNode(int index) throws BadLineException {
        if (subject(index).hasPort()) {
            throw wrong(subject(index) + " names a port, and this is done to a whole node");
        }
        return node(index);
    }

    /** Returns the port that is named there, from number {@code min} on. */
    CableEnd port(int index, int min) throws BadLineException {
        return nodes.port(subject(index), min);
    }

    /** Returns the same, or all ports of a node that is named without. */
    List<CableEnd> ports(int index, int min) throws BadLineException {
        return nodes.ports(subject(index), min);
    }

    boolean hasMore() {
        return rest.hasNext();
    }

    String word(String noun) throws BadLineException {
        need(noun);
        return rest.next();
    }

    /** Requires that another argument follows. */
    void need(String noun) throws BadLineException {
        if (!rest.hasNext()) {
            throw wrong(noun + " is missing");
        }
    }

    /** Returns all words that are left, as one. */
    String remainder() {
        StringBuilder text = new StringBuilder();
        rest.forEachRemaining(word -> text.append(text.isEmpty() ? "" : " ").append(word));
        return text.toString();
    }

    /** Takes a word if it is the next one. */
    boolean takes(String word) {
        if (rest.hasNext()) {
            if (rest.next().equalsIgnoreCase(word)) {
                return true;
            }
            rest.previous();
        }
        return false;
    }

    void expect(String word) throws BadLineException {
        if (!takes(word)) {
            throw wrong("\"" + word + "\" is missing");
        }
    }

    /** Requires that no argument follows. */
    void end() throws BadLineException {
        if (rest.hasNext()) {
            throw wrong("\"" + rest.next() + "\" is too much");
        }
    }

    long span() throws BadLineException {
        return TimeSpans.take(rest);
    }

    /** Returns a whole number, decimal, or hexadecimal after 0x. */
    long number(long min, long max) throws BadLineException {
        String word = word("a number");
        try {
            long value = Long.decode(word);
            if (value >= min && value <= max) {
                return value;
            }
        } catch (NumberFormatException e) {
            throw wrong("\"" + word + "\" is no number");
        }
        throw wrong(word + " is not in the range " + min + " to " + max);
    }

    /** Returns a probability, or what there is instead of one. */
    double probability(double defaultValue) throws BadLineException {
        if (!rest.hasNext()) {
            return defaultValue;
        }
        String word = rest.next();
        try {
            double value = Double.parseDouble(word);
            if (value >= 0 && value <= 1) {
                return value;
            }
        } catch (NumberFormatException e) {
            throw wrong("\"" + word + "\" is no probability");
        }
        throw wrong(word + " is no probability, which is 0 to 1");
    }

    /** Returns an attribute by name or number. */
    int attribute() throws BadLineException {
        String word = word("an attribute");
        for (Map.Entry<String, Integer> each : AttributeNames.all().entrySet()) {
            if (each.getKey().equalsIgnoreCase(word)) {
                return each.getValue();
            }
        }
        if (!word.isEmpty() && Character.isDigit(word.charAt(0))) {
            rest.previous();
            return (int) number(0, 0xffff);
        }
        throw wrong("there is no attribute " + word + "; use a number, or one of "
                + String.join(", ", AttributeNames.all().keySet()));
    }

    /** Returns a field of an attribute by IBA's name, or a byte of it by number. */
    Field field(int attribute) throws BadLineException {
        String word = word("a field or the number of a byte");
        return AttributeNames.field(attribute, word)
                .orElseThrow(() -> wrong("the attribute has no field " + word + ", nor is that a byte from 0 to 63"));
    }

    /** Takes Get, Set or any, if one of these follows; else returns any. */
    int method() {
        if (takes("Get")) {
            return Method.GET;
        } else if (takes("Set")) {
            return Method.SET;
        }
        takes(AttributeNames.ANY);
        return AgentProfile.ANY;
    }
}
