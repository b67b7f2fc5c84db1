package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.Settings;
import io.torussm.fabric.Fabric;
import io.torussm.mad.Guid;
import io.torussm.sim.SimFabric;
import io.torussm.sim.model.PortCounter;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The page around the picture, in a real browser: tables, cards, names, keys, the address, and the effect of
 * hostile names.
 */
@Tag("interop")
@Timeout(180)
class PageBrowserTest extends PageOnFabric {
    private static final String CARD = "document.getElementById('card').textContent";

    /** Elements that Tab reaches without an accessible name, or without a meaningful role. */
    private static final String NAMELESS = """
        const named = one => one.getAttribute('aria-label') || one.getAttribute('aria-labelledby') || one.labels?.length > 0
            || one.textContent.trim() !== '';
        return [...document.querySelectorAll('a[href], button, input, select, [tabindex], canvas:not([aria-hidden])')]
            .filter(one => one.offsetParent !== null && !named(one)).map(one => one.outerHTML.slice(0, 200))\
        """;

    private static final String WITHOUT_MULTICAST_AND_QOS = """
        const real = window.fetch;
        window.fetch = async address => {
          const answer = await real(address);
          return address === 'api/torus' ? Response.json({ ...await answer.json(), multicast: false, qos: false }) : answer;
        };\
        """;

    /** Answers with two ports of a switch that mark and a slow host: GUIDs of both, and the ports. */
    private static final String CONGESTED = """
        const real = window.fetch;
        const [marking, ports, slow] = arguments;
        const congested = [{ guid: marking, port: 0, events: 12, ports, sls: [] }, { guid: slow, port: 1, events: 3, ports: [], sls: [0] }];
        window.fetch = async address => (address === 'api/congestion' ? Response.json({ isOn: true, congested }) : real(address));\
        """;

    @Test
    void hasTablesAndCardsThatTheAddressKeeps() throws Exception {
        show("torus:6x5x1,hosts=2", "torus-2QoS", screen -> {
            Browser browser = screen.browser();
            press(browser, "Tables");
            press(browser, "Ports");
            browser.await("document.body.dataset.rows === '390'");
            assertThat(texts(browser, "#rows tr[data-index]"))
                    .as("no more rows than are in sight")
                    .hasSizeBetween(10, 80);
            search(browser, "host-2 state:ACTIVE -port:1");
            browser.await("document.getElementById('count').textContent.startsWith('10 of')");
            search(browser, "port>7");
            browser.await("document.getElementById('count').textContent === '30 of 390'");
            press(browser, "device");
            press(browser, "device");
            browser.await("document.querySelector('#rows tr[data-index]').textContent.startsWith('sw-5-4-0')");
            picture(browser, "tables");
            browser.run("document.querySelector('#rows tr[data-index]').click()");
            browser.await("document.getElementById('card-title').textContent === 'cable at sw-5-4-0 port 8'");
            String address = browser.run("return location.hash").asText();
            assertThat(address).contains("view=tables", "table=ports", "find=port", "sort=-device", "/8");

            browser.run("location.reload()");
            browser.await("document.getElementById('count')?.textContent === '30 of 390'");
            browser.await("document.getElementById('card-title').textContent === 'cable at sw-5-4-0 port 8'");
            assertThat(browser.run("return location.hash").asText()).isEqualTo(address);
            press(browser, "host-5-4-0-1");
            browser.await("document.getElementById('card-title').textContent === 'host host-5-4-0-1'");
            browser.run("history.back()");
            browser.await("document.getElementById('card-title').textContent.startsWith('cable')");

            for (String table : List.of("Switches", "Hosts", "Links", "Conditions", "Events")) {
                press(browser, table);
                browser.await("document.querySelector('#rows table').getAttribute('aria-label') === '" + table + "'");
            }
            checkPathQuery(browser, screen.whole());
            checkNames(browser);
        });
    }

    /** From the first Tab to a card, without a mouse. */
    @Test
    void isWalkedByKeys() throws Exception {
        show("torus:4x4x1,hosts=1", "torus-2QoS", screen -> {
            Browser browser = screen.browser();
            browser.emulateMedia("prefers-reduced-motion", "reduce");
            assertThat(browser.run(NAMELESS)).isEmpty();
            assertThat(browser.run("return document.getAnimations().length").asInt())
                    .isZero();
            browser.type(Browser.TAB);
            assertThat(focused(browser)).isEqualTo("To the tables");
            assertThat(browser.run("return getComputedStyle(document.activeElement).outlineStyle")
                            .asText())
                    .isEqualTo("solid");
            List<String> order = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                browser.type(Browser.TAB);
                order.add(focused(browser));
            }
            assertThat(order).containsExactly("Slices", "3D", "Tables", "colour", "canvas");
            browser.type(Browser.DOWN + Browser.DOWN);
            browser.await("document.getElementById('said').textContent.startsWith('sw-0-2-0')");
            browser.type(Browser.ENTER);
            browser.await("document.getElementById('card-title').textContent === 'switch sw-0-2-0'");
            assertThat(browser.run(NAMELESS)).isEmpty();
            browser.type(Browser.ESCAPE);
            browser.await("document.getElementById('card-section').hidden && document.activeElement.id === 'canvas'");

            browser.run("document.getElementById('to-tables').focus()");
            browser.type(Browser.ENTER);
            browser.await("document.activeElement.id === 'find' && document.body.dataset.rows === '16'");
            assertThat(browser.run(NAMELESS)).isEmpty();
            browser.type("sw-3" + Browser.DOWN);
            browser.await("document.activeElement.matches('#rows tr') &&"
                    + " document.activeElement.textContent.startsWith('sw-3-0-0')");
            browser.type(Browser.END);
            browser.await("document.activeElement.textContent.startsWith('sw-3-3-0')");
            browser.type(Browser.ENTER);
            browser.await("document.getElementById('card-title').textContent === 'switch sw-3-3-0'");
            browser.type(Browser.ESCAPE);
            browser.await("document.activeElement.id === 'find'");
        });
    }

    /**
     * The page shows names from the fabric as text, markup included. Controls without effect under this engine give
     * the reason.
     */
    @Test
    void namesAreTextAndControlsSayWhyTheyDoNothing() throws Exception {
        String hostile = "<img src=x onerror=document.title=1><b>sw-4</b>";
        String topology = DrawnTopology.irregular(12).text().replace("\"sw-4\"", "\"" + hostile + "\"");
        Map<Setting<?>, String> settings = Map.of(
                Settings.SIMULATE,
                Files.writeString(dir.resolve("hostile.topo"), topology).toString(),
                Settings.ROUTING_ENGINE,
                "minhop",
                Settings.ON_CREDIT_LOOP,
                "warn");
        show(settings, screen -> {
            Browser browser = screen.browser();
            browser.await("document.body.dataset.switches === '12'");
            JsonNode slices = browser.run(
                    "const one = document.querySelector('[data-value=slices]'); return [one.disabled, one.title]");
            assertThat(slices.get(0).asBoolean()).isTrue();
            assertThat(slices.get(1).asText()).contains("no engine has placed");
            assertThat(texts(browser, "#colour option:disabled")).contains("Traffic (the performance manager is off)");

            press(browser, "Tables");
            browser.await("document.body.dataset.rows === '12'");
            assertThat(texts(browser, "#rows tr[data-index] td:first-child")).contains(hostile);
            browser.run("[...document.querySelectorAll('#rows tr[data-index]')].find(row =>"
                    + " row.textContent.startsWith('<img')).click()");
            browser.await("document.getElementById('card-title').textContent.endsWith('</b>')");
            type(browser, "src", "<img src=x");
            browser.await("document.querySelector('.proposals button').textContent.startsWith('<img')");
            press(browser, "Graph");
            browser.run(WITHOUT_MULTICAST_AND_QOS);
            unlink(screen.whole(), hostile, "sw-5");
            awaitMissing(browser, "<b>sw-4</b>");
            assertThat(browser.run("return document.querySelectorAll('img').length")
                            .asInt())
                    .as("the icon alone")
                    .isOne();
            assertThat(browser.run("return document.querySelectorAll('aside b, #rows b').length")
                            .asInt())
                    .isZero();
            assertThat(browser.run("return document.title").asText()).isEqualTo("TorusSM");
            assertThat(texts(browser, "#badges li")).contains("multicast off");
            assertThat(texts(browser, "#colour option:disabled")).contains("Multicast tree (multicast is off)");
            assertThat(browser.run("return document.getElementById('level').title")
                            .asText())
                    .startsWith("QoS is off");
        });
    }

    /** Counters as colours, on cards and in tables, and previous states. */
    @Test
    void showsCountersAndThePast() throws Exception {
        Map<Setting<?>, String> settings = Map.of(
                Settings.SIMULATE,
                "torus:4x4x1,hosts=1",
                Settings.ROUTING_ENGINE,
                "torus-2QoS",
                Settings.PERFMGR,
                "true",
                Settings.PERFMGR_SWEEP_TIME_S,
                "1");
        show(settings, screen -> {
            Browser browser = screen.browser();
            Fabric whole = screen.whole();
            String[] busy = cable(whole, "sw-1-1-0", "sw-2-1-0").split("/");
            onFabric(made -> send(made, Guid.parse(busy[0]), Integer.parseInt(busy[1])));
            browser.run("location.hash = 'links=traffic&select=" + String.join("/", busy) + "'");
            browser.await("/[1-9].* [MG]bit/.test(" + CARD + ") && document.querySelector('#card polyline') !== null");
            browser.await(CARD + ".includes('symbolErrors')");
            assertThat(texts(browser, "#legend")).singleElement().satisfies(legend -> assertThat(legend)
                    .contains("idle", "all of the link"));
            picture(browser, "traffic-colours");
            press(browser, "Tables");
            press(browser, "Links");
            search(browser, "errors>0");
            browser.await("document.getElementById('count').textContent === '1 of 48'");
            press(browser, "Slices");

            unlink(whole, "sw-0-0-0", "sw-1-0-0");
            awaitMissing(browser, "is open");
            browser.await("!document.getElementById('earlier').disabled && document.body.dataset.failed === '1'");
            browser.run("document.getElementById('earlier').click()");
            browser.await("!document.getElementById('past').hidden && document.body.dataset.failed === '0'");
            assertThat(texts(browser, "#past-text").get(0)).startsWith("You look at the past: sweep ");
            picture(browser, "past");
            browser.run("document.getElementById('when').focus()");
            browser.type(Browser.END);
            browser.await("document.getElementById('past').hidden && document.body.dataset.failed === '1'");
            assertThat(browser.run("return location.hash").asText()).doesNotContain("at=");
        });
    }

    /** Marks and slow hosts as the SM has them in its answer; the fabric of the test has no agents. */
    @Test
    void coloursMarkingPortsAndThrottledHosts() throws Exception {
        show("torus:4x4x1,hosts=2", "torus-2QoS", screen -> {
            Browser browser = screen.browser();
            assertThat(texts(browser, "#colour option:disabled"))
                    .contains("Marked packets (congestion control is off, or this SM is not master)");
            Fabric whole = screen.whole();
            String[] between = cable(whole, "sw-1-1-0", "sw-2-1-0").split("/", -1);
            String[] toHost = cable(whole, "sw-1-1-0", "host-1-1-0-0").split("/", -1);
            String slow = Guid.format(whole.nodeGuid(node(whole, "host-3-2-0-1")));
            browser.run(
                    CONGESTED, between[0], List.of(Integer.parseInt(between[1]), Integer.parseInt(toHost[1])), slow);
            browser.run("location.hash = 'links=marks'");
            browser.await("document.getElementById('legend').textContent.includes('marks packets to hosts')"
                    + " && document.getElementById('legend').textContent.includes('hosts slowed down')");
            picture(browser, "marks");
            browser.run("document.getElementById('canvas').focus()");
            for (String key : List.of("ArrowRight", "ArrowUp")) {
                key(browser, key);
            }
            browser.await("document.getElementById('said').textContent.includes('marks at ports "
                    + Integer.parseInt(between[1]) + ", " + Integer.parseInt(toHost[1]) + "; 12 events')");
            press(browser, "Tables");
            press(browser, "Ports");
            search(browser, "marks:slowed");
            browser.await("document.getElementById('count').textContent.startsWith('1 of')");
            search(browser, "marks=marks");
            browser.await("document.getElementById('count').textContent.startsWith('2 of')");
        });
    }

    private static void press(Browser browser, String text) throws Exception {
        browser.run(
                "[...document.querySelectorAll('button')].find(one => one.offsetParent && one.textContent ==="
                        + " arguments[0]).click()",
                text);
    }

    private static void search(Browser browser, String words) throws Exception {
        browser.run(
                "const one = document.getElementById('find'); one.value = arguments[0]; one.dispatchEvent(new"
                        + " Event('input'))",
                words);
    }

    private static List<String> texts(Browser browser, String selector) throws Exception {
        List<String> texts = new ArrayList<>();
        browser.run("return [...document.querySelectorAll(arguments[0])].map(one => one.textContent)", selector)
                .forEach(text -> texts.add(text.asText()));
        return texts;
    }

    private static String cable(Fabric fabric, String from, String to) {
        int node = node(fabric, from);
        int portNum = IntStream.rangeClosed(1, fabric.numPorts(node))
                .filter(number -> {
                    int far = fabric.peer(fabric.port(node, number));
                    return far != Fabric.NONE
                            && fabric.nodeName(fabric.nodeOf(far)).equals(to);
                })
                .findFirst()
                .orElseThrow();
        return Guid.format(fabric.nodeGuid(node)) + "/" + portNum;
    }

    /** Clicks on a simulated failure, and on the path buttons. */
    private static void checkPathQuery(Browser browser, Fabric fabric) throws Exception {
        browser.run("location.hash = 'select=" + cable(fabric, "sw-2-2-0", "sw-3-2-0") + "'");
        browser.await("document.getElementById('card-title').textContent.startsWith('cable at sw-2-2-0')");
        press(browser, "What if it were lost?");
        browser.await(CARD + ".includes('free of credit loops')");
        List<String> told = texts(browser, ".answer dd");
        assertThat(told.get(0)).as("pairs").isEqualTo("3540");
        assertThat(Integer.parseInt(told.get(1))).as("another way").isPositive();
        assertThat(told.subList(2, 4)).as("cut, SLs").containsExactly("0", "0");
        assertThat(texts(browser, "#card")).singleElement().satisfies(card -> assertThat(card)
                .contains("none: the performance manager is off"));
        picture(browser, "card");

        clickSwitch(browser, 1, 1, 0);
        browser.await("document.getElementById('card-title').textContent === 'switch sw-1-1-0'");
        press(browser, "Path from here");
        clickSwitch(browser, 4, 3, 0);
        browser.await("document.getElementById('card-title').textContent === 'switch sw-4-3-0'");
        press(browser, "Path to here");
        browser.await("Number(document.body.dataset.hops) > 3");
        browser.await("document.getElementById('dst').value === 'sw-4-3-0'");
    }

    private static void checkNames(Browser browser) throws Exception {
        type(browser, "src", "host-1-1-0");
        browser.await("document.querySelectorAll('.proposals button').length === 2");
        assertThat(texts(browser, "#path .problem")).singleElement().satisfies(output -> assertThat(output)
                .contains("host-1-1-0"));
        press(browser, "host-1-1-0-1");
        browser.await("document.getElementById('src').value === 'host-1-1-0-1'");
        type(browser, "dst", "2,9,0");
        browser.await("document.getElementById('path').textContent.includes('no switch stands at (2,9,0)')");
        assertThat(texts(browser, ".proposals button")).contains("2,4,0");
        type(browser, "dst", "2,2,0");
        browser.await("Number(document.body.dataset.hops) > 1");
    }

    private static void type(Browser browser, String field, String words) throws Exception {
        browser.run(
                "document.getElementById(arguments[0]).value = arguments[1];"
                        + " document.getElementById('path-form').requestSubmit()",
                field,
                words);
    }

    private static String focused(Browser browser) throws Exception {
        return browser.run("return document.activeElement.id === 'to-tables' || document.activeElement.dataset.value"
                        + " ? document.activeElement.textContent : document.activeElement.id")
                .asText();
    }

    /** Sends now, and periodically. */
    private void send(SimFabric made, long guid, int portNum) {
        made.portCounters().add(guid, portNum, PortCounter.XMIT_DATA, 20_000_000);
        made.portCounters().add(guid, portNum, PortCounter.SYMBOL_ERROR, 1);
        schedule(() -> send(made, guid, portNum));
    }
}
