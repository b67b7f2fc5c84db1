package io.torussm.sweep;

import java.util.ArrayList;
import java.util.List;

/**
 * What went wrong while writing to the fabric: everything is counted, the first few are told. Trouble with a switch is
 * grave, because paths of others lead through it; a host that does not answer only harms itself.
 */
final class Trouble {
    private static final int TOLD = 10;

    private final List<String> told = new ArrayList<>();
    private int count;
    private int grave;

    void report(boolean isGrave, String what) {
        count++;
        grave += isGrave ? 1 : 0;
        if (told.size() < TOLD) {
            told.add(what);
        }
    }

    int count() {
        return count;
    }

    int graveCount() {
        return grave;
    }

    List<String> told() {
        return List.copyOf(told);
    }
}
