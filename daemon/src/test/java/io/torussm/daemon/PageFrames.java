package io.torussm.daemon;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * How long the frames of a page take while its picture is turned, moved and pointed at; not a test. The only argument
 * is the address of a daemon that runs. A line for each shape and motion: median, 95th percentile and longest, in
 * milliseconds; 16.7 is as fast as a screen.
 */
final class PageFrames {
    private static final int FRAMES = 120;

    private static final String SHOW =
            "const one = document.querySelector(`[data-value=${arguments[0]}]`); one.click(); return !one.disabled && !one.hidden";

    /** Moves the pointer a little in each frame, with the button held or not. */
    private static final String MOVE = """
            window.frames = null;
            const [motion, count] = arguments;
            const canvas = document.getElementById('canvas');
            const box = canvas.getBoundingClientRect();
            const send = (type, x, y) => canvas.dispatchEvent(new PointerEvent(type, { clientX: box.left + x, clientY: box.top + y }));
            if (motion === 'enlarged') {
              canvas.dispatchEvent(new WheelEvent('wheel', { deltaY: -800, clientX: 400, clientY: 400 }));
            }
            if (motion !== 'pointed') {
              send('pointerdown', 300, 300);
            }
            const times = [];
            let last = 0;
            let step = 0;
            const frame = now => {
              times.push(now - last);
              last = now;
              step++;
              if (step <= count) {
                send('pointermove', 300 + 3 * step, 300 + 2 * step);
                requestAnimationFrame(frame);
              } else {
                send('pointerup', 0, 0);
                times.shift();
                window.frames = times.sort((a, b) => a - b);
              }
            };
            requestAnimationFrame(frame);""";

    private PageFrames() {}

    public static void main(String[] arguments) throws Exception {
        Path profile = Files.createTempDirectory("page-frames");
        try (Browser browser = new Browser(profile, 1280, 860)) {
            browser.open(arguments[0]);
            browser.await("Number(document.body.dataset.switches) > 0");
            for (String shape : List.of("slices", "space", "plane")) {
                if (browser.run(SHOW, shape).asBoolean()) {
                    for (String motion : List.of("pointed", "moved", "enlarged")) {
                        browser.settle();
                        browser.run(MOVE, motion, FRAMES);
                        browser.await("window.frames");
                        say(shape, motion, browser.run("return window.frames"));
                    }
                }
            }
        }
    }

    private static void say(String shape, String motion, JsonNode sorted) {
        int count = sorted.size();
        System.out.printf(
                "%-7s %-9s %6.1f %6.1f %6.1f%n",
                shape,
                motion,
                sorted.get(count / 2).asDouble(),
                sorted.get(count * 95 / 100).asDouble(),
                sorted.get(count - 1).asDouble());
    }
}
