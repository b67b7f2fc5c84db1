package io.torussm.daemon.dump;

import io.torussm.fabric.Fabric;
import io.torussm.view.PublishedView;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The writer of {@code opensm-torus.dump}: the coordinates of switches. The file is empty if the engine has none. */
final class TorusDump {
    private static final Pattern PLACE = Pattern.compile("\\((\\d{1,5}),(\\d{1,5}),(\\d{1,5})\\)");

    private record Placed(int x, int y, int z, int sw) {}

    private TorusDump() {}

    static void places(PublishedView view, AsciiWriter text) throws IOException {
        Fabric fabric = view.subnet().fabric();
        List<Placed> places = new ArrayList<>();
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            Matcher place = PLACE.matcher(view.plan().coordinates(sw));
            if (place.matches()) {
                places.add(new Placed(number(place, 1), number(place, 2), number(place, 3), sw));
            }
        }
        places.sort(
                Comparator.comparingInt(Placed::z).thenComparingInt(Placed::y).thenComparingInt(Placed::x));
        for (Placed place : places) {
            text.put("switch ").decimal(place.x(), 1).put(',').decimal(place.y(), 1);
            text.put(',').decimal(place.z(), 1).put(" GUID 0x").hex(fabric.nodeGuid(place.sw()), 4);
            text.put(" (").putName(fabric.nodeName(place.sw())).put(")\n");
        }
    }

    private static int number(Matcher matcher, int group) {
        return Integer.parseInt(matcher.group(group));
    }
}
