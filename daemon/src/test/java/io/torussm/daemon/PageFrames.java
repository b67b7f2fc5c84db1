package io.torussm.daemon;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The times of frames of the page while the pointer hovers over the picture, drags it, and drags it after a zoom; not a
 * test. A drag moves a flat picture and turns the torus in space. The only argument is the address of a running daemon:
 * docs/developer/benchmarks.md has the command and figures. Prints a line for each shape and motion: median, 95th
 * percentile and longest in milliseconds; 16.7 is as fast as a screen.
 */
final class PageFrames {
    private static final int FRAMES = 120;

    /** Shows a shape if the page offers it, and returns whether. A flat picture is then at its place without zoom. */
    private static final String SHOW_IF_OFFERED = """
            const button = document.querySelector(`[data-value=${arguments[0]}]`);
            const isOffered = !button.disabled && !button.hidden;
            if (isOffered) {
              button.click();
            }
            return isOffered;""";

    /**
     * Plays one motion, a small step of the pointer in each frame, and returns immediately. When all frames are drawn,
     * their times are in {@code window.frameTimes}, ascending, in ms. The first frame has no predecessor and no time.
     */
    private static final String MOVE = """
            window.frameTimes = null;
            const [motion, count] = arguments;
            const [begin, stepX, stepY] = [300, 3, 2];
            const zoomIn = -800; // of the wheel: a factor of e^0.8
            const canvas = document.getElementById('canvas');
            const box = canvas.getBoundingClientRect();
            const send = (type, x, y) => canvas.dispatchEvent(new PointerEvent(type, { clientX: box.left + x, clientY: box.top + y }));
            if (motion === 'dragged after a zoom') {
              canvas.dispatchEvent(new WheelEvent('wheel', { deltaY: zoomIn, clientX: 400, clientY: 400 }));
            }
            if (motion !== 'hovering') {
              send('pointerdown', begin, begin);
            }
            const times = [];
            let last = 0;
            let step = 0;
            const frame = now => {
              times.push(now - last);
              last = now;
              step++;
              if (step <= count) {
                send('pointermove', begin + stepX * step, begin + stepY * step);
                requestAnimationFrame(frame);
              } else {
                send('pointerup', 0, 0);
                times.shift();
                window.frameTimes = times.sort((a, b) => a - b);
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
                for (String motion : List.of("hovering", "dragged", "dragged after a zoom")) {
                    if (browser.run(SHOW_IF_OFFERED, shape).asBoolean()) {
                        browser.awaitFrame();
                        browser.run(MOVE, motion, FRAMES);
                        browser.await("window.frameTimes");
                        print(shape, motion, browser.run("return window.frameTimes"));
                    }
                }
            }
        }
    }

    private static void print(String shape, String motion, JsonNode sorted) {
        int count = sorted.size();
        System.out.printf(
                "%-7s %-20s %6.1f %6.1f %6.1f%n",
                shape,
                motion,
                sorted.get(count / 2).asDouble(),
                sorted.get(count * 95 / 100).asDouble(),
                sorted.get(count - 1).asDouble());
    }
}
