package io.torussm.stage;

import io.torussm.mad.Attribute;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.MulticastForwardingTable;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.transport.SmpRequest;

/**
 * The verification of a Set by its response, which carries the resulting attribute (IBA 13.4.5, 14.2.5). So a device
 * that responds without an error and changes nothing is detected without another SMP. Only forwarding data are
 * compared, and whether a port left INITIALIZE. Other classes check settings of ports; VL arbitration tables do no
 * harm.
 */
public final class SetVerification {
    private SetVerification() {}

    /**
     * Checks whether the attribute of a device shows the effect of a Set; for a Get, whether the attribute is
     * plausible.
     *
     * @param held value from the response to the request, or to a Get with the same AttributeModifier
     */
    public static <A extends Attribute<A>> boolean hasEffect(SmpRequest<A> request, A held) {
        A wanted = request.value();
        if (wanted == null) {
            return Plausibility.isPlausible(held, request.attributeModifier());
        }
        if (wanted instanceof LinearForwardingTable || wanted instanceof MulticastForwardingTable) {
            return wanted.equals(held);
        }
        if (wanted instanceof SlToVlMappingTable row && held instanceof SlToVlMappingTable current) {
            return row.packed() == current.packed();
        }
        if (wanted instanceof SwitchInfo info && held instanceof SwitchInfo current) {
            return current.linearFdbTop() >= info.linearFdbTop();
        }
        if (wanted instanceof PortInfo port && held instanceof PortInfo current) {
            return port.portState() != PortInfo.STATE_ARMED || current.portState() != PortInfo.STATE_INITIALIZE;
        }
        return true;
    }
}
