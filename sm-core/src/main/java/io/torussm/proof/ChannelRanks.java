package io.torussm.proof;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A certificate: a rank for each used channel, so that ranks increase on every path. With the tables, it can
 * be checked hop by hop. Immutable.
 *
 * @param coversSwitches whether it includes packets from and to ports 0 of switches
 * @param coversGroups whether it includes groups
 * @param channels channels in ascending order of switch GUID, port and VL
 */
public record ChannelRanks(boolean coversSwitches, boolean coversGroups, List<Channel> channels) {
    /** The virtual lanes of a link, VL15 included. */
    public static final int VLS = 16;

    public ChannelRanks {
        channels = List.copyOf(channels);
    }

    /**
     * A VL of a cable between switches in one direction.
     *
     * @param switchGuid NodeGUID of the sending switch
     * @param port port number
     * @param rank 0 or more
     */
    public record Channel(long switchGuid, int port, int vl, int rank) {}

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
     * Returns ranks by channel {@code port * 16 + VL}, -1 for none; channels of unknown switches are left
     * out.
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
