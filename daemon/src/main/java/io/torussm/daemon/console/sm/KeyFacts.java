package io.torussm.daemon.console.sm;

import io.torussm.daemon.console.answer.Facts;
import io.torussm.daemon.control.SmControl;
import io.torussm.daemon.control.SmControl.KeyOrigin;
import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.PortInfo;
import io.torussm.view.PublishedView;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The origins of M_Key and SM_Key, and the number of ports with the M_Key. The keys themselves are not included.
 *
 * @param mKey origin of the M_Key
 * @param smKey origin of the SM_Key
 * @param generated time of generation; null if no keys were generated
 * @param endPorts number of end ports of the subnet
 * @param portsWithKey number of end ports with the effective M_Key
 */
record KeyFacts(KeyOrigin mKey, KeyOrigin smKey, @Nullable Instant generated, long endPorts, long portsWithKey)
        implements Facts {
    static KeyFacts of(SmControl.Keys keys, @Nullable PublishedView view) {
        Fabric fabric = view == null ? null : view.subnet().fabric();
        return new KeyFacts(
                keys.mKey(),
                keys.smKey(),
                keys.since(),
                fabric == null ? 0 : endPorts(fabric).count(),
                fabric == null
                        ? 0
                        : endPorts(fabric)
                                .filter(port -> hasMKey(fabric.portInfo(port), keys.wantedMKey()))
                                .count());
    }

    private static IntStream endPorts(Fabric fabric) {
        return IntStream.range(0, fabric.portCount()).filter(fabric::isEndport);
    }

    private static boolean hasMKey(@Nullable PortInfo info, long key) {
        return info != null && info.get(PortInfo.M_KEY) == key;
    }

    @Override
    public List<String> lines() {
        String ports = portsWithKey + " of " + endPorts + " end ports have it";
        return List.of(
                "M_Key: " + (mKey == KeyOrigin.NONE ? "none (m_key = 0)" : originText(mKey, "m_key") + ", " + ports),
                "SM_Key: " + (smKey == KeyOrigin.NONE ? "a public one" : originText(smKey, "sm_key")));
    }

    private String originText(KeyOrigin origin, String setting) {
        return origin == KeyOrigin.CONFIGURED ? "as " + setting + " says" : "generated " + generated;
    }
}
