package io.torussm.routing.lanes;

import io.torussm.fabric.Fabric;
import io.torussm.routing.balance.Links;
import java.util.Arrays;

/**
 * The directions of cables between switches (channels), and the turns from each to its possible successors,
 * numbered densely. Channels of a switch are consecutive, and so are turns out of a channel. Immutable.
 */
public final class SwitchChannels {
    private final Fabric fabric;

    /** By switch, and one more: its first channel. */
    private final int[] first;

    /** By channel: the port index it leaves by, the switch it leads to, and the channel that leads back. */
    private final int[] ports;

    private final int[] targets;
    private final int[] back;

    /** By channel, and one more: its first turn. */
    private final int[] firstTurn;

    /** By port index: the channel that leaves there. */
    private final int[] atPort;

    public SwitchChannels(Links links) {
        fabric = links.fabric();
        first = new int[fabric.switchCount() + 1];
        int[] found = new int[fabric.portCount()];
        atPort = new int[fabric.portCount()];
        Arrays.fill(atPort, Fabric.NONE);
        int count = 0;
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            for (int portNum = 1; portNum <= fabric.numPorts(sw); portNum++) {
                int port = fabric.port(sw, portNum);
                if (links.behind(port) != Fabric.NONE) {
                    atPort[port] = count;
                    found[count++] = port;
                }
            }
            first[sw + 1] = count;
        }
        ports = Arrays.copyOf(found, count);
        targets = Arrays.stream(ports).map(links::behind).toArray();
        back = Arrays.stream(ports).map(port -> atPort[fabric.peer(port)]).toArray();
        firstTurn = new int[count + 1];
        for (int channel = 0; channel < count; channel++) {
            firstTurn[channel + 1] = firstTurn[channel] + first[targets[channel] + 1] - first[targets[channel]];
        }
    }

    /** Returns the number of channels. */
    public int count() {
        return ports.length;
    }

    /** Returns the number of turns, including turns back. */
    public int turnCount() {
        return firstTurn[ports.length];
    }

    /**
     * Returns the channel that a port of a switch leads to; {@link Fabric#NONE} if it does not lead to another
     * switch.
     */
    public int at(int sw, int portNum) {
        return portNum > fabric.numPorts(sw) ? Fabric.NONE : atPort[fabric.port(sw, portNum)];
    }

    /** Returns the first channel of a switch; up to that of the next switch all are its own. */
    public int first(int sw) {
        return first[sw];
    }

    /** Returns the port index by which a channel leaves. */
    public int port(int channel) {
        return ports[channel];
    }

    /** Returns the switch that a channel leads to. */
    public int target(int channel) {
        return targets[channel];
    }

    /** Returns the channel of the same cable in the other direction. */
    public int back(int channel) {
        return back[channel];
    }

    /** Returns the turn from a channel to one of the channels that leave its target. */
    public int turn(int held, int wanted) {
        return firstTurn[held] + wanted - first[targets[held]];
    }

    /** Returns where a turn out of a channel leads. */
    public int wanted(int held, int turn) {
        return first[targets[held]] + turn - firstTurn[held];
    }
}
