package io.torussm.stage;

import io.torussm.mad.Attribute;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.MulticastForwardingTable;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.transport.SmpRequest;

/**
 * Whether a device did what a Set said. Its answer carries the attribute as the device holds it afterwards (IBA 13.4.5, 14.2.5),
 * so one that answers well and changes nothing is known by it, without another SMP. Only what packets are forwarded by is
 * compared, and whether a port left INITIALIZE; settings of ports have rules of their own, and VL arbitration tables harm nobody.
 */
public final class Obedience {
    private Obedience() {}

    /**
     * Whether an attribute that a device holds is as a request wants it to be: if the request is a Get, whether it can be true.
     *
     * @param held from the answer to the request, or from that to a Get with the same attribute modifier
     */
    public static <A extends Attribute<A>> boolean shows(SmpRequest<A> request, A held) {
        A wanted = request.value();
        if (wanted == null) {
            return Plausibility.tells(held, request.attributeModifier());
        }
        if (wanted instanceof LinearForwardingTable || wanted instanceof MulticastForwardingTable) {
            return wanted.equals(held);
        }
        if (wanted instanceof SlToVlMappingTable row && held instanceof SlToVlMappingTable now) {
            return row.packed() == now.packed();
        }
        if (wanted instanceof SwitchInfo info && held instanceof SwitchInfo now) {
            return now.linearFdbTop() >= info.linearFdbTop();
        }
        if (wanted instanceof PortInfo port && held instanceof PortInfo now) {
            return port.portState() != PortInfo.STATE_ARMED || now.portState() != PortInfo.STATE_INITIALIZE;
        }
        return true;
    }
}
