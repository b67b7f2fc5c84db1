package io.torussm.daemon.config.migration;

import io.torussm.daemon.config.Engines;
import io.torussm.routing.Engine;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The names in OpenSM's {@code routing_engine}, and the engines of this program for them. */
final class OpenSmEngines {
    private OpenSmEngines() {}

    /** Returns the names in a value of {@code routing_engine}, in their order. */
    static List<String> words(OpenSmConf.Item item) {
        return Arrays.stream(item.value().split("[, \\t]+", -1))
                .filter(word -> !word.isEmpty())
                .toList();
    }

    /** Returns the engine of this program for a name, also of a vendor's OpenSM; empty if there is none. */
    static Optional<String> own(String name) {
        return names().contains(name) ? Optional.of(name) : VendorOptions.engine(name);
    }

    /** Returns the names of all engines of this program, sorted. */
    static List<String> names() {
        return Engines.ALL.stream().map(Engine::name).sorted().toList();
    }
}
