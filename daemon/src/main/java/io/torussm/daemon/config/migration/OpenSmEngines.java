package io.torussm.daemon.config.migration;

import io.torussm.daemon.config.Engines;
import io.torussm.deadlock.chain.EngineNames;
import io.torussm.routing.Engine;
import io.torussm.routing.minhop.MinHopEngine;
import io.torussm.torus2qos.Torus2QosEngine;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The value of OpenSM's {@code routing_engine}, and the engines of this program for it. OpenSM routes by minhop if it
 * is not set. Immutable.
 *
 * @param engines engine of this program by the name in the value, in its order; empty for a name without an engine
 * @param isFallbackForbidden whether the value contains {@code no_fallback}
 */
record OpenSmEngines(Map<String, Optional<String>> engines, boolean isFallbackForbidden) {
    /** Parses the value of an option. */
    static OpenSmEngines of(OpenSmConf.Item item) {
        String value = item.isUnset() ? MinHopEngine.NAME : item.value();
        Map<String, Optional<String>> engines = new LinkedHashMap<>();
        Arrays.stream(value.split("[, \\t]+", -1))
                .filter(name -> !name.isEmpty())
                .forEach(name -> engines.put(name, ownEngine(name)));
        boolean isFallbackForbidden = engines.remove(EngineNames.NO_FALLBACK) != null;
        return new OpenSmEngines(engines, isFallbackForbidden);
    }

    /** Returns the engine of this program for a name, also of a vendor's OpenSM; empty if there is none. */
    private static Optional<String> ownEngine(String name) {
        return ownNames().contains(name) ? Optional.of(name) : VendorOptions.engine(name);
    }

    /** Returns the names of all engines of this program, sorted. */
    static List<String> ownNames() {
        return Engines.ALL.stream().map(Engine::name).sorted().toList();
    }

    /** Checks whether no name has an engine of this program. */
    boolean isEmpty() {
        return engines.values().stream().allMatch(Optional::isEmpty);
    }

    /** Checks whether torus-2QoS is one of the engines. */
    boolean hasTorus() {
        return engines.containsValue(Optional.of(Torus2QosEngine.NAME));
    }

    /** Returns the value of {@code routing_engine} of this program; minhop if no name has an engine. */
    String value() {
        List<String> names = new ArrayList<>(
                engines.values().stream().flatMap(Optional::stream).distinct().toList());
        if (names.isEmpty()) {
            return MinHopEngine.NAME;
        }
        if (isFallbackForbidden) {
            names.add(EngineNames.NO_FALLBACK);
        }
        return String.join(",", names);
    }
}
