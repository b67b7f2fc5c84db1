package io.torussm.state;

import io.torussm.fabric.Fabric;
import io.torussm.mad.Gid;
import io.torussm.sim.VirtualLoop;
import io.torussm.subnet.LidStore;
import io.torussm.subnet.Subnet;
import io.torussm.testing.Sketch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;

/**
 * A process that writes state files until it is killed: arguments are the directory and the first version. After each
 * version it writes a line with its number to standard output.
 */
public final class TirelessWriter {
    /** As many lines as follow from the version, all of them the version. */
    static final StateFile VERSIONS = StateFile.of("versions", 1, 1 << 20, "the test fails");

    private static final int SWITCHES = 40;

    private TirelessWriter() {}

    static int lines(int version) {
        return 1 + version * 37 % 3000;
    }

    /** Returns the LID of a switch, in every version that has the switch. */
    static int lid(int sw) {
        return 100 + 7 * sw;
    }

    /** Returns the GUID of a switch. */
    static long guid(int sw) {
        return 0x20_0000L + sw;
    }

    /** Returns the subnet. All switches are there from the start; versions differ in the switches that respond. */
    private static Subnet subnet(Fabric fabric, int version) {
        int[] lids = new int[fabric.portCount()];
        for (int sw = 0; sw < SWITCHES; sw++) {
            lids[fabric.port(sw, 0)] = version * 31 % (sw + 2) == 0 ? 0 : lid(sw);
        }
        return new Subnet(fabric, lids, new byte[fabric.portCount()], Gid.DEFAULT_PREFIX);
    }

    /** Takes versions; a file that mixes two is damaged. */
    static final class Versions implements StateFile.Parser<Integer> {
        private final Set<Integer> versions = new HashSet<>();
        private int count;

        @Override
        public String parseLine(String line) {
            versions.add(Integer.valueOf(line));
            count++;
            return versions.size() == 1 ? "" : "two versions in one file";
        }

        @Override
        public Integer value() {
            int version = versions.iterator().next();
            if (count != lines(version)) {
                throw new AssertionError("version " + version + " has " + count + " lines");
            }
            return version;
        }
    }

    /** Writes until it is killed. */
    public static void main(String[] arguments) throws IOException {
        VirtualLoop loop = new VirtualLoop();
        StateDirectory state = StateDirectory.open(Path.of(arguments[0]), loop);
        LidStore lids = new LidStore(state);
        Sketch sketch = new Sketch();
        for (int sw = 0; sw < SWITCHES; sw++) {
            sketch.addSwitch("sw-" + sw, 1);
        }
        Fabric fabric = sketch.build();
        for (int version = Integer.parseInt(arguments[1]); ; version++) {
            String line = String.valueOf(version);
            state.write(VERSIONS, () -> Collections.nCopies(lines(Integer.parseInt(line)), line).stream());
            lids.remember(subnet(fabric, version), isWritten -> {});
            loop.runFor(0);
            System.out.println(line);
            System.out.flush();
        }
    }
}
