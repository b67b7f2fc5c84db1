package io.torussm.quarantine;

import io.torussm.event.DeviceText;
import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.fabric.Fabric;
import io.torussm.stage.ProgrammingErrors;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * What devices do not take, from one sweep to the next; told when it begins and when it ends. Owner thread: the loop.
 */
public final class DeviceTroubles {
    private static final EventLog EVENTS = EventLog.of(DeviceTroubles.class);

    private Map<Key, DeviceText> known = new LinkedHashMap<>();

    private record Key(long nodeGuid, int attributeId) {}

    /**
     * A sweep is over that wrote all that it could.
     *
     * @param fabric that it wrote
     * @return what the devices do not take, to be compared with other sweeps
     */
    public Set<?> ended(Fabric fabric, ProgrammingErrors errors) {
        Map<Key, DeviceText> now = new LinkedHashMap<>();
        for (ProgrammingErrors.Trouble trouble : errors.troubles()) {
            now.put(new Key(fabric.nodeGuid(trouble.node()), trouble.attributeId()), fabric.device(trouble.node()));
        }
        boolean isNews = errors.count() > 0 && !known.keySet().containsAll(now.keySet()) || now.isEmpty();
        if (isNews) {
            errors.described().forEach(what -> EVENTS.report(SmEvent.DEVICE_TROUBLE.says(what)));
        }
        known.forEach((key, name) -> {
            if (!now.containsKey(key)) {
                EVENTS.report(
                        SmEvent.DEVICE_TROUBLE_OVER,
                        EventField.NAME.of(name),
                        EventField.ATTRIBUTE.of(String.format("0x%04x", key.attributeId)));
            }
        });
        known = now;
        return Set.copyOf(now.keySet());
    }

    /** Another SM is master: what devices take is its business. */
    public void forget() {
        known = new LinkedHashMap<>();
    }
}
