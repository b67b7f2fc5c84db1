package io.torussm.deadlock.chain;

import io.torussm.event.Spelling;
import io.torussm.routing.Engine;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * A parser of {@code routing_engine}: names of engines, separated by commas, blanks or tabs. Names are case-sensitive.
 */
public final class EngineNames {
    /** A keyword, not an engine. With it, neither the last resort nor the default engine follows the named engines. */
    public static final String NO_FALLBACK = "no_fallback";

    private EngineNames() {}

    /**
     * Returns the engines that {@code routing_engine} names, in order; an empty list if it names none.
     *
     * @param names value of {@code routing_engine}
     * @param known all existing engines
     * @throws IllegalArgumentException if a name is unknown; the message proposes a known one
     */
    public static List<Engine> engines(String names, Collection<? extends Engine> known) {
        List<Engine> chain = new ArrayList<>();
        for (String name : words(names)) {
            if (!name.isEmpty() && !name.equals(NO_FALLBACK)) {
                chain.add(known.stream()
                        .filter(engine -> engine.name().equals(name))
                        .findFirst()
                        .orElseThrow(() -> unknown(name, known)));
            }
        }
        return chain;
    }

    static boolean hasNoFallback(String names) {
        return words(names).contains(NO_FALLBACK);
    }

    private static List<String> words(String names) {
        return List.of(names.split("[,\\s]+", -1));
    }

    private static IllegalArgumentException unknown(String name, Collection<? extends Engine> known) {
        Set<String> all = new TreeSet<>(Set.of(NO_FALLBACK));
        known.forEach(engine -> all.add(engine.name()));
        return new IllegalArgumentException("there is no engine \"" + name + "\"; did you mean \""
                + Spelling.nearest(name, all) + "\"? Known: " + String.join(", ", all));
    }
}
