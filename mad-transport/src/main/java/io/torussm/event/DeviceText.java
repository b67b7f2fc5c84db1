package io.torussm.event;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Text about a device or one of its ports, with the known fields that identify it for programs. If it is a value of an
 * event, or a part of its text, the event has these fields, too. Immutable.
 *
 * @param text name of the device, or a sentence that contains it
 * @param fields fields of {@link #FIELDS}, each at most once
 */
public record DeviceText(String text, List<EventField.Value> fields) {
    /** The possible fields of an event about a device. */
    public static final Set<EventField> FIELDS = Collections.unmodifiableSet(EnumSet.of(
            EventField.GUID,
            EventField.LID,
            EventField.PORT,
            EventField.NAME,
            EventField.COORDINATES,
            EventField.SITE,
            EventField.CABLE));

    /** The possible fields of an event about an attribute of a device. */
    public static final Set<EventField> FIELDS_WITH_ATTRIBUTE = fieldsWith(EventField.ATTRIBUTE);

    /** The possible fields of an event about a device whose text contains a number as words. */
    public static final Set<EventField> FIELDS_WITH_COUNT = fieldsWith(EventField.COUNT);

    private static Set<EventField> fieldsWith(EventField field) {
        EnumSet<EventField> all = EnumSet.copyOf(FIELDS);
        all.add(field);
        return Collections.unmodifiableSet(all);
    }

    public DeviceText {
        fields = List.copyOf(fields);
    }

    /** Returns the text of a device that logs show by its name. */
    public static DeviceText ofDevice(String name, EventField.Value... fields) {
        return new DeviceText(name, List.of(EventField.NAME.of(name))).with(fields);
    }

    /** Returns the concatenation of parts, with the fields of the first {@link DeviceText} among them. */
    public static DeviceText of(Object... parts) {
        return new DeviceText(
                Arrays.stream(parts).map(String::valueOf).collect(Collectors.joining()),
                Arrays.stream(parts)
                        .filter(DeviceText.class::isInstance)
                        .findFirst()
                        .map(part -> ((DeviceText) part).fields)
                        .orElse(List.of()));
    }

    /** Returns a copy with additional fields. Fields that it has already are not replaced. */
    public DeviceText with(EventField.Value... more) {
        return new DeviceText(text, Finding.complete(fields, List.of(more)));
    }

    /** Returns a copy with another text. */
    public DeviceText withText(String words) {
        return new DeviceText(words, fields);
    }

    @Override
    public String toString() {
        return text;
    }
}
