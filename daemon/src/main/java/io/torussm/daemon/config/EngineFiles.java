package io.torussm.daemon.config;

import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.routing.Engine;
import io.torussm.routing.EngineFile;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The files of routing engines, such as torus-2QoS.conf: while an engine cannot use what they say, what they said before
 * stays in force. Without that, a slip of the pen and a sweep would leave the fabric without routing. Owner thread: sm.
 */
public final class EngineFiles {
    private static final EventLog EVENTS = EventLog.of(EngineFiles.class);

    /** By engine, then by setting such as {@code torus-2QoS.torus_config}: files that it could use. */
    private final Map<String, Map<String, EngineFile>> good = new HashMap<>();

    /** By engine: why its files are not used. */
    private final Map<String, List<Finding>> reported = new HashMap<>();

    /** Reads the files anew, and returns what is in force instead of some of them, by setting. */
    public Map<String, EngineFile> instead(SmOptions options) {
        Map<String, EngineFile> instead = new HashMap<>();
        for (Engine engine : RoutingFactory.named(options)) {
            Map<String, EngineFile> now = RoutingFactory.files(options, engine);
            List<Finding> errors = RoutingFactory.errors(options, engine, now);
            Map<String, EngineFile> before = good.getOrDefault(engine.name(), Map.of());
            if (errors.isEmpty()) {
                good.put(engine.name(), now);
                report(engine, List.of());
            } else if (!before.isEmpty()
                    && RoutingFactory.errors(options, engine, before).isEmpty()) {
                instead.putAll(before);
                report(engine, errors);
            }
        }
        return instead;
    }

    private void report(Engine engine, List<Finding> errors) {
        List<Finding> last = reported.put(engine.name(), errors);
        if (errors.equals(last == null ? List.of() : last)) {
            return;
        }
        errors.forEach(EVENTS::report);
        EVENTS.report((errors.isEmpty() ? SmEvent.ENGINE_FILES_TAKEN : SmEvent.ENGINE_FILES_KEPT).says(engine.name()));
    }
}
