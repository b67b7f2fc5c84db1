package io.torussm.subnet;

import io.torussm.event.DeviceText;
import io.torussm.event.EventField;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.mad.Guid;
import io.torussm.names.Names;
import io.torussm.state.StateDirectory;
import io.torussm.state.StateFile;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The coordinates of each switch in the last plan of an engine with coordinates. They are in the file
 * {@code places} of the state directory: one line {@code 0x<node GUID> (x,y,z) <description>} each. After a
 * restart an SM thus reports switches that were moved meanwhile, and places a part of the torus that is
 * disconnected from all seeds.
 *
 * <p>Owner thread: the loop of the SM.
 */
public final class CoordinateStore {
    /** The file of the state directory. */
    public static final StateFile FILE =
            StateFile.of("places", 1, 16L << 20, "it is not reported what changed in the torus since the last run");

    /** Changes that are listed one by one. */
    static final int MAX_LISTED = 20;

    private static final Pattern PLACE = Pattern.compile("\\([0-9]{1,3},[0-9]{1,3},[0-9]{1,3}\\)");

    private static final Pattern LINE_BREAK = Pattern.compile("\\R");

    private final StateDirectory directory;
    private Map<Long, Place> places;

    /** Switches of this run that the last plan lacks, until another switch has their coordinates. */
    private Map<Long, Place> gone = Map.of();

    /**
     * Places of switches in the fabric of another master or in plans of a broken torus, until the whole torus is
     * placed. They are not in the file.
     */
    private Map<Long, String> seen = Map.of();

    /** The place of a switch, such as {@code (2,3,0)}, and the switch's description. */
    public record Place(String at, String description) {
        /** Returns the switch by its place, GUID and name. */
        public DeviceText device(long nodeGuid, Names names) {
            return DeviceText.named(
                    at + " " + Guid.format(nodeGuid) + " \"" + names.of(nodeGuid, description) + "\"",
                    EventField.GUID.of(nodeGuid),
                    EventField.COORDINATES.of(at));
        }
    }

    CoordinateStore(StateDirectory directory) {
        this.directory = directory;
        this.places = directory.read(FILE, new PlaceLines()).orElse(Map.of());
        directory.follow(FILE, PlaceLines::new, this::replace);
    }

    private static Map<Long, Place> of(Fabric fabric, IntFunction<String> coordinates) {
        Map<Long, Place> places = new TreeMap<>(Long::compareUnsigned);
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            String at = coordinates.apply(sw);
            if (!at.isEmpty()) {
                places.put(fabric.nodeGuid(sw), new Place(at, description(fabric, sw)));
            }
        }
        return places;
    }

    private static String description(Fabric fabric, int sw) {
        return LINE_BREAK.matcher(fabric.node(sw).description()).replaceAll(" ").strip();
    }

    /** Notes the coordinates of a fabric of another master, for when this SM is alone with a part of it. */
    public void saw(Map<Long, String> others) {
        seen = Collections.unmodifiableMap(new LinkedHashMap<>(others));
    }

    /**
     * Notes the coordinates of a plan that is about to be written, as long as there are none of a whole torus. The
     * write may fail, and switches may be cut off from all seeds in the next sweep.
     */
    public void planned(Fabric fabric, IntFunction<String> coordinates) {
        if (places.isEmpty()) {
            Map<Long, Place> planned = of(fabric, coordinates);
            Map<Long, String> all = new LinkedHashMap<>(seen);
            all.values().removeAll(planned.values().stream().map(Place::at).toList());
            planned.forEach((guid, place) -> all.put(guid, place.at()));
            saw(all);
        }
    }

    /** Stores the coordinates of an active plan; a plan of an engine without coordinates changes nothing. */
    public void remember(Fabric fabric, IntFunction<String> coordinates) {
        if (isKnown(fabric, coordinates)) {
            return;
        }
        Map<Long, Place> current = of(fabric, coordinates);
        if (!current.isEmpty()) {
            replace(current);
            directory.write(FILE, () -> current.entrySet().stream()
                    .map(entry -> Guid.format(entry.getKey()) + " "
                            + entry.getValue().at() + " " + entry.getValue().description()));
        }
    }

    private void replace(Map<Long, Place> current) {
        gone = without(current);
        seen = Map.of();
        places = current;
    }

    /**
     * Checks whether all coordinates are unchanged, as after nearly every sweep, without building a map of
     * them.
     */
    private boolean isKnown(Fabric fabric, IntFunction<String> coordinates) {
        int placed = 0;
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            String at = coordinates.apply(sw);
            if (!at.isEmpty()) {
                Place known = places.get(fabric.nodeGuid(sw));
                if (known == null
                        || !known.at().equals(at)
                        || !known.description().equals(description(fabric, sw))) {
                    return false;
                }
                placed++;
            }
        }
        return placed == places.size();
    }

    private Map<Long, Place> without(Map<Long, Place> current) {
        Set<String> usedNames = current.values().stream().map(Place::at).collect(Collectors.toSet());
        Map<Long, Place> left = new HashMap<>(gone);
        seen.forEach((guid, at) -> left.put(guid, new Place(at, description(guid))));
        left.putAll(places);
        left.keySet().removeAll(current.keySet());
        left.values().removeIf(place -> usedNames.contains(place.at()));
        return left;
    }

    /** Returns the record of a switch by its node GUID, even if it has gone since; null if there is none. */
    public @Nullable Place place(long nodeGuid) {
        Place place = places.get(nodeGuid);
        return place == null ? gone.get(nodeGuid) : place;
    }

    /** Returns the place of each switch by its node GUID, also of switches that went in this run. */
    public Map<Long, Place> known() {
        Map<Long, Place> known = new HashMap<>(gone);
        known.putAll(places);
        seen.forEach((guid, at) -> known.put(guid, new Place(at, description(guid))));
        return known;
    }

    /** Returns a switch by its place and name; empty if it had no place. */
    public Optional<DeviceText> device(long nodeGuid, Names names) {
        return Optional.ofNullable(place(nodeGuid)).map(place -> place.device(nodeGuid, names));
    }

    /** Returns the description of a switch that had coordinates; empty if it had none. */
    public String description(long nodeGuid) {
        Place place = place(nodeGuid);
        return place == null ? "" : place.description();
    }

    /**
     * Returns the changes of a plan against the last run; none if there was no run, or the plan has no
     * coordinates.
     */
    public List<Finding> changesTo(Fabric fabric, IntFunction<String> coordinates) {
        Map<Long, Place> current = of(fabric, coordinates);
        List<Finding> changes = new ArrayList<>();
        if (places.isEmpty() || current.isEmpty()) {
            return changes;
        }
        Map<Long, Place> previous = new TreeMap<>(Long::compareUnsigned);
        previous.putAll(places);
        previous.forEach((guid, place) -> {
            Place there = current.get(guid);
            if (there == null) {
                changes.add(Finding.of(SmEvent.SWITCH_GONE, EventField.NAME.of(place.device(guid, fabric.names()))));
            } else if (!there.at().equals(place.at())) {
                changes.add(Finding.of(
                        SmEvent.SWITCH_MOVED,
                        EventField.NAME.of(place.device(guid, fabric.names())),
                        EventField.COORDINATES.of(there.at())));
            }
        });
        current.forEach((guid, place) -> {
            if (!previous.containsKey(guid)) {
                changes.add(Finding.of(SmEvent.SWITCH_NEW, EventField.NAME.of(place.device(guid, fabric.names()))));
            }
        });
        return listed(changes);
    }

    private static List<Finding> listed(List<Finding> changes) {
        if (changes.size() <= MAX_LISTED) {
            return changes;
        }
        List<Finding> listed = new ArrayList<>(changes.subList(0, MAX_LISTED));
        listed.add(Finding.of(SmEvent.SWITCHES_CHANGED, EventField.COUNT.of(changes.size() - MAX_LISTED)));
        return listed;
    }

    /** The reader of the file. */
    private static final class PlaceLines implements StateFile.Parser<Map<Long, Place>> {
        private final Map<Long, Place> places = new HashMap<>();

        @Override
        public String take(String line) {
            String[] words = line.split(" ", 3);
            if (words.length < 2 || !PLACE.matcher(words[1]).matches()) {
                return "expected a node GUID and a place";
            }
            try {
                Place place = new Place(words[1], words.length == 3 ? words[2] : "");
                return places.put(Guid.parse(words[0]), place) == null ? "" : "the GUID appears twice";
            } catch (NumberFormatException e) {
                return "not a GUID: " + e.getMessage();
            }
        }

        @Override
        public Map<Long, Place> value() {
            return places;
        }
    }
}
