package io.torussm.daemon;

import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.Settings;
import io.torussm.sim.shape.TopologySpec;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.Topology;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * The fabric of a storm and its routing.
 *
 * @param text a spec of the fabric, and its engines if the settings name any
 * @param conf the text of torus-2QoS.conf
 * @param settings settings of the engines of a tree
 */
record StormGround(String text, Topology topology, String conf, Map<Setting<?>, String> settings) {
    private static final int SEVERAL_HOSTS = 40;

    /** Chains of engines of trees; empty for the default. */
    private static final List<String> TREE_ENGINES = List.of("ftree,updn", "ftree", "updn", "auto", "");

    /**
     * Draws one of several shapes, and the rest of it.
     *
     * @param mostLinks cables between two switches of a torus
     */
    static StormGround random(StormStory story, List<String> shapes, int mostLinks) {
        String shape = story.pick(shapes);
        return shape.startsWith("torus:") ? torus(story.random, shape, mostLinks) : tree(story, shape);
    }

    /** Returns a torus that torus-2QoS routes. */
    static StormGround of(String torus) {
        TorusSpec spec = TorusSpec.parse(torus);
        return new StormGround(torus, spec.topology(), spec.torus2QosConf(), Map.of());
    }

    private static StormGround torus(Random random, String torus, int mostLinks) {
        TorusSpec size = TorusSpec.parse(torus);
        int switches = size.x() * size.y() * size.z();
        String text = torus + ",hosts=" + (1 + random.nextInt(switches > SEVERAL_HOSTS ? 1 : 2)) + ",links="
                + Math.min(mostLinks, random.nextInt(4) == 0 ? 2 : 1);
        return of(text);
    }

    private static StormGround tree(StormStory story, String tree) {
        String engines = story.pick(TREE_ENGINES);
        Map<Setting<?>, String> settings = new TreeMap<>();
        settings.put(Settings.QOS, "false");
        if (!engines.isEmpty()) {
            settings.put(Settings.ROUTING_ENGINE, engines);
        }
        return new StormGround(
                tree + " by " + (engines.isEmpty() ? "default" : engines),
                TopologySpec.of(tree).topology(),
                "",
                settings);
    }

    /** Checks whether the engine is chosen at the start, by the fabric at that time, and stays. */
    boolean isAutoOnTree() {
        return !isTorus()
                && settings.getOrDefault(Settings.ROUTING_ENGINE, "auto").equals("auto");
    }

    /** Checks whether torus-2QoS routes it. */
    boolean isTorus() {
        return !conf.isEmpty();
    }
}
