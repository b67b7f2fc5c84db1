package io.torussm.event;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Text about a device or one of its ports, with the fields by which machines find it, as far as they are known. As a
 * value of an event, or as a part of its text, it adds the fields to the event. Immutable.
 *
 * @param text name of the device, or a sentence that contains it
 * @param fields fields of {@link #FIELDS}, each once at most
 */
public record DeviceText(String text, List<EventField.Value> fields) {
    /** The fields that an event about a device may have. */
    public static final Set<EventField> FIELDS = Collections.unmodifiableSet(EnumSet.of(
            EventField.GUID,
            EventField.LID,
            EventField.PORT,
            EventField.NAME,
            EventField.COORDINATES,
            EventField.SITE,
            EventField.CABLE));

    public DeviceText {
        fields = List.copyOf(fields);
    }

    /** Returns a device by the name that logs give it. */
    public static DeviceText named(String name, EventField.Value... fields) {
        return new DeviceText(name, List.of(EventField.NAME.of(name))).with(fields);
    }

    /** Returns a sentence from parts; the first device among them is the one that it is about. */
    public static DeviceText of(Object... parts) {
        return new DeviceText(
                Arrays.stream(parts).map(String::valueOf).collect(Collectors.joining()),
                Arrays.stream(parts)
                        .filter(DeviceText.class::isInstance)
                        .findFirst()
                        .map(part -> ((DeviceText) part).fields)
                        .orElse(List.of()));
    }

    /** Returns this device with additional fields. Fields that it has already stay. */
    public DeviceText with(EventField.Value... more) {
        return new DeviceText(text, Finding.complete(fields, List.of(more)));
    }

    /** Returns this device in other words. */
    public DeviceText as(String words) {
        return new DeviceText(words, fields);
    }

    @Override
    public String toString() {
        return text;
    }
}
