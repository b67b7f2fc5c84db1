package io.torussm.testing;

import io.torussm.subnet.Subnet;
import java.util.Arrays;

/**
 * A torus as a plain grid. Switch (x,y,z) has index {@code x + X * (y + Y * z)}; its ports are in groups -x, +x, -y,
 * +y, -z, +z of {@code parallel} cables each, and then hosts. A ring of radix 2 has two sets of cables, one of radix 1
 * none.
 *
 * @param radix radix of x, y and z
 * @param parallel cables between neighbours
 * @param hosts hosts of each switch
 */
public record TorusSketch(int[] radix, int parallel, int hosts, Subnet subnet) {

    /** Returns a torus by its radices, parallel cables and hosts of each switch, such as {@code 8x8x8x1x2}. */
    public static TorusSketch parse(String shape) {
        int[] numbers =
                Arrays.stream(shape.split("x", -1)).mapToInt(Integer::parseInt).toArray();
        return of(numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]);
    }

    /**
     * Returns a torus with radices x, y and z.
     *
     * @param parallel cables between neighbours
     * @param hosts hosts of each switch
     */
    public static TorusSketch of(int x, int y, int z, int parallel, int hosts) {
        int[] radix = {x, y, z};
        Sketch sketch = new Sketch();
        for (int sw = 0; sw < x * y * z; sw++) {
            sketch.addSwitch("sw" + place(radix, sw), 6 * parallel + hosts);
        }
        for (int sw = 0; sw < x * y * z; sw++) {
            for (int d = 0; d < 3; d++) {
                for (int i = 0; i < parallel && radix[d] > 1; i++) {
                    sketch.link(sw, port(2 * d + 1, parallel, i), neighbour(radix, sw, d), port(2 * d, parallel, i));
                }
            }
            for (int host = 0; host < hosts; host++) {
                sketch.addHost(sw, port(6, parallel, host));
            }
        }
        return new TorusSketch(radix, parallel, hosts, Subnets.of(sketch.build()));
    }

    /** Returns the i-th port of a group, 0 to 5 for the directions and 6 for hosts. */
    public int port(int group, int i) {
        return port(group, parallel, i);
    }

    private static int port(int group, int parallel, int i) {
        return 1 + group * parallel + i;
    }

    /** Returns the group of a port; 6 for hosts and port 0. */
    public int group(int portNum) {
        return portNum == 0 ? 6 : Math.min(6, (portNum - 1) / parallel);
    }

    /** Returns a coordinate of a switch. */
    public int at(int sw, int d) {
        return at(radix, sw, d);
    }

    private static int at(int[] radix, int sw, int d) {
        int stride = d == 0 ? 1 : d == 1 ? radix[0] : radix[0] * radix[1];
        return sw / stride % radix[d];
    }

    private static int neighbour(int[] radix, int sw, int d) {
        int stride = d == 0 ? 1 : d == 1 ? radix[0] : radix[0] * radix[1];
        return at(radix, sw, d) == radix[d] - 1 ? sw - stride * (radix[d] - 1) : sw + stride;
    }

    /** Returns the coordinates of a switch as {@code (x,y,z)}. */
    public String place(int sw) {
        return place(radix, sw);
    }

    private static String place(int[] radix, int sw) {
        return "(" + at(radix, sw, 0) + "," + at(radix, sw, 1) + "," + at(radix, sw, 2) + ")";
    }
}
