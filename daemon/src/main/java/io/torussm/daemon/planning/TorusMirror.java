package io.torussm.daemon.planning;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.PortInfo;
import io.torussm.routing.Plan;
import io.torussm.routing.RoutingOptions;
import io.torussm.subnet.LinkSettings;
import io.torussm.subnet.Subnet;
import io.torussm.torus2qos.TorusMap;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The reflection of a complete torus along one dimension: the coordinate c becomes radix - 1 - c. The
 * dateline keeps its place, and ports of direction + become ports of direction -.
 *
 * <p>{@link #isOwnImage} compares a plan with its image, entry for entry: forwarding tables, SLs, SL2VL, VLs of
 * links, and capabilities of switches. So the result does not depend on the origin of the plan: datelines,
 * LMC, the number of hosts, split ties.
 */
final class TorusMirror {
    private static final int NONE = Fabric.NONE;

    private final Plan plan;
    private final TorusMap torus;
    private final Fabric fabric;
    private final int dimension;

    /** Image of each port, by port index; NONE for a port that is not connected. */
    private final int[] image;

    private final int[] imageOfSwitch; // by switch index
    private final int[] imageOfLid; // by LID; NONE for a LID without a port

    private TorusMirror(Plan plan, TorusMap torus, int dimension) {
        this.plan = plan;
        this.torus = torus;
        this.dimension = dimension;
        fabric = plan.subnet().fabric();
        image = new int[fabric.portCount()];
        imageOfSwitch = new int[fabric.switchCount()];
        imageOfLid = new int[plan.subnet().topLid() + 1];
        Arrays.fill(image, NONE);
    }

    /**
     * Checks whether a plan is its own image.
     *
     * @param torus torus of the plan, complete, with equally many cables between any two neighbours of a dimension
     * @param dimension dimension with more than one switch
     */
    static boolean isOwnImage(Plan plan, TorusMap torus, int dimension, RoutingOptions options) {
        TorusMirror mirror = new TorusMirror(plan, torus, dimension);
        return mirror.findPorts()
                && mirror.findLids()
                && mirror.hasSymmetricDevices(options)
                && mirror.hasSymmetricRoutes();
    }

    /**
     * Finds the images of ports. Returns false if a switch has not exactly one cable to each neighbour, or if a
     * connected port has no image.
     */
    private boolean findPorts() {
        boolean isAlike = true;
        for (int at = 0; at < torus.positions(); at++) {
            int sw = torus.switchAt(at);
            int imageAt = mirrorPosition(at, 0);
            imageOfSwitch[sw] = torus.switchAt(imageAt);
            for (int d = 0; d < TorusMap.DIMENSIONS && isAlike; d++) {
                isAlike = torus.radix(d) == 1 || findCable(at, d == dimension ? mirrorPosition(at, 1) : imageAt, d);
            }
        }
        for (int sw = 0; sw < fabric.switchCount() && isAlike; sw++) {
            isAlike = findEnds(sw, imageOfSwitch[sw]);
        }
        return isAlike;
    }

    /** Returns the mirror image of a position that is {@code further} steps further along the dimension. */
    private int mirrorPosition(int at, int further) {
        return torus.withCoordinate(
                at, dimension, torus.radix(dimension) - 1 - torus.coordinate(at, dimension) - further);
    }

    private boolean findCable(int at, int imageAt, int d) {
        int[] ports = torus.plusPorts(at, d);
        if (ports.length != 1) {
            return false;
        }
        int port = fabric.port(torus.switchAt(at), ports[0]);
        int other = fabric.port(torus.switchAt(imageAt), torus.plusPorts(imageAt, d)[0]);
        image[port] = d == dimension ? fabric.peer(other) : other;
        image[fabric.peer(port)] = d == dimension ? other : fabric.peer(other);
        return true;
    }

    /** Maps port 0 and the ports to hosts of a switch to those of its image, in the order of port numbers. */
    private boolean findEnds(int sw, int imageSw) {
        int[] ends = ends(sw);
        int[] imageEnds = ends(imageSw);
        image[fabric.port(sw, 0)] = fabric.port(imageSw, 0);
        if (ends.length != imageEnds.length) {
            return false;
        }
        for (int i = 0; i < ends.length; i++) {
            image[ends[i]] = imageEnds[i];
            image[fabric.peer(ends[i])] = fabric.peer(imageEnds[i]);
        }
        return IntStream.rangeClosed(1, fabric.numPorts(sw))
                .map(portNum -> fabric.port(sw, portNum))
                .allMatch(port -> fabric.peer(port) == NONE || image[port] != NONE);
    }

    private int[] ends(int sw) {
        return IntStream.rangeClosed(1, fabric.numPorts(sw))
                .map(portNum -> fabric.port(sw, portNum))
                .filter(port -> fabric.peer(port) != NONE && !fabric.isSwitch(fabric.nodeOf(fabric.peer(port))))
                .toArray();
    }

    private boolean findLids() {
        Subnet subnet = plan.subnet();
        for (int lid = 1; lid < imageOfLid.length; lid++) {
            int port = subnet.routedLid(lid) == lid ? subnet.portOfLid(lid) : NONE;
            int other = port == NONE ? NONE : image[port];
            if (port == NONE) {
                imageOfLid[lid] = NONE;
            } else if (other == NONE || subnet.lid(other) == 0 || subnet.lmc(other) != subnet.lmc(port)) {
                return false;
            } else {
                imageOfLid[lid] = subnet.lid(other) + lid - subnet.lid(port);
            }
        }
        return true;
    }

    private boolean hasSymmetricDevices(RoutingOptions options) {
        LinkSettings links = LinkSettings.limitedTo(options.maxOpVls());
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            int other = imageOfSwitch[sw];
            if (fabric.hasMulticast(sw) != fabric.hasMulticast(other)
                    || fabric.hasEnhancedPort0(sw) != fabric.hasEnhancedPort0(other)
                    || hasSlMapping(sw) != hasSlMapping(other)) {
                return false;
            }
        }
        return IntStream.range(0, image.length)
                .filter(port -> image[port] != NONE)
                .allMatch(port -> links.operationalVls(fabric, port) == links.operationalVls(fabric, image[port])
                        && fabric.isEndport(port) == fabric.isEndport(image[port])
                        && (plan.subnet().lid(port) == 0) == (plan.subnet().lid(image[port]) == 0));
    }

    private boolean hasSlMapping(int sw) {
        PortInfo port0 = fabric.portInfo(fabric.port(sw, 0));
        return port0 != null && port0.hasCapability(PortInfo.CAP_SL_MAPPING);
    }

    private boolean hasSymmetricRoutes() {
        return IntStream.range(0, fabric.switchCount())
                        .parallel()
                        .allMatch(sw -> hasSymmetricTable(sw) && hasSymmetricSl2Vl(sw))
                && IntStream.range(0, image.length)
                        .filter(port -> image[port] != NONE && fabric.isEndport(port))
                        .allMatch(port -> plan.sl2vl(port) == plan.sl2vl(image[port]));
    }

    private boolean hasSymmetricTable(int sw) {
        int imageSw = imageOfSwitch[sw];
        byte[] table = plan.lft(sw);
        byte[] other = plan.lft(imageSw);
        for (int lid = 1; lid < imageOfLid.length; lid++) {
            int imageLid = imageOfLid[lid];
            if (imageLid != NONE
                    && (imageOfOut(sw, table[lid] & 0xff) != (other[imageLid] & 0xff)
                            || plan.slMask(sw, lid) != plan.slMask(imageSw, imageLid))) {
                return false;
            }
        }
        return true;
    }

    /** Returns the image of an output port number at a switch; a port without an image is its own image. */
    private int imageOfOut(int sw, int out) {
        int other = out > fabric.numPorts(sw) ? NONE : image[fabric.port(sw, out)];
        return other == NONE ? out : fabric.portNum(other);
    }

    private boolean hasSymmetricSl2Vl(int sw) {
        int[] ports = IntStream.rangeClosed(0, fabric.numPorts(sw))
                .filter(portNum -> image[fabric.port(sw, portNum)] != NONE)
                .toArray();
        return IntStream.of(ports).allMatch(in -> IntStream.of(ports)
                .allMatch(out -> plan.sl2vl(sw, in, out)
                        == plan.sl2vl(imageOfSwitch[sw], imageOfOut(sw, in), imageOfOut(sw, out))));
    }
}
