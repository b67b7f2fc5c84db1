package io.torussm.proof;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A certificate: a rank for each used channel, so that ranks increase on every path. A reader with the tables can check
 * it hop by hop. Immutable.
 *
 * @param coversSwitches whether the certificate covers packets from and to ports 0 of switches
 * @param coversGroups whether the certificate covers packets to multicast groups
 * @param channels channels in ascending order of switch GUID, port and VL
 */
public record ChannelRanks(boolean coversSwitches, boolean coversGroups, List<Channel> channels) {
    /** Number of virtual lanes of a link, VL15 included. */
    public static final int VLS = 16;

    public ChannelRanks {
        channels = List.copyOf(channels);
    }

    /**
     * A VL of a cable between switches in one direction.
     *
     * @param switchGuid NodeGUID of the sending switch
     * @param port egress port number
     * @param vl virtual lane, 0 to 14
     * @param rank rank, 0 or more
     */
    public record Channel(long switchGuid, int port, int vl, int rank) {}

    /**
     * Returns a certificate.
     *
     * @param byChannel [port index * 16 + VL] rank; -1 for an unused channel
     */
    static ChannelRanks of(FabricTables tables, int[] byChannel, boolean coversSwitches, boolean coversGroups) {
        List<Channel> channels = new ArrayList<>();
        for (int channel = 0; channel < byChannel.length; channel++) {
            if (byChannel[channel] != FabricTables.NONE) {
                int port = channel / VLS;
                int sw = tables.switchOf(port);
                channels.add(new Channel(
                        tables.switchGuid[sw], port - tables.firstPort[sw], channel % VLS, byChannel[channel]));
            }
        }
        return new ChannelRanks(coversSwitches, coversGroups, channels);
    }

    /**
     * Returns [port index * 16 + VL] the rank of the channel in the indexes of some tables; -1 without a rank. Channels
     * of switches that the tables lack are left out.
     */
    int[] byChannel(FabricTables tables) {
        Map<Long, Integer> switches = new HashMap<>();
        for (int sw = 0; sw < tables.switchCount; sw++) {
            switches.put(tables.switchGuid[sw], sw);
        }
        int[] ranks = new int[tables.farPort.length * VLS];
        Arrays.fill(ranks, FabricTables.NONE);
        for (Channel channel : channels) {
            Integer sw = switches.get(channel.switchGuid());
            if (sw != null && channel.port() < tables.ports(sw)) {
                ranks[(tables.firstPort[sw] + channel.port()) * VLS + channel.vl()] = channel.rank();
            }
        }
        return ranks;
    }
}
