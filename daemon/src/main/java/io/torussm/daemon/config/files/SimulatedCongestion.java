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

/** The reader of the keys of congestion control in an entry of a file of {@link SimulatedDevices}. */
final class SimulatedCongestion {
    private static final String CONGESTION_CONTROL = "congestion_control";
    private static final String TABLE_BLOCKS = "congestion_table_blocks";
    private static final String DELAY = "congestion_delay";
    private static final String DROP = "deaf_congestion";
    private static final String REFUSE = "refuse_congestion";
    private static final String IGNORE_SETS = "disobey_congestion";

    static final Set<String> KEYS = Set.of(CONGESTION_CONTROL, TABLE_BLOCKS, DELAY, DROP, REFUSE, IGNORE_SETS);

    /** The greatest value of ControlTableCap, which has 8 bits (IBA A10.4.3.3). */
    private static final int MAX_BLOCKS = 255;

    /** The probability of a rejection. */
    private static final double ALWAYS = 1;

    /** Attribute IDs by name, in the order of an error that lists the names. */
    private static final Map<String, Integer> ATTRIBUTES = attributes();

    private SimulatedCongestion() {}

    private static Map<String, Integer> attributes() {
        Map<String, Integer> ids = new TreeMap<>(Stream.<AttributeType<?>>of(
                        CongestionInfo.TYPE,
                        CongestionKeyInfo.TYPE,
                        CongestionLog.TYPE,
                        SwitchCongestionSetting.TYPE,
                        SwitchPortCongestionSetting.TYPE,
                        CaCongestionSetting.TYPE,
                        CongestionControlTable.TYPE,
                        TimeStamp.TYPE)
                .collect(Collectors.toMap(type -> type.layout().name(), AttributeType::id)));
        ids.put(AttributeNames.ANY, AgentProfile.ANY);
        return ids;
    }

    /**
     * Returns a copy of the profile of performance management, which also contains the agent of congestion control,
     * with the changes of an entry. An entry with {@code congestion_control = false} removes the agent, which an entry
     * before may have added for several devices.
     */
    static CounterProfile change(CounterProfile previous, HoconObject entry) {
        if (KEYS.stream().noneMatch(entry::has)) {
            return previous;
        }
        CongestionProfile old = previous.congestion();
        CongestionProfile profile = old == null ? CongestionProfile.DEFAULT : old;
        CongestionProfile changed = profile.withTable(entry.integer(
                        TABLE_BLOCKS, 0, MAX_BLOCKS, profile.info().tableBlocks()))
                .withAgent(changeAgent(profile.agent(), entry))
                .withDelay(entry.timeNs(DELAY, profile.delayNs()));
        return previous.withCongestion(entry.flag(CONGESTION_CONTROL, true) ? changed : null);
    }

    private static AgentProfile changeAgent(AgentProfile previous, HoconObject entry) {
        AgentProfile agent = entry.flag(DROP, false) ? previous.droppingAll() : previous;
        for (String name : entry.texts(REFUSE)) {
            int attribute = attribute(entry, REFUSE, name);
            agent = agent.refusing(attribute, AgentProfile.ANY, MadStatus.UNSUPPORTED_METHOD_ATTRIBUTE, ALWAYS);
        }
        for (String name : entry.texts(IGNORE_SETS)) {
            agent = agent.ignoringSets(attribute(entry, IGNORE_SETS, name));
        }
        return agent;
    }

    private static int attribute(HoconObject entry, String key, String name) {
        return entry.choice(key, name, ATTRIBUTES, AgentProfile.ANY);
    }
}
