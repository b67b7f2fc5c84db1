package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.config.SimulatedTopology;
import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.http.server.HttpServer;
import io.torussm.daemon.log.JournalAppender;
import io.torussm.daemon.replica.JGroupsChannel;
import io.torussm.daemon.replica.KeyFile;
import io.torussm.daemon.replica.PeerChannel;
import io.torussm.daemon.sm.SubnetManager;
import io.torussm.daemon.system.NettyLoop;
import io.torussm.fabric.Fabric;
import io.torussm.sim.SimFabric;
import io.torussm.sim.model.FaultPlan;
import io.torussm.transport.MadTransport;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.stream.ImageOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;

/** The page in a real browser, on a real SM and an embedded fabric. */
abstract class PageOnFabric implements SubnetManager.Environment {
    private static final Path IMAGES = Path.of("../docs/operator/images");
    private static final int MAX_BYTES = 140_000;
    private static final int CLICKS = 5;
    private static final long STEP_NS = 100_000_000;

    @TempDir
    Path dir;

    private @Nullable SimFabric fabric;
    private @Nullable NettyLoop loop;

    @Override
    public MadTransport port(SmOptions options, NettyLoop simulation) throws ConfigurationException {
        SimFabric made = new SimFabric(SimulatedTopology.read(options.port().simulate()), simulation, FaultPlan.NONE);
        fabric = made;
        loop = simulation;
        return made.attach(options.port().simulate().startsWith("torus:") ? "host-0-0-0-0" : "host-0", 1);
    }

    @Override
    public PeerChannel peers(JGroupsChannel.Settings settings, KeyFile key, NettyLoop unused) {
        throw new AssertionError("no page may be requested");
    }

    /** The screen of a test. */
    record Screen(Browser browser, Fabric whole) {}

    interface BrowserSteps {
        void run(Screen screen) throws Exception;
    }

    /** Shows a fabric in the browser. */
    void show(String spec, String engine, BrowserSteps story) throws Exception {
        show(Map.of(Settings.SIMULATE, spec, Settings.ROUTING_ENGINE, engine), story);
    }

    /** Shows a fabric in the browser, with more settings. */
    void show(Map<Setting<?>, String> settings, BrowserSteps story) throws Exception {
        try (ServiceHarness sm = new ServiceHarness(dir.resolve("state"), settings, this);
                JournalAppender log = JournalAppender.attach(sm.journal());
                HttpServer server =
                        HttpServer.open(InetSocketAddress.createUnresolved("127.0.0.1", 0), Set.of(), sm.control());
                Browser browser = new Browser(dir.resolve("profile"), 1280, 860)) {
            assertThat(log.isStarted()).isTrue();
            assertThat(sm.end()).isEqualTo("up");
            Fabric whole = Objects.requireNonNull(sm.control().view()).subnet().fabric();
            browser.open("http://localhost:" + server.address().getPort() + "/");
            browser.await("['ROUTED', 'DEGRADED'].includes(document.body.dataset.routing)");
            browser.await("document.getElementById('live').textContent === 'live'");
            story.run(new Screen(browser, whole));
            assertThat(browser.logEntries()).isEmpty();
        }
    }

    static void awaitMissing(Browser browser, String text) throws Exception {
        browser.await("document.getElementById('hurt').textContent.includes('" + text + "')");
    }

    void onFabric(Consumer<SimFabric> change) {
        SimFabric made = Objects.requireNonNull(fabric);
        Objects.requireNonNull(loop).execute(() -> change.accept(made));
    }

    /** Runs a task later, on the thread of the fabric. */
    void schedule(Runnable task) {
        Objects.requireNonNull(loop).schedule(STEP_NS, task);
    }

    static int node(Fabric seen, String name) {
        for (int node = 0; node < seen.nodeCount(); node++) {
            if (seen.node(node).description().equals(name)) {
                return node;
            }
        }
        throw new AssertionError(name);
    }

    void unlink(Fabric seen, String from, String to) {
        int node = node(seen, from);
        for (int portNum = 1; portNum <= seen.numPorts(node); portNum++) {
            int far = seen.peer(seen.port(node, portNum));
            if (far != Fabric.NONE && seen.node(seen.nodeOf(far)).description().equals(to)) {
                int cut = portNum;
                onFabric(made -> made.unlink(seen.nodeGuid(node), cut));
                return;
            }
        }
        throw new AssertionError("no cable from " + from + " to " + to);
    }

    /** @param place coordinates of a torus, else the name of the switch */
    static void clickSwitch(Browser browser, Object... place) throws Exception {
        var point = browser.run("return window.placeOnScreen(arguments)", place);
        browser.click(point.get("x").asInt(), point.get("y").asInt(), false);
    }

    /**
     * Takes a switch as an end of a path. The picture may move between the look and the click, when a banner appears:
     * then the click meets nothing, and is repeated.
     */
    static void pickEnd(Browser browser, Object... place) throws Exception {
        JsonNode before = browser.run("return location.hash");
        for (int tries = 0;
                tries < CLICKS && browser.run("return location.hash").equals(before);
                tries++) {
            var point = browser.run("return window.placeOnScreen(arguments)", place);
            browser.click(point.get("x").asInt(), point.get("y").asInt(), true);
        }
        assertThat(browser.run("return location.hash")).isNotEqualTo(before);
    }

    /** Selects the meaning of the colours of links. */
    static void colourBy(Browser browser, String mode) throws Exception {
        browser.run(
                "const one = document.getElementById('colour'); one.value = arguments[0];"
                        + " one.dispatchEvent(new Event('change'))",
                mode);
    }

    static void key(Browser browser, String key) throws Exception {
        browser.run(
                "document.getElementById('canvas').dispatchEvent(new KeyboardEvent('keydown', {key: arguments[0]}))",
                key);
    }

    static void picture(Browser browser, String name) throws IOException, InterruptedException {
        browser.run("document.getElementById('tip').hidden = true");
        browser.awaitFrame();
        byte[] png = small(browser.screenshot());
        assertThat(png).hasSizeLessThan(MAX_BYTES);
        if (Boolean.getBoolean("screenshots")) {
            Files.createDirectories(IMAGES);
            Files.write(IMAGES.resolve(name + ".png"), png);
        }
    }

    /** Returns the picture compressed more than a browser does, with as many colours as an eye distinguishes. */
    private static byte[] small(byte[] png) throws IOException {
        BufferedImage image = ImageIO.read(new ByteArrayInputStream(png));
        BufferedImage plain = new BufferedImage(image.getWidth(), image.getHeight(), BufferedImage.TYPE_INT_RGB);
        for (int y = 0; y < image.getHeight(); y++) {
            for (int x = 0; x < image.getWidth(); x++) {
                int colour = image.getRGB(x, y);
                plain.setRGB(x, y, colour & 0xf8f8f8 | colour >> 5 & 0x070707);
            }
        }
        ImageWriter writer = ImageIO.getImageWritersByFormatName("png").next();
        ImageWriteParam packing = writer.getDefaultWriteParam();
        packing.setCompressionMode(ImageWriteParam.MODE_EXPLICIT);
        packing.setCompressionQuality(0);
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (ImageOutputStream out = ImageIO.createImageOutputStream(packed)) {
            writer.setOutput(out);
            writer.write(null, new IIOImage(plain, null, null), packing);
        } finally {
            writer.dispose();
        }
        return packed.toByteArray();
    }
}
