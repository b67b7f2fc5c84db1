package io.torussm.daemon.config.files;

import io.torussm.mad.AttributeType;
import io.torussm.mad.MadStatus;
import io.torussm.mad.congestion.CaCongestionSetting;
import io.torussm.mad.congestion.CongestionControlTable;
import io.torussm.mad.congestion.CongestionInfo;
import io.torussm.mad.congestion.CongestionKeyInfo;
import io.torussm.mad.congestion.CongestionLog;
import io.torussm.mad.congestion.SwitchCongestionSetting;
import io.torussm.mad.congestion.SwitchPortCongestionSetting;
import io.torussm.mad.congestion.TimeStamp;
import io.torussm.sim.model.AgentProfile;
import io.torussm.sim.model.AttributeNames;
import io.torussm.sim.model.CongestionProfile;
import io.torussm.sim.model.CounterProfile;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The agent of congestion control of one entry of a file of {@link SimulatedDevices}. */
final class SimulatedCongestion {
    static final Set<String> KEYS = Set.of(
            "congestion_control",
            "congestion_table_blocks",
            "congestion_delay",
            "deaf_congestion",
            "refuse_congestion",
            "disobey_congestion");

    private static final int MAX_BLOCKS = 255;
    private static final Map<String, Integer> ATTRIBUTES = attributes();

    private SimulatedCongestion() {}

    private static Map<String, Integer> attributes() {
        Map<String, Integer> ids = Stream.<AttributeType<?>>of(
                        CongestionInfo.TYPE,
                        CongestionKeyInfo.TYPE,
                        CongestionLog.TYPE,
                        SwitchCongestionSetting.TYPE,
                        SwitchPortCongestionSetting.TYPE,
                        CaCongestionSetting.TYPE,
                        CongestionControlTable.TYPE,
                        TimeStamp.TYPE)
                .collect(Collectors.toMap(type -> type.layout().name(), AttributeType::id, (a, b) -> a, TreeMap::new));
        ids.put(AttributeNames.ANY, AgentProfile.ANY);
        return ids;
    }

    /** Returns the agents of a device with the changes of an entry. */
    static CounterProfile change(CounterProfile previous, HoconObject entry) {
        if (KEYS.stream().noneMatch(entry::has) || !entry.flag("congestion_control", true)) {
            return previous;
        }
        CongestionProfile old = previous.congestion();
        CongestionProfile profile = old == null ? CongestionProfile.DEFAULT : old;
        if (entry.has("congestion_table_blocks")) {
            profile = profile.withTable(entry.integer("congestion_table_blocks", 0, MAX_BLOCKS, 2));
        }
        AgentProfile manners = profile.agent();
        if (entry.flag("deaf_congestion", false)) {
            manners = manners.droppingAll();
        }
        for (String word : entry.texts("refuse_congestion")) {
            manners = manners.refusing(
                    attribute(entry, "refuse_congestion", word),
                    AgentProfile.ANY,
                    MadStatus.UNSUPPORTED_METHOD_ATTRIBUTE,
                    1);
        }
        for (String word : entry.texts("disobey_congestion")) {
            manners = manners.ignoringSets(attribute(entry, "disobey_congestion", word));
        }
        return previous.withCongestion(
                profile.withAgent(manners).withDelay(entry.timeNs("congestion_delay", profile.delayNs())));
    }

    private static int attribute(HoconObject entry, String key, String word) {
        return entry.choice(key, word, ATTRIBUTES, AgentProfile.ANY);
    }
}
