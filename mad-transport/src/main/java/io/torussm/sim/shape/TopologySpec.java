package io.torussm.sim.shape;

import io.torussm.sim.topology.Topology;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The description of a fabric in one word of a command line: a shape, a colon, and its numbers. Immutable.
 *
 * <p>{@link #GRAMMAR} lists all forms. Every topology has at most 49,151 LIDs and switches with at most 254 ports.
 */
public final class TopologySpec {
    /** All forms, separated by {@code |}, for messages and help. */
    public static final String GRAMMAR =
            Arrays.stream(Shape.values()).map(shape -> shape.grammar).collect(Collectors.joining(" | "));

    private static final Pattern WORD = Pattern.compile("([a-z]+)(:.*)?", Pattern.DOTALL);

    /** A prefix of other words that are accepted in the same place. */
    private static final String SOCKET = "unix";

    private final String text;
    private final Shape shape;

    private TopologySpec(String text, Shape shape) {
        this.text = text;
        this.shape = shape;
    }

    /**
     * Checks whether a word is a spec rather than the name of a file: it begins with lower-case letters and a colon, or
     * is a shape without numbers. {@code unix:} begins the name of a socket.
     */
    public static boolean isSpec(String text) {
        Matcher word = WORD.matcher(text.strip());
        if (!word.matches() || word.group(1).equals(SOCKET)) {
            return false;
        }
        return word.group(2) != null
                || Arrays.stream(Shape.values()).anyMatch(shape -> shape.grammar.equals(text.strip()));
    }

    /**
     * Checks whether a word begins like a torus of several switches. A single switch has no link that a seed could
     * name.
     */
    public static boolean isTorusWithConf(String text) {
        return text.startsWith(TorusSpec.PREFIX) && !text.matches(TorusSpec.PREFIX + "1x1(x1)?(,.*)?");
    }

    /**
     * Finds the shape of a spec, without checking its numbers.
     *
     * @throws IllegalArgumentException if no shape has the name; the message lists the forms
     */
    public static TopologySpec of(String text) {
        String name = text.strip().split(":", 2)[0];
        return Arrays.stream(Shape.values())
                .filter(shape -> shape.name().equalsIgnoreCase(name))
                .findFirst()
                .map(shape -> new TopologySpec(text.strip(), shape))
                .orElseThrow(() -> new IllegalArgumentException("no shape is called \"" + name + "\"; expected "
                        + GRAMMAR + "; a file of this name is ./" + text));
    }

    /**
     * Builds the topology.
     *
     * @throws IllegalArgumentException if the numbers are invalid for the shape; the message contains the valid form
     */
    public Topology topology() {
        if (shape == Shape.TORUS) {
            return TorusSpec.parse(text).topology();
        }
        SpecWords words = new SpecWords(text, shape.grammar);
        Topology topology = read(words);
        words.checkAllUsed();
        return topology;
    }

    private Topology read(SpecWords words) {
        return switch (shape) {
            case TREE -> TreeShape.read(words);
            case HYPERCUBE -> HypercubeShape.read(words);
            case DRAGONFLY -> DragonflyShape.read(words);
            case RANDOM -> RandomShape.read(words);
            case PAIR -> CableShape.pair(words);
            case LOOP -> CableShape.loop(words);
            case TORUS -> throw new IllegalStateException("TorusSpec reads the words of a torus");
        };
    }

    private enum Shape {
        TORUS("torus:XxY[xZ][,hosts=N][,links=N][,mesh=xyz][,ports=N]"),
        TREE(TreeShape.GRAMMAR),
        HYPERCUBE(HypercubeShape.GRAMMAR),
        DRAGONFLY(DragonflyShape.GRAMMAR),
        RANDOM(RandomShape.GRAMMAR),
        PAIR("pair"),
        LOOP("loop");

        private final String grammar;

        Shape(String grammar) {
            this.grammar = grammar;
        }
    }
}
