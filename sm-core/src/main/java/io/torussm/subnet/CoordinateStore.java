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
 * The coordinates of each switch in the last plan of an engine with coordinates, in the file {@code places} of the
 * state directory: one line {@code 0x<node GUID> (x,y,z) <description>} for each switch. With this file, a restarted
 * SM reports switches that were moved meanwhile, and places a part of the torus that is disconnected from all seeds.
 *
 * <p>Owner thread: the loop of the SM.
 */
public final class CoordinateStore {
    /** The file of the state directory. */
    public static final StateFile FILE =
            StateFile.of("places", 1, 16L << 20, "it is not reported what changed in the torus since the last run");

    /** Max number of changes that are reported one by one. */
    static final int MAX_LISTED = 20;

    private static final Pattern PLACE = Pattern.compile("\\([0-9]{1,3},[0-9]{1,3},[0-9]{1,3}\\)");

    private static final Pattern LINE_BREAK = Pattern.compile("\\R");

    private final StateDirectory directory;

    /** Places by NodeGUID in the last plan with coordinates: the content of the file. */
    private Map<Long, Place> places;

    /** Places by NodeGUID of switches of this run that the last plan lacks, until another switch has the place. */
    private Map<Long, Place> absentPlaces = Map.of();

    /**
     * Coordinates by NodeGUID in the fabric of another master or in plans of a broken torus, until the whole torus is
     * placed. They are not in the file.
     */
    private Map<Long, String> otherMasterCoordinates = Map.of();

    /**
     * The place of a switch.
     *
     * @param coordinates coordinates, such as {@code (2,3,0)}
     * @param description NodeDescription of the switch
     */
    public record Place(String coordinates, String description) {
        /** Returns the switch by its place, GUID and name. */
        public DeviceText device(long nodeGuid, Names names) {
            return DeviceText.ofDevice(
                    coordinates + " " + Guid.format(nodeGuid) + " \"" + names.of(nodeGuid, description) + "\"",
                    EventField.GUID.of(nodeGuid),
                    EventField.COORDINATES.of(coordinates));
        }
    }

    CoordinateStore(StateDirectory directory) {
        this.directory = directory;
        this.places = directory.read(FILE, new PlaceLines()).orElse(Map.of());
        directory.register(FILE, PlaceLines::new, this::replace);
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

    /**
     * Records the coordinates by NodeGUID of a fabric of another master. They are necessary if this SM later becomes
     * master of a part of the fabric.
     */
    public void setOtherMasterCoordinates(Map<Long, String> others) {
        otherMasterCoordinates = Collections.unmodifiableMap(new LinkedHashMap<>(others));
    }

    /**
     * Records the coordinates of a plan that is about to be written, if no coordinates of a whole torus are known. They
     * are necessary if the write fails and switches are disconnected from all seeds in the next sweep.
     *
     * @param coordinates function that returns the coordinates of a switch index; empty without coordinates
     */
    public void addPlannedCoordinates(Fabric fabric, IntFunction<String> coordinates) {
        if (places.isEmpty()) {
            Map<Long, Place> planned = of(fabric, coordinates);
            Map<Long, String> all = new LinkedHashMap<>(otherMasterCoordinates);
            all.values()
                    .removeAll(planned.values().stream().map(Place::coordinates).toList());
            planned.forEach((guid, place) -> all.put(guid, place.coordinates()));
            setOtherMasterCoordinates(all);
        }
    }

    /**
     * Stores the coordinates of an active plan. A plan of an engine without coordinates changes nothing.
     *
     * @param coordinates function that returns the coordinates of a switch index; empty without coordinates
     */
    public void remember(Fabric fabric, IntFunction<String> coordinates) {
        if (isKnown(fabric, coordinates)) {
            return;
        }
        Map<Long, Place> current = of(fabric, coordinates);
        if (!current.isEmpty()) {
            replace(current);
            directory.write(FILE, () -> current.entrySet().stream()
                    .map(entry ->
                            Guid.format(entry.getKey()) + " " + entry.getValue().coordinates() + " "
                                    + entry.getValue().description()));
        }
    }

    private void replace(Map<Long, Place> current) {
        absentPlaces = without(current);
        otherMasterCoordinates = Map.of();
        places = current;
    }

    /**
     * Checks whether all coordinates are unchanged, as after nearly every sweep. This saves a map of them.
     */
    private boolean isKnown(Fabric fabric, IntFunction<String> coordinates) {
        int placed = 0;
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            String at = coordinates.apply(sw);
            if (!at.isEmpty()) {
                Place known = places.get(fabric.nodeGuid(sw));
                if (known == null
                        || !known.coordinates().equals(at)
                        || !known.description().equals(description(fabric, sw))) {
                    return false;
                }
                placed++;
            }
        }
        return placed == places.size();
    }

    /** Returns the known places of switches that a plan lacks, unless another switch has the place in the plan. */
    private Map<Long, Place> without(Map<Long, Place> current) {
        Set<String> usedNames =
                current.values().stream().map(Place::coordinates).collect(Collectors.toSet());
        Map<Long, Place> absent = new HashMap<>(absentPlaces);
        otherMasterCoordinates.forEach((guid, at) -> absent.put(guid, new Place(at, description(guid))));
        absent.putAll(places);
        absent.keySet().removeAll(current.keySet());
        absent.values().removeIf(place -> usedNames.contains(place.coordinates()));
        return absent;
    }

    /** Returns the place of a switch by NodeGUID, even if it is now absent; null without a place. */
    public @Nullable Place place(long nodeGuid) {
        Place place = places.get(nodeGuid);
        return place == null ? absentPlaces.get(nodeGuid) : place;
    }

    /** Returns the known places by NodeGUID, including those of switches that became absent in this run. */
    public Map<Long, Place> knownPlaces() {
        Map<Long, Place> known = new HashMap<>(absentPlaces);
        known.putAll(places);
        otherMasterCoordinates.forEach((guid, at) -> known.put(guid, new Place(at, description(guid))));
        return known;
    }

    /** Returns a switch as events name it, with its place; empty without a place. */
    public Optional<DeviceText> device(long nodeGuid, Names names) {
        return Optional.ofNullable(place(nodeGuid)).map(place -> place.device(nodeGuid, names));
    }

    /** Returns the description of a switch that has or had a place; empty without a place. */
    public String description(long nodeGuid) {
        Place place = place(nodeGuid);
        return place == null ? "" : place.description();
    }

    /**
     * Returns the differences between the stored places and a plan: moved, absent and new switches. The list is empty
     * if no places are stored, or the plan has no coordinates.
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
            } else if (!there.coordinates().equals(place.coordinates())) {
                changes.add(Finding.of(
                        SmEvent.SWITCH_MOVED,
                        EventField.NAME.of(place.device(guid, fabric.names())),
                        EventField.COORDINATES.of(there.coordinates())));
            }
        });
        current.forEach((guid, place) -> {
            if (!previous.containsKey(guid)) {
                changes.add(Finding.of(SmEvent.SWITCH_NEW, EventField.NAME.of(place.device(guid, fabric.names()))));
            }
        });
        return limitList(changes);
    }

    private static List<Finding> limitList(List<Finding> changes) {
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
        public String parseLine(String line) {
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
