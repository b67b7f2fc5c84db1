package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The picture in a real browser, on a real SM and an embedded fabric. With {@code -Dscreenshots=true} it makes the
 * pictures of the documentation again.
 */
@Tag("interop")
@Timeout(180)
class PictureBrowserTest extends PageOnFabric {
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
            browser.await("document.getElementById('events').textContent.includes('has lost its link to (2,1,0)')");
            picture(browser, "failed-link");

            pickEnd(browser, 0, 1, 0);
            pickEnd(browser, 3, 3, 1);
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
            colourBy(browser, "tree");
            picture(browser, "failed-switch");
        });
    }

    /** Fair, open, cut and bent, each as the page has it. */
    @Test
    void showsEachStateOfRouting() throws Exception {
        show("torus:6x5x1,hosts=1", "torus-2QoS", screen -> {
            Browser browser = screen.browser();
            browser.await("document.getElementById('banner').hidden");
            browser.await("document.getElementById('hurt').textContent === 'nothing'"
                    + " && document.querySelectorAll('#badges .good').length > 3");
            picture(browser, "state-fair");

            unlink(screen.whole(), "sw-1-1-0", "sw-2-1-0");
            awaitMissing(browser, "ring (*,1,0) in x is open");
            awaitMissing(browser, "sw-1-1-0 port 1 – sw-2-1-0 port 2, lost");
            browser.await("document.querySelectorAll('#badges .good').length === 0"
                    + " && document.getElementById('badges').textContent.includes('cables 59 of 60')");
            picture(browser, "state-open");

            unlink(screen.whole(), "sw-4-1-0", "sw-5-1-0");
            browser.await("document.body.dataset.routing === 'DEGRADED'");
            awaitMissing(browser, "ring (*,1,0) in x is cut");
            browser.await("document.getElementById('banner').textContent.includes('Routing is DEGRADED since')");
            browser.await("document.getElementById('conditions').textContent.includes('TSM-5021')");
            browser.run("[...document.querySelectorAll('#hurt button')][1].click()");
            browser.awaitFrame();
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
            browser.run("document.getElementById('dst').value = 'absent';"
                    + " document.getElementById('path-form').requestSubmit()");
            browser.await("document.getElementById('path').textContent.includes('absent')");
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
            browser.run(
                    "const badge = document.createElement('li'); badge.textContent = 'multicast off, not proved, and the engine is another';"
                            + " document.getElementById('badges').append(badge)");
            assertThat(browser.run("return window.placeOnScreen(['leaf-2-1'])"))
                    .as("another badge moves nothing")
                    .isEqualTo(before);
            browser.run("document.getElementById('badges').lastElementChild.remove()");

            pickEnd(browser, "leaf-0-0");
            pickEnd(browser, "leaf-2-1");
            browser.await("document.body.dataset.hops === '6'");
            browser.await("document.getElementById('path').textContent.includes('leaf-0-0')");
            picture(browser, "tree");
            browser.run("document.querySelector('[data-value=tables]').click()");
            browser.await("document.getElementById('rows').textContent.includes('middle-3-1level 1')"
                    + " && document.getElementById('canvas').hidden");
        });
    }

    /**
     * One cable between leaves: the levels stay, and it is marked. Hosts are drawn if they are asked for; a narrow
     * window has room.
     */
    @Test
    void marksAWrongCableInLevels() throws Exception {
        show(drawn(DrawnTopology.fatTree(4, 3).link("leaf-0-0", "leaf-2-1")), "updn", screen -> {
            Browser browser = screen.browser();
            browser.await("document.body.dataset.switches === '33' && document.body.dataset.wrong === '1'");
            browser.await("document.querySelector('[data-value=plane]').textContent === 'Levels'");
            awaitMissing(browser, "cable leaf-0-0 – leaf-2-1 joins two switches of one level");
            browser.await("document.getElementById('legend').textContent.includes('wrong cable')");
            browser.await("/switches 33c/.test(document.getElementById('badges').textContent)");
            browser.run("document.getElementById('hosts').click()");
            browser.await("location.hash.includes('hosts=1')"
                    + " && document.getElementById('hosts').getAttribute('aria-pressed') === 'true'");
            picture(browser, "tree-wrong-cable");

            onFabric(made -> made.failSwitch(screen.whole().nodeGuid(node(screen.whole(), "top-0"))));
            browser.await("document.getElementById('badges').textContent.includes('switches 32 of 33')"
                    + " && document.getElementById('legend').textContent.includes('its switch is missing')");
            browser.await("document.getElementById('legend').textContent.includes('missing switch')"
                    + " && /cables \\d+ of \\d+/.test(document.getElementById('badges').textContent)");
            browser.await("document.querySelectorAll('#badges .good, #hurt .good').length === 0");
            browser.await("/last seen \\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ/"
                    + ".test(document.getElementById('hurt').textContent)");
            assertThat(browser.run("return [...document.querySelectorAll('#hurt time')]"
                            + ".map(time => time.getClientRects().length)"))
                    .isNotEmpty()
                    .allMatch(rows -> rows.asInt() == 1);
            browser.resize(420, 860);
            browser.await("innerWidth === 420 && document.getElementById('now').getBoundingClientRect().right <= 420"
                    + " && document.documentElement.scrollWidth <= 420"
                    + " && document.getElementById('frame').clientHeight >= 340");
            browser.await("document.getElementById('timeline').getBoundingClientRect().bottom"
                    + " <= document.getElementById('path-section').getBoundingClientRect().top");
            picture(browser, "narrow");
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
            browser.await("document.getElementById('card-title').textContent === 'switch " + reached + "'");
            browser.run("document.querySelector('[data-value=plane]').click();"
                    + " document.getElementById('clear').click()");
            unlink(screen.whole(), "sw-4", "sw-5");
            awaitMissing(browser, "link sw-4 – sw-5");
            unlink(screen.whole(), "sw-33", "host-33");
            awaitMissing(browser, "host host-33");
            pickEnd(browser, "sw-2");
            pickEnd(browser, "sw-25");
            browser.await("Number(document.body.dataset.hops) > 1");
        });
    }

    private String drawn(DrawnTopology topology) throws IOException {
        return Files.writeString(dir.resolve("drawn.topo"), topology.text()).toString();
    }
}
