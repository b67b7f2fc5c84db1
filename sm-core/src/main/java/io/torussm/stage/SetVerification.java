package io.torussm.stage;

import io.torussm.mad.Attribute;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.MulticastForwardingTable;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.transport.SmpRequest;

/**
 * The verification of a Set by its answer. The answer carries the resulting attribute (IBA 13.4.5, 14.2.5). A
 * device that answers without an error and changes nothing is thus detected without another SMP. Only
 * forwarding data are compared, and whether a port left INITIALIZE. Settings of ports are checked elsewhere,
 * and VL arbitration tables do no harm.
 */
public final class SetVerification {
    private SetVerification() {}

    /**
     * Checks whether the attribute of a device satisfies a request; for a Get, whether it can be true.
     *
     * @param held value from the answer to the request, or to a Get with the same attribute modifier
     */
    public static <A extends Attribute<A>> boolean shows(SmpRequest<A> request, A held) {
        A wanted = request.value();
        if (wanted == null) {
            return Plausibility.tells(held, request.attributeModifier());
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
