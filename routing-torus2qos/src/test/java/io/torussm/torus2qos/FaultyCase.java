package io.torussm.torus2qos;

import io.torussm.fabric.Fabric;
import io.torussm.routing.RoutingOptions;
import io.torussm.testing.Seeds;
import io.torussm.torus2qos.DamagedTorus.Cable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A torus with failures, all drawn from one seed: sizes, meshes, parallel cables, GUIDs and port numbers, seeds that
 * name the same coordinates from several switches, LMC, data VLs, failed switches and cables.
 */
record FaultyCase(long seed, DamagedTorus damaged, String conf, int lmc, int dataVls) {
    private static final int MAX_SWITCHES = 110;

    static FaultyCase draw(long seed) {
        // seeds that follow one another make a Random begin alike
        Random random = Seeds.random(seed);
        while (true) {
            FaultyCase drawn = draw(seed, random);
            if (drawn != null) {
                return drawn;
            }
        }
    }

    /** Draws a case; null if none of the seeds in the configuration survives. */
    private static @Nullable FaultyCase draw(long seed, Random random) {
        TestTorus torus = drawTorus(random);
        List<String> seeds = new ArrayList<>();
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            seeds.add(torus.seed(torus.at(random.nextInt(torus.count()))));
        }
        DamagedTorus damaged = new DamagedTorus(torus);
        failSwitches(damaged, random);
        failCables(damaged, random);
        failUnreachable(damaged);
        List<Integer> lost = new ArrayList<>();
        for (int sw = 0; sw < torus.count(); sw++) {
            if (!damaged.isPresent(sw)) {
                lost.add(sw);
            }
        }
        boolean anySurvives = seeds.stream().anyMatch(text -> lost.stream()
                .noneMatch(sw -> text.contains(String.format("0x%x", torus.guid(torus.at(sw))))));
        int dataVls = random.nextInt(8) == 0 ? 2 << random.nextInt(2) : 8;
        String conf = torus.sizes() + String.join("next_seed\n", seeds);
        return anySurvives ? new FaultyCase(seed, damaged, conf, random.nextInt(2), dataVls) : null;
    }

    /** Cuts off a part of the fabric from the SM. */
    private static void failUnreachable(DamagedTorus damaged) {
        Set<Integer> part = damaged.largestPart();
        for (int sw : damaged.switches()) {
            if (!part.contains(sw)) {
                damaged.failSwitch(damaged.torus.at(sw));
            }
        }
    }

    private static TestTorus drawTorus(Random random) {
        boolean isWide = random.nextBoolean();
        int thin = random.nextInt(3);
        int[] radix = new int[3];
        do {
            for (int d = 0; d < 3; d++) {
                int any = random.nextInt(4) == 0 ? 1 : 2 + random.nextInt(6);
                radix[d] = !isWide ? any : d == thin ? 1 + random.nextInt(3) : 5 + random.nextInt(3);
            }
        } while (radix[0] * radix[1] * radix[2] > MAX_SWITCHES || dimensions(radix) < 2);
        StringBuilder mesh = new StringBuilder();
        for (int d = 0; d < 3; d++) {
            mesh.append(random.nextInt(6) == 0 ? "xyz".substring(d, d + 1) : "");
        }
        int links = random.nextBoolean() ? 1 : 1 + random.nextInt(3);
        return new TestTorus(radix, mesh.toString(), links, random.nextInt(3), random);
    }

    private static int dimensions(int[] radix) {
        return (radix[0] > 1 ? 1 : 0) + (radix[1] > 1 ? 1 : 0) + (radix[2] > 1 ? 1 : 0);
    }

    /** Removes up to four switches: anywhere, on one line, in a cluster, or next to one another along a dimension. */
    private static void failSwitches(DamagedTorus damaged, Random random) {
        TestTorus torus = damaged.torus;
        int count = random.nextInt(3) == 0 ? random.nextInt(2) : random.nextInt(5);
        int at = random.nextInt(torus.count());
        int d = widest(torus, random);
        int kind = random.nextInt(5);
        List<Integer> line = line(torus, at, d);
        Collections.shuffle(line, random);
        for (int i = 0; i < count; i++) {
            int sw = kind == 0 ? random.nextInt(torus.count()) : kind == 1 ? line.get(i % line.size()) : at;
            damaged.failSwitch(torus.at(sw));
            at = damaged.adjacentPosition(at, 2 * (kind == 2 ? random.nextInt(3) : d) + 1);
        }
    }

    private static int widest(TestTorus torus, Random random) {
        int d = random.nextInt(3);
        int other = random.nextInt(3);
        return torus.radix[d] >= torus.radix[other] ? d : other;
    }

    /** Removes up to twelve cables, anywhere or on one line; one cable of a link or all of it. */
    private static void failCables(DamagedTorus damaged, Random random) {
        TestTorus torus = damaged.torus;
        int kind = random.nextInt(5);
        int count = kind <= 1 ? 0 : kind == 4 ? random.nextInt(13) : 1 + random.nextInt(3);
        boolean onOneLine = random.nextInt(4) == 0;
        boolean wholeLinks = random.nextBoolean();
        int d = random.nextInt(3);
        List<Integer> line = line(torus, random.nextInt(torus.count()), d);
        for (int i = 0; i < count; i++) {
            int from = onOneLine ? line.get(random.nextInt(line.size())) : random.nextInt(torus.count());
            int along = onOneLine ? d : random.nextInt(3);
            if (wholeLinks) {
                damaged.failLink(along, torus.at(from));
            } else {
                damaged.failCable(new Cable(from, along, random.nextInt(torus.links)));
            }
        }
    }

    private static List<Integer> line(TestTorus torus, int sw, int d) {
        List<Integer> line = new ArrayList<>();
        int[] at = torus.at(sw);
        for (int i = 0; i < torus.radix[d]; i++) {
            at[d] = i;
            line.add(torus.index(at));
        }
        return line;
    }

    TestTorus torus() {
        return damaged.torus;
    }

    /** Returns options with a code of {@code max_op_vls} that leaves a number of data VLs. */
    RoutingOptions options() {
        return new RoutingOptions(true, dataVls == 8 ? 5 : dataVls == 4 ? 3 : 2, 0);
    }

    int index(Fabric fabric, int sw) {
        return fabric.nodeByGuid(damaged.torus.guid(damaged.torus.at(sw)));
    }

    @Override
    public String toString() {
        return damaged + "; " + dataVls + " VLs, LMC " + lmc + "; " + conf.replace("\n", " | ");
    }
}
