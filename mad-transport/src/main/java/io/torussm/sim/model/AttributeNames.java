package io.torussm.sim.model;

import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import io.torussm.mad.smp.GeneralInfo;
import io.torussm.mad.smp.GuidInfo;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.MulticastForwardingTable;
import io.torussm.mad.smp.NodeDescription;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PKeyTable;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.mad.smp.Smp;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.mad.smp.SwitchPortStateTable;
import io.torussm.mad.smp.VlArbitrationTable;
import io.torussm.mad.vport.VNodeDescription;
import io.torussm.mad.vport.VNodeInfo;
import io.torussm.mad.vport.VPortGuidInfo;
import io.torussm.mad.vport.VPortInfo;
import io.torussm.mad.vport.VPortPKeyTable;
import io.torussm.mad.vport.VPortStateTable;
import io.torussm.mad.vport.VirtualizationInfo;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** The names of attributes that agents of the embedded fabric support, in the spelling of IBA or the vendor. */
public final class AttributeNames {
    /** The name for any attribute. */
    public static final String ANY = "any";

    private static final Pattern BYTE = Pattern.compile("\\d{1,2}");

    private static final Map<String, Integer> IDS = ids();

    private AttributeNames() {}

    /** Returns the attribute IDs by name; {@value #ANY} is {@link AgentProfile#ANY}. */
    public static Map<String, Integer> all() {
        return IDS;
    }

    /**
     * Returns the field of an attribute that a word denotes. A number from 0 to 63 denotes a byte, any other word a
     * field of up to 64 bits by IBA's name.
     *
     * @return empty if the attribute has no such field, or is {@link AgentProfile#ANY}
     */
    public static Optional<Field> field(int attributeId, String word) {
        if (attributeId == AgentProfile.ANY) {
            return Optional.empty();
        }
        if (BYTE.matcher(word).matches()) {
            int index = Integer.parseInt(word);
            return index < Smp.DATA_SIZE
                    ? Optional.of(FalseValue.ofByte(attributeId, index, 0).field())
                    : Optional.empty();
        }
        return types().stream()
                .filter(type -> type.id() == attributeId)
                .flatMap(type -> type.layout().fields().stream())
                .filter(field -> field.name().equalsIgnoreCase(word) && field.width() <= Long.SIZE)
                .findFirst();
    }

    private static Map<String, Integer> ids() {
        Map<String, Integer> ids = new TreeMap<>();
        ids.put(ANY, AgentProfile.ANY);
        types().forEach(type -> ids.put(type.layout().name(), type.id()));
        return Collections.unmodifiableMap(ids);
    }

    private static List<AttributeType<?>> types() {
        return List.of(
                NodeDescription.TYPE,
                NodeInfo.TYPE,
                SwitchInfo.TYPE,
                GuidInfo.TYPE,
                PortInfo.TYPE,
                PKeyTable.TYPE,
                SlToVlMappingTable.TYPE,
                VlArbitrationTable.TYPE,
                LinearForwardingTable.TYPE,
                MulticastForwardingTable.TYPE,
                SwitchPortStateTable.TYPE,
                GeneralInfo.TYPE,
                VirtualizationInfo.TYPE,
                VPortInfo.TYPE,
                VNodeInfo.TYPE,
                VPortStateTable.TYPE,
                VNodeDescription.TYPE,
                VPortGuidInfo.TYPE,
                VPortPKeyTable.TYPE);
    }
}
