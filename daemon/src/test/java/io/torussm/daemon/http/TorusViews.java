package io.torussm.daemon.http;

import io.torussm.daemon.DrawnTopology;
import io.torussm.daemon.ServiceHarness;
import io.torussm.daemon.config.Configuration;
import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.planning.OfflineRouting;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.TopologyText;
import io.torussm.view.PublishedView;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/** Routed fabrics for tests of views: whole tori, damaged ones, stored ones, and fabrics that are no torus. */
public final class TorusViews {
    private TorusViews() {}

    /** Returns the view of a whole torus of {@code --simulate}. */
    public static PublishedView view(String spec) {
        return route(Map.of(Settings.SIMULATE, spec));
    }

    /**
     * A torus some of which is missing.
     *
     * @param dir for its files
     * @param gone cables {@code A>B} of switches by their names, and switches
     */
    public static PublishedView viewWithout(Path dir, String spec, List<String> gone) throws IOException {
        StringBuilder text = new StringBuilder();
        TorusSpec torus = TorusSpec.parse(spec);
        TopologyText.write(torus.topology(), text);
        Path topology = dir.resolve("torus.topo");
        Files.writeString(topology, cut(text.toString(), gone));
        String conf = ServiceHarness.torusConf(dir, torus);
        return route(Map.of(Settings.SIMULATE, topology.toString(), Settings.TORUS_CONFIG, conf));
    }

    /** Returns any fabric, routed by an engine that needs no configuration. */
    public static PublishedView viewOf(Path dir, DrawnTopology topology, String engine) throws IOException {
        Path file = Files.writeString(dir.resolve("drawn.topo"), topology.text());
        return route(Map.of(Settings.SIMULATE, file.toString(), Settings.ROUTING_ENGINE, engine));
    }

    /** Returns the view of a fabric on which OpenSM's tables were recorded. */
    public static PublishedView recordedView(Path dir, String name) throws IOException {
        Path golden = Path.of("..", "routing-torus2qos", "src", "test", "resources", "golden", name);
        Path topology = dir.resolve(name + ".topo");
        try (InputStream text = new GZIPInputStream(Files.newInputStream(golden.resolve("fabric.topo.gz")))) {
            Files.copy(text, topology);
        }
        return route(Map.of(
                Settings.SIMULATE,
                topology.toString(),
                Settings.TORUS_CONFIG,
                golden.resolve("torus-2QoS.conf").toString()));
    }

    /** Leaves out the blocks of switches, and all lines about cables that are gone. */
    private static String cut(String text, List<String> gone) {
        Map<String, String> ids = new HashMap<>();
        Pattern.compile("^Switch\\t\\d+ \"(S-[0-9a-f]+)\"\\s+# \"([^\"]+)\"", Pattern.MULTILINE)
                .matcher(text)
                .results()
                .forEach(found -> ids.put(found.group(2), found.group(1)));
        StringBuilder remaining = new StringBuilder();
        for (String block : text.split("\n\n", -1)) {
            if (gone.stream().noneMatch(name -> isOf(block, ids.get(name)))) {
                block.lines()
                        .filter(line -> gone.stream().noneMatch(name -> isAbout(block, line, name, ids)))
                        .forEach(line -> remaining.append(line).append('\n'));
                remaining.append('\n');
            }
        }
        return remaining.toString();
    }

    private static boolean isOf(String block, @Nullable String id) {
        return id != null && block.lines().anyMatch(line -> line.startsWith("Switch") && line.contains(id));
    }

    private static boolean isAbout(String block, String line, String gone, Map<String, String> ids) {
        List<String> ends = List.of(gone.split(">", -1));
        boolean isCable = line.startsWith("[");
        String first = Objects.requireNonNull(ids.get(ends.get(0)), gone);
        if (ends.size() == 1) {
            return isCable && line.contains(first);
        }
        String second = Objects.requireNonNull(ids.get(ends.get(1)), gone);
        return isCable && (isOf(block, first) && line.contains(second) || isOf(block, second) && line.contains(first));
    }

    private static PublishedView route(Map<Setting<?>, String> settings) {
        Map<Setting<?>, Configuration.CommandLineValue> values = new TreeMap<>();
        settings.forEach((setting, value) -> values.put(setting, new Configuration.CommandLineValue("test", value)));
        values.put(Settings.QOS, new Configuration.CommandLineValue("test", "true"));
        try {
            OfflineRouting.Outcome outcome = OfflineRouting.route(Configuration.read(null, values));
            return Objects.requireNonNull(
                    outcome.view(), () -> outcome.findings().toString());
        } catch (ConfigurationException e) {
            throw new AssertionError(e.problems().toString(), e);
        }
    }
}
