package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.config.SimulatedTopology;
import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.http.HttpServer;
import io.torussm.daemon.replica.JGroupsChannel;
import io.torussm.daemon.replica.KeyFile;
import io.torussm.daemon.replica.PeerChannel;
import io.torussm.fabric.Fabric;
import io.torussm.sim.FaultPlan;
import io.torussm.sim.SimFabric;
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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The page in a real browser, on a real SM and an embedded fabric. With {@code -Dscreenshots=true} it makes the pictures of
 * the documentation anew.
 */
@Tag("interop")
@Timeout(180)
class PictureBrowserTest implements SubnetManager.Surroundings {
    private static final Path IMAGES = Path.of("../docs/operator/images");
    private static final int MAX_BYTES = 120_000;

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
        throw new AssertionError("nobody is to be asked for");
    }

    /** What a test has on the screen. */
    private record Screen(Browser browser, Fabric whole) {}

    private interface Story {
        void tell(Screen screen) throws Exception;
    }

    /** A fabric in the browser. */
    private void show(String spec, String engine, Story story) throws Exception {
        Map<Setting<?>, String> settings = Map.of(Settings.SIMULATE, spec, Settings.ROUTING_ENGINE, engine);
        try (ServiceHarness sm = new ServiceHarness(dir.resolve("state"), settings, this);
                JournalAppender log = JournalAppender.attach(sm.journal());
                HttpServer server =
                        HttpServer.open(InetSocketAddress.createUnresolved("127.0.0.1", 0), Set.of(), sm.control());
                Browser browser = new Browser(dir.resolve("profile"), 1280, 860)) {
            assertThat(log.isStarted()).isTrue();
            assertThat(sm.end()).isEqualTo("up");
            Fabric whole = Objects.requireNonNull(sm.control().view()).subnet().fabric();
            browser.open("http://localhost:" + server.address().getPort() + "/");
            browser.await("document.body.dataset.routing === 'ROUTED'");
            browser.await("document.getElementById('live').textContent === 'live'");
            story.tell(new Screen(browser, whole));
            assertThat(browser.complaints()).isEmpty();
        }
    }

    private static void awaitMissing(Browser browser, String text) throws Exception {
        browser.await("document.getElementById('hurt').textContent.includes('" + text + "')");
    }

    private void onFabric(Consumer<SimFabric> change) {
        SimFabric made = Objects.requireNonNull(fabric);
        Objects.requireNonNull(loop).execute(() -> change.accept(made));
    }

    private static int node(Fabric seen, String name) {
        for (int node = 0; node < seen.nodeCount(); node++) {
            if (seen.node(node).description().equals(name)) {
                return node;
            }
        }
        throw new AssertionError(name);
    }

    private void unlink(Fabric seen, String from, String to) {
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
    private static void clickSwitch(Browser browser, Object... place) throws Exception {
        var point = browser.run("return window.placeOnScreen(arguments)", place);
        browser.click(point.get("x").asInt(), point.get("y").asInt());
    }

    private static void key(Browser browser, String key) throws Exception {
        browser.run(
                "document.getElementById('canvas').dispatchEvent(new KeyboardEvent('keydown', {key: arguments[0]}))",
                key);
    }

    private static void picture(Browser browser, String name) throws IOException, InterruptedException {
        browser.run("document.getElementById('tip').hidden = true");
        browser.settle();
        byte[] png = small(browser.screenshot());
        assertThat(png).hasSizeLessThan(MAX_BYTES);
        if (Boolean.getBoolean("screenshots")) {
            Files.createDirectories(IMAGES);
            Files.write(IMAGES.resolve(name + ".png"), png);
        }
    }

    /** The same picture, packed better than a browser has the time for, with as many colours as an eye tells apart. */
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

    @Test
    void showsATorusAndWhatBefallsIt() throws Exception {
        show("torus:4x4x4,hosts=1", "torus-2QoS", screen -> {
            Browser browser = screen.browser();
            browser.await("document.body.dataset.switches === '64' && document.body.dataset.failed === '0'");
            browser.await("document.getElementById('hurt').textContent === 'nothing'");
            picture(browser, "torus");

            unlink(screen.whole(), "sw-1-1-0", "sw-2-1-0");
            browser.await("document.body.dataset.failed === '1'");
            browser.await("document.getElementById('hurt').textContent.includes('ring (*,1,0) in x is open')");
            browser.await("document.getElementById('events').textContent.includes('free of credit loops')");
            picture(browser, "failed-link");

            clickSwitch(browser, 0, 1, 0);
            clickSwitch(browser, 3, 3, 1);
            browser.await("Number(document.body.dataset.hops) > 3");
            browser.await("/SL \\d+/.test(document.getElementById('path').textContent)");
            assertThat(browser.run("return [...document.querySelectorAll('#path tbody td:nth-child(5)')]"
                            + ".map(cell => cell.textContent)"))
                    .isNotEmpty()
                    .allMatch(vl -> vl.asText().matches("\\d+"));
            picture(browser, "path");
            browser.run("document.querySelector('[data-value=space]').click()");
            picture(browser, "3d");
            browser.run("document.querySelector('[data-value=slices]').click();"
                    + " document.getElementById('clear').click()");
            browser.await("document.body.dataset.hops === '0'");

            onFabric(made -> made.failSwitch(screen.whole().nodeGuid(node(screen.whole(), "sw-2-2-2"))));
            browser.await("document.body.dataset.absent === '1' && document.body.dataset.switches === '63'");
            browser.await("document.getElementById('hurt').textContent.includes('switch (2,2,2)')");
            browser.run("document.querySelector('[data-value=tree]').click()");
            picture(browser, "failed-switch");
        });
    }

    /** Fair, open, cut and bent, each as the page has it. */
    @Test
    void showsEachStateOfRouting() throws Exception {
        show("torus:6x5x1,hosts=1", "torus-2QoS", screen -> {
            Browser browser = screen.browser();
            browser.await("document.getElementById('banner').hidden");
            browser.await("document.getElementById('hurt').textContent === 'nothing'");
            picture(browser, "state-fair");

            unlink(screen.whole(), "sw-1-1-0", "sw-2-1-0");
            awaitMissing(browser, "ring (*,1,0) in x is open");
            awaitMissing(browser, "sw-1-1-0 port 1 – sw-2-1-0 port 2, lost");
            picture(browser, "state-open");

            unlink(screen.whole(), "sw-4-1-0", "sw-5-1-0");
            browser.await("document.body.dataset.routing === 'DEGRADED'");
            awaitMissing(browser, "ring (*,1,0) in x is cut");
            browser.await("document.getElementById('banner').textContent.includes('Routing is DEGRADED since')");
            browser.await("document.getElementById('conditions').textContent.includes('TSM-5021')");
            browser.run("[...document.querySelectorAll('#hurt button')][1].click()");
            browser.settle();
            picture(browser, "state-bent");
        });
    }

    @Test
    void showsThatRoutingIsRefused() throws Exception {
        show("torus:6x5x1,hosts=1", "torus-2QoS,no_fallback", screen -> {
            Browser browser = screen.browser();
            unlink(screen.whole(), "sw-1-1-0", "sw-2-1-0");
            awaitMissing(browser, "is open");
            unlink(screen.whole(), "sw-4-1-0", "sw-5-1-0");
            browser.await("document.body.dataset.routing === 'REFUSED' && document.body.dataset.failed === '2'");
            browser.await("document.getElementById('banner').textContent.includes('Routing is REFUSED since')");
            awaitMissing(browser, "sw-4-1-0 port 1 – sw-5-1-0 port 2, lost");
            browser.await("document.getElementById('conditions').textContent.includes('TSM-5004')");
            browser.run("document.getElementById('src').value = 'host-3-1-0-0';"
                    + " document.getElementById('dst').value = '5,1,0';"
                    + " document.getElementById('path-form').requestSubmit()");
            browser.await("document.getElementById('path').textContent.includes('this path is dead since')");
            picture(browser, "state-refused");
            browser.run("document.getElementById('dst').value = 'nobody';"
                    + " document.getElementById('path-form').requestSubmit()");
            browser.await("document.getElementById('path').textContent.includes('nobody')");
        });
    }

    @Test
    void showsRingsThatAreThinned() throws Exception {
        show("torus:6x5x1,hosts=1,links=2", "torus-2QoS", screen -> {
            Browser browser = screen.browser();
            unlink(screen.whole(), "sw-1-1-0", "sw-2-1-0");
            awaitMissing(browser, "ring (*,1,0) in x is thinned");
            awaitMissing(browser, ": 1 left");
            unlink(screen.whole(), "sw-3-3-0", "host-3-3-0-0");
            awaitMissing(browser, "host host-3-3-0-0");
            picture(browser, "state-thinned");
        });
    }

    private String drawn(DrawnTopology topology) throws IOException {
        return Files.writeString(dir.resolve("drawn.topo"), topology.text()).toString();
    }

    /** Levels, a path over them, and that nothing moves when something is lost. */
    @Test
    void showsAFatTreeInLevels() throws Exception {
        show(drawn(DrawnTopology.fatTree(6, 2)), "auto", screen -> {
            Browser browser = screen.browser();
            browser.await("document.body.dataset.switches === '28' && document.body.dataset.failed === '0'");
            browser.await("document.querySelector('[data-value=plane]').textContent === 'Levels'");
            browser.await("document.getElementById('hurt').textContent === 'nothing'");
            var before = browser.run("return window.placeOnScreen(['leaf-2-1'])");

            unlink(screen.whole(), "middle-1-1", "top-3");
            browser.await("document.body.dataset.failed === '1'");
            awaitMissing(browser, "link top-3 – middle-1-1");
            onFabric(made -> made.failSwitch(screen.whole().nodeGuid(node(screen.whole(), "top-0"))));
            browser.await("document.body.dataset.absent === '1' && document.body.dataset.switches === '27'");
            awaitMissing(browser, "switch top-0");
            assertThat(browser.run("return window.placeOnScreen(['leaf-2-1'])")).isEqualTo(before);

            clickSwitch(browser, "leaf-0-0");
            clickSwitch(browser, "leaf-2-1");
            browser.await("document.body.dataset.hops === '6'");
            picture(browser, "tree");
            browser.run("document.querySelector('[data-value=tables]').click()");
            browser.await("document.getElementById('list').textContent.includes('middle-3-1level 1')"
                    + " && document.getElementById('canvas').hidden");
        });
    }

    @Test
    void showsAnIrregularFabric() throws Exception {
        show(drawn(DrawnTopology.irregular(40)), "dfsssp", screen -> {
            Browser browser = screen.browser();
            browser.await("document.body.dataset.switches === '40' && document.body.dataset.failed === '0'");
            browser.await("document.querySelector('[data-value=plane]').textContent === 'Graph'");
            browser.run("document.getElementById('canvas').dispatchEvent("
                    + "new WheelEvent('wheel', {deltaY: -2400, clientX: 50, clientY: 50}))");
            key(browser, "ArrowRight");
            String reached = browser.run("return document.getElementById('tip').textContent.split('\\n')[0]")
                    .asText();
            assertThat(reached).matches("sw-[1-9].*");
            assertThat(browser.run("return window.placeOnScreen([arguments[0]])", reached)
                            .get("x")
                            .asInt())
                    .as("what the keys reach comes into sight")
                    .isBetween(12, 872);
            key(browser, "Enter");
            browser.await("document.getElementById('src').value === '" + reached.replace("sw", "host") + "'");
            browser.run("document.querySelector('[data-value=plane]').click();"
                    + " document.getElementById('clear').click()");
            unlink(screen.whole(), "sw-4", "sw-5");
            awaitMissing(browser, "link sw-4 – sw-5");
            unlink(screen.whole(), "sw-33", "host-33");
            awaitMissing(browser, "host host-33");
            clickSwitch(browser, "sw-2");
            clickSwitch(browser, "sw-25");
            browser.await("Number(document.body.dataset.hops) > 1");
        });
    }
}
