package io.torussm.routing.lanes;

import io.torussm.fabric.Fabric;
import io.torussm.routing.balance.Links;
import java.util.Arrays;

/**
 * Dense numbers for channels and turns. A channel is one direction of a cable between switches. A turn is a pair
 * of channels of which the second begins at the switch at which the first ends. The channels that leave a switch
 * have consecutive numbers, and so have the turns out of a channel. Immutable.
 */
public final class SwitchChannels {
    private final Fabric fabric;

    /** By switch: its first channel; the last entry is the number of channels. */
    private final int[] first;

    /** By channel: the index of the port at which it begins. */
    private final int[] ports;

    /** By channel: the switch at which it ends. */
    private final int[] targets;
    /** By channel: the channel of the same cable in the other direction. */
    private final int[] reverse;

    /** By channel: its first turn; the last entry is the number of turns. */
    private final int[] firstTurn;

    /** By port index: the channel that begins there, {@link Fabric#NONE} without one. */
    private final int[] channelOfPort;

    public SwitchChannels(Links links) {
        fabric = links.fabric();
        first = new int[fabric.switchCount() + 1];
        int[] channelPorts = new int[fabric.portCount()];
        channelOfPort = new int[fabric.portCount()];
        Arrays.fill(channelOfPort, Fabric.NONE);
        int count = 0;
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            for (int portNum = 1; portNum <= fabric.numPorts(sw); portNum++) {
                int port = fabric.port(sw, portNum);
                if (links.farSwitch(port) != Fabric.NONE) {
                    channelOfPort[port] = count;
                    channelPorts[count++] = port;
                }
            }
            first[sw + 1] = count;
        }
        ports = Arrays.copyOf(channelPorts, count);
        targets = Arrays.stream(ports).map(links::farSwitch).toArray();
        reverse = Arrays.stream(ports)
                .map(port -> channelOfPort[fabric.peer(port)])
                .toArray();
        firstTurn = new int[count + 1];
        for (int channel = 0; channel < count; channel++) {
            firstTurn[channel + 1] = firstTurn[channel] + first[targets[channel] + 1] - first[targets[channel]];
        }
    }

    /** Returns the number of channels. */
    public int count() {
        return ports.length;
    }

    /** Returns the number of turns, including turns back into the same cable. */
    public int turnCount() {
        return firstTurn[ports.length];
    }

    /**
     * Returns the channel that begins at a port number of a switch; {@link Fabric#NONE} if the port leads to no
     * other switch, or does not exist.
     */
    public int channelAt(int sw, int portNum) {
        return portNum > fabric.numPorts(sw) ? Fabric.NONE : channelOfPort[fabric.port(sw, portNum)];
    }

    /**
     * Returns the first channel that leaves a switch. The channels of switch {@code sw} are {@code first(sw)} to
     * {@code first(sw + 1) - 1}.
     */
    public int first(int sw) {
        return first[sw];
    }

    /** Returns the index of the port at which a channel begins. */
    public int port(int channel) {
        return ports[channel];
    }

    /** Returns the switch at which a channel ends. */
    public int target(int channel) {
        return targets[channel];
    }

    /** Returns the channel of the same cable in the other direction. */
    public int reverse(int channel) {
        return reverse[channel];
    }

    /** Returns the turn from a channel to one of the channels that leave its target. */
    public int turn(int held, int wanted) {
        return firstTurn[held] + wanted - first[targets[held]];
    }

    /** Returns the channel to which a turn out of a channel leads. */
    public int wanted(int held, int turn) {
        return first[targets[held]] + turn - firstTurn[held];
    }
}
