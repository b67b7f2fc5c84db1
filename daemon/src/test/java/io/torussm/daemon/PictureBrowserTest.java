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
    private static final int MAX_BYTES = 150_000;

    @TempDir
    Path dir;

    private @Nullable SimFabric fabric;
    private @Nullable NettyLoop loop;

    @Override
    public MadTransport port(SmOptions options, NettyLoop simulation) throws ConfigurationException {
        SimFabric made = new SimFabric(SimulatedTopology.read(options.port().simulate()), simulation, FaultPlan.NONE);
        fabric = made;
        loop = simulation;
        return made.attach("host-0-0-0-0", 1);
    }

    @Override
    public PeerChannel peers(JGroupsChannel.Settings settings, KeyFile key, NettyLoop unused) {
        throw new AssertionError("nobody is to be asked for");
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

    private static void clickSwitch(Browser browser, int x, int y, int z) throws Exception {
        var place = browser.run("return window.placeOnScreen(arguments)", x, y, z);
        browser.click(place.get("x").asInt(), place.get("y").asInt());
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
        Map<Setting<?>, String> settings = Map.of(Settings.SIMULATE, "torus:4x4x4,hosts=1");
        try (ServiceHarness sm = new ServiceHarness(dir.resolve("state"), settings, this);
                JournalAppender log = JournalAppender.attach(sm.journal());
                HttpServer server =
                        HttpServer.open(InetSocketAddress.createUnresolved("127.0.0.1", 0), Set.of(), sm.control());
                Browser browser = new Browser(dir.resolve("profile"), 1280, 860)) {
            assertThat(log.isStarted()).isTrue();
            assertThat(sm.end()).isEqualTo("up");
            Fabric whole = Objects.requireNonNull(sm.control().view()).subnet().fabric();
            browser.open("http://localhost:" + server.address().getPort() + "/");
            browser.await("document.body.dataset.switches === '64' && document.body.dataset.failed === '0'");
            browser.await("document.getElementById('live').textContent === 'live'");
            browser.await("document.getElementById('hurt').textContent === 'nothing'");
            picture(browser, "torus");

            unlink(whole, "sw-1-1-0", "sw-2-1-0");
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

            onFabric(made -> made.failSwitch(whole.nodeGuid(node(whole, "sw-2-2-2"))));
            browser.await("document.body.dataset.absent === '1' && document.body.dataset.switches === '63'");
            browser.await("document.getElementById('hurt').textContent.includes('switch (2,2,2)')");
            browser.run("document.querySelector('[data-value=tree]').click()");
            picture(browser, "failed-switch");
            assertThat(browser.complaints()).isEmpty();
        }
    }
}
