package io.torussm.sim;

import io.torussm.mad.AttributeType;
import io.torussm.mad.smp.GuidInfo;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.MulticastForwardingTable;
import io.torussm.mad.smp.NodeDescription;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PKeyTable;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.mad.smp.VlArbitrationTable;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** IBA's names of the attributes that agents of the embedded fabric answer, as operators write them. */
public final class AttributeNames {
    /** Whatever the attribute. */
    public static final String ANY = "any";

    private static final Map<String, Integer> IDS = ids();

    private AttributeNames() {}

    /** Attribute IDs by name; {@value #ANY} is {@link AgentProfile#ANY}. */
    public static Map<String, Integer> all() {
        return IDS;
    }

    private static Map<String, Integer> ids() {
        Map<String, Integer> ids = new TreeMap<>();
        ids.put(ANY, AgentProfile.ANY);
        for (AttributeType<?> type : List.of(
                NodeDescription.TYPE,
                NodeInfo.TYPE,
                SwitchInfo.TYPE,
                GuidInfo.TYPE,
                PortInfo.TYPE,
                PKeyTable.TYPE,
                SlToVlMappingTable.TYPE,
                VlArbitrationTable.TYPE,
                LinearForwardingTable.TYPE,
                MulticastForwardingTable.TYPE)) {
            ids.put(type.layout().name(), type.id());
        }
        return Collections.unmodifiableMap(ids);
    }
}
