package io.torussm.mastership;

import java.util.Arrays;
import java.util.Random;

/** A network of hosts, whole or in two parts. A host is always connected to itself. */
final class Islands {
    private final boolean[] isEast;

    Islands(int hosts) {
        isEast = new boolean[hosts];
    }

    boolean isEast(int host) {
        return isEast[host];
    }

    boolean connects(int from, int to) {
        return isEast[from] == isEast[to];
    }

    /** Separates the network; the part of each host is drawn. */
    void split(Random random) {
        for (int i = 0; i < isEast.length; i++) {
            isEast[i] = random.nextBoolean();
        }
    }

    void join() {
        Arrays.fill(isEast, false);
    }
}
