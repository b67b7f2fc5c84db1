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

/**
 * The arguments of a line of the console, read in order: names in quotes by index, other words from left to right. The
 * error about an argument contains the usage of the line.
 */
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

    /**
     * Returns a name in quotes with its port.
     *
     * @param index index of the name in the line, from 0
     */
    private Subject subject(int index) throws BadLineException {
        if (index >= line.subjects().size()) {
            throw badLine("bad parameter in \"" + line.text() + '"');
        }
        return line.subjects().get(index);
    }

    private BadLineException badLine(String reason) {
        return new BadLineException(reason + "; write " + usage);
    }

    /** Checks whether the line has a name in quotes with this index, from 0. */
    boolean has(int index) {
        return index < line.subjects().size();
    }

    /** Checks whether the name in quotes with this index is followed by a port. */
    boolean hasPort(int index) throws BadLineException {
        return subject(index).hasPort();
    }

    /** Returns the name in quotes with this index, without its port. */
    String quoted(int index) throws BadLineException {
        return subject(index).name();
    }

    /** Returns the node that the name in quotes with this index denotes, with or without a port. */
    Topology.Node node(int index) throws BadLineException {
        return nodes.find(subject(index));
    }

    /** Returns the node that the name in quotes with this index denotes. Rejects a port behind the name. */
    Topology.Node wholeNode(int index) throws BadLineException {
        if (subject(index).hasPort()) {
            throw badLine(subject(index) + " names a port, and this is done to a whole node");
        }
        return node(index);
    }

    /**
     * Returns the port that the name in quotes with this index denotes.
     *
     * @param min lowest valid port number
     */
    CableEnd port(int index, int min) throws BadLineException {
        return nodes.port(subject(index), min);
    }

    /**
     * Returns the port that the name in quotes with this index denotes; without a port, all ports of the node.
     *
     * @param min lowest valid port number
     */
    List<CableEnd> ports(int index, int min) throws BadLineException {
        return nodes.ports(subject(index), min);
    }

    boolean hasMore() {
        return rest.hasNext();
    }

    /**
     * Returns the next word.
     *
     * @param noun noun of the word, for the error
     */
    String word(String noun) throws BadLineException {
        requireWord(noun);
        return rest.next();
    }

    /**
     * Checks that another word follows.
     *
     * @param noun noun of the word, for the error
     */
    void requireWord(String noun) throws BadLineException {
        if (!rest.hasNext()) {
            throw badLine(noun + " is missing");
        }
    }

    /** Returns all remaining words as one text. */
    String remainder() {
        StringBuilder text = new StringBuilder();
        rest.forEachRemaining(word -> text.append(text.isEmpty() ? "" : " ").append(word));
        return text.toString();
    }

    /** Removes the next word if it equals a word, without regard to case. Returns false otherwise. */
    boolean removeIfEqual(String word) {
        if (rest.hasNext()) {
            if (rest.next().equalsIgnoreCase(word)) {
                return true;
            }
            rest.previous();
        }
        return false;
    }

    /** Removes the next word, which must equal a word. */
    void removeRequiredWord(String word) throws BadLineException {
        if (!removeIfEqual(word)) {
            throw badLine("\"" + word + "\" is missing");
        }
    }

    /** Rejects further words. */
    void requireEnd() throws BadLineException {
        if (rest.hasNext()) {
            throw badLine("\"" + rest.next() + "\" is too much");
        }
    }

    /** Returns a span of time in nanoseconds, from one or two words. */
    long timeSpanNs() throws BadLineException {
        return TimeSpans.parse(rest);
    }

    /** Returns the next word as an integer in a range: decimal, or hexadecimal after 0x. */
    long number(long min, long max) throws BadLineException {
        String word = word("a number");
        try {
            long value = Long.decode(word);
            if (value >= min && value <= max) {
                return value;
            }
        } catch (NumberFormatException e) {
            throw badLine("\"" + word + "\" is no number");
        }
        throw badLine(word + " is not in the range " + min + " to " + max);
    }

    /** Returns the next word as a probability, 0 to 1; the default value without another word. */
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
            throw badLine("\"" + word + "\" is no probability");
        }
        throw badLine(word + " is no probability, which is 0 to 1");
    }

    /** Returns the attribute ID that the next word denotes by name or number, or {@link AgentProfile#ANY}. */
    int attribute() throws BadLineException {
        String word = word("an attribute");
        for (Map.Entry<String, Integer> entry : AttributeNames.all().entrySet()) {
            if (entry.getKey().equalsIgnoreCase(word)) {
                return entry.getValue();
            }
        }
        if (!word.isEmpty() && Character.isDigit(word.charAt(0))) {
            rest.previous();
            return (int) number(0, 0xffff);
        }
        throw badLine("there is no attribute " + word + "; use a number, or one of "
                + String.join(", ", AttributeNames.all().keySet()));
    }

    /** Returns the field of an attribute that the next word denotes: by IBA's name, or as a byte by its number. */
    Field field(int attribute) throws BadLineException {
        String word = word("a field or the number of a byte");
        return AttributeNames.field(attribute, word)
                .orElseThrow(() -> badLine("the attribute has no field " + word + ", nor is that a byte from 0 to 63"));
    }

    /**
     * Removes {@code Get}, {@code Set} or {@code any} if it is the next word. Returns Get, Set or
     * {@link AgentProfile#ANY}.
     */
    int method() {
        if (removeIfEqual("Get")) {
            return Method.GET;
        } else if (removeIfEqual("Set")) {
            return Method.SET;
        }
        removeIfEqual(AttributeNames.ANY);
        return AgentProfile.ANY;
    }
}
