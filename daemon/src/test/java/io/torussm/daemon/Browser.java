package io.torussm.daemon;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.torussm.testing.Programs;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Chromium without a window, driven by Debian's chromedriver over the WebDriver protocol. */
final class Browser implements AutoCloseable {
    private static final Pattern STARTED = Pattern.compile("started successfully on port (\\d+)");
    private static final int TIMEOUT_MS = 60_000;

    static final String ENTER = "\ue007";
    static final String SHIFT = "\ue008";
    static final String ESCAPE = "\ue00c";
    static final String TAB = "\ue004";
    static final String DOWN = "\ue015";
    static final String END = "\ue010";

    private final ObjectMapper mapper = new ObjectMapper();
    private final HttpClient http = HttpClient.newHttpClient();
    private final Process driver;
    private final String session;

    /** @param profile a new directory for what Chromium keeps */
    Browser(Path profile, int width, int height) throws IOException, InterruptedException {
        Driver started = Driver.start(Programs.requireProgram("chromedriver"), "--port=0");
        driver = started.process();
        String address = "http://127.0.0.1:" + started.port() + "/session";
        List<String> arguments = List.of(
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--hide-scrollbars",
                "--force-color-profile=srgb",
                "--window-size=" + width + "," + height,
                "--user-data-dir=" + profile);
        Map<String, Object> options = Map.of("binary", Programs.requireProgram("chromium"), "args", arguments);
        JsonNode made = post(
                address,
                Map.of(
                        "capabilities",
                        Map.of(
                                "alwaysMatch",
                                Map.of(
                                        "goog:chromeOptions",
                                        options,
                                        "goog:loggingPrefs",
                                        Map.of("browser", "ALL"),
                                        "timeouts",
                                        Map.of("script", 2 * TIMEOUT_MS)))));
        session = address + "/" + made.get("sessionId").asText();
    }

    /** A chromedriver that accepts connections at a port of its choice. */
    record Driver(Process process, int port) {
        private static final int ATTEMPTS = 2;

        /**
         * Starts chromedriver. If it ends before it listens, another program may have taken its port: it is started
         * once more, with another port.
         *
         * @throws IOException if no attempt succeeds; its message contains all output
         */
        static Driver start(String... command) throws IOException {
            List<String> output = new ArrayList<>();
            for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
                Process process =
                        new ProcessBuilder(command).redirectErrorStream(true).start();
                Integer port = readPort(process, output);
                if (port != null) {
                    return new Driver(process, port);
                }
                process.destroyForcibly();
            }
            throw new IOException("chromedriver did not start:\n" + String.join("\n", output));
        }

        private static @Nullable Integer readPort(Process process, List<String> output) throws IOException {
            BufferedReader reader =
                    new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                output.add(line);
                Matcher started = STARTED.matcher(line);
                if (started.find()) {
                    return Integer.valueOf(started.group(1));
                }
            }
            return null;
        }
    }

    private JsonNode post(String address, Object body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(address))
                .POST(HttpRequest.BodyPublishers.ofString(mapper.writeValueAsString(body)))
                .build();
        return value(http.send(request, HttpResponse.BodyHandlers.ofString()));
    }

    private JsonNode value(HttpResponse<String> answer) throws IOException {
        if (answer.statusCode() != 200) {
            throw new IOException("chromedriver: " + answer.body());
        }
        return mapper.readTree(answer.body()).get("value");
    }

    void open(String address) throws IOException, InterruptedException {
        post(session + "/url", Map.of("url", address));
    }

    /** Gives the page another size. */
    void resize(int width, int height) throws IOException, InterruptedException {
        post(
                session + "/goog/cdp/execute",
                Map.of(
                        "cmd",
                        "Emulation.setDeviceMetricsOverride",
                        "params",
                        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false)));
    }

    /** Returns the result of a function body. */
    JsonNode run(String script, Object... arguments) throws IOException, InterruptedException {
        return post(session + "/execute/sync", Map.of("script", script, "args", arguments));
    }

    /** Waits in the page until an expression is true. The error of a page that never gets there describes it. */
    void await(String expression) throws IOException, InterruptedException {
        JsonNode page = post(
                session + "/execute/async", Map.of("script", """
                        const done = arguments[0];
                        const began = performance.now();
                        let frames = 0;
                        const count = () => { frames++; requestAnimationFrame(count); };
                        count();
                        const text = id => document.getElementById(id)?.textContent;
                        const page = () => ({
                            frames, at: location.hash, data: { ...document.body.dataset },
                            live: text('live'), notice: text('notice'), hurt: text('hurt'), path: text('path'),
                            requests: performance.getEntriesByType('resource').slice(-12)
                                .map(each => [each.name, Math.round(each.startTime), Math.round(each.duration)]),
                            now: Math.round(performance.now()),
                        });
                        const look = () => (%s) ? done(null)
                            : performance.now() - began > %d ? done(page()) : setTimeout(look, 10);
                        look();
                        """.formatted(expression, TIMEOUT_MS), "args", List.of()));
        if (!page.isNull()) {
            throw new AssertionError(expression + " is not true of " + page);
        }
    }

    /** Waits until what changed is drawn. */
    void awaitFrame() throws IOException, InterruptedException {
        post(
                session + "/execute/async",
                Map.of(
                        "script",
                        "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() =>"
                                + " done(true)));",
                        "args",
                        List.of()));
    }

    /** Clicks with the mouse at a place of the window, with the Shift key pressed or not. */
    void click(int x, int y, boolean isShift) throws IOException, InterruptedException {
        Map<String, Object> move = Map.of("type", "pointerMove", "duration", 0, "x", x, "y", y);
        Map<String, Object> down = Map.of("type", "pointerDown", "button", 0);
        Map<String, Object> up = Map.of("type", "pointerUp", "button", 0);
        Map<String, Object> mouse = Map.of("type", "pointer", "id", "mouse", "actions", List.of(move, down, up));
        sendKey(isShift ? "keyDown" : "keyUp", SHIFT);
        post(session + "/actions", Map.of("actions", List.of(mouse)));
        sendKey("keyUp", SHIFT);
    }

    /**
     * Presses keys one after the other, each a character; those of no character are numbered by WebDriver from U+E000
     * on.
     */
    void type(String keys) throws IOException, InterruptedException {
        for (String key : keys.codePoints().mapToObj(Character::toString).toList()) {
            sendKey("keyDown", key);
            sendKey("keyUp", key);
        }
    }

    private void sendKey(String label, String key) throws IOException, InterruptedException {
        Map<String, Object> keyboard =
                Map.of("type", "key", "id", "keyboard", "actions", List.of(Map.of("type", label, "value", key)));
        post(session + "/actions", Map.of("actions", List.of(keyboard)));
    }

    /** Emulates an operating system that is dark, or wants less motion. */
    void emulateMedia(String feature, String value) throws IOException, InterruptedException {
        Map<String, Object> features = Map.of("features", List.of(Map.of("name", feature, "value", value)));
        post(session + "/goog/cdp/execute", Map.of("cmd", "Emulation.setEmulatedMedia", "params", features));
    }

    /** Returns the window as PNG. */
    byte[] screenshot() throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(session + "/screenshot")).build();
        String png =
                value(http.send(request, HttpResponse.BodyHandlers.ofString())).asText();
        return Base64.getDecoder().decode(png);
    }

    /** Returns the complaints of the page and the browser. */
    JsonNode logEntries() throws IOException, InterruptedException {
        return post(session + "/se/log", Map.of("type", "browser"));
    }

    @Override
    public void close() throws IOException {
        try {
            http.send(
                    HttpRequest.newBuilder(URI.create(session)).DELETE().build(),
                    HttpResponse.BodyHandlers.discarding());
            driver.destroy();
            driver.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            driver.destroyForcibly();
        }
    }
}
